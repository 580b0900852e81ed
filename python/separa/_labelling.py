"""What a fitted rule says of rows: labels, scores, how sure they are, whether they are new."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _prepare, _run, _table
from ._facts import Facts
from .exceptions import DataError

#: What :meth:`Labelling.confidence` says of a row.
SURE = ("cluster", "confidence", "runner_up", "margin")

#: What :meth:`Labelling.novelty` says of a row.
NOVELTY = ("cluster", "novelty", "novelty_p")


class Labelling(Facts):
    """A fitted rule that rows are given to."""

    def predict(self, X: Any, *, n_jobs: int | None = None) -> Any:
        """Labels rows, seen or not.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            Where the table and the model both have column names they are matched: the order does not
            matter, columns that the model does not know are left out.
        n_jobs : int, optional
            Threads; all cores where it is None. The labels do not depend on it.

        Returns
        -------
        labels : ndarray of int32, of a classifier the names of the classes
        """
        labels = self._rule.predict(self._read(X), _run.threads_of(n_jobs))
        return labels if self._classes is None else self._classes[labels]

    def decision_function(self, X: Any, *, n_jobs: int | None = None) -> npt.NDArray[np.float64]:
        """How each row was decided.

        Two clusters: one value a row, cluster 1 where it is 0 or more. More: one column a cluster, the
        largest wins. Values are no probabilities.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            As for :meth:`predict`.
        n_jobs : int, optional
            Threads; all cores where it is None.

        Returns
        -------
        values : ndarray of shape (n_samples,) for two clusters, else (n_samples, n_clusters)
        """
        return flat(self._rule.decision(self._read(X), _run.threads_of(n_jobs)))

    def predict_proba(self, X: Any, *, n_jobs: int | None = None) -> npt.NDArray[np.float64]:
        """How likely each cluster is for every row.

        The method's own probabilities where it has them (logistic, mrmc, fuzzy-kmeans, crf), else :meth:`confidence` for
        the cluster of the row, and the rest for the others by their scores. Classifiers have none.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            As for :meth:`predict`.
        n_jobs : int, optional
            Threads; all cores where it is None.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_clusters)
            Every row sums to 1; the largest is the cluster of :meth:`predict`, but for ``CRF`` with
            ``decoding="viterbi"``: the likeliest path need not go through the likeliest states.
        """
        return self._rule.proba(self._read(X), _run.threads_of(n_jobs))

    def confidence(self, X: Any, *, n_jobs: int | None = None) -> Any:
        """How sure the cluster of every row is: of rows with confidence 0.9, nine of ten keep their cluster if the method
        is fitted to other rows.

        Measured when the fit is judged, on the refits that ``agreement_`` is made of. Without them (``quality=False``,
        bags, sequences, fewer than ten rows per cluster) it is the method's own probability, or made of the margins alone.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            As for :meth:`predict`.
        n_jobs : int, optional
            Threads; all cores where it is None.

        Returns
        -------
        confidence : pandas.DataFrame, or dict of ndarray without pandas
            One line per row: ``cluster``, ``confidence`` (0 to 1), ``runner_up`` (the second best cluster, -1 where there
            is one cluster only) and ``margin`` (the lead of the one score over the other). If clusters have names, also
            ``name``: that of the cluster, or None.

        Examples
        --------
        >>> import numpy as np, separa
        >>> X = np.random.default_rng(0).normal(size=(60, 2)) + 9 * (np.arange(60) % 2)[:, None]
        >>> model = separa.fit(X, n_clusters=2)
        >>> sure = model.confidence([[0.0, 0.0], [4.5, 4.5]])
        >>> bool(sure["confidence"][0] > sure["confidence"][1])
        True
        """
        if self._classes is not None:
            raise DataError("a classifier guarantees an accuracy and has no confidence; decision_function has its scores")
        return self._sure(self._rule.confidence(self._read(X), _run.threads_of(n_jobs)))

    def _sure(self, found: Any) -> Any:
        """How sure rows are, with the names of their clusters if there are any."""
        names = self.names
        if not names:
            return columns(SURE, found)
        called = np.array([names.get(int(cluster)) for cluster in found[0]], dtype=object)
        return columns((*SURE, "name"), (*found, called))

    def novelty(self, X: Any, *, n_jobs: int | None = None) -> Any:
        """How far rows lie from their clusters: a label far from all training rows means nothing.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            As for :meth:`predict`.
        n_jobs : int, optional
            Threads; all cores where it is None.

        Returns
        -------
        novelty : pandas.DataFrame, or dict of ndarray without pandas
            One line per row: ``cluster``, ``novelty`` (the distance to its cluster in the cluster's own covariance) and
            ``novelty_p``, the conformal p-value of "a row as those of the training table": 0.001 and less is novel.

        Examples
        --------
        >>> import numpy as np, separa
        >>> X = np.random.default_rng(0).normal(size=(400, 2)) + 9 * (np.arange(400) % 2)[:, None]
        >>> found = separa.fit(X, n_clusters=2).novelty([[0.0, 0.0], [0.0, 99.0]])
        >>> bool(found["novelty_p"][0] > 0.05), bool(found["novelty_p"][1] < 0.005)
        (True, True)
        """
        return columns(NOVELTY, self._rule.novelty(self._read(X), _run.threads_of(n_jobs)))

    def drift(self, X: Any, *, alpha: float = 0.01, n_jobs: int | None = None) -> dict[str, Any]:
        """Whether new rows are distributed like the training rows.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            As for :meth:`predict`.
        alpha : float
            The largest chance of a finding where nothing has changed.
        n_jobs : int, optional
            Threads; all cores where it is None.

        Returns
        -------
        drift : dict
            ``drift`` (whether anything has changed), ``text`` (a sentence), ``clusters`` (their fractions), ``features``
            (every one, the largest change first), ``novelty`` (rows unlike the training rows), ``n``, ``n_training``,
            ``alpha``: the object that ``separa drift --json`` prints.

        Examples
        --------
        >>> import numpy as np, separa
        >>> X = np.random.default_rng(0).normal(size=(400, 2)) + 9 * (np.arange(400) % 2)[:, None]
        >>> model = separa.fit(X, n_clusters=2)
        >>> model.drift(X)["drift"], model.drift(X + [0, 3])["drift"]
        (False, True)
        """
        return self._rule.drift(self._read(X), float(alpha), _run.threads_of(n_jobs))

    def _read(self, X: Any) -> Any:
        return self._read_table(X).rows

    def _read_table(self, X: Any) -> _table.Table:
        """A table as the rule takes it: prepared, its columns found by name."""
        how = self._rule.preparation()
        if how is not None and _table.is_frame(X):
            return _table.Table(_prepare.for_new(X, how).values, None)
        return _table.read(X, self._info["feature_names"], self._info["lists"])


def columns(names: tuple[str, ...], values: tuple[npt.NDArray[Any], ...]) -> Any:
    """Columns as a data frame where pandas is installed, else as a dict."""
    named = dict(zip(names, values))
    try:
        import pandas
    except ImportError:
        return named
    return pandas.DataFrame(named)


def flat(decision: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """One column as a vector."""
    return decision[:, 0] if decision.shape[1] == 1 else decision
