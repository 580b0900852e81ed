"""FuzzyKMeans: centres that every row belongs to, with a probability."""

from __future__ import annotations

from typing import Any

from ._base import BaseClusterer
from ._run import Callback, Clusters, RandomState


class FuzzyKMeans(BaseClusterer):
    """Fuzzy k-means: every row belongs to every centre, with a probability that falls with its distance.

    It has probabilities: ``predict_proba``. It sees units: a feature in larger numbers weighs more.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters; "auto" finds it.
    sigma2 : "auto" or float, default="auto"
        Softness σ² of exp(−‖x − c‖²/σ²); auto is twice the variance within the clusters of
        k-means, towards 0 it is k-means.
    init : str or array-like of int, default="auto"
        Starting centres: auto and greedy are greedy k-means++, random draws rows, labels start
        from their means. One of auto, greedy, k-means++, random, or one label a row.
    n_init : int, default=10
        Restarts, of which the one with the least objective is kept; given labels are one start.
    max_iter : int, default=1000
        Rounds of one restart at most.
    tol : float, default=1e-6
        Stop when a round lowers the objective by at most this share of the rows' spread.
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
        Minus σ² times the sum of log Σ exp(−‖x − c‖²/σ²); the inertia of k-means where σ² is
        small.
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
    >>> from separa import FuzzyKMeans
    >>> FuzzyKMeans(n_clusters=2).fit_predict([[0.0], [0.2], [9.0], [9.1]])
    array([0, 0, 1, 1], dtype=int32)
    """

    _method = "fuzzy-kmeans"

    def __init__(
        self,
        n_clusters: Clusters = 2,
        *,
        sigma2: float | str = "auto",
        init: Any = "auto",
        n_init: int = 10,
        max_iter: int = 1000,
        tol: float = 1e-6,
        k_max: int | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        max_memory: int | str | None = None,
        callback: Callback | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.sigma2 = sigma2
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
