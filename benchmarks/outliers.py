"""Outliers: 1 % of rows, or 1 % of cells, multiplied by 60. ARI before and after the robust scaler.

ARI is taken over the rows that were not touched; 'flags' counts outliers found on the clean set.
"""
import numpy as np
from sklearn import datasets
from sklearn.metrics import adjusted_rand_score as ari

import pyarrow.parquet as pq
import subprocess
from common import SEPARA, TEMP, build, load, pick, to_unit, write


def labels(x, k, *args):
    out = TEMP / "labels.parquet"
    command = [SEPARA, "cluster", write(x), "-k", str(k), "-q", "-o", out, "--json", *args]
    subprocess.run([str(c) for c in command], check=False, stdout=subprocess.DEVNULL)
    return pq.read_table(out)["cluster"].to_numpy()


def sets():
    rng = np.random.default_rng(1)
    centres = rng.normal(size=(2, 10)) * 3
    y = rng.integers(0, 2, 1000)
    yield "blobs", centres[y] + rng.normal(size=(1000, 10)), y
    for name, make in [("iris", datasets.load_iris), ("wine", datasets.load_wine), ("digits", datasets.load_digits)]:
        yield name, *make(return_X_y=True)
    yield "breast", *load("breast_cancer")
    x, y = pick(*load("satellite"), [0, 3])
    yield "satellite 2", to_unit(x), y
    yield "satellite", *load("satellite")
    yield "usps 1v7", *pick(*load("usps"), [1, 7])


build()
print(f"{'':<12}{'clean':>16}{'':>8}{'1 % of rows':>16}{'1 % of cells':>16}")
print(f"{'set':<12}{'plain':>8}{'robust':>8}{'flags':>8}{'plain':>8}{'robust':>8}{'plain':>8}{'robust':>8}")
total = []
for name, x, y in sets():
    k = len(np.unique(y))
    rng = np.random.default_rng(0)
    n, d = x.shape
    centre = np.median(x, axis=0)
    rows = rng.choice(n, max(1, n // 100), replace=False)
    broken_rows = x.copy()
    broken_rows[rows] = centre + 60 * (x[rows] - centre)
    cells = rng.random((n, d)) < 0.01
    broken_cells = np.where(cells, centre + 60 * (x - centre), x)
    keep = np.setdiff1d(np.arange(n), rows)
    line = []
    for table, seen in [(x, np.arange(n)), (broken_rows, keep), (broken_cells, np.arange(n))]:
        for robust in ("false", "true"):
            line.append(ari(y[seen], labels(table, k, "--set", f"robust={robust}")[seen]))
    flags = int(np.sum(labels(x, k, "--outliers", "mark") == -1))
    total.append(line)
    print(f"{name:<12}{line[0]:>8.3f}{line[1]:>8.3f}{flags:>8}" + "".join(f"{v:>8.3f}" for v in line[2:]), flush=True)
m = np.mean(total, axis=0)
print(f"{'mean':<12}{m[0]:>8.3f}{m[1]:>8.3f}{'':>8}" + "".join(f"{v:>8.3f}" for v in m[2:]))
