"""How well labels follow the neighbours of their rows: a score for searches and comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _labels, _separa
from ._run import RandomState, seed_of


def separation_score(
    X: Any, labels: Any, *, sample_weight: Any = None, random_state: RandomState = 0
) -> float:
    """How much the nearest neighbours of a row know of its cluster: most of what :func:`separa.compare` ranks by.

    The 5 nearest neighbours of each row vote on its cluster; near is what is near along the half-whitened
    principal axes of z-scored columns. The score is the mutual information of labels and votes, less what chance
    gives, normalised: 1 if neighbours always know and clusters are of equal size, 0 for one cluster and, on
    average, for labels at random. Clusters can have any shape, units do not matter, and a few outliers against
    the rest score little. Compare labellings with the same number of clusters by it; it is no test, because a
    single Gaussian that is split in two scores well, too.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
        Of more than 4,000 rows (fewer for wide tables) a sample is looked at.
    labels : array-like of shape (n_samples,)
    sample_weight : array-like of shape (n_samples,), optional
        Rows of weight 0 are left out; other weights do not matter.
    random_state : int, None, RandomState or Generator, default=0
        Seed of the sample.

    Returns
    -------
    score : float
        From 0 to 1, larger is better.

    Examples
    --------
    >>> import numpy as np
    >>> from separa import metrics
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0, 1, (80, 2)), rng.normal(8, 1, (80, 2))])
    >>> metrics.separation_score(X, [0] * 80 + [1] * 80)
    1.0
    >>> metrics.separation_score(X, [0] * 160)
    0.0
    """
    table, codes, _, weights = _labels.prepare(X, labels, sample_weight)
    return _separa.separation_score(table.rows, codes, weights, seed_of(random_state))


def separation_scorer(estimator: Any, X: Any, y: Any = None) -> float:
    """How well an estimator's rule separates rows by :func:`separation_score`, for ``scoring=``: no truth needed.

    0, the worst value, where all rows get one label: never an exception. Use it to compare settings at one
    number of clusters. Shuffle the folds where rows are sorted.

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
    >>> from separa import KernelKMeans
    >>> from separa.metrics import separation_scorer
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0, 1, (100, 2)), rng.normal(6, 1, (100, 2))])
    >>> folds = KFold(4, shuffle=True, random_state=0)
    >>> widths = {"gamma": [0.05, 500.0]}
    >>> found = GridSearchCV(KernelKMeans(n_clusters=2), widths, scoring=separation_scorer, cv=folds).fit(X)
    >>> found.best_params_
    {'gamma': 0.05}
    """
    labels = np.asarray(estimator.predict(X))
    steps = getattr(estimator, "steps", [])
    rows = estimator[:-1].transform(X) if len(steps) > 1 else X
    return separation_score(rows, labels)
