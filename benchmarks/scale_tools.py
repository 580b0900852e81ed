"""What scale.py measures with: CPU time of a process and its children, files of rows, a pass that is ready to run."""
import os
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import separa
from separa import _run, _stream

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of(root=None):
    """CPU seconds of a process, all below it, and those of them that have ended."""
    root = root or os.getpid()
    parents, used = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(name)] = int(fields[1])
        used[int(name)] = sum(map(int, fields[11:15])) / TICKS
    return sum(seconds for pid, seconds in used.items() if below(pid, root, parents))


def below(pid, root, parents):
    while pid and pid != root:
        pid = parents.get(pid, 0)
    return pid == root


def spent(work):
    """CPU seconds of this process in `work`."""
    start = time.process_time()
    work()
    return time.process_time() - start


def spent_by_all(work):
    """CPU seconds of this process and all below it."""
    start = cpu_of()
    work()
    return cpu_of() - start


def mixture(n, d, k=8, seed=0):
    rng = np.random.default_rng(seed)
    centers = np.random.default_rng(1).normal(size=(k, d)) * 2
    return rng.normal(size=(n, d)) + centers[rng.integers(0, k, n)]


def write_lake(folder, n, d, per_file=200_000):
    """Parquet files of float64 columns; those of an earlier part of the run are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"x{j}" for j in range(d)]
    for f, start in enumerate(range(0, n, per_file)):
        path = folder / f"{f:05}.parquet"
        if not path.exists():
            rows = mixture(min(per_file, n - start), d, seed=f)
            pq.write_table(pa.table(list(np.ascontiguousarray(rows.T)), names=names), path, row_group_size=50_000)
    return folder


def prepared(method, blocks, k, block_threads=1):
    """The second pass of a fit: its task, and where its sums go."""
    run = _run.settings(0, None, None, False)
    shapes = blocks.map_reduce(_stream.Shape(), _stream.append, [])
    frame = _stream.sample(blocks, shapes, 0, 20_000, None)
    table, plain = _stream.features(frame, True)
    rule = separa._separa.fit(method, {"n_clusters": k}, table.rows, table.columns, None, {**run, "listener": None})
    passes = separa._separa.Passes.begin(rule, table.rows)
    task = _stream.Sum(_stream.Reader(separa._table.column_names(frame), table.preparation, plain), block_threads)
    blocks.map_reduce(task.of(passes.to_bytes()), _stream.add, passes)
    passes.step()
    return task.of(passes.to_bytes()), passes
