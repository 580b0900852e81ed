"""A picture of refits: which clusters are stable."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from .. import _stability
from .._source import Source, source_of
from ..exceptions import DataError
from ._chart import Array, Bars, Chart, Line, colours
from ._display import Display


class StabilityDisplay(Display):
    """Which clusters are stable: the mean Jaccard index of each over refits on random halves of the rows.

    Above 0.75 a cluster is stable, below 0.6 it is not to be trusted (Hennig 2007).

    Parameters
    ----------
    jaccard : ndarray of shape (n_clusters,)
    n_refits : int
    names : sequence of str
    """

    def __init__(self, jaccard: Array, n_refits: int, names: Sequence[str]) -> None:
        self.jaccard, self.n_refits, self.names = jaccard, n_refits, names

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        *,
        n_refits: int = 20,
        ax: Any = None,
        backend: str = "matplotlib",
        n_jobs: int | None = None,
    ) -> StabilityDisplay:
        """Refits the method with the parameters of the model and draws what becomes of its clusters.

        Parameters
        ----------
        estimator : estimator, Model or Pipeline
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            The table of the fit. Without it, what the model file says is drawn, if the fit was asked for stability.
        n_refits : int, default=20
        ax, backend
            As for :meth:`plot`.
        n_jobs : int, optional
        """
        source = source_of(estimator, X)
        if source.X is None:
            return cls._known(source).plot(ax, backend=backend)
        info = source.model._info
        if "classes" in info:
            raise DataError("stability is of clusters; a classifier has cross-validation")
        params = {**info["params"], "n_clusters": info["k"]}
        if params.get("init") == "given":
            # The labels belong to the data and are not in the model.
            params["init"] = "auto"
        found = _stability.stability(
            source.X, info["method"], n_refits=n_refits, random_state=info["seed"], n_jobs=n_jobs, **params
        )
        return cls.from_stability(found, ax=ax, backend=backend)

    @classmethod
    def from_stability(
        cls, stability: _stability.Stability, *, ax: Any = None, backend: str = "matplotlib"
    ) -> StabilityDisplay:
        """Draws what :func:`separa.stability` found.

        Parameters
        ----------
        stability : Stability
        ax, backend
            As for :meth:`plot`.
        """
        names = [str(c) for c in range(len(stability.jaccard))]
        return cls(stability.jaccard, stability.n_refits, names).plot(ax, backend=backend)

    @classmethod
    def _known(cls, source: Source) -> StabilityDisplay:
        found = source.model._info.get("stability")
        if found is None:
            raise DataError("stability needs the rows, and a model holds none; give the table as X")
        return cls(np.array(found["jaccard"]), found["refits"], source.names)

    def _chart(self) -> Chart:
        bars = Bars(np.arange(len(self.jaccard), dtype=np.float64), self.jaccard, colours(len(self.jaccard)))
        lines = [Line(0.75, vertical=False, name="stable"), Line(0.6, vertical=False, name="not to be trusted below")]
        title = f"Stability over {self.n_refits} refits"
        return Chart([bars, *lines], title, "cluster", "mean Jaccard index", x_names=self.names, limits=(0.0, 1.05))
