"""The parts of scale.py that need Dask or Spark."""
import importlib.util
import os
import sys
import time

import numpy as np

from common import TEMP, load
from scale_tools import cpu_of, mixture, prepared, spent_by_all, write_lake

from separa import _stream

K = 8


def missing(*names):
    absent = [name for name in names if importlib.util.find_spec(name) is None]
    if absent:
        print(f"skipped: {', '.join(absent)} is not installed", flush=True)
    return bool(absent)


def cluster_of(n):
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=n, threads_per_worker=1, processes=True, dashboard_address=None)
    return cluster, Client(cluster)


def dask(args):
    """A pass over a persisted array, beside one iteration of Dask-ML."""
    if missing("distributed", "dask_ml"):
        return
    import dask.array as da
    from dask_ml.cluster import KMeans
    from distributed import wait

    import separa.dask

    cluster, client = cluster_of(2)
    rows = da.from_array(mixture(args.rows, args.features), chunks=(args.rows // 8, args.features)).persist()
    wait(rows)
    centers = mixture(K, args.features, seed=5)

    def fitted(iterations):
        return spent_by_all(lambda: KMeans(K, init=centers, max_iter=iterations, tol=0).fit(rows))

    fitted(1)
    backend = separa.dask.DaskBackend(rows, client)
    ready = {method: prepared(method, backend, K) for method in ("kmeans", "mspc")}

    def passed(task, passes):
        return spent_by_all(lambda: [backend.map_reduce(task, _stream.add, passes) for _ in range(5)]) / 5

    # In turn, because a busy machine is busier at times.
    turns = [[(fitted(7) - fitted(2)) / 5, *(passed(*ready[method]) for method in ready)] for _ in range(5)]
    theirs, *ours = np.median(turns, axis=0)
    for method, own in zip(ready, ours):
        print(f"dask, {method} pass, {args.rows} x {args.features}: {own:.2f} s CPU = {own / theirs:.2f} x an iteration of "
              f"Dask-ML's KMeans ({theirs:.2f} s); medians of five turns", flush=True)
    client.close()
    cluster.close()


def workers(args):
    """One worker, then two: wall time, and the CPU time of the busiest worker, which a busy machine does not change."""
    if missing("distributed"):
        return
    import dask.array as da
    from distributed import wait

    import separa.dask

    wall, busiest = {}, {}
    for n in (1, 2):
        cluster, client = cluster_of(n)
        rows = da.from_array(mixture(args.rows, args.features), chunks=(args.rows // 16, args.features)).persist()
        wait(rows)
        backend = separa.dask.DaskBackend(rows, client)
        task, passes = prepared("mspc", backend, K)
        pids = list(client.run(os.getpid).values())
        wall[n] = float("inf")
        before, here = [cpu_of(pid) for pid in pids], time.process_time()
        for _ in range(5):
            start = time.perf_counter()
            backend.map_reduce(task, _stream.add, passes)
            wall[n] = min(wall[n], time.perf_counter() - start)
        busiest[n] = max(cpu_of(pid) - b for pid, b in zip(pids, before)) + time.process_time() - here
        client.close()
        cluster.close()
    print(f"workers, mspc pass, {args.rows} x {args.features}: 1 to 2 workers {wall[1] / wall[2]:.2f} x faster by the clock; "
          f"CPU of the busiest worker and the client {busiest[1] / busiest[2]:.2f} x less", flush=True)


def session():
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", "4g").config("spark.driver.host", "127.0.0.1")
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


def spark(args):
    """A pass over a persisted table, beside one iteration of MLlib's k-means."""
    if missing("pyspark"):
        return
    from pyspark.ml.clustering import KMeans
    from pyspark.ml.feature import VectorAssembler

    from separa._spark_blocks import SparkBackend
    from separa.spark import as_array

    engine = session()
    folder = write_lake(TEMP / "lake", args.rows, args.features)
    table = engine.read.parquet(str(folder))
    table = VectorAssembler(inputCols=table.columns, outputCol="features").transform(table).select("features").persist()
    table.count()

    def fitted(iterations):
        return spent_by_all(lambda: KMeans(k=K, maxIter=iterations, tol=0.0, initMode="random", seed=1).fit(table))

    fitted(2), fitted(10)
    theirs = (fitted(22) - fitted(2)) / 20
    for method in ("kmeans", "mspc"):
        backend = SparkBackend(table.select(as_array(table, "features").alias("features")), None)
        task, passes = prepared(method, backend, K)
        backend.map_reduce(task, _stream.add, passes)
        ours = spent_by_all(lambda: [backend.map_reduce(task, _stream.add, passes) for _ in range(10)]) / 10
        backend.close()
        print(f"spark, {method} pass, {args.rows} x {args.features}: {ours:.2f} s CPU = {ours / theirs:.2f} x an iteration of "
              f"MLlib's KMeans ({theirs:.2f} s)", flush=True)


def sets():
    """Rows and classes: two public sets, and clouds that are longer in one direction than they are apart."""
    for name in ("satellite", "usps"):
        yield name, *load(name)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 20_000)
    x = rng.normal(size=(20_000, 6)) + 4 * np.eye(6)[y]
    yield "long clouds", x + np.outer(rng.normal(size=20_000) * 12, np.ones(6)), y


def quality(args):
    """ARI without labels, beside MLlib's clusterers."""
    if missing("pyspark"):
        return
    from pyspark.ml.clustering import BisectingKMeans, GaussianMixture, KMeans
    from pyspark.ml.linalg import Vectors
    from sklearn.metrics import adjusted_rand_score

    import separa.spark

    engine = session()
    for name, x, y in sets():
        k = len(np.unique(y))
        rows = engine.sparkContext.parallelize([(Vectors.dense(row), int(c)) for row, c in zip(x.tolist(), y)], 4)
        table = engine.createDataFrame(rows, ["features", "class"]).persist()
        found = {}
        for method in (separa.spark.MSPC, separa.spark.KMeans, KMeans, BisectingKMeans, GaussianMixture):
            who = ("separa " if method.__module__.startswith("separa") else "MLlib ") + method.__name__
            labelled = method(k=k, seed=1).fit(table).transform(table).select("class", "prediction").collect()
            found[who] = adjusted_rand_score(*zip(*labelled))
        print(f"quality, {name}: " + ", ".join(f"{who} {ari:.3f}" for who, ari in found.items()), flush=True)
        table.unpersist()
