"""Sparse tables: checked before SciPy's compiled code follows their pointers, then put in order."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _values
from .exceptions import DataError

#: (columns, row pointer, column indices, values), as `CSR` matrices hold them.
SparseRows = tuple[
    int,
    npt.NDArray[np.integer[Any]],
    npt.NDArray[np.integer[Any]],
    npt.NDArray[np.float64],
]


def is_sparse(x: Any) -> bool:
    """Whether `x` is one of SciPy's sparse containers; SciPy is not imported to find out."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(x))


def read(x: Any) -> SparseRows:
    """Sparse rows with ascending columns; the caller's object is never changed."""
    check(x)
    rows = x.tocsr()
    if rows is not x:
        check(rows)
    if not canonical(rows):
        rows = rows.copy()
        rows.sum_duplicates()
    # SciPy allows room behind the last entry.
    used = int(rows.indptr[-1])
    return (
        int(rows.shape[1]),
        rows.indptr,
        rows.indices[:used],
        np.require(rows.data[:used], dtype=np.float64, requirements=["C", "A"]),
    )


def check(x: Any) -> None:
    """Refuses what SciPy would believe and crash on: parts that anyone may replace by hand."""
    if x.ndim != 2:
        raise DataError(f"expected a table with 2 dimensions, got {x.ndim}")
    if x.dtype.kind not in _values.NUMBERS:
        raise DataError(f"the table holds {x.dtype.name}, expected numbers")
    if x.format in ("csr", "csc", "bsr"):
        block = x.data.shape[1:] if x.format == "bsr" else (1, 1)
        lines, across = x.shape[::-1] if x.format == "csc" else x.shape
        check_pointer(x, lines // max(1, block[0]))
        check_indices(x.indices[: int(x.indptr[-1])], across // max(1, block[1]), x.format)
    elif x.format == "coo":
        if not len(x.row) == len(x.col) == len(x.data):
            raise broken("row indices, column indices and values are not equally many")
        check_indices(x.row, x.shape[0], "csc")
        check_indices(x.col, x.shape[1], "csr")


def check_pointer(x: Any, lines: int) -> None:
    """An index pointer ascends from 0 and stays within the entries."""
    pointer, indices, values = x.indptr, x.indices, x.data
    for part in (pointer, indices):
        if part.ndim != 1 or part.dtype.kind not in "iu":
            raise broken("its index pointer and its indices must be vectors of whole numbers")
    if len(pointer) != lines + 1:
        raise broken(f"its index pointer has {len(pointer)} values, expected {lines + 1}")
    if pointer[0] != 0:
        raise broken(f"its index pointer begins with {pointer[0]}, expected 0")
    falls = np.flatnonzero(pointer[1:] < pointer[:-1])
    if falls.size:
        at = int(falls[0])
        raise broken(
            f"its index pointer falls from {pointer[at]} to {pointer[at + 1]}, expected it to ascend"
        )
    if len(indices) != len(values) or pointer[-1] > len(indices):
        raise broken(
            f"its index pointer ends at {pointer[-1]}, but there are {len(indices)} indices and "
            f"{len(values)} values"
        )


def check_indices(indices: npt.NDArray[Any], limit: int, form: str) -> None:
    if not indices.size:
        return
    least, most = indices.min(), indices.max()
    if least < 0 or most >= limit:
        across = "row" if form == "csc" else "column"
        wrong = least if least < 0 else most
        raise DataError(f"a sparse table of {limit} {across}s has the {across} index {wrong}")


def broken(what: str) -> DataError:
    return DataError(f"the sparse table is not sound: {what}; build it anew from its entries")


def canonical(rows: Any) -> bool:
    """Whether every row's columns ascend. SciPy's own flag is a cache that may be stale."""
    indices = rows.indices[: int(rows.indptr[-1])]
    if indices.size < 2:
        return True
    ascends = indices[1:] > indices[:-1]
    starts = rows.indptr[1:-1]
    starts = starts[(starts > 0) & (starts < indices.size)]
    ascends[starts - 1] = True
    return bool(ascends.all())
