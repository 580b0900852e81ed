"""Several methods on one table, ranked without labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Sequence

from . import _fit, _labels, _run, _separa, _table
from .exceptions import ParameterError

__all__ = ["ComparisonTable", "compare"]

#: Columns of the table, in order; those of a truth are left out where none is given.
_FIRST = ("rank", "method", "score", "status", "seconds", "k")
_QUALITY = ("msp", "msp_null", "p_gauss", "p_unimodal", "msp_held_out", "min_fraction")
_TRUTH = ("accuracy", "nmi", "ari")


class ComparisonTable:
    """What :func:`separa.compare` returns where pandas is not installed: rows and columns, no more.

    Attributes
    ----------
    rows : list of dict
        A dict of column and value each, the best method first.
    attrs : dict
        ``gap_found``, ``p_unimodal``, ``verdict`` and ``notes``, as in the data frame.

    Examples
    --------
    >>> from separa import ComparisonTable
    >>> ComparisonTable([{"rank": 1, "method": "mspc"}], {"verdict": "mspc comes first"})
    rank  method
    1     mspc
    mspc comes first
    """

    def __init__(
        self, rows: list[dict[str, Any]], attrs: dict[str, Any], columns: Sequence[str] = ()
    ) -> None:
        self.rows = rows
        self.attrs = attrs
        #: The names of the columns.
        self.columns = list(columns) or list(rows[0] if rows else ())

    def __getitem__(self, column: str) -> list[Any]:
        """One column, the best method first."""
        if column not in self.columns:
            raise KeyError(column)
        return [row[column] for row in self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        cells = [self.columns, *([shown(row[c]) for c in self.columns] for row in self.rows)]
        widths = [max(len(line[c]) for line in cells) for c in range(len(self.columns))]
        lines = ["  ".join(t.ljust(w) for t, w in zip(line, widths)).rstrip() for line in cells]
        return "\n".join([*lines, self.attrs.get("verdict", "")]).strip()


def shown(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def compare(
    X: Any,
    n_clusters: _run.Clusters,
    methods: str | Sequence[str] = "all",
    *,
    truth: Any = None,
    sample_weight: Any = None,
    k_max: int | None = None,
    time_limit: float | None = None,
    max_memory: int | str | None = None,
    random_state: _run.RandomState = 0,
    n_jobs: int | None = None,
    callback: _run.Callback | None = None,
    verbose: int = 0,
) -> Any:
    """Runs several methods on one table and ranks them without labels.

    A method that fails, or is stopped at its time limit, does not end the others. Ranks go by ``score``: how
    much the nearest neighbours of a row know of its cluster (:func:`separa.metrics.separation_score`), and a
    little how far the other methods agree. A rank is no proof that there are clusters: read ``attrs["verdict"]``.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
    n_clusters : int or "auto"
        "auto" finds the number once, for all methods; where there are no clusters no method runs.
    methods : str or list of str, default="all"
        Names of :func:`separa.methods`; "all" are those made for rows without an order.
    truth : array-like of shape (n_samples,), optional
        Known classes: accuracy, NMI and ARI stand beside. The ranks do not know them.
    sample_weight : array-like of shape (n_samples,), optional
    k_max : int, optional
        Clusters that ``n_clusters="auto"`` looks for at most; 24 where it is None.
    time_limit : float, optional
        Seconds for each method, and for counting where ``n_clusters="auto"``; each is stopped at its next step
        with its best so far.
    max_memory : int or str, optional
        Bytes or a size like "4G" for each method; a part each of 80 % of what is free where it is None.
    random_state : int, None, RandomState or Generator, default=0
    n_jobs : int, optional
        Threads: methods run side by side on them. The result does not depend on it.
    callback : callable, optional
        Called with a :class:`separa.Progress` of kind "start" when a method begins; a true value ends the
        comparison with what is there.
    verbose : int, default=0
        1 shows a progress bar.

    Returns
    -------
    comparison : pandas.DataFrame, or ComparisonTable where pandas is not installed
        A row a method, the best first: ``rank, method, score, status, seconds, k``, the quality,
        ``agreement`` (mean ARI with the other methods), the truth's measures, ``notes``, what to keep in mind
        of a method, and ``error``, why it failed. ``attrs`` holds ``gap_found``, ``p_unimodal``, ``verdict`` and ``notes``, and of
        ``n_clusters="auto"`` how the number was found, ``auto``.

    Examples
    --------
    >>> import numpy as np, separa
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0, [1, 90], (80, 2)), rng.normal([9, 0], [1, 90], (80, 2))])
    >>> table = separa.compare(X, 2, methods=["kmeans", "mspc"])
    >>> list(table["method"]), table.attrs["gap_found"]
    (['kmeans', 'mspc'], True)
    """
    names = [methods] if isinstance(methods, str) else list(methods) if isinstance(methods, Iterable) else [None]
    if not all(isinstance(name, str) for name in names):
        raise ParameterError(f"`methods` must be \"all\" or names of separa.methods(), got {methods!r}")
    if k_max is not None and n_clusters != "auto":
        raise ParameterError(
            f"parameter `k_max` is for n_clusters=\"auto\", but {n_clusters!r} was given; leave it out"
        )
    table = _fit.read(X, "auto", "mspc", {})
    weights = _table.weights(sample_weight, table.n_rows)
    classes = None if truth is None else _labels.codes(truth, table.n_rows, marks=False)[0]
    limit = None if time_limit is None else _labels.number("time_limit", time_limit)
    run = _run.settings(random_state, n_jobs, max_memory, True, k_max)
    bar = _run.bar_of("compare", verbose)
    listener = _run.listener_of([] if callback is None else [callback], bar)
    try:
        found = _separa.compare(
            (names, _fit.plain({"n_clusters": n_clusters})),
            table.rows,
            table.columns,
            weights,
            classes,
            limit,
            {**run, "listener": listener},
        )
    finally:
        if bar is not None:
            bar.close()
    truths = () if truth is None else _TRUTH
    columns = [*_FIRST, *_QUALITY, "agreement", *truths, "notes", "error"]
    rows = [row_of(line, columns) for line in found.pop("results")]
    return framed(rows, {**found, "notes": [note["sentence"] for note in found["notes"]]}, columns)


def row_of(line: dict[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    """One method as a flat row."""
    flat = {**(line["quality"] or {}), **(line["truth"] or {}), **line}
    return {**{name: flat.get(name) for name in columns}, "notes": "; ".join(note["sentence"] for note in line["notes"])}


def framed(rows: list[dict[str, Any]], attrs: dict[str, Any], columns: Sequence[str]) -> Any:
    """A data frame where pandas is installed."""
    try:
        import pandas
    except ImportError:
        return ComparisonTable(rows, attrs, columns)
    frame = pandas.DataFrame(rows, columns=list(columns))
    # A rank that is missing would make all of them floats.
    frame = frame.astype({"rank": "Int64", "k": "Int64"})
    frame.attrs.update(attrs)
    return frame
