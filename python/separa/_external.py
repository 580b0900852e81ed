"""Measures against known classes."""

from __future__ import annotations

import json
from typing import Any

from . import _labels, _separa


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
    codes, _ = _labels.codes(labels, None)
    classes, _ = _labels.codes(truth, None, marks=False)
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
