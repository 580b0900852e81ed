"""Draws docs/methods/mcpm-boundaries.svg and docs/methods/mcpm-summaries.svg: Figures 1 and 2 of the paper, measured here.

    .venv/bin/python benchmarks/mpm_figures.py
"""
import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

import common
from separa import TOD, MCPMClassifier, MPMClassifier, SCMClassifier

OUT = common.ROOT / "docs" / "methods"
COLOURS = {"kernel MPM": "#4c78a8", "MCPM RBF": "#222222", "MCPM LPPK": "#b279a2", "SCM RBF": "#e45756",
           "SCM LPPK": "#54a24b"}
STYLE = "<style>text{font:11px sans-serif;fill:#444}.f{fill:none;stroke-width:1.6}</style>"


def toy(n, seed):
    """Two classes, each a mixture of three Gaussians."""
    rng = np.random.default_rng(seed)
    centres = np.array([[[0, 0], [4, 3], [8, 0]], [[1, 4], [4, -1.5], [7.5, 4]]], dtype=float)
    y = np.repeat([0, 1], n // 2)
    which = rng.integers(0, 3, n)
    return centres[y, which] + rng.normal(size=(n, 2)) * [1.0, 0.8], y


def zero_lines(values, xs, ys):
    """Segments where the bilinear surface over the grid is 0 (marching squares)."""
    out = []
    for i in range(len(ys) - 1):
        for j in range(len(xs) - 1):
            corners = [(xs[j], ys[i], values[i, j]), (xs[j + 1], ys[i], values[i, j + 1]),
                       (xs[j + 1], ys[i + 1], values[i + 1, j + 1]), (xs[j], ys[i + 1], values[i + 1, j])]
            cuts = []
            for a, b in zip(corners, corners[1:] + corners[:1]):
                if (a[2] >= 0) != (b[2] >= 0):
                    t = a[2] / (a[2] - b[2])
                    cuts.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
            out += [(cuts[k], cuts[k + 1]) for k in range(0, len(cuts) - 1, 2)]
    return out


def boundaries():
    x, y = toy(2000, 0)
    new, truth = toy(2000, 1)
    machines = {
        "kernel MPM": MPMClassifier(kernel="rbf", gamma="cv"),
        "MCPM RBF": MCPMClassifier(summaries=15),
        "MCPM LPPK": MCPMClassifier(summaries=15, ppk="lppk"),
        "SCM RBF": SCMClassifier(summaries=15),
        "SCM LPPK": SCMClassifier(summaries=15, ppk="lppk"),
    }
    xs, ys = np.linspace(-4, 12, 65), np.linspace(-5, 8, 53)
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    at = lambda p: (30 + (p[0] + 4) * 32, 30 + (8 - p[1]) * 32)
    marks = ""
    for row, label in zip(x[::6], y[::6]):
        u, v = at(row)
        marks += f'<circle cx="{u:.0f}" cy="{v:.0f}" r="1.5" fill="{("#9ecae9", "#ff9d98")[label]}"/>'
    for label in (0, 1):
        tod = TOD(n_clusters=15).fit(x[y == label])
        for mean, variance, weight in zip(tod.means_, tod.variances_, tod.weights_):
            u, v = at(mean)
            a, b = 32 * np.sqrt(variance)
            width = 0.4 + 2 * weight / tod.weights_.max()
            marks += (f'<ellipse cx="{u:.0f}" cy="{v:.0f}" rx="{a:.0f}" ry="{b:.0f}" class="f" '
                      f'stroke="{("#4c78a8", "#e45756")[label]}" style="stroke-width:{width:.1f}"/>')
    legend = ""
    for place, (name, machine) in enumerate(machines.items()):
        machine.fit(x, y)
        lines = zero_lines(machine.decision_function(grid).reshape(len(ys), len(xs)), xs, ys)
        path = "".join(f"M{at(a)[0]:.0f} {at(a)[1]:.0f}L{at(b)[0]:.0f} {at(b)[1]:.0f}" for a, b in lines)
        marks += f'<path class="f" stroke="{COLOURS[name]}" d="{path}"/>'
        share = 100 * machine.score(new, truth)
        legend += (f'<path class="f" stroke="{COLOURS[name]}" d="M{30 + 106 * place} 466h16"/>'
                   f'<text x="{50 + 106 * place}" y="470">{name} {share:.1f}</text>')
        print(f"{name}: {share:.1f} % of 2,000 new rows right")
    save("mcpm-boundaries", 570, 480, marks + legend)


def summaries():
    counts = [2, 4, 8, 15, 30, 60]
    panels = ""
    for panel, name in enumerate(("pima", "twonorm")):
        x, y = common.load(name)
        left = 40 + 280 * panel
        errors = {}
        for label, cls, ppk in (("MCPM RBF", MCPMClassifier, "rbf"), ("MCPM LPPK", MCPMClassifier, "lppk"),
                                ("SCM RBF", SCMClassifier, "rbf"), ("SCM LPPK", SCMClassifier, "lppk")):
            for count in counts:
                machine = cls(summaries=count, ppk=ppk)
                splits = StratifiedShuffleSplit(n_splits=5, test_size=0.1, random_state=0).split(x, y)
                found = [1 - machine.fit(x[a], y[a]).score(x[b], y[b]) for a, b in splits]
                errors.setdefault(label, []).append(100 * np.mean(found))
            print(name, label, [f"{e:.1f}" for e in errors[label]])
        top = 5 * np.ceil(max(map(max, errors.values())) / 5)
        at = lambda i, e: (left + 42 * i, 200 - 170 * e / top)
        panels += f'<text x="{left}" y="16">{name}: error % of rows held out</text>'
        for tick in np.linspace(0, top, 6):
            panels += (f'<path class="f" stroke="#ddd" d="M{left} {at(0, tick)[1]:.0f}h215"/>'
                       f'<text x="{left - 24}" y="{at(0, tick)[1] + 4:.0f}">{tick:.0f}</text>')
        for i, count in enumerate(counts):
            panels += f'<text x="{at(i, 0)[0] - 6:.0f}" y="216">{count}</text>'
        for label, line in errors.items():
            path = "L".join(f"{at(i, e)[0]:.0f} {at(i, e)[1]:.1f}" for i, e in enumerate(line))
            panels += f'<path class="f" stroke="{COLOURS[label]}" d="M{path}"/>'
    for place, label in enumerate(("MCPM RBF", "MCPM LPPK", "SCM RBF", "SCM LPPK")):
        panels += (f'<path class="f" stroke="{COLOURS[label]}" d="M{40 + 110 * place} 236h16"/>'
                   f'<text x="{60 + 110 * place}" y="240">{label}</text>')
    save("mcpm-summaries", 560, 250, panels)


def save(name, width, height, body):
    text = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">{STYLE}'
            f'<rect width="{width}" height="{height}" fill="#fff"/>{body}</svg>\n')
    (OUT / f"{name}.svg").write_text(text)


if __name__ == "__main__":
    boundaries()
    summaries()
