"""The clusters in words, and why single rows are where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _run, _separa, _table
from .exceptions import DataError

if TYPE_CHECKING:
    from ._model import Model

__all__ = ["Explanation", "Rules"]


class Rules:
    """The clusters as rules in words: ``print`` shows them.

    Attributes
    ----------
    rules : list of dict
        ``cluster``, ``conditions`` (``column``, ``op``: ``">"``, ``"<="``, ``"is"`` or ``"is not"``, ``value``), ``text``,
        ``covers`` (the part of the cluster's held-out rows that the rule holds for) and ``right`` (the part of the
        held-out rows that it holds for that is in the cluster); of a classifier, ``name``, too.
    fidelity : float
        The fraction of held-out rows that the rules put into the right cluster.
    baseline : float
        What the largest cluster alone would get right.
    info : dict
        All of it, as ``separa cluster --rules --json`` has it.

    Examples
    --------
    >>> import numpy as np, separa
    >>> X = np.array([[i % 2 * 10 + i / 50, i % 7] for i in range(60)])
    >>> rules = separa.fit(X, n_clusters=2).rules(X)
    >>> rules.fidelity
    1.0
    >>> rules.rules[1]["conditions"]
    [{'column': 'column 1', 'op': '>', 'value': 6.0}]
    """

    def __init__(self, text: str, info: dict[str, Any]) -> None:
        self._text = text
        self.info = info
        self.rules: list[dict[str, Any]] = info["rules"]
        self.fidelity = float(info["fidelity"])
        self.baseline = float(info["baseline"])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<separa.Rules: {len(self.rules)} rules, fidelity {self.fidelity:.3f}>"


class Explanation:
    """Why a row is in its cluster, and what would move it: ``print`` shows it.

    Attributes
    ----------
    row : int
        Its place in the table, from 0.
    cluster, runner_up : int, of a classifier the classes
        Its cluster, and the one that came second.
    confidence : float or None
        The probability of its cluster, where the model has one.
    margin, base : float
        By how much its cluster is ahead of the runner-up; what of it is no column's, about 0.
    method : {"exact", "sampled"}
        Terms of a linear rule, or Shapley values by permutation sampling.
    contributions : dict
        What every column adds to the margin, the largest (without its sign) first, at most 50. With ``base`` and
        ``info["rest"]["contribution"]`` they add up to ``margin``.
    counterfactual : dict or None
        The smallest change that was found to move the row to the runner-up: ``changes`` (``column``, ``from``, ``to``,
        ``distance``), their ``distance`` in standard deviations, and whether it is the ``smallest`` there is.
    single_changes : list of dict
        Changes of one column alone that move it there.
    exemplars : list of dict
        The ``row``, from 0, and ``distance`` of rows of its cluster that are most like it.
    info : dict
        All of it, as ``separa explain --json`` has it, rows from 0.

    Examples
    --------
    >>> import numpy as np, separa
    >>> X = np.array([[i % 2 * 10 + i / 50, i % 7] for i in range(60)])
    >>> (why,) = separa.fit(X, n_clusters=2).explain(X, rows=[0])
    >>> why.cluster, why.runner_up, why.method, next(iter(why.contributions))
    (0, 1, 'exact', 'column 1')
    >>> bool(abs(sum(why.contributions.values()) + why.base - why.margin) < 1e-10)
    True
    """

    def __init__(self, info: dict[str, Any], classes: Any = None) -> None:
        self.info = info
        self.row: int = info["row"]
        found = [info["cluster"], info["runner_up"]]
        self.cluster, self.runner_up = found if classes is None else [classes[c] for c in found]
        self.confidence: float | None = info.get("confidence")
        self.margin = float(info["margin"])
        self.base = float(info["base"])
        self.method: str = info["method"]
        self.contributions: dict[str, float] = {c["column"]: float(c["contribution"]) for c in info["contributions"]}
        self.counterfactual: dict[str, Any] | None = info["counterfactual"]
        self.single_changes: list[dict[str, Any]] = info["single_changes"]
        self.exemplars: list[dict[str, Any]] = info["exemplars"]

    def __str__(self) -> str:
        sure = "" if self.confidence is None else f" (confidence {self.confidence:.3f})"
        lines = [f"row {self.row}: {self.cluster}{sure}, runner-up {self.runner_up}, margin {self.margin:.4g}"]
        for c in self.info["contributions"][:8]:
            lines.append(f"  {c['contribution']:+.4g}  {c['column']} = {_shown(c['value'])}")
        if self.counterfactual is not None:
            lines.append(f"moves to {self.runner_up}: " + ", ".join(map(_change, self.counterfactual["changes"][:8])))
        if self.single_changes:
            lines.append("or by one column: " + "; ".join(map(_change, self.single_changes[:3])))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<separa.Explanation of row {self.row}: {self.cluster}, runner-up {self.runner_up}>"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.5g}"


def _change(change: dict[str, Any]) -> str:
    return f"{change['column']} {_shown(change['from'])} -> {_shown(change['to'])}"


def check_given(X: Any, verb: str) -> None:
    """Refuses a call without a table: a model holds none of its rows."""
    if X is None:
        raise TypeError(f"{verb}() needs the table: {verb}(X)")


def explain(
    model: Model, table: _table.Table, rows: Any, background: Any, n_jobs: int | None, classes: Any
) -> list[Explanation]:
    """Explains rows of a table, compared with others that the engine can take."""
    n = table.n_rows
    asked = np.arange(n) if rows is None else np.atleast_1d(np.asarray(rows))
    if asked.size == 0:
        return []
    if asked.dtype.kind not in "iu":
        raise DataError(f"rows must be whole numbers from 0 to {n - 1}, got {rows!r}")
    strange = asked[(asked < 0) | (asked >= n)]
    if len(strange) > 0:
        raise DataError(f"row {strange[0]} is not in the table, expected a number from 0 to {n - 1}")
    run = (int(model._info["seed"]), _run.threads_of(n_jobs))
    found = _separa.explain(model._rule, table.rows, asked.tolist(), background, run)
    return [Explanation(info, classes) for info in found]
