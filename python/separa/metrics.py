"""How good is a labelling: without a truth, and against one.

Labels may be numbers or words. -1 beside two or more other labels means that a fit set the row aside:
it is left out. The figures are those of the command line's ``score``, to the last bit.

Without a truth: :func:`quality` has it all, with a verdict in words; :func:`msp`, :func:`msp_null`,
:func:`p_values`, :func:`pairwise_msp` and :func:`separation_bound` give its parts, :func:`gmsp` and
:func:`dcut` need distances only. Against a truth: :func:`external`, :func:`clustering_error`,
:func:`purity`, :func:`cluster_entropy`. For searches: :func:`msp_scorer`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _separa, _table
from .exceptions import DataError, ParameterError

__all__ = [
    "Pair",
    "Quality",
    "cluster_entropy",
    "clustering_error",
    "dcut",
    "external",
    "gmsp",
    "msp",
    "msp_null",
    "msp_scorer",
    "p_values",
    "pairwise_msp",
    "purity",
    "quality",
    "separation_bound",
]


@dataclass(frozen=True)
class Pair:
    """Two clusters against each other, on their own rows.

    Attributes
    ----------
    a, b : label
        Their labels, as they were given.
    msp : float
        Worst-case probability of telling the two apart.
    p_gauss, p_unimodal : float or None
        Is it one Gaussian, is there no gap? None where there are too few rows to tell.

    Examples
    --------
    >>> from separa import metrics
    >>> found = metrics.quality([[0.0], [1], [10], [11]], [7, 7, 5, 5], reg=0).pairs[0]
    >>> int(found.a), int(found.b), round(found.msp, 4)
    (7, 5, 0.9901)
    """

    a: Any
    b: Any
    msp: float
    p_gauss: float | None
    p_unimodal: float | None


@dataclass(frozen=True)
class Quality:
    """A labelling's quality without a truth.

    Attributes
    ----------
    msp : float
        Worst-case probability of telling the clusters apart; the least separated pair's.
    msp_null : float or None
        What one Gaussian cloud, cut at the same share, would score.
    p_gauss, p_unimodal : float or None
        Is it one Gaussian, is there no gap? They take the labels as given; for labels fitted to these
        very rows they are too small, ``p_gauss`` much, ``p_unimodal`` a little. For two clusters a
        fitted estimator has p-values that hold.
    cross_fitted_msp : float or None
        MSP of a rule from one half of the rows on the other.
    min_share : float
        The smallest cluster's share of the rows.
    verdict : str
        One plain sentence.
    pairs : list of Pair
        Every two clusters; beyond 300 pairs, each cluster with its 6 nearest.

    Examples
    --------
    >>> from separa import metrics
    >>> found = metrics.quality([[0.0], [1], [10], [11]], [0, 0, 1, 1])
    >>> found.min_share, found.verdict
    (0.5, 'too few rows to tell')
    """

    msp: float
    msp_null: float | None
    p_gauss: float | None
    p_unimodal: float | None
    cross_fitted_msp: float | None
    min_share: float
    verdict: str
    pairs: list[Pair]


def quality(
    X: Any, labels: Any, *, reg: float = 1.0, sample_weight: Any = None, random_state: int = 0
) -> Quality:
    """MSP with what belongs beside it: null level, p-values, cross-fitted value, pairs.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)
    reg : float, default=1.0
        Weight λ of the regulariser diag(Σ).
    sample_weight : array-like of shape (n_samples,), optional
    random_state : int, default=0
        Seed of the halves that the p-values come from.

    Returns
    -------
    quality : Quality

    Examples
    --------
    >>> import numpy as np
    >>> from separa import metrics
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0, 1, (80, 2)), rng.normal(8, 1, (80, 2))])
    >>> metrics.quality(X, [0] * 80 + [1] * 80).verdict
    'real gap: the groups are apart where one cloud would be dense'
    """
    table, codes, names, weights = _prepare(X, labels, sample_weight)
    text = _separa.assess(table.rows, codes, weights, _number("reg", reg), int(random_state))
    verdict, found = json.loads(text)
    words = names.tolist()
    pairs = [
        Pair(words[p.pop("a")], words[p.pop("b")], **p) for p in found.pop("pairs")
    ]
    return Quality(**found, verdict=verdict, pairs=pairs)


def msp(X: Any, labels: Any, *, reg: float = 1.0, sample_weight: Any = None) -> float:
    """Minimum separation probability; the least separated pair's, 0 for one cluster.

    Never choose between labellings by it alone: a single row that lies far enough from all others
    scores nearly 1. :func:`quality` shows what belongs beside it.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)
    reg : float, default=1.0
    sample_weight : array-like of shape (n_samples,), optional

    Returns
    -------
    msp : float

    Examples
    --------
    >>> from separa import metrics
    >>> round(metrics.msp([[0.0], [1], [10], [11]], [0, 0, 1, 1], reg=0), 4)
    0.9901
    """
    table, codes, _, weights = _prepare(X, labels, sample_weight)
    return _separa.msp(table.rows, codes, weights, _number("reg", reg))


def msp_null(X: Any, labels: Any, *, reg: float = 1.0, sample_weight: Any = None) -> float | None:
    """What one Gaussian cloud, cut along the same hyperplane at the same share, would score.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)
    reg : float, default=1.0
    sample_weight : array-like of shape (n_samples,), optional

    Returns
    -------
    msp_null : float or None
        None for one cluster.

    Examples
    --------
    A cloud that is cut in half scores what its null level says:

    >>> import numpy as np
    >>> from separa import metrics
    >>> X = np.random.default_rng(0).normal(size=(1000, 2))
    >>> halves = X[:, 0] > 0
    >>> round(metrics.msp(X, halves), 2), round(metrics.msp_null(X, halves), 2)
    (0.32, 0.32)
    """
    return quality(X, labels, reg=reg, sample_weight=sample_weight).msp_null


def p_values(
    X: Any, labels: Any, *, reg: float = 1.0, sample_weight: Any = None, random_state: int = 0
) -> tuple[float | None, float | None]:
    """``(p_gauss, p_unimodal)``: is it one Gaussian, is there no gap? Small means no.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)
        Taken as given: for labels fitted to these very rows the p-values are too small.
    reg : float, default=1.0
    sample_weight : array-like of shape (n_samples,), optional
    random_state : int, default=0

    Returns
    -------
    p_gauss, p_unimodal : float or None
        None for one cluster, and where there are too few rows to tell.

    Examples
    --------
    >>> import numpy as np
    >>> from separa import metrics
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0, 1, (80, 2)), rng.normal(8, 1, (80, 2))])
    >>> p_gauss, p_unimodal = metrics.p_values(X, [0] * 80 + [1] * 80)
    >>> p_unimodal < 1e-6
    True
    """
    found = quality(X, labels, reg=reg, sample_weight=sample_weight, random_state=random_state)
    return found.p_gauss, found.p_unimodal


def pairwise_msp(
    X: Any, labels: Any, *, reg: float = 1.0, sample_weight: Any = None
) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64]]:
    """The labels in use, by first appearance, and the symmetric matrix of their pairs' MSPs.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)
    reg : float, default=1.0
    sample_weight : array-like of shape (n_samples,), optional

    Returns
    -------
    used : ndarray of shape (k,)
    values : ndarray of shape (k, k)
        0 on the diagonal.

    Examples
    --------
    >>> from separa import metrics
    >>> used, values = metrics.pairwise_msp([[0.0], [1], [10], [11]], ["b", "b", "a", "a"], reg=0)
    >>> used.tolist(), values.round(4).tolist()
    (['b', 'a'], [[0.0, 0.9901], [0.9901, 0.0]])
    """
    table, codes, names, weights = _prepare(X, labels, sample_weight)
    used, values = _separa.pairwise_msp(table.rows, codes, weights, _number("reg", reg))
    return names[used], values


def separation_bound(X: Any, labels: Any, *, reg: float = 1.0, sample_weight: Any = None) -> float:
    """Theorem 2's lower bound of MSP, which one linear solve a pair finds.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)
    reg : float, default=1.0
    sample_weight : array-like of shape (n_samples,), optional

    Returns
    -------
    bound : float
        The smallest over pairs of clusters.

    Examples
    --------
    >>> from separa import metrics
    >>> X, labels = [[0.0], [1], [10], [13]], [0, 0, 1, 1]
    >>> metrics.separation_bound(X, labels) < metrics.msp(X, labels)
    True
    """
    table, codes, _, weights = _prepare(X, labels, sample_weight)
    return _separa.separation_bound(table.rows, codes, weights, _number("reg", reg))


def gmsp(X: Any, labels: Any, *, metric: str = "euclidean") -> float:
    """The separation probability for any distance. Holds an n x n matrix of distances.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
    labels : array-like of shape (n_samples,)
    metric : str, default="euclidean"
        euclidean, sqeuclidean, manhattan, chebyshev, cosine or correlation between rows;
        precomputed where X holds the distances.

    Returns
    -------
    gmsp : float
        The smallest over pairs of clusters, 0 for one. Its values are not those of :func:`msp`.

    Examples
    --------
    >>> from separa import metrics
    >>> apart = [[0.0, 1, 9], [1, 0, 8], [9, 8, 0]]
    >>> round(metrics.gmsp(apart, [0, 0, 1], metric="precomputed"), 3)
    0.993
    """
    distances = _distances(X, metric)
    return _separa.gmsp(distances, _codes(labels, len(distances))[0])


def dcut(X: Any, labels: Any, *, metric: str = "euclidean", vertex_weight: Any = None) -> float:
    """The disparity cut: how much groups differ beyond what they differ within. Larger is better.

    It has the unit of the distances, and holds an n x n matrix of them.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
    labels : array-like of shape (n_samples,)
    metric : str, default="euclidean"
        euclidean, sqeuclidean, manhattan, chebyshev, cosine or correlation between rows;
        precomputed where X holds the distances.
    vertex_weight : array-like of shape (n_samples,), optional
        Brought to length 1; uniform where none are given.

    Returns
    -------
    dcut : float
        The smallest over pairs of clusters, 0 for one.

    Examples
    --------
    >>> from separa import metrics
    >>> metrics.dcut([[0.0], [1], [10], [11]], [0, 0, 1, 1])
    19.0
    >>> metrics.dcut([[0.0], [1], [10], [11]], [0, 1, 0, 1])
    1.0
    """
    distances = _distances(X, metric)
    weights = _table.weights(vertex_weight, len(distances))
    return _separa.dcut(distances, _codes(labels, len(distances))[0], weights)


def external(labels: Any, truth: Any) -> dict[str, float]:
    """Agreement with known classes: error, accuracy, nmi, nmi_max, ari, purity, entropy.

    ``error`` and ``accuracy`` are counted after the best one-to-one matching of clusters with classes;
    ``nmi`` divides by the mean of the two entropies, ``nmi_max`` by the larger one.

    Parameters
    ----------
    labels, truth : array-like of shape (n_samples,)

    Returns
    -------
    measures : dict of float

    Examples
    --------
    >>> from separa import metrics
    >>> metrics.external([0, 0, 1, 1], ["b", "b", "a", "a"])["ari"]
    1.0
    """
    codes, _ = _codes(labels, None)
    classes, _ = _codes(truth, None, marks=False)
    found: dict[str, float] = json.loads(_separa.external(codes, classes))
    return found


def clustering_error(labels: Any, truth: Any) -> float:
    """Share of rows outside the best one-to-one matching of clusters with classes.

    Parameters
    ----------
    labels, truth : array-like of shape (n_samples,)

    Returns
    -------
    error : float

    Examples
    --------
    >>> from separa import metrics
    >>> metrics.clustering_error([0, 0, 1, 1], [5, 5, 5, 3])
    0.25
    """
    return external(labels, truth)["error"]


def purity(labels: Any, truth: Any) -> float:
    """Share of rows that belong to the largest class of their cluster.

    Parameters
    ----------
    labels, truth : array-like of shape (n_samples,)

    Returns
    -------
    purity : float

    Examples
    --------
    >>> from separa import metrics
    >>> metrics.purity([0, 0, 1, 1], [5, 5, 5, 3])
    0.75
    """
    return external(labels, truth)["purity"]


def cluster_entropy(labels: Any, truth: Any) -> float:
    """Entropy of the classes within a cluster over ln(number of classes), averaged over rows.

    0 where every cluster holds one class, 1 where each holds all of them evenly.

    Parameters
    ----------
    labels, truth : array-like of shape (n_samples,)

    Returns
    -------
    entropy : float

    Examples
    --------
    >>> from separa import metrics
    >>> metrics.cluster_entropy([0, 0, 1, 1], [5, 5, 5, 3])
    0.5
    """
    return external(labels, truth)["entropy"]


#: A cluster that holds a smaller share of the held-out rows is taken for outliers.
_LEAST_SHARE = 0.01


def msp_scorer(estimator: Any, X: Any, y: Any = None) -> float:
    """How well an estimator's rule separates rows, for ``scoring=`` in searches: no truth needed.

    The MSP of the labels that the rule gives to these rows. It is 0 where they fall into one cluster,
    or where a cluster holds less than 1 % of them: a few outliers against the rest are no groups.

    Use it to compare settings at one number of clusters, not to find that number: MSP prefers few, far
    groups. For that, look at ``p_unimodal_`` (docs/python.md has an example). Shuffle the folds where
    rows are sorted: a fold that holds one group only scores 0.

    Parameters
    ----------
    estimator : fitted clusterer, or a pipeline that ends in one
    X : array-like of shape (n_samples, n_features)
    y : ignored

    Returns
    -------
    score : float
        From 0 to 1, larger is better.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.model_selection import GridSearchCV, KFold
    >>> from separa import MSPC
    >>> from separa.metrics import msp_scorer
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0, [1, 90], (100, 2)), rng.normal([7, 0], [1, 90], (100, 2))])
    >>> folds = KFold(5, shuffle=True, random_state=0)
    >>> search = GridSearchCV(MSPC(), {"units": ["shared", "free"]}, scoring=msp_scorer, cv=folds)
    >>> search.fit(X).best_params_
    {'units': 'free'}
    """
    labels = np.asarray(estimator.predict(X))
    kept = labels[labels >= 0]
    sizes = np.unique(kept, return_counts=True)[1]
    if len(sizes) < 2 or sizes.min() < _LEAST_SHARE * len(kept):
        return 0.0
    steps = getattr(estimator, "steps", [])
    rows = estimator[:-1].transform(X) if len(steps) > 1 else X
    return msp(rows, labels)


def _prepare(
    X: Any, labels: Any, sample_weight: Any
) -> tuple[_table.Table, npt.NDArray[np.int64], npt.NDArray[Any], Any]:
    table = _table.read(X)
    codes, names = _codes(labels, table.n_rows)
    return table, codes, names, _table.weights(sample_weight, table.n_rows)


def _codes(
    labels: Any, n: int | None, marks: bool = True
) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    """Labels as numbers by first appearance, and what they are called.

    With `marks`, −1 beside two or more other labels stays −1: rows that were set aside.
    """
    given = np.asarray(labels)
    if given.ndim != 1:
        raise DataError(f"labels must be one value a row, got {given.ndim} dimensions")
    if n is not None and len(given) != n:
        raise DataError(f"{len(given)} labels were given for {n} rows")
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise DataError(
            f"row {int(np.flatnonzero(~np.isfinite(given))[0]) + 1} has no label, expected one a row"
        )
    aside = np.zeros(len(given), dtype=bool)
    if marks and given.dtype.kind in "if" and len(np.unique(given)) > 2:
        aside = given == -1
    values, first, inverse = np.unique(given[~aside], return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    codes = np.full(len(given), -1, dtype=np.int64)
    codes[~aside] = rank[inverse.reshape(-1)]
    return codes, values[order]


def _distances(X: Any, metric: str) -> _table.Array:
    rows = _table.read(X).rows
    if metric != "precomputed":
        return _separa.distances(rows, str(metric))
    if isinstance(rows, tuple):
        raise DataError("precomputed distances must be dense; X.toarray() makes them so")
    return rows


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ParameterError(f"parameter `{name}` must be a number, got {value!r}") from None
