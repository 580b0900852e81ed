"""The functional core: fit by name, a model, files. Needs NumPy alone."""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any, Mapping

import numpy as np
import numpy.typing as npt

from . import _html, _run, _separa, _table
from .exceptions import ConvergenceWarning, ModelError, ParameterError, SeparaWarning

__all__ = ["Model", "fit", "load", "methods", "save"]

Labels = npt.NDArray[np.int32]


class Model:
    """A fitted rule: it labels rows, seen or not, and is what a ``.separa`` file holds.

    Made by :func:`separa.fit` and :func:`separa.load`; fitted estimators hold one as ``model_``.
    Pickles are the bytes of the model file, and beside them the labels of the training rows where the
    model has them.

    Attributes
    ----------
    labels_ : ndarray of int32
        Cluster of every training row. A model that was loaded from a file has none.
    n_clusters_, n_features_in_, n_iter_ : int
        Clusters, columns, and rounds of the main loop.
    feature_names_in_ : ndarray of str
        Only where the training table had names.
    objective_ : float
        The method's own objective.
    stop_ : {"converged", "max_iter", "stalled", "cancelled"}
        How the fit ended.
    msp_, msp_null_, p_gauss_, p_unimodal_ : float or None
        How separable the clusters are, what one Gaussian cloud would score, and two p-values. None
        where the fit was stopped, or not asked to judge, or where there are too few rows to tell.
    coef_, intercept_ : ndarray
        Only where the rule is linear: ``X @ coef_.T + intercept_`` are the decision values (mspc: of
        rows that its robust front does not clip).

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

    def __init__(self, rule: _separa.Rule) -> None:
        self._rule = rule
        self._about: dict[str, Any] | None = None

    @property
    def info(self) -> dict[str, Any]:
        """What the model file says: method, parameters, feature names, the fit's report."""
        if self._about is None:
            self._about = json.loads(self._rule.about())
        return self._about

    @property
    def method(self) -> str:
        """The method's name, one of :func:`separa.methods`."""
        return str(self.info["method"])

    @property
    def params(self) -> dict[str, Any]:
        """The method's parameters, defaults included."""
        return dict(self.info["params"])

    @property
    def labels_(self) -> Labels:
        """Cluster of every training row."""
        labels = self._rule.labels()
        if labels is None:
            raise AttributeError(
                "a model file holds no labels of its training rows; use predict on them"
            )
        return labels

    @property
    def n_clusters_(self) -> int:
        """Number of clusters."""
        return int(self.info["n_clusters"])

    @property
    def n_features_in_(self) -> int:
        """Number of columns that the rule takes."""
        return int(self.info["n_features"])

    @property
    def feature_names_in_(self) -> npt.NDArray[np.object_]:
        """Names of the training table's columns."""
        names = self.info["feature_names"]
        if names is None:
            raise AttributeError("the training table had no column names")
        return np.array(names, dtype=object)

    @property
    def report_(self) -> dict[str, Any]:
        """How the fit went: starts, trace, warnings, notices."""
        report = dict(self.info["training"]["report"])
        # What to keep in mind about the quality, as the command line says it.
        report["notices"] = report["notices"] + self.info["cautions"]
        return report

    @property
    def objective_(self) -> float:
        """The method's own objective."""
        # JSON has no NaN, which a table that changed during the fit may lead to.
        value = self.report_["objective"]
        return float("nan") if value is None else float(value)

    @property
    def n_iter_(self) -> int:
        """Rounds of the main loop."""
        return int(self.report_["iterations"])

    @property
    def stop_(self) -> str:
        """How the fit ended: converged, max_iter, stalled or cancelled."""
        return str(self.report_["stop"])

    @property
    def quality_(self) -> dict[str, Any]:
        """The whole quality block; empty where the fit was not judged."""
        return dict(self.info["training"]["quality"] or {})

    @property
    def msp_(self) -> float | None:
        """Worst-case probability of telling the clusters apart; the least separated pair's."""
        return self.quality_.get("msp")

    @property
    def msp_null_(self) -> float | None:
        """What one Gaussian cloud, cut at the same place, would score."""
        return self.quality_.get("msp_null")

    @property
    def p_gauss_(self) -> float | None:
        """P-value of "it is one Gaussian"."""
        return self.quality_.get("p_gauss")

    @property
    def p_unimodal_(self) -> float | None:
        """P-value of "there is no gap". The one to trust."""
        return self.quality_.get("p_unimodal")

    @property
    def coef_(self) -> npt.NDArray[np.float64]:
        """Weights of a linear rule, one row a column of the decision."""
        return self._linear()[0]

    @property
    def intercept_(self) -> npt.NDArray[np.float64]:
        """Constants of a linear rule."""
        return self._linear()[1]

    def _linear(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        rule = self._rule.linear()
        if rule is None:
            raise AttributeError("this rule is not linear in the columns of the table")
        return rule

    def predict(self, X: Any, *, n_jobs: int | None = None) -> Labels:
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
        labels : ndarray of int32
        """
        return self._rule.predict(self._read(X), _run.threads_of(n_jobs))

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

    def _read(self, X: Any) -> Any:
        return _table.read(X, self.info["feature_names"]).rows

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, whole or not at all."""
        self._rule.save(os.fspath(path))

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
        return _restore, (self.to_bytes(), None if labels is None else labels.tobytes())

    def __repr__(self) -> str:
        said = f", msp={self.msp_:.3f}" if self.msp_ is not None else ""
        return f"<separa.Model {self.method}: {self.n_clusters_} clusters{said}>"

    def _repr_html_(self) -> str:
        return _html.model(self)


def _restore(data: bytes, labels: bytes | None) -> Model:
    """What pickles call: bytes of a model file, bytes of int32 labels."""
    if labels is None:
        return Model(_separa.Rule.from_bytes(data))
    known = np.frombuffer(labels[: len(labels) // 4 * 4], dtype=np.int32)
    model = Model(_separa.Rule.from_bytes(data, known.tolist()))
    training = model.info["training"]
    # The file has a checksum; the labels beside it have the clusters' sizes.
    sizes = [int(np.count_nonzero(known == c)) for c in range(len(training["sizes"]))]
    aside = int(np.count_nonzero(known == -1))
    whole = 4 * training["n"] == len(labels) and sum(sizes) + aside == training["n"]
    if not whole or sizes != training["sizes"]:
        raise ModelError("not a usable model file: the labels beside it are not those of its rows")
    return model


def flat(decision: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """One column as a vector."""
    return decision[:, 0] if decision.shape[1] == 1 else decision


def fit(
    X: Any,
    method: str = "mspc",
    *,
    sample_weight: Any = None,
    random_state: _run.RandomState = 0,
    n_jobs: int | None = None,
    max_memory: int | str | None = None,
    quality: bool = True,
    callback: _run.Callback | None = None,
    verbose: int = 0,
    **params: Any,
) -> Model:
    """Fits a method by name. Needs NumPy alone; the estimator classes do the same for scikit-learn.

    The fit can be stopped: Ctrl-C raises KeyboardInterrupt, a callback that returns a true value keeps
    the best so far.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
        NumPy, pandas, polars, Arrow or SciPy. Float64 in C order is read where it lies: do not change
        it from another thread while the fit runs.
    method : str, default="mspc"
        A name of :func:`separa.methods`.
    sample_weight : array-like of shape (n_samples,), optional
        0 or more each; a weight of 3 counts as three equal rows.
    random_state : int, None, RandomState or Generator, default=0
        Seed of the starts. None draws a new seed at every call.
    n_jobs : int, optional
        Threads; all cores where it is None. The result does not depend on it.
    max_memory : int or str, optional
        Bytes or a size like "4G"; 80 % of what is free where it is None.
    quality : bool, default=True
        Whether to measure how separable the clusters are (``msp_`` and what belongs to it).
    callback : callable, optional
        Called with a :class:`separa.Progress` at every step; a true value ends the fit with its best
        so far.
    verbose : int, default=0
        1 shows a progress bar.
    **params
        The method's parameters by name, ``n_clusters=3`` say: those of the class (``help(separa.MSPC)``,
        :func:`separa.methods`).

    Returns
    -------
    model : Model
        The rule, with ``labels_`` and what else the fit found.

    Examples
    --------
    >>> import numpy as np, separa
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0, 1, (50, 2)), rng.normal(8, 1, (50, 2))])
    >>> model = separa.fit(X, method="mspc", n_clusters=2)
    >>> model.n_clusters_, bool(model.p_unimodal_ < 0.05)
    (2, True)
    """
    table = _table.read(X)
    run = {
        "seed": _run.seed_of(random_state),
        "threads": _run.threads_of(n_jobs),
        "memory": _run.memory_of(max_memory),
        "judge": bool(quality),
    }
    weights = _table.weights(sample_weight, table.n_rows)
    callbacks = [] if callback is None else [callback]
    rule = run_fit(method, params, table, weights, run, callbacks, verbose)
    model = Model(rule)
    warn(model, ConvergenceWarning)
    return model


def run_fit(
    method: str,
    params: Mapping[str, Any],
    table: _table.Table,
    weights: Any,
    run: Mapping[str, Any],
    callbacks: list[_run.Callback],
    verbose: int,
) -> _separa.Rule:
    """The call across the border, with a progress bar around it where one is wanted."""
    if not isinstance(method, str):
        raise ParameterError(f"`method` must be a name of separa.methods(), got {method!r}")
    bar = _run.Bar(method) if verbose else None
    listener = _run.listener_of(callbacks, bar)
    try:
        return _separa.fit(
            method, plain(params), table.rows, table.names, weights, {**run, "listener": listener}
        )
    finally:
        if bar is not None:
            bar.close()


def plain(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as plain values: NumPy's scalars as Python's, labels of a start as a list."""
    return {name: plain_value(name, value) for name, value in params.items()}


def plain_value(name: str, value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if name == "init" and not isinstance(value, str) and hasattr(value, "__len__"):
        labels = np.asarray(value)
        if labels.ndim != 1 or labels.dtype.kind not in "iu":
            raise ParameterError(
                "parameter `init` must be a word or one whole number a row, got an array of "
                f"{labels.dtype.name} with {labels.ndim} dimensions"
            )
        return labels.tolist()
    return value


def warn(model: Model, convergence: type[Warning]) -> None:
    """Tells what the fit's report wants its user to read, at the line that asked for the fit."""
    report = model.report_
    said: list[tuple[str, type[Warning]]] = [(s, SeparaWarning) for s in report["warnings"]]
    if report["stop"] == "max_iter":
        # The method may have said so in its own words.
        said = [(s, convergence if "max_iter" in s else kind) for s, kind in said]
        if all(kind is not convergence for _, kind in said):
            rounds = report["iterations"]
            said.append((f"not converged after {rounds} rounds; raise max_iter", convergence))
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and of_a_library(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    for sentence, kind in said:
        warnings.warn(f"{model.method}: {sentence}", kind, stacklevel=level)


def of_a_library(module: str) -> bool:
    """Whether code is separa's or scikit-learn's, between a fit and who asked for it."""
    return module.partition(".")[0] in ("separa", "sklearn")


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Writes a model or a fitted estimator as a ``.separa`` file, whole or not at all.

    Parameters
    ----------
    model : Model or fitted estimator
        Of a pipeline, its last step: ``separa.save(pipeline[-1], path)``.
    path : path-like
        An existing file is replaced.

    Examples
    --------
    >>> import os, tempfile, separa
    >>> model = separa.fit([[0.0], [0.1], [5.0], [5.1]], n_clusters=2)
    >>> path = os.path.join(tempfile.mkdtemp(), "rule.separa")
    >>> separa.save(model, path)
    >>> separa.load(path).predict([[0.05], [4.9]])
    array([0, 1], dtype=int32)
    """
    held = model if isinstance(model, Model) else getattr(model, "model_", None)
    if not isinstance(held, Model):
        raise ModelError(
            f"only a model or a fitted estimator of separa can be saved, got {type(model).__name__}"
        )
    held.save(path)


def load(path: str | os.PathLike[str]) -> Model:
    """Reads a ``.separa`` file, whoever wrote it: Python, Rust or the command line.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    model : Model
        ``model.to_estimator()`` makes a scikit-learn estimator of it.

    Examples
    --------
    >>> import os, tempfile, separa
    >>> path = os.path.join(tempfile.mkdtemp(), "rule.separa")
    >>> separa.save(separa.fit([[0.0], [0.1], [5.0], [5.1]], "kmeans", n_clusters=2), path)
    >>> separa.load(path)
    <separa.Model kmeans: 2 clusters, msp=0.500>
    """
    return Model(_separa.Rule.load(os.fspath(path)))


def methods() -> list[dict[str, Any]]:
    """Every method: its name, class, one line about it, and its parameters.

    Returns
    -------
    methods : list of dict
        Keys: ``name``, ``class``, ``about``, ``specs`` (of each parameter ``name``, ``expected``,
        ``default``, ``doc``) and ``defaults``.

    Examples
    --------
    >>> import separa
    >>> [m["name"] for m in separa.methods()][:2]
    ['mspc', 'kmeans']
    """
    found: list[dict[str, Any]] = json.loads(_separa.methods())
    return found
