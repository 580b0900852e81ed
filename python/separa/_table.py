"""Tables of all kinds, brought into the two shapes that the engine takes."""

from __future__ import annotations

from typing import Any, Iterable, NamedTuple, Sequence, Union

import numpy as np
import numpy.typing as npt

from . import _sparse, _values
from .exceptions import DataError

Array = npt.NDArray[np.float64]


#: Rows, where each group of them ends, and what a group is: a "bag" or a "sequence".
Groups = tuple[Array, npt.NDArray[np.int64], str]


class Table(NamedTuple):
    """Rows as the engine takes them, and the names of their columns where they have any."""

    rows: Union[Array, _sparse.SparseRows, Groups]
    names: list[str] | None
    #: How a data frame became these rows, as text for the model.
    preparation: str | None = None
    #: What was done to it, in sentences.
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[list[str] | None, str | None]:
        """What the engine should know of the columns: their names, and how they were prepared."""
        return self.names, self.preparation

    @property
    def n_rows(self) -> int:
        """How many things there are to cluster: rows, or bags of them."""
        if not isinstance(self.rows, tuple):
            return int(self.rows.shape[0])
        if len(self.rows) == 3:
            # Bags are one thing each, with an end each.
            return len(self.rows[1] if self.rows[2] == "bag" else self.rows[0])
        # Sparse rows have a pointer more than rows.
        return len(self.rows[1]) - 1


def read(x: Any, expect: Sequence[str] | None = None, kind: str = "bag") -> Table:
    """Takes a NumPy array, a pandas, polars or Arrow table, sparse rows, lists of numbers, or a list
    of tables: bags of rows, or what else `kind` says that they are.

    Where a table has named columns and `expect` lists those of a model, they are picked by name.
    Float64 in C order is viewed, anything else is copied once.
    """
    if _sparse.is_sparse(x):
        return Table(_sparse.read(x), None)
    if is_groups(x):
        return read_groups(x, kind, expect)
    refuse_lazy(x)
    names = column_names(x)
    if names is not None and expect is not None:
        x = pick(x, names, list(expect))
        names = list(expect)
    if is_frame(x):
        check_frame(x)
        return Table(frame_rows(x), names)
    return Table(numbers(x), names)


def is_viewed(x: Any) -> bool:
    """Whether the engine reads `x` where it is: float64 in C order, or sparse rows, which are not cut."""
    if _sparse.is_sparse(x):
        return True
    return type(x) is np.ndarray and x.dtype == np.float64 and x.flags.c_contiguous and x.flags.aligned


def is_groups(x: Any) -> bool:
    """Whether `x` is a list of tables; lists of numbers or of lists are one table."""
    return isinstance(x, (list, tuple)) and any(map(is_table, x))


def is_table(x: Any) -> bool:
    return len(getattr(x, "shape", ())) == 2


def read_groups(x: Any, kind: str, expect: Sequence[str] | None = None) -> Table:
    """The rows of all bags or sequences, and where each ends.

    Named columns are those of `expect`, or of the first group; they are picked by name.
    """
    stacked: list[Array] = []
    names = None if expect is None else list(expect)
    for i, group in enumerate(x):
        try:
            rows, found = read_group(group, kind, names)
        except DataError as wrong:
            raise DataError(f"{kind} {i + 1}{wrong}") from None
        if stacked and rows.shape[1] != stacked[0].shape[1]:
            width = stacked[0].shape[1]
            raise DataError(
                f"{kind} {i + 1} has {rows.shape[1]} columns, expected {width} as in {kind} 1"
            )
        names = found if names is None and not stacked else names
        stacked.append(rows)
    ends = np.cumsum([len(rows) for rows in stacked], dtype=np.int64)
    return Table((np.concatenate(stacked), ends, kind), names)


def read_group(
    group: Any, kind: str, expect: list[str] | None
) -> tuple[Array, list[str] | None]:
    """One bag or sequence; what is wrong with it goes on where "bag 3" ends."""
    if not is_table(group):
        raise DataError(
            f" is of type {type(group).__name__}, expected a table with 2 dimensions like the "
            f"other {kind}s; one row is row.reshape(1, -1)"
        )
    if _sparse.is_sparse(group):
        raise DataError(" holds sparse rows, expected dense ones; call .toarray()")
    if group.shape[0] == 0:
        raise DataError(" holds no rows, expected at least one; leave it out")
    try:
        rows, names, *_ = read(group, expect)
    except DataError as wrong:
        raise DataError(f": {wrong}") from None
    assert isinstance(rows, np.ndarray), "only sparse rows and groups are no arrays"
    return rows, names


def check(x: Any) -> Any:
    """The gate for a table that scikit-learn will read; lists come back as arrays.

    What scikit-learn words itself is left to it: dimensions, complex numbers, other objects.
    """
    if _sparse.is_sparse(x):
        _sparse.check(x)
        return x
    refuse_lazy(x)
    if is_frame(x):
        check_frame(x)
        return x
    _values.check_mask(x)
    array = np.asarray(x)
    _values.check_array(array)
    return array if isinstance(x, (list, tuple)) else x


def numbers(x: Any) -> Array:
    """A 2-D float64 array in C order; the input itself where it is one."""
    _values.check_mask(x)
    array = np.asarray(x)
    if array.dtype.kind not in _values.NUMBERS + "O":
        raise _values.refused_kind(array.dtype)
    if array.ndim != 2:
        raise DataError(
            f"expected a table with 2 dimensions, got {array.ndim}; "
            "one column is X.reshape(-1, 1), one row X.reshape(1, -1)"
        )
    if array.dtype == object:
        array = _values.from_objects(array)
    return np.require(array, dtype=np.float64, requirements=["C", "A"])


def is_arrow(x: Any) -> bool:
    return type(x).__module__.partition(".")[0] == "pyarrow" and hasattr(x, "schema")


def is_frame(x: Any) -> bool:
    """Whether `x` has columns of their own types, as pandas, polars and Arrow have."""
    pandas = all(hasattr(x, part) for part in ("iloc", "columns", "dtypes"))
    return pandas or hasattr(x, "get_columns") or is_arrow(x)


def refuse_lazy(x: Any) -> None:
    if type(x).__name__ == "LazyFrame":
        raise DataError("a lazy table has no rows yet, expected a table; call .collect() first")


def column_names(x: Any) -> list[str] | None:
    """Names of the columns, where all of them are strings."""
    if is_arrow(x):
        return [str(name) for name in x.schema.names]
    columns = getattr(x, "columns", None)
    if columns is None:
        return None
    names = list(columns)
    return names if names and all(isinstance(name, str) for name in names) else None


def columns_of(x: Any) -> list[tuple[Any, Any]]:
    """Name and type of every column."""
    if is_arrow(x):
        return list(zip(x.schema.names, x.schema.types))
    return list(zip(x.columns, x.dtypes))


def column_at(x: Any, j: int) -> Any:
    """A column by its place: two may have one name."""
    if hasattr(x, "iloc"):
        return x.iloc[:, j]
    return x.column(j) if is_arrow(x) else x.to_series(j)


def check_frame(x: Any) -> None:
    """Refuses a column of words, dates or other things by name, and a name that two columns have."""
    check_has_rows(x)
    seen: set[Any] = set()
    for j, (name, kind) in enumerate(columns_of(x)):
        if name in seen:
            raise DataError(
                f"two columns are called {name!r}, expected different names; rename one or leave it out"
            )
        seen.add(name)
        title = _values.title(name, j)
        known = _values.all_numbers(kind)
        if known is None:
            _values.check_objects(objects(column_at(x, j)), _values.in_column(title))
        elif not known:
            raise DataError(
                f"{title} holds {kind}{first_value(column_at(x, j))}, expected numbers; "
                "encode it or leave it out"
            )


def check_has_rows(x: Any) -> None:
    """Refuses a data frame without rows."""
    if len(x) == 0:
        raise DataError("the table has no rows, expected at least one")


def first_value(column: Any) -> str:
    value = column.iloc[0] if hasattr(column, "iloc") else column[0]
    for unwrap in ("as_py", "to_list"):
        value = getattr(value, unwrap)() if hasattr(value, unwrap) else value
    shown = repr(value)
    return f" ({shown if len(shown) <= 60 else shown[:57] + '...'} in row 1)"


def objects(column: Any) -> npt.NDArray[Any]:
    """A column's values as they are."""
    return np.asarray(column.to_numpy(), dtype=object)


def frame_rows(x: Any) -> Array:
    """The rows of a checked table."""
    columns = columns_of(x)
    # pandas may hold columns of NumPy's types as the very rows that are wanted.
    if hasattr(x, "iloc") and all(isinstance(k, np.dtype) and k.kind in "fiu" for _, k in columns):
        return numbers(x.to_numpy())
    values = (column_values(x, j, *column) for j, column in enumerate(columns))
    return side_by_side(values, len(x), len(columns))


def column_values(x: Any, j: int, name: Any, kind: Any) -> npt.NDArray[Any]:
    """A column as numbers; what is missing becomes NaN."""
    column = column_at(x, j)
    if _values.all_numbers(kind) is None:
        return _values.from_objects(objects(column), _values.in_column(_values.title(name, j)))
    if is_arrow(x):
        return np.asarray(column.to_numpy(zero_copy_only=False))
    if hasattr(x, "iloc") and not isinstance(kind, np.dtype):
        return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
    return np.asarray(column.to_numpy())


def side_by_side(columns: Iterable[npt.NDArray[Any]], n: int, d: int) -> Array:
    """Columns as rows in C order: one copy."""
    rows = np.empty((n, d))
    for j, column in enumerate(columns):
        rows[:, j] = column
    return rows


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


def weights(given: Any, n: int) -> Array | None:
    """Sample weights as a vector; a single number stands for all rows."""
    if given is None:
        return None
    where = _values.in_column("column sample weight")
    _values.check_mask(given, where)
    array = np.asarray(given)
    if array.dtype == object:
        array = _values.from_objects(array, where if array.ndim else lambda at: "the sample weight")
    if array.dtype.kind not in _values.NUMBERS:
        raise DataError(f"sample weights hold {array.dtype.name}, expected numbers")
    if array.ndim == 0:
        return np.full(n, float(array))
    if array.ndim != 1:
        raise DataError(f"sample weights must be one number a row, got {array.ndim} dimensions")
    return np.require(array, dtype=np.float64, requirements=["C", "A"])
