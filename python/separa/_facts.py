"""What is known of a fit."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _importance, _separa

Labels = npt.NDArray[np.int32]

#: What :attr:`Facts.report_` holds.
REPORT = ("objective", "iterations", "stop", "initializations", "trace", "notes")


def _cluster_number(cluster: Any) -> int:
    try:
        number = operator.index(cluster)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"names are given by the number of a cluster, from 0, got {cluster!r}")
    return number


class Facts:
    """A fitted rule and what its model file says of it."""

    def __init__(self, rule: _separa.Rule, notes: Iterable[str] = ()) -> None:
        self._rule = rule
        #: What was done to the data frame of the fit; a model file holds the preparation itself.
        self._preparation_notes = list(notes)
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
    def names(self) -> dict[int, str]:
        """Names of clusters, given by you and kept in the model file; labels stay numbers.

        Examples
        --------
        >>> import separa
        >>> model = separa.fit([[0.0, 10], [0.2, 11], [9, 95], [9.1, 97]], n_clusters=2)
        >>> model.names = {0: "small", 1: "large"}
        >>> [model.names[label] for label in model.predict([[8.9, 96]])]
        ['large']
        """
        return {int(cluster): str(name) for cluster, name in self._info.get("names", {}).items()}

    @names.setter
    def names(self, names: Mapping[int, str]) -> None:
        given = {_cluster_number(cluster): str(name) for cluster, name in names.items()}
        self._rule = self._rule.renamed(given)
        self._about = None

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
        """What to know about the fit, warnings and notices, as sentences; first what was done to a data frame, which
        a model that was loaded from a file has as ``preparation_`` only."""
        return self._preparation_notes + [note["sentence"] for note in self._info["notes"]]

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
        """Worst-case separability of the closest pair of clusters."""
        return self._judged("msp")

    @property
    def msp_null_(self) -> float | None:
        """Null MSP: what a single Gaussian would score, split in the same place."""
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
        """Which features separate every pair of clusters, the largest first."""
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
