"""Spectral clustering on neighbour graphs beside scikit-learn's, in one run.

    .venv/bin/python benchmarks/spectral.py [--repeats N]

usps (9,298 x 256) and 10,000 rows of mnist, 10 neighbours, 10 clusters, one thread and all of them; the
two take turns and the best time of each counts. scikit-learn's time is that of `fit`, separa's that of
the fit within `separa cluster` (the `seconds` of its answer): neither reads files in it. Then the parts
of COIL-20's graph of 5 neighbours. The data come from SEPARA_DATA, else ../shared/data.
"""

import os
import sys
import time
import warnings

import numpy as np
from common import build, cluster, load, need, write

CORES = len(os.sched_getaffinity(0))
REPEATS = int(sys.argv[sys.argv.index("--repeats") + 1]) if "--repeats" in sys.argv else 3


def matched_accuracy(labels, truth):
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((labels.max() + 1, truth.max() + 1))
    np.add.at(table, (labels, truth), 1)
    return table[linear_sum_assignment(-table)].sum() / len(truth)


def peer(x, k, seed, threads):
    from sklearn.cluster import SpectralClustering
    from threadpoolctl import threadpool_limits

    model = SpectralClustering(
        k, affinity="nearest_neighbors", n_neighbors=10, assign_labels="kmeans", random_state=seed, n_jobs=threads
    )
    with warnings.catch_warnings(), threadpool_limits(threads):
        warnings.simplefilter("ignore")
        begin = time.perf_counter()
        model.fit(x)
        return time.perf_counter() - begin, model.labels_


def compare(name, x, truth, threads):
    from sklearn.metrics import adjusted_rand_score

    table = write(x, truth, name=name)
    times, scores = {"separa": [], "scikit-learn": []}, {}
    for _ in range(REPEATS):
        answer = cluster(table, 10, "-m", "spectral", "--threads", threads)
        times["separa"].append(answer["seconds"])
        scores["separa"] = answer["truth"]["accuracy"], answer["truth"]["ari"]
        seconds, labels = peer(x, 10, 0, threads)
        times["scikit-learn"].append(seconds)
        scores["scikit-learn"] = matched_accuracy(labels, truth), adjusted_rand_score(truth, labels)
    for who, (accuracy, ari) in scores.items():
        print(f"{name:>6}  {who:>13}  {min(times[who]):6.2f} s  accuracy {accuracy:.4f}  ARI {ari:.4f}")
    ratio = min(times["separa"]) / min(times["scikit-learn"])
    print(f"{name:>6}  ratio separa/scikit-learn {ratio:.2f} on {threads} threads (bar: 0.5)", flush=True)


def main():
    for name in ("usps", "mnist", "coil20"):
        need(name)
    build()
    x, y = load("mnist")
    some = np.random.default_rng(0).choice(len(x), 10_000, replace=False)
    for threads in sorted({1, CORES}):
        compare("usps", *load("usps"), threads)
        compare("mnist", x[some], y[some], threads)
    table = write(*load("coil20"), name="coil20")
    answer = cluster(table, 20, "-m", "spectral", "--set", "neighbors=5")
    parts = [note["text"] for note in answer["notes"] if note["code"] == "disconnected-graph"]
    print(f"coil20  {parts[0]} (9 expected); accuracy {answer['truth']['accuracy']:.3f}, NMI {answer['truth']['nmi']:.3f}")
    busy = os.getloadavg()[0]
    if busy > CORES + 0.5:
        print(f"the machine was busy with other work (load {busy:.1f}): run again for numbers to keep")


if __name__ == "__main__":
    main()
