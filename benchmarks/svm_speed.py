"""The SVM dual beside scikit-learn's SVC on one kernel matrix, one thread, in one run.

    .venv/bin/python benchmarks/svm_speed.py

MNIST 3 against 8, 5,000 rows, rbf at the median width. `cold` starts from nothing on both sides. For
`warm` 1 % of the labels change: ours goes on from its last solution, SVC has no way to. `alone` is
SVC's solver without the checks and copies around it. The sides take turns; the best of REPEATS counts.
"""
import json
import os
import subprocess
import time

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances, rbf_kernel
from sklearn.svm import SVC, _libsvm
from threadpoolctl import threadpool_limits

import common

REPEATS = 5
ROWS = 5000
TOL = 1e-3
PROGRAM = common.ROOT / "target/release/examples/svm_timing"


def problem():
    """Rows, labels, labels after 1 % changed, labels with 15 % noise."""
    x, y = common.pick(*common.load("mnist"), [3, 8])
    rng = np.random.default_rng(0)
    rows = rng.permutation(len(x))[:ROWS]
    x, y = np.ascontiguousarray(x[rows] / 255), y[rows]

    def changed(labels, share):
        out = labels.copy()
        out[rng.permutation(len(labels))[:int(share * len(labels))]] ^= 1
        return out

    noisy = changed(y, 0.15)
    return x, [("clean", y, changed(y, 0.01)), ("15 % noise", noisy, changed(noisy, 0.01))]


def seconds(work):
    began = time.perf_counter()
    found = work()
    return time.perf_counter() - began, found


def theirs(k, y, c):
    """Seconds of SVC and of its solver alone, the dual's value, and the steps."""
    whole, model = seconds(lambda: SVC(C=c, kernel="precomputed", tol=TOL, cache_size=200).fit(k, y))
    alone, _ = seconds(lambda: _libsvm.fit(k, y.astype(float), kernel="precomputed", C=c, tol=TOL,
                                           cache_size=200.0))
    beta = model.dual_coef_[0]
    value = beta @ k[np.ix_(model.support_, model.support_)] @ beta / 2 - abs(beta).sum()
    return whole, alone, value, model.n_iter_[0]


def ours(path, gamma, c):
    out = subprocess.run([PROGRAM, path, str(ROWS), "784", common.TEMP / "y.u8", common.TEMP / "z.u8",
                          repr(float(gamma)), str(c), str(TOL), "1", "3"],
                         env={**os.environ, "RAYON_NUM_THREADS": "1"}, check=True,
                         capture_output=True, text=True).stdout
    return json.loads(out)


def compare(name, y, flipped, path, gamma, k, c):
    y.astype(np.uint8).tofile(common.TEMP / "y.u8")
    flipped.astype(np.uint8).tofile(common.TEMP / "z.u8")
    found, cold, warm = [], [], []
    for _ in range(REPEATS):
        found.append(ours(path, gamma, c))
        cold.append(theirs(k, y, c))
        warm.append(theirs(k, flipped, c))
    for which, rest in [("cold", cold), ("warm", warm)]:
        best = min(min(run[which]["seconds"]) for run in found)
        whole, alone = (min(run[i] for run in rest) for i in (0, 1))
        last = found[-1][which]
        gap = last["objective"] / rest[0][2] - 1
        print(f"{name}, C = {c}, {which}: {1e3 * best:.1f} ms, {last['steps']} steps; SVC "
              f"{1e3 * whole:.1f} ms, alone {1e3 * alone:.1f}, {rest[0][3]} steps; "
              f"{best / whole:.2f}x, {best / alone:.2f}x; values differ by {gap:+.0e}", flush=True)


if __name__ == "__main__":
    common.build("-p", "separa-math", "--examples")
    rows, tasks = problem()
    file = common.TEMP / "x.f64"
    rows.tofile(file)
    squares = euclidean_distances(rows[:1000], squared=True)
    width = 1 / np.median(squares[np.triu_indices(1000, 1)])
    gram = rbf_kernel(rows, gamma=width)
    with threadpool_limits(1):
        for title, labels, after in tasks:
            for weight in (0.25, 1, 10):
                compare(title, labels, after, file, width, gram, weight)
