"""What a picture shows, before anybody draws it: both backends draw from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Sequence, Union

import numpy as np
import numpy.typing as npt

from .. import _separa

Array = npt.NDArray[np.float64]

#: What has no colour of its own: outliers, lines, bars that were not chosen.
GREY = "#79898e"
#: Cells of a heat map whose value is not known; no colour of its scale.
UNKNOWN = "#c3c9cb"
INK = "#1c2026"


@dataclass(frozen=True)
class Points:
    """Rows of one cluster."""

    x: Array
    y: Array
    name: str
    colour: str
    #: "dot", "square", "triangle", "diamond", or "cross" of outliers.
    mark: str
    #: What the rows are called, for backends that show the row under the pointer.
    rows: Sequence[Any]


@dataclass(frozen=True)
class Bars:
    """Bars at whole numbers, or the bins of a histogram."""

    at: Array
    values: Array
    colours: Sequence[str]
    width: float = 0.8
    name: str = ""
    horizontal: bool = False
    #: Stacked on these heights.
    base: Array | None = None


@dataclass(frozen=True)
class Heat:
    """A table of values as colours; NaN is left blank, or grey."""

    values: Array
    texts: Sequence[Sequence[str]]
    #: Whether 0 is the middle of the colours; else they begin at 0.
    diverging: bool
    label: str
    #: Whether NaN is grey: blank looks like 0.
    grey: bool = False


@dataclass(frozen=True)
class Ground:
    """What a rule says everywhere: cells of a square grid, row by row from the lowest."""

    low: tuple[float, float]
    high: tuple[float, float]
    cells: npt.NDArray[np.int32]


@dataclass(frozen=True)
class Line:
    """A line across the whole picture."""

    at: float
    vertical: bool
    name: str = ""
    dashed: bool = True


Layer = Union[Points, Bars, Heat, Ground, Line]


@dataclass(frozen=True)
class Chart:
    """One picture."""

    layers: Sequence[Layer]
    title: str
    x: str
    y: str
    #: Names along an axis, at 0, 1, 2, ...
    x_names: Sequence[str] | None = None
    y_names: Sequence[str] | None = None
    legend: str = ""
    #: Values of the axis that holds bars: both ends.
    limits: tuple[float, float] | None = field(default=None)


def look(cluster: int) -> tuple[str, str]:
    """The colour and the mark of a cluster, as reports have them; outliers have none of their own."""
    return (GREY, "cross") if cluster < 0 else _separa.look(cluster)


def colours(count: int) -> list[str]:
    """The colours of the first clusters."""
    return [look(c)[0] for c in range(count)]
