"""Measures that need distances only."""

from __future__ import annotations

from typing import Any

from . import _labels, _separa, _table
from .exceptions import DataError


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
    distances = distances_of(X, metric)
    return _separa.gmsp(distances, _labels.codes(labels, len(distances))[0])


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
    distances = distances_of(X, metric)
    weights = _table.weights(vertex_weight, len(distances))
    return _separa.dcut(distances, _labels.codes(labels, len(distances))[0], weights)


def distances_of(X: Any, metric: str) -> _table.Array:
    rows = _table.read(X).rows
    if metric != "precomputed":
        return _separa.distances(rows, str(metric))
    if isinstance(rows, tuple):
        raise DataError("precomputed distances must be dense; X.toarray() makes them so")
    return rows
