"""Draws with matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._chart import INK, UNKNOWN, Bars, Chart, Ground, Heat, Line, Points, look

#: Letters of a name along an axis.
LETTERS = 36

MARKS = {"dot": "o", "square": "s", "triangle": "^", "diamond": "D", "cross": "x"}


def draw(chart: Chart, ax: Any) -> tuple[Any, Any]:
    """The figure and its axes: those that were given, or new ones."""
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as missing:
        raise ImportError("plots need matplotlib: pip install 'separa[plot]'") from missing
    if ax is None:
        _, ax = pyplot.subplots(figsize=size(chart), layout="constrained")
    for layer in chart.layers:
        DRAWN[type(layer)](ax, layer)
    ax.set(title=chart.title, xlabel=chart.x, ylabel=chart.y)
    names(ax, chart)
    if chart.legend:
        ax.legend(title=chart.legend)
    return ax.figure, ax


def size(chart: Chart) -> tuple[float, float] | None:
    """Inches of a new figure: a heat map has room for the numbers in its cells, others are as matplotlib's settings say."""
    heats = [layer for layer in chart.layers if isinstance(layer, Heat)]
    if not heats:
        return None
    rows, columns = heats[0].values.shape
    return min(16.0, 3.6 + 0.55 * columns), min(12.0, 2.8 + 0.45 * rows)


def names(ax: Any, chart: Chart) -> None:
    """Names along the axes, and the ends of bars."""
    if chart.x_names is not None:
        how: dict[str, Any] = {}
        if max(map(len, chart.x_names), default=0) > 6:
            how = {"rotation": 50, "ha": "right", "rotation_mode": "anchor"}
        ax.set_xticks(range(len(chart.x_names)), [*map(shortened, chart.x_names)], **how)
    if chart.y_names is not None:
        ax.set_yticks(range(len(chart.y_names)), [*map(shortened, chart.y_names)])
        if not ax.yaxis_inverted():
            ax.invert_yaxis()
    if chart.limits is not None:
        ax.set_ylim(*chart.limits)


def shortened(name: str) -> str:
    """At most so many letters, cut in the middle: names often end in what tells them apart."""
    return name if len(name) <= LETTERS else f"{name[: LETTERS // 2]}…{name[-LETTERS // 2 + 1 :]}"


def points(ax: Any, layer: Points) -> None:
    ax.scatter(layer.x, layer.y, s=18, c=layer.colour, marker=MARKS[layer.mark], label=layer.name, alpha=0.8)


def bars(ax: Any, layer: Bars) -> None:
    how = {"color": list(layer.colours), "label": layer.name or None}
    if layer.horizontal:
        ax.barh(layer.at, layer.values, height=layer.width, **how)
    else:
        ax.bar(layer.at, layer.values, width=layer.width, bottom=layer.base, **how)


def heat(ax: Any, layer: Heat) -> None:
    most = largest(layer)
    low = -most if layer.diverging else 0.0
    image = ax.imshow(layer.values, cmap="PuOr" if layer.diverging else "Blues", vmin=low, vmax=most, aspect="auto")
    if layer.grey:
        image.set_cmap(image.get_cmap().with_extremes(bad=UNKNOWN))
    ax.figure.colorbar(image, ax=ax, label=layer.label)
    for (i, j), value in np.ndenumerate(layer.values):
        strong = abs(value) > 0.6 * most
        ax.text(j, i, layer.texts[i][j], ha="center", va="center", fontsize=8, color="white" if strong else INK)


def ground(ax: Any, layer: Ground) -> None:
    from matplotlib.colors import to_rgba

    side = round(len(layer.cells) ** 0.5)
    cells = [to_rgba(look(int(c))[0], 0.18) for c in layer.cells]
    (left, bottom), (right, top) = layer.low, layer.high
    image = np.array(cells).reshape(side, side, 4)
    ax.imshow(image, origin="lower", extent=(left, right, bottom, top), aspect="auto", zorder=0)


def line(ax: Any, layer: Line) -> None:
    put = ax.axvline if layer.vertical else ax.axhline
    put(layer.at, color=INK, linestyle="--" if layer.dashed else "-", linewidth=1.2, label=layer.name or None)


def largest(layer: Heat) -> float:
    """The value with the strongest colour."""
    known = np.abs(layer.values[np.isfinite(layer.values)])
    return float(known.max()) if known.size and known.max() > 0 else 1.0


DRAWN: dict[type, Any] = {Points: points, Bars: bars, Heat: heat, Ground: ground, Line: line}
