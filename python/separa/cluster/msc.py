"""MSC: the method msc.

Written by python/generate.py: do not edit. Parameters come from the engine, prose from
python/class_docs.py.
"""

from __future__ import annotations

from typing import Any

from .._base import BaseClusterer
from .._run import Callback, Clusters, RandomState


class MSC(BaseClusterer):
    """Maximal separation clustering, for any metric or kernel.

    A row is described by its distances to the training rows; the boundary is the hyperplane in the
    space of these distances from which the rows lie farthest. More than two clusters are found by
    splitting parts again.

    A list of 2-D arrays is a list of bags: each array is one thing to cluster, and two of them are
    as far apart as Hausdorff's distance says, with the metric between rows. ``predict`` takes such
    a list, too; labels and weights are one per bag. Bags are not judged: ``msp_`` is None.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters. "auto" finds it.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    metric : {"kernel", "euclidean", "sqeuclidean", "manhattan", "chebyshev", "cosine", "correlation", "gower", "precomputed"}, default="kernel"
        Distance of two rows: kernel is the one that the kernel induces, gower the mean over
        features of |x - y| / range (for mixed types), precomputed takes a table of distances.
    kernel : {"linear", "rbf", "laplacian", "poly", "tanh", "cosine"}, default="rbf"
        Kernel behind metric kernel.
    gamma : "auto", "median" or float, default="auto"
        Factor of the kernel, exp(-gamma d²) for rbf: auto takes the multiple of the median d² with
        the clearest margin.
    degree : int, default=3
        Degree of poly.
    coef0 : float, default=1.0
        Constant of poly and tanh.
    weights : str or array-like of float, default="perron"
        How much each row counts in keeping the boundary between the rows: all alike (uniform), by
        its distances, by their leading eigenvector (perron), or as given. One of uniform, distance,
        perron, or one number from 1e-100 to 1e100 per row.
    threshold : {"scan", "otsu", "zero"}, default="scan"
        Where to cut: scan takes the largest disparity cut, otsu the largest variance between the
        sides, zero is the threshold of the authors.
    objective : {"separation", "dcut"}, default="separation"
        What is maximised: the squared separation distances, or the relaxed disparity cut.
    split : {"dcut", "largest"}, default="dcut"
        More than two clusters: split the part with the largest disparity cut, or the largest part.
    landmarks : int, default=0
        Rows that distances are taken to; 0 takes all while their distances fit the memory.
    min_cluster_size : int or float, default=0.01
        Smallest side of a cut, in rows (1 or more) or as a fraction of the rows (below 1, times 2/k
        for k clusters): a cut with a smaller one gives way to another.
    max_iter : int, default=5000
        Products with the distance matrix in one eigenproblem at most.
    tol : float, default=1e-10
        Residual at which an eigenvector is done, as a fraction of the largest eigenvalue.
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
        Clusters, splits, columns.
    feature_names_in_ : ndarray of str
        Only if all column names of the training table are strings.
    objective_ : float
        What was maximised, summed over the splits.
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
        The rule itself: what :func:`separa.save` writes. It holds the training rows, or the
        landmarks.

    Examples
    --------
    >>> from separa import MSC
    >>> MSC(n_clusters=2).fit_predict([[0.0], [0.2], [9.0], [9.1]])
    array([0, 0, 1, 1], dtype=int32)
    >>> import numpy as np
    >>> bags = [np.array([[0.0], [1.0]]), np.array([[0.1], [0.5], [1.1]]), np.array([[0.0], [9.0]])]
    >>> MSC(n_clusters=2).fit_predict(bags)
    array([0, 0, 1], dtype=int32)
    """

    _method = "msc"

    def __init__(
        self,
        n_clusters: Clusters = 2,
        *,
        scaling: str = "auto",
        metric: str = "kernel",
        kernel: str = "rbf",
        gamma: str | float = "auto",
        degree: int = 3,
        coef0: float = 1.0,
        weights: Any = "perron",
        threshold: str = "scan",
        objective: str = "separation",
        split: str = "dcut",
        landmarks: int = 0,
        min_cluster_size: float = 0.01,
        max_iter: int = 5000,
        tol: float = 1e-10,
        k_max: int | None = None,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        max_memory: int | str | None = None,
        callback: Callback | None = None,
        verbose: int = 0,
        prepare: str = "auto",
    ) -> None:
        self.n_clusters = n_clusters
        self.scaling = scaling
        self.metric = metric
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.weights = weights
        self.threshold = threshold
        self.objective = objective
        self.split = split
        self.landmarks = landmarks
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
