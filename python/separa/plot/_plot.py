"""One function for all kinds of pictures."""

from __future__ import annotations

from typing import Any

from ..exceptions import ParameterError
from ._display import Display
from ._known import ClusterCountDisplay, ImportanceDisplay, PairsDisplay, ProfileDisplay
from ._refits import StabilityDisplay
from ._rows import ClusterMapDisplay, ConfidenceDisplay, MarginsDisplay

#: Every kind of picture and its class.
KINDS: dict[str, Any] = {
    "map": ClusterMapDisplay,
    "profile": ProfileDisplay,
    "margins": MarginsDisplay,
    "pairs": PairsDisplay,
    "stability": StabilityDisplay,
    "n_clusters": ClusterCountDisplay,
    "importance": ImportanceDisplay,
    "confidence": ConfidenceDisplay,
}


def plot(
    fitted: Any, X: Any = None, *, kind: str = "map", ax: Any = None, backend: str = "matplotlib", **options: Any
) -> Display:
    """Draws a fitted estimator, a model, or a pipeline.

    Parameters
    ----------
    fitted : estimator, Model or Pipeline
        A fitted estimator of separa, a :class:`separa.Model` (fitted or loaded), a pipeline that ends in such an
        estimator, or a search over one.
    X : array-like, sparse rows or table of shape (n_samples, n_features), optional
        Rows to draw, those of the fit or others; of a pipeline, as its first step takes them. ``"map"``,
        ``"margins"``, ``"confidence"`` and ``"stability"`` need it; the others show what the model knows.
    kind : {"map", "profile", "margins", "pairs", "stability", "n_clusters", "importance", "confidence"}
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure if it is None.
    backend : {"matplotlib", "plotly"}, default="matplotlib"
    **options
        Of the kind; see ``from_estimator`` of its class in :mod:`separa.plot`.

    Returns
    -------
    display : Display
        With ``figure_`` and ``ax_``.

    Examples
    --------
    >>> import separa
    >>> model = separa.fit([[0.0, 10], [0.2, 11], [0.1, 12], [9, 95], [9.1, 97], [9.3, 96]], n_clusters=2)
    >>> separa.plot(model, kind="profile").ax_.get_title()  # doctest: +SKIP
    'Cluster profiles'
    """
    if kind not in KINDS:
        raise ParameterError(f"parameter `kind` must be one of {', '.join(KINDS)}, got {kind!r}")
    display: Display = KINDS[kind].from_estimator(fitted, X, ax=ax, backend=backend, **options)
    return display
