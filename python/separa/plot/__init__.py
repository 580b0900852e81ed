"""Pictures of a clustering: the numbers are the engine's, those that reports are drawn from.

:func:`plot` draws any kind; every kind has a class that follows scikit-learn's convention of displays.
"""

from __future__ import annotations

from ._display import Display
from ._known import ClusterCountDisplay, ImportanceDisplay, PairsDisplay, ProfileDisplay
from ._plot import KINDS, plot
from ._refits import StabilityDisplay
from ._rows import ClusterMapDisplay, ConfidenceDisplay, MarginsDisplay

__all__ = [
    "KINDS",
    "ClusterCountDisplay",
    "ClusterMapDisplay",
    "ConfidenceDisplay",
    "Display",
    "ImportanceDisplay",
    "MarginsDisplay",
    "PairsDisplay",
    "ProfileDisplay",
    "StabilityDisplay",
    "plot",
]
