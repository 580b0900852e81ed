"""Writes golden/kmeans.json: scikit-learn's Lloyd from given starting labels.

Run with `.venv/bin/python golden/make_kmeans.py`. The tables are drawn with fixed seeds; the file
says which versions made it.
"""

import json
import pathlib
import warnings

import numpy as np
import sklearn
from sklearn.cluster import KMeans

IRIS_MEANS = [[5.0, 3.4, 1.5, 0.2], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.6, 2.0]]
IRIS_DEVIATIONS = [[0.35, 0.38, 0.17, 0.1], [0.52, 0.31, 0.47, 0.2], [0.64, 0.32, 0.55, 0.27]]


def blobs(rng, n, d, k, spread):
    centers = rng.normal(scale=spread, size=(k, d))
    return (centers[rng.integers(k, size=n)] + rng.normal(size=(n, d))).round(3)


def iris_like(rng):
    return np.vstack([rng.normal(m, s, size=(50, 4)) for m, s in zip(IRIS_MEANS, IRIS_DEVIATIONS)]).round(1)


def case(name, x, k, rng, tol=0.0, max_iter=300, weights=None):
    x = x.round(3)
    start = rng.integers(k, size=len(x))
    start[:k] = np.arange(k)
    w = np.ones(len(x)) if weights is None else weights
    centers = np.stack([np.average(x[start == c], axis=0, weights=w[start == c]) for c in range(k)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = KMeans(k, init=centers, n_init=1, max_iter=max_iter, tol=tol, algorithm="lloyd").fit(x, sample_weight=weights)
    return {
        "name": name, "n": len(x), "d": x.shape[1], "k": k, "tol": tol, "max_iter": max_iter,
        "x": x.ravel().tolist(), "start": start.tolist(), "weights": None if weights is None else weights.tolist(),
        "labels": fit.labels_.tolist(), "inertia": fit.inertia_, "iterations": fit.n_iter_,
        "centers": fit.cluster_centers_.ravel().tolist(),
    }


def main():
    rng = np.random.default_rng(20)
    cases = [
        case("two blobs", blobs(rng, 80, 3, 2, 2.0), 2, rng),
        case("four blobs", blobs(rng, 120, 3, 4, 3.0), 4, rng),
        case("overlapping blobs", blobs(rng, 200, 6, 5, 0.8), 5, rng),
        case("with the usual tolerance", blobs(rng, 200, 6, 5, 0.8), 5, rng, tol=1e-4),
        case("three rounds only", blobs(rng, 200, 6, 5, 0.8), 5, rng, max_iter=3),
        case("like iris", iris_like(rng), 3, rng),
        case("far from the origin", blobs(rng, 90, 2, 3, 4.0) + 1e6, 3, rng),
        case("weighted", blobs(rng, 150, 4, 3, 1.5), 3, rng, weights=rng.integers(4, size=150).astype(float)),
        case("wide", blobs(rng, 60, 240, 3, 0.5), 3, rng),
    ]
    out = {"scikit-learn": sklearn.__version__, "numpy": np.__version__, "cases": cases}
    path = pathlib.Path(__file__).with_name("kmeans.json")
    path.write_text(json.dumps(out) + "\n")
    print(f"{path.name}: {len(cases)} cases by scikit-learn {sklearn.__version__}")


if __name__ == "__main__":
    main()
