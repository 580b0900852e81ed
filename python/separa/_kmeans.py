"""KMeans: the baseline that everyone knows."""

from __future__ import annotations

from typing import Any

from ._base import BaseClusterer
from ._run import Callback, Clusters, RandomState


class KMeans(BaseClusterer):
    """k-means in the units of the table: a feature in larger numbers weighs more.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters; "auto" finds it.
    init : str or array-like of int, default="auto"
        Starting centres: auto and greedy are greedy k-means++, random draws rows, labels start from
        their means. One of auto, greedy, k-means++, random, or one label a row.
    n_init : int, default=10
        Restarts, of which the one with the least inertia is kept; given labels are one start.
    max_iter : int, default=300
        Rounds of one restart at most.
    tol : float, default=0.0001
        Stop when the centres' squared shift is at most this share of the columns' mean variance.
    k_max : int, default=None
        Clusters that ``n_clusters="auto"`` looks for at most; 24 where it is None.
    random_state : int, None, RandomState or Generator, default=0
        Seed of the starts; None draws a new one at every fit.
    n_jobs : int, default=None
        Threads; all cores where it is None. The result does not depend on it.
    max_memory : int or str, default=None
        Bytes or a size like "4G"; 80 % of what is free where it is None.
    callback : callable, default=None
        Called with a :class:`separa.Progress` at every step; a true value ends the fit with its best
        so far.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    labels_ : ndarray of int32
        Cluster of every training row, numbered by first appearance.
    n_clusters_, n_iter_, n_features_in_ : int
        Clusters, rounds of the main loop, columns.
    feature_names_in_ : ndarray of str
        Only where all column names of the training table are strings.
    objective_ : float
        The inertia: squared distances to the nearest centre, summed.
    stop_ : {"converged", "max_iter", "stalled", "cancelled"}
        How the fit ended.
    msp_, msp_null_ : float or None
        Worst-case probability of telling the clusters apart, and what one Gaussian cloud would score;
        None where the fit was stopped.
    p_gauss_, p_unimodal_ : float or None
        P-values: is it one Gaussian, is there no gap? Small means no. For more than two clusters they
        take the labels as given and are too small, the first much, the second a little.
    feature_importance_ : dict
        ``{(a, b): {feature: share}}``: which features separate every pair of clusters, the largest
        shares first; empty where the fit was not judged.
    coef_, intercept_ : ndarray
        The rule as a linear one: ``X @ coef_.T + intercept_`` are the decision values.
    auto_ : dict
        Only with ``n_clusters="auto"``: how the number was found (``k_by_seed``, ``path``, …).
    model_ : Model
        The rule itself: what :func:`separa.save` writes.

    Examples
    --------
    >>> from separa import KMeans
    >>> KMeans(n_clusters=2).fit_predict([[0.0], [0.2], [9.0], [9.1]])
    array([0, 0, 1, 1], dtype=int32)
    """

    _method = "kmeans"

    def __init__(
        self,
        n_clusters: Clusters = 2,
        *,
        init: Any = "auto",
        n_init: int = 10,
        max_iter: int = 300,
        tol: float = 0.0001,
        k_max: int | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        max_memory: int | str | None = None,
        callback: Callback | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.k_max = k_max
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.max_memory = max_memory
        self.callback = callback
        self.verbose = verbose
