"""MSPC: maximin separation probability clustering."""

from __future__ import annotations

from typing import Any

from ._base import BaseClusterer
from ._run import Callback, Clusters, RandomState


class MSPC(BaseClusterer):
    """Maximin separation probability clustering.

    Groups rows so that a linear rule tells them apart with the largest worst-case probability. With
    its default settings not one label changes when a feature changes its unit.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters; "auto" finds it.
    solver : {"mpm", "gep", "eig", "eig-paper"}, default="mpm"
        How two clusters are improved: the exact probability machine, the bound of Theorem 2, or one
        singular vector.
    reg : float, default=1.0
        Weight λ of the regulariser diag(Σ).
    units : {"free", "shared", "auto"}, default="free"
        free: starts never see units; shared: all features have one unit; auto: try both, keep the
        better.
    robust : bool, default=True
        Clip gross values and set gross rows aside; false gives the plain moments.
    outliers : {"assign", "mark"}, default="assign"
        Label rows set aside by the rule, or mark them -1.
    init : str or array-like of int, default="auto"
        Where the fit begins: auto, kmeans, kmeans-raw, pca, oversplit, or one label a row.
    n_init : int, default=10
        K-means restarts inside each start.
    max_iter : int, default=100
        Rounds at most.
    tol : float, default=0.001
        More than two clusters: stop when at most this share of labels changes.
    min_share : float, default=0.01
        A start whose smaller cluster holds less of the rows is refused.
    kernel : {"linear", "rbf", "poly"}, default="linear"
        Feature map before the linear method, for curved boundaries.
    gamma : "median" or float, default="median"
        Kernel width: exp(-gamma d²).
    degree : int, default=3
        Degree of the polynomial kernel.
    coef0 : float, default=1.0
        Constant of the polynomial kernel.
    landmarks : int, default=512
        Rows that carry a kernel; all rows where there are fewer.
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
        Cluster of every training row, numbered by first appearance; -1 for rows set aside with
        ``outliers="mark"``.
    n_clusters_, n_iter_, n_features_in_ : int
        Clusters, rounds of the main loop, columns.
    feature_names_in_ : ndarray of str
        Only where all column names of the training table are strings.
    objective_ : float
        The separation probability of the last round.
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
        The rule in the units of the table: ``X @ coef_.T + intercept_`` are the decision values of
        rows that are not clipped. Only for two clusters and the linear kernel.
    auto_ : dict
        Only with ``n_clusters="auto"``: how the number was found (``k_by_seed``, ``path``, …).
    model_ : Model
        The rule itself: what :func:`separa.save` writes.

    Examples
    --------
    >>> import numpy as np
    >>> from separa import MSPC
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0, 1, (60, 2)), rng.normal(7, 1, (60, 2))])
    >>> mspc = MSPC(n_clusters=2).fit(X)
    >>> bool((mspc.fit_predict(X * [1, 1000]) == mspc.labels_).all())
    True
    >>> mspc.predict([[0.0, 0.5], [7.0, 6.0]])
    array([0, 1], dtype=int32)
    """

    _method = "mspc"

    def __init__(
        self,
        n_clusters: Clusters = 2,
        *,
        solver: str = "mpm",
        reg: float = 1.0,
        units: str = "free",
        robust: bool = True,
        outliers: str = "assign",
        init: Any = "auto",
        n_init: int = 10,
        max_iter: int = 100,
        tol: float = 0.001,
        min_share: float = 0.01,
        kernel: str = "linear",
        gamma: str | float = "median",
        degree: int = 3,
        coef0: float = 1.0,
        landmarks: int = 512,
        k_max: int | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        max_memory: int | str | None = None,
        callback: Callback | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.solver = solver
        self.reg = reg
        self.units = units
        self.robust = robust
        self.outliers = outliers
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.min_share = min_share
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.landmarks = landmarks
        self.k_max = k_max
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.max_memory = max_memory
        self.callback = callback
        self.verbose = verbose
