"""MSPC's time as ratios within one run: to one XᵀX, to scikit-learn's KMeans(n_init=10), and per row.

- a whole default fit of MNIST 3 vs 8, starts included, and its memory beyond the data;
- with the start given: UCI sets and MNIST 1 vs 7;
- time per row at N = 1,000,000 against N = 100,000 (d = 50, synthetic).
"""
import json
import subprocess
import time

import numpy as np
from sklearn.cluster import KMeans

from common import ROOT, TEMP, build, load, pick, table2

build("-p", "separa", "--example", "mspc_timing")
TIMING = ROOT / "target" / "release" / "examples" / "mspc_timing"


def timing(*args):
    return json.loads(subprocess.run([str(a) for a in (TIMING, *args)], capture_output=True, text=True, check=True).stdout)


def kmeans_seconds(x, repeats):
    best = float("inf")
    for _ in range(repeats):
        t = time.perf_counter()
        KMeans(2, n_init=10, random_state=0).fit(x)
        best = min(best, time.perf_counter() - t)
    return best


def raw(x):
    path = TEMP / "rows.bin"
    np.ascontiguousarray(x, dtype="<f8").tofile(path)
    return path, *x.shape


x, y = pick(*load("mnist"), [3, 8])
x = x / 255
for args in ([], ["2", "scaling=standard"]):
    t = timing(*raw(x), *args)
    km = kmeans_seconds(x, 2)
    print(f"mnist 3v8, default fit {' '.join(args[1:])}: {t['fit_s']:.2f} s = {t['ratio']:.1f} x one XᵀX "
          f"({t['gram_s']:.2f} s) = {t['fit_s'] / km:.2f} x KMeans(n_init=10); "
          f"{t['extra_mb']:.0f} MB beyond the data; {t['iterations']} iterations", flush=True)
for name, x, y in table2():
    if name.startswith("mnist") and name != "mnist 1v7":
        continue
    start = KMeans(2, n_init=1, random_state=0).fit(x).labels_
    (TEMP / "start.json").write_text(json.dumps(start.tolist()))
    t = timing(*raw(x), "2", "robust=false", f"init=@{TEMP / 'start.json'}")
    km = kmeans_seconds(x, 3)
    print(f"{name:<12} start given: {1000 * t['fit_s']:8.1f} ms = {t['fit_s'] / km:.2f} x KMeans(n_init=10)", flush=True)
per_row = {n: timing("synthetic", n, 50)["fit_s"] / n for n in (100_000, 1_000_000)}
print(f"d = 50: {1e6 * per_row[100_000]:.2f} µs a row at N = 100,000, {1e6 * per_row[1_000_000]:.2f} at 1,000,000: "
      f"ratio {per_row[1_000_000] / per_row[100_000]:.2f}")
