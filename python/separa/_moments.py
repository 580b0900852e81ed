"""Weight, mean and scatter of rows, which add up: what a pass of one's own can be made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any, Iterable

import numpy as np
import numpy.typing as npt

from . import _table

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Moments:
    """Number, mean and scatter matrix of rows. Those of parts add up to those of the whole.

    Attributes
    ----------
    n : float
        How many rows.
    mean : ndarray of shape (n_features,)
    scatter : ndarray of shape (n_features, n_features)
        The sum of (x - mean)(x - mean)ᵀ.

    Examples
    --------
    >>> import numpy as np, separa
    >>> X = np.random.default_rng(0).normal(1e8, 1, (300, 2))
    >>> total = separa.Moments.of(X[:100]) + separa.Moments.of(X[100:])
    >>> bool(np.allclose(total.covariance(), np.cov(X.T, bias=True)))
    True
    """

    n: float
    mean: Array
    scatter: Array

    @staticmethod
    def of(X: Any) -> Moments:
        """Of the rows of a table."""
        rows = np.asarray(_table.read(X).rows)
        if len(rows) == 0:
            return Moments(0.0, np.zeros(rows.shape[1]), np.zeros((rows.shape[1],) * 2))
        # About the first row: an offset costs no digits.
        shifted = rows - rows[0]
        centre = shifted.mean(axis=0)
        shifted -= centre
        return Moments(float(len(rows)), rows[0] + centre, shifted.T @ shifted)

    def __add__(self, later: Moments) -> Moments:
        """Chan's formula."""
        if self.n == 0 or later.n == 0:
            return later if self.n == 0 else self
        n, gap = self.n + later.n, later.mean - self.mean
        scatter = self.scatter + later.scatter + np.outer(gap, gap) * (self.n * later.n / n)
        return Moments(n, self.mean + gap * (later.n / n), scatter)

    def covariance(self) -> Array:
        """The scatter over the number of rows."""
        return self.scatter / max(self.n, 1.0)

    @staticmethod
    def total(parts: Iterable[Moments]) -> Moments:
        """Of all parts, added in their order."""
        return reduce(Moments.__add__, parts)
