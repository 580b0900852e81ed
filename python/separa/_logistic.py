"""LogisticClustering: the surest softmax."""

from __future__ import annotations

from ._entropy import DETAILS, RowClusterer


class LogisticClustering(RowClusterer):
    __doc__ = f"""Logistic clustering: the softmax whose labels are the surest and the most evenly spread.

    It has probabilities: ``predict_proba``. Free of units by default.

    {DETAILS}
    Examples
    --------
    >>> from separa import LogisticClustering
    >>> model = LogisticClustering(n_clusters=2).fit([[0.0], [0.2], [9.0], [9.1]])
    >>> model.labels_
    array([0, 0, 1, 1], dtype=int32)
    >>> bool(model.predict_proba([[0.1]])[0, 0] > 0.9)
    True
    """

    _method = "logistic"
