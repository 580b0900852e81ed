"""A page about anything that holds a model."""

from __future__ import annotations

import os
from typing import Any

from ._source import source_of

__all__ = ["report"]


def report(
    fitted: Any,
    path: str | os.PathLike[str],
    X: Any = None,
    y: Any = None,
    *,
    ids: Any = None,
    name: str = "table",
    n_jobs: int | None = None,
) -> None:
    """Writes a page about a fitted estimator, a model, or a pipeline: one HTML file that needs no network.

    Of a pipeline it is about the last step, whose features have the names that the steps before give them.

    Parameters
    ----------
    fitted : estimator, Model or Pipeline
        A fitted estimator of separa, a :class:`separa.Model`, a pipeline that ends in such an estimator, or a search
        over one.
    path : path-like
        An existing file is replaced.
    X : array-like, sparse rows or table of shape (n_samples, n_features), optional
        The table of the fit; of a pipeline, as its first step takes it.
    y : array-like of shape (n_samples,), optional
        Known classes to compare with.
    ids : sequence of shape (n_samples,), optional
        What rows are called; their numbers from 0 if it is None.
    name : str
        What the table is called.
    n_jobs : int, optional
        Threads; all cores if it is None.

    Examples
    --------
    >>> import os, tempfile, separa
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X = [[0.0, 10], [0.2, 11], [9, 95], [9.1, 97]]
    >>> pipeline = make_pipeline(StandardScaler(), separa.KMeans(2)).fit(X)
    >>> path = os.path.join(tempfile.mkdtemp(), "page.html")
    >>> separa.report(pipeline, path, X)
    >>> os.path.getsize(path) > 10_000
    True
    """
    source = source_of(fitted, X)
    source.model.report(path, source.X, y, ids=ids, name=name, n_jobs=n_jobs)
