"""TOD: rows to summaries in one pass."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import TransformerMixin
from sklearn.utils import assert_all_finite
from sklearn.utils.validation import check_is_fitted

from . import _run, _separa, _table
from ._base import Rows
from .exceptions import ParameterError


class TOD(TransformerMixin, Rows):  # type: ignore[misc]
    """The threshold order dependent quantiser: few Gaussian summaries for many rows, in one pass.

    A row joins the nearest summary within a threshold, else it begins one. The order of the rows matters;
    it is drawn by the seed.

    Parameters
    ----------
    n_clusters : int, default=15
        Summaries at most, where the threshold is 0.
    threshold : float, default=0.0
        Distance up to which a row joins a summary; 0 finds one that gives the asked number.
    units : {"free", "shared"}, default="free"
        Free brings all columns to the same spread for distances; shared leaves them as they are.
    random_state : int, None, RandomState or Generator, default=0
        Seed of the order; None draws a new one at every fit.
    n_jobs : int, default=None
        Threads; all cores where it is None. The result does not depend on it.

    Attributes
    ----------
    means_ : ndarray of shape (n_summaries, n_features)
        Mean of each summary.
    variances_ : ndarray of shape (n_summaries, n_features)
        Variances within each summary.
    weights_ : ndarray of shape (n_summaries,)
        Rows, or their weights, in each summary.
    factors_ : ndarray of shape (n_features,)
        Distances are those of ``X * factors_``.
    n_features_in_ : int
        Columns.
    feature_names_in_ : ndarray of str
        Only where all column names of the training table are strings.

    Examples
    --------
    >>> from separa import TOD
    >>> tod = TOD(n_clusters=2, units="shared").fit([[0.0], [0.2], [9.0], [9.1]])
    >>> tod.transform([[0.1]]).round(2)
    array([[0.  , 8.95]])
    """

    weights_: npt.NDArray[np.float64]
    means_: npt.NDArray[np.float64]
    variances_: npt.NDArray[np.float64]
    factors_: npt.NDArray[np.float64]

    def __init__(
        self,
        n_clusters: int = 15,
        *,
        threshold: float = 0.0,
        units: str = "free",
        random_state: _run.RandomState = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.threshold = threshold
        self.units = units
        self.random_state = random_state
        self.n_jobs = n_jobs

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
        if self.units not in ("free", "shared"):
            raise ParameterError(f"parameter `units` must be one of free, shared, got {self.units!r}")
        table = self._table(X, reset=True)
        weights = _table.weights(sample_weight, table.n_rows)
        run = _run.settings(self.random_state, self.n_jobs, None, quality=False)
        if not isinstance(self.n_clusters, Integral) or self.n_clusters < 1:
            raise ParameterError(
                f"parameter `n_clusters` must be a whole number, 1 or more, got {self.n_clusters!r}"
            )
        how = (int(self.n_clusters), float(self.threshold), self.units == "shared")
        found = _separa.tod(table.rows, weights, how, (run["seed"], run["threads"]))
        self.weights_, self.means_, self.variances_, self.factors_ = found
        return self

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
