"""MSPC: the method mspc.

Written by python/generate.py: do not edit. Parameters come from the engine, prose from
python/class_docs.py.
"""

from __future__ import annotations

from typing import Any

from .._base import BaseClusterer
from .._run import Callback, Clusters, RandomState


class MSPC(BaseClusterer):
    """Maximin separation probability clustering.

    Finds the clusters that a linear rule separates best in the worst case. With its default
    settings not one label changes when a feature changes its unit.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters. "auto" finds it.
    solver : {"mpm", "gep", "eig", "eig-paper"}, default="mpm"
        How two clusters are improved: mpm by the exact probability machine, gep by the bound of
        Theorem 2, eig and eig-paper by one singular vector.
    reg : float, default=1.0
        Weight λ of the regulariser diag(Σ).
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling in which k-means finds initial clusters: by standard deviations (standard),
        by contraharmonic means of absolute deviations (contraharmonic), the clearer of the two
        (auto), or the table as it is (none). The iterations themselves do not depend on units.
    robust : bool, default=True
        Clip extreme values and keep outliers out of the fit; false takes the plain moments.
    outliers : {"assign", "mark"}, default="assign"
        Labels of outliers: assign by the fitted rule, or mark them -1.
    init : str or array-like of int, default="auto"
        Initialization: kmeans as scaling says, kmeans-raw in the table as it is. One of auto,
        kmeans, kmeans-raw, pca, oversplit, or one label per row.
    n_init : int, default=10
        Restarts of k-means in each initialization.
    max_iter : int, default=100
        Iterations at most.
    tol : float, default=0.001
        More than two clusters: stop when at most this fraction of the labels changes.
    min_cluster_size : int or float, default=0.01
        Smallest cluster allowed, in rows (1 or more) or as a fraction of the rows (below 1, times
        2/k for k clusters): an initialization that ends with a smaller one is refused.
    kernel : {"linear", "rbf", "poly"}, default="linear"
        Feature map before the linear method, for curved boundaries.
    gamma : "median" or float, default="median"
        Factor of the kernel, exp(-gamma d²) for rbf.
    degree : int, default=3
        Degree of poly.
    coef0 : float, default=1.0
        Constant of poly.
    landmarks : int, default=512
        Rows that approximate the kernel (Nyström); all rows if there are fewer.
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
        Cluster of every training row, numbered by first appearance; -1 for outliers with
        ``outliers="mark"``.
    n_clusters_, n_iter_, n_features_in_ : int
        Clusters, iterations of the main loop, columns.
    feature_names_in_ : ndarray of str
        Only if all column names of the training table are strings.
    objective_ : float
        The separation probability of the last iteration.
    coef_, intercept_ : ndarray
        The rule in the units of the table: ``X @ coef_.T + intercept_`` are the decision values of
        rows that are not clipped. Only for two clusters and the linear kernel.
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
        scaling: str = "auto",
        robust: bool = True,
        outliers: str = "assign",
        init: Any = "auto",
        n_init: int = 10,
        max_iter: int = 100,
        tol: float = 0.001,
        min_cluster_size: float = 0.01,
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
        prepare: str = "auto",
    ) -> None:
        self.n_clusters = n_clusters
        self.solver = solver
        self.reg = reg
        self.scaling = scaling
        self.robust = robust
        self.outliers = outliers
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.min_cluster_size = min_cluster_size
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
        self.prepare = prepare
