"""Labels of any kind as the numbers that the engine takes, with what they are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _run, _table, _values
from .exceptions import DataError, ParameterError


def prepare(
    X: Any, labels: Any, sample_weight: Any
) -> tuple[_table.Table, npt.NDArray[np.int64], npt.NDArray[Any], Any]:
    table = _table.read(X)
    numbered, names = codes(labels, table.n_rows)
    return table, numbered, names, _table.weights(sample_weight, table.n_rows)


def codes(
    labels: Any, n: int | None, marks: bool = True
) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    """Labels as numbers by first appearance, and what they are called.

    With `marks`, −1 along with two or more other labels stays −1: outliers.
    """
    given = values_of(labels)
    if given.ndim != 1:
        raise DataError(f"labels must be one value a row, got {given.ndim} dimensions")
    if n is not None and len(given) != n:
        raise DataError(f"{len(given)} labels were given for {n} rows")
    refuse_missing(given)
    kept = ~set_aside(given) if marks else np.ones(len(given), dtype=bool)
    values, first, inverse = np.unique(given[kept], return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    numbered = np.full(len(given), -1, dtype=np.int64)
    numbered[kept] = rank[inverse.reshape(-1)]
    return numbered, values[order]


def values_of(labels: Any) -> npt.NDArray[Any]:
    """Labels as an array of numbers or of words; a mix is words, as in a file."""
    _values.check_mask(labels, lambda at: f"the label of row {at[0] + 1}")
    if isinstance(labels, (list, tuple)):
        # NumPy would write a missing value among words as the word "nan".
        refuse_missing(labels)
    given = np.asarray(labels)
    if given.dtype != object or given.ndim != 1:
        return given
    refuse_missing(given)
    plain = np.asarray(given.tolist())
    if plain.dtype == object or plain.ndim != 1:
        plain = np.array([str(label) for label in given])
    return plain


def refuse_missing(labels: Any) -> None:
    """A row without a label is named."""
    kind = getattr(labels, "dtype", np.dtype(object)).kind
    if kind == "f":
        absent = ~np.isfinite(labels)
    elif kind in "mM":
        absent = np.isnat(labels)
    elif kind == "O":
        absent = np.fromiter(map(_values.missing, labels), dtype=bool, count=len(labels))
    else:
        return
    if absent.any():
        row = int(np.flatnonzero(absent)[0]) + 1
        raise DataError(f"row {row} has no label, expected one per row")


def set_aside(given: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Rows that are marked −1, as a number or as a word, beside two or more other labels."""
    none = np.zeros(len(given), dtype=bool)
    if given.dtype.kind not in "ifU":
        return none
    mark = "-1" if given.dtype.kind == "U" else -1
    marked: npt.NDArray[np.bool_] = given == mark
    return marked if len(np.unique(given)) > 2 else none


def number(name: str, value: Any) -> float:
    try:
        return float(_run.scalar(value))
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"parameter `{name}` must be a number, got {value!r}") from None
