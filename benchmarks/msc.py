"""MSC on the ring (Tables 1 and 2), beside Ncut; on the 45 pairs of USPS digits (Tables 3 and 4), without labels,
by landmarks; MNIST's time and memory; its time beside NumPy and SciPy, and its growth with the rows.

    msc.py [ring] [usps] [landmarks] [mnist] [speed]        all of them without an argument
"""
import json
import subprocess
import sys
import time

import numpy as np
import pyarrow.parquet as pq
import separa
from scipy.sparse.linalg import LinearOperator, eigsh
from threadpoolctl import threadpool_limits

from common import ROOT, SEPARA, TEMP, build, error, load, need, pick

TRAIN = 7291
#: The paper's sigma², train and test error (Tables 3 and 4), mean and standard deviation.
PAPER = {
    "uniform": (350, 7.86, 8.05, 9.26, 7.54),
    "distance": (300, 7.68, 8.17, 8.91, 7.78),
    "perron": (250, 7.70, 8.12, 9.06, 7.67),
}


#: Table 1 and 2: sigma² by the labels, error on ten sets and on new rows.
PAPER_RING = {"uniform": (7, 3.9, 4.15), "distance": (15, 3.6, 4.85), "perron": (7, 3.1, 3.90)}
PAPER_NCUT = (23, 29.95)
RINGS = 100


def ring_of(rng):
    """Section 4.1: a Gaussian at the centre, and one at (3, 3) that was turned by a random angle."""
    inner, outer = rng.normal(size=(100, 2)), 3 + rng.normal(size=(100, 2))
    sin, cos = np.sin(angle := rng.uniform(0, 2 * np.pi, 100)), np.cos(angle)
    turned = np.column_stack([cos * outer[:, 0] + sin * outer[:, 1], cos * outer[:, 1] - sin * outer[:, 0]])
    return np.vstack([inner, turned])


def ring():
    rng, truth = np.random.default_rng(0), np.repeat([0, 1], 100)
    sets = [(ring_of(rng), ring_of(rng)) for _ in range(RINGS)]

    def line(name, method, paper="", **params):
        found = []
        for rows, new in sets:
            model = separa.fit(rows, method, quality=False, **params)
            found.append((error(model.labels_, truth), error(model.predict(new), truth)))
        found = np.array(found)
        half = 1.96 * found.std(0, ddof=1) / np.sqrt(RINGS)
        print(f"{name:<36}{found[:, 0].mean():>7.2f} ± {half[0]:.2f}{found[:, 1].mean():>9.2f} ± {half[1]:.2f}   {paper}",
              flush=True)

    print(f"\nring, {RINGS} sets of 200 rows: error %, mean and 95 %{'':<3}new rows")
    for weights, (width, here, new) in PAPER_RING.items():
        for sigma in sorted({9, width}):
            paper = f"paper {here:.2f}, {new:.2f}" if sigma == width else "bar: below 5.0"
            line(f"{weights}, σ² = {sigma}, zero", "msc", paper, weights=weights, gamma=1 / sigma, threshold="zero",
                 min_cluster_size=0, scaling="none")
    line("default: no labels used", "msc")
    for sigma in (9, PAPER_NCUT[0]):
        paper = f"paper {PAPER_NCUT[1]:.2f}" if sigma == PAPER_NCUT[0] else "bar: from 30 to 34"
        line(f"Ncut, best split, σ² = {sigma}", "spectral", paper, affinity="rbf", variant="ncut", threshold="best",
             gamma=1 / sigma, scaling="none")
    line("spectral, 10 neighbours", "spectral")
    line("k-means", "kmeans")


class Pairs:
    """USPS on disk as the example reads it."""

    def __init__(self):
        x, y = load("usps")
        self.shape = x.shape
        self.files = TEMP / "usps.f64", TEMP / "usps.i32"
        np.ascontiguousarray(x, dtype="<f8").tofile(self.files[0])
        y.astype("<i4").tofile(self.files[1])

    def run(self, **params):
        example = ROOT / "target" / "release" / "examples" / "msc_pairs"
        words = [example, *self.files, *self.shape, TRAIN, json.dumps(params)]
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)


def shown(name, found, beside=""):
    train, test = np.array(found["train"]), np.array(found["test"])
    sds = train.std(ddof=1), test.std(ddof=1)
    print(f"{name:<34}{train.mean():>7.2f}{sds[0]:>7.2f}{test.mean():>9.2f}{sds[1]:>7.2f}"
          f"{found['seconds']:>8.1f} s   {beside}", flush=True)


def usps(pairs):
    print(f"\nUSPS, 45 pairs: error %{'':<11}{'train':>7}{'sd':>7}{'test':>9}{'sd':>7}")
    for weights, (width, *paper) in PAPER.items():
        found = pairs.run(weights=weights, gamma=1 / width, threshold="zero", min_cluster_size=0, scaling="none")
        shown(f"{weights}, σ² = {width}, zero", found, "paper " + " ".join(f"{v:.2f}" for v in paper))
    for weights in PAPER:
        shown(f"{weights}, label-free", pairs.run(weights=weights))
    shown("perron, label-free, zero", pairs.run(threshold="zero"))
    shown("perron, label-free, otsu", pairs.run(threshold="otsu"))
    shown("relaxed disparity cut, label-free", pairs.run(objective="dcut"))
    ncut()


def ncut():
    x, y = load("usps")
    began, found = time.process_time(), {"train": [], "test": []}
    for a in range(10):
        for b in range(a):
            train, truth = pick(x[:TRAIN], y[:TRAIN], [a, b])
            test, new = pick(x[TRAIN:], y[TRAIN:], [a, b])
            model = separa.fit(train, "spectral", quality=False, affinity="rbf", variant="ncut", threshold="best",
                               gamma=1 / 100, scaling="none")
            found["train"].append(error(model.labels_, truth))
            found["test"].append(error(model.predict(test), new))
    found["seconds"] = time.process_time() - began
    shown("Ncut, best split, σ² = 100", found, "paper 7.05 (8.39)")


def landmarks(pairs):
    print("\nUSPS by landmarks, label-free")
    for m in (0, 50, 100, 200, 400):
        shown(f"landmarks = {m}" if m else "all rows", pairs.run(landmarks=m))


def mnist():
    path = need("mnist")
    rows = pq.ParquetFile(path).metadata.num_rows
    print(f"\nMNIST, {rows} rows, 10 clusters by landmarks: the whole command, reading included")
    for m in (200, 1000):
        words = [SEPARA, "cluster", path, "-k", "10", "-m", "msc", "--truth", "label", "--json", "-q",
                 "--set", f"landmarks={m}"]
        begin = time.perf_counter()
        done = subprocess.run(["/usr/bin/time", "-f", "%M", *map(str, words)], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(done.stderr)
        said = json.loads(done.stdout)
        print(f"landmarks = {m:<6}{time.perf_counter() - begin:>7.1f} s, fit {said['seconds']:.1f} s, peak "
              f"{int(done.stderr.split()[-1]) / 1024**2:.2f} GB, accuracy {said['truth']['accuracy']:.3f}, "
              f"ARI {said['truth']['ari']:.3f}", flush=True)


def reference(x):
    """MSC with uniform weights and the Euclidean distance in NumPy and SciPy: scores of the rows."""
    square = np.einsum("ij,ij->i", x, x)
    d = np.sqrt(np.maximum(square[:, None] + square - 2 * x @ x.T, 0))
    np.fill_diagonal(d, 0)
    c = d.sum(1)
    c /= np.linalg.norm(c)
    away = lambda v: v - c * (c @ v)  # noqa: E731
    both = LinearOperator(d.shape, lambda v: away(d @ (d @ away(v.ravel()))), dtype=float)
    return d @ eigsh(both, k=1, which="LA")[1][:, 0]


def speed():
    x, y = load("mnist")
    plain = {"metric": "euclidean", "weights": "uniform", "threshold": "zero"}
    print("\nMNIST, 4000 rows, two clusters, Euclidean, all distances: seconds, best of 5 in turns")
    for threads in (1, 2):
        ours, theirs = [], []
        for _ in range(5):
            ours.append(timed(lambda: separa.fit(x[:4000], "msc", quality=False, n_jobs=threads, **plain)))
            with threadpool_limits(threads):
                theirs.append(timed(lambda: reference(x[:4000])))
        f = reference(x[:4000]) >= 0
        same = (f == (separa.fit(x[:4000], "msc", quality=False, **plain).labels_ == 1)).mean()
        print(f"{threads} thread(s): msc {min(ours):.2f}, NumPy and SciPy {min(theirs):.2f}, ratio "
              f"{min(ours) / min(theirs):.2f}; {100 * max(same, 1 - same):.2f} % of the labels agree", flush=True)
    print("\ngrowth with n, MNIST, two clusters, defaults: seconds (times the row before)")
    for name, sizes, params in [("all distances", (1000, 2000, 4000, 8000), {}),
                                ("200 landmarks", (5000, 10000, 20000, 40000), {"landmarks": 200})]:
        before = None
        for n in sizes:
            took = min(timed(lambda: separa.fit(x[:n], "msc", quality=False, **params)) for _ in range(3))
            print(f"{name}, n = {n:<6}{took:>7.2f}" + (f"   ({took / before:.1f}x)" if before else ""), flush=True)
            before = took


def timed(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["ring", "usps", "landmarks", "mnist", "speed"]
    if "ring" in wanted:
        ring()
    build()
    build("-p", "separa", "--example", "msc_pairs")
    if {"usps", "landmarks"} & set(wanted):
        data = Pairs()
        if "usps" in wanted:
            usps(data)
        if "landmarks" in wanted:
            landmarks(data)
    if "mnist" in wanted:
        mnist()
    if "speed" in wanted:
        speed()
