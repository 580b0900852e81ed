"""Model files, by the name of their path."""

from __future__ import annotations

import os
from typing import Any

from . import _separa
from ._model import Model
from .exceptions import ModelError

__all__ = ["export", "load", "save"]


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Writes a model or a fitted estimator as a ``.separa`` file, whole or not at all.

    Parameters
    ----------
    model : Model or fitted estimator
        Of a pipeline, its last step: ``separa.save(pipeline[-1], path)``.
    path : path-like
        An existing file is replaced.

    Examples
    --------
    >>> import os, tempfile, separa
    >>> model = separa.fit([[0.0], [0.1], [5.0], [5.1]], n_clusters=2)
    >>> path = os.path.join(tempfile.mkdtemp(), "rule.separa")
    >>> separa.save(model, path)
    >>> separa.load(path).predict([[0.05], [4.9]])
    array([0, 1], dtype=int32)
    """
    _held(model, "saved").save(path)


def export(
    model: Any, to: str, path: str | os.PathLike[str] | None = None, **how: Any
) -> Any:
    """Writes the rule of a model or a fitted estimator as SQL, ONNX, Python, Rust or JSON.

    Parameters
    ----------
    model : Model or fitted estimator
        Of a pipeline, its last step, which sees what the steps before make of a table.
    to, path, **how
        As of :meth:`Model.export`.

    Examples
    --------
    >>> import separa
    >>> model = separa.fit([[0.0], [0.1], [5.0], [5.1]], "kmeans", n_clusters=2)
    >>> "def label(row):" in separa.export(model, to="python")
    True
    """
    return _held(model, "exported").export(to, path, **how)


def _held(model: Any, done: str) -> Model:
    held = model if isinstance(model, Model) else getattr(model, "model_", None)
    if not isinstance(held, Model):
        raise ModelError(
            f"only a model or a fitted estimator of separa can be {done}, got {type(model).__name__}"
        )
    return held


def load(path: str | os.PathLike[str]) -> Model:
    """Reads a ``.separa`` file, whoever wrote it: Python, Rust or the command line.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    model : Model
        ``model.to_estimator()`` makes a scikit-learn estimator of it.

    Examples
    --------
    >>> import os, tempfile, separa
    >>> path = os.path.join(tempfile.mkdtemp(), "rule.separa")
    >>> separa.save(separa.fit([[0.0], [0.1], [5.0], [5.1]], "kmeans", n_clusters=2), path)
    >>> separa.load(path)
    <separa.Model kmeans: 2 clusters, msp=0.500>
    """
    return Model(_separa.Rule.load(os.fspath(path)))
