"""Confidence: of rows with confidence 0.9, do nine of ten keep their cluster in refits?

    python benchmarks/confidence.py [--splits N] [--rows N] [--figure FILE.svg] [method]…

Ten sets, each split into random halves. The method is fitted to both; the confidence that each fit gives the rows of the other
half, none of which it has seen, is compared with where the other fit puts them (clusters matched one to one). Shown: the expected
calibration error, the mean over ten bins of |mean confidence − fraction kept| weighted by their rows, for the confidence and, where
a method has them, for its own probabilities; and the mean fraction kept. `--figure` draws both against each other.
"""
import argparse
import pathlib
import warnings

import numpy as np
import separa
from common import load, pick, some
from scipy.optimize import linear_sum_assignment
from sklearn.datasets import load_wine

METHODS = ["mspc", "kmeans", "logistic", "mrmc", "fuzzy-kmeans", "kernel-kmeans", "spectral", "msc", "armc", "cdsk"]
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999", "#8b4513", "#7b68ee"]


def sets(rows):
    """Name, rows, number of classes of ten sets."""
    for name in ("australian", "breast_cancer", "heart", "ionosphere", "pima", "satellite", "twonorm"):
        x, y = some(*load(name), rows)
        yield name, x, len(np.unique(y))
    for name in ("usps", "letter"):
        x, y = some(*pick(*load(name), range(5)), rows)
        yield name, x, 5
    yield "wine", load_wine().data, 3


def kept(mine, other, k):
    """Whether each row is in the cluster that matches its own."""
    table = np.zeros((k, k))
    np.add.at(table, (mine, other), 1)
    return linear_sum_assignment(-table)[1][mine] == other


def seen(x, k, method, splits):
    """Confidence, own probability (or NaN), and kept or not, of rows that a fit has not seen."""
    out = []
    for split in range(splits):
        order = np.random.default_rng(split).permutation(len(x))
        halves = order[: len(x) // 2], order[len(x) // 2 :]
        models = [separa.fit(x[half], method, n_clusters=k) for half in halves]
        for model, other, new in ((models[0], models[1], x[halves[1]]), (models[1], models[0], x[halves[0]])):
            sure = model.confidence(new)
            own = model.predict_proba(new).max(1) if model.info["proba"] else np.full(len(new), np.nan)
            out.append(np.c_[sure["confidence"], own, kept(sure["cluster"], other.predict(new), k)])
    return np.vstack(out)


def error(sure, stays):
    """The expected calibration error, and of every bin the confidence, the fraction kept and the rows."""
    bins = np.minimum((10 * sure).astype(int), 9)
    lines = [(sure[bins == b].mean(), stays[bins == b].mean(), np.sum(bins == b)) for b in np.unique(bins)]
    return sum(abs(s - f) * n for s, f, n in lines) / len(sure), lines


def figure(path, lines):
    """Fraction kept against confidence, one line per method: a calibrated one follows the diagonal."""
    side, pad = 360, 44
    place = lambda s, f: (pad + (s - 0.4) / 0.6 * side, pad + (1 - (f - 0.4) / 0.6) * side)
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side + 2 * pad + 110} {side + 2 * pad}" '
           'font-family="sans-serif" font-size="12" role="img" aria-label="fraction of rows that keep their cluster against '
           'confidence, by method"><rect width="100%" height="100%" fill="#fff"/>']
    (x0, y0), (x1, y1) = place(0.4, 0.4), place(1, 1)
    svg.append(f'<path d="M{x0} {y0}L{x1} {y1}" stroke="#888" stroke-dasharray="4 4"/>')
    svg.append(f'<path d="M{x0} {y1}V{y0}H{x1}" stroke="#333" fill="none"/>')
    for tick in (0.4, 0.6, 0.8, 1.0):
        (x, _), (_, y) = place(tick, 0.4), place(0.4, tick)
        svg.append(f'<text x="{x}" y="{y0 + 16}" text-anchor="middle">{tick}</text>'
                   f'<text x="{x0 - 6}" y="{y + 4}" text-anchor="end">{tick}</text>')
    svg.append(f'<text x="{(x0 + x1) / 2}" y="{y0 + 34}" text-anchor="middle">confidence</text>'
               f'<text transform="translate(12 {(y0 + y1) / 2}) rotate(-90)" text-anchor="middle">kept in refits</text>')
    for i, (name, bins) in enumerate(lines.items()):
        spots = [place(max(s, 0.4), max(f, 0.4)) for s, f, n in bins if n >= 50]
        path_of = "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
        svg.append(f'<path d="M{path_of}" stroke="{COLOURS[i]}" stroke-width="2" fill="none"/>')
        svg += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[i]}"/>' for x, y in spots]
        svg.append(f'<text x="{x1 + 14}" y="{y1 + 16 + 18 * i}" fill="{COLOURS[i]}">{name}</text>')
    pathlib.Path(path).write_text("\n".join([*svg, "</svg>\n"]), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("methods", nargs="*", default=METHODS)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--figure")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    lines, errors = {}, []
    print(f"{'method':<14} {'error':>6} {'worst':>6} {'own':>6} {'kept':>6}", flush=True)
    for method in asked.methods:
        each = [seen(x, k, method, asked.splits) for _, x, k in sets(asked.rows)]
        confidence = [error(part[:, 0], part[:, 2])[0] for part in each]
        own = [error(part[:, 1], part[:, 2])[0] for part in each] if not np.isnan(each[0][0, 1]) else [np.nan]
        whole = np.vstack(each)
        lines[method] = error(whole[:, 0], whole[:, 2])[1]
        errors.append(np.mean(confidence))
        print(f"{method:<14} {errors[-1]:6.3f} {max(confidence):6.3f} {np.mean(own):6.3f} {whole[:, 2].mean():6.3f}", flush=True)
    print(f"{'mean':<14} {np.mean(errors):6.3f}")
    if asked.figure:
        figure(asked.figure, lines)


if __name__ == "__main__":
    main()
