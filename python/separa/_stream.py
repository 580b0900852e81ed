"""Rows that need not fit in memory: a fit that maps over blocks of rows, wherever they are.

The engine's loop is in Rust. Here it is driven by a :class:`Backend`, which knows where the blocks are: files on this
machine, or the workers of a cluster. A pass is one map (label by the current rule, sum) and one sum in the order of
the blocks, so the answer is a function of the rows, where blocks end, the parameters and the seed.
"""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass, replace
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Protocol, Sequence, TypeVar

import numpy as np
import numpy.typing as npt

from . import _prepare, _run, _separa, _table
from ._fit import plain
from .exceptions import DataError

__all__ = ["Backend", "Blocks", "open"]

#: Rows of the sample that a fit begins from at most.
SAMPLE = 50_000
#: Rows of a block of a lazy table.
LAZY = 65_536
#: The sample is this small a part of the memory, because the fit of it needs copies.
PART = 8

Result = TypeVar("Result")
Total = TypeVar("Total")


class Backend(Protocol):
    """What drives a fit over blocks of rows: two methods.

    ``map_reduce(task, fold, start, each)`` calls ``task(block)``, or ``task(block, each[i])`` where ``each`` is given
    (which rows of block i are wanted), on every block, anywhere and as often as it likes, and folds the results in
    the order of the blocks: ``start = fold(start, result)``. ``map_rows(task)`` is lazy: ``task(block)`` gives one value
    or row of values per row, and the answer stands for all of them. A task is a callable that pickles; where a block
    comes in parts, ``task.combine(results)`` makes one result of those of its parts, in their order.

    Examples
    --------
    >>> import numpy as np, separa
    >>> backend: separa.Backend = separa.Blocks(lambda: iter([np.ones((2, 3)), np.ones((5, 3))]))
    >>> backend.map_reduce(len, lambda total, n: total + n, 0)
    7
    """

    def map_reduce(
        self, task: Callable[..., Result], fold: Callable[[Total, Result], Total], start: Total,
        each: Sequence[Any] | None = None,
    ) -> Total: ...

    def map_rows(self, task: Callable[[Any], Any]) -> Any: ...


class Blocks:
    """Blocks of rows on this machine, read anew in every pass: what :func:`open` returns.

    Parameters
    ----------
    read : callable
        Returns an iterator over the blocks: arrays, or pandas, polars or Arrow tables. Always the same blocks in the
        same order.

    Examples
    --------
    >>> import numpy as np, separa
    >>> X = np.random.default_rng(0).normal(size=(900, 2)) + 9 * (np.arange(900) % 2)[:, None]
    >>> blocks = separa.Blocks(lambda: iter(np.array_split(X, 3)))
    >>> separa.KMeans(n_clusters=2).fit(blocks).model_.info["sizes"]
    [450, 450]
    """

    def __init__(self, read: Callable[[], Iterable[Any]]) -> None:
        self.read = read

    def map_reduce(
        self, task: Callable[..., Result], fold: Callable[[Total, Result], Total], start: Total,
        each: Sequence[Any] | None = None,
    ) -> Total:
        for i, block in enumerate(self.read()):
            start = fold(start, task(block) if each is None else task(block, each[i]))
        return start

    def map_rows(self, task: Callable[[Any], Any]) -> Iterator[Any]:
        return (task(block) for block in self.read())

    def __iter__(self) -> Iterator[Any]:
        return iter(self.read())


def open(path: str | os.PathLike[str], columns: Sequence[str] | None = None) -> Blocks:
    """Opens Parquet or CSV files (also .gz, .bz2, .zst) to be read block by block: estimators fit them without having them in memory.

    Parameters
    ----------
    path : str
        A file, a folder or a pattern such as ``"lake/*.parquet"``; several are read in the order of their names.
    columns : list of str, optional
        Columns to read; all of them if it is None.

    Returns
    -------
    blocks : Blocks
        Takes the place of ``X`` in ``fit``.

    Examples
    --------
    >>> import numpy as np, os, pandas as pd, separa, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> rng = np.random.default_rng(0)
    >>> for part in range(3):
    ...     X = rng.normal(size=(500, 2)) + 9 * rng.integers(0, 2, (500, 1))
    ...     pd.DataFrame(X, columns=["a", "b"]).to_parquet(f"{folder.name}/{part}.parquet")
    >>> model = separa.KMeans(n_clusters=2).fit(separa.open(f"{folder.name}/*.parquet")).model_
    >>> sum(model.info["sizes"])
    1500
    """
    arrow, files = _arrow(), _files(os.fspath(path))
    if any(file.lower().endswith(".zst") for file in files):
        return of_packed_text(files, columns)
    return of_dataset(arrow.dataset(files, format=_format(os.fspath(path))), columns)


def _arrow() -> Any:
    try:
        import pyarrow.dataset
    except ImportError as missing:
        raise ImportError("separa.open reads files with pyarrow (pip install pyarrow)") from missing
    return pyarrow.dataset


def _files(path: str) -> list[str]:
    if os.path.isdir(path):
        path = os.path.join(path, "**", "*.*")
    found = [path] if os.path.isfile(path) else sorted(f for f in glob.glob(path, recursive=True) if os.path.isfile(f))
    if not found:
        raise FileNotFoundError(f"{path}: no such file, folder or pattern")
    return found


def _format(path: str) -> str:
    name = _files(path)[0].lower()
    for packing in (".gz", ".zst", ".bz2"):
        name = name.removesuffix(packing)
    return "csv" if name.endswith((".csv", ".txt")) else "parquet"


def of_dataset(dataset: Any, columns: Sequence[str] | None = None) -> Blocks:
    """The record batches of a pyarrow dataset, fragment by fragment."""
    import pyarrow as pa

    wanted = None if columns is None else list(columns)

    def read() -> Iterator[Any]:
        for fragment in dataset.get_fragments():
            try:
                # One at a time and in order: where blocks end must not depend on who is faster.
                for batch in fragment.to_batches(columns=wanted, schema=dataset.schema, use_threads=True):
                    yield pa.Table.from_batches([batch])
            except (pa.ArrowException, OSError) as wrong:
                raise DataError(f"{fragment.path}: {wrong}") from wrong

    return Blocks(read)


def of_packed_text(files: Sequence[str], columns: Sequence[str] | None = None) -> Blocks:
    """CSV files one after the other, unpacked as their names say: datasets of pyarrow do not know .zst."""
    import pyarrow as pa
    from pyarrow import csv

    def read() -> Iterator[Any]:
        types, wanted = None, None if columns is None else list(columns)
        for path in files:
            options = csv.ConvertOptions(column_types=types, include_columns=wanted)
            try:
                with pa.input_stream(path) as file, csv.open_csv(file, convert_options=options) as batches:
                    # Later files have the columns of the first, and their types.
                    types = batches.schema if types is None else types
                    wanted = types.names
                    for batch in batches:
                        yield pa.Table.from_batches([batch])
            except (pa.ArrowException, OSError, KeyError) as wrong:
                raise DataError(f"{path}: {wrong}") from wrong

    return Blocks(read)


def backend_of(x: Any) -> Any:
    """What reads `x` in blocks; None if it is a table in memory."""
    if all(callable(getattr(x, part, None)) for part in ("map_reduce", "map_rows")):
        return x
    kind = f"{type(x).__module__}.{type(x).__name__}"
    if kind.startswith("pyarrow._dataset") and hasattr(x, "get_fragments"):
        return of_dataset(x)
    if kind.startswith("polars.") and type(x).__name__ == "LazyFrame":
        return of_lazy(x)
    return None


def of_lazy(frame: Any) -> Blocks:
    """The rows of a polars LazyFrame, as its streaming engine makes them."""

    def read() -> Iterator[Any]:
        if hasattr(frame, "collect_batches"):
            yield from in_blocks(frame.collect_batches(chunk_size=LAZY, maintain_order=True))
            return
        place = 0
        while True:
            part = frame.slice(place, LAZY).collect()
            if part.height == 0:
                return
            yield part
            place += part.height

    return Blocks(read)


def in_blocks(parts: Iterable[Any]) -> Iterator[Any]:
    """The same rows in blocks of one size: how an engine happened to cut them must not matter."""
    import polars as pl

    waiting: list[Any] = []
    rows = 0
    for part in parts:
        waiting.append(part)
        rows += part.height
        while rows >= LAZY:
            whole = pl.concat(waiting)
            yield whole[:LAZY]
            waiting, rows = [whole[LAZY:]], rows - LAZY
    if rows:
        yield pl.concat(waiting)


class Streamed(NamedTuple):
    """What came out of a fit of blocks."""

    rule: _separa.Rule
    #: Of the columns of the table, where they have names.
    names: list[str] | None
    n_columns: int


def fit(
    method: str, params: Mapping[str, Any], backend: Backend, run: Mapping[str, Any], prepare: bool = True,
    sample_rows: int = SAMPLE, block_threads: int | None = None,
) -> Streamed:
    """Fits a sample in memory, then improves its rule by passes over all blocks.

    ``block_threads`` are those of a block where several are worked on side by side.
    """
    shapes: list[tuple[int, int]] = backend.map_reduce(Shape(), append, [])
    if sum(n for n, _ in shapes) == 0:
        raise DataError("the blocks hold no rows, expected at least one")
    frame = sample(backend, shapes, run["seed"], sample_rows, run["memory"])
    table, as_it_is = features(frame, prepare)
    rule = _separa.fit(method, plain(params), table.rows, table.columns, None, {**run, "listener": None})
    names = _table.column_names(frame)
    passes = _separa.Passes.begin(rule, table.rows)
    reader = Reader(names, table.preparation, as_it_is)
    task = Sum(reader, run["threads"] if block_threads is None else block_threads)
    stop = None
    while stop is None:
        backend.map_reduce(task.of(passes.to_bytes()), add, passes)
        stop = passes.step()
    return Streamed(passes.finish(rule, False), names, int(np.shape(frame)[1]))


def sample_size(memory: int | None, width: int, most: int = SAMPLE) -> int:
    """Rows of a sample at most."""
    return most if memory is None else min(most, max(1000, memory // PART // (8 * max(width, 1))))


def sample(backend: Backend, shapes: Sequence[tuple[int, int]], seed: int, most: int, memory: int | None) -> Any:
    """A seeded sample of the rows in their order, as a table of the blocks' kind."""
    counts, width = [n for n, _ in shapes], max(d for _, d in shapes)
    most = sample_size(memory, width, most)
    drawn = np.asarray(_separa.sample_rows(sum(counts), most, seed), dtype=np.int64)
    ends = np.cumsum(counts)
    cuts = np.searchsorted(drawn, ends)
    starts = np.concatenate([[0], ends[:-1]])
    each = [part - start for part, start in zip(np.split(drawn, cuts[:-1]), starts)]
    parts: list[Any] = backend.map_reduce(Take(), append, [], each)
    return joined([part for part in parts if n_rows(part) > 0])


def features(frame: Any, prepare: bool) -> tuple[_table.Table, bool]:
    """Rows of the sample as the engine takes them; data frames are prepared. And whether nothing had to be done."""
    if prepare and _table.is_frame(frame):
        done = _prepare.run(frame, {}, None)
        return _prepare.as_table(done), _prepare.is_plain(done, frame)
    return _table.read(frame), True


@dataclass(frozen=True)
class Reader:
    """Makes features of a block as they were made of the sample."""

    names: list[str] | None
    preparation: str | None
    #: Whether the sample was numbers without gaps: other blocks can have some.
    plain: bool = False

    def __call__(self, block: Any) -> Any:
        if self.preparation is None or not _table.is_frame(block):
            return _table.read(block, self.names).rows
        rows = self._numbers(block) if self.plain else None
        return _prepare.run(block, {}, self.preparation).values if rows is None else rows

    def _numbers(self, block: Any) -> Any:
        """The rows as they are, if they are numbers without gaps."""
        try:
            rows: Any = _table.read(block, self.names).rows
        except DataError:
            return None
        return rows if np.isfinite(rows.sum()) else None


@dataclass(frozen=True)
class Sum:
    """The task of a pass, which travels to where the blocks are."""

    reader: Any
    threads: int | None
    passes: bytes = b""

    def of(self, passes: bytes) -> Sum:
        return replace(self, passes=passes)

    def __call__(self, block: Any) -> bytes:
        n = n_rows(block)
        if n == 0:
            return b""
        if n > _separa.PIECE and not _table.is_viewed(block):
            # The engine sums a large block in these pieces, so only one of them is copied at a time.
            try:
                return self.combine([self._sums(part) for part in pieces(block)])
            except DataError:
                # Said once more with the place in the block.
                pass
        return self._sums(block)

    def _sums(self, block: Any) -> bytes:
        return _separa.pass_sums(self.passes, self.reader(block), self.threads)

    @staticmethod
    def combine(results: Sequence[bytes]) -> bytes:
        """The sums of blocks that follow each other as those of one block."""
        return _separa.add_sums([sums for sums in results if sums])


class Shape:
    """Rows and columns of a block."""

    def __call__(self, block: Any) -> tuple[int, int]:
        return n_rows(block), n_columns(block)

    @staticmethod
    def combine(results: Sequence[tuple[int, int]]) -> tuple[int, int]:
        return sum(n for n, _ in results), max((d for _, d in results), default=0)


class Take:
    """The rows of a block at these places."""

    def __call__(self, block: Any, places: npt.NDArray[np.int64]) -> Any:
        return take(block, places)

    @staticmethod
    def combine(results: Sequence[Any]) -> Any:
        return joined([part for part in results if n_rows(part) > 0] or results[:1])


def n_rows(block: Any) -> int:
    return int(block.shape[0])


def n_columns(block: Any) -> int:
    return int(block.shape[1])


def take(block: Any, places: npt.NDArray[np.int64]) -> Any:
    """The rows at these places."""
    if hasattr(block, "iloc"):
        return block.iloc[places]
    return block.take(places) if _table.is_arrow(block) else block[places]


def pieces(block: Any) -> Iterator[Any]:
    """The rows of a block, a piece at a time: each is gone when the next one comes."""
    places = range(0, n_rows(block), _separa.PIECE)
    if type(block) is not np.ndarray or block.dtype.kind not in "fiub" or block.ndim != 2:
        yield from (piece(block, first) for first in places)
        return
    # One buffer for all pieces: arrays that came to a worker as a message begin at any byte, and must be copied in every pass.
    buffer = np.empty((_separa.PIECE, block.shape[1]))
    for first in places:
        part = block[first : first + _separa.PIECE]
        np.copyto(buffer[: len(part)], part)
        yield buffer[: len(part)]


def piece(block: Any, first: int) -> Any:
    """The rows of the piece that begins here."""
    if hasattr(block, "iloc"):
        return block.iloc[first : first + _separa.PIECE]
    if hasattr(block, "get_columns") or _table.is_arrow(block):
        return block.slice(first, _separa.PIECE)
    return block[first : first + _separa.PIECE]


def joined(parts: Sequence[Any]) -> Any:
    """Tables of one kind below each other."""
    first = parts[0]
    if _table.is_arrow(first):
        import pyarrow as pa

        return pa.concat_tables(parts)
    if hasattr(first, "iloc"):
        import pandas as pd

        return pd.concat(parts, ignore_index=True)
    if hasattr(first, "get_columns"):
        import polars as pl

        return pl.concat(parts)
    return np.concatenate([np.asarray(part) for part in parts])


def append(all: list[Any], one: Any) -> list[Any]:
    all.append(one)
    return all


def add(passes: Any, sums: bytes) -> Any:
    if sums:
        passes.add(sums)
    return passes


def adopt(estimator: Any, streamed: Streamed) -> Any:
    """Gives an estimator what a fit of blocks found."""
    from . import _fit, _model
    from sklearn.exceptions import ConvergenceWarning

    estimator.n_features_in_ = streamed.n_columns
    estimator.__dict__.pop("feature_names_in_", None)
    if streamed.names is not None:
        estimator.feature_names_in_ = np.array(streamed.names, dtype=object)
    estimator._adopt(_model.Model(streamed.rule))
    _fit.warn(estimator.model_, ConvergenceWarning)
    return estimator


def fit_estimator(estimator: Any, backend: Backend, block_threads: int | None = None) -> Any:
    """`fit` of an estimator on blocks."""
    from ._base import AUTO_PARAMETERS, RUN_PARAMETERS

    params = estimator.get_params(deep=False)
    own = {name: value for name, value in params.items() if name not in (*AUTO_PARAMETERS, *RUN_PARAMETERS)}
    run = _run.settings(estimator.random_state, estimator.n_jobs, estimator.max_memory, True, estimator.k_max)
    prepare = _prepare.choice(getattr(estimator, "prepare", "auto"))
    return adopt(estimator, fit(estimator._method, own, backend, run, prepare, block_threads=block_threads))
