"""Measures against known classes."""

from __future__ import annotations

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
    found: dict[str, float] = _separa.external(codes, classes)
    return found


def cluster_table(labels: Any, truth: Any) -> list[dict[str, Any]]:
    """Every cluster against the classes: its size, purity, entropy and rows of each class.

    Purity is the fraction of the largest class, entropy that of the classes within the cluster over
    ln(number of classes): 0 for one class, 1 for all of them evenly.

    Parameters
    ----------
    labels, truth : array-like of shape (n_samples,)

    Returns
    -------
    table : list of dict
        A record a cluster, by first appearance: ``cluster``, ``size``, ``purity``, ``entropy``, ``class``
        (the largest; the first of equals) and ``counts``, rows by class. ``pandas.DataFrame`` takes it.

    Examples
    --------
    >>> from separa import metrics
    >>> first, second = metrics.cluster_table([0, 0, 1, 1], ["b", "b", "a", "b"])
    >>> second
    {'cluster': 1, 'size': 2, 'purity': 0.5, 'entropy': 1.0, 'class': 'b', 'counts': {'b': 1, 'a': 1}}
    """
    codes, clusters = _labels.codes(labels, None)
    classes, names = _labels.codes(truth, None, marks=False)
    lines, used = _separa.cluster_table(codes, classes)
    clusters, names = clusters.tolist(), names.tolist()
    for line in lines:
        line["cluster"], line["class"] = clusters[line["cluster"]], names[line["class"]]
        line["counts"] = {names[c]: n for c, n in zip(used, line["counts"])}
    found: list[dict[str, Any]] = lines
    return found


def clustering_error(labels: Any, truth: Any) -> float:
    """Fraction of rows outside the best one-to-one matching of clusters with classes.

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
    """Fraction of rows that belong to the largest class of their cluster.

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
