"""Tables of all kinds, brought into the two shapes that the engine takes."""

from __future__ import annotations

import sys
from typing import Any, Iterable, NamedTuple, Sequence, Union

import numpy as np
import numpy.typing as npt

from .exceptions import DataError

Array = npt.NDArray[np.float64]
#: (columns, row pointer, column indices, values), as `CSR` matrices hold them.
SparseRows = tuple[int, npt.NDArray[np.integer[Any]], npt.NDArray[np.integer[Any]], Array]


class Table(NamedTuple):
    """Rows as the engine takes them, and the names of their columns where they have any."""

    rows: Union[Array, SparseRows]
    names: list[str] | None

    @property
    def n_rows(self) -> int:
        return len(self.rows[1]) - 1 if isinstance(self.rows, tuple) else int(self.rows.shape[0])


def read(x: Any, expect: Sequence[str] | None = None) -> Table:
    """Takes a NumPy array, a pandas, polars or Arrow table, sparse rows, or lists of numbers.

    Where a table has named columns and `expect` lists those of a model, they are picked by name.
    Float64 in C order is viewed, anything else is copied once.
    """
    if is_sparse(x):
        return Table(sparse_rows(x), None)
    names = column_names(x)
    if names is not None and expect is not None:
        x = pick(x, names, list(expect))
        names = list(expect)
    if is_arrow(x):
        columns = (c.to_numpy(zero_copy_only=False) for c in arrow_columns(x))
        return Table(side_by_side(columns, x.num_rows, len(names or [])), names)
    if names is not None and hasattr(x, "to_numpy"):
        check_columns(x, names)
        # polars keeps columns, so its own table would be turned around once more.
        if hasattr(x, "get_columns"):
            columns = (column.to_numpy() for column in x.get_columns())
            return Table(side_by_side(columns, len(x), len(names)), names)
        x = x.to_numpy()
    return Table(numbers(x), names)


def side_by_side(columns: Iterable[npt.NDArray[Any]], n: int, d: int) -> Array:
    """Columns as rows in C order: one copy."""
    rows = np.empty((n, d))
    for j, column in enumerate(columns):
        rows[:, j] = column
    return rows


def numbers(x: Any) -> Array:
    """A 2-D float64 array in C order; the input itself where it is one."""
    array = np.asarray(x)
    if array.dtype == object:
        array = from_objects(array)
    if array.dtype.kind not in "fiub":
        raise DataError(
            f"the table holds {array.dtype.name}, expected numbers; "
            "encode the column or leave it out"
        )
    if array.ndim != 2:
        raise DataError(
            f"expected a table with 2 dimensions, got {array.ndim}; "
            "one column is X.reshape(-1, 1), one row X.reshape(1, -1)"
        )
    return np.require(array, dtype=np.float64, requirements=["C", "A"])


def from_objects(array: npt.NDArray[Any]) -> Array:
    """Objects that are all numbers; the first that is not is named."""
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        pass
    for place, value in np.ndenumerate(array):
        try:
            float(value)
        except (TypeError, ValueError):
            where = ", ".join(
                f"{word} {i + 1}" for word, i in zip(("row", "column", "layer"), place)
            )
            raise DataError(
                f"{where} holds {value!r}, expected a number; encode the column or leave it out"
            ) from None
    raise DataError("the table holds objects, expected numbers")


def column_names(x: Any) -> list[str] | None:
    """Names of the columns, where all of them are strings."""
    if is_arrow(x):
        return [str(name) for name in x.schema.names]
    columns = getattr(x, "columns", None)
    if columns is None:
        return None
    names = list(columns)
    return names if names and all(isinstance(name, str) for name in names) else None


def check_columns(x: Any, names: list[str]) -> None:
    """Refuses a column of words by name."""
    kinds = getattr(x, "dtypes", None)
    if kinds is None:
        return
    for name, kind in zip(names, kinds):
        word = str(kind).lower()
        if word.startswith(("object", "str", "utf8", "categ", "enum", "date", "time")):
            first = x[name].to_numpy()[:1]
            shown = f" ({first[0]!r} in row 1)" if len(first) else ""
            if word.startswith("object") and all_numbers(x[name]):
                continue
            raise DataError(
                f"column \"{name}\" holds {kind}{shown}, expected numbers; "
                f"encode it or leave it out"
            )


def all_numbers(column: Any) -> bool:
    try:
        np.asarray(column.to_numpy(), dtype=np.float64)
    except (TypeError, ValueError):
        return False
    return True


def pick(x: Any, names: list[str], expect: list[str]) -> Any:
    """The expected columns in their order."""
    missing = [name for name in expect if name not in names]
    if missing:
        listed = ", ".join(f'"{name}"' for name in missing[:10])
        more = f" and {len(missing) - 10} more" if len(missing) > 10 else ""
        raise DataError(
            f"table has {len(names)} feature columns, but the model was fitted on "
            f"{len(expect)}; missing: {listed}{more}"
        )
    if names == expect:
        return x
    return x.select(expect) if hasattr(x, "select") else x[expect]


def is_arrow(x: Any) -> bool:
    return type(x).__module__.partition(".")[0] == "pyarrow" and hasattr(x, "schema")


def arrow_columns(x: Any) -> list[Any]:
    columns = list(x.columns)
    for name, column in zip(x.schema.names, columns):
        kind = str(column.type)
        if not kind.startswith(("int", "uint", "float", "double", "half", "bool")):
            raise DataError(
                f'column "{name}" holds {kind}, expected numbers; encode it or leave it out'
            )
    return columns


def is_sparse(x: Any) -> bool:
    """Whether `x` is one of SciPy's sparse containers; SciPy is not imported to find out."""
    scipy_sparse = sys.modules.get("scipy.sparse")
    return scipy_sparse is not None and bool(scipy_sparse.issparse(x))


def sparse_rows(x: Any) -> SparseRows:
    """Sparse rows with ascending columns; the caller's object is never changed."""
    if x.ndim != 2:
        raise DataError(f"expected a table with 2 dimensions, got {x.ndim}")
    if x.dtype.kind not in "fiub":
        raise DataError(f"the table holds {x.dtype.name}, expected numbers")
    rows = x.tocsr()
    limit = rows.shape[1]
    if rows.indices.size and not 0 <= rows.indices.min() <= rows.indices.max() < limit:
        raise DataError(
            f"a sparse table of {limit} columns has the column index "
            f"{rows.indices.max() if rows.indices.min() >= 0 else rows.indices.min()}"
        )
    if not canonical(rows):
        rows = rows.copy()
        rows.sum_duplicates()
    return (
        int(limit),
        rows.indptr,
        rows.indices,
        np.require(rows.data, dtype=np.float64, requirements=["C", "A"]),
    )


def canonical(rows: Any) -> bool:
    """Whether every row's columns ascend. SciPy's own flag is a cache that may be stale."""
    if rows.indices.size < 2:
        return True
    ascends = np.diff(rows.indices) > 0
    starts = rows.indptr[1:-1]
    starts = starts[(starts > 0) & (starts < rows.indices.size)]
    ascends[starts - 1] = True
    return bool(ascends.all())


def weights(given: Any, n: int) -> Array | None:
    """Sample weights as a vector; a single number stands for all rows."""
    if given is None:
        return None
    array = np.asarray(given)
    if array.dtype.kind not in "fiub" and not (
        array.dtype == object and all_numbers_in(array)
    ):
        raise DataError(f"sample weights hold {array.dtype.name}, expected numbers")
    if array.ndim == 0:
        return np.full(n, float(array))
    if array.ndim != 1:
        raise DataError(f"sample weights must be one number a row, got {array.ndim} dimensions")
    return np.require(array, dtype=np.float64, requirements=["C", "A"])


def all_numbers_in(array: npt.NDArray[Any]) -> bool:
    try:
        array.astype(np.float64)
    except (TypeError, ValueError):
        return False
    return True
