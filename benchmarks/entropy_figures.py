"""Draws docs/figures/{logistic,mrmc,fuzzy-kmeans}.svg: clusters and how sure they are."""
import numpy as np
from common import ROOT
from entropy import circles, moons

import separa

COLOURS = ["#2166ac", "#d6604d", "#4d9221", "#8073ac"]
SIZE, CELLS, LEVELS = 220, 44, 6


def blobs(rng, n=160):
    side = np.arange(n) % 4
    centres = np.array([[0, 0], [4, 0.5], [0.5, 4], [4.5, 4.5]])
    return centres[side] + 0.8 * rng.normal(size=(n, 2)), side


def panel(x, model, left, title):
    """One square: the probability of the likeliest cluster as shade, rows as dots."""
    low, span = x.min(0) - 0.08 * np.ptp(x, 0), 1.16 * np.ptp(x, 0)
    at = lambda p: (left + SIZE * (p[0] - low[0]) / span[0], 18 + SIZE * (1 - (p[1] - low[1]) / span[1]))
    steps = (np.arange(CELLS) + 0.5) / CELLS
    out = [f'<text x="{left + SIZE / 2:.0f}" y="12" text-anchor="middle">{title}</text>']
    cell = SIZE / CELLS
    for r, v in enumerate(steps[::-1]):
        grid = np.c_[low[0] + steps * span[0], np.full(CELLS, low[1] + v * span[1])]
        p = model.predict_proba(grid)
        k = p.shape[1]
        sure = (p.max(1) - 1 / k) / (1 - 1 / k)
        kind = list(zip(p.argmax(1), np.round(sure * LEVELS).astype(int)))
        start = 0
        for c in range(1, CELLS + 1):
            # Neighbours of one shade are one rectangle.
            if c == CELLS or kind[c] != kind[start]:
                cluster, level = kind[start]
                if level:
                    out.append(f'<path fill="{COLOURS[cluster]}" opacity="{0.07 * level:.2f}" '
                               f'd="M{left + start * cell:.0f} {18 + r * cell:.0f}h{(c - start) * cell:.0f}v{cell:.0f}H{left + start * cell:.0f}z"/>')
                start = c
    for row, label in zip(x, model.labels_):
        cx, cy = at(row)
        out.append(f'<circle cx="{cx:.0f}" cy="{cy:.0f}" r="2.2" fill="{COLOURS[label]}"/>')
    out.append(f'<rect x="{left}" y="18" width="{SIZE}" height="{SIZE}" fill="none" stroke="#888"/>')
    return "\n".join(out)


def figure(name, panels):
    width = len(panels) * (SIZE + 10)
    body = "\n".join(panel(x, m, i * (SIZE + 10) + 5, t) for i, (x, m, t) in enumerate(panels))
    text = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {SIZE + 24}" '
            f'font-family="sans-serif" font-size="11" fill="#444">\n'
            f'<rect width="{width}" height="{SIZE + 24}" fill="#fff"/>\n{body}\n</svg>\n')
    path = ROOT / "docs" / "figures" / f"{name}.svg"
    path.write_text(text)
    print(f"{path.name}: {len(text) / 1000:.0f} kB")


def narrow(x):
    """A tenth of the median squared distance of the scaled columns, for shapes."""
    z = (x - x.mean(0)) / x.std(0)
    d2 = ((z[:, None] - z) ** 2).sum(-1)
    return {"kernel": "rbf", "gamma": 10 / np.median(d2[d2 > 0])}


def main():
    draw = [maker(np.random.default_rng(0))[0] for maker in (moons, circles, blobs)]
    for name, cls in [("logistic", separa.LogisticClustering), ("mrmc", separa.MRMC)]:
        shapes = [(x, cls(**narrow(x)).fit(x), t) for x, t in zip(draw, ["moons, rbf", "circles, rbf"])]
        figure(name, [*shapes, (draw[2], cls(n_clusters=4).fit(draw[2]), "four blobs, linear")])
    x = draw[2]
    figure("fuzzy-kmeans", [(x, separa.FuzzyKMeans(4, sigma2=s).fit(x), f"sigma2 = {s}")
                            for s in ("auto", 0.1, 6.0)])


if __name__ == "__main__":
    main()
