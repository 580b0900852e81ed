"""ARMC: the method armc.

Written by python/generate.py: do not edit. Parameters come from the engine, prose from
python/class_docs.py.
"""

from __future__ import annotations

from typing import Any

from .._base import BaseClusterer
from .._run import Callback, Clusters, RandomState


class ARMC(BaseClusterer):
    """A support vector machine that finds its own labels, for flat or curved boundaries.

    Labels and machine improve each other in turns, with a fraction of the rows on each side while
    they do. Free of units by default.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters. "auto" finds it.
    reg : float, default=2.0
        Weight λ of wᵀw against the summed hinge losses: a support vector machine with C = 1/(2λ).
    balance : "scan" or float, default=0.5
        Two clusters: fraction of the rows that labels give to one side while the machine is fitted;
        scan tries several and keeps the clearest split.
    bound : "none", "free" or float, default="none"
        What |f| can reach: anything, a number, or free at the price mu.
    mu : float, default=1.0
        Price μ of the bound B in the objective, for bound free.
    kernel : {"linear", "rbf", "laplacian", "poly", "tanh", "cosine", "precomputed"}, default="rbf"
        Similarity of two rows; precomputed takes the table as the kernel matrix.
    gamma : "auto", "median" or float, default="auto"
        Factor of rbf, laplacian, poly and tanh; median is 1 over the median squared distance (rbf),
        over the median distance (laplacian), over the number of columns (poly, tanh); auto is the
        median, but with at most 4 columns and 50 rows or more tries narrower widths of rbf and
        laplacian, and takes one that separates far more clearly.
    degree : int, default=3
        Degree of poly.
    coef0 : float, default=1.0
        Constant of poly and tanh.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    multiclass : {"divide", "rest"}, default="divide"
        More than two clusters: one split after the other (divide), or each cluster against all
        others (rest).
    split : {"fractions", "largest", "clearest"}, default="fractions"
        Multiclass divide: a part that is to become k clusters is split at the clearest of the
        fractions j/k (fractions); or the largest, or the clearest part is split by balance.
    landmarks : int, default=0
        Rows that approximate the kernel (Nyström), 0 for all; up to 500 if the kernel rows of all
        do not fit the memory.
    min_cluster_size : int or float, default=0.01
        Smallest side of a split, in rows (1 or more) or as a fraction of the rows (below 0.5): a
        split with a smaller one gives way to others, or a warning is issued; multiclass rest:
        clusters of less than 2/k of it.
    init : str or array-like of int, default="auto"
        Initialization; auto tries spectral ones of five widths, the first kernel principal
        component, k-means and a random direction. One of auto, spectral, kernel-pca, kmeans,
        random, or one label per row.
    n_init : int, default=3
        Restarts of k-means; init random: random directions.
    max_iter : int, default=100
        Iterations of one initialization at most.
    tol : float, default=1e-06
        The machine is solved until its duality gap is at most this fraction of its objective.
    k_max : int, default=None
        Clusters that ``n_clusters="auto"`` looks for at most; None takes 24.
    random_state : int, None, RandomState or Generator, default=0
        Seed of the initializations; None draws a new one at every fit.
    n_jobs : int, default=None
        Threads; None takes all cores. The result does not depend on it.
    max_memory : int or str, default=None
        Bytes or a size like "4G"; None takes 80 % of what is free.
    callback : callable, default=None
        Called with a :class:`separa.Progress` at every step; a true value ends the fit with its
        best so far.
    verbose : int, default=0
        1 shows a progress bar.
    prepare : {"auto", "none"}, default="auto"
        Whether data frames are prepared (:func:`separa.prepare`): ids left out, words and dates
        encoded, gaps filled. Arrays are taken as they are.

    Attributes
    ----------
    labels_ : ndarray of int32
        Cluster of every training row, numbered by first appearance.
    n_clusters_, n_iter_, n_features_in_ : int
        Clusters, iterations of the main loop, columns.
    feature_names_in_ : ndarray of str
        Only if all column names of the training table are strings.
    objective_ : float
        Summed hinge losses and λwᵀw, over all splits or clusters.
    coef_, intercept_ : ndarray
        Of kernel=linear with two clusters, or with multiclass=rest: weights of the columns and
        biases.
    stop_ : {"converged", "max_iter", "stalled", "cancelled"}
        How the fit ended.
    agreement_, agreement_chance_ : float or None
        Held-out agreement: how often rules learnt on two halves of the rows put a row into the same
        cluster, and what chance gives; None if the fit was not judged, or has too few rows for
        halves.
    msp_, msp_null_ : float or None
        Worst-case separability of the closest pair of clusters, and what one Gaussian would score;
        None if the fit was not judged.
    p_gauss_, p_unimodal_ : float or None
        P-values: is it a single Gaussian, is there no gap between the clusters? Small means no. For
        more than two clusters they take the labels as given and are too small, the first much, the
        second a little.
    feature_importance_ : dict
        ``{(a, b): {feature: fraction}}``: which features separate every pair of clusters, the
        largest first; empty if the fit was not judged.
    auto_ : dict
        Only with ``n_clusters="auto"``: how the number was found.
    notes_ : list of str
        What to know about the fit; first what was done to a data frame.
    preparation_ : dict or None
        How a data frame was prepared, column by column; None of an array.
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
        balance: str | float = 0.5,
        bound: str | float = "none",
        mu: float = 1.0,
        kernel: str = "rbf",
        gamma: str | float = "auto",
        degree: int = 3,
        coef0: float = 1.0,
        scaling: str = "auto",
        multiclass: str = "divide",
        split: str = "fractions",
        landmarks: int = 0,
        min_cluster_size: float = 0.01,
        init: Any = "auto",
        n_init: int = 3,
        max_iter: int = 100,
        tol: float = 1e-06,
        k_max: int | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        max_memory: int | str | None = None,
        callback: Callback | None = None,
        verbose: int = 0,
        prepare: str = "auto",
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
        self.scaling = scaling
        self.multiclass = multiclass
        self.split = split
        self.landmarks = landmarks
        self.min_cluster_size = min_cluster_size
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
        self.prepare = prepare
