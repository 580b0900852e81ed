"""Training on rows that are read block by block: a sample in memory, then passes over all rows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from . import _model, _run, _separa, _stream, _table
from ._fit import plain
from .exceptions import DataError, ParameterError


def fit(
    estimator: Any, blocks: Any, target: Any, weights: Any, params: dict[str, Any], block_threads: int | None = None
) -> Any:
    """Trains an estimator on blocks; `target` is the column of the classes."""
    if weights is not None:
        raise ParameterError("sample weights are for tables in memory, not for rows that are read block by block")
    if not isinstance(target, str):
        raise ParameterError(f"`y` must be the name of the column of the classes where X is read in blocks, got {target!r}")
    run = _run.settings(estimator.random_state, estimator.n_jobs, estimator.max_memory, False)
    found = train(estimator._method, params, blocks, target, run, block_threads)
    return adopt(estimator, found)


class Streamed(NamedTuple):
    """What came out of a training on blocks."""

    rule: _separa.Rule
    #: Of the features, where they have names.
    names: list[str] | None
    classes: npt.NDArray[Any]


def train(
    method: str, params: dict[str, Any], backend: Any, target: str | None, run: dict[str, Any],
    block_threads: int | None = None,
) -> Streamed:
    """Learns from a sample in memory, then from all blocks; `target` None is the last column of arrays."""
    counted: list[Counted] = backend.map_reduce(Count(target), _stream.append, [])
    counted_rows = [block for block in counted if block.classes]
    if not counted_rows:
        raise DataError("the blocks hold no rows, expected at least one")
    names = counted_rows[0].names
    sizes = total([block.classes for block in counted])
    classes = sorted_classes(sizes)
    most = _stream.sample_size(run["memory"], counted_rows[0].width, _stream.SAMPLE)
    places = _separa.class_sample([sizes[value] for value in classes.tolist()], most, run["seed"])
    frame = _stream.joined(taken(backend, target, counted, dict(zip(classes.tolist(), places))))
    reader = Split(names, target, classes.tolist())
    rows, numbers = reader(frame)
    weight = np.array([sizes[value] / max(1, len(own)) for value, own in zip(classes.tolist(), places)])
    from ._classifier import is_text

    named = (numbers, [str(value) for value in classes.tolist()], is_text(classes))
    rule = _separa.train(
        method, plain(params), rows, (names, None), weight[numbers], named, {**run, "listener": None}
    )
    passes = _separa.ClassPasses.begin(rule, rows, numbers)
    task = ClassSum(reader, run["threads"] if block_threads is None else block_threads)
    stop = None
    while stop is None:
        backend.map_reduce(task.of(passes.to_bytes()), _stream.add, passes)
        stop = passes.step()
    return Streamed(passes.finish(rule), names, classes)


def adopt(estimator: Any, found: Streamed) -> Any:
    """Gives an estimator what a training on blocks found."""
    model = _model.Model(found.rule)
    estimator.n_features_in_ = model._info["d"]
    estimator.__dict__.pop("feature_names_in_", None)
    if found.names is not None:
        estimator.feature_names_in_ = np.array(found.names, dtype=object)
    estimator._adopt(model, found.classes)
    return estimator


def total(parts: Sequence[dict[Any, int]]) -> dict[Any, int]:
    out: Counter[Any] = Counter()
    for part in parts:
        out.update(part)
    return out


def sorted_classes(sizes: dict[Any, int]) -> npt.NDArray[Any]:
    """The classes in the order that those of a table in memory have."""
    try:
        return np.unique(np.array(list(sizes)))
    except TypeError as wrong:
        raise DataError(f"the classes are of several types ({wrong}), expected numbers or text") from wrong


def taken(backend: Any, target: str | None, counted: Sequence[Counted], places: dict[Any, list[int]]) -> list[Any]:
    """The rows of the sample, by their places among the rows of their class."""
    before: Counter[Any] = Counter()
    each = []
    for block in counted:
        own = {}
        for value, count in block.classes.items():
            drawn = np.asarray(places[value], dtype=np.int64) - before[value]
            own[value] = drawn[(drawn >= 0) & (drawn < count)]
        before.update(block.classes)
        each.append(Wanted(own))
    parts: list[Any] = backend.map_reduce(TakeClasses(target), _stream.append, [], each)
    return [part for part in parts if _stream.n_rows(part) > 0]


def column(block: Any, target: str | None) -> npt.NDArray[Any]:
    """The classes of a block's rows."""
    if target is None:
        values = np.asarray(block)[:, -1]
    else:
        names = _table.column_names(block)
        if names is None or target not in names:
            raise DataError(f'no column "{target}"; `y` names the column of the classes')
        values = np.asarray(_table.column_at(block, names.index(target)).to_numpy())
    gaps = np.isnan(values) if values.dtype.kind == "f" else np.zeros(0, bool)
    if values.dtype == object:
        gaps = np.array([value is None or value != value for value in values.tolist()], dtype=bool)
    if gaps.any():
        shown = "the last column" if target is None else f'column "{target}"'
        raise DataError(f"{shown} has a gap, expected a class in every row")
    return values


class Counted(NamedTuple):
    """The features of a block, and how many of its rows each class has."""

    names: list[str] | None
    width: int
    classes: dict[Any, int]


@dataclass(frozen=True)
class Count:
    """The rows of each class in a block."""

    target: str | None

    def __call__(self, block: Any) -> Counted:
        names = _table.column_names(block)
        width = _stream.n_columns(block) - 1
        features = None if names is None else [name for name in names if name != self.target]
        if _stream.n_rows(block) == 0:
            return Counted(features, width, {})
        values = column(block, self.target)
        if values.dtype == object:
            return Counted(features, width, dict(Counter(values.tolist())))
        found, counts = np.unique(values, return_counts=True)
        return Counted(features, width, dict(zip(found.tolist(), counts.tolist())))

    @staticmethod
    def combine(results: Sequence[Counted]) -> Counted:
        return Counted(results[0].names, results[0].width, dict(total([part.classes for part in results])))


class Wanted:
    """Which rows of each class are wanted of a block, in the order of its parts."""

    def __init__(self, places: dict[Any, npt.NDArray[np.int64]]) -> None:
        self.places = places
        self.came: Counter[Any] = Counter()

    def of(self, values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """The places of the wanted rows in the next part."""
        found = [np.zeros(0, np.int64)]
        for value, places in self.places.items():
            own = np.flatnonzero(values == value)
            inside = places - self.came[value]
            found.append(own[inside[(inside >= 0) & (inside < len(own))]])
            self.came[value] += len(own)
        return np.sort(np.concatenate(found))


@dataclass(frozen=True)
class TakeClasses(_stream.Take):
    """The rows of a block that a sample takes."""

    target: str | None

    def __call__(self, block: Any, wanted: Any) -> Any:
        if _stream.n_rows(block) == 0:
            return block
        return _stream.take(block, wanted.of(column(block, self.target)))


@dataclass(frozen=True)
class Split:
    """Features of a block, and the numbers of its classes."""

    names: list[str] | None
    target: str | None
    classes: list[Any]

    def __call__(self, block: Any) -> tuple[Any, list[int]]:
        values = column(block, self.target)
        if self.target is None:
            rows = _table.read(np.ascontiguousarray(np.asarray(block)[:, :-1])).rows
        else:
            rows = _table.read(block, self.names).rows
        numbers = {value: number for number, value in enumerate(self.classes)}
        try:
            return rows, [numbers[value] for value in values.tolist()]
        except KeyError as unknown:
            raise DataError(f"class {unknown} was not there when the classes were counted") from unknown


@dataclass(frozen=True)
class ClassSum(_stream.Sum):
    """The task of a pass over rows with known classes."""

    def __call__(self, block: Any) -> bytes:
        if _stream.n_rows(block) == 0:
            return b""
        rows, numbers = self.reader(block)
        return _separa.class_sums(self.passes, rows, numbers, self.threads)
