"""Relative margin clustering: what its settings do, more than two clusters, time and memory.

    .venv/bin/python benchmarks/armc.py [forms] [clusters] [speed]

How it does beside other methods is in entropy.py (shapes, pairs, Table 1). `forms`: its settings on the 16 pairs
of common.py. `clusters`: division in its orders beside one machine a cluster against the rest. No parameter is
chosen by labels; errors in percent under the best matching of clusters and classes.
"""
import json
import resource
import subprocess
import sys
import time
import warnings

import numpy as np
from common import ROOT, TEMP, USED, build, error, load, pairs, pick, some, standardised
from sklearn.datasets import load_digits, load_iris, load_wine

from separa import ARMC, KMeans
from separa.metrics import clustering_error

warnings.filterwarnings("ignore")

PROGRAM = ROOT / "target/release/examples/armc_timing"


def report(title, rows, names):
    """One line a problem."""
    print(f"\n{title}\n{'':24}" + "".join(f"{n:>12}" for n in names))
    for name, values in rows:
        print(f"{name:24}" + "".join(f"{v:12.1f}" for v in values), flush=True)


def mean(title, rows):
    return title, np.mean([values for _, values in rows], axis=0)


FORMS = {"default": {}, "raw": {"scaling": "none"}, "standard": {"scaling": "standard"}, "gamma auto": {"gamma": "auto"},
         "scan": {"balance": "scan"}, "linear": {"kernel": "linear"}}


def forms():
    rows = [(name, [error(ARMC(**more).fit(x).labels_, y) for more in FORMS.values()]) for name, x, y in pairs()]
    rows += [mean("mean", rows), mean("mean of those used", rows[:USED]), mean("mean of those left out", rows[USED:])]
    report("16 pairs", rows, FORMS)


def unequal(sizes, seed, apart=6.0, d=4):
    """Round Gaussians of these sizes, their means drawn until all are so far apart."""
    rng = np.random.default_rng(seed)
    while True:
        centres = rng.normal(size=(len(sizes), d)) * apart
        gaps = np.linalg.norm(centres[:, None] - centres, axis=-1)[np.triu_indices(len(sizes), 1)]
        if gaps.min() > apart:
            break
    y = np.repeat(np.arange(len(sizes)), sizes)
    return centres[y] + rng.normal(size=(len(y), d)), y


def cluster_sets():
    for seed in range(3):
        yield f"blobs 200 100 50 {seed}", *unequal((200, 100, 50), seed)
        yield f"blobs 160 80 40 20 {seed}", *unequal((160, 80, 40, 20), seed)
    yield "iris", *load_iris(return_X_y=True)
    yield "wine", *load_wine(return_X_y=True)
    yield "letter A-D", *some(*pick(*load("letter"), [0, 1, 2, 3]))
    yield "digits 0-4", *some(*pick(*load_digits(return_X_y=True), range(5)))
    yield "digits", *load_digits(return_X_y=True)
    yield "satellite", *some(*load("satellite"))
    yield "usps", *some(*load("usps"))
    # Looked at last.
    for name, classes in [("letter", range(4, 8)), ("letter", range(14, 20)), ("usps", [0, 1, 4, 7]),
                          ("satellite", [0, 1, 4]), ("satellite", [2, 3, 5]), ("coil20", range(5))]:
        yield f"{name} {' '.join(map(str, classes))}", *some(*pick(*load(name), list(classes)), n=500)
    yield "digits 5-9", *some(*pick(*load_digits(return_X_y=True), range(5, 10)), n=500)


def clusters():
    forms = {"divide": {}, "largest": {"split": "largest"}, "clearest": {"split": "clearest"},
             "scan": {"split": "clearest", "balance": "scan"}, "rest": {"multiclass": "rest"}}
    rows, spent = [], np.zeros(len(forms))
    for name, x, y in cluster_sets():
        k = len(np.unique(y))
        found = [clustering_error(y, KMeans(n_clusters=k).fit(standardised(x)).labels_)]
        for at, more in enumerate(forms.values()):
            begin = time.process_time()
            found.append(clustering_error(y, ARMC(n_clusters=k, **more).fit(x).labels_))
            spent[at] += time.process_time() - begin
        rows.append((name, [100 * v for v in found]))
    report("more than two clusters", [*rows, mean("mean", rows)], ["k-means z", *forms])
    print(f"{'CPU seconds in all':36}" + "".join(f"{v:12.1f}" for v in spent))


def timed(x, threads=1, **settings):
    """The answer of one fit."""
    path = TEMP / "x.f64"
    np.ascontiguousarray(x, dtype="<f8").tofile(path)
    given = [f"{name}={json.dumps(value)}" for name, value in settings.items()]
    out = subprocess.run([PROGRAM, path, *map(str, x.shape), str(threads), "1", "0", *given],
                         check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def speed():
    build("-p", "separa", "--example", "armc_timing")
    x, y = pick(*load("mnist"), [3, 8])
    rows = np.random.default_rng(0).permutation(len(x))
    print("time, one thread (rbf, median width); CPU seconds are those of the process, reading included")
    for n, d, settings in [(1000, 16, {}), (1000, 16, {"init": "kernel-pca"}), (1000, 784, {}),
                           (10000, 784, {}), (10000, 784, {"landmarks": 500})]:
        part = x[rows[:n]]
        part = part if d == 784 else (part - part.mean(0)) @ np.linalg.svd(part[:1000] - part[:1000].mean(0),
                                                                          full_matrices=False)[2][:d].T
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        answer = timed(part, **settings)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        iterations = sum(start[2] for start in answer["initializations"])
        print(f"  n = {n}, d = {d} {settings}: {after.ru_utime - before.ru_utime:.2f} CPU s, "
              f"{answer['seconds'][0]:.2f} s, {iterations} iterations of {len(answer['initializations'])} initializations, error "
              f"{error(answer['labels'], y[rows[:n]]):.1f} %, peak memory so far {after.ru_maxrss / 1e6:.2f} GB",
              flush=True)


if __name__ == "__main__":
    for task in sys.argv[1:] or ["forms", "clusters", "speed"]:
        {"forms": forms, "clusters": clusters, "speed": speed}[task]()
