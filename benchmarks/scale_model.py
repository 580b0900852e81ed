"""What a pass costs, as docs/scale.md has it: measured on small tables, checked on another, computed for large ones."""
import numpy as np
from scipy.optimize import nnls

from common import TEMP
from scale_tools import prepared, spent, write_lake

import separa
from separa import _stream


def terms(method, d, k):
    """What the CPU time of a row is a sum of: a fixed part, reading and scaling, labels, moments."""
    if method == "kmeans":
        return [1.0, d, d * k, 0.0]
    return [1.0, d, 2 * d * min(d, k - 1), d * (d + 1) / 2]


def sums_bytes(method, d, k):
    """Bytes that a partition sends back."""
    return 8 * k * (d + 2) if method == "kmeans" else 8 * k * (1 + d + d * (d + 1) // 2)


def rule_bytes(method, d, k):
    """Bytes that go to a partition: centres, or two rules, the points that sums are about, the scaler."""
    return 8 * k * d if method == "kmeans" else 8 * (3 * k * d + 2 * k * k + 6 * d)


def measured(method, n, d, k):
    blocks = separa.open(write_lake(TEMP / f"model{d}", n, d) / "*.parquet")
    task, passes = prepared(method, blocks, k)
    return min(spent(lambda: blocks.map_reduce(task, _stream.add, passes)) for _ in range(3)) / n


def model(args):
    """Fits the terms on some shapes, and says how far they are off on one that took no part."""
    n = min(args.rows, 200_000)
    for method in ("kmeans", "mspc"):
        shapes = [(10, 4), (10, 16), (30, 8), (60, 4), (60, 16)]
        seconds = [measured(method, n, d, k) for d, k in shapes]
        # Every shape counts the same: the errors are fractions.
        lines = np.array([terms(method, *shape) for shape in shapes]) / np.array(seconds)[:, None]
        cost, _ = nnls(lines, np.ones(len(shapes)))
        found, said = measured(method, n, 100, 8), float(cost @ terms(method, 100, 8))
        print(f"model, {method}: ns per row = " + " + ".join(f"{1e9 * c:.2f} x {name}" for c, name in zip(
            cost, ("1", "d", "labels", "moments"))) + f"; 100 features, 8 clusters: computed {1e6 * said:.2f} µs per row, "
            f"measured {1e6 * found:.2f} (ratio {said / found:.2f})", flush=True)
        for rows, workers in ((10**6, 1), (10**8, 10), (10**9, 100), (10**10, 100)):
            parts = max(workers, rows * 100 * 8 // 2**27)
            print(f"  {rows:.0e} x 100 on {workers} workers: {rows * 800 / 1e9:.4g} GB read per pass, {said * rows / workers:.4g} s CPU per "
                  f"worker and pass, {parts} partitions, {rule_bytes(method, 100, 8) / 1e3:.0f} kB to each, "
                  f"{sums_bytes(method, 100, 8) / 1e3:.0f} kB back from each", flush=True)
