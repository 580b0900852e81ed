"""Training on rows that are read block by block: one pass, for the classifier that can."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _model, _run, _separa, _stream, _table
from ._fit import plain
from .exceptions import DataError, ParameterError

#: The classifier that learns in one pass.
STREAMED = "mcpm"


def fit(estimator: Any, blocks: Any, target: Any, weights: Any, params: dict[str, Any]) -> Any:
    """Trains an estimator on blocks; `target` is the column of the classes."""
    if estimator._method != STREAMED:
        raise ParameterError(
            f"{type(estimator).__name__} needs all rows at once; MCPMClassifier reads them block by block"
        )
    if weights is not None:
        raise ParameterError("sample weights are for tables in memory, not for rows that are read block by block")
    if not isinstance(target, str):
        raise ParameterError(f"`y` must be the name of the column of the classes where X is read in blocks, got {target!r}")
    if not isinstance(blocks, _stream.Blocks):
        raise DataError(f"expected blocks on this machine (separa.open), got {type(blocks).__name__}")
    seen = Seen(target, params, estimator)
    for block in blocks:
        if _stream.n_rows(block) > 0:
            seen.see(block)
    return seen.adopt(estimator)


class Seen:
    """What came so far: the columns, the classes in the order in which they came, and the engine's stream."""

    def __init__(self, target: str, params: dict[str, Any], estimator: Any) -> None:
        self.target, self.params = target, params
        self.run = _run.settings(estimator.random_state, estimator.n_jobs, estimator.max_memory, False)
        self.numbers: dict[Any, int] = {}
        self.columns: list[str] = []
        self.stream: Any = None

    def see(self, block: Any) -> None:
        names = _table.column_names(block)
        if names is None or self.target not in names:
            raise DataError(f'no column "{self.target}"; `y` names the column of the classes')
        if self.stream is None:
            self.columns = [name for name in names if name != self.target]
            how = (self.run["seed"], self.run["memory"])
            self.stream = _separa.ClassStream(plain(self.params), len(self.columns), how)
        rows = _table.read(block, self.columns).rows
        self.stream.see(rows, self.classes(_table.column_at(block, names.index(self.target))), self.run["threads"])

    def classes(self, column: Any) -> list[int]:
        """The numbers of the classes; a new one gets the next."""
        values = np.asarray(column.to_numpy(), dtype=object).tolist()
        if any(value is None or value != value for value in values):
            raise DataError(f'column "{self.target}" has a gap, expected a class in every row')
        return [self.numbers.setdefault(value, len(self.numbers)) for value in values]

    def adopt(self, estimator: Any) -> Any:
        if self.stream is None:
            raise DataError("the blocks hold no rows, expected at least one")
        rule = self.stream.finish([str(value) for value in self.numbers], self.columns, self.run["threads"])
        estimator.n_features_in_ = len(self.columns)
        estimator.feature_names_in_ = np.array(self.columns, dtype=object)
        model = _model.Model(rule)
        by_name = {str(value): value for value in self.numbers}
        estimator._adopt(model, np.array([by_name[name] for name in model._info["classes"]]))
        return estimator
