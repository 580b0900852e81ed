"""TOD: rows to summaries in one pass."""

from __future__ import annotations

import json
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import TransformerMixin
from sklearn.utils import assert_all_finite
from sklearn.utils.validation import check_is_fitted

from . import _prepare, _run, _separa, _table
from ._base import Rows
from .exceptions import DataError, ParameterError, SeparaWarning


class TOD(TransformerMixin, Rows):  # type: ignore[misc]
    """The threshold order dependent quantiser: few Gaussian summaries for many rows, in one pass.

    A row joins the nearest summary within a threshold, else it begins one. The order of the rows matters;
    it is drawn by the seed.

    Parameters
    ----------
    n_clusters : int, default=15
        Summaries at most, where the threshold is 0; not more than the rows of the first fit.
    threshold : float, default=0.0
        Distance up to which a row joins a summary; 0 finds one that gives the asked number.
    covariance : {"diag", "full"}, default="diag"
        Summaries hold variances, or covariances of all pairs of columns.
    scaling : {"auto", "standard", "contraharmonic", "none"}, default="auto"
        Column scaling for distances: by standard deviations, by contraharmonic means of absolute deviations,
        auto tries both and keeps the one whose clusters separate better, none takes the table as it is.
    random_state : int, None, RandomState or Generator, default=0
        Seed of the order; None draws a new one at every fit.
    n_jobs : int, default=None
        Threads; all cores where it is None. The result does not depend on it.
    prepare : {"auto", "none"}, default="auto"
        Whether data frames are prepared (:func:`separa.prepare`): ids left out, words and dates
        encoded, gaps filled. Arrays are taken as they are.

    Attributes
    ----------
    means_ : ndarray of shape (n_summaries, n_features)
        Mean of each summary.
    variances_ : ndarray of shape (n_summaries, n_features)
        Variances within each summary.
    covariances_ : ndarray of shape (n_summaries, n_features, n_features)
        Covariances within each summary; only where covariance is full.
    weights_ : ndarray of shape (n_summaries,)
        Rows, or their weights, in each summary.
    factors_ : ndarray of shape (n_features,)
        Distances are those of ``X * factors_``.
    threshold_ : float
        Distance up to which rows joined a summary, as given or found by the first fit.
    preparation_ : dict or None
        How a data frame was prepared, column by column; None of an array.
    n_features_in_ : int
        Columns.
    feature_names_in_ : ndarray of str
        Only where all column names of the training table are strings.

    Examples
    --------
    >>> from separa import TOD
    >>> tod = TOD(n_clusters=2, scaling="none").fit([[0.0], [0.2], [9.0], [9.1]])
    >>> tod.transform([[0.1]]).round(2)
    array([[0.  , 8.95]])
    >>> tod.partial_fit([[0.4], [9.2]]).weights_
    array([3., 3.])
    """

    weights_: npt.NDArray[np.float64]
    means_: npt.NDArray[np.float64]
    variances_: npt.NDArray[np.float64]
    covariances_: npt.NDArray[np.float64]
    threshold_: float
    factors_: npt.NDArray[np.float64]
    #: Names of the columns that were summarised, and how a data frame became them.
    _columns: tuple[list[str] | None, str | None] = (None, None)

    def __init__(
        self,
        n_clusters: int = 15,
        *,
        threshold: float = 0.0,
        covariance: str = "diag",
        scaling: str = "auto",
        random_state: _run.RandomState = 0,
        n_jobs: int | None = None,
        prepare: str = "auto",
    ) -> None:
        self.n_clusters = n_clusters
        self.threshold = threshold
        self.covariance = covariance
        self.scaling = scaling
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.prepare = prepare

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> TOD:
        """Summarises the rows.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
        y : ignored
            Here for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            0 or more each.

        Returns
        -------
        self : object
            The estimator, fitted.
        """
        return self._see(X, sample_weight, None)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> TOD:
        """Summarises more rows, after those that were seen before; the first call is a fit.

        Rows join summaries by the threshold and the scaling that the first rows gave; where no threshold was asked
        for at most ``n_clusters`` summaries are left, those joined whose union spreads least.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
        y : ignored
            Here for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            0 or more each.

        Returns
        -------
        self : object
            The estimator, with more rows.
        """
        return self._see(X, sample_weight, self._summaries() if hasattr(self, "weights_") else None)

    def merge(self, other: TOD) -> TOD:
        """Takes over the rows of another fitted TOD, each of its summaries as one heavy row.

        Parameters
        ----------
        other : TOD
            Fitted on as many columns, with the same ``covariance``.

        Returns
        -------
        self : object
            The estimator, with the rows of both.
        """
        check_is_fitted(self)
        check_is_fitted(other)
        if self.covariance != other.covariance:
            raise ParameterError(
                f"parameter `covariance` must be the same of both, got {self.covariance!r} and {other.covariance!r}"
            )
        if self.preparation_ and other.preparation_ and self._columns[0] != other._columns[0]:
            raise DataError(
                "the two data frames were prepared to different columns; fit both on the columns that "
                "separa.prepare() makes of them together"
            )
        self._adopt(_separa.tod_merge(self._summaries(), other._summaries(), self._how()))
        return self

    def _see(self, X: Any, sample_weight: Any, start: Any) -> TOD:
        how = self._how()
        table = self._table(X, reset=start is None)
        if start is None:
            self._columns = table.columns
            for words in _prepare.to_act_on(self._prepared_how() or {"columns": []}):
                _run.warn(f"tod: {words}", SeparaWarning)
        weights = _table.weights(sample_weight, table.n_rows)
        run = _run.settings(self.random_state, self.n_jobs, None, quality=False)
        self._adopt(_separa.tod(table.rows, self._columns, weights, how, (run["seed"], run["threads"]), start))
        return self

    def _how_prepared(self) -> str | None:
        return self._columns[1]

    @property
    def preparation_(self) -> dict[str, Any] | None:
        """How a data frame was prepared, column by column; None of an array."""
        check_is_fitted(self)
        return self._prepared_how()

    def _prepared_how(self) -> dict[str, Any] | None:
        how = self._how_prepared()
        return None if how is None else json.loads(how)

    def _how(self) -> tuple[int, float, str, bool]:
        """The parameters as the engine takes them."""
        scalings = ("auto", "standard", "contraharmonic", "none")
        for name, words in (("scaling", scalings), ("covariance", ("diag", "full"))):
            if getattr(self, name) not in words:
                raise ParameterError(
                    f"parameter `{name}` must be one of {', '.join(words)}, got {getattr(self, name)!r}"
                )
        if not isinstance(self.n_clusters, Integral) or self.n_clusters < 1:
            raise ParameterError(
                f"parameter `n_clusters` must be a whole number, 1 or more, got {self.n_clusters!r}"
            )
        full = self.covariance == "full"
        return int(self.n_clusters), float(self.threshold), self.scaling, full

    def _summaries(self) -> Any:
        """What the engine gave, for it to go on from."""
        return self.weights_, self.means_, self._packed, self.factors_, self.threshold_

    def _adopt(self, found: Any) -> None:
        self.weights_, self.means_, self._packed, self.factors_, self.threshold_ = found
        self.__dict__.pop("covariances_", None)
        self.variances_ = self._packed
        if self.covariance == "full":
            d = self.means_.shape[1]
            rows, columns = np.tril_indices(d)
            full = np.empty((len(self.means_), d, d))
            full[:, rows, columns] = full[:, columns, rows] = self._packed
            self.covariances_ = full
            self.variances_ = np.ascontiguousarray(np.diagonal(full, axis1=1, axis2=2))

    def transform(self, X: Any) -> npt.NDArray[np.float64]:
        """Distances of every row to every summary's mean.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)

        Returns
        -------
        distances : ndarray of shape (n_samples, n_summaries)
        """
        check_is_fitted(self)
        rows = dense(self._table(X, reset=False)) * self.factors_
        means = self.means_ * self.factors_
        out = np.empty((len(rows), len(means)))
        for k, mean in enumerate(means):
            out[:, k] = np.sqrt(((rows - mean) ** 2).sum(axis=1))
        return out

    @property
    def _n_features_out(self) -> int:
        return len(self.means_)


def dense(table: _table.Table) -> npt.NDArray[np.float64]:
    """The rows as an array, zeros filled in where they are sparse."""
    if not isinstance(table.rows, tuple):
        out = table.rows
    else:
        columns, starts, places, values = table.rows  # type: ignore[misc]
        out = np.zeros((table.n_rows, int(columns)))
        out[np.repeat(np.arange(table.n_rows), np.diff(starts)), places] = values
    assert_all_finite(out, input_name="X")
    return out
