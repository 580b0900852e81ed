"""A fitted rule, as Python holds it."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _explain, _report, _run, _separa, _table
from ._labelling import Labelling
from ._plotted import Plotted
from .exceptions import DataError, ModelError, ParameterError

__all__ = ["Model"]

#: Rows of a fit that a notebook draws a map of: it should not wait for it.
GLANCE = 100_000

#: What a profile says of a feature.
_PROFILE = ("mean", "median", "others", "effect", "effect_low", "effect_high")


class Model(Plotted, Labelling):
    """A fitted rule: it labels rows, seen or not, and is what a ``.separa`` file holds.

    Made by :func:`separa.fit` and :func:`separa.load`; fitted estimators hold one as ``model_``.
    Pickles are the bytes of the model file, and beside them the labels of the training rows where the
    model has them.

    Attributes
    ----------
    labels_ : ndarray of int32
        Cluster of every training row. A model that was loaded from a file has none.
    n_clusters_, n_features_in_, n_iter_ : int
        Clusters, columns, and iterations of the main loop.
    feature_names_in_ : ndarray of str
        Only where the training table had names.
    objective_ : float
        The method's own objective.
    stop_ : {"converged", "max_iter", "stalled", "cancelled"}
        How the fit ended.
    agreement_, agreement_chance_ : float or None
        How often rules learnt on two halves of the rows put a row into the same cluster, and what chance gives.
    msp_, msp_null_, p_gauss_, p_unimodal_ : float or None
        How separable the clusters are, what a single Gaussian would score, and two p-values. None
        where the fit was stopped, or not asked to judge, or where there are too few rows to tell.
    feature_importance_ : dict
        ``{(a, b): {feature: fraction}}``: which features separate every pair of clusters, the largest
        first; at least 20 of each pair, or all. Empty where the fit was not judged.
    coef_, intercept_ : ndarray
        Only where the rule is linear: ``X @ coef_.T + intercept_`` are the decision values (mspc: of
        rows that its scaler does not clip).

    Examples
    --------
    >>> import numpy as np, separa
    >>> X = np.array([[1.0, 200], [1.1, 220], [0.9, 210], [5, 900], [5.2, 880], [4.9, 910]])
    >>> model = separa.fit(X, method="mspc", n_clusters=2)
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1], dtype=int32)
    >>> model.predict([[1.0, 205.0]])
    array([0], dtype=int32)
    """

    def __init__(self, rule: _separa.Rule, table: Any = None, notes: Iterable[str] = ()) -> None:
        super().__init__(rule, notes)
        try:
            # A notebook draws the rows while they are at hand; the model does not keep them.
            self._training: Any = weakref.ref(table)
        except TypeError:
            self._training = None

    def _with_feature_names(self, names: list[str] | None) -> Model:
        """The same model with names for its features, if there are as many."""
        if names is None or len(names) != self.n_features_in_:
            return self
        return Model(self._rule.with_feature_names(names), notes=self._preparation_notes)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, whole or not at all."""
        self._rule.save(os.fspath(path))

    def profile(self) -> Any:
        """What every cluster is: its features compared with those of all other rows, in the table's own units.

        Returns
        -------
        profile : pandas.DataFrame, or list of dict without pandas
            One line per cluster and feature, the largest effect first, at most 20 of each cluster: ``cluster``,
            ``size``, ``fraction``, ``name`` (yours if :attr:`names` has one, otherwise suggested: made of the features
            that set the cluster apart), ``feature`` (of a column of words the word that sets the cluster apart most),
            ``mean``, ``median``, ``others`` (the mean of all other rows), ``effect`` (the difference of the two means in
            standard deviations; 0.8 and more is large) and its 95 % interval ``effect_low``, ``effect_high``.

        Examples
        --------
        >>> import separa
        >>> X = [[0.0, 10], [0.2, 11], [0.1, 12], [9, 95], [9.1, 97], [9.3, 96]]
        >>> lines = separa.fit(X, n_clusters=2).profile()
        >>> len(lines)
        4
        """
        found = self._info.get("profile")
        if found is None:
            raise ValueError("a profile needs two or more clusters, features and quality=True")
        lines = [
            {
                "cluster": cluster["cluster"],
                "size": cluster["size"],
                "fraction": cluster["fraction"],
                "name": self.names.get(cluster["cluster"], cluster["name"]),
                "feature": feature["name"],
                **{key: feature[key] for key in _PROFILE},
            }
            for cluster in found["clusters"]
            for feature in cluster["features"]
        ]
        try:
            import pandas
        except ImportError:
            return lines
        return pandas.DataFrame(lines)

    def rules(self, X: Any = None, *, n_jobs: int | None = None) -> _explain.Rules:
        """The clusters as rules in words: a decision tree of at most four thresholds, in the table's own units.

        It is learnt on half of the rows, drawn by the seed of the fit, and tested on the other half.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            The table that the model was fitted on, or another with its columns.
        n_jobs : int, optional
            Threads; all cores where it is None. The rules do not depend on it.

        Returns
        -------
        rules : separa.Rules
            ``print`` shows them; ``rules.rules`` is a list of dicts, ``rules.fidelity`` says how often they are right.

        Examples
        --------
        >>> import numpy as np, separa
        >>> X = np.array([[i % 2 * 10 + i / 50, i % 7] for i in range(60)])
        >>> print(separa.fit(X, n_clusters=2).rules(X))
        cluster 0 if column 1 ≤ 6 (covers 100 %, right 100 %)
        cluster 1 if column 1 > 6 (covers 100 %, right 100 %)
        100 % of 30 held-out rows are in the cluster that the rules say (the largest cluster alone: 50 %)
        """
        _explain.check_given(X, "rules")
        return _explain.Rules(*_separa.rules(self._rule, self._read(X), _run.threads_of(n_jobs)))

    def explain(
        self, X: Any = None, rows: Any = None, *, background: Any = None, n_jobs: int | None = None
    ) -> list[_explain.Explanation]:
        """Why rows are in their clusters, and what would move them.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            As for :meth:`predict`.
        rows : int or sequence of int, optional
            The rows to explain, by their place from 0; all of them where it is None.
        background : array-like, sparse rows or table, optional
            Rows to compare with, such as the training table; those of ``X`` where it is None.
        n_jobs : int, optional
            Threads; all cores where it is None. The answer does not depend on it.

        Returns
        -------
        explanations : list of separa.Explanation
            One per row: cluster, runner-up, margin, contributions, the smallest change that would move it, rows like it.
        """
        _explain.check_given(X, "explain")
        others = None if background is None else self._read(background)
        table = _table.Table(self._read(X), None)
        return _explain.explain(self, table, rows, others, n_jobs, self._classes)

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        y: Any = None,
        *,
        ids: Any = None,
        name: str = "table",
        n_jobs: int | None = None,
    ) -> None:
        """Writes a page to look at: one HTML file that needs no network.

        Parameters
        ----------
        path : path-like
            An existing file is replaced.
        X : array-like, sparse rows or table of shape (n_samples, n_features), optional
            The table that the model was fitted on. A model keeps none of its rows; without them the page
            says what the model knows, and why the rest is missing.
        y : array-like of shape (n_samples,), optional
            Known classes to compare the groups with; of a classifier, the classes of the rows. Needs ``X``, but
            for a clustering that has ``labels_``.
        ids : sequence of shape (n_samples,), optional
            What rows are called; their numbers from 0 where it is None.
        name : str
            What the table is called.
        n_jobs : int, optional
            Threads; all cores where it is None.

        Examples
        --------
        >>> import os, tempfile, separa
        >>> X = [[0.0, 10], [0.2, 11], [9, 95], [9.1, 97]]
        >>> model = separa.fit(X, n_clusters=2)
        >>> path = os.path.join(tempfile.mkdtemp(), "page.html")
        >>> model.report(path, X)
        >>> os.path.getsize(path) > 10_000
        True
        """
        _report.write(self, path, X, y, ids, name, n_jobs)

    def export(
        self,
        to: str,
        path: str | os.PathLike[str] | None = None,
        *,
        dialect: str = "duckdb",
        table: str = "data",
        keep: Sequence[str] = (),
    ) -> Any:
        """Writes the rule for another system, the preparation of the table included.

        Rules that compare rows with training rows (kernels, graphs, distances, sequences) cannot be exported: train
        a linear classifier on their labels, ``separa.MPMClassifier().fit(X, labels)``, and export that.

        Parameters
        ----------
        to : {"sql", "onnx", "python", "rust", "json"}
            The language.
        path : path-like, optional
            Where to write it; an existing file is replaced. Otherwise it is returned.
        dialect : {"duckdb", "postgres", "bigquery", "snowflake", "sqlite"}
            The system that a query is for.
        table : str
            The table that a query reads.
        keep : sequence of str
            Columns that a query repeats beside the label; by default the one that names the rows, or all that the
            rule looks at.

        Returns
        -------
        rule : str, bytes or None
            Text, but bytes of an ONNX model; None if it was written to ``path``.

        Examples
        --------
        >>> import separa
        >>> model = separa.fit([[0.0, 10], [0.2, 11], [9, 95], [9.1, 97]], n_clusters=2)
        >>> query = model.export("sql", table="shop.orders")
        >>> query.startswith("WITH")
        True
        """
        if isinstance(keep, str):
            raise ParameterError(f"keep must be a list of columns, got {keep!r}; write [{keep!r}]")
        written = self._rule.export(to, dialect, table, list(keep))
        if path is not None:
            with open(path, "wb") as file:
                file.write(written)
            return None
        return written if to == "onnx" else written.decode()

    def to_bytes(self) -> bytes:
        """The bytes of the model file."""
        return self._rule.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        """The model in the bytes of a model file."""
        return cls(_separa.Rule.from_bytes(bytes(data)))

    def to_estimator(self) -> Any:
        """This model as a fitted scikit-learn estimator of its class."""
        from . import _base

        return _base.from_model(self)

    def __reduce__(self) -> tuple[Any, ...]:
        labels = self._rule.labels()
        notes = (self._preparation_notes,) if self._preparation_notes else ()
        return _restore, (self.to_bytes(), None if labels is None else labels.tobytes(), *notes)

    def __repr__(self) -> str:
        said = f", msp={self.msp_:.3f}" if self.msp_ is not None else ""
        things = "clusters" if self._classes is None else "classes"
        return f"<separa.Model {self.method}: {self.n_clusters_} {things}{said}>"

    def _repr_html_(self) -> str:
        """Verdict, sizes, map and profile. The map needs the rows: it is there while the table of the fit is."""
        X = None if self._training is None else self._training()
        if X is None or self._info["n"] > GLANCE:
            return _separa.notebook(self._rule)
        try:
            return _separa.notebook(self._rule, self._read(X))
        except (DataError, ModelError):
            # The table changed since the fit.
            return _separa.notebook(self._rule)


def _restore(data: bytes, labels: bytes | None, notes: Iterable[str] = ()) -> Model:
    """What pickles call: bytes of a model file, bytes of int32 labels, and what was done to the data frame."""
    if labels is None:
        return Model(_separa.Rule.from_bytes(data), notes=notes)
    known = np.frombuffer(labels[: len(labels) // 4 * 4], dtype=np.int32)
    model = Model(_separa.Rule.from_bytes(data, known.tolist()), notes=notes)
    training = model._info
    # The file has a checksum; the labels beside it have the clusters' sizes. A classifier's sizes are those of the classes
    # that were given, which its own labels need not have.
    sizes = [int(np.count_nonzero(known == c)) for c in range(len(training["sizes"]))]
    aside = int(np.count_nonzero(known == -1))
    whole = 4 * training["n"] == len(labels) and sum(sizes) + aside == training["n"]
    if not whole or (model._classes is None and sizes != training["sizes"]):
        raise ModelError("not a usable model file: the labels beside it are not those of its rows")
    return model
