"""Minimax probability machines beside their paper, scikit-learn and NumPy.

    .venv/bin/python benchmarks/mpm.py [tables] [speed] [tod] [lda] [stream]

tables: Pima and Twonorm, ten random 90/10 splits, mean and standard deviation of accuracy and of the bound,
beside Tables II and III of Yang, Huang, King & Lyu. The other words measure times; seconds are CPU seconds.
"""
import json
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedShuffleSplit

import common
from separa import TOD, MCPMClassifier, MPMClassifier, SCMClassifier

#: The paper's Tables II and III: bound and accuracy in percent.
PAPER = {
    "pima": {"SCM LPPK": (None, 66.5), "SCM RBF-PPK": (None, 74.1), "MPM linear": (32.3, 73.5),
             "MPM kernel": (33.2, 74.5), "MCPM LPPK": (35.1, 65.1), "MCPM RBF-PPK": (40.2, 74.5)},
    "twonorm": {"SCM LPPK": (None, 88.1), "SCM RBF-PPK": (None, 96.8), "MPM linear": (81.3, 96.2),
                "MPM kernel": (85.4, 97.9), "MCPM LPPK": (86.1, 89.5), "MCPM RBF-PPK": (89.2, 97.2)},
}
MACHINES = {
    "SCM LPPK": SCMClassifier(ppk="lppk"),
    "SCM LPPK, k-means": SCMClassifier(ppk="lppk", quantizer="kmeans"),
    "SCM RBF-PPK": SCMClassifier(),
    "MPM linear": MPMClassifier(),
    "MPM kernel": MPMClassifier(kernel="rbf", gamma="cv"),
    "MCPM LPPK": MCPMClassifier(ppk="lppk"),
    "MCPM LPPK, k-means": MCPMClassifier(ppk="lppk", quantizer="kmeans"),
    "MCPM RBF-PPK": MCPMClassifier(),
    "MCPM RBF-PPK, k-means": MCPMClassifier(quantizer="kmeans"),
    "MCPM RBF as printed": MCPMClassifier(ppk="rbf-literal"),
}


def tables():
    for name in ("pima", "twonorm"):
        x, y = common.load(name)
        print(f"\n{name}: {len(x)} rows, ten random 90/10 splits")
        print(f"{'':24} {'bound %':>14} {'paper':>6} {'accuracy %':>14} {'paper':>6} {'fit s':>7} {'predict s':>9}")
        for label, machine in MACHINES.items():
            splits = StratifiedShuffleSplit(n_splits=10, test_size=0.1, random_state=0)
            bounds, shares, fits, asks = [], [], [], []
            for train, test in splits.split(x, y):
                began = time.process_time()
                machine.fit(x[train], y[train])
                fits.append(time.process_time() - began)
                began = time.process_time()
                shares.append(100 * machine.score(x[test], y[test]))
                asks.append(time.process_time() - began)
                bounds += [100 * min(b["alpha"]) for b in machine.bounds_]
            bound, share = PAPER[name].get(label, (None, None))
            said = f"{np.mean(bounds):6.1f} ± {np.std(bounds, ddof=1):4.1f}" if bounds else "-"
            print(f"{label:24} {said:>14} {bound or '-':>6} "
                  f"{np.mean(shares):6.1f} ± {np.std(shares, ddof=1):4.1f} {share or '-':>6} "
                  f"{np.mean(fits):7.3f} {np.mean(asks):9.4f}")


def best(work, repeats):
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def speed():
    """Fit and prediction, settings given so that nothing is chosen: kernel MPM against MCPM. One thread each, so that
    no CPU seconds of threads that wait are counted; what a call from Python takes by itself is counted, in quantising
    twice. `cargo run --release --example mpm_timing` has the phases without it."""
    for name, rows in (("pima", None), ("twonorm", 2000)):
        x, y = common.load(name)
        x, y = x[:rows], y[:rows]
        kernel = MPMClassifier(kernel="rbf", reg=0.01, landmarks=len(x), n_jobs=1)
        mcpm = MCPMClassifier(summaries=15, gamma="median", reg=0.01, n_jobs=1)
        slow, quick = best(lambda: kernel.fit(x, y), 2), best(lambda: mcpm.fit(x, y), 50)
        # What quantising takes: the same pass by itself, class by class.
        alone = best(lambda: [TOD(n_clusters=15, n_jobs=1).fit(x[y == c]) for c in (0, 1)], 50)
        learning = max(quick - alone, 1e-4)
        ask = best(lambda: kernel.predict(x), 5), best(lambda: mcpm.predict(x), 5)
        print(f"{name}, {len(x)} rows: kernel MPM {slow:.3f} s, MCPM {quick:.4f} s of which quantising {alone:.4f} s: "
              f"{slow / learning:.0f}x without quantising, {slow / quick:.0f}x with it; "
              f"prediction {ask[0]:.4f} and {ask[1]:.4f} s, {ask[0] / ask[1]:.0f}x")


def numpy_tod(x, threshold):
    """The algorithm as one would write it in NumPy."""
    centres, counts = np.empty((len(x), x.shape[1])), np.zeros(len(x))
    k = 0
    for row in x:
        if k:
            square = ((centres[:k] - row) ** 2).sum(1)
            near = int(square.argmin())
            if square[near] <= threshold * threshold:
                counts[near] += 1
                centres[near] += (row - centres[near]) / counts[near]
                continue
        centres[k], counts[k] = row, 1
        k += 1
    return k


def tod():
    x = np.random.default_rng(0).normal(size=(50_000, 20))
    for threshold in (5.0, 4.0):
        found = {}
        theirs = best(lambda: found.update(k=numpy_tod(x, threshold)), 1)
        tod = TOD(threshold=threshold, scaling="none", n_jobs=1)
        ours = best(lambda: tod.fit(x), 3)
        print(f"TOD, 50,000 x 20, threshold {threshold}: NumPy {theirs:.2f} s ({found['k']} summaries), "
              f"separa {ours:.4f} s ({len(tod.means_)}): {theirs / ours:.0f}x")


def lda():
    x, y = common.pick(*common.load("mnist"), [3, 8])
    x = x / 255
    ours, theirs = [], []
    for _ in range(3):
        ours.append(best(lambda: MPMClassifier(reg=0.01).fit(x, y), 1))
        theirs.append(best(lambda: LinearDiscriminantAnalysis(solver="eigen", shrinkage=0.01).fit(x, y), 1))
    plain = best(lambda: MPMClassifier().fit(x, y), 1)
    print(f"MNIST 3 against 8, {len(x)} x 784: MPM {min(ours):.2f} s, LDA(eigen) {min(theirs):.2f} s, "
          f"ratio {min(ours) / min(theirs):.2f}; MPM with reg chosen in 5 folds {plain:.2f} s")


def stream():
    """1,000,000 x 20 from Parquet: time beside reading the file, and the peak of memory."""
    path = common.TEMP / "million.parquet"
    rng = np.random.default_rng(0)
    n, d = 1_000_000, 20
    y = rng.integers(0, 2, n)
    x = rng.normal(size=(n, d)) + 0.6 * y[:, None]
    columns = {f"x{j}": x[:, j] for j in range(d)} | {"y": np.where(y, "b", "a")}
    pq.write_table(pa.table(columns), path, row_group_size=100_000)
    del x, columns
    bed = [str(common.SEPARA), "train", str(path), "--target", "y", "-m", "mcpm", "--stream", "--json", "-q"]
    took, peak, out = spent(bed)
    reading, read_peak, _ = spent([sys.executable, "-c", READ, str(path)])
    empty, _, _ = spent([sys.executable, "-c", READ.replace("read_table(sys.argv[1])", "ParquetFile(sys.argv[1])"), str(path)])
    print(f"{n:,} x {d} Parquet: separa {took[0]:.2f} s wall, {took[1]:.2f} s CPU, {peak} MB; reading with pyarrow "
          f"{reading[0] - empty[0]:.2f} s wall, {reading[1] - empty[1]:.2f} s CPU ({read_peak} MB); "
          f"accuracy on its sample {out.split('accuracy')[1][3:8]}")


READ = "import sys, pyarrow.parquet as pq; pq.read_table(sys.argv[1])"


#: A process of its own, because a child's peak is at least that of the process that started it.
WATCH = """
import json, os, subprocess, sys, time
began = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)
out = child.stdout.read()
_, status, usage = os.wait4(child.pid, 0)
wall, cpu = time.perf_counter() - began, usage.ru_utime + usage.ru_stime
print(json.dumps([status, [wall, cpu], usage.ru_maxrss // 1024, out]))
"""


def spent(command):
    """Wall and CPU seconds of a child, its peak in MB, what it said."""
    watch = [sys.executable, "-S", "-c", WATCH, *command]
    status, took, peak, out = json.loads(subprocess.run(watch, stdout=subprocess.PIPE, check=True).stdout)
    if status:
        sys.exit(f"{command}: {status}")
    return took, peak, out


if __name__ == "__main__":
    for word in sys.argv[1:] or ["tables", "speed", "tod", "lda", "stream"]:
        globals()[word]()
