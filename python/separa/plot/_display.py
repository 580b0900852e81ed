"""What all displays share, and the two backends."""

from __future__ import annotations

from typing import Any, TypeVar

from ..exceptions import ParameterError
from . import _matplotlib, _plotly
from ._chart import Chart

BACKENDS = ("matplotlib", "plotly")

#: The class of a display, so that a checker knows what `plot` returns.
Self = TypeVar("Self", bound="Display")


class Display:
    """A picture that can be drawn: scikit-learn's convention.

    Attributes
    ----------
    figure_ : matplotlib.figure.Figure or plotly.graph_objects.Figure
        The figure, once it is drawn.
    ax_ : matplotlib.axes.Axes or None
        Its axes; None of Plotly.
    """

    figure_: Any
    ax_: Any

    def _chart(self) -> Chart:
        raise NotImplementedError

    def plot(self: Self, ax: Any = None, *, backend: str = "matplotlib") -> Self:
        """Draws it.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure if it is None.
        backend : {"matplotlib", "plotly"}, default="matplotlib"

        Returns
        -------
        self : object
            With ``figure_`` and ``ax_``.
        """
        if backend not in BACKENDS:
            raise ParameterError(f"parameter `backend` must be \"matplotlib\" or \"plotly\", got {backend!r}")
        if backend == "plotly":
            if ax is not None:
                raise ParameterError("parameter `ax` belongs to matplotlib; leave it out with backend=\"plotly\"")
            self.figure_, self.ax_ = _plotly.draw(self._chart()), None
        else:
            self.figure_, self.ax_ = _matplotlib.draw(self._chart(), ax)
        return self

    def _repr_html_(self) -> str | None:
        """A figure of Plotly's shows itself; matplotlib's is shown by its own inline backend."""
        figure = getattr(self, "figure_", None)
        show = getattr(figure, "_repr_html_", None)
        return None if show is None else str(show())
