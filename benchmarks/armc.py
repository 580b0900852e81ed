"""Relative margin clustering: Figure 2's shapes, pairs of classes, Table 1's sets, time and memory.

    .venv/bin/python benchmarks/armc.py [shapes] [pairs] [unseen] [table1] [speed]

No parameter is chosen by labels but in the column that says so. Errors are shares of rows against the
better matching of two clusters with two classes. k-means and spectral clustering (NJW, rbf at the median
width) are scikit-learn's on the same standardised columns; armc gets the columns as they are. The data come
from SEPARA_DATA, else ../shared/data; sets that are absent are left out with a word.
"""
import json
import os
import resource
import subprocess
import sys

import numpy as np
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.datasets import make_circles, make_moons
from sklearn.metrics import pairwise_distances
from sklearn.preprocessing import StandardScaler

import common

PROGRAM = common.ROOT / "target/release/examples/armc_timing"
ROWS = 1000


def wrong(labels, truth):
    share = float(np.mean(np.asarray(labels) != truth))
    return 100 * min(share, 1 - share)


def armc(x, threads=2, memory=0, repeats=1, **settings):
    """The answer of one fit."""
    path = common.TEMP / "x.f64"
    np.ascontiguousarray(x, dtype="<f8").tofile(path)
    given = [f"{name}={json.dumps(value)}" for name, value in settings.items()]
    out = subprocess.run([PROGRAM, path, *map(str, x.shape), str(threads), str(repeats), str(memory), *given],
                         check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def median_square(x):
    rows = np.random.default_rng(0).permutation(len(x))[:1000]
    return float(np.median(pairwise_distances(x[rows], metric="sqeuclidean")[np.triu_indices(len(rows), 1)]))


def mixture(apart, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(150) % 2
    return rng.normal(size=(150, 2)) + apart * np.c_[y, np.zeros(150)], y


def shapes():
    print("Figure 2, 150 rows, error % for seeds 0, 1, 2: kernel width d²/10 of the median | median | auto")
    tasks = [("moons, noise 0.05", lambda s: make_moons(150, noise=0.05, random_state=s)),
             ("moons, noise 0.10", lambda s: make_moons(150, noise=0.10, random_state=s)),
             ("circles, noise 0.05", lambda s: make_circles(150, factor=0.5, noise=0.05, random_state=s)),
             ("mixture, 4 sd apart", lambda s: mixture(4, s)),
             ("mixture, 2.5 sd apart", lambda s: mixture(2.5, s))]
    for name, make in tasks:
        columns = []
        for settings in ({"gamma": None, "units": "shared"}, {}, {"gamma": "auto"}):
            found = []
            for seed in range(3):
                x, y = make(seed)
                chosen = dict(settings)
                if "gamma" in chosen and chosen["gamma"] is None:
                    chosen["gamma"] = 10 / median_square(x)
                found.append(f"{wrong(armc(x, **chosen)['labels'], y):.1f}")
            columns.append(" ".join(found))
        print(f"  {name:22} {' | '.join(columns)}", flush=True)


LOOKED_AT = [("usps", 0, 1), ("usps", 3, 8), ("usps", 4, 9), ("usps", 1, 7), ("usps", 2, 7), ("usps", 5, 6),
             ("mnist", 3, 8), ("mnist", 1, 7), ("mnist", 4, 9), ("letter", 0, 1), ("letter", 2, 3),
             "ionosphere", "breast_cancer", "heart", "australian", "pima"]
UNSEEN = [("mnist", 0, 6), ("mnist", 2, 7), ("mnist", 5, 8), ("usps", 0, 2), ("usps", 6, 8), ("letter", 4, 5),
          ("letter", 14, 16), ("satellite", 3, 4), ("satellite", 0, 1), "twonorm"]


def load(tasks):
    """Name, rows, classes: at most ROWS rows of each set."""
    rng = np.random.default_rng(0)
    for task in tasks:
        name, *classes = [task] if isinstance(task, str) else task
        if not (common.DATA / f"{name}.parquet").exists():
            print(f"  {name} is not in the data folder")
            continue
        x, y = common.load(name)
        if classes:
            x, y = common.pick(x, y, classes)
        rows = np.sort(rng.permutation(len(x))[:ROWS])
        yield " ".join([name, "/".join(map(str, classes))]), x[rows], y[rows]


def peers(x):
    """k-means and NJW on standardised columns."""
    z = StandardScaler().fit_transform(x)
    gamma = 1 / median_square(z)
    return (KMeans(2, n_init=10, random_state=0).fit_predict(z),
            SpectralClustering(2, gamma=gamma, random_state=0).fit_predict(z))


FORMS = [("default", {}), ("shared", {"units": "shared"}), ("units auto", {"units": "auto"}),
         ("gamma auto", {"gamma": "auto"}), ("scan", {"balance": "scan"}), ("linear", {"kernel": "linear"})]


def pairs():
    print("pairs, error %, label-free: k-means z, NJW z, armc " + ", ".join(name for name, _ in FORMS))
    table, seconds = [], []
    for name, x, y in load(LOOKED_AT):
        line = [wrong(labels, y) for labels in peers(x)]
        answers = [armc(x, **settings) for _, settings in FORMS]
        line += [wrong(answer["labels"], y) for answer in answers]
        table.append(line)
        seconds.append([answer["seconds"][0] for answer in answers])
        print(f"  {name:16}" + "".join(f"{v:7.1f}" for v in line), flush=True)
    print(f"  {'mean':16}" + "".join(f"{v:7.1f}" for v in np.mean(table, axis=0)))
    print(f"  {'seconds':30}" + "".join(f"{v:7.2f}" for v in np.mean(seconds, axis=0)))


def unseen():
    """Pairs that no choice of ours was judged by."""
    print("pairs not looked at before, error %: k-means, k-means z, NJW z, armc")
    table = []
    for name, x, y in load(UNSEEN):
        plain = KMeans(2, n_init=10, random_state=0).fit_predict(x)
        line = [wrong(labels, y) for labels in (plain, *peers(x), armc(x)["labels"])]
        table.append(line)
        print(f"  {name:16}" + "".join(f"{v:7.1f}" for v in line), flush=True)
    print(f"  {'mean':16}" + "".join(f"{v:7.1f}" for v in np.mean(table, axis=0)))


def table1():
    print("Table 1, error %: label-free default | best by labels of widths x balances x λ (the paper's protocol)")
    tasks = [("heart", "heart", None), ("ionosphere", "ionosphere", None), ("mnist 3/8", "mnist", [3, 8]),
             ("mnist 1/7", "mnist", [1, 7])]
    for name, file, classes in tasks:
        x, y = common.load(file)
        if classes:
            x, y = common.pick(x, y, classes)
            rows = np.random.default_rng(0).permutation(len(x))[:ROWS]
            x, y = x[rows], y[rows]
        free = wrong(armc(x)["labels"], y)
        best = (free, "default")
        for units in ("free", "shared"):
            z = StandardScaler().fit_transform(x) if units == "free" else x
            for times in (1, 3, 10):
                for balance in (0.5, 0.35):
                    for reg in (0.5, 2):
                        given = dict(units=units, gamma=times / median_square(z), balance=balance, reg=reg)
                        found = wrong(armc(x, **given)["labels"], y)
                        if found < best[0]:
                            best = (found, f"{units}, d²/{times}, balance {balance}, reg {reg}")
        print(f"  {name:12} {free:5.1f} | {best[0]:5.1f} ({best[1]})", flush=True)


def speed():
    x, y = common.pick(*common.load("mnist"), [3, 8])
    rows = np.random.default_rng(0).permutation(len(x))
    print("time, one thread (rbf, median width); CPU seconds are those of the process, reading included")
    for n, d, settings in [(1000, 16, {}), (1000, 16, {"init": "kernel-pca"}), (1000, 784, {}),
                           (10000, 784, {}), (10000, 784, {"landmarks": 500})]:
        part = x[rows[:n]]
        part = part if d == 784 else (part - part.mean(0)) @ np.linalg.svd(part[:1000] - part[:1000].mean(0),
                                                                          full_matrices=False)[2][:d].T
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        answer = armc(part, threads=1, **settings)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        rounds = sum(start[2] for start in answer["starts"])
        print(f"  n = {n}, d = {d} {settings}: {after.ru_utime - before.ru_utime:.2f} CPU s, "
              f"{answer['seconds'][0]:.2f} s, {rounds} rounds of {len(answer['starts'])} starts, error "
              f"{wrong(answer['labels'], y[rows[:n]]):.1f} %, peak memory so far {after.ru_maxrss / 1e6:.2f} GB",
              flush=True)


if __name__ == "__main__":
    common.build("-p", "separa", "--example", "armc_timing")
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    wanted = sys.argv[1:] or ["shapes", "pairs", "unseen", "table1", "speed"]
    for task in wanted:
        globals()[task]()
