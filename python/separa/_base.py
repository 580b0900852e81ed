"""What all estimator classes share: scikit-learn's conventions around one call of the engine."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from copy import copy
from inspect import Parameter, signature
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

try:
    import sklearn  # noqa: F401
except ImportError as missing:
    raise ImportError(
        "separa's estimator classes need scikit-learn 1.5 or newer (pip install scikit-learn); "
        "separa.fit works without it"
    ) from missing

from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from . import _callbacks, _explain, _facts, _fit, _importance, _labelling, _model, _pictured, _prepare, _run, _separa
from . import _stream, _table
from .exceptions import ParameterError

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # scikit-learn 1.5
    validate_data = None

#: The parameters that say how to run and not what to compute; every class has them.
RUN_PARAMETERS = ("random_state", "n_jobs", "max_memory", "callback", "verbose", "prepare")

#: The parameters that matter where the number of clusters is found; every class of a method has them.
AUTO_PARAMETERS = ("k_max",)

#: The parameters that may say that the table holds measures of pairs of rows.
MEASURES = ("metric", "affinity", "kernel", "similarity")

#: Parameters that were renamed, for pickles of other versions: the old name, the new one.
RENAMED = {"min_share": "min_cluster_size"}

#: The class that `fit` was called on, so that a checker knows what it returns.
Self = TypeVar("Self", bound="BaseClusterer")


def check_names(estimator: Any, X: Any) -> None:
    """Names of columns as everywhere in scikit-learn: those of the fit, in its order."""
    if validate_data is None:
        estimator._check_feature_names(X, reset=False)
        return
    from sklearn.utils.validation import _check_feature_names

    _check_feature_names(estimator, X, reset=False)


#: What a fit that was judged has.
_JUDGED = ("agreement_", "agreement_chance_", "msp_", "msp_null_", "p_gauss_", "p_unimodal_", "feature_importance_")


class Rows(_callbacks.Support, BaseEstimator):  # type: ignore[misc]
    """What all estimators share: how rows come in, pickles of other versions, tags."""

    #: The name of the method, where the class stands for one.
    _method: ClassVar[str] = ""

    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    prepare: str
    model_: _model.Model

    def export(self, to: str, path: str | os.PathLike[str] | None = None, **how: Any) -> Any:
        """Writes the rule as SQL, ONNX, Python, Rust or JSON.

        Parameters
        ----------
        to, path, **how
            As of ``model_.export``.

        Returns
        -------
        rule : str, bytes or None
            Text, but bytes of an ONNX model; None if it was written to ``path``.
        """
        check_is_fitted(self)
        return self.model_.export(to, path, **how)

    def _read_groups(self, X: Any, reset: bool) -> _table.Table:
        """A list of tables, which scikit-learn does not know; columns are found by name."""
        known = None if reset else getattr(self, "feature_names_in_", None)
        names = None if known is None else [str(name) for name in known]
        table = _table.read_groups(X, _fit.group_kind(self._method), names)
        if reset:
            self.n_features_in_ = np.shape(table.rows[0])[1]
            self.__dict__.pop("feature_names_in_", None)
            if table.names is not None:
                self.feature_names_in_ = np.array(table.names, dtype=object)
        return table

    def _prepared(self, X: Any, reset: bool) -> _table.Table | _prepare.Prepared | None:
        """The features of a data frame that needs something done; of one that does not, its preparation."""
        wanted = _prepare.choice(getattr(self, "prepare", "none")) and _table.is_frame(X) and not self._pairwise_table()
        if not wanted or len(X) == 0 or len(_table.columns_of(X)) == 0:
            return None
        if not reset:
            how = self._how_prepared()
            if how is None:
                return None
            # scikit-learn refuses names that repeat; the preparation knows its columns itself.
            if not _prepare.repeated(X):
                check_names(self._without_absent(X, how), X)
            return _table.Table(_prepare.for_new(X, how).values, None)
        done = _prepare.run(X, {}, None)
        if _prepare.is_plain(done, X):
            return done
        self.n_features_in_ = len(_table.columns_of(X))
        self.__dict__.pop("feature_names_in_", None)
        if _table.column_names(X) is not None:
            self.feature_names_in_ = np.array(_prepare.titles(X), dtype=object)
        return _prepare.as_table(done)

    def _how_prepared(self) -> str | None:
        """How the training table was prepared, as text for the engine; None of an array."""
        return self.model_._rule.preparation()

    def _without_absent(self, X: Any, how: str) -> Any:
        """A copy for scikit-learn's check of names, without the columns that are no features and that `X` lacks."""
        known = getattr(self, "feature_names_in_", None)
        absent = _prepare.unused(json.loads(how)) - set(_table.column_names(X) or ())
        if known is None or not absent:
            return self
        expected = copy(self)
        expected.feature_names_in_ = np.array([name for name in known if name not in absent], dtype=object)
        return expected

    def _table(self, X: Any, reset: bool) -> _table.Table:
        """Rows as the engine takes them, checked by scikit-learn; the engine looks for NaN itself,
        since it can say where."""
        if _table.is_groups(X):
            return self._read_groups(X, reset)
        prepared = self._prepared(X, reset)
        if isinstance(prepared, _table.Table):
            return prepared
        X = _table.check(X)
        how: dict[str, Any] = {"accept_sparse": "csr", "dtype": np.float64, "order": "C"}
        if validate_data is None:
            X = self._validate_data(X, reset=reset, force_all_finite=False, **how)
        else:
            X = validate_data(self, X, reset=reset, ensure_all_finite=False, **how)
        # scikit-learn lets unaligned arrays through.
        rows = _table.read(X).rows
        known = getattr(self, "feature_names_in_", None)
        names = None if known is None else [str(name) for name in known]
        if prepared is None:
            return _table.Table(rows, names)
        return _table.Table(rows, names, None if names is None else prepared.text, tuple(prepared.notes))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Fills in the parameters that the version which wrote a pickle did not have yet, or called
        otherwise."""
        for old, new in RENAMED.items():
            if old in state:
                state[new] = state.pop(old)
        super().__setstate__(state)
        for name, parameter in signature(type(self).__init__).parameters.items():
            if parameter.default is not Parameter.empty:
                self.__dict__.setdefault(name, parameter.default)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._pairwise_table()
        return tags

    def _more_tags(self) -> dict[str, Any]:
        """The same for scikit-learn 1.5."""
        return {"X_types": ["2darray", "sparse"], "pairwise": self._pairwise_table()}

    def _pairwise_table(self) -> bool:
        """Whether columns stand for rows, so that a part of the rows needs that part of the columns."""
        measures = (getattr(self, name, None) for name in MEASURES)
        return any(isinstance(m, str) and m == "precomputed" for m in measures)


class Explained(Rows):
    """What can be asked of a fitted rule, a clustering's or a classifier's, about the table that it labels."""

    n_jobs: int | None

    @property
    def notes_(self) -> list[str]:
        """What to know about the fit, as sentences; first what was done to a data frame."""
        check_is_fitted(self)
        return self.model_.notes_

    @property
    def preparation_(self) -> dict[str, Any] | None:
        """How a data frame was prepared, column by column; None of an array."""
        check_is_fitted(self)
        return self.model_.preparation_

    def rules(self, X: Any = None) -> _explain.Rules:
        """The clusters or classes as rules in words: a decision tree of at most four thresholds.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            The training table, or another with its columns.

        Returns
        -------
        rules : separa.Rules
            As of ``model_.rules(X)``: ``print`` shows them.
        """
        _explain.check_given(X, "rules")
        check_is_fitted(self)
        rows = self._table(X, reset=False).rows
        return _explain.Rules(*_separa.rules(self.model_._rule, rows, _run.threads_of(self.n_jobs)))

    def explain(self, X: Any = None, rows: Any = None, *, background: Any = None) -> list[_explain.Explanation]:
        """Why rows are in their clusters or classes, and what would move them.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
        rows : int or sequence of int, optional
            The rows to explain, by their place from 0; all of them where it is None.
        background : array-like, sparse rows or table, optional
            Rows to compare with, such as the training table; those of ``X`` where it is None.

        Returns
        -------
        explanations : list of separa.Explanation
            As of ``model_.explain(X)``: ``print`` shows each.
        """
        _explain.check_given(X, "explain")
        check_is_fitted(self)
        others = None if background is None else self._table(background, reset=False).rows
        table = self._table(X, reset=False)
        classes = getattr(self, "classes_", None)
        return _explain.explain(self.model_, table, rows, others, self.n_jobs, classes)


class BaseClusterer(_pictured.Pictured, ClusterMixin, Explained):  # type: ignore[misc]
    """Fit, predict and the attributes of a method; a class adds its name and its parameters."""

    random_state: _run.RandomState
    n_jobs: int | None
    max_memory: int | str | None
    k_max: int | None

    labels_: _facts.Labels
    model_: _model.Model
    n_clusters_: int
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    objective_: float
    n_iter_: int
    stop_: str
    agreement_: float | None
    agreement_chance_: float | None
    msp_: float | None
    msp_null_: float | None
    p_gauss_: float | None
    p_unimodal_: float | None
    feature_importance_: _importance.Importance
    auto_: dict[str, Any]
    coef_: npt.NDArray[np.float64]
    intercept_: npt.NDArray[np.float64]

    @property
    def names(self) -> dict[int, str]:
        """Names of clusters, given by you: those of ``model_.names``, by which plots, reports and files call them."""
        check_is_fitted(self)
        return self.model_.names

    @names.setter
    def names(self, names: Mapping[int, str]) -> None:
        check_is_fitted(self)
        self.model_.names = dict(names)

    @_callbacks.managed
    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fits the method to a table.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            NumPy, pandas, polars, Arrow or SciPy. Float64 in C order is read where it lies: do not
            change it from another thread while the fit runs. Files that :func:`separa.open` opens, pyarrow
            datasets and polars LazyFrames are read block by block, in several passes; there is no ``labels_`` then.
        y : ignored
            Here for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            0 or more each; a weight of 3 counts as three equal rows.

        Returns
        -------
        self : object
            The estimator, fitted.
        """
        blocks = _stream.backend_of(X)
        if blocks is not None:
            return self._fit_blocks(blocks, sample_weight)
        table = self._table(X, reset=True)
        weights = _table.weights(sample_weight, table.n_rows)
        params = self.get_params(deep=False)
        run = _run.settings(self.random_state, self.n_jobs, self.max_memory, True, self.k_max)
        shared = (*AUTO_PARAMETERS, *RUN_PARAMETERS)
        own = {name: value for name, value in params.items() if name not in shared}
        callbacks = [] if params["callback"] is None else [params["callback"]]
        with _callbacks.task(self, X, y, sample_weight) as step:
            callbacks += [] if step is None else [step]
            rule = _fit.run_fit(
                self._method, own, table, weights, run, callbacks, params["verbose"]
            )
            self._adopt(_model.Model(rule, X, table.notes))
        _fit.warn(self.model_, ConvergenceWarning)
        return self

    def _fit_blocks(self: Self, blocks: Any, sample_weight: Any) -> Self:
        """`fit` on rows that are read block by block."""
        if sample_weight is not None:
            raise ParameterError("sample weights are for tables in memory, not for rows that are read block by block")
        fitted: Self = _stream.fit_estimator(self, blocks)
        return fitted

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> _facts.Labels:
        """Fits the method and returns ``labels_``.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            As for :meth:`fit`.

        Returns
        -------
        labels : ndarray of int32
        """
        self.fit(X, sample_weight=sample_weight)
        return self.labels_

    def profile(self) -> Any:
        """What every cluster is: its features compared with those of all other rows.

        Returns
        -------
        profile : pandas.DataFrame, or list of dict without pandas
            As of ``model_.profile()``.
        """
        check_is_fitted(self)
        return self.model_.profile()

    def predict(self, X: Any) -> _facts.Labels:
        """Labels rows, seen or not; the training rows get ``labels_``.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            Named columns must be those of the fit, in its order, as everywhere in scikit-learn, but columns that
            became no features can be left out; ``model_.predict`` finds them by name instead.

        Returns
        -------
        labels : ndarray of int32
        """
        check_is_fitted(self)
        rows = self._table(X, reset=False).rows
        return self.model_._rule.predict(rows, _run.threads_of(self.n_jobs))

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """How each row was decided.

        Two clusters: one value a row, cluster 1 where it is 0 or more. More: one column a cluster, the
        largest wins. Values are no probabilities.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)

        Returns
        -------
        values : ndarray of shape (n_samples,) for two clusters, else (n_samples, n_clusters)
        """
        check_is_fitted(self)
        rows = self._table(X, reset=False).rows
        return _labelling.flat(self.model_._rule.decision(rows, _run.threads_of(self.n_jobs)))

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """How likely each cluster is for every row.

        The method's own probabilities where it has them (``LogisticClustering``, ``MRMC``, ``FuzzyKMeans``, ``CRF``), else
        :meth:`confidence` for the cluster of the row, and the rest for the others by their scores.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_clusters)
            Every row sums to 1; the largest is the cluster of :meth:`predict`, but for ``CRF`` with
            ``decoding="viterbi"``: the likeliest path need not go through the likeliest states.
        """
        check_is_fitted(self)
        rows = self._table(X, reset=False).rows
        return self.model_._rule.proba(rows, _run.threads_of(self.n_jobs))

    def confidence(self, X: Any) -> Any:
        """How sure the cluster of every row is: of rows with confidence 0.9, nine of ten keep their cluster if the method
        is fitted to other rows.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)

        Returns
        -------
        confidence : pandas.DataFrame, or dict of ndarray without pandas
            As of ``model_.confidence``.
        """
        check_is_fitted(self)
        rows = self._table(X, reset=False).rows
        return self.model_._sure(self.model_._rule.confidence(rows, _run.threads_of(self.n_jobs)))

    def novelty(self, X: Any) -> Any:
        """How far rows lie from their clusters: a label far from all training rows means nothing.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)

        Returns
        -------
        novelty : pandas.DataFrame, or dict of ndarray without pandas
            As of ``model_.novelty``: ``label``, ``novelty`` (a distance) and ``novelty_p`` (its p-value).
        """
        check_is_fitted(self)
        rows = self._table(X, reset=False).rows
        return _labelling.columns(_labelling.NOVELTY, self.model_._rule.novelty(rows, _run.threads_of(self.n_jobs)))

    def drift(self, X: Any, alpha: float = 0.01) -> dict[str, Any]:
        """Whether new rows are distributed like the training rows.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
        alpha : float
            The largest chance of a finding where nothing has changed.

        Returns
        -------
        drift : dict
            As of ``model_.drift``: ``drift`` (whether anything has changed), ``text``, ``clusters``, ``features``, ``novelty``.
        """
        check_is_fitted(self)
        rows = self._table(X, reset=False).rows
        return self.model_._rule.drift(rows, float(alpha), _run.threads_of(self.n_jobs))

    def _adopt(self, model: _model.Model) -> None:
        """Takes a model's attributes over as its own."""
        self.model_ = model
        for name in ("labels_", "coef_", "intercept_", "auto_"):
            # A refit may lack what an earlier fit had.
            self.__dict__.pop(name, None)
            value = getattr(model, name, None)
            if value is not None:
                setattr(self, name, value)
        for name in ("n_clusters_", "objective_", "n_iter_", "stop_"):
            setattr(self, name, getattr(model, name))
        for name in _JUDGED:
            setattr(self, name, getattr(model, name))


def from_model(model: _model.Model) -> Any:
    """The fitted estimator that a model came from, or could have come from."""
    import separa

    known = [*_fit.methods(), *_fit.classifiers()]
    (class_name,) = [m["class"] for m in known if m["name"] == model.method]
    params = dict(model.params)
    if params.get("init") == "given":
        # The labels belong to the data and are not in the file.
        params["init"] = "auto"
    estimator: Any = getattr(separa, class_name)(
        random_state=model._info["seed"], **params
    )
    estimator.n_features_in_ = model.n_features_in_
    if model.info["feature_names"] is not None:
        estimator.feature_names_in_ = model.feature_names_in_
    estimator._adopt(model)
    return estimator
