"""Measures without a truth: MSP and what belongs beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _importance, _labels, _separa
from ._run import RandomState, seed_of


@dataclass(frozen=True)
class Pair:
    """Two clusters against each other, on their own rows.

    Attributes
    ----------
    a, b : label
        Their labels, as they were given.
    msp : float
        Worst-case separability of the two.
    p_gauss, p_unimodal : float or None
        P-values: is it a single Gaussian, is it unimodal? None where there are too few rows to tell.

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
        Worst-case separability of the closest pair of clusters.
    msp_null : float or None
        Null MSP: what a single Gaussian would score, split in the same place.
    p_gauss, p_unimodal : float or None
        P-values: is it a single Gaussian, is it unimodal? They take the labels as given; for labels fitted to
        the same rows they are too small, ``p_gauss`` much, ``p_unimodal`` a little. For two clusters a
        fitted estimator has p-values that hold.
    msp_held_out : float or None
        MSP of a rule from one half of the rows on the other.
    min_fraction : float
        The smallest cluster's fraction of the rows.
    verdict : str
        One plain sentence.
    pairs : list of Pair
        Every two clusters; beyond 300 pairs, each cluster with its 6 nearest.
    feature_importance : dict
        ``{(a, b): {feature: fraction}}``: which features separate the same pairs, the largest
        first (:func:`feature_importance` has them all).

    Examples
    --------
    >>> from separa import metrics
    >>> found = metrics.quality([[0.0], [1], [10], [11]], [0, 0, 1, 1])
    >>> found.min_fraction, found.verdict
    (0.5, 'too few rows to test the separation')
    """

    msp: float
    msp_null: float | None
    p_gauss: float | None
    p_unimodal: float | None
    msp_held_out: float | None
    min_fraction: float
    verdict: str
    pairs: list[Pair]
    feature_importance: _importance.Importance


def quality(
    X: Any, labels: Any, *, reg: float = 1.0, sample_weight: Any = None, random_state: RandomState = 0
) -> Quality:
    """MSP, null MSP, p-values, held-out MSP, pairs.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)
    reg : float, default=1.0
        Weight λ of the regulariser diag(Σ).
    sample_weight : array-like of shape (n_samples,), optional
    random_state : int, None, RandomState or Generator, default=0
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
    'a gap between the clusters (p < 0.001)'
    """
    table, codes, names, weights = _labels.prepare(X, labels, sample_weight)
    number, seed = _labels.number("reg", reg), seed_of(random_state)
    verdict, found = _separa.assess(table.rows, codes, weights, number, seed)
    # No method made these labels, so no rule can be learnt on halves.
    for name in ("agreement", "agreement_chance"):
        found.pop(name)
    words = names.tolist()
    pairs = [
        Pair(words[p.pop("a")], words[p.pop("b")], **p) for p in found.pop("pairs")
    ]
    shares = _importance.nested(found.pop("importance"), words.__getitem__, table.names)
    return Quality(**found, verdict=verdict, pairs=pairs, feature_importance=shares)


def msp(X: Any, labels: Any, *, reg: float = 1.0, sample_weight: Any = None) -> float:
    """Minimum separation probability of the closest pair of clusters, 0 for one cluster.

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
    table, codes, _, weights = _labels.prepare(X, labels, sample_weight)
    return _separa.msp(table.rows, codes, weights, _labels.number("reg", reg))


def msp_null(X: Any, labels: Any, *, reg: float = 1.0, sample_weight: Any = None) -> float | None:
    """Null MSP: what a single Gaussian would score, split along the same hyperplane at the same fraction.

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
    X: Any, labels: Any, *, reg: float = 1.0, sample_weight: Any = None, random_state: RandomState = 0
) -> tuple[float | None, float | None]:
    """``(p_gauss, p_unimodal)``: is it a single Gaussian, is it unimodal? Small means no.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)
        Taken as given: for labels fitted to these very rows the p-values are too small.
    reg : float, default=1.0
    sample_weight : array-like of shape (n_samples,), optional
    random_state : int, None, RandomState or Generator, default=0

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
    table, codes, names, weights = _labels.prepare(X, labels, sample_weight)
    used, values = _separa.pairwise_msp(table.rows, codes, weights, _labels.number("reg", reg))
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
    table, codes, _, weights = _labels.prepare(X, labels, sample_weight)
    return _separa.separation_bound(table.rows, codes, weights, _labels.number("reg", reg))
