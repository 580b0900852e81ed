"""Which features separate: the importance of every feature, by pair of clusters."""

from __future__ import annotations

import sys
from typing import Any, Callable, Sequence

from . import _labels, _run, _separa
from .exceptions import ParameterError

#: Importance of every feature (by name, or by number from 0) for every pair of clusters.
Importance = dict[tuple[Any, Any], dict[Any, float]]


def feature_importance(
    X: Any,
    labels: Any,
    *,
    reg: float = 1.0,
    sample_weight: Any = None,
    n_features: int | None = None,
) -> Importance:
    """Each feature's fraction of what separates two clusters, for every pair of clusters.

    The hyperplane that MSP is the probability of sets the means of the pair some distance apart, and this
    distance is a sum over features: ``w_j * (mean_a - mean_b)_j``. Fractions sum to 1 and do not depend on
    units. A negative one is a feature that takes out what others have in common with it.

    Constant columns have none. Of more than 1,024 columns those have one whose cluster means differ
    most; beyond 300 pairs each cluster is compared with its 6 nearest.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
    labels : array-like of shape (n_samples,)
    reg : float, default=1.0
    sample_weight : array-like of shape (n_samples,), optional
    n_features : int, optional
        How many features to keep of each pair; all where it is None.

    Returns
    -------
    importance : dict
        ``{(a, b): {feature: fraction}}``, the largest (without their signs) first. Features are called
        by the names of their columns, or numbered from 0 where the table has none. It fits
        ``pandas.DataFrame``.

    Examples
    --------
    >>> import numpy as np
    >>> from separa import metrics
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3))
    >>> X[100:, 1] += 6
    >>> labels = [0] * 100 + [1] * 100
    >>> found = metrics.feature_importance(X, labels)[(0, 1)]
    >>> next(iter(found)), round(sum(found.values()), 6)
    (1, 1.0)
    """
    table, codes, names, weights = _labels.prepare(X, labels, sample_weight)
    most = _run.scalar(n_features)
    if most is None:
        most = sys.maxsize
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        raise ParameterError(
            f"parameter `n_features` must be None or a whole number from 1, got {n_features!r}"
        )
    found = _separa.importance(table.rows, codes, weights, _labels.number("reg", reg), most)
    return nested(found, names.tolist().__getitem__, table.names)


def nested(
    found: list[dict[str, Any]], label: Callable[[int], Any], names: Sequence[str] | None
) -> Importance:
    """Pairs as the engine lists them, by label and by the names of columns."""

    def called(j: int) -> Any:
        return j if names is None else names[j]

    return {
        (label(pair["a"]), label(pair["b"])): {
            called(f["feature"]): f["fraction"] for f in pair["features"]
        }
        for pair in found
    }
