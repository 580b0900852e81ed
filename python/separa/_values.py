"""The gate that every value passes: what counts as a number, and where the first that does not is.

Both ways in (the functional core and the estimator classes) use it before anyone else reads a table:
NumPy and scikit-learn would take "3" for 3, a date for its nanoseconds and a masked value for what
lies under the mask.
"""

from __future__ import annotations

import datetime
import numbers
import re
from typing import Any, Callable, Sequence

import numpy as np
import numpy.typing as npt

from .exceptions import DataError

#: Kinds of NumPy's that hold numbers: floats, integers with and without sign, and truth values.
NUMBERS = "fiub"

#: The same in the words of polars and Arrow; their decimals become objects that are numbers.
_NAMED = re.compile(r"(u?int\d+|float\d*|double|halffloat|bool|boolean|decimal.*)$")

#: What `float` or NumPy would read as a number, or what no one would take for one.
_WORDS = (
    str, bytes, bytearray, np.str_, np.bytes_, np.datetime64, np.timedelta64,
    datetime.date, datetime.time, datetime.timedelta,
)  # fmt: skip

#: Turns a place in an array into words.
Where = Callable[[tuple[int, ...]], str]


def place(at: tuple[int, ...]) -> str:
    """"row 4, column 2": people count from 1."""
    return ", ".join(f"{word} {i + 1}" for word, i in zip(("row", "column", "layer"), at))


def in_column(title: str) -> Where:
    """Places in one column of a table."""
    return lambda at: f"row {at[0] + 1}, {title}"


def title(name: Any, index: int) -> str:
    """A column as messages call it: by its name where that is a word, else by its number."""
    return f'column "{name}"' if isinstance(name, str) else f"column {index + 1}"


def all_numbers(kind: Any) -> bool | None:
    """Whether a column of this type holds numbers; None where only its values can tell."""
    code = getattr(kind, "kind", None)
    word = str(kind).lower()
    if not isinstance(code, str):
        return None if word == "object" else _NAMED.match(word) is not None
    # pandas has types of its own that call themselves objects: categories, periods, strings.
    if code == "O" and (isinstance(kind, np.dtype) or word.startswith("decimal")):
        return None
    return code in NUMBERS


def check_array(array: npt.NDArray[Any]) -> None:
    """Refuses words, dates and spans of time. Complex numbers are left to who reads the array."""
    if array.dtype.kind == "O":
        # Other numbers of dimensions are refused as such.
        if array.ndim == 2:
            check_objects(array)
    elif array.dtype.kind not in NUMBERS + "c":
        raise refused_kind(array.dtype)


def refused_kind(kind: np.dtype[Any]) -> DataError:
    return DataError(
        f"the table holds {kind.name}, expected numbers; encode the column or leave it out"
    )


def check_objects(array: npt.NDArray[Any], where: Where = place) -> None:
    """Names the first value that is a word, a date, missing in pandas' way, or beyond float64.

    Other things that are no numbers are left to who reads the array.
    """
    suspects = {kind for kind in set(map(type, array.flat)) if not plain(kind)}
    if suspects <= {int} and fits(array):
        return
    for at, value in np.ndenumerate(array):
        if type(value) in suspects:
            check_object(value, where, at)


def plain(kind: type) -> bool:
    """Whether every value of this type is a float64 at sight."""
    numeric = (float, bool, np.bool_, np.floating, np.integer)
    # NumPy counts spans of time among its integers.
    return issubclass(kind, numeric) and not issubclass(kind, np.timedelta64)


def fits(array: npt.NDArray[Any]) -> bool:
    """Whether whole numbers of any size are within float64."""
    try:
        array.astype(np.float64)
    except OverflowError:
        return False
    return True


def check_object(value: Any, where: Where, at: tuple[int, ...]) -> None:
    if isinstance(value, _WORDS):
        raise DataError(
            f"{where(at)} holds {value!r}, expected a number; encode the column or leave it out"
        )
    if missing(value):
        raise DataError(
            f"{where(at)} holds NaN, expected a finite number; drop the row or the column"
        )
    if isinstance(value, numbers.Number) and beyond(value):
        raise DataError(
            f"{where(at)} holds a number beyond float64, expected a value below 1e150; "
            "rescale the column"
        )


def beyond(value: Any) -> bool:
    try:
        float(value)
    except OverflowError:
        return True
    except (TypeError, ValueError):
        return False
    return False


def missing(value: Any) -> bool:
    """None, NaN, and pandas' two values for what is not there (which need no pandas to be known)."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(value != value)


def from_objects(array: npt.NDArray[Any], where: Where = place) -> npt.NDArray[np.float64]:
    """Objects that are all numbers, as float64; the first that is not is named."""
    check_objects(array, where)
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        pass
    for at, value in np.ndenumerate(array):
        try:
            float(value)
        except (TypeError, ValueError):
            raise DataError(
                f"{where(at)} holds {value!r}, expected a number; "
                "encode the column or leave it out"
            ) from None
    raise DataError("the table holds objects, expected numbers; encode the column or leave it out")


def check_mask(x: Any, where: Where = place) -> None:
    """Refuses a masked value: what lies under a mask is not meant to be read."""
    rows: Sequence[Any] = x if isinstance(x, (list, tuple)) else [x]
    for i, part in enumerate(rows):
        if not np.ma.isMaskedArray(part):
            continue
        mask = np.ma.getmaskarray(part)
        if mask.any():
            inner = tuple(int(at[0]) for at in np.nonzero(np.atleast_1d(mask)))[: mask.ndim]
            at = (i, *inner) if rows is x else inner
            raise DataError(
                f"{where(at)} is masked, expected a value; fill it with .filled(), or leave the "
                "row or the column out"
            )
