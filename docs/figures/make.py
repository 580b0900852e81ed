"""Draws the pictures of the methods and the decision chart with NumPy and separa alone, and every kind of plot with pandas
and matplotlib.

    python docs/figures/make.py [--check]

Every picture shows the rows in the colour and mark of their cluster, on the ground that new rows would get.
`--check` draws nothing: it fits everything and compares the labels with the true clusters, which CI does.
"""

import sys
from pathlib import Path

import numpy as np

import separa

HERE = Path(__file__).parent
#: Okabe and Ito's colours, which colour-blind readers can tell apart.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
SIDE, GRID = 320, 48


def blobs(seed=0):
    """Three clusters in different units."""
    rng = np.random.default_rng(seed)
    parts = [((0, 0), (1, 60)), ((5, 150), (0.7, 40)), ((1.5, 420), (1.2, 50))]
    x = np.vstack([rng.normal(m, s, (60, 2)) for m, s in parts])
    return x, np.repeat([0, 1, 2], 60)


def moons(seed=0, n=100):
    """Two crescents."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0, np.pi, n)
    x = np.vstack([np.c_[np.cos(t), np.sin(t)], np.c_[1 - np.cos(t), 0.4 - np.sin(t)]])
    return x + rng.normal(0, 0.06, x.shape), np.repeat([0, 1], n)


def ring(seed=0):
    """A cluster inside another."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 2 * np.pi, 140, endpoint=False)
    outer = np.c_[np.cos(t), np.sin(t)] * rng.normal(3, 0.15, (140, 1))
    return np.vstack([rng.normal(0, 0.5, (70, 2)), outer]), np.repeat([0, 1], [70, 140])


#: Method, its parameters, the rows, the largest error that the picture may have.
PICTURES = {
    "mspc": ({"n_clusters": 3}, blobs, 0.03),
    "kmeans": ({"n_clusters": 3}, blobs, 0.05),
    "msc": ({"n_clusters": 2, "gamma": 1.0}, ring, 0.06),
    "cdsk": ({"n_clusters": 2}, ring, 0.05),
    "spectral": ({"n_clusters": 2}, moons, 0.02),
    "kernel-kmeans": ({"n_clusters": 2, "kernel": "rbf", "gamma": 2.0}, ring, 0.06),
}


def mark(label, x, y):
    """A circle, a square, a triangle or a diamond."""
    colour, s = COLOURS[label % len(COLOURS)], 3.1
    shapes = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{s}" ',
        f'<rect x="{x - s:.1f}" y="{y - s:.1f}" width="{2 * s}" height="{2 * s}" ',
        f'<path d="M{x:.1f} {y - s - 1:.1f}l{s + 1} {2 * s}h-{2 * s + 2}z" ',
        f'<path d="M{x:.1f} {y - s - 1:.1f}l{s + 1} {s + 1}l-{s + 1} {s + 1}l-{s + 1} -{s + 1}z" ',
    ]
    return shapes[label % len(shapes)] + f'fill="{colour}" stroke="#fff" stroke-width=".6"/>'


def draw(name, model, x):
    low, high = x.min(0), x.max(0)
    pad = 0.08 * (high - low)
    low, high = low - pad, high + pad
    place = lambda rows: np.c_[(rows[:, 0] - low[0]), (high[1] - rows[:, 1])] / (high - low) * SIDE
    step = SIDE / GRID
    centres = (np.arange(GRID) + 0.5) / GRID
    gx, gy = np.meshgrid(low[0] + centres * (high - low)[0], high[1] - centres * (high - low)[1])
    ground = model.predict(np.c_[gx.ravel(), gy.ravel()]).reshape(GRID, GRID)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}" width="{SIDE}" role="img" '
             f'aria-label="Clusters that {name} finds, on the ground that new rows would get">']
    for r in range(GRID):
        start = 0
        for c in range(1, GRID + 1):
            if c == GRID or ground[r, c] != ground[r, start]:
                parts.append(f'<rect x="{start * step:.1f}" y="{r * step:.1f}" width="{(c - start) * step:.1f}" '
                             f'height="{step + 0.2:.1f}" fill="{COLOURS[ground[r, start] % len(COLOURS)]}" fill-opacity=".16"/>')
                start = c
    parts += [mark(label, *at) for label, at in zip(model.labels_, place(x))]
    (HERE / "methods" / f"{name}.svg").write_text("\n".join([*parts, "</svg>"]) + "\n")


def chart():
    """The decision chart: questions on the left, the method on the right."""
    lines = [
        ("Do you know classes?", "separa train: mpm, mcpm, scm"),
        ("Are rows in order, with states that last?", "crf"),
        ("Do several rows make one thing (bags)?", "msc --bag"),
        ("Do you have a distance or a kernel of your own?", "msc, kernel-kmeans"),
        ("Are there rings, crescents, threads?", "spectral, armc"),
        ("Pixels, spectra, many features of one kind?", "cdsk"),
        ("Do you want a probability for every cluster?", "logistic, fuzzy-kmeans"),
        ("Otherwise", "mspc (the default)"),
    ]
    height, step = 46 * len(lines) + 10, 46
    said = "; ".join(f"{q} {m}" for q, m in lines)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" width="640" role="img" aria-label="{said}">',
           '<style>text{font:14px sans-serif;fill:#1b1b1b}.y{fill:#666;font-size:12px}</style>']
    for i, (question, method) in enumerate(lines):
        y = 8 + i * step
        out.append(f'<rect x="4" y="{y}" width="352" height="32" rx="6" fill="#eef3f4" stroke="#7a9"/>'
                   f'<text x="16" y="{y + 21}">{question}</text>'
                   f'<path d="M356 {y + 16}h52" stroke="#555"/><path d="M408 {y + 16}l-8 -4v8z" fill="#555"/>'
                   f'<rect x="410" y="{y}" width="226" height="32" rx="6" fill="#fff" stroke="{COLOURS[0]}" stroke-width="1.5"/>'
                   f'<text x="422" y="{y + 21}">{method}</text>')
        if i + 1 < len(lines):
            out.append(f'<text class="y" x="372" y="{y + 12}">yes</text><path d="M60 {y + 32}v14" stroke="#555"/>'
                       f'<text class="y" x="66" y="{y + 44}">no</text>')
    (HERE / "which-method.svg").write_text("\n".join([*out, "</svg>"]) + "\n")


def plots():
    """Every kind of plot of the wine table."""
    import matplotlib
    import pandas

    matplotlib.use("Agg")
    from matplotlib import pyplot

    # The same bytes for the same picture, and text that stays text.
    pyplot.rcParams.update({"svg.hashsalt": "separa", "svg.fonttype": "none", "figure.figsize": (6.4, 4.2)})
    wine = pandas.read_csv(HERE.parents[1] / "examples" / "data" / "wine.csv")
    table = wine.drop(columns="cultivar")
    found = separa.fit(table, n_clusters="auto")
    (HERE / "plots").mkdir(exist_ok=True)
    for kind in ("map", "profile", "margins", "pairs", "stability", "n_clusters", "importance", "confidence"):
        display = separa.plot(found, table, kind=kind)
        display.figure_.savefig(HERE / "plots" / f"{kind}.svg", metadata={"Date": None})
        pyplot.close(display.figure_)


def main():
    check = "--check" in sys.argv
    for name, (params, rows, most) in PICTURES.items():
        x, truth = rows()
        model = separa.fit(x, method=name, quality=False, **params)
        error = separa.metrics.clustering_error(model.labels_, truth)
        print(f"{name:14s} {rows.__name__:8s} error {error:.3f}")
        if error > most:
            sys.exit(f"{name} on {rows.__name__}: error {error:.3f}, the picture may have {most}")
        if not check:
            draw(name, model, x)
    if not check:
        chart()
        plots()


if __name__ == "__main__":
    main()
