"""Pictures of a model, or of an estimator that holds one."""

from __future__ import annotations

from typing import Any


class Plotted:
    """What can be drawn by :func:`separa.plot`."""

    def plot(
        self, X: Any = None, *, kind: str = "map", ax: Any = None, backend: str = "matplotlib", **options: Any
    ) -> Any:
        """Draws it; see :func:`separa.plot`.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features), optional
            Rows to draw, those of the fit or others.
        kind : {"map", "profile", "margins", "pairs", "stability", "n_clusters", "importance", "confidence"}
        ax : matplotlib.axes.Axes, optional
        backend : {"matplotlib", "plotly"}, default="matplotlib"
        **options
            Of the kind.

        Returns
        -------
        display : separa.plot.Display
            With ``figure_`` and ``ax_``.
        """
        from .plot import plot

        return plot(self, X, kind=kind, ax=ax, backend=backend, **options)
