"""CDSK: the method cdsk.

Written by python/generate.py: do not edit. Parameters come from the engine, prose from
python/class_docs.py.
"""

from __future__ import annotations

from typing import Any

from .._cdsk import DiscriminativeSimilarity
from .._run import Callback, Clusters, RandomState


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
    exemplars_ : list of ndarray
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
    notes_ : list of str
        What to know about the fit; first what was done to a data frame.
    preparation_ : dict or None
        How a data frame was prepared, column by column; None of an array.
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
