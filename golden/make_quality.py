"""Writes golden/quality.json: what scikit-learn and SciPy say about labelings and special functions.

Run from the workspace:  .venv/bin/python golden/make_quality.py
"""

import json
import pathlib

import numpy as np
import scipy
import sklearn
from scipy import special, stats
from scipy.optimize import linear_sum_assignment
from sklearn import metrics
from sklearn.metrics.cluster import contingency_matrix


def case(name, labels, truth):
    labels, truth = np.asarray(labels), np.asarray(truth)
    kept = (labels >= 0) & (truth >= 0)
    a, b = labels[kept], truth[kept]
    table = contingency_matrix(a, b)
    rows, columns = linear_sum_assignment(table, maximize=True)
    accuracy = table[rows, columns].sum() / table.sum()
    sizes = table.sum(axis=1)
    shares = table / sizes[:, None]
    classes = table.shape[1]
    entropies = special.entr(shares).sum(axis=1) / (np.log(classes) if classes > 1 else 1.0)
    return {
        "name": name,
        "labels": labels.tolist(),
        "truth": truth.tolist(),
        "error": 1 - accuracy,
        "accuracy": accuracy,
        "nmi": metrics.normalized_mutual_info_score(b, a),
        "nmi_max": metrics.normalized_mutual_info_score(b, a, average_method="max"),
        "ari": metrics.adjusted_rand_score(b, a),
        "purity": table.max(axis=1).sum() / table.sum(),
        "entropy": float(sizes @ entropies / sizes.sum()),
        "cluster_purity": shares.max(axis=1).tolist(),
        "cluster_entropy": entropies.tolist(),
    }


def cases():
    rng = np.random.default_rng(20)
    yield case("identical", [0, 0, 1, 1, 2], [0, 0, 1, 1, 2])
    yield case("renamed", [5, 5, 2, 2, 9], [0, 0, 1, 1, 2])
    yield case("one cluster, one class", [0] * 6, [3] * 6)
    yield case("one cluster, three classes", [0] * 6, [0, 1, 2, 0, 1, 2])
    yield case("three clusters, one class", [0, 1, 2, 0, 1, 2], [0] * 6)
    yield case("all singletons", list(range(7)), [0, 0, 0, 1, 1, 1, 2])
    yield case("singletons on both sides", list(range(7)), [6, 5, 4, 3, 2, 1, 0])
    yield case("one row", [0], [0])
    yield case("independent", [0, 1, 0, 1], [0, 0, 1, 1])
    yield case("outliers", [0, 0, -1, 1, 1, -1, 1], [0, 0, 0, 1, 1, 1, -1])
    for k, c, n in [(2, 2, 40), (3, 5, 60), (7, 4, 120), (12, 12, 300)]:
        truth = rng.integers(0, c, n)
        labels = np.where(rng.random(n) < 0.6, truth % k, rng.integers(0, k, n))
        yield case(f"random {k} clusters, {c} classes", labels, truth)


x = [-37.0, -20.0, -8.3, -5.0, -3.1, -2.5001, -2.4999, -1.0, -1e-3, 0.0, 0.3, 1.959964, 2.6, 4.0, 6.0]
p = [1e-300, 1e-100, 1e-16, 1e-9, 1e-4, 0.02, 0.05, 0.25, 0.4999, 0.5, 0.7, 0.975, 0.999999]
g = [1e-8, 0.1, 0.5, 0.9, 1.5, 2.5, 3.7, 10.0, 14.99, 15.01, 100.5, 1e4, 1e8]
n_c = [(1, 0), (10, 3), (10, 5), (11, 5), (11, 6), (50, 10), (200, 60), (999, 499), (4000, 1900), (4000, 100)]
n_c += [(1_000_000, 499_000), (1_000_000, 500_100)]
out = {
    "tools": {"numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__},
    "external": list(cases()),
    "normal_cdf": {"x": x, "y": special.ndtr(x).tolist()},
    "normal_quantile": {"x": p, "y": special.ndtri(p).tolist()},
    "ln_gamma": {"x": g, "y": special.gammaln(g).tolist()},
    "fair_binomial_cdf": [[n, c, float(stats.binom.cdf(c, n, 0.5))] for n, c in n_c],
}
path = pathlib.Path(__file__).with_name("quality.json")
path.write_text(json.dumps(out, indent=1) + "\n")
print(path, len(out["external"]), "labelings")
