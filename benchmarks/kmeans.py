"""k-means: time of one Lloyd iteration beside scikit-learn's, in one run.

    .venv/bin/python benchmarks/kmeans.py [DATA_FOLDER]

mnist (70,000 x 784), k = 10, float64, the same starting centres, 20 iterations without tolerance, the
same number of threads. The two take turns; the best of three counts. DATA_FOLDER holds
mnist.parquet; without it SEPARA_DATA, else ../shared/data beside the repository.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
K, ITERATIONS, REPEATS, THREADS = 10, 20, 3, len(os.sched_getaffinity(0))


def data_folder():
    given = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("SEPARA_DATA")
    return pathlib.Path(given) if given else ROOT.parent / "shared" / "data"


def load(path):
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    names = [name for name in table.column_names if name != "label"]
    return np.ascontiguousarray(np.column_stack([table[name].to_numpy() for name in names]), dtype=np.float64)


def starting_labels(x):
    """Each row with the nearest of K rows drawn with a fixed seed."""
    centers = x[np.random.default_rng(0).choice(len(x), K, replace=False)]
    return np.argmin((centers**2).sum(1) - 2 * x @ centers.T, axis=1).astype("<i4")


def peer(x, centers, iterations):
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    model = KMeans(K, init=centers, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd", copy_x=False)
    with warnings.catch_warnings(), threadpool_limits(THREADS):
        warnings.simplefilter("ignore")
        begin = time.perf_counter()
        model.fit(x)
        seconds = time.perf_counter() - begin
    return {"seconds": seconds, "inertia": model.inertia_, "iterations": model.n_iter_}


def ours(folder, shape, iterations):
    program = ROOT / "target" / "release" / "examples" / "kmeans_timing"
    numbers = [str(v) for v in (*shape, K, iterations, THREADS)]
    out = subprocess.run([program, folder / "x.f64", folder / "start.i32", *numbers], check=True, capture_output=True)
    return json.loads(out.stdout)


def per_round(fits):
    """Seconds an iteration: long runs less one-iteration runs, so that setting up does not count."""
    return (min(f["seconds"] for f in fits[ITERATIONS]) - min(f["seconds"] for f in fits[1])) / (ITERATIONS - 1)


def main():
    path = data_folder() / "mnist.parquet"
    if not path.exists():
        print(f"skipped: {path} is not there; give the data folder as an argument or in SEPARA_DATA")
        return
    build = ["cargo", "build", "--release", "-q", "-p", "separa", "--example", "kmeans_timing"]
    subprocess.run(build, check=True, cwd=ROOT)
    x = load(path)
    start = starting_labels(x)
    centers = np.stack([x[start == c].mean(0) for c in range(K)])
    results = {"separa": {1: [], ITERATIONS: []}, "scikit-learn": {1: [], ITERATIONS: []}}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        x.tofile(folder / "x.f64")
        start.tofile(folder / "start.i32")
        for _ in range(REPEATS):
            for iterations in (1, ITERATIONS):
                results["separa"][iterations].append(ours(folder, x.shape, iterations))
                results["scikit-learn"][iterations].append(peer(x, centers, iterations))

    busy = os.getloadavg()[0]
    if busy > THREADS + 0.5:
        print(f"the machine was busy with other work (load {busy:.1f}): run again for numbers to keep")
    last = {name: fits[ITERATIONS][-1] for name, fits in results.items()}
    gap = abs(last["separa"]["inertia"] / last["scikit-learn"]["inertia"] - 1)
    assert gap < 1e-9, f"the two disagree on the inertia by {gap:.1e}"
    times = {name: (per_round(fits), min(f["seconds"] for f in fits[ITERATIONS])) for name, fits in results.items()}
    print(f"mnist {x.shape[0]} x {x.shape[1]}, k = {K}, {ITERATIONS} iterations, {THREADS} threads, same starts and inertia")
    for name, (one, whole) in times.items():
        print(f"{name:>13}  {1e3 * one:7.1f} ms an iteration  {whole:6.2f} s the fit")
    first = min(f["iterations"][1] for f in results["separa"][ITERATIONS])
    late = min(f["iterations"][-1] for f in results["separa"][ITERATIONS])
    print(f"separa's second iteration {1e3 * first:.1f} ms, its last {1e3 * late:.1f} ms: settled rows are skipped")
    ratios = [times["separa"][i] / times["scikit-learn"][i] for i in (0, 1)]
    print(f"ratio separa/scikit-learn: {ratios[0]:.2f} an iteration, {ratios[1]:.2f} the fit (bar: 1.0 an iteration)")


if __name__ == "__main__":
    main()
