"""Fits on a Dask cluster: every row takes part, and no row leaves its worker.

>>> import dask.array as da, separa.dask
>>> X = da.random.default_rng(0).normal(size=(4000, 3), chunks=(1000, 3))
>>> model = separa.dask.KMeans(n_clusters=2).fit(X)
>>> model.predict(X).compute().shape
(4000,)

A pass is one task per partition, which labels its rows by the current rule and sums them, and a sum in the order of the
partitions. A task holds no state, so a worker that is lost costs its tasks again and nothing else: the answer is a
function of the rows, where partitions end, the parameters and the seed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Callable, Iterator, Sequence

import numpy as np

from . import _class_stream, _fit, _labelling, _run, _separa, _stream, classify, cluster
from ._base import RUN_PARAMETERS
from ._stream import Result, Total
from .exceptions import DataError

try:
    # By name: Dask has types for a part of itself.
    dask: Any = import_module("dask")
    import_module("dask.sizeof")
except ImportError as missing:
    raise ImportError("separa.dask needs Dask (pip install 'separa[dask]')") from missing

#: The classes of the classifiers.
CLASSIFIERS = [entry["class"] for entry in _fit.classifiers()]

#: Results that are fetched from the workers together, and their bytes.
MOST, BYTES = 64, 1 << 26

__all__ = ["DaskBackend", *cluster.__all__, *CLASSIFIERS]


class DaskBackend:
    """Partitions of a Dask data frame, or row blocks of a Dask array."""

    def __init__(self, x: Any, client: Any = None) -> None:
        self.x = x
        self.client = client if client is not None else running_client()
        self.parts = partitions(x)

    def map_reduce(
        self, task: Callable[..., Result], fold: Callable[[Total, Result], Total], start: Total,
        each: Sequence[Any] | None = None,
    ) -> Total:
        call = dask.delayed(task, pure=False)
        pairs = enumerate(self.parts)
        tasks = [call(part) if each is None else call(part, each[i]) for i, part in pairs]
        if self.client is None:
            results = iter(dask.compute(*tasks))
        else:
            results = in_order(self.client, self.client.compute(tasks))
        for result in results:
            start = fold(start, result)
        return start

    def map_rows(self, task: Callable[[Any], Any]) -> Any:
        if hasattr(self.x, "map_partitions"):
            return self.x.map_partitions(task, meta=np.zeros(0))
        return self.x.map_blocks(task, dtype=np.float64)


def in_order(client: Any, futures: list[Any]) -> Iterator[Any]:
    """Results in the order of the partitions, whoever is ready first. Several are fetched together, as many as take little
    memory: to fetch 16 of them one by one took twice the CPU time. Those that were can go.
    """
    together = 1
    while futures:
        results = client.gather(futures[:together])
        del futures[:together]
        together = max(1, min(MOST, BYTES // max(dask.sizeof.sizeof(results[0]), 1)))
        yield from results


def running_client() -> Any:
    """The client of this process, if there is one."""
    try:
        return import_module("distributed").default_client()
    except (ImportError, ValueError):
        return None


def partitions(x: Any) -> list[Any]:
    """The partitions, each as something that is computed where it lies."""
    if hasattr(x, "map_partitions"):
        return list(x.to_delayed())
    if not hasattr(x, "to_delayed") or getattr(x, "ndim", 2) != 2:
        raise DataError(
            f"expected a Dask data frame or a Dask array with 2 dimensions, got {type(x).__name__}; "
            "tables in memory are for the classes in separa itself"
        )
    if x.shape[1] != x.chunks[1][0]:
        x = x.rechunk({1: -1})
    return list(x.to_delayed().ravel())


class Lazy:
    """What the classes of this module add: `fit` on partitions, and answers that are computed when they are needed."""

    model_: Any

    def fit(self, X: Any, y: Any = None, *, client: Any = None) -> Any:
        """Fits all rows of a Dask data frame or array.

        Parameters
        ----------
        X : dask.dataframe.DataFrame or dask.array.Array
            A partition must fit in the memory of a worker. Persist it if it costs much to make: every pass reads it.
        y : ignored
        client : distributed.Client, optional
            The one that is running if it is None; without one, Dask's own scheduler.
        """
        return _stream.fit_estimator(self, DaskBackend(X, client), block_threads=1)

    def fit_predict(self, X: Any, y: Any = None, *, client: Any = None) -> Any:
        """Fits all rows and returns their labels, not computed yet."""
        return self.fit(X, client=client).predict(X)

    def predict(self, X: Any) -> Any:
        """The labels of all rows, partition by partition, not computed yet."""
        return self._map(X, self._task("predict"), None, np.int32)

    def decision_function(self, X: Any) -> Any:
        """How each row was decided, partition by partition, not computed yet."""
        k = self.model_._rule.about()["k"]
        return self._map(X, self._task("decision"), None if k <= 2 else k, np.float64)

    def to_local(self) -> Any:
        """The same fit as an estimator for tables in memory."""
        from ._base import from_model

        local = from_model(self.model_)
        # The columns of the table, of which some may have become several features.
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(local, name, getattr(self, name))
        return local

    def _task(self, ask: str) -> Predict:
        return Predict(ask, self.model_._rule, getattr(self, "feature_names_in_", None))

    def _map(self, X: Any, task: Any, width: int | None, kind: Any) -> Any:
        if hasattr(X, "map_partitions"):
            empty = np.zeros((0,) if width is None else (0, width), dtype=kind)
            parts = [dask.delayed(task)(part) for part in X.to_delayed()]
            da: Any = import_module("dask.array")
            shape = (np.nan,) if width is None else (np.nan, width)
            return da.concatenate([da.from_delayed(p, shape, dtype=kind, meta=empty) for p in parts])
        if width is None:
            return X.rechunk({1: -1}).map_blocks(task, dtype=kind, drop_axis=1)
        rows = X.rechunk({1: -1})
        return rows.map_blocks(task, dtype=kind, chunks=(rows.chunks[0], (width,)))


class LazyClassifier(Lazy):
    """What classifiers add: classes beside the rows, and classes as answers."""

    classes_: Any

    def fit(self, X: Any, y: Any = None, *, client: Any = None) -> Any:
        """Learns from all rows of a Dask data frame or array.

        Parameters
        ----------
        X : dask.dataframe.DataFrame or dask.array.Array
            A partition must fit in the memory of a worker. Persist it if it costs much to make: every pass reads it.
        y : str, or dask.array.Array of shape (n_samples,)
            The column of the classes in a data frame; the classes, as numbers, of the rows of an array.
        client : distributed.Client, optional
            The one that is running if it is None; without one, Dask's own scheduler.
        """
        estimator: Any = self
        params = estimator.get_params(deep=False)
        own = {name: value for name, value in params.items() if name not in RUN_PARAMETERS}
        if hasattr(X, "map_partitions"):
            return _class_stream.fit(self, DaskBackend(X, client), y, None, own, block_threads=1)
        da: Any = import_module("dask.array")
        if not hasattr(y, "rechunk") or getattr(X, "ndim", 2) != 2 or getattr(y, "ndim", 1) != 1:
            raise DataError(
                f"expected a Dask array of numbers as y beside a Dask array, got {type(y).__name__}; for a data frame y is "
                "the name of the column of the classes"
            )
        beside = y.rechunk((X.chunks[0],)).astype(np.float64)[:, None]
        joined = da.concatenate([X.rechunk({1: -1}), beside], axis=1).rechunk({1: -1})
        run = _run.settings(estimator.random_state, estimator.n_jobs, estimator.max_memory, False)
        found = _class_stream.train(estimator._method, own, DaskBackend(joined, client), None, run, block_threads=1)
        kind = y.dtype if y.dtype.kind in "iub" else found.classes.dtype
        return _class_stream.adopt(self, found._replace(classes=found.classes.astype(kind)))

    def predict(self, X: Any) -> Any:
        """The classes of all rows, partition by partition, not computed yet."""
        return super().predict(X).map_blocks(Named(self.classes_), dtype=self.classes_.dtype)


class Named:
    """The class of every label."""

    def __init__(self, classes: Any) -> None:
        self.classes = classes

    def __call__(self, labels: Any) -> Any:
        return self.classes[labels]


class Predict:
    """Labels or decision values of a block."""

    def __init__(self, ask: str, rule: Any, names: Any) -> None:
        self.ask, self.rule, self.k = ask, rule.to_bytes(), rule.about()["k"]
        self.reader = _stream.Reader(None if names is None else [str(name) for name in names], rule.preparation(), True)

    def __call__(self, block: Any) -> Any:
        if _stream.n_rows(block) == 0:
            none = np.zeros((0, self.k if self.k > 2 else 1))
            return np.zeros(0, np.int32) if self.ask == "predict" else _labelling.flat(none)
        rule, rows = _separa.Rule.from_bytes(self.rule), self.reader(block)
        if self.ask == "predict":
            return rule.predict(rows, 1)
        return _labelling.flat(rule.decision(rows, 1))


def on_dask(name: str, of: type, lazy: type) -> type:
    """The class of a method, fitted where Dask has the rows."""
    said = f":class:`separa.{name}` on Dask. ``model_.info[\"stream\"]`` says whether all rows took part, or a sample."
    return type(name, (lazy, of), {"__doc__": said, "__module__": __name__})


# One for every method: which of them pass over all rows is the engine's to say.
globals().update({name: on_dask(name, getattr(cluster, name), Lazy) for name in cluster.__all__})
globals().update({name: on_dask(name, getattr(classify, name), LazyClassifier) for name in CLASSIFIERS})

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
