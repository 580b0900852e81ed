"""Discriminative clustering: groups that a classifier could tell apart, and how well.

>>> import separa
>>> model = separa.fit([[0.0, 10], [0.2, 11], [9, 95], [9.1, 97]], n_clusters=2)
>>> model.labels_
array([0, 0, 1, 1], dtype=int32)

The estimator classes (`MSPC`, `KMeans`, …) need scikit-learn; :func:`fit`, :func:`load`, :func:`save`
and :mod:`separa.metrics` need NumPy alone.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from . import _cpu  # noqa: F401  (first: a wrong machine gets a sentence, not a crash)
from . import exceptions, metrics
from ._compare import ComparisonTable, compare
from ._files import load, save
from ._fit import classifiers, fit, methods
from ._model import Model
from ._run import Progress
from ._separa import __version__
from ._stability import Stability, stability

if TYPE_CHECKING:
    from ._armc import ARMC as ARMC
    from ._cdsk import CDSK as CDSK
    from ._fuzzy_kmeans import FuzzyKMeans as FuzzyKMeans
    from ._crf import CRFClustering as CRFClustering
    from ._classifiers import MCPMClassifier as MCPMClassifier
    from ._classifiers import MPMClassifier as MPMClassifier
    from ._classifiers import SCMClassifier as SCMClassifier
    from ._kernel_kmeans import KernelKMeans as KernelKMeans
    from ._kmeans import KMeans as KMeans
    from ._logistic import LogisticClustering as LogisticClustering
    from ._mrmc import MRMC as MRMC
    from ._msc import MSC as MSC
    from ._mspc import MSPC as MSPC
    from ._spectral import SpectralClustering as SpectralClustering
    from ._tod import TOD as TOD

#: Where each estimator class lives; they are loaded on first use, and scikit-learn with them.
_CLASSES = {
    "MSPC": "_mspc",
    "KMeans": "_kmeans",
    "MSC": "_msc",
    "KernelKMeans": "_kernel_kmeans",
    "SpectralClustering": "_spectral",
    "CDSK": "_cdsk",
    "LogisticClustering": "_logistic",
    "MRMC": "_mrmc",
    "FuzzyKMeans": "_fuzzy_kmeans",
    "CRFClustering": "_crf",
    "ARMC": "_armc",
    "MPMClassifier": "_classifiers",
    "MCPMClassifier": "_classifiers",
    "SCMClassifier": "_classifiers",
    "TOD": "_tod",
}

__all__ = [
    "ARMC",
    "CDSK",
    "ComparisonTable",
    "FuzzyKMeans",
    "CRFClustering",
    "KMeans",
    "KernelKMeans",
    "LogisticClustering",
    "MRMC",
    "MCPMClassifier",
    "MPMClassifier",
    "MSC",
    "MSPC",
    "Model",
    "Progress",
    "SCMClassifier",
    "SpectralClustering",
    "Stability",
    "TOD",
    "__version__",
    "classifiers",
    "compare",
    "exceptions",
    "fit",
    "load",
    "methods",
    "metrics",
    "save",
    "stability",
]


if not TYPE_CHECKING:
    # Hidden from checkers, which would take it for a promise of any name.
    def __getattr__(name: str) -> Any:
        if name in _CLASSES:
            try:
                return getattr(_import_module(f".{_CLASSES[name]}", __name__), name)
            except AttributeError as trouble:
                # `from separa import …` would take it for a name that is not there.
                raise ImportError(f"separa.{name} cannot be loaded: {trouble}") from trouble
        raise AttributeError(f"module 'separa' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
