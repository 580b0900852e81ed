"""Fits on a Dask cluster of two processes."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

pytest.importorskip("sklearn")
pytest.importorskip("distributed", reason="Dask is not installed")
pd = pytest.importorskip("pandas")

import dask  # noqa: E402
import dask.array as da  # noqa: E402
import dask.dataframe as dd  # noqa: E402
from distributed import Client, LocalCluster  # noqa: E402

import separa  # noqa: E402
import separa.dask  # noqa: E402
from separa.exceptions import DataError  # noqa: E402


@pytest.fixture(scope="module")
def client():
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        yield client


def clouds(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 4)) + 4 * np.eye(4)[rng.integers(0, 4, n)]


def local(X: np.ndarray, ends: list[int], name: str, **params):
    return getattr(separa, name)(n_clusters=4, **params).fit(separa.Blocks(lambda: iter(np.split(X, ends))))


@pytest.mark.parametrize("name", ["MSPC", "KMeans"])
def test_a_cluster_gives_the_bits_of_one_machine(client, name):
    X = clouds(3000)
    lazy = da.from_array(X, chunks=((1000, 500, 1500), 4))
    there = getattr(separa.dask, name)(n_clusters=4).fit(lazy, client=client)
    here = local(X, [1000, 1500], name)
    assert there.model_._rule.to_bytes() == here.model_._rule.to_bytes()
    labels = there.predict(lazy)
    assert not isinstance(labels, np.ndarray), "not computed yet"
    np.testing.assert_array_equal(labels.compute(), here.predict(X))
    np.testing.assert_array_equal(there.decision_function(lazy).compute(), here.decision_function(X))
    np.testing.assert_array_equal(there.to_local().predict(X), here.predict(X))


def test_data_frames_with_empty_partitions_and_words(client, tmp_path):
    X = clouds(3000, 1)
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["shop"] = np.where(X[:, 0] > 2, "north", "south")
    lazy = dd.from_pandas(frame.assign(place=range(3000)), npartitions=4)
    # Nothing is left of the first partition.
    lazy = lazy[lazy["place"] >= 800].drop(columns="place")
    found = separa.dask.KMeans(n_clusters=4).fit(lazy, client=client)
    assert found.model_.info["n"] == 2200
    labels = found.predict(lazy).compute()
    np.testing.assert_array_equal(labels, found.to_local().predict(frame[800:]))
    assert found.decision_function(lazy).compute().shape == (2200, 4)
    separa.save(found, tmp_path / "m.separa")
    assert separa.load(tmp_path / "m.separa").info["stream"]["all_rows"]


def test_a_worker_that_is_killed_in_the_middle_changes_nothing(client):
    X = clouds(6000, 2)
    lazy = da.from_array(X, chunks=(500, 4))
    here = local(X, list(range(500, 6000, 500)), "MSPC")
    pid = next(iter(client.run(os.getpid).values()))
    killed = threading.Event()

    def kill() -> None:
        os.kill(pid, signal.SIGKILL)
        killed.set()

    backend = separa.dask.DaskBackend(lazy, client)
    calls = []
    real = backend.map_reduce

    def counted(task, fold, start, each=None):
        calls.append(task)
        # The first pass is under way: its tasks are sent, and its first sums are in.
        if isinstance(task, separa._stream.Sum) and not killed.is_set():
            first = fold

            def fold(total, result):
                if not killed.is_set():
                    kill()
                return first(total, result)

        return real(task, fold, start, each)

    backend.map_reduce = counted
    found = separa._stream.fit_estimator(separa.dask.MSPC(n_clusters=4), backend, block_threads=1)
    assert killed.is_set() and len(calls) >= 4
    assert found.model_._rule.to_bytes() == here.model_._rule.to_bytes()


def test_without_a_cluster_dask_computes_by_itself():
    X = clouds(2000, 3)
    backend = separa.dask.DaskBackend(da.from_array(X, chunks=(500, 4)), None)
    backend.client = None
    # A client that is running would take the work.
    with dask.config.set(scheduler="threads"):
        found = separa._stream.fit_estimator(separa.dask.KMeans(n_clusters=4), backend, block_threads=1)
    assert found.model_._rule.to_bytes() == local(X, [500, 1000, 1500], "KMeans").model_._rule.to_bytes()


@pytest.mark.parametrize("parts", [1, 1000])
def test_one_partition_and_a_thousand(parts):
    X = clouds(2000, 4)
    backend = separa.dask.DaskBackend(da.from_array(X, chunks=(2000 // parts, 4)), None)
    backend.client = None
    # Two passes are enough, and no cluster: a thousand tasks cost a second each time.
    estimator = separa.dask.KMeans(n_clusters=4, max_iter=2, init="random")
    with dask.config.set(scheduler="threads"):
        found = separa._stream.fit_estimator(estimator, backend, block_threads=1)
    ends = list(range(2000 // parts, 2000, 2000 // parts))
    here = local(X, ends, "KMeans", max_iter=2, init="random")
    assert found.model_._rule.to_bytes() == here.model_._rule.to_bytes()


def test_results_are_folded_in_the_order_of_the_partitions_whoever_is_first(client):
    lazy = da.from_array(np.arange(6.0)[:, None], chunks=(1, 1))

    def slow(block):
        time.sleep(0.3 - 0.05 * block[0, 0])
        return block[0, 0]

    found = separa.dask.DaskBackend(lazy, client).map_reduce(slow, lambda all, one: [*all, one], [])
    assert found == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_a_partition_may_have_a_constant_column_and_gaps(client):
    X = clouds(2000, 5)
    X[:500, 1] = 7.0
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame.loc[500:999, "c"] = np.nan
    lazy = dd.from_pandas(frame, npartitions=4)
    found = separa.dask.MSPC(n_clusters=4).fit(lazy, client=client)
    assert found.model_.info["n"] == 2000
    np.testing.assert_array_equal(found.predict(lazy).compute(), found.to_local().predict(frame))


def test_every_method_has_a_class_and_says_what_took_part(client):
    assert {m["class"] for m in separa.methods()} < set(separa.dask.__all__)
    lazy = da.from_array(clouds(600, 6), chunks=(300, 4))
    found = separa.dask.SpectralClustering(n_clusters=4).fit(lazy, client=client)
    assert found.model_.info["stream"]["all_rows"] is False
    assert np.bincount(found.predict(lazy).compute()).tolist() == found.model_.info["sizes"]


def test_tables_in_memory_are_sent_elsewhere():
    with pytest.raises(DataError, match="Dask data frame or a Dask array"):
        separa.dask.KMeans().fit(clouds(100))


@pytest.mark.parametrize("name", ["MPMClassifier", "MCPMClassifier", "SCMClassifier"])
def test_classifiers_learn_from_all_partitions(client, name):
    rng = np.random.default_rng(5)
    kind = rng.integers(0, 3, 6000)
    X = rng.normal(size=(6000, 3)) + 3 * np.eye(3)[kind]
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=np.array(["low", "mid", "top"])[kind])
    parts = [frame[:1500], frame[1500:1500], frame[1500:4000], frame[4000:]]
    ddf = dd.from_map(lambda i: parts[i], [0, 1, 2, 3], meta=frame[:0])
    found = getattr(separa.dask, name)().fit(ddf, "kind", client=client)
    local = getattr(separa, name)().fit(separa.Blocks(lambda: iter(parts)), "kind")
    assert found.model_.to_bytes() == local.model_.to_bytes()
    lazy = found.predict(ddf[["a", "b", "c"]])
    assert (lazy.compute() == local.predict(X)).all()
    assert found.to_local().score(X, frame["kind"]) == pytest.approx(found.accuracy_, abs=1e-12)
    # Arrays: the classes are an array of numbers beside them.
    array = getattr(separa.dask, name)().fit(da.from_array(X, (1500, 3)), da.from_array(kind, 1500), client=client)
    assert array.classes_.tolist() == [0, 1, 2] and array.accuracy_ > 0.9
    assert array.decision_function(da.from_array(X, (1500, 3))).compute().shape == (6000, 3)
    with pytest.raises(DataError, match="Dask array of numbers as y"):
        getattr(separa.dask, name)().fit(da.from_array(X, (1500, 3)), "kind", client=client)
