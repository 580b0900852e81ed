"""Pictures of what a model knows without its rows: profiles, pairs, importance, the number of clusters."""

from __future__ import annotations

from collections import Counter
from typing import Any, Sequence

import numpy as np

from .. import _importance, _labels, _quality, _run, _separa
from .._source import source_of
from ..exceptions import DataError
from ._chart import GREY, Array, Bars, Chart, Heat, look
from ._display import Display

#: Pairs of clusters that are drawn at most, the closest first.
PAIRS = 12


class ProfileDisplay(Display):
    """What every cluster is: the effect of its features, clusters by features; the means are written in the cells.

    Parameters
    ----------
    effect : ndarray of shape (n_clusters, n_shown)
        The difference to all other rows in standard deviations; NaN (grey) if the profile of a cluster does not hold
        it: it is not among the 20 largest, or another level of its category is.
    mean : ndarray of shape (n_clusters, n_shown)
        The mean in the cluster, in the table's own units.
    features : sequence of str
    names : sequence of str
        What the clusters are called, and the names that are suggested for them.
    """

    def __init__(self, effect: Array, mean: Array, features: Sequence[str], names: Sequence[str]) -> None:
        self.effect, self.mean, self.features, self.names = effect, mean, features, names

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any = None, *, n_features: int = 12, ax: Any = None, backend: str = "matplotlib"
    ) -> ProfileDisplay:
        """Draws the profile that the model holds.

        Parameters
        ----------
        estimator : estimator, Model or Pipeline
        X : ignored
            The model knows its profile.
        n_features : int, default=12
            Features that are drawn: those with the largest effect in any cluster.
        ax, backend
            As for :meth:`plot`.
        """
        source = source_of(estimator)
        source.model.profile()  # says why there is none
        return cls._of(source.model._info["profile"], n_features, source.names).plot(ax, backend=backend)

    @classmethod
    def from_predictions(
        cls, X: Any, labels: Any, *, n_features: int = 12, ax: Any = None, backend: str = "matplotlib"
    ) -> ProfileDisplay:
        """Draws the profile of any labels.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
        labels : array-like of shape (n_samples,)
        n_features : int, default=12
        ax, backend
            As for :meth:`plot`.
        """
        table, numbers, called, _ = _labels.prepare(X, labels, None)
        found = _separa.profile(table.rows, table.names, numbers, 0)
        if found is None:
            raise DataError("a profile is of two clusters or more, got fewer")
        return cls._of(found, n_features, [str(name) for name in called]).plot(ax, backend=backend)

    @classmethod
    def _of(cls, profile: dict[str, Any], most: int, called: Sequence[str]) -> ProfileDisplay:
        clusters = profile["clusters"]
        lines = [{f["feature"]: f for f in cluster["features"]} for cluster in clusters]
        largest: dict[int, float] = {}
        for place, line in ((j, f) for found in lines for j, f in found.items()):
            largest[place] = max(largest.get(place, 0.0), abs(line["effect"]))
        shown = sorted(largest, key=lambda j: (-largest[j], j))[: _run.at_least_one("n_features", most)]
        named = {j: f["name"] for found in lines for j, f in found.items()}
        values = [
            np.array([[found[j][key] if j in found else np.nan for j in shown] for found in lines])
            for key in ("effect", "mean")
        ]
        names = [f"{called[cluster['cluster']]}: {cluster['name']}" for cluster in clusters]
        return cls(values[0], values[1], [named[j] for j in shown], names)

    def _chart(self) -> Chart:
        texts = [["" if np.isnan(v) else number(v) for v in row] for row in self.mean]
        grey = bool(np.isnan(self.effect).any())
        label = "effect (standard deviations)" + ("; grey: not in the profile" if grey else "")
        heat = Heat(self.effect, texts, diverging=True, label=label, grey=grey)
        return Chart([heat], "Cluster profiles", "", "", x_names=self.features, y_names=self.names)


class PairsDisplay(Display):
    """How separable every pair of clusters is: MSP, from 0 (not at all) to 1.

    Parameters
    ----------
    msp : ndarray of shape (n_clusters, n_clusters)
        NaN for a cluster and itself, and for pairs that were not judged.
    names : sequence of str
    """

    def __init__(self, msp: Array, names: Sequence[str]) -> None:
        self.msp, self.names = msp, names

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any = None, *, ax: Any = None, backend: str = "matplotlib"
    ) -> PairsDisplay:
        """Draws the pairs that the fit judged.

        Parameters
        ----------
        estimator : estimator, Model or Pipeline
        X : ignored
        ax, backend
            As for :meth:`plot`.
        """
        source = source_of(estimator)
        pairs = judged(source.model)["pairs"]
        msp = np.full((len(source.names), len(source.names)), np.nan)
        for pair in pairs:
            msp[pair["a"], pair["b"]] = msp[pair["b"], pair["a"]] = pair["msp"]
        return cls(msp, source.names).plot(ax, backend=backend)

    @classmethod
    def from_predictions(
        cls, X: Any, labels: Any, *, reg: float = 1.0, ax: Any = None, backend: str = "matplotlib"
    ) -> PairsDisplay:
        """Draws the pairs of any labels, as :func:`separa.metrics.pairwise_msp` finds them.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
        labels : array-like of shape (n_samples,)
        reg : float, default=1.0
        ax, backend
            As for :meth:`plot`.
        """
        names, msp = _quality.pairwise_msp(X, labels, reg=reg)
        msp = np.array(msp)
        np.fill_diagonal(msp, np.nan)
        return cls(msp, [str(name) for name in names]).plot(ax, backend=backend)

    def _chart(self) -> Chart:
        texts = [["" if np.isnan(v) else f"{v:.2f}" for v in row] for row in self.msp]
        heat = Heat(self.msp, texts, diverging=False, label="MSP")
        return Chart([heat], "Pairs of clusters", "cluster", "cluster", x_names=self.names, y_names=self.names)


class ImportanceDisplay(Display):
    """Which features separate the clusters: each feature's fraction of the separation of every pair.

    Parameters
    ----------
    fraction : ndarray of shape (n_pairs, n_shown)
        0 for features that a pair does not list.
    features : sequence of str
    pairs : sequence of str
        The closest first.
    """

    def __init__(self, fraction: Array, features: Sequence[str], pairs: Sequence[str]) -> None:
        self.fraction, self.features, self.pairs = fraction, features, pairs

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any = None, *, n_features: int = 12, ax: Any = None, backend: str = "matplotlib"
    ) -> ImportanceDisplay:
        """Draws the importance that the model holds: bars of two clusters, a heat map of more.

        Parameters
        ----------
        estimator : estimator, Model or Pipeline
        X : ignored
        n_features : int, default=12
            Features that are drawn: those with the largest fraction in any pair.
        ax, backend
            As for :meth:`plot`.
        """
        model = source_of(estimator).model
        found = judged(model)
        msp = {(pair["a"], pair["b"]): pair["msp"] for pair in found["pairs"]}
        pairs = dict(sorted(model.feature_importance_.items(), key=lambda item: msp.get(item[0], 1.0)))
        return cls._of(pairs, n_features).plot(ax, backend=backend)

    @classmethod
    def from_predictions(
        cls, X: Any, labels: Any, *, n_features: int = 12, ax: Any = None, backend: str = "matplotlib"
    ) -> ImportanceDisplay:
        """Draws the importance for any labels, as :func:`separa.metrics.feature_importance` finds it.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
        labels : array-like of shape (n_samples,)
        n_features : int, default=12
        ax, backend
            As for :meth:`plot`.
        """
        return cls._of(_importance.feature_importance(X, labels), n_features).plot(ax, backend=backend)

    @classmethod
    def _of(cls, found: _importance.Importance, most: int) -> ImportanceDisplay:
        pairs = {pair: fractions for pair, fractions in found.items() if fractions}
        if not pairs:
            raise DataError("no feature separates these clusters, so none is important")
        largest: dict[Any, float] = {}
        for feature, fraction in (item for fractions in pairs.values() for item in fractions.items()):
            largest[feature] = max(largest.get(feature, 0.0), abs(fraction))
        shown = sorted(largest, key=lambda f: -largest[f])[: _run.at_least_one("n_features", most)]
        kept = list(pairs.items())[:PAIRS]
        values = np.array([[fractions.get(feature, 0.0) for feature in shown] for _, fractions in kept])
        called = [f if isinstance(f, str) else f"column {f}" for f in shown]
        return cls(values, called, [f"{a} | {b}" for (a, b), _ in kept])

    def _chart(self) -> Chart:
        title = "Feature importance"
        if len(self.pairs) == 1:
            at = np.arange(len(self.features), dtype=np.float64)
            bars = Bars(at, self.fraction[0], [look(0)[0]] * len(at), horizontal=True)
            return Chart([bars], title, f"fraction of the separation of {self.pairs[0]}", "", y_names=self.features)
        texts = [[f"{100 * v:.0f} %" if v else "" for v in row] for row in self.fraction]
        heat = Heat(self.fraction, texts, diverging=True, label="fraction of the separation")
        return Chart([heat], title, "", "pair of clusters", x_names=self.features, y_names=self.pairs)


class ClusterCountDisplay(Display):
    """How the number of clusters was found (``n_clusters="auto"``): how many runs found each number.

    Parameters
    ----------
    k : ndarray of int
        Numbers of clusters.
    runs : ndarray of int
        Runs that found each.
    chosen : int
        The number that was taken.
    """

    def __init__(self, k: Any, runs: Any, chosen: int) -> None:
        self.k, self.runs, self.chosen = k, runs, chosen

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any = None, *, ax: Any = None, backend: str = "matplotlib"
    ) -> ClusterCountDisplay:
        """Draws what the model knows about its number of clusters.

        Parameters
        ----------
        estimator : estimator, Model or Pipeline
        X : ignored
        ax, backend
            As for :meth:`plot`.
        """
        found = source_of(estimator).model._info.get("auto")
        if found is None:
            raise DataError("the number of clusters was given, not found; fit with n_clusters=\"auto\" to see how")
        counts = Counter(found["k_per_run"] or [found["k"]])
        k = np.arange(min(counts), max(counts) + 1)
        runs = np.array([counts[int(c)] for c in k])
        return cls(k, runs, int(found["k"])).plot(ax, backend=backend)

    def _chart(self) -> Chart:
        colours = [look(0)[0] if c == self.chosen else GREY for c in self.k]
        names = [str(c) for c in self.k]
        bars = Bars(np.arange(len(self.k), dtype=np.float64), self.runs, colours)
        title = f"Number of clusters: {self.chosen}"
        return Chart([bars], title, "number of clusters", "runs that found it", x_names=names)


def number(value: float) -> str:
    """Three digits, and no powers of ten where people write none."""
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e7 else f"{value:.3g}"


def judged(model: Any) -> dict[str, Any]:
    """The quality of a fit that has one."""
    found: dict[str, Any] | None = model._info.get("quality")
    if not found or not found.get("pairs"):
        raise DataError(
            "the clusters were not judged: that needs two clusters or more of a table of features, and quality=True"
        )
    return found
