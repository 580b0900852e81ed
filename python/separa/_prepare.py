"""Data frames as people have them: words, dates, gaps and ids, made into features as files are."""

from __future__ import annotations

import itertools
import re
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from . import _run, _separa, _table
from .exceptions import DataError, ParameterError, SeparaWarning

__all__ = ["Prepared", "prepare"]

#: What `prepare=` takes in estimators.
CHOICES = ("auto", "none")


class Prepared(NamedTuple):
    """Features of a data frame, and what was done to make them.

    Attributes
    ----------
    values : ndarray of shape (n_samples, n_features)
    feature_names : list of str
    preparation : dict
        Of every column its ``role``, ``type``, what was ``done`` and ``why``.
    notes : list of str
        The same in a few sentences.
    rows : list of int
        Rows that were kept, where some were left out (``missing="drop"``); else empty.

    Examples
    --------
    >>> import pandas as pd, separa
    >>> prepared = separa.prepare(pd.DataFrame({"ok": ["yes", "no", "yes"], "x": [1.0, 2.0, 4.0]}))
    >>> prepared.feature_names, prepared.values[:, 0].tolist()
    (['ok', 'x'], [1.0, 0.0, 1.0])
    """

    values: npt.NDArray[np.float64]
    feature_names: list[str]
    preparation: dict[str, Any]
    notes: list[str]
    rows: list[int]
    text: str

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def __repr__(self) -> str:
        n, d = self.values.shape
        return f"<separa.Prepared {n} rows, {d} features>"


def prepare(
    X: Any,
    *,
    features: Sequence[str] = (),
    drop: Sequence[str] = (),
    id: str | None = None,
    categorical: Sequence[str] = (),
    numeric: Sequence[str] = (),
    text: Sequence[str] = (),
    date: Sequence[str] = (),
    order: Mapping[str, Sequence[str]] | None = None,
    na: Sequence[Any] = (),
    missing: str | None = None,
) -> Prepared:
    """Makes features of a data frame: finds ids, types and missing values, and says what it did.

    Estimators do the same to data frames (``prepare="auto"``) and keep it in the model, so that new rows are
    prepared as the old ones were.

    Parameters
    ----------
    X : pandas, polars or Arrow table
    features, drop : list of str
        Columns to use, and columns to leave out.
    id : str, optional
        The column that names the rows.
    categorical, numeric, text, date : list of str
        Columns whose type is given. Text is left out.
    order : dict of lists
        Columns of ordered words, with the words from low to high.
    na : list
        Values that mean "missing".
    missing : {"nearest", "median", "mean", "drop", "refuse"}, optional
        What to do about missing values; "nearest" where it is None.

    Returns
    -------
    prepared : Prepared

    Examples
    --------
    >>> import pandas as pd, separa
    >>> df = pd.DataFrame({"size": ["S", "M", "L", "M"], "price": [1.0, 2.5, None, 2.0]})
    >>> separa.prepare(df).values.tolist()
    [[0.0, 1.0], [1.0, 2.5], [2.0, 2.0], [1.0, 2.0]]
    """
    if not _table.is_frame(X):
        raise DataError(
            f"expected a pandas, polars or Arrow table, got {type(X).__name__}; arrays need no preparation"
        )
    options = {
        "features": names_of(features, "features"), "drop": names_of(drop, "drop"), "id": id,
        "categorical": names_of(categorical, "categorical"), "numeric": names_of(numeric, "numeric"),
        "text": names_of(text, "text"), "date": names_of(date, "date"),
        "order": {str(k): [str(w) for w in v] for k, v in (order or {}).items()},
        "na": [str(value) for value in na], "missing": missing,
    }
    return run(X, options, None)


def names_of(given: Sequence[str], what: str) -> list[str]:
    if isinstance(given, str):
        raise ParameterError(f"`{what}` must be a list of column names, got {given!r}; write [{given!r}]")
    return [str(name) for name in given]


def run(X: Any, options: Mapping[str, Any], model: str | None) -> Prepared:
    """The call across the border; `model` is the text of a model's preparation."""
    _table.refuse_lazy(X)
    _table.check_has_rows(X)
    given = {name: value for name, value in options.items() if value not in (None, [], {})}
    if model is None:
        named = {name for value in given.values() if isinstance(value, (list, dict)) for name in value}
        found = {name: words for name, words in orders(X).items() if name not in named}
        given |= {"order": {**found, **given.get("order", {})}} if found else {}
    try:
        values, names, done, text, notes, rows = _separa.prepare(columns(X), given, model)
    except DataError as wrong:
        raise DataError(worded(str(wrong))) from None
    called = [f"a column with the name of another was called {name!r}" for name in repeated(X)]
    return Prepared(values, names, done, called + [worded(note) for note in notes], rows, text)


def orders(X: Any) -> dict[str, list[str]]:
    """Columns of ordered words whose order their type knows: pandas' ordered categories, polars' enumerations."""
    found: dict[str, list[str]] = {}
    for j, (name, (_, kind)) in enumerate(zip(titles(X), _table.columns_of(X), strict=True)):
        known = getattr(kind, "ordered", None) is True or type(kind).__name__ == "Enum"
        words = [str(word) for word in getattr(kind, "categories", ())] if known else []
        if len(words) < 2:
            continue
        present = [str(value) for value in listed(_table.column_at(X, j)) if not missing(value)]
        # A column that does not vary, or is mostly empty, is left out as any other.
        if len(set(present)) > 1 and 2 * len(present) >= len(X):
            found[name] = words
    return found


def as_table(done: Prepared) -> _table.Table:
    """Features as the engine takes them, with how they came about."""
    return _table.Table(done.values, done.feature_names, done.text, tuple(done.notes))


#: Why a column was not understood, in parts of the engine's sentences; ids, copies and constants are no such.
NOT_UNDERSTOOD = ("it holds ", "its numbers carry ", "or no number", " different texts", " different words")

#: The end of the engine's sentence about a value such as -999.
SENTINEL = "may stand for a missing value"


def to_act_on(preparation: Mapping[str, Any]) -> list[str]:
    """What a user should look at: columns that were not understood, and values that may mean "missing"."""
    columns = [(column, worded(column.get("why", ""))) for column in preparation["columns"]]
    unknown = [
        f'"{column["name"]}" ({why})'
        for column, why in columns
        if column["role"] == "left_out" and any(part in why for part in NOT_UNDERSTOOD)
    ]
    more = f" and {len(unknown) - 6} more" if len(unknown) > 6 else ""
    said = [f"columns left out: {', '.join(unknown[:6])}{more}"] if unknown else []
    return said + [
        f'"{column["name"]}": {why}; if so, replace it by NaN' for column, why in columns if why.endswith(SENTINEL)
    ]


def unused(preparation: Mapping[str, Any]) -> set[str]:
    """Names of the columns that are no features: new rows need not have them."""
    return {column["name"] for column in preparation["columns"] if column["role"] != "feature"}


def for_new(X: Any, model: str) -> Prepared:
    """New rows, prepared as those of a model; values that it does not know are told."""
    done = run(X, {}, model)
    for note in done.notes:
        if "holds values that" in note:
            _run.warn(note, SeparaWarning)
    return done


#: Options of the command line that take names of columns.
LISTS = "features|drop|categorical|numeric|text|date"


def worded(message: str) -> str:
    """A sentence of the command line in Python's words."""
    message = message.replace("--features COLS", "features=[...]")
    message = re.sub(r"--missing (\w+)", r'missing="\1"', message)
    message = re.sub(rf"--({LISTS}) (\w+(?:,\w+)*)", lambda found: f"{found[1]}={found[2].split(',')}", message)
    return re.sub(r"--([a-z]+)", r"`\1`", message).replace("separa cluster", "separa.fit")


def columns(X: Any) -> list[tuple[str, str, Any]]:
    """Name, type and values of every column; names are unique."""
    kinds = [str(kind) for _, kind in _table.columns_of(X)]
    return [(title, *column(_table.column_at(X, j), kinds[j])) for j, title in enumerate(titles(X))]


def titles(X: Any) -> list[str]:
    """Names of the columns; a second `a` is called `a (2)`, as on the command line."""
    given = [str(name) for name, _ in _table.columns_of(X)]
    taken, found = set(given), dict[str, None]()
    for name in given:
        if name in found:
            name = next(free for i in itertools.count(2) if (free := f"{name} ({i})") not in taken)
            taken.add(name)
        found[name] = None
    return list(found)


def repeated(X: Any) -> list[str]:
    """Names that were made up because another column has the name."""
    return [title for title, (name, _) in zip(titles(X), _table.columns_of(X), strict=True) if title != str(name)]


def column(values: Any, kind: str) -> tuple[str, Any]:
    """What a column holds, and its values as the engine takes them."""
    kind = kind.lower()
    if kind.startswith(("bool", "boolean")):
        return "boolean", numbers(values)
    if kind.startswith(("datetime", "timestamp", "date")):
        return ("date" if kind in ("date", "date32[day]") else "datetime"), seconds(values)
    if kind.startswith(("int", "uint", "float", "double", "half", "decimal")):
        return "number", numbers(values)
    if kind.startswith(("timedelta", "duration")):
        return "number", np.asarray(listed(values), dtype="timedelta64[ns]").astype("int64") / 1e9
    return texts(values)


def listed(values: Any) -> list[Any]:
    """A column's values as Python holds them."""
    for way in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, way):
            return list(getattr(values, way)())
    return list(values)


def numbers(values: Any) -> npt.NDArray[np.float64]:
    """Numbers, NaN where one is missing."""
    if hasattr(values, "to_numpy"):
        try:
            array = np.asarray(values.to_numpy())
            if array.dtype.kind in "fiub":
                # Aligned, too: arrays that came over a network need not be.
                return np.require(array, dtype=np.float64, requirements=["C", "A"])
        except (TypeError, ValueError):
            pass
    return np.array([real_number(v) for v in listed(values)], dtype=np.float64)


def seconds(values: Any) -> npt.NDArray[np.float64]:
    """Seconds since 1970-01-01, NaN where one is missing."""
    stamps = [np.datetime64("NaT") if missing(v) else np.datetime64(naive(v)) for v in listed(values)]
    array = np.array(stamps, dtype="datetime64[us]")
    out = array.astype("int64") / 1e6
    out[np.isnat(array)] = np.nan
    return np.ascontiguousarray(out, dtype=np.float64)


def naive(value: Any) -> Any:
    """A time without its zone."""
    value = value.to_pydatetime(warn=False) if hasattr(value, "to_pydatetime") else value
    return value.replace(tzinfo=None) if getattr(value, "tzinfo", None) is not None else value


def real_number(value: Any) -> float:
    """A number as float64: NaN for a missing one, infinite for one beyond its range."""
    if missing(value):
        return float("nan")
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def missing(value: Any) -> bool:
    return value is None or value != value or type(value).__name__ in ("NaTType", "NAType")


def texts(values: Any) -> tuple[str, Any]:
    """A column of objects: text, or numbers where all of them are that."""
    found = listed(values)
    present = [value for value in found if not missing(value)]
    if present and all(isinstance(value, (bool, np.bool_)) for value in present):
        return "boolean", np.array([np.nan if missing(v) else float(v) for v in found], dtype=np.float64)
    real = (int, float, np.integer, np.floating)
    if present and all(isinstance(v, real) and not isinstance(v, bool) for v in present):
        return "number", np.array([real_number(v) for v in found], dtype=np.float64)
    if any(isinstance(v, (list, dict, tuple, set, np.ndarray)) for v in present):
        return "unreadable", "nested values"
    return "text", [None if missing(v) else str(v) for v in found]


def choice(given: Any) -> bool:
    """Whether `prepare=` asks for a preparation."""
    if given not in CHOICES:
        raise ParameterError(f'parameter `prepare` must be "auto" or "none", got {given!r}')
    return bool(given == "auto")


def is_plain(prepared: Prepared, X: Any) -> bool:
    """Whether nothing was done: every column is a number, none is left out, renamed or has a gap."""
    done = prepared.preparation
    whole = not done["filled"] and not done["rows_left_out"]
    return whole and all(map(stays, done["columns"])) and not repeated(X)


def stays(column: Mapping[str, Any]) -> bool:
    """Whether a column is a feature as it is: numbers, not texts that stand for them."""
    encoding = column.get("encoding") or {}
    return column["role"] == "feature" and encoding.get("as") == "number" and "style" not in encoding


