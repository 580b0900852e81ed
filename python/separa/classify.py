"""Classifiers: rules from rows whose classes are known.

Written by python/generate.py: do not edit. Parameters come from the engine, prose from
python/class_docs.py.
"""

from __future__ import annotations

from typing import Any

from ._classifier import BaseClassifier
from ._run import Callback, RandomState


class MPMClassifier(BaseClassifier):
    """The minimax probability machine: the boundary whose worst case is best, and that worst case.

    Whatever the distributions of the classes, with their means and covariances at least the
    fraction ``alpha`` of each is on its side of the boundary. See ``docs/methods/mpm.md``.

    Parameters
    ----------
    kernel : {"linear", "rbf", "laplacian", "poly", "tanh", "cosine"}, default="linear"
        Similarity of two rows; linear draws flat boundaries.
    gamma : "median", "cv" or float, default="median"
        Factor of rbf, laplacian, poly and tanh; median as in kernel-kmeans, cv the best of a few
        multiples of it by cross-validation.
    degree : int, default=3
        Degree of poly.
    coef0 : float, default=1.0
        Constant of poly and tanh.
    landmarks : int, default=0
        Rows that approximate the kernel (Nyström); 0 takes all, or 500 of more than 2000.
    reg : "cv" or float, default="cv"
        Regulariser, as a fraction of the variance of the classes, added to all their variances; cv
        takes the best of a few by cross-validation; the bound belongs to it.
    aim : {"minimax", "accuracy", "biased"}, default="minimax"
        Worst-case accuracy of the two sides of a boundary: minimax gives both the same; accuracy
        weighs them by the fractions of the classes; biased raises the rarer class's while the other
        keeps floor.
    floor : float, default=0.2
        Worst-case accuracy that the more frequent class keeps, for aim biased.
    priors : str, dict or array-like of float, default="none"
        Fractions of the classes to be expected of new rows, in the order of the classes or by name:
        minimax then makes the larger of the two sides' worst-case errors, each times its fraction,
        smallest; accuracy and biased go by them instead of the training rows. One of none, or one
        positive number for each class.
    multiclass : {"pairs", "rest"}, default="pairs"
        More than two classes: a boundary for each pair, or one for each class against the rest.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    folds : int, default=5
        Folds of the cross-validation that chooses what is set to cv.
    random_state : int, None, RandomState or Generator, default=0
        Seed of the folds and of the order of the rows; None draws a new one at every fit.
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
    classes_ : ndarray
        The classes, sorted.
    accuracy_ : float
        Fraction of the training rows that get their own class.
    held_out_ : float or None
        The same of rows held out in cross-validation, with the settings that did best: a little too
        high, because they were chosen by it. None if nothing was to be chosen.
    settings_ : dict
        Settings as they were used: chosen by cross-validation, from the data, or given.
    bounds_ : list of dict
        One for each pair of classes (or class and rest): ``class`` and ``against`` (places in
        ``classes_``), ``alpha`` (worst-case accuracy of each side), ``reg`` (the regulariser it
        belongs to) and ``rate`` (the fraction of each side's training rows on its side).
    coef_, intercept_ : ndarray
        If the rule is linear: ``X @ coef_.T + intercept_`` are the decision values.
    n_features_in_ : int
        Columns.
    feature_names_in_ : ndarray of str
        Only if all column names of the training table are strings.
    notes_ : list of str
        What to know about the fit; first what was done to a data frame.
    preparation_ : dict or None
        How a data frame was prepared, column by column; None of an array.
    model_ : Model
        The rule itself: what :func:`separa.save` writes.

    Examples
    --------
    >>> from separa import MPMClassifier
    >>> rule = MPMClassifier(reg=0.1).fit([[0.0], [0.2], [0.1], [9.0], [9.1], [9.3]], list("aaabbb"))
    >>> rule.predict([[0.3], [8.0]])
    array(['a', 'b'], dtype='<U1')
    >>> bool(rule.bounds_[0]["alpha"][0] > 0.9)
    True
    """

    _method = "mpm"

    def __init__(
        self,
        *,
        kernel: str = "linear",
        gamma: str | float = "median",
        degree: int = 3,
        coef0: float = 1.0,
        landmarks: int = 0,
        reg: str | float = "cv",
        aim: str = "minimax",
        floor: float = 0.2,
        priors: Any = "none",
        multiclass: str = "pairs",
        scaling: str = "auto",
        folds: int = 5,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        max_memory: int | str | None = None,
        callback: Callback | None = None,
        verbose: int = 0,
        prepare: str = "auto",
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.landmarks = landmarks
        self.reg = reg
        self.aim = aim
        self.floor = floor
        self.priors = priors
        self.multiclass = multiclass
        self.scaling = scaling
        self.folds = folds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.max_memory = max_memory
        self.callback = callback
        self.verbose = verbose
        self.prepare = prepare


class MCPMClassifier(BaseClassifier):
    """The minimax clustering probability machine: learns from summaries of the rows.

    Each class is summarised by a few Gaussians in one pass; a minimax probability machine between
    them, in the space of a probability product kernel, is the rule. It holds summaries only. See
    ``docs/methods/mcpm.md``.

    Parameters
    ----------
    quantizer : {"tod", "kmeans"}, default="tod"
        How the rows of a class become summaries: tod in one pass (a row joins the nearest summary
        within a threshold, else begins one), or k-means (kmeans).
    summaries : "cv" or int, default="cv"
        Summaries of each class at most; cv takes the best of a few by cross-validation.
    threshold : float, default=0.0
        Distance up to which tod joins a row with a summary, in standard deviations of the columns
        (scaling standard); 0 finds the one that gives the asked number of summaries.
    ppk : {"lppk", "rbf", "rbf-literal", "poly", "tanh"}, default="rbf"
        Probability product kernel of two summaries: linear (lppk), normalised to a power (rbf),
        equation (7) of Yang, Huang, King & Lyu as printed (rbf-literal), or a polynomial or tanh of
        the normalised one.
    covariance : {"diag", "full"}, default="diag"
        Summaries hold variances (diag), or covariances of all pairs of columns (full).
    rho : float, default=1.0
        Power of the densities in the product kernel: 1 is the expected likelihood, 0.5
        Bhattacharyya's.
    gamma : "median", "cv" or float, default="cv"
        Power or factor of the kernel; median is 1 over the median distance of two summaries (1 for
        poly and tanh), cv the best of a few multiples of it by cross-validation.
    degree : int, default=3
        Degree of poly.
    coef0 : float, default=1.0
        Constant of poly and tanh.
    reg : "cv" or float, default="cv"
        Regulariser, as a fraction of the variance of the classes, added to all their variances; cv
        takes the best of a few by cross-validation; the bound belongs to it.
    aim : {"minimax", "accuracy", "biased"}, default="minimax"
        Worst-case accuracy of the two sides of a boundary: minimax gives both the same; accuracy
        weighs them by the fractions of the classes; biased raises the rarer class's while the other
        keeps floor.
    floor : float, default=0.2
        Worst-case accuracy that the more frequent class keeps, for aim biased.
    multiclass : {"pairs", "rest"}, default="pairs"
        More than two classes: a boundary for each pair, or one for each class against the rest.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    folds : int, default=5
        Folds of the cross-validation that chooses what is set to cv.
    random_state : int, None, RandomState or Generator, default=0
        Seed of the folds and of the order of the rows; None draws a new one at every fit.
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
    classes_ : ndarray
        The classes, sorted.
    accuracy_ : float
        Fraction of the training rows that get their own class.
    held_out_ : float or None
        The same of rows held out in cross-validation, with the settings that did best: a little too
        high, because they were chosen by it. None if nothing was to be chosen.
    settings_ : dict
        Settings as they were used: chosen by cross-validation, from the data, or given.
    bounds_ : list of dict
        One for each pair of classes (or class and rest): ``class`` and ``against`` (places in
        ``classes_``), ``alpha`` (worst-case accuracy of each side, by the moments of the summaries,
        not of the rows), ``reg`` (the regulariser it belongs to) and ``rate`` (the fraction of each
        side's training rows on its side).
    n_features_in_ : int
        Columns.
    feature_names_in_ : ndarray of str
        Only if all column names of the training table are strings.
    notes_ : list of str
        What to know about the fit; first what was done to a data frame.
    preparation_ : dict or None
        How a data frame was prepared, column by column; None of an array.
    model_ : Model
        The rule itself: what :func:`separa.save` writes.

    Examples
    --------
    >>> from separa import MCPMClassifier
    >>> rule = MCPMClassifier(summaries=2).fit([[0.0], [0.2], [0.1], [9.0], [9.1], [9.3]], list("aaabbb"))
    >>> rule.predict([[0.3], [8.0]])
    array(['a', 'b'], dtype='<U1')
    """

    _method = "mcpm"

    def __init__(
        self,
        *,
        quantizer: str = "tod",
        summaries: str | int = "cv",
        threshold: float = 0.0,
        ppk: str = "rbf",
        covariance: str = "diag",
        rho: float = 1.0,
        gamma: str | float = "cv",
        degree: int = 3,
        coef0: float = 1.0,
        reg: str | float = "cv",
        aim: str = "minimax",
        floor: float = 0.2,
        multiclass: str = "pairs",
        scaling: str = "auto",
        folds: int = 5,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        max_memory: int | str | None = None,
        callback: Callback | None = None,
        verbose: int = 0,
        prepare: str = "auto",
    ) -> None:
        self.quantizer = quantizer
        self.summaries = summaries
        self.threshold = threshold
        self.ppk = ppk
        self.covariance = covariance
        self.rho = rho
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.reg = reg
        self.aim = aim
        self.floor = floor
        self.multiclass = multiclass
        self.scaling = scaling
        self.folds = folds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.max_memory = max_memory
        self.callback = callback
        self.verbose = verbose
        self.prepare = prepare


class SCMClassifier(BaseClassifier):
    """The support cluster machine: a support vector machine of summaries of the rows.

    As :class:`separa.MCPMClassifier`, with a support vector machine between the summaries, whose
    prices follow their weights. See ``docs/methods/scm.md``.

    Parameters
    ----------
    quantizer : {"tod", "kmeans"}, default="tod"
        How the rows of a class become summaries: tod in one pass (a row joins the nearest summary
        within a threshold, else begins one), or k-means (kmeans).
    summaries : "cv" or int, default="cv"
        Summaries of each class at most; cv takes the best of a few by cross-validation.
    threshold : float, default=0.0
        Distance up to which tod joins a row with a summary, in standard deviations of the columns
        (scaling standard); 0 finds the one that gives the asked number of summaries.
    ppk : {"lppk", "rbf", "rbf-literal", "poly", "tanh"}, default="rbf"
        Probability product kernel of two summaries: linear (lppk), normalised to a power (rbf),
        equation (7) of Yang, Huang, King & Lyu as printed (rbf-literal), or a polynomial or tanh of
        the normalised one.
    covariance : {"diag", "full"}, default="diag"
        Summaries hold variances (diag), or covariances of all pairs of columns (full).
    rho : float, default=1.0
        Power of the densities in the product kernel: 1 is the expected likelihood, 0.5
        Bhattacharyya's.
    gamma : "median", "cv" or float, default="cv"
        Power or factor of the kernel; median is 1 over the median distance of two summaries (1 for
        poly and tanh), cv the best of a few multiples of it by cross-validation.
    degree : int, default=3
        Degree of poly.
    coef0 : float, default=1.0
        Constant of poly and tanh.
    c : "cv" or float, default="cv"
        Price of a summary of average weight on the wrong side; cv takes the best of a few by
        cross-validation.
    multiclass : {"pairs", "rest"}, default="pairs"
        More than two classes: a boundary for each pair, or one for each class against the rest.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling: standard divides every column by its standard deviation, contraharmonic by
        the contraharmonic mean of its absolute deviations, auto tries both and keeps the one whose
        clusters separate better, none takes the table as it is.
    folds : int, default=5
        Folds of the cross-validation that chooses what is set to cv.
    random_state : int, None, RandomState or Generator, default=0
        Seed of the folds and of the order of the rows; None draws a new one at every fit.
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
    classes_ : ndarray
        The classes, sorted.
    accuracy_ : float
        Fraction of the training rows that get their own class.
    held_out_ : float or None
        The same of rows held out in cross-validation, with the settings that did best: a little too
        high, because they were chosen by it. None if nothing was to be chosen.
    settings_ : dict
        Settings as they were used: chosen by cross-validation, from the data, or given.
    bounds_ : list of dict
        Empty: this classifier guarantees nothing.
    n_features_in_ : int
        Columns.
    feature_names_in_ : ndarray of str
        Only if all column names of the training table are strings.
    notes_ : list of str
        What to know about the fit; first what was done to a data frame.
    preparation_ : dict or None
        How a data frame was prepared, column by column; None of an array.
    model_ : Model
        The rule itself: what :func:`separa.save` writes.

    Examples
    --------
    >>> from separa import SCMClassifier
    >>> rule = SCMClassifier(summaries=2).fit([[0.0], [0.2], [0.1], [9.0], [9.1], [9.3]], list("aaabbb"))
    >>> rule.predict([[0.3], [8.0]])
    array(['a', 'b'], dtype='<U1')
    """

    _method = "scm"

    def __init__(
        self,
        *,
        quantizer: str = "tod",
        summaries: str | int = "cv",
        threshold: float = 0.0,
        ppk: str = "rbf",
        covariance: str = "diag",
        rho: float = 1.0,
        gamma: str | float = "cv",
        degree: int = 3,
        coef0: float = 1.0,
        c: str | float = "cv",
        multiclass: str = "pairs",
        scaling: str = "auto",
        folds: int = 5,
        random_state: RandomState = 0,
        n_jobs: int | None = None,
        max_memory: int | str | None = None,
        callback: Callback | None = None,
        verbose: int = 0,
        prepare: str = "auto",
    ) -> None:
        self.quantizer = quantizer
        self.summaries = summaries
        self.threshold = threshold
        self.ppk = ppk
        self.covariance = covariance
        self.rho = rho
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.c = c
        self.multiclass = multiclass
        self.scaling = scaling
        self.folds = folds
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.max_memory = max_memory
        self.callback = callback
        self.verbose = verbose
        self.prepare = prepare
