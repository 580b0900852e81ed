"""How good is a labelling: without a truth, and against one.

Labels may be numbers or words. -1 beside two or more other labels means that a fit set the row aside:
it is left out. The figures are those of the command line's ``score``, to the last bit.

Without a truth: :func:`quality` has it all, with a verdict in words; :func:`msp`, :func:`msp_null`,
:func:`p_values`, :func:`pairwise_msp` and :func:`separation_bound` give its parts,
:func:`feature_importance` tells which features separate, :func:`gmsp` and
:func:`dcut` need distances only. Against a truth: :func:`external`, :func:`clustering_error`,
:func:`purity`, :func:`cluster_entropy`, :func:`cluster_table`. For searches and
comparisons: :func:`separation_score`, :func:`separation_scorer`, :func:`msp_scorer`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._disparity import dcut, gmsp
from ._external import cluster_entropy, cluster_table, clustering_error, external, purity
from ._importance import feature_importance
from ._quality import (
    Pair,
    Quality,
    msp,
    msp_null,
    p_values,
    pairwise_msp,
    quality,
    separation_bound,
)
from ._scorer import separation_score, separation_scorer

__all__ = [
    "Pair",
    "Quality",
    "cluster_entropy",
    "cluster_table",
    "clustering_error",
    "dcut",
    "external",
    "feature_importance",
    "gmsp",
    "msp",
    "msp_null",
    "msp_scorer",
    "p_values",
    "pairwise_msp",
    "purity",
    "quality",
    "separation_bound",
    "separation_score",
    "separation_scorer",
]


#: A cluster that holds a smaller fraction of the held-out rows is taken for outliers.
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
    >>> search = GridSearchCV(MSPC(), {"scaling": ["none", "standard"]}, scoring=msp_scorer, cv=folds)
    >>> search.fit(X).best_params_
    {'scaling': 'standard'}
    """
    labels = np.asarray(estimator.predict(X))
    kept = labels[labels >= 0]
    sizes = np.unique(kept, return_counts=True)[1]
    if len(sizes) < 2 or sizes.min() < _LEAST_SHARE * len(kept):
        return 0.0
    steps = getattr(estimator, "steps", [])
    rows = estimator[:-1].transform(X) if len(steps) > 1 else X
    return msp(rows, labels)
