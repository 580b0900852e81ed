"""Clusterers: one class for each method.

Written by python/generate.py: do not edit. Parameters come from the engine, prose from
python/class_docs.py.
"""

from __future__ import annotations

from typing import Any

from ._base import BaseClusterer
from ._cdsk import DiscriminativeSimilarity
from ._run import Callback, Clusters, RandomState


class MSPC(BaseClusterer):
    """Maximin separation probability clustering.

    Finds clusters that a linear rule tells apart with the largest worst-case probability. With its
    default settings not one label changes when a feature changes its unit.

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


class KMeans(BaseClusterer):
    """k-means: every row belongs to the nearest centre.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters. "auto" finds it.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    init : str or array-like of int, default="auto"
        Initial centres: auto and greedy are greedy k-means++, random draws rows, labels give the
        means of their rows. One of auto, greedy, k-means++, random, or one label per row.
    n_init : int, default=10
        Restarts, of which the one with the lowest inertia is kept; given labels are one.
    max_iter : int, default=300
        Iterations of one restart at most.
    tol : float, default=0.0001
        Stop when the squared shift of the centres is at most this fraction of the columns' mean
        variance.
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
        The inertia: squared distances to the nearest centre, summed.
    coef_, intercept_ : ndarray
        The rule as a linear one: ``X @ coef_.T + intercept_`` are the decision values.
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
        scaling: str = "auto",
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
        prepare: str = "auto",
    ) -> None:
        self.n_clusters = n_clusters
        self.scaling = scaling
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


class KernelKMeans(BaseClusterer):
    """k-means in the space of a kernel, for curved boundaries.

    Free of units by default.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters. "auto" finds it.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    kernel : {"linear", "rbf", "laplacian", "poly", "tanh", "cosine", "precomputed"}, default="rbf"
        Similarity of two rows; precomputed takes the table as the kernel matrix.
    gamma : "median" or float, default="median"
        Factor of rbf, laplacian, poly and tanh; median is 1 over the median squared distance (rbf),
        over the median distance (laplacian), over the number of columns (poly, tanh).
    degree : int, default=3
        Degree of poly.
    coef0 : float, default=1.0
        Constant of poly and tanh.
    landmarks : int, default=0
        Rows that approximate the kernel (Nyström), 0 for all; up to 500 if the kernel of all pairs
        does not fit the memory.
    init : str or array-like of int, default="auto"
        Initial centres: auto is greedy k-means++ in the space of the kernel, random draws rows,
        labels give the means of their rows. One of auto, random, or one label per row.
    n_init : int, default=10
        Restarts, of which the one with the lowest objective is kept; given labels are one.
    max_iter : int, default=300
        Iterations of one restart at most.
    tol : float, default=0.0001
        Stop when an iteration lowers the objective by at most this fraction of it.
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
        Squared distances to the nearest centre in the space of the kernel, summed.
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
    model_ : Model
        The rule itself: what :func:`separa.save` writes.

    Examples
    --------
    >>> from separa import KernelKMeans
    >>> KernelKMeans(n_clusters=2).fit_predict([[0.0], [0.2], [9.0], [9.1]])
    array([0, 0, 1, 1], dtype=int32)
    """

    _method = "kernel-kmeans"

    def __init__(
        self,
        n_clusters: Clusters = 2,
        *,
        scaling: str = "auto",
        kernel: str = "rbf",
        gamma: str | float = "median",
        degree: int = 3,
        coef0: float = 1.0,
        landmarks: int = 0,
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
        prepare: str = "auto",
    ) -> None:
        self.n_clusters = n_clusters
        self.scaling = scaling
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.landmarks = landmarks
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


class SpectralClustering(BaseClusterer):
    """k-means on the leading eigenvectors of a graph of rows.

    Free of units by default. New rows are labelled by Nyström's extension of the eigenvectors.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters. "auto" finds it.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    variant : {"njw", "ncut"}, default="njw"
        Relaxation of the normalised cut: njw scales rows of eigenvectors to length one (Ng, Jordan
        & Weiss), ncut takes generalised eigenvectors as they are (Shi & Malik).
    affinity : {"knn", "rbf", "self-tuning", "precomputed"}, default="knn"
        Similarity of two rows: knn connects nearest neighbours, rbf is exp(-gamma d²), self-tuning
        is exp(-d²/(s s')) with s the distance to the neighbors-th neighbour, precomputed takes the
        table as affinities.
    neighbors : int, default=10
        Nearest other rows that a row is connected to (knn) or whose distance is its scale
        (self-tuning).
    graph : {"union", "mutual"}, default="union"
        Pairs that knn connects: those of which one row is a neighbour of the other (union), or both
        are (mutual).
    gamma : "median" or float, default="median"
        Factor of rbf: 1 over the median squared distance, or a number.
    threshold : {"kmeans", "best", "zero"}, default="kmeans"
        Variant ncut, two clusters: cut the eigenvector by k-means, at the smallest normalised cut
        (best), or at zero.
    landmarks : int, default=0
        Rows that stand for all: landmarks of rbf (Nyström), or for knn and self-tuning a sample
        that the others are joined to. 0 takes all rows while memory and about a minute allow, else
        up to 500 landmarks or 10,000 rows; the number of rows takes all.
    init : str or array-like of int, default="auto"
        Initial centres of k-means on the embedded rows: auto and greedy are greedy k-means++,
        random draws rows, labels give the means of their rows. One of auto, greedy, k-means++,
        random, or one label per row.
    n_init : int, default=10
        Restarts of k-means, of which the one with the lowest inertia is kept; given labels are one.
    max_iter : int, default=300
        Iterations of one restart at most.
    tol : float, default=0.0001
        Stop when the squared shift of the centres is at most this fraction of the embedding's mean
        variance.
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
        The inertia among the eigenvectors, or the normalised cut if threshold is best or zero.
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
    model_ : Model
        The rule itself: what :func:`separa.save` writes.

    Examples
    --------
    >>> from separa import SpectralClustering
    >>> SpectralClustering(n_clusters=2).fit_predict([[0.0], [0.2], [9.0], [9.1]])
    array([0, 0, 1, 1], dtype=int32)
    """

    _method = "spectral"

    def __init__(
        self,
        n_clusters: Clusters = 2,
        *,
        scaling: str = "auto",
        variant: str = "njw",
        affinity: str = "knn",
        neighbors: int = 10,
        graph: str = "union",
        gamma: str | float = "median",
        threshold: str = "kmeans",
        landmarks: int = 0,
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
        prepare: str = "auto",
    ) -> None:
        self.n_clusters = n_clusters
        self.scaling = scaling
        self.variant = variant
        self.affinity = affinity
        self.neighbors = neighbors
        self.graph = graph
        self.gamma = gamma
        self.threshold = threshold
        self.landmarks = landmarks
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


class CDSK(DiscriminativeSimilarity):
    """Clustering by discriminative similarity.

    A graph of rows is cut by its eigenvectors; among six graphs, and among the restarts of k-means
    on each, the one is kept whose clusters the votes of the rows' neighbours tell best. New rows
    are labelled by the same vote, and rows that were fitted keep their label.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters. "auto" finds it.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    variant : {"graph", "exact", "paper"}, default="graph"
        Weights of the rows: graph gives all the same, exact learns them with the eigenvectors,
        paper is Algorithm 1 of Yang & Chen (2022) as printed.
    similarity : str, default="auto"
        Similarity of two rows: a metric (c cosine of centred rows, h half-whitened, raw as given)
        and a graph (x and m of nearest neighbours, snn of shared ones, st self-tuned for all
        pairs); auto tries six and keeps the one that votes best for its own clusters, and is rbf
        for variant paper. One of auto, precomputed, rbf, self-expression, landmark, or a metric and
        a graph such as h-x7 (metrics c, h, raw; graphs x7, m7, snn10, st7).
    vote : {"size", "sum"}, default="size"
        How new rows are labelled: by their mean similarity to a cluster's rows (size), or by the
        sum, which favours large clusters.
    gamma : "median" or float, default="median"
        Factor of rbf: 1 over the median squared distance (variant paper: 1/(2 v²), v the variance
        of the distances), or a number.
    landmarks : int, default=1000
        Similarity landmark: centres of k-means through which rows are connected, at most half of
        the rows.
    rho : float, default=0.5
        Variant exact: the regulariser λ of the weights as a fraction of the number of rows.
    h : float, default=1.0
        Variants exact and paper: how much the similarity across clusters counts when weights are
        learnt, 1 in (12) and 0.5 in (10) of Yang & Chen (2022).
    init : str or array-like of int, default="auto"
        Initial centres of k-means on the embedded rows: auto takes greedy and plain k-means++ in
        turns, random draws rows, labels give the means of their rows. One of auto, greedy,
        k-means++, random, or one label per row.
    n_init : int, default=20
        Restarts of k-means, of which the one that votes best for its own clusters is kept; given
        labels are one.
    max_iter : int, default=300
        Iterations of one restart at most.
    tol : float, default=0.0001
        Stop when the squared shift of the centres is at most this fraction of the embedding's mean
        variance.
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
        The inertia among the eigenvectors.
    alpha_ : ndarray of float64
        Weight of every training row of positive sample weight in the vote; they sum to one.
    typical_rows_ : list of ndarray
        For each cluster the places of up to five exemplars: rows that the others of it vote for
        most.
    similarity_ : str
        The similarity that was used: the chosen one if ``similarity`` is auto.
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
    model_ : Model
        The rule itself: what :func:`separa.save` writes.

    Examples
    --------
    >>> from separa import CDSK
    >>> CDSK(n_clusters=2).fit_predict([[0.0], [0.2], [0.1], [9.0], [9.1], [9.3]])
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    """

    _method = "cdsk"

    def __init__(
        self,
        n_clusters: Clusters = 2,
        *,
        scaling: str = "auto",
        variant: str = "graph",
        similarity: str = "auto",
        vote: str = "size",
        gamma: str | float = "median",
        landmarks: int = 1000,
        rho: float = 0.5,
        h: float = 1.0,
        init: Any = "auto",
        n_init: int = 20,
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
        self.scaling = scaling
        self.variant = variant
        self.similarity = similarity
        self.vote = vote
        self.gamma = gamma
        self.landmarks = landmarks
        self.rho = rho
        self.h = h
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


class LogisticClustering(BaseClusterer):
    """Logistic clustering: the softmax whose labels are the surest and the most evenly spread.

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
    model_ : Model
        The rule itself: what :func:`separa.save` writes.

    Examples
    --------
    >>> from separa import LogisticClustering
    >>> model = LogisticClustering(n_clusters=2).fit([[0.0], [0.2], [9.0], [9.1]])
    >>> model.labels_
    array([0, 0, 1, 1], dtype=int32)
    >>> bool(model.predict_proba([[0.1]])[0, 0] > 0.9)
    True
    """

    _method = "logistic"

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


class FuzzyKMeans(BaseClusterer):
    """Fuzzy k-means: every row belongs to every centre, with a probability that falls with its distance.

    It has probabilities: ``predict_proba``. Free of units by default.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters. "auto" finds it.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    sigma2 : "auto" or float, default="auto"
        Softness σ² of exp(−‖x − c‖²/σ²); auto is twice the variance within the clusters of k-means,
        towards 0 it is k-means.
    init : str or array-like of int, default="auto"
        Initial centres: auto and greedy are greedy k-means++, random draws rows, labels give the
        means of their rows. One of auto, greedy, k-means++, random, or one label per row.
    n_init : int, default=10
        Restarts, of which the one with the lowest objective is kept; given labels are one.
    max_iter : int, default=1000
        Iterations of one restart at most.
    tol : float, default=1e-06
        Stop when an iteration lowers the objective by at most this fraction of the rows' spread.
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
        Minus σ² times the sum of log Σ exp(−‖x − c‖²/σ²); the inertia of k-means if σ² is small.
    coef_, intercept_ : ndarray
        The rule as a linear one: ``X @ coef_.T + intercept_`` are the decision values.
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
        scaling: str = "auto",
        sigma2: str | float = "auto",
        init: Any = "auto",
        n_init: int = 10,
        max_iter: int = 1000,
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
        self.scaling = scaling
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
        self.prepare = prepare


class CRFClustering(BaseClusterer):
    """Segments sequences: every row gets a state, by what it holds and by the rows around it.

    A list of 2-D arrays is a list of sequences, rows in order; ``[X]`` is one sequence.
    ``labels_``, ``predict`` and ``predict_proba`` go through all rows, one sequence after the
    other. One table alone is taken for unrelated rows. A model that was fitted on sequences wants
    sequences.

    It has probabilities: ``predict_proba``. Free of units by default.

    Parameters
    ----------
    n_clusters : int or "auto", default=2
        Number of clusters. "auto" finds it.
    reg : float, default=0.1
        Weight λ of the squared weights, as a fraction of the value above which clusters that are
        all alike stay so.
    transition_reg : float, default=0.25
        Weight of the squared transition weights, as a fraction of the value below which a sequence
        freezes in one state whatever its rows are.
    balance_weight : float, default=1.0
        Weight β of the entropy of the mean probabilities; 0 lets one cluster take all rows.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    decoding : {"marginals", "viterbi"}, default="marginals"
        Labels of sequences: the likeliest state of every row (marginals), or the likeliest path.
    optimizer : {"gradient", "em"}, default="gradient"
        L-BFGS on the objective (gradient), or fits to sharpened probabilities, in turns (em).
    temperature : float, default=0.5
        Of em: probabilities are raised to the power 1/temperature and normalised; 0 is
        self-training.
    init : str or array-like of int, default="auto"
        Initialization: anneal follows a path of falling λ from no split, kmeans starts from
        k-means, auto does both in turns. One of auto, anneal, kmeans, or one label per row.
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
        The entropy of whole sequences over the number of rows, plus the weighted squares of the
        weights, less balance_weight times the entropy of the mean probabilities; in nats.
    coef_, intercept_ : ndarray
        For unrelated rows: ``X @ coef_.T + intercept_`` are the decision values.
    stop_ : {"converged", "max_iter", "stalled", "cancelled"}
        How the fit ended.
    agreement_, agreement_chance_ : float or None
        Held-out agreement: how often rules learnt on two halves of the rows put a row into the same
        cluster, and what chance gives; None if the fit was not judged, or has too few rows for
        halves.
    msp_, msp_null_ : float or None
        Worst-case separability of the closest pair of clusters by one row, and what one Gaussian
        would score; None if the fit was not judged.
    p_gauss_, p_unimodal_ : float or None
        P-values: is it a single Gaussian, is there no gap between the clusters? Small means no. For
        sequences, and for more than two clusters, they take the labels as given and are too small.
    feature_importance_ : dict
        ``{(a, b): {feature: fraction}}``: which features separate every pair of clusters, the
        largest first; empty if the fit was not judged.
    auto_ : dict
        Only with ``n_clusters="auto"``: how the number was found.
    model_ : Model
        The rule itself: what :func:`separa.save` writes.

    Examples
    --------
    >>> import numpy as np
    >>> from separa import CRFClustering
    >>> rng = np.random.default_rng(0)
    >>> states = np.repeat([0, 1, 0, 1, 0], 40)
    >>> sequence = rng.normal(2.0 * states, 1.0)[:, None]
    >>> model = CRFClustering(n_clusters=2).fit([sequence])
    >>> bool(np.mean(model.labels_ != states) < 0.05)
    True
    >>> model.predict_proba([sequence[:50], sequence[50:60]]).shape
    (60, 2)
    """

    _method = "crf"

    def __init__(
        self,
        n_clusters: Clusters = 2,
        *,
        reg: float = 0.1,
        transition_reg: float = 0.25,
        balance_weight: float = 1.0,
        scaling: str = "auto",
        decoding: str = "marginals",
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
        self.transition_reg = transition_reg
        self.balance_weight = balance_weight
        self.scaling = scaling
        self.decoding = decoding
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
    split : {"shares", "largest", "clearest"}, default="shares"
        Multiclass divide: a part that is to become k clusters is split at the clearest of the
        fractions j/k (shares); or the largest, or the clearest part is split by balance.
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
        split: str = "shares",
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
