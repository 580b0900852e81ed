"""CRF clustering on Gaussian chains: error beside rules of single rows and the best possible; time; figure.

    python benchmarks/crf.py [errors] [freeze] [speed] [figure]

Needs the Python package (maturin develop --release). `errors` uses chains that the defaults were chosen on
(marked) and others. `speed` compares with hmmlearn's GaussianHMM where that is installed.
"""
import itertools
import resource
import sys

import numpy as np
from common import ROOT

import separa

CHOSEN = "chosen on"
#: states, chance to stay, distance in deviations, columns, sequences, length
CHAINS = [
    ((2, 0.95, 2.0, 2, 40, 50), CHOSEN), ((2, 0.8, 2.0, 2, 40, 50), CHOSEN), ((2, 0.95, 1.5, 2, 40, 50), CHOSEN),
    ((3, 0.9, 2.5, 2, 40, 50), CHOSEN), ((2, 0.9, 2.5, 2, 1, 2000), ""), ((2, 0.9, 1.8, 5, 100, 20), ""),
    ((2, 0.97, 1.2, 2, 5, 1000), ""), ((3, 0.95, 2.0, 3, 10, 300), ""), ((3, 0.8, 3.0, 2, 200, 10), ""),
    ((4, 0.9, 3.0, 4, 20, 100), ""), ((2, 0.5, 2.5, 2, 10, 200), "no memory"),
]


def places(k, distance, d):
    """Means that are `distance` apart: on a line, or on the corners of a simplex."""
    means = np.zeros((k, d))
    if k == 2:
        means[1, 0] = distance
        return means
    corners = np.eye(k) * distance / np.sqrt(2)
    corners -= corners.mean(0)
    basis = np.linalg.svd(corners)[2][: k - 1]
    means[:, : k - 1] = corners @ basis.T
    return means


def chain(k, stay, distance, d, sequences, length, seed):
    rng = np.random.default_rng(seed)
    states = np.zeros((sequences, length), dtype=int)
    states[:, 0] = rng.integers(k, size=sequences)
    for t in range(1, length):
        step = np.where(rng.random(sequences) < stay, 0, rng.integers(1, k, size=sequences))
        states[:, t] = (states[:, t - 1] + step) % k
    return places(k, distance, d)[states] + rng.normal(size=(sequences, length, d)), states


def error(labels, states):
    return 100 * separa.metrics.clustering_error(labels, np.ravel(states))


def best(x, k, stay, distance):
    """Labels by the true means: of single rows, and of rows in their chain."""
    means = places(k, distance, x.shape[2])
    scores = x @ means.T - 0.5 * (means**2).sum(1)
    a = np.full((k, k), (1 - stay) / (k - 1))
    np.fill_diagonal(a, stay)
    ahead, back = np.zeros_like(scores), np.zeros_like(scores)
    p = np.exp(scores - scores.max(2, keepdims=True))
    ahead[:, 0] = p[:, 0]
    back[:, -1] = 1
    for t in range(1, x.shape[1]):
        ahead[:, t] = p[:, t] * (ahead[:, t - 1] @ a)
        ahead[:, t] /= ahead[:, t].sum(1, keepdims=True)
    for t in range(x.shape[1] - 2, -1, -1):
        back[:, t] = (p[:, t + 1] * back[:, t + 1]) @ a.T
        back[:, t] /= back[:, t].sum(1, keepdims=True)
    return scores.argmax(2).ravel(), (ahead * back).argmax(2).ravel()


def fitted(method, x, k, lists=False, **params):
    rows = list(x) if lists else x.reshape(-1, x.shape[2])
    return separa.fit(rows, method, n_clusters=k, quality=False, **params)


def errors(seeds=range(5)):
    print("error in percent, mean of seeds 0-4: k-means, logistic, Bayes | crf (worst) | best chain")
    for shape, note in CHAINS:
        k, stay, distance, *_ = shape
        lines = []
        for seed in seeds:
            x, states = chain(*shape, seed)
            alone, along = best(x, k, stay, distance)
            found = [fitted(m, x, k).labels_ for m in ("kmeans", "logistic")]
            found += [alone, fitted("crf", x, k, lists=True).labels_, along]
            lines.append([error(labels, states) for labels in found])
        km, lo, alone, crf, along = np.mean(lines, axis=0)
        worst = np.max(lines, axis=0)[3]
        print(f"{shape}: {km:5.1f} {lo:5.1f} {alone:5.1f} | {crf:5.1f} ({worst:.1f}) | {along:5.1f}  {note}", flush=True)


def freeze():
    """What the penalty of transitions does; one λ for all weights, as printed, is a fraction of reg·k."""
    shares = [8, 1, 0.5, 0.25, 0.12, 0.06, 0.02]
    print(f"crf's error at transition_reg = {shares}, mean of seeds 0-2")
    for (shape, _), reg in itertools.product([CHAINS[0], CHAINS[1], CHAINS[3]], (0.03, 0.1)):
        made = [chain(*shape, seed) for seed in range(3)]
        line = []
        for share in shares:
            fits = [fitted("crf", x, shape[0], lists=True, reg=reg, transition_reg=share) for x, _ in made]
            line.append(np.mean([error(fit.labels_, states) for fit, (_, states) in zip(fits, made)]))
        print(shape, f"reg {reg}:", " ".join(f"{v:5.1f}" for v in line), flush=True)


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def speed():
    try:
        from hmmlearn.hmm import GaussianHMM
    except ImportError:
        GaussianHMM = None
    for shape in [(2, 0.95, 2.0, 2, 1, 100_000), (3, 0.95, 2.5, 10, 1000, 100), (2, 0.95, 2.0, 2, 1, 1_000_000)]:
        x, states = chain(*shape, 0)
        k = shape[0]
        began = cpu()
        fit = fitted("crf", x, k, lists=True, n_jobs=1)
        crf = cpu() - began
        began = cpu()
        fit.predict(list(x), n_jobs=1)
        line = f"{shape}: crf {crf:.2f} s, {error(fit.labels_, states):.2f} %, predict {cpu() - began:.3f} s"
        if GaussianHMM is not None and x.shape[1] * x.shape[0] <= 100_000:
            rows, lengths = x.reshape(-1, x.shape[2]), [x.shape[1]] * x.shape[0]
            began = cpu()
            hmm = GaussianHMM(k, covariance_type="full", n_iter=100, tol=1e-4, random_state=0).fit(rows, lengths)
            found = hmm.predict_proba(rows, lengths).argmax(1)
            line += f"; GaussianHMM {cpu() - began:.2f} s, {error(found, states):.2f} %"
        print(line, flush=True)


COLOURS = ["#4477aa", "#ee6677", "#228833"]


def figure():
    """One sequence of three states: its two columns, the true states, labels of single rows, segments."""
    x, states = chain(3, 0.93, 2.6, 2, 1, 240, 4)
    alone = fitted("logistic", x, 3).labels_
    found = fitted("crf", x, 3, lists=True).labels_
    states = states.ravel()
    match = lambda labels: max(  # noqa: E731
        (np.array(p)[labels] for p in itertools.permutations(range(3))), key=lambda l: (l == states).sum())
    width, left, step = 760, 90, 660 / 240
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 250" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="250" fill="#fff"/>']
    text = lambda y, words: parts.append(f'<text x="4" y="{y}" fill="#333">{words}</text>')  # noqa: E731
    for row, name in enumerate(["column 1", "column 2"]):
        text(42 + 60 * row, name)
        for t in range(240):
            y = 38 + 60 * row - 8 * x[0, t, row]
            parts.append(f'<circle cx="{left + step * t:.1f}" cy="{y:.1f}" r="1.4" fill="#666"/>')
    strips = [("true states", states), ("rows alone", match(alone)), ("crf", match(found))]
    for row, (name, labels) in enumerate(strips):
        top = 140 + 36 * row
        wrong = np.mean(labels != states)
        text(top + 15, name)
        if row:
            parts.append(f'<text x="4" y="{top + 28}" fill="#777" font-size="10">{wrong:.1%} wrong</text>')
        edges = [0, *(np.flatnonzero(np.diff(labels)) + 1), 240]
        for a, b in zip(edges, edges[1:]):
            parts.append(f'<rect x="{left + step * a:.1f}" y="{top}" width="{step * (b - a):.1f}" height="24" '
                         f'fill="{COLOURS[labels[a]]}"/>')
    path = ROOT / "docs" / "figures" / "crf.svg"
    path.write_text("\n".join([*parts, "</svg>", ""]), encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    asked = sys.argv[1:] or ["errors", "freeze", "speed", "figure"]
    for name in asked:
        {"errors": errors, "freeze": freeze, "speed": speed, "figure": figure}[name]()
