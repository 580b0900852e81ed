"""A page to look at: one HTML file about a model."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _labels, _run, _separa
from .exceptions import DataError

if TYPE_CHECKING:
    from ._model import Model


def write(
    model: Model, path: str | os.PathLike[str], X: Any, y: Any, ids: Any, name: str, n_jobs: int | None
) -> None:
    if y is not None and X is None and (model._classes is not None or model._rule.labels() is None):
        raise DataError(
            "y was given without X: classes belong to rows, and the model holds none; give the training table as X, too"
        )
    table = None if X is None else model._read_table(X)
    n = int(model._info["n"]) if table is None else table.n_rows
    how = {"name": str(name), "ids": row_names(ids, n), "threads": _run.threads_of(n_jobs)}
    rows = None if table is None else table.rows
    _separa.report(model._rule, os.fspath(path), rows, classes(model, y, n), how)


def row_names(ids: Any, n: int) -> list[str] | None:
    if ids is None:
        return None
    names = [str(name) for name in ids]
    if len(names) != n:
        raise DataError(f"{len(names)} ids were given for {n} rows")
    return names


def classes(model: Model, y: Any, n: int) -> tuple[list[int], list[str]] | None:
    """Classes by number, and their names: a classifier's own, else by first appearance."""
    if y is None:
        return None
    if model._classes is None:
        numbered, names = _labels.codes(y, n, marks=False)
        return numbered.tolist(), [str(name) for name in names]
    given = [str(value) for value in _labels.values_of(y)]
    if len(given) != n:
        raise DataError(f"{len(given)} classes were given for {n} rows")
    known = [str(name) for name in model._classes]
    place = {name: i for i, name in enumerate(known)}
    strange = next((name for name in given if name not in place), None)
    if strange is not None:
        raise DataError(f'y holds "{strange}", expected the classes of the model: {", ".join(known)}')
    return np.array([place[name] for name in given]).tolist(), known
