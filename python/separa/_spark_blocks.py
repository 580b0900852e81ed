"""Rows of a Spark table, partition by partition: what runs on the executors, by ``mapInArrow``.

A partition is worked on in the order of its rows, in blocks; its results are made one. The driver takes the results in
the order of the partitions. Nothing here keeps state: a task that Spark runs again gives the same bytes.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from . import _class_stream, _stream
from ._stream import Result, Total
from .exceptions import DataError, FitMemoryError, ModelError, ParameterError

#: Rows of a block at most.
BLOCK = 16_384
#: Results that are made one on the executors, where there are more partitions than this squared.
GROUP = 16
#: Bytes of features that are kept as one value. A batch of Spark holds 10,000 values, unless said otherwise.
PIECE = 32_768

#: What an executor answers: the partition, whether something was wrong, and a pickle.
ANSWER = "part int, wrong boolean, result binary"
#: Rows as bytes: how many columns, and the values row by row.
PACKED = "width int, rows binary"

Array = npt.NDArray[np.float64]


class SparkBackend:
    """Partitions of a Spark table of features.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        One column of arrays, or one column for each feature.
    names : list of str, optional
        The names of the features; None if one column holds arrays of them.
    keep : bool
        Whether rows are kept between passes, in the memory of the executors or on their disks. Numbers are kept as
        bytes: later passes then cost no conversion.
    """

    def __init__(self, frame: Any, names: list[str] | None, keep: bool = True) -> None:
        self.read: Any = Unpack(names)
        self.kept: Any = None
        self.parts: list[int] | None = None
        numbers = names is None or all(is_number(field.dataType) for field in frame.schema)
        if not numbers or not keep:
            self.read = AsFrame() if names is not None else AsRows()
            self.frame = frame
        else:
            self.frame = frame.mapInArrow(Pack(AsRows() if names is None else SideBySide()), PACKED)
        if keep:
            from pyspark import StorageLevel

            self.kept = self.frame = self.frame.persist(StorageLevel.MEMORY_AND_DISK)

    def close(self) -> None:
        """Lets go of what was kept."""
        if self.kept is not None:
            self.kept.unpersist()
            self.kept = None

    def map_reduce(
        self, task: Callable[..., Result], fold: Callable[[Total, Result], Total], start: Total,
        each: Sequence[Any] | None = None,
    ) -> Total:
        places = None if each is None else dict(zip(self.parts or range(len(each)), each))
        answers = self.frame.mapInArrow(Work(task, self.read, places), ANSWER)
        if isinstance(task, _stream.Sum) and len(self.parts or ()) > GROUP**2:
            answers = grouped(answers, task)
        found = sorted((row["part"], row["wrong"], row["result"]) for row in answers.collect())
        if self.parts is None:
            self.parts = [part for part, _, _ in found]
        for part, wrong, result in found:
            if wrong:
                raise worded(part, pickle.loads(result))
            start = fold(start, pickle.loads(result))
        return start

    def map_rows(self, task: Callable[[Any], Any]) -> Any:
        """Pickled answers of the partitions, in a table of Spark's."""
        return self.frame.mapInArrow(Work(task, self.read, None), ANSWER)


def is_number(kind: Any) -> bool:
    from pyspark.sql.types import NumericType

    return isinstance(kind, NumericType)


def grouped(answers: Any, task: Any) -> Any:
    """Sums of partitions that follow each other, made one where they are: the driver gets a few."""
    from pyspark.sql import functions as F

    def one(frame: Any) -> Any:
        import pandas as pd

        rows = sorted(zip(frame["part"], frame["wrong"], frame["result"]))
        wrong = [row for row in rows if row[1]]
        if wrong:
            return pd.DataFrame(wrong[:1], columns=["part", "wrong", "result"])
        total = task.combine([pickle.loads(result) for _, _, result in rows])
        return pd.DataFrame([(rows[0][0], False, pickle.dumps(total))], columns=["part", "wrong", "result"])

    return answers.groupBy(F.floor(F.col("part") / GROUP).alias("group")).applyInPandas(one, ANSWER)


def worded(part: int, wrong: Exception) -> Exception:
    """What was wrong with the rows of a partition."""
    text = f"partition {part}: {wrong}"
    return type(wrong)(text) if isinstance(wrong, (DataError, ParameterError, ModelError)) else wrong


@dataclass(frozen=True)
class Work:
    """A task on one partition."""

    task: Any
    read: Any
    #: Ascending places of rows, or rows of each class, for each partition.
    places: dict[int, Any] | None

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None, "Spark runs this"
        part, wrong = context.partitionId(), False
        try:
            results = list(self.results(batches, part))
            result: Any = None
            if results:
                result = results[0] if len(results) == 1 else self.task.combine(results)
        except (DataError, ParameterError, ModelError, FitMemoryError) as error:
            result, wrong = error, True
        if result is not None:
            answer = {"part": [part], "wrong": [wrong], "result": [pickle.dumps(result)]}
            kinds = pa.schema([("part", pa.int32()), ("wrong", pa.bool_()), ("result", pa.binary())])
            yield pa.RecordBatch.from_pydict(answer, schema=kinds)

    def results(self, batches: Iterator[Any], part: int) -> Iterator[Any]:
        before = 0
        places = None if self.places is None else self.places.get(part, np.zeros(0, np.int64))
        for batch in batches:
            for block in self.read(batch):
                n = _stream.n_rows(block)
                if places is None:
                    yield self.task(block)
                elif isinstance(places, _class_stream.Wanted):
                    yield self.task(block, places)
                else:
                    first, last = np.searchsorted(places, [before, before + n])
                    yield self.task(block, places[first:last] - before)
                before += n


class AsRows:
    """Arrays of numbers, as rows."""

    def __call__(self, batch: Any) -> Iterable[Array]:
        if batch.num_rows == 0:
            return []
        lists = batch.column(0)
        width = len(lists[0]) if lists[0].is_valid else 0
        ends = np.asarray(lists.offsets)
        short = np.flatnonzero(np.diff(ends) != width)
        if lists.null_count or len(short):
            at = int(short[0]) if len(short) else int(np.flatnonzero(lists.is_null())[0])
            length = "none" if not lists[at].is_valid else len(lists[at])
            raise DataError(f"row {at + 1} of a batch has {length} features, expected {width} as in its first row")
        values = lists.flatten().to_numpy(zero_copy_only=False)
        rows = np.require(values, dtype=np.float64, requirements=["C", "A"]).reshape(batch.num_rows, width)
        return (rows[i : i + BLOCK] for i in range(0, len(rows), BLOCK))


class AsFrame:
    """Columns of numbers, words or dates, as a table."""

    def __call__(self, batch: Any) -> Iterable[Any]:
        import pyarrow as pa

        table = pa.Table.from_batches([batch])
        return (table.slice(i, BLOCK) for i in range(0, table.num_rows, BLOCK))


class SideBySide:
    """Columns of numbers, as rows; NaN where one is missing."""

    def __call__(self, batch: Any) -> Iterable[Array]:
        if batch.num_rows == 0:
            return []
        rows = np.empty((batch.num_rows, batch.num_columns))
        for j, column in enumerate(batch.columns):
            rows[:, j] = numbers(column)
        return [rows]


def numbers(column: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    return column.to_numpy(zero_copy_only=False)


@dataclass(frozen=True)
class Pack:
    """Rows as bytes: one conversion for all passes."""

    read: Any

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        kinds = pa.schema([("width", pa.int32()), ("rows", pa.binary())])
        for batch in batches:
            for rows in self.read(batch):
                rows = np.ascontiguousarray(rows)
                each = max(1, PIECE // max(8 * rows.shape[1], 1))
                ends = np.minimum(np.arange(0, len(rows) + each, each), len(rows)) * rows.shape[1] * 8
                buffers = [None, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(rows)]
                pieces = pa.Array.from_buffers(pa.binary(), len(ends) - 1, buffers)
                width = pa.array(np.full(len(ends) - 1, rows.shape[1], np.int32))
                yield pa.RecordBatch.from_arrays([width, pieces], schema=kinds)


@dataclass(frozen=True)
class Unpack:
    """Bytes as rows, where they lie; as a table if the columns have names."""

    names: list[str] | None

    def __call__(self, batch: Any) -> Iterable[Any]:
        if batch.num_rows == 0:
            return []
        width, pieces = batch.column(0)[0].as_py(), batch.column(1)
        if np.any(np.asarray(batch.column(0)) != width):
            raise DataError(f"rows have {width} features, and others have another number; expected one number")
        ends = np.frombuffer(pieces.buffers()[1], np.int32)[pieces.offset : pieces.offset + len(pieces) + 1]
        flat = np.frombuffer(pieces.buffers()[2], np.uint8)[ends[0] : ends[-1]]
        rows = np.require(flat.view(np.float64), requirements=["A"]).reshape(-1, width)
        return (self.named(rows[i : i + BLOCK]) for i in range(0, len(rows), BLOCK))

    def named(self, rows: Array) -> Any:
        if self.names is None:
            return rows
        import pandas as pd

        return pd.DataFrame(rows, columns=self.names, copy=False)
