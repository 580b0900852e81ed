"""Model files, by the name of their path."""

from __future__ import annotations

import os
from typing import Any

from . import _separa
from ._model import Model
from .exceptions import ModelError

__all__ = ["load", "save"]


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
    held = model if isinstance(model, Model) else getattr(model, "model_", None)
    if not isinstance(held, Model):
        raise ModelError(
            f"only a model or a fitted estimator of separa can be saved, got {type(model).__name__}"
        )
    held.save(path)


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
