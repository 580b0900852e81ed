"""Clusterers: one class for each method.

Written by python/generate.py: do not edit. Parameters come from the engine, prose from
python/class_docs.py.
"""

from __future__ import annotations

from .armc import ARMC
from .cdsk import CDSK
from .crf import CRFClustering
from .fuzzy_kmeans import FuzzyKMeans
from .kernel_kmeans import KernelKMeans
from .kmeans import KMeans
from .logistic import LogisticClustering
from .mrmc import MRMC
from .msc import MSC
from .mspc import MSPC
from .spectral import SpectralClustering

__all__ = [
    "MSPC",
    "KMeans",
    "MSC",
    "KernelKMeans",
    "SpectralClustering",
    "CDSK",
    "LogisticClustering",
    "MRMC",
    "FuzzyKMeans",
    "CRFClustering",
    "ARMC",
]
