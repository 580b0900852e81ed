"""Draws docs/figures/armc.svg: moons and rings with the boundary and the margins that armc finds.

    .venv/bin/python benchmarks/armc_figures.py
"""
import numpy as np
from sklearn.datasets import make_circles, make_moons

import common
from mpm_figures import zero_lines
from separa import ARMC

SIDE, TOP, COLOURS = 280, 18, ("#2a6f97", "#e07a1f")


def panel(x, left, title):
    """One square: f = 0 as a line, f = ±1 dashed, rows as dots."""
    model = ARMC(gamma="auto").fit(x)
    low, span = x.min(0) - 0.12 * np.ptp(x, 0), 1.24 * np.ptp(x, 0)
    at = lambda p: (left + SIDE * (p[0] - low[0]) / span[0], TOP + SIDE * (1 - (p[1] - low[1]) / span[1]))
    xs, ys = (low[i] + span[i] * np.linspace(0, 1, 70) for i in (0, 1))
    f = model.decision_function(np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)).reshape(len(ys), len(xs))
    out = f'<text x="{left + SIDE / 2:.0f}" y="12" text-anchor="middle">{title}</text>'
    for level, more in ((0, ""), (1, ' stroke-dasharray="2 3"'), (-1, ' stroke-dasharray="2 3"')):
        lines = zero_lines(f - level, xs, ys)
        path = "".join("M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*at(a), *at(b)) for a, b in lines)
        out += f'<path class="f" stroke="#666"{more} d="{path}"/>'
    for p, label in zip(x, model.labels_):
        u, v = at(p)
        out += f'<circle cx="{u:.0f}" cy="{v:.0f}" r="3" fill="{COLOURS[label]}"/>'
    return out


if __name__ == "__main__":
    width = 2 * SIDE + 20
    body = panel(make_moons(150, noise=0.05, random_state=0)[0], 0, "moons")
    body += panel(make_circles(150, factor=0.5, noise=0.05, random_state=0)[0], SIDE + 20, "rings")
    style = "<style>text{font:12px sans-serif;fill:#444}.f{fill:none;stroke-width:1.4}</style>"
    (common.ROOT / "docs/figures/armc.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOP + SIDE}" width="{width}">{style}'
        f'<rect width="{width}" height="{TOP + SIDE}" fill="#fff"/>{body}</svg>\n')
