"""Draws with Plotly: the same pictures, with the row under the pointer."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._chart import INK, UNKNOWN, Bars, Chart, Ground, Heat, Line, Points, look
from ._matplotlib import largest

MARKS = {"dot": "circle", "square": "square", "triangle": "triangle-up", "diamond": "diamond", "cross": "x-thin-open"}


def draw(chart: Chart) -> Any:
    """A figure of Plotly's."""
    try:
        import plotly.graph_objects as graph
    except ImportError as missing:
        raise ImportError("backend=\"plotly\" needs Plotly: pip install plotly") from missing
    figure = graph.Figure(layout={"template": "plotly_white", "barmode": "overlay"})
    for layer in chart.layers:
        DRAWN[type(layer)](figure, graph, layer)
    figure.update_layout(title=chart.title, showlegend=bool(chart.legend), legend_title_text=chart.legend)
    figure.update_xaxes(title=chart.x, **ticks(chart.x_names))
    figure.update_yaxes(title=chart.y, **ticks(chart.y_names))
    if chart.y_names is not None:
        figure.update_yaxes(autorange="reversed")
    if chart.limits is not None:
        figure.update_yaxes(range=list(chart.limits))
    return figure


def ticks(names: Any) -> dict[str, Any]:
    return {} if names is None else {"tickvals": list(range(len(names))), "ticktext": list(names)}


def points(figure: Any, graph: Any, layer: Points) -> None:
    marker = {"color": layer.colour, "symbol": MARKS[layer.mark], "size": 7, "opacity": 0.8}
    named = {"text": [str(row) for row in layer.rows], "hovertemplate": "row %{text}<br>%{x:.3g}, %{y:.3g}"}
    figure.add_trace(graph.Scatter(x=layer.x, y=layer.y, mode="markers", marker=marker, name=layer.name, **named))


def bars(figure: Any, graph: Any, layer: Bars) -> None:
    x, y = (layer.values, layer.at) if layer.horizontal else (layer.at, layer.values)
    figure.add_trace(
        graph.Bar(
            x=x,
            y=y,
            base=None if layer.base is None else layer.base,
            width=layer.width,
            marker_color=list(layer.colours),
            orientation="h" if layer.horizontal else "v",
            name=layer.name,
        )
    )


def heat(figure: Any, graph: Any, layer: Heat) -> None:
    most = largest(layer)
    texts = {"text": [list(row) for row in layer.texts], "texttemplate": "%{text}", "hoverongaps": False}
    scale = {"colorscale": "PuOr" if layer.diverging else "Blues", "zmin": -most if layer.diverging else 0.0, "zmax": most}
    figure.add_trace(graph.Heatmap(z=layer.values, colorbar={"title": layer.label}, **scale, **texts))
    if layer.grey:
        # What has no value shows the ground.
        figure.update_layout(plot_bgcolor=UNKNOWN, xaxis_showgrid=False, yaxis_showgrid=False)


def ground(figure: Any, graph: Any, layer: Ground) -> None:
    side = round(len(layer.cells) ** 0.5)
    cells = layer.cells.reshape(side, side)
    axes = [np.linspace(a, b, 2 * side + 1)[1::2] for a, b in zip(layer.low, layer.high)]
    count = int(cells.max()) + 1
    # A step of its own for every cluster.
    scale = [[(c + end) / count, look(c)[0]] for c in range(count) for end in (0, 1)]
    how = {"colorscale": scale, "zmin": -0.5, "zmax": count - 0.5, "opacity": 0.18}
    figure.add_trace(graph.Heatmap(z=cells, x=axes[0], y=axes[1], showscale=False, hoverinfo="skip", **how))


def line(figure: Any, graph: Any, layer: Line) -> None:
    dash = {"line": {"color": INK, "width": 1.2, "dash": "dash" if layer.dashed else "solid"}}
    if layer.vertical:
        figure.add_vline(x=layer.at, **dash)
    else:
        figure.add_hline(y=layer.at, annotation_text=layer.name, **dash)


DRAWN: dict[type, Any] = {Points: points, Bars: bars, Heat: heat, Ground: ground, Line: line}
