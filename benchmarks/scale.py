"""Passes over rows that need not fit in memory, as ratios within one run. CPU time, of all processes that take part.

    scale.py [pass] [rows] [memory] [mnist] [dask] [workers] [spark] [quality] [model] [--rows N] [--features D]

- pass: one pass over Parquet against pyarrow + NumPy doing the same sums.
- rows: time per row at ten times the rows.
- memory: a whole streamed fit against reading the table and fitting it in memory.
- mnist: ARI of streamed and in-memory fits of MNIST's 70,000 rows.
- dask: a pass against Dask-ML's k-means on the same array and cluster. workers: one worker, then two.
- spark: a pass against MLlib's k-means on the same persisted table. quality: ARI beside MLlib's three clusterers.
- model: the cost model of docs/scale.md, fitted on small passes and checked on another.

`dask` needs dask-ml, `spark` and `quality` need pyspark (and its pandas < 3) and Java 17; what is not installed is skipped.
"""
import argparse

import numpy as np
import pyarrow.parquet as pq

from common import TEMP, load
from scale_engines import dask, quality, spark, workers
from scale_model import model
from scale_tools import prepared, spent, write_lake
from sklearn.metrics import adjusted_rand_score

import separa
from separa import _stream


class ByHand:
    """The sums of a pass as NumPy makes them."""

    def __init__(self, method, k, d):
        self.method, self.k = method, k
        self.centers = np.random.default_rng(0).normal(size=(k, d))
        self.scale = np.ones(d)

    def labels(self, rows):
        return (rows @ (-2 * self.centers.T) + (self.centers**2).sum(1)).argmin(1)

    def __call__(self, batch):
        rows = np.column_stack([column.to_numpy() for column in batch.columns]) * self.scale
        labels, out = self.labels(rows), []
        if self.method == "mspc":
            # Labels by the rule before, too: that is how changes are counted.
            out.append(np.count_nonzero(self.labels(rows) != labels))
        for c in range(self.k):
            mine = rows[labels == c] - self.centers[c]
            out += [len(mine), mine.sum(0)]
            out.append(mine.T @ mine if self.method == "mspc" else np.einsum("ij,ij->", mine, mine))
        return out


def by_hand(folder, task):
    total = None
    for path in sorted(folder.glob("*.parquet")):
        for batch in pq.ParquetFile(path).iter_batches(batch_size=16_384):
            part = task(batch)
            total = part if total is None else [a + b for a, b in zip(total, part)]
    return total


def one_pass(args):
    folder = write_lake(TEMP / "lake", args.rows, args.features)
    blocks = separa.open(folder / "*.parquet")
    for method in ("kmeans", "mspc"):
        task, passes = prepared(method, blocks, k=8)
        ours = min(spent(lambda: blocks.map_reduce(task, _stream.add, passes)) for _ in range(3))
        hand = ByHand(method, 8, args.features)
        theirs = min(spent(lambda: by_hand(folder, hand)) for _ in range(3))
        reading = spent(lambda: [None for _ in blocks])
        print(f"pass, {method}, {args.rows} x {args.features}: {ours:.2f} s CPU = {ours / theirs:.2f} x pyarrow + NumPy "
              f"({theirs:.2f} s); reading alone {reading:.2f} s", flush=True)


def per_row(args):
    each = {}
    for n in (args.rows, 10 * args.rows):
        folder = write_lake(TEMP / f"rows{n}", n, 20)
        blocks = separa.open(folder / "*.parquet")
        task, passes = prepared("mspc", blocks, k=8)
        each[n] = min(spent(lambda: blocks.map_reduce(task, _stream.add, passes)) for _ in range(2)) / n
        for path in folder.glob("*.parquet"):
            path.unlink()
    few, many = each.values()
    print(f"rows, mspc pass, d = 20: {1e6 * few:.3f} µs CPU per row at {args.rows}, {1e6 * many:.3f} at {10 * args.rows}: "
          f"ratio {many / few:.2f}", flush=True)


def memory(args):
    folder = write_lake(TEMP / "whole", args.rows, 20)
    for name in ("KMeans", "MSPC"):
        fit = getattr(separa, name)(n_clusters=8)
        streamed = spent(lambda: fit.fit(separa.open(folder / "*.parquet")))
        whole = spent(lambda: fit.fit(pq.read_table(folder)))
        print(f"memory, {name}, {args.rows} x 20: streamed {streamed:.2f} s CPU = {streamed / whole:.2f} x in memory", flush=True)


def mnist(args):
    x, y = load("mnist")
    x = x / 255
    for name in ("KMeans", "MSPC"):
        fit = getattr(separa, name)(n_clusters=10)
        whole = adjusted_rand_score(y, fit.fit(x).labels_)
        streamed = fit.fit(separa.Blocks(lambda: iter(np.array_split(x, 9)))).predict(x)
        print(f"mnist, {name}: ARI {adjusted_rand_score(y, streamed):.4f} streamed, {whole:.4f} in memory", flush=True)


PARTS = {"pass": one_pass, "rows": per_row, "memory": memory, "mnist": mnist, "dask": dask, "workers": workers,
         "spark": spark, "quality": quality, "model": model}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=[])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--features", type=int, default=50)
    args = parser.parse_args()
    for part in args.parts or PARTS:
        PARTS[part](args)
