"""Discriminative clustering: clusters that a classifier could separate, and how well.

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
from ._explain import Explanation, Rules
from ._files import export, load, save
from ._fit import classifiers, fit, methods
from ._model import Model
from ._moments import Moments
from ._prepare import Prepared, prepare
from ._pages import report
from ._run import Progress
from ._separa import __version__
from ._stream import Backend, Blocks, open
from ._stability import Stability, stability

# The function hides the package of its name: ``from separa.plot import ClusterMapDisplay`` finds it all the same.
from .plot import plot

if TYPE_CHECKING:
    from ._tod import TOD as TOD
    from .classify import MCPMClassifier as MCPMClassifier
    from .classify import MPMClassifier as MPMClassifier
    from .classify import SCMClassifier as SCMClassifier
    from .cluster import ARMC as ARMC
    from .cluster import CDSK as CDSK
    from .cluster import CRFClustering as CRFClustering
    from .cluster import FuzzyKMeans as FuzzyKMeans
    from .cluster import KernelKMeans as KernelKMeans
    from .cluster import KMeans as KMeans
    from .cluster import LogisticClustering as LogisticClustering
    from .cluster import MRMC as MRMC
    from .cluster import MSC as MSC
    from .cluster import MSPC as MSPC
    from .cluster import SpectralClustering as SpectralClustering

#: Where each estimator class lives; they are loaded on first use, and scikit-learn with them.
_CLASSES = {
    "MSPC": "cluster",
    "KMeans": "cluster",
    "MSC": "cluster",
    "KernelKMeans": "cluster",
    "SpectralClustering": "cluster",
    "CDSK": "cluster",
    "LogisticClustering": "cluster",
    "MRMC": "cluster",
    "FuzzyKMeans": "cluster",
    "CRFClustering": "cluster",
    "ARMC": "cluster",
    "MPMClassifier": "classify",
    "MCPMClassifier": "classify",
    "SCMClassifier": "classify",
    "TOD": "_tod",
}

__all__ = [
    "ARMC",
    "Backend",
    "Blocks",
    "CDSK",
    "ComparisonTable",
    "Explanation",
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
    "Moments",
    "Prepared",
    "Progress",
    "Rules",
    "SCMClassifier",
    "SpectralClustering",
    "Stability",
    "TOD",
    "__version__",
    "classifiers",
    "compare",
    "exceptions",
    "export",
    "fit",
    "load",
    "methods",
    "metrics",
    "open",
    "plot",
    "prepare",
    "report",
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
