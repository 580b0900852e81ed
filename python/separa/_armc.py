"""ARMC: accelerated maximum relative margin clustering."""

from __future__ import annotations

from typing import Any

from ._base import BaseClusterer
from ._run import Callback, Clusters, RandomState


class ARMC(BaseClusterer):
    """A support vector machine that finds its own labels, for flat or curved boundaries.

    Labels and machine improve each other in turns, with a share of the rows on each side while they do.
    Columns are divided by their deviations, so it does not see units unless it is told to.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters; "auto" finds it.
    reg : float, default=2.0
        Weight λ of wᵀw beside the summed hinge losses: a support vector machine with C = 1/(2λ).
    balance : float or "scan", default=0.5
        Two clusters: share of the rows that labels give to one side while the machine is fitted; scan
        tries several and keeps the clearest split.
    bound : "none", "free" or float, default="none"
        What |f| may reach: anything, a number, or free at the price mu.
    mu : float, default=1.0
        bound=free: price μ of the bound B in the objective.
    kernel : {"linear", "rbf", "laplacian", "poly", "tanh", "cosine", "precomputed"}, default="rbf"
        Similarity of two rows; precomputed takes the table as the kernel matrix.
    gamma : "median", "auto" or float, default="median"
        Factor of rbf, laplacian, poly and tanh; median is 1 over the median squared distance (rbf),
        over the median distance (laplacian), over the number of columns (poly, tanh); auto tries narrower
        widths of rbf and laplacian and keeps the clearest split.
    degree : int, default=3
        Degree of poly.
    coef0 : float, default=1.0
        Constant of poly and tanh.
    units : {"free", "shared", "auto"}, default="free"
        free: every column is divided by its deviation; shared: columns stay as they are; auto: tries
        both and keeps the clearer split.
    multiclass : {"divide", "rest"}, default="divide"
        More than two clusters: one split after the other, or each cluster against all others.
    split : {"shares", "largest", "clearest"}, default="shares"
        divide: a part that is to become k clusters is cut at the clearest of the shares j/k; or the
        largest, or the clearest part is cut by balance.
    landmarks : int, default=0
        Rows that carry the kernel (Nyström), 0 for all; up to 500 where kernel rows of all do not fit
        the memory.
    min_share : float, default=0.01
        A split that leaves less of the rows on one side gives way to others, or is told; multiclass=rest:
        clusters of less than 2/k of it.
    init : str or array-like of int, default="auto"
        Where the fit begins; auto tries spectral starts of five widths, the first kernel principal
        component, k-means and a random direction. One of auto, spectral, kernel-pca, kmeans, random, or
        one label a row.
    n_init : int, default=3
        Restarts of k-means; init=random: random directions.
    max_iter : int, default=100
        Rounds of one start at most.
    tol : float, default=0.000001
        The machine is solved until its duality gap is at most this share of its objective.
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
    coef_, intercept_ : ndarray
        Of kernel=linear with two clusters, or with multiclass=rest: weights of the columns and biases.
    objective_ : float
        Summed hinge losses and λwᵀw, over all splits or clusters.
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
    auto_ : dict
        Only with ``n_clusters="auto"``: how the number was found (``k_by_seed``, ``path``, …).
    model_ : Model
        The rule itself: what :func:`separa.save` writes.

    Examples
    --------
    >>> from separa import ARMC
    >>> ARMC(n_clusters=2).fit_predict([[0.0], [0.2], [9.0], [9.1]])
    array([0, 0, 1, 1], dtype=int32)
    """

    _method = "armc"

    def __init__(
        self,
        n_clusters: Clusters = 2,
        *,
        reg: float = 2.0,
        balance: float | str = 0.5,
        bound: float | str = "none",
        mu: float = 1.0,
        kernel: str = "rbf",
        gamma: float | str = "median",
        degree: int = 3,
        coef0: float = 1.0,
        units: str = "free",
        multiclass: str = "divide",
        split: str = "shares",
        landmarks: int = 0,
        min_share: float = 0.01,
        init: Any = "auto",
        n_init: int = 3,
        max_iter: int = 100,
        tol: float = 0.000001,
        k_max: int | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        max_memory: int | str | None = None,
        callback: Callback | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.reg = reg
        self.balance = balance
        self.bound = bound
        self.mu = mu
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.units = units
        self.multiclass = multiclass
        self.split = split
        self.landmarks = landmarks
        self.min_share = min_share
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
