"""MRMC: the method mrmc.

Written by python/generate.py: do not edit. Parameters come from the engine, prose from
python/class_docs.py.
"""

from __future__ import annotations

from typing import Any

from .._base import BaseClusterer
from .._run import Callback, Clusters, RandomState


class MRMC(BaseClusterer):
    """Maximum relative margin clustering: logistic clustering with the posterior of the hinge.

    It has probabilities: ``predict_proba``. Free of units by default.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters. "auto" finds it.
    reg : "auto" or float, default="auto"
        Weight λ of the squared weights, as a fraction of the value above which clusters that are
        all alike stay so; auto is 0.4 times the mean variance of a column over the largest of any
        direction, 0.05 at most, less with fewer columns than k − 1, and 0.03 with a kernel; it
        comes down where a cluster has no rows.
    balance_weight : float, default=1.0
        Weight β of the entropy of the mean probabilities; 0 lets one cluster take all rows.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    kernel : {"linear", "rbf", "laplacian", "poly", "tanh", "cosine", "precomputed"}, default="linear"
        Similarity of two rows, for curved boundaries; precomputed takes the table as the kernel
        matrix.
    gamma : "median" or float, default="median"
        Factor of rbf, laplacian, poly and tanh; median is 1 over the median squared distance (rbf),
        over the median distance (laplacian), over the number of columns (poly, tanh).
    degree : int, default=3
        Degree of poly.
    coef0 : float, default=1.0
        Constant of poly and tanh.
    landmarks : int, default=0
        Rows that approximate the kernel (Nyström); 0 takes all rows up to 2000, else 500.
    optimizer : {"gradient", "em"}, default="gradient"
        L-BFGS on the objective (gradient), or fits to sharpened probabilities, in turns (em).
    temperature : float, default=0.5
        Of em: probabilities are raised to the power 1/temperature and normalised; 0 is
        self-training.
    init : str or array-like of int, default="auto"
        Initialization: anneal follows a path of falling λ from no split, kmeans starts from
        k-means, auto does both in turns and with a kernel takes spectral clusterings at five widths
        as the second. One of auto, anneal, kmeans, or one label per row.
    n_init : int, default=4
        Initializations, of which the one with the lowest objective is kept; given labels are one.
    min_cluster_size : int or float, default=0.01
        Smallest cluster allowed, in rows (1 or more) or as a fraction of the rows (below 1): an
        initialization that ends with a smaller one is refused.
    max_iter : int, default=300
        Iterations at most at the last λ.
    tol : float, default=0.0001
        Stop when no entry of the gradient is larger than this times four critical λ, or ten
        iterations gain less than a tenth of this (em: one turn less than a hundredth).
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
        The mean entropy of the probabilities, plus reg times the squared weights, less
        balance_weight times the entropy of the mean probabilities; in nats.
    coef_, intercept_ : ndarray
        With the linear kernel: ``X @ coef_.T + intercept_`` are the decision values.
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
    >>> from separa import MRMC
    >>> MRMC(n_clusters=2).fit_predict([[0.0], [0.2], [9.0], [9.1]])
    array([0, 0, 1, 1], dtype=int32)
    """

    _method = "mrmc"

    def __init__(
        self,
        n_clusters: Clusters = 2,
        *,
        reg: str | float = "auto",
        balance_weight: float = 1.0,
        scaling: str = "auto",
        kernel: str = "linear",
        gamma: str | float = "median",
        degree: int = 3,
        coef0: float = 1.0,
        landmarks: int = 0,
        optimizer: str = "gradient",
        temperature: float = 0.5,
        init: Any = "auto",
        n_init: int = 4,
        min_cluster_size: float = 0.01,
        max_iter: int = 300,
        tol: float = 0.0001,
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
        self.balance_weight = balance_weight
        self.scaling = scaling
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.landmarks = landmarks
        self.optimizer = optimizer
        self.temperature = temperature
        self.init = init
        self.n_init = n_init
        self.min_cluster_size = min_cluster_size
        self.max_iter = max_iter
        self.tol = tol
        self.k_max = k_max
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.max_memory = max_memory
        self.callback = callback
        self.verbose = verbose
        self.prepare = prepare
