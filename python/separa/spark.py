"""Estimators for Spark: every row takes part, and no row leaves its executor.

::

    import separa.spark

    found = separa.spark.MSPC(featuresCol="features", k=8).fit(df)    # or inputCols=["age", "income"]
    found.transform(df).groupBy("prediction").count().show()

They are estimators of ``pyspark.ml``: in a ``Pipeline``, in a ``CrossValidator``, saved and loaded as all others are.
Features are a column of vectors, a column of arrays, or several columns, which can hold words, dates and gaps. A pass is
one ``mapInArrow``: each partition labels its rows by the current rule and sums them, and the sums are added in the order
of the partitions. A task holds no state, so the answer is a function of the rows, where partitions end, the parameters
and the seed, also if an executor is lost. separa must be installed where Python runs on the executors.
"""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, Iterator

import numpy as np

from . import _class_stream, _facts, _fit, _model, _run, _separa, _stream
from ._spark_blocks import SparkBackend
from .exceptions import ConvergenceWarning, DataError, ParameterError

try:
    from pyspark.ml import Estimator, Model
    from pyspark.ml.param import Param, Params
    from pyspark.ml.param.shared import HasFeaturesCol, HasInputCols, HasLabelCol, HasPredictionCol
    from pyspark.ml.util import DefaultParamsReadable, DefaultParamsReader, DefaultParamsWritable, DefaultParamsWriter
    from pyspark.ml.util import MLReadable, MLReader, MLWritable, MLWriter
except ImportError as missing:
    raise ImportError("separa.spark needs Spark (pip install 'separa[spark]')") from missing

__all__ = ["ClassifierModel", "ClusteringModel", "SparkBackend"]


class Columns(HasFeaturesCol, HasInputCols, HasPredictionCol):  # type: ignore[misc]
    """Which columns hold the features, and where the labels go."""

    def features(self, dataset: Any) -> tuple[Any, list[str] | None]:
        """The features alone, and their names if each has a column."""
        from pyspark.sql import functions as F

        if self.isSet(self.inputCols):
            names = list(self.getInputCols())
            return dataset.select(*[F.col(f"`{name}`") for name in names]), names
        return dataset.select(as_array(dataset, self.getFeaturesCol()).alias("features")), None

    def setFeaturesCol(self, value: str) -> Any:
        """Sets the column of vectors or arrays."""
        return self._set(featuresCol=value)

    def setInputCols(self, value: list[str]) -> Any:
        """Sets the columns of the features, where each has one."""
        return self._set(inputCols=value)

    def setPredictionCol(self, value: str) -> Any:
        """Sets the column of the labels."""
        return self._set(predictionCol=value)


def as_array(dataset: Any, name: str) -> Any:
    """A column of vectors or of arrays of numbers, as arrays."""
    from pyspark.ml.functions import vector_to_array
    from pyspark.ml.linalg import VectorUDT
    from pyspark.sql import functions as F
    from pyspark.sql.types import ArrayType

    if name not in dataset.columns:
        raise ParameterError(f'no column "{name}"; name the features with featuresCol or inputCols')
    kind, column = dataset.schema[name].dataType, F.col(f"`{name}`")
    if isinstance(kind, VectorUDT):
        return vector_to_array(column)
    if isinstance(kind, ArrayType):
        return column.cast("array<double>")
    raise DataError(
        f'column "{name}" holds {kind.simpleString()}, expected vectors or arrays of numbers; '
        f'one column per feature is inputCols=["{name}", …]'
    )


class Fitter(Estimator, Columns, DefaultParamsWritable, DefaultParamsReadable):  # type: ignore[misc]
    """What all estimators of this module share."""

    _method = ""
    #: Parameters of the method, by the engine's names.
    _own: tuple[str, ...] = ()
    #: Whether it learns from classes.
    _learns = False

    seed = Param(Params._dummy(), "seed", "seed of the sample and of the initializations")
    maxMemory = Param(Params._dummy(), "maxMemory", 'memory of the driver, as bytes or as "4G"; None takes 80 % of what is free')
    prepare = Param(Params._dummy(), "prepare", '"auto" makes features of words, dates and gaps in inputCols, "none" does not')
    cache = Param(Params._dummy(), "cache", "whether the features are kept on the executors between passes, in memory or on disk")

    def __init__(self, **given: Any) -> None:
        super().__init__()
        self._setDefault(**self._defaults())
        self.setParams(**given)

    def setParams(self, **given: Any) -> Any:
        """Sets parameters by name."""
        for name in given:
            if not self.hasParam(name):
                near = _near(name, [p.name for p in self.params])
                raise ParameterError(f"unknown parameter `{name}` for {type(self).__name__}{near}")
        plain = {name: _fit.plain_value("" if name != "init" else name, value) for name, value in given.items()}
        return self._set(**plain)

    @classmethod
    def _defaults(cls) -> dict[str, Any]:
        known = [*_fit.methods(), *_fit.classifiers()]
        (entry,) = [m for m in known if m["name"] == cls._method] or [{"defaults": {}}]
        own = {("k" if name == "n_clusters" else name): value for name, value in entry["defaults"].items()}
        return {"seed": 0, "maxMemory": None, "prepare": "auto", "cache": True, **own}

    def _parameters(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Those of the method, and how it is run."""
        own = {name: self.getOrDefault("k" if name == "n_clusters" else name) for name in self._own}
        return own, _run.settings(self.getOrDefault("seed"), None, self.getOrDefault("maxMemory"), not self._learns)


class Clusterer(Fitter):
    """What the estimators of clusterings share."""

    def _fit(self, dataset: Any) -> ClusteringModel:
        own, run = self._parameters()
        frame, names = self.features(dataset)
        backend = SparkBackend(frame, names, bool(self.getOrDefault("cache")))
        wanted = self.getOrDefault("prepare") == "auto" and names is not None
        try:
            found = _stream.fit(self._method, own, backend, run, wanted, block_threads=1)
        finally:
            backend.close()
        model = _model.Model(found.rule)
        _fit.warn(model, ConvergenceWarning)
        fitted: ClusteringModel = self._copyValues(ClusteringModel(model, found.names)._resetUid(self.uid))
        return fitted


class Classifier(Fitter, HasLabelCol):  # type: ignore[misc]
    """What the estimators of classifiers share: ``labelCol`` holds the classes, as numbers or, beside ``inputCols``, as text."""

    _learns = True

    def setLabelCol(self, value: str) -> Any:
        """Sets the column of the classes."""
        return self._set(labelCol=value)

    def _fit(self, dataset: Any) -> ClassifierModel:
        from pyspark.sql import functions as F

        own, run = self._parameters()
        frame, names = self.features(dataset)
        column = self.getLabelCol()
        if column not in dataset.columns:
            raise ParameterError(f'no column "{column}"; name the column of the classes with labelCol')
        target: str | None = None
        if names is None:
            label = F.col(f"`{column}`").cast("double")
            frame = dataset.select(F.concat(as_array(dataset, self.getFeaturesCol()), F.array(label)).alias("features"))
            both = None
        elif column in names:
            raise ParameterError(f'column "{column}" is among inputCols and holds the classes; take it out of inputCols')
        else:
            target, both = column, [*names, column]
            frame = dataset.select(*[F.col(f"`{name}`") for name in both])
        backend = SparkBackend(frame, both, bool(self.getOrDefault("cache")))
        try:
            found = _class_stream.train(self._method, own, backend, target, run, block_threads=1)
        finally:
            backend.close()
        model = _model.Model(found.rule)
        _fit.warn(model, ConvergenceWarning)
        fitted: ClassifierModel = self._copyValues(ClassifierModel(model, names)._resetUid(self.uid))
        return fitted


class ClusteringModel(Model, Columns, MLWritable, MLReadable):  # type: ignore[misc]
    """A fitted rule, which labels the rows of Spark tables.

    Attributes
    ----------
    model_ : separa.Model
        The rule as everywhere in separa: what :func:`separa.save` writes, what can be explained and reported.
    """

    def __init__(self, model: Any = None, names: list[str] | None = None) -> None:
        super().__init__()
        self.model_ = model
        self.names = names

    def to_local(self) -> _model.Model:
        """The rule for tables in memory."""
        held: _model.Model = self.model_
        return held

    @property
    def clusterSizes(self) -> list[int]:
        """Rows of each cluster in the fit."""
        return list(self.model_.info["sizes"])

    def _transform(self, dataset: Any) -> Any:
        from pyspark.sql import functions as F

        label = labels(self.model_._rule.to_bytes(), self.names, self.model_._rule.preparation(), self._classes())
        if self.names is None:
            features = as_array(dataset, self.getFeaturesCol())
        else:
            features = F.struct(*[F.col(f"`{name}`") for name in self.names])
        return dataset.withColumn(self.getPredictionCol(), label(features))

    def _classes(self) -> Any:
        """What labels stand for; None if they are the numbers of clusters."""
        return None

    def write(self) -> Any:
        """Writes the model to a folder, wherever Spark can write."""
        return ModelWriter(self)

    @classmethod
    def read(cls) -> Any:
        """Reads what :meth:`write` wrote."""
        return ModelReader(cls)


class ClassifierModel(ClusteringModel, HasLabelCol):  # type: ignore[misc]
    """A trained rule, which gives the rows of Spark tables their classes.

    Attributes
    ----------
    model_ : separa.Model
        The rule as everywhere in separa.
    """

    def _classes(self) -> Any:
        return _facts.named(self.model_._info)


def labels(rule: bytes, names: list[str] | None, preparation: str | None, classes: Any = None) -> Any:
    """The function of Spark that labels rows: its worker loads the rule once."""
    import pandas as pd
    from pyspark.sql.functions import pandas_udf

    kind, known = "int", None
    if classes is not None:
        # Classes that are numbers are doubles, as in pyspark.ml.
        kind = "double" if classes.dtype.kind in "iufb" else "string"
        known = classes.astype(np.float64) if kind == "double" else classes.astype(object)

    def label(batches: Any) -> Any:
        for found in label_batches(rule, _stream.Reader(names, preparation, True), batches):
            yield found if known is None else pd.Series(known[found.to_numpy()])

    taken: Any = pd.Series if names is None else pd.DataFrame
    label.__annotations__ = {"batches": Iterator[taken], "return": Iterator[pd.Series]}
    return pandas_udf(label, kind)


def label_batches(rule: bytes, reader: Any, batches: Any) -> Iterator[Any]:
    """Labels of the rows of each batch."""
    import pandas as pd

    loaded = _separa.Rule.from_bytes(rule)
    for batch in batches:
        if len(batch) == 0:
            yield pd.Series(np.zeros(0, np.int32))
            continue
        rows = reader(batch) if reader.names is not None else stacked(batch)
        yield pd.Series(loaded.predict(rows, 1))


def stacked(batch: Any) -> Any:
    """Arrays of one length below each other."""
    if batch.isna().any():
        raise DataError(f"row {int(batch.isna().to_numpy().argmax()) + 1} of a batch has no features, expected an array")
    try:
        return np.require(np.stack(batch.to_list()), dtype=np.float64, requirements=["C", "A"])
    except ValueError as wrong:
        raise DataError(f"rows of a batch have different numbers of features ({wrong})") from wrong


class ModelWriter(MLWriter):  # type: ignore[misc]
    """Metadata as Spark has them, and the bytes of the model file in a table."""

    def __init__(self, model: ClusteringModel) -> None:
        super().__init__()
        self.model = model

    def saveImpl(self, path: str) -> None:
        spark = self.sparkSession
        DefaultParamsWriter.saveMetadata(self.model, path, context_of(spark), {"names": self.model.names})
        rule = spark.createDataFrame([(bytearray(self.model.model_.to_bytes()),)], "rule binary")
        rule.coalesce(1).write.parquet(f"{path}/data")


class ModelReader(MLReader):  # type: ignore[misc]
    """Reads a :class:`ClusteringModel` or a :class:`ClassifierModel`."""

    def __init__(self, kind: type[ClusteringModel]) -> None:
        super().__init__()
        self.kind = kind

    def load(self, path: str) -> ClusteringModel:
        spark = self.sparkSession
        metadata = DefaultParamsReader.loadMetadata(path, context_of(spark))
        rule = bytes(spark.read.parquet(f"{path}/data").first()["rule"])
        found = self.kind(_model.Model.from_bytes(rule), metadata["names"])
        found._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(found, metadata)
        return found


def context_of(spark: Any) -> Any:
    """Spark 3 wants its context where Spark 4 takes the session."""
    import pyspark

    return spark.sparkContext if pyspark.__version__.startswith("3.") else spark


def _near(name: str, known: list[str]) -> str:
    import difflib

    found = difflib.get_close_matches({"n_clusters": "k", "random_state": "seed"}.get(name, name), known, 1)
    return f", did you mean `{found[0]}`?" if found else ""


def on_spark(entry: dict[str, Any]) -> type:
    """The estimator of a method."""
    own = tuple(spec["name"] for spec in entry["specs"])
    shown = {"n_clusters": "k"}
    params = {
        shown.get(spec["name"], spec["name"]): Param(Params._dummy(), shown.get(spec["name"], spec["name"]), spec["doc"])
        for spec in entry["specs"]
    }
    said = (
        f"{entry['about']}: :class:`separa.{entry['class']}` on Spark.\n\n"
        "Parameters by name: ``featuresCol`` or ``inputCols``, ``predictionCol``, ``k`` (``labelCol`` of classifiers), ``seed``,\n"
        "``maxMemory``, ``prepare``,\n"
        f"``cache``, and those of the method: {', '.join(f'``{name}``' for name in own if name != 'n_clusters')}.\n"
        "``explainParams()`` says what they mean; ``model_.info[\"stream\"]`` of the model whether all rows took part, or a sample."
    )
    learns = "n_clusters" not in own
    label = ["labelCol"] if learns else []
    names = ["featuresCol", "inputCols", *label, "predictionCol", *params, "seed", "maxMemory", "prepare", "cache"]
    signature = Signature([Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in names])
    body = {"__doc__": said, "__module__": __name__, "_method": entry["name"], "_own": own, "__signature__": signature}
    return type(entry["class"], (Classifier if learns else Clusterer,), {**body, **params})


# One for every method: which of them pass over all rows is the engine's to say.
for _entry in [*_fit.methods(), *_fit.classifiers()]:
    globals()[_entry["class"]] = on_spark(_entry)
    __all__.append(_entry["class"])

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...
