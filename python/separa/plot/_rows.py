"""Pictures of rows: where they lie, by what margin they were decided, how sure their cluster is."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from .. import _labels, _run, _separa
from .._source import source_of
from ..exceptions import DataError, ParameterError
from ._chart import Array, Bars, Chart, Ground, Layer, Line, Points, look
from ._display import Display

Labels = npt.NDArray[np.int32]

#: Bins of probabilities.
STEPS = 20


class ClusterMapDisplay(Display):
    """Rows along what separates their clusters, as the report's map shows them.

    Two clusters are seen along the decision value (across, the boundary at 0) and the main direction
    orthogonal to it; more along the two directions that separate them best. At most 2,500 rows are drawn, more of
    small clusters.

    Parameters
    ----------
    x, y : ndarray of shape (n_drawn,)
        Where the rows lie.
    labels : ndarray of shape (n_drawn,)
        Their clusters; -1 are outliers.
    rows : ndarray of shape (n_drawn,)
        Their places in the table.
    x_name, y_name : str
        What the axes show.
    names : sequence of str
        What the clusters are called.
    ground : tuple, optional
        What a curved rule says everywhere: the lowest corner, the highest, the labels of a square grid.
    boundary : bool, default=False
        Whether the boundary is at 0 across.

    Examples
    --------
    >>> import separa
    >>> from separa.plot import ClusterMapDisplay
    >>> X = [[0.0, 10], [0.2, 11], [0.1, 12], [9, 95], [9.1, 97], [9.3, 96]]
    >>> display = ClusterMapDisplay.from_estimator(separa.fit(X, n_clusters=2), X)  # doctest: +SKIP
    """

    def __init__(
        self,
        x: Array,
        y: Array,
        labels: Labels,
        rows: npt.NDArray[np.intp],
        *,
        x_name: str,
        y_name: str,
        names: Sequence[str],
        ground: tuple[Any, Any, Labels] | None = None,
        boundary: bool = False,
    ) -> None:
        self.x, self.y, self.labels, self.rows = x, y, labels, rows
        self.x_name, self.y_name, self.names = x_name, y_name, names
        self.ground, self.boundary = ground, boundary

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        *,
        across: str | None = None,
        up: str | None = None,
        ax: Any = None,
        backend: str = "matplotlib",
        n_jobs: int | None = None,
    ) -> ClusterMapDisplay:
        """Draws rows as a fitted estimator, a model or a pipeline groups them.

        Parameters
        ----------
        estimator : estimator, Model or Pipeline
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            Rows of the fit or others.
        across, up : str, optional
            Names of features to draw along: the ten most important ones can be chosen.
        ax, backend
            As for :meth:`plot`.
        n_jobs : int, optional
            Threads; all cores if it is None.
        """
        source = source_of(estimator, X)
        found = _separa.view(source.model._rule, source.rows("a map"), _run.threads_of(n_jobs))
        (x_name, decision, x), (y_name, _, y) = (
            axis(found["axes"], place, wanted) for place, wanted in enumerate((across, up))
        )
        ground = found["regions"] if across is None and up is None else None
        display = cls(
            x, y, found["labels"], found["rows"], x_name=x_name, y_name=y_name, names=source.names,
            ground=ground, boundary=decision,
        )
        return display.plot(ax, backend=backend)

    @classmethod
    def from_predictions(
        cls, X: Any, labels: Any, *, random_state: int = 0, ax: Any = None, backend: str = "matplotlib"
    ) -> ClusterMapDisplay:
        """Draws rows along the two directions that separate any labels best.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
        labels : array-like of shape (n_samples,)
            Of any method; -1 are outliers.
        random_state : int, default=0
            Of the rows that are drawn, if there are more than 800.
        ax, backend
            As for :meth:`plot`.
        """
        table, numbers, called, _ = _labels.prepare(X, labels, None)
        rows, x, y = _separa.map(table.rows, numbers, _run.seed_of(random_state))
        names = [str(name) for name in called]
        drawn = numbers[rows].astype(np.int32)
        x_name, y_name = "direction that separates best", "second best direction"
        display = cls(x, y, drawn, rows, x_name=x_name, y_name=y_name, names=names)
        return display.plot(ax, backend=backend)

    def _chart(self) -> Chart:
        layers: list[Layer] = []
        if self.ground is not None:
            layers.append(Ground(*self.ground))
        for cluster in [*range(len(self.names)), -1]:
            mine = self.labels == cluster
            if mine.any():
                name = "outliers" if cluster < 0 else self.names[cluster]
                layers.append(Points(self.x[mine], self.y[mine], name, *look(cluster), self.rows[mine]))
        if self.boundary:
            layers.append(Line(0.0, vertical=True))
        return Chart(layers, "Cluster map", self.x_name, self.y_name, legend="cluster")


def axis(axes: list[Any], place: int, wanted: str | None) -> Any:
    """An axis by the name of its feature, else the one that shows most."""
    if wanted is None:
        return axes[place]
    names = [name for name, _, _ in axes]
    if wanted not in names:
        known = ", ".join(f'"{name}"' for name in names)
        raise ParameterError(f'no axis shows "{wanted}"; there are {known}')
    return axes[names.index(wanted)]


class MarginsDisplay(Display):
    """Margins of the rows: counts by decision value (two clusters) or margin (more).

    Parameters
    ----------
    edges : ndarray of shape (n_bins + 1,)
    counts : ndarray of shape (n_clusters, n_bins)
    names : sequence of str
        What the clusters are called.
    """

    def __init__(self, edges: Array, counts: npt.NDArray[np.int64], names: Sequence[str]) -> None:
        self.edges, self.counts, self.names = edges, counts, names

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any = None, *, ax: Any = None, backend: str = "matplotlib", n_jobs: int | None = None
    ) -> MarginsDisplay:
        """Draws the margins of rows: of all rows if that is cheap, else of those that a map would show.

        Parameters
        ----------
        estimator : estimator, Model or Pipeline
        X : array-like, sparse rows or table of shape (n_samples, n_features)
        ax, backend
            As for :meth:`plot`.
        n_jobs : int, optional
        """
        source = source_of(estimator, X)
        found = _separa.view(source.model._rule, source.rows("a histogram of margins"), _run.threads_of(n_jobs))
        decided = found["decided"]
        return cls._of(decided["labels"], decided["values"], source.names).plot(ax, backend=backend)

    @classmethod
    def from_predictions(
        cls, labels: Any, margins: Any, *, ax: Any = None, backend: str = "matplotlib"
    ) -> MarginsDisplay:
        """Draws the values of ``decision_function``.

        Parameters
        ----------
        labels : array-like of shape (n_samples,)
            Clusters from 0; -1 are outliers, which are left out.
        margins : array-like of shape (n_samples,) or (n_samples, n_clusters)
            Decision values: one per row for two clusters, else one per cluster.
        ax, backend
            As for :meth:`plot`.
        """
        given, values = np.asarray(labels), np.asarray(margins, dtype=np.float64)
        if given.ndim != 1 or given.dtype.kind not in "iu" or len(values) != len(given):
            raise DataError(f"expected one whole number as label per row, for {len(values)} rows")
        if values.ndim == 2:
            best = np.sort(values, axis=1)
            values = best[:, -1] - best[:, -2]
        names = [str(c) for c in range(int(given.max(initial=-1)) + 1)]
        return cls._of(given, values, names).plot(ax, backend=backend)

    @classmethod
    def _of(cls, labels: Any, values: Any, names: Sequence[str]) -> MarginsDisplay:
        found = _separa.bins(values, labels, len(names)) if len(names) > 1 else None
        if found is None:
            raise DataError("there are no margins: they are between two clusters or more")
        low, high, counts = found
        return cls(np.linspace(low, high, len(counts[0]) + 1), np.array(counts), names)

    def _chart(self) -> Chart:
        across = "decision value (boundary at 0)" if len(self.names) == 2 else "margin"
        boundary = [Line(0.0, vertical=True)] if len(self.names) == 2 else []
        layers = [*stacked(self.edges, self.counts, self.names), *boundary]
        return Chart(layers, "Margins", across, "rows", legend="cluster")


class ConfidenceDisplay(Display):
    """How sure the clusters of rows are: counts of rows by their confidence, or by the probability of their cluster.

    Parameters
    ----------
    confidence : ndarray of shape (n_samples,)
        Of each row, from 0 to 1.
    labels : ndarray of shape (n_samples,)
        The cluster that it is about; -1 are outliers, which are left out.
    names : sequence of str
        What the clusters are called.
    measure : str
        What is counted, along the axis.
    """

    def __init__(
        self, confidence: Array, labels: npt.NDArray[np.intp], names: Sequence[str], measure: str = "confidence"
    ) -> None:
        self.confidence, self.labels, self.names, self.measure = confidence, labels, names, measure

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any = None, *, ax: Any = None, backend: str = "matplotlib", n_jobs: int | None = None
    ) -> ConfidenceDisplay:
        """Draws ``confidence``: of rows with 0.9, nine of ten keep their cluster in refits. Classifiers have ``"margins"``.

        Parameters
        ----------
        estimator : estimator, Model or Pipeline
        X : array-like, sparse rows or table of shape (n_samples, n_features)
        ax, backend
            As for :meth:`plot`.
        n_jobs : int, optional
        """
        source = source_of(estimator, X)
        source.rows("confidence")
        sure = source.model.confidence(source.X, n_jobs=n_jobs)
        values = np.asarray(sure["confidence"], dtype=np.float64)
        return cls(values, np.asarray(sure["cluster"]), source.names).plot(ax, backend=backend)

    @classmethod
    def from_predictions(cls, proba: Any, *, ax: Any = None, backend: str = "matplotlib") -> ConfidenceDisplay:
        """Draws the largest values of ``predict_proba``, of any library.

        Parameters
        ----------
        proba : array-like of shape (n_samples, n_clusters)
        ax, backend
            As for :meth:`plot`.
        """
        given = np.asarray(proba, dtype=np.float64)
        if given.ndim != 2 or given.shape[1] < 2 or not ((given >= 0) & (given <= 1)).all():
            raise DataError("expected probabilities from 0 to 1, one column per cluster, as predict_proba gives them")
        names = [str(c) for c in range(given.shape[1])]
        shown = cls(given.max(axis=1), given.argmax(axis=1), names, "probability of the cluster")
        return shown.plot(ax, backend=backend)

    def _chart(self) -> Chart:
        edges = np.linspace(1 / max(len(self.names), 2), 1.0, STEPS + 1)
        each = [self.confidence[self.labels == c] for c in range(len(self.names))]
        counts = np.array([np.histogram(mine, edges)[0] for mine in each])
        layers = stacked(edges, counts, self.names)
        return Chart(layers, "Confidence", self.measure, "rows", legend="cluster")


def stacked(edges: Array, counts: npt.NDArray[np.int64], names: Sequence[str]) -> list[Layer]:
    """The bars of every cluster, on top of those before it."""
    middle, width = (edges[:-1] + edges[1:]) / 2, float(edges[1] - edges[0])
    base = np.cumsum(counts, axis=0) - counts
    return [
        Bars(middle, counts[c], [look(c)[0]] * len(middle), width, name, base=base[c]) for c, name in enumerate(names)
    ]
