"""What all classifiers share, in scikit-learn's terms."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from . import _callbacks, _class_stream, _facts, _fit, _labelling, _model, _pictured, _run, _separa, _stream, _table
from ._base import RUN_PARAMETERS, Explained

#: The class that `fit` was called on, so that a checker knows what it returns.
Self = TypeVar("Self", bound="BaseClassifier")


class BaseClassifier(_pictured.Pictured, ClassifierMixin, Explained):  # type: ignore[misc]
    """Fit, predict and the attributes of a classifier; a class adds its name and its parameters."""

    _method: ClassVar[str]

    random_state: _run.RandomState
    n_jobs: int | None
    max_memory: int | str | None

    classes_: npt.NDArray[Any]
    model_: _model.Model
    accuracy_: float
    held_out_: float | None
    settings_: dict[str, Any]
    bounds_: list[dict[str, Any]]
    coef_: npt.NDArray[np.float64]
    intercept_: npt.NDArray[np.float64]

    @_callbacks.managed
    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learns from rows with known classes.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            NumPy, pandas, polars, Arrow or SciPy. Float64 in C order is read where it lies: do not
            change it from another thread while the fit runs. Files are read block by block by :func:`separa.open`.
        y : array-like of shape (n_samples,)
            The class of every row: numbers, text or anything that sorts. Where rows are read block by block, the name
            of the column of the classes.
        sample_weight : array-like of shape (n_samples,), optional
            0 or more each; a weight of 3 counts as three equal rows.

        Returns
        -------
        self : object
            The estimator, fitted.
        """
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        blocks = _stream.backend_of(X)
        if blocks is not None:
            own = {n: v for n, v in self.get_params(deep=False).items() if n not in RUN_PARAMETERS}
            trained: Self = _class_stream.fit(self, blocks, y, sample_weight, own)
            return trained
        table = self._table(X, reset=True)
        classes, numbers = self._target(y, table)
        weights = _table.weights(sample_weight, table.n_rows)
        params = self.get_params(deep=False)
        run = _run.settings(self.random_state, self.n_jobs, self.max_memory, quality=False)
        own = {name: value for name, value in params.items() if name not in RUN_PARAMETERS}
        callbacks = [] if params["callback"] is None else [params["callback"]]
        bar = _run.bar_of(self._method, params["verbose"])
        with _callbacks.task(self, X, y, sample_weight) as step:
            callbacks += [] if step is None else [step]
            listener = _run.listener_of(callbacks, bar)
            try:
                rule = _separa.train(
                    self._method,
                    _fit.plain(own),
                    table.rows,
                    table.columns,
                    weights,
                    (numbers.tolist(), [str(name) for name in classes], is_text(classes)),
                    {**run, "listener": listener},
                )
            finally:
                if bar is not None:
                    bar.close()
            self._adopt(_model.Model(rule, X, table.notes), classes)
        _fit.warn(self.model_, ConvergenceWarning)
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class of every row.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)
            Named columns must be those of the fit, in its order; those that became no features can be left out.

        Returns
        -------
        classes : ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        rows = self._table(X, reset=False).rows
        labels = self.model_._rule.predict(rows, _run.threads_of(self.n_jobs))
        found: npt.NDArray[Any] = self.classes_[labels]
        return found

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """How each row was decided.

        Two classes: one value a row, ``classes_[1]`` where it is 0 or more. More: one column a class, the
        largest wins. Values are no probabilities.

        Parameters
        ----------
        X : array-like, sparse rows or table of shape (n_samples, n_features)

        Returns
        -------
        values : ndarray of shape (n_samples,) for two classes, else (n_samples, n_classes)
        """
        check_is_fitted(self)
        rows = self._table(X, reset=False).rows
        return _labelling.flat(self.model_._rule.decision(rows, _run.threads_of(self.n_jobs)))

    def _target(self, y: Any, table: _table.Table) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """The classes, sorted, and the number of every row's."""
        y = column_or_1d(y, warn=True)
        if y.dtype.kind == "f":
            assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        check_consistent_length(np.empty(table.n_rows), y)
        classes, numbers = np.unique(y, return_inverse=True)
        return classes, numbers.reshape(-1)

    def _adopt(self, model: _model.Model, classes: Any = None) -> None:
        """Takes a model's attributes over as its own."""
        self.model_ = model
        trained = model._info
        self.classes_ = _facts.named(trained) if classes is None else classes
        for name in ("coef_", "intercept_"):
            # A refit may lack what an earlier fit had.
            self.__dict__.pop(name, None)
            value = getattr(model, name, None)
            if value is not None:
                setattr(self, name, value)
        self.accuracy_ = trained["accuracy"]
        self.held_out_ = trained["held_out"]
        self.settings_ = trained["settings"]
        self.bounds_ = trained.get("bounds", [])


def is_text(classes: npt.NDArray[Any]) -> bool:
    """Whether all classes are text, even where it reads as numbers."""
    return all(isinstance(name, str) for name in classes.tolist())
