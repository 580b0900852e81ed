"""Pairwise matrices and a few eigenpairs beside scikit-learn and SciPy, in one run.

    .venv/bin/python benchmarks/kernel_speed.py

The two sides take turns; the best of REPEATS counts.
"""
import json
import os
import subprocess
import time

import numpy as np
from scipy.sparse.linalg import eigsh
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics.pairwise import rbf_kernel
from threadpoolctl import threadpool_limits

import common

REPEATS = 5
PROGRAMS = common.ROOT / "target/release/examples"


def said(program, *args, threads):
    """The last line of one of our programs, as JSON."""
    env = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    out = subprocess.run([PROGRAMS / program, *map(str, args)], env=env, check=True,
                         capture_output=True, text=True).stdout
    return json.loads(out.strip().splitlines()[-1])


def timed(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def pairwise(threads):
    x = np.random.default_rng(0).normal(size=(5000, 784))
    path = common.TEMP / "x.f64"
    x.tofile(path)
    ours, theirs = [], []
    for _ in range(REPEATS):
        ours += said("pairwise_timing", path, 5000, 784, "rbf", 1e-3, threads, 2,
                     threads=threads)["seconds"]
        with threadpool_limits(threads):
            theirs.append(timed(lambda: rbf_kernel(x, gamma=1e-3)))
    report("RBF 5000 x 784", threads, min(ours), min(theirs), "rbf_kernel")


def eigenpairs(threads, matrix):
    points = np.random.default_rng(0).normal(size=(5000, 16))
    points[::2, 0] += 6
    path = common.TEMP / "points.f64"
    points.tofile(path)
    a = squareform(pdist(points))
    if matrix == "rbf":
        a = np.exp(-a**2 / np.median(a**2))
    ours, theirs = [], []
    for _ in range(REPEATS):
        ours.append(said("eig_timing", 5000, 2, "double", matrix, 0, path,
                         threads=threads)["seconds"])
        with threadpool_limits(threads):
            theirs.append(timed(lambda: eigsh(a, k=2, which="LA" if matrix == "rbf" else "LM")))
    report(f"two eigenpairs, {matrix} 5000 x 5000", threads, min(ours), min(theirs), "eigsh")


def report(what, threads, ours, theirs, peer):
    print(f"{what}, {threads} threads: {ours:.3f} s, {peer} {theirs:.3f} s, {ours / theirs:.2f}x")


if __name__ == "__main__":
    common.build("-p", "separa-math", "--examples")
    for count in (1, 2):
        pairwise(count)
        eigenpairs(count, "distance")
        eigenpairs(count, "rbf")
