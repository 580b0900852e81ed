"""What estimators show of themselves: pages, pictures, and their place in a notebook."""

from __future__ import annotations

import os
from typing import Any

from ._pages import report
from ._plotted import Plotted


class Pictured(Plotted):
    """Reports and plots of an estimator that holds a model; before scikit-learn's classes, whose diagram it replaces."""

    def report(
        self,
        path: str | os.PathLike[str],
        X: Any = None,
        y: Any = None,
        *,
        ids: Any = None,
        name: str = "table",
        n_jobs: int | None = None,
    ) -> None:
        """Writes a page to look at: one HTML file that needs no network.

        Parameters
        ----------
        path : path-like
            An existing file is replaced.
        X : array-like, sparse rows or table of shape (n_samples, n_features), optional
            The table of the fit; without it the page says what the model knows.
        y : array-like of shape (n_samples,), optional
            Known classes to compare with; of a classifier, the classes of the rows.
        ids : sequence of shape (n_samples,), optional
            What rows are called; their numbers from 0 if it is None.
        name : str
            What the table is called.
        n_jobs : int, optional
            Threads; all cores if it is None.
        """
        report(self, path, X, y, ids=ids, name=name, n_jobs=n_jobs)

    def _repr_html_inner(self) -> str:
        """The model once there is one; scikit-learn's diagram, which shows the parameters, below it."""
        diagram: str = super()._repr_html_inner()  # type: ignore[misc]
        model = self.__dict__.get("model_")
        if model is None:
            return diagram
        return f"{model._repr_html_()}<details><summary>Parameters</summary>{diagram}</details>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] = self._repr_html_inner()
        return bundle
