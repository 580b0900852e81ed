"""A fitted rule, as Python holds it."""

from __future__ import annotations

import os
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _importance, _prepare, _report, _run, _separa, _table
from .exceptions import ModelError

__all__ = ["Model"]

Labels = npt.NDArray[np.int32]

#: What :attr:`Model.report_` holds.
REPORT = ("objective", "iterations", "stop", "initializations", "trace", "notes")


#: What a profile says of a feature.
_PROFILE = ("mean", "median", "others", "effect", "effect_low", "effect_high")


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
    agreement_, agreement_chance_ : float or None
        How often rules learnt on two halves of the rows put a row into the same cluster, and what chance gives.
    msp_, msp_null_, p_gauss_, p_unimodal_ : float or None
        How separable the clusters are, what one Gaussian cloud would score, and two p-values. None
        where the fit was stopped, or not asked to judge, or where there are too few rows to tell.
    feature_importance_ : dict
        ``{(a, b): {feature: share}}``: which features separate every pair of clusters, the largest
        shares first; at least 20 of each pair, or all. Empty where the fit was not judged.
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
        """What the model file says: method, parameters, feature names, the fit's report. A copy."""
        return deepcopy(self._info)

    @property
    def _info(self) -> dict[str, Any]:
        """The same, asked for once and not to be changed."""
        if self._about is None:
            self._about = self._rule.about()
        return self._about

    @property
    def method(self) -> str:
        """The method's name, one of :func:`separa.methods`."""
        return str(self._info["method"])

    @property
    def params(self) -> dict[str, Any]:
        """The method's parameters, defaults included."""
        return dict(deepcopy(self._info["params"]))

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
    def _classes(self) -> Any:
        """The names of a classifier's classes; none of a clustering."""
        return named(self._info) if "classes" in self._info else None

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """The names of the classes, where the rule is a classifier's."""
        classes: npt.NDArray[Any] | None = self._classes
        if classes is None:
            raise AttributeError("a clustering has no classes")
        return classes

    @property
    def n_clusters_(self) -> int:
        """Number of clusters."""
        return int(self._info["k"])

    @property
    def n_features_in_(self) -> int:
        """Number of columns that the rule takes."""
        return int(self._info["d"])

    @property
    def feature_names_in_(self) -> npt.NDArray[np.object_]:
        """Names of the training table's columns."""
        names = self._info["feature_names"]
        if names is None:
            raise AttributeError("the training table had no column names")
        return np.array(names, dtype=object)

    @property
    def auto_(self) -> dict[str, Any]:
        """How the number of clusters was found; only where it was."""
        found = self._info.get("auto")
        if found is None:
            raise AttributeError("the number of clusters was given, not found (n_clusters=\"auto\")")
        return dict(deepcopy(found))

    @property
    def report_(self) -> dict[str, Any]:
        """How the fit went: ``objective``, ``iterations``, ``stop``, ``initializations``, ``trace``,
        ``notes``."""
        return {name: deepcopy(self._info[name]) for name in REPORT}

    @property
    def notes_(self) -> list[str]:
        """What to know about the fit, warnings and notices, as sentences."""
        return [note["sentence"] for note in self._info["notes"]]

    @property
    def preparation_(self) -> dict[str, Any] | None:
        """How the training table was prepared, column by column; None of an array."""
        found = self._info.get("preparation")
        return None if found is None else dict(deepcopy(found))

    @property
    def verdict_(self) -> str | None:
        """The clustering in one sentence; None of a classifier."""
        verdict = self._info.get("verdict")
        return None if verdict is None else str(verdict["text"])

    @property
    def objective_(self) -> float:
        """The method's own objective."""
        # JSON has no NaN, which a table that changed during the fit may lead to.
        value = self._info["objective"]
        return float("nan") if value is None else float(value)

    @property
    def n_iter_(self) -> int:
        """Iterations of the main loop."""
        return int(self._info["iterations"])

    @property
    def stop_(self) -> str:
        """How the fit ended: converged, max_iter, stalled or cancelled."""
        return str(self._info["stop"])

    @property
    def quality_(self) -> dict[str, Any]:
        """The whole quality block; empty where the fit was not judged."""
        return dict(deepcopy(self._info.get("quality") or {}))

    @property
    def agreement_(self) -> float | None:
        """Held-out agreement: how often rules learnt on two halves put a row into the same cluster."""
        return self._judged("agreement")

    @property
    def agreement_chance_(self) -> float | None:
        """What the held-out agreement would be by chance."""
        return self._judged("agreement_chance")

    @property
    def msp_(self) -> float | None:
        """Worst-case probability of telling the clusters apart; the least separated pair's."""
        return self._judged("msp")

    @property
    def msp_null_(self) -> float | None:
        """What one Gaussian cloud, cut at the same place, would score."""
        return self._judged("msp_null")

    @property
    def p_gauss_(self) -> float | None:
        """P-value of "it is one Gaussian"."""
        return self._judged("p_gauss")

    @property
    def p_unimodal_(self) -> float | None:
        """P-value of "there is no gap". The one to trust."""
        return self._judged("p_unimodal")

    @property
    def feature_importance_(self) -> _importance.Importance:
        """Which features separate every pair of clusters, the largest shares first."""
        found = (self._info.get("quality") or {}).get("importance", [])
        return _importance.nested(found, int, self._info["feature_names"])

    def _judged(self, name: str) -> float | None:
        value: float | None = (self._info.get("quality") or {}).get(name)
        return value

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
        """How likely each cluster is for every row, where the method has probabilities.

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

    def _read(self, X: Any) -> Any:
        how = self._rule.preparation()
        if how is not None and _table.is_frame(X):
            return _prepare.run(X, {}, how).values
        return _table.read(X, self._info["feature_names"], self._info["lists"]).rows

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, whole or not at all."""
        self._rule.save(os.fspath(path))

    def profile(self) -> Any:
        """What every cluster is: its features compared with those of all other rows, in the table's own units.

        Returns
        -------
        profile : pandas.DataFrame, or list of dict without pandas
            One line per cluster and feature, the largest effect first, at most 20 of each cluster: ``cluster``,
            ``size``, ``fraction``, ``name`` (suggested, made of the features that set the cluster apart), ``feature``,
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
            raise ValueError(
                "there is no profile: it is made of two clusters or more of a table of features, when the fit is judged "
                "(quality=True)"
            )
        lines = [
            {
                "cluster": cluster["cluster"],
                "size": cluster["size"],
                "fraction": cluster["fraction"],
                "name": cluster["name"],
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
        things = "clusters" if self._classes is None else "classes"
        return f"<separa.Model {self.method}: {self.n_clusters_} {things}{said}>"

    def _repr_html_(self) -> str:
        return str(_separa.notebook(self._rule))


def _restore(data: bytes, labels: bytes | None) -> Model:
    """What pickles call: bytes of a model file, bytes of int32 labels."""
    if labels is None:
        return Model(_separa.Rule.from_bytes(data))
    known = np.frombuffer(labels[: len(labels) // 4 * 4], dtype=np.int32)
    model = Model(_separa.Rule.from_bytes(data, known.tolist()))
    training = model._info
    # The file has a checksum; the labels beside it have the clusters' sizes. A classifier's sizes are those of the classes
    # that were given, which its own labels need not have.
    sizes = [int(np.count_nonzero(known == c)) for c in range(len(training["sizes"]))]
    aside = int(np.count_nonzero(known == -1))
    whole = 4 * training["n"] == len(labels) and sum(sizes) + aside == training["n"]
    if not whole or (model._classes is None and sizes != training["sizes"]):
        raise ModelError("not a usable model file: the labels beside it are not those of its rows")
    return model


def flat(decision: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """One column as a vector."""
    return decision[:, 0] if decision.shape[1] == 1 else decision


def named(trained: dict[str, Any]) -> npt.NDArray[Any]:
    """Class names from a file: text where it was text; where that is not known whole numbers, numbers or truth
    values if all are written as Python writes them. So "01" stays text, and no two names become one."""
    names: list[str] = trained["classes"]
    if trained.get("text"):
        return np.array(names)
    truths = {"False": False, "True": True}
    if all(name in truths for name in names):
        return np.array([truths[name] for name in names])
    for kind in (int, float):
        try:
            values = [kind(name) for name in names]
        except ValueError:
            continue
        if [str(value) for value in values] == list(names):
            return np.array(values)
    return np.array(names)
