"""Which clusters and rows are stable when the method sees other rows."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _fit, _run, _separa, _table
from .exceptions import ParameterError

__all__ = ["Stability", "stability"]


@dataclass(frozen=True)
class Stability:
    """How well the clusters of a fit survive a change of rows.

    Attributes
    ----------
    labels : ndarray of int32
        Cluster of every row, from all rows.
    jaccard : ndarray of shape (n_clusters,)
        Of each cluster the mean Jaccard index with the best cluster of each refit: above 0.75 it is stable,
        below 0.6 it is not to be trusted (Hennig 2007).
    agreement : ndarray of shape (n_samples,)
        Of each row the fraction of the refits that put it with its cluster.
    n_refits : int
        Refits that count.
    n_failed : int
        Refits that failed; a warning says why.
    mean_agreement : float
        Over all rows.

    Examples
    --------
    >>> import numpy as np, separa
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0, 1, (60, 2)), rng.normal(8, 1, (60, 2))])
    >>> found = separa.stability(X, n_clusters=2, n_refits=6)
    >>> found.jaccard.round(1), found.n_refits
    (array([1., 1.]), 6)
    """

    labels: npt.NDArray[np.int32]
    jaccard: npt.NDArray[np.float64]
    agreement: npt.NDArray[np.float64]
    n_refits: int
    n_failed: int
    mean_agreement: float

    def __repr__(self) -> str:
        low, high = self.jaccard.min(), self.jaccard.max()
        failed = f" ({self.n_failed} failed)" if self.n_failed else ""
        return (
            f"<separa.Stability: {len(self.jaccard)} clusters, Jaccard {low:.2f} to {high:.2f} "
            f"over {self.n_refits} refits{failed}>"
        )


def stability(
    X: Any,
    method: Any = "mspc",
    *,
    n_refits: int = 20,
    sample_weight: Any = None,
    random_state: _run.RandomState = 0,
    n_jobs: int | None = None,
    max_memory: int | str | None = None,
    callback: _run.Callback | None = None,
    verbose: int = 0,
    **params: Any,
) -> Stability:
    """Fits a method, then again to random halves of the rows: which clusters are stable, and which rows?

    Each new rule labels all rows, so that every row has an agreement. A stable cluster can still be part of a single
    Gaussian that is always split at the same place: look at ``p_unimodal_``, too.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
    method : str or estimator, default="mspc"
        A name of :func:`separa.methods`, or one of the estimators with its parameters (it is not changed).
    n_refits : int, default=20
        At least 2.
    sample_weight : array-like of shape (n_samples,), optional
    random_state : int, None, RandomState or Generator, default=0
        Seed of the fits and of the halves.
    n_jobs : int, optional
        Threads. The result does not depend on it.
    max_memory : int or str, optional
        Bytes or a size like "4G"; 80 % of what is free where it is None.
    callback : callable, optional
        Called with a :class:`separa.Progress` at every step; a true value ends the refits, of which two must
        be done.
    verbose : int, default=0
        1 shows a progress bar.
    **params
        The method's parameters by name, and ``k_max``, where it is given by name. The number of clusters
        that ``n_clusters="auto"`` finds is that of every refit.

    Returns
    -------
    stability : Stability

    Examples
    --------
    A single Gaussian has no two clusters that are stable everywhere:

    >>> import numpy as np, separa
    >>> X = np.random.default_rng(0).normal(size=(200, 5))
    >>> found = separa.stability(X, "kmeans", n_clusters=2, n_refits=8)
    >>> bool(found.agreement.min() < 0.6)
    True
    """
    name, own, most = asked(method, params)
    refits = _run.scalar(n_refits)
    if isinstance(refits, bool) or not isinstance(refits, int) or refits < 2:
        raise ParameterError(f"parameter `n_refits` must be a whole number from 2, got {n_refits!r}")
    table = _fit.read(X, "auto", name, own)
    weights = _table.weights(sample_weight, table.n_rows)
    run = _run.settings(random_state, n_jobs, max_memory, False, most)
    bar = _run.bar_of(name, verbose)
    listener = _run.listener_of([] if callback is None else [callback], bar)
    try:
        labels, found, agreement = _separa.stability(
            (name, _fit.plain(own)), table.rows, table.columns, weights, refits, {**run, "listener": listener}
        )
    finally:
        if bar is not None:
            bar.close()
    for note in found["notes"]:
        warnings.warn(f"{name}: {note['sentence']}", UserWarning, stacklevel=2)
    jaccard = np.array(found["jaccard"], dtype=np.float64)
    return Stability(
        labels, jaccard, agreement, found["refits"], found["failed"], found["mean_agreement"]
    )


def asked(method: Any, params: dict[str, Any]) -> tuple[str, dict[str, Any], Any]:
    """A method's name, its parameters and the most clusters to look for, from a name or an estimator."""
    if isinstance(method, str):
        own = dict(params)
        return method, own, own.pop("k_max", None)
    name = getattr(method, "_method", "")
    if name not in [m["name"] for m in _fit.methods()]:
        raise ParameterError(
            f"`method` must be a name of separa.methods() or one of the clustering estimators, got {method!r}"
        )
    if params:
        first = next(iter(params))
        raise ParameterError(f"an estimator has its own parameters; set `{first}` there")
    from ._base import AUTO_PARAMETERS, RUN_PARAMETERS

    own = method.get_params(deep=False)
    aside = (*AUTO_PARAMETERS, *RUN_PARAMETERS)
    return name, {key: value for key, value in own.items() if key not in aside}, own["k_max"]
