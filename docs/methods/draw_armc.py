"""Draws docs/methods/armc.svg: two moons, labels and the boundary f = 0 of ARMC.

    .venv/bin/python docs/methods/draw_armc.py
"""
import pathlib

import numpy as np
from sklearn.datasets import make_moons

from separa import ARMC

SIDE, COLOURS = 420, ("#2a6f97", "#e07a1f")
X, _ = make_moons(150, noise=0.05, random_state=0)
model = ARMC(gamma="auto").fit(X)
low, high = X.min(0) - 0.3, X.max(0) + 0.3
height = SIDE * (high - low)[1] / (high - low)[0]


def place(p):
    x, y = (np.asarray(p) - low) / (high - low)
    return f"{SIDE * x:.0f},{height * (1 - y):.0f}"


xs, ys = (np.linspace(low[i], high[i], 90) for i in (0, 1))
grid = model.decision_function(np.array([[a, b] for b in ys for a in xs])).reshape(90, 90)
lines = []
for level, dash in ((0, ""), (1, ' stroke-dasharray="2 4"'), (-1, ' stroke-dasharray="2 4"')):
    steps = []
    for j in range(89):
        for i in range(89):
            corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            cuts = []
            for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1]):
                u, v = grid[b, a] - level, grid[d, c] - level
                if (u < 0) != (v < 0):
                    t = u / (u - v)
                    cuts.append(place((xs[a] + t * (xs[c] - xs[a]), ys[b] + t * (ys[d] - ys[b]))))
            if len(cuts) == 2:
                steps.append(f"M{cuts[0]}L{cuts[1]}")
    lines.append(f'<path d="{"".join(steps)}" fill="none" stroke="#777" stroke-width="1.5"{dash}/>')
dots = []
for p, label in zip(X, model.labels_):
    x, y = place(p).split(",")
    dots.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{COLOURS[label]}"/>')
svg = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {height:.0f}" width="{SIDE}">'
       f'<title>Two moons, f = 0 and f = ±1 of ARMC</title>{"".join(lines)}{"".join(dots)}</svg>\n')
pathlib.Path(__file__).with_name("armc.svg").write_text(svg)
