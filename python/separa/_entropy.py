"""What LogisticClustering and MRMC share: the parameters of methods with a posterior for every row."""

from __future__ import annotations

from typing import Any

from ._base import BaseClusterer
from ._run import Callback, Clusters, RandomState

#: Of the docstrings.
DETAILS = """Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters; "auto" finds it.
    reg : "auto" or float, default="auto"
        Weight λ of the squared weights, as a share of the value above which clusters that are all alike
        stay so; auto is 0.4 times the mean variance of a column over the largest of any direction, 0.05
        at most, and 0.03 with a kernel.
    balance_weight : float, default=1.0
        Weight β of the entropy of the mean probabilities; 0 lets one cluster take all rows.
    units : {"free", "shared"}, default="free"
        Free: every column is divided by its deviation; shared: all columns have one unit.
    kernel : {"linear", "rbf", "laplacian", "poly", "tanh", "cosine", "precomputed"}, default="linear"
        Similarity of two rows, for curved boundaries; precomputed takes the table as the kernel
        matrix.
    gamma : "median" or float, default="median"
        Factor of rbf, laplacian, poly and tanh; median is 1 over the median squared distance
        (rbf), over the median distance (laplacian), over the number of columns (poly, tanh).
    degree : int, default=3
        Degree of poly.
    coef0 : float, default=1.0
        Constant of poly and tanh.
    landmarks : int, default=0
        Rows that carry the kernel (Nyström); 0 takes all rows up to 2000, else 500.
    optimizer : {"gradient", "em"}, default="gradient"
        Gradient: L-BFGS on the objective; em: fits to sharpened probabilities, in turns.
    temperature : float, default=0.5
        Of em: probabilities are raised to the power 1/temperature and normalised; 0 is
        self-training.
    init : str or array-like of int, default="auto"
        Where the fit begins: anneal follows a path of falling λ from no split, kmeans starts from
        k-means, auto does both in turns and with a kernel takes spectral clusterings at five
        widths as the second start. One of auto, anneal, kmeans, or one label a row.
    n_init : int, default=4
        Starts, of which the one with the least objective is kept; given labels are one start.
    min_share : float, default=0.01
        A start whose smallest cluster holds less of the rows is refused.
    max_iter : int, default=300
        Iterations at most at the last λ.
    tol : float, default=0.0001
        Stop when no entry of the gradient is larger than this times four critical λ, or ten iterations
        gain less than a tenth of this (em: one turn less than a hundredth).
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
        The mean entropy of the probabilities, plus reg times the squared weights, less
        balance_weight times the entropy of the mean probabilities; in nats.
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
        With the linear kernel: ``X @ coef_.T + intercept_`` are the decision values.
    auto_ : dict
        Only with ``n_clusters="auto"``: how the number was found (``k_by_seed``, ``path``, …).
    model_ : Model
        The rule itself: what :func:`separa.save` writes.
"""


class RowClusterer(BaseClusterer):
    """Sure labels, evenly spread, by the posterior of a subclass."""

    def __init__(
        self,
        n_clusters: Clusters = 2,
        *,
        reg: float | str = "auto",
        balance_weight: float = 1.0,
        units: str = "free",
        kernel: str = "linear",
        gamma: float | str = "median",
        degree: int = 3,
        coef0: float = 1.0,
        landmarks: int = 0,
        optimizer: str = "gradient",
        temperature: float = 0.5,
        init: Any = "auto",
        n_init: int = 4,
        min_share: float = 0.01,
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
        self.reg = reg
        self.balance_weight = balance_weight
        self.units = units
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.landmarks = landmarks
        self.optimizer = optimizer
        self.temperature = temperature
        self.init = init
        self.n_init = n_init
        self.min_share = min_share
        self.max_iter = max_iter
        self.tol = tol
        self.k_max = k_max
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.max_memory = max_memory
        self.callback = callback
        self.verbose = verbose
