"""MRMC: maximum relative margin clustering."""

from __future__ import annotations

from ._entropy import DETAILS, RowClusterer


class MRMC(RowClusterer):
    __doc__ = f"""Maximum relative margin clustering: logistic clustering with the posterior of the hinge.

    It has probabilities: ``predict_proba``. Free of units by default.

    {DETAILS}
    Examples
    --------
    >>> from separa import MRMC
    >>> MRMC(n_clusters=2).fit_predict([[0.0], [0.2], [9.0], [9.1]])
    array([0, 0, 1, 1], dtype=int32)
    """

    _method = "mrmc"
