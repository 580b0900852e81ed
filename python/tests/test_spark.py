"""Fits on Spark, with the real engine: `./test spark` runs this on Spark 3.5 and on Spark 4."""

from __future__ import annotations

import os
import signal
import sys

import numpy as np
import pytest

pytest.importorskip("pyspark", reason="Spark is not installed: ./test spark installs and tests it")
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

from pyspark import TaskContext, cloudpickle  # noqa: E402
from pyspark.ml import Pipeline, PipelineModel  # noqa: E402
from pyspark.ml.evaluation import ClusteringEvaluator  # noqa: E402
from pyspark.ml.feature import VectorAssembler  # noqa: E402
from pyspark.ml.linalg import Vectors  # noqa: E402
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql.types import ArrayType, DoubleType, StructField, StructType  # noqa: E402

import separa  # noqa: E402
import separa.spark  # noqa: E402
from separa import _run, _stream  # noqa: E402
from separa.exceptions import DataError, ParameterError  # noqa: E402

ARRAYS = StructType([StructField("features", ArrayType(DoubleType()))])


@pytest.fixture(scope="module")
def spark():
    # Four attempts for every task: a worker that is killed is no failure.
    builder = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.sql.shuffle.partitions", "2")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def clouds(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 4)) + 5 * np.eye(4)[rng.integers(0, 4, n)]


def vectors(spark, X, parts):
    rows = spark.sparkContext.parallelize([(Vectors.dense(row),) for row in X.tolist()], parts)
    return spark.createDataFrame(rows, ["features"])


def arrays(spark, X, parts):
    return spark.createDataFrame(spark.sparkContext.parallelize([(row,) for row in X.tolist()], parts), ARRAYS)


def scalars(spark, X, parts):
    return spark.createDataFrame(spark.sparkContext.parallelize(X.tolist(), parts), list("abcd"))


def local(X: np.ndarray, parts: int, method: str, k: int = 4) -> bytes:
    """The rule of one machine, with the blocks that Spark has as partitions."""
    ends = [len(X) * i // parts for i in range(1, parts)]
    blocks = separa.Blocks(lambda: iter(np.split(X, ends)))
    run = _run.settings(0, None, None, True)
    return _stream.fit(method, {"n_clusters": k}, blocks, run).rule.to_bytes()


@pytest.mark.parametrize("name", ["MSPC", "KMeans"])
def test_spark_gives_the_bits_of_one_machine(spark, name):
    X = clouds(3000)
    here = local(X, 3, name.lower())
    found = getattr(separa.spark, name)(k=4).fit(vectors(spark, X, 3))
    assert found.model_._rule.to_bytes() == here
    assert found.model_.info["stream"]["all_rows"] is True
    labels = [row["prediction"] for row in found.transform(vectors(spark, X, 5)).collect()]
    np.testing.assert_array_equal(labels, found.to_local().predict(X))
    assert found.clusterSizes == np.bincount(labels).tolist()
    # Arrays, and rows that are read again in every pass, are the same rows.
    for cache in (True, False):
        other = getattr(separa.spark, name)(k=4, cache=cache).fit(arrays(spark, X, 3))
        assert other.model_._rule.to_bytes() == here


def test_several_columns_hold_words_and_gaps(spark):
    X = clouds(2000, 1)
    columns = ["a", "b", "c", "d"]
    plain = separa.spark.KMeans(inputCols=columns, k=4).fit(scalars(spark, X, 4))
    assert list(plain.to_local().feature_names_in_) == columns
    arrays_found = separa.spark.KMeans(k=4, predictionCol="cluster").fit(arrays(spark, X, 4))
    one = [row["cluster"] for row in arrays_found.transform(arrays(spark, X, 4)).collect()]
    two = [row["prediction"] for row in plain.transform(scalars(spark, X, 4)).collect()]
    assert one == two
    rows = [(*row, "north" if row[0] > 2.5 else "south") for row in X.tolist()]
    rows[1999] = (None, *rows[1999][1:])
    words = spark.createDataFrame(spark.sparkContext.parallelize(rows, 4), [*columns, "shop"])
    found = separa.spark.MSPC(inputCols=[*columns, "shop"], k=4).fit(words)
    assert found.model_.info["n"] == 2000
    labelled = found.transform(words).toPandas()
    assert list(labelled.columns) == [*columns, "shop", "prediction"]
    assert labelled["prediction"].between(0, 3).all()
    expected = found.to_local().predict(words.toPandas())
    np.testing.assert_array_equal(labelled["prediction"], expected)


def test_a_pipeline_is_saved_and_loaded(spark, tmp_path):
    X = clouds(1500, 2)
    table = scalars(spark, X, 3)
    assembler = VectorAssembler(inputCols=list("abcd"), outputCol="features")
    pipeline = Pipeline(stages=[assembler, separa.spark.MSPC(k=4, max_iter=40)])
    pipeline.write().overwrite().save(str(tmp_path / "pipeline"))
    again = Pipeline.load(str(tmp_path / "pipeline"))
    assert again.getStages()[1].getOrDefault("max_iter") == 40
    fitted = again.fit(table)
    fitted.write().overwrite().save(str(tmp_path / "fitted"))
    loaded = PipelineModel.load(str(tmp_path / "fitted"))
    assert loaded.stages[1].model_.to_bytes() == fitted.stages[1].model_.to_bytes()
    assert loaded.stages[1].uid == fitted.stages[1].uid
    one, two = (m.transform(table).select("prediction").collect() for m in (fitted, loaded))
    assert one == two
    separa.save(loaded.stages[1], tmp_path / "m.separa")
    np.testing.assert_array_equal(separa.load(tmp_path / "m.separa").predict(X), [row[0] for row in one])


def test_a_cross_validator_finds_the_number_of_clusters(spark):
    X = clouds(900, 3)
    estimator = separa.spark.KMeans()
    grid = ParamGridBuilder().addGrid(estimator.k, [2, 4]).build()
    search = CrossValidator(estimator=estimator, estimatorParamMaps=grid, evaluator=ClusteringEvaluator(), numFolds=2)
    assert search.fit(vectors(spark, X, 2)).bestModel.model_.n_clusters_ == 4


def test_a_python_worker_that_is_killed_in_the_middle_changes_nothing(spark, monkeypatch, tmp_path):
    X = clouds(4000, 4)
    here = local(X, 8, "mspc")
    marker = str(tmp_path / "killed")

    class Deadly(_stream.Sum):
        def __call__(self, block):
            sums = super().__call__(block)
            # The second pass is under way, and a part of it is done.
            second = self.passes.count(b"before.") > 0
            if second and TaskContext.get().partitionId() == 5 and not os.path.exists(marker):
                with open(marker, "w", encoding="utf-8") as file:
                    file.write(str(os.getpid()))
                os.kill(os.getpid(), signal.SIGKILL)
            return sums

    monkeypatch.setattr(_stream, "Sum", Deadly)
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    found = separa.spark.MSPC(k=4).fit(arrays(spark, X, 8))
    assert os.path.exists(marker) and int(open(marker, encoding="utf-8").read()) != os.getpid()
    assert found.model_._rule.to_bytes() == here


def test_partitions_of_every_kind(spark, monkeypatch):
    X = clouds(1200, 5)
    # Sums of neighbours are then added on the executors first, as they are beyond 256 partitions.
    monkeypatch.setattr(separa._spark_blocks, "GROUP", 3)
    one = separa.spark.MSPC(k=4).fit(arrays(spark, X, 1)).to_local().decision_function(X)
    many = separa.spark.MSPC(k=4).fit(arrays(spark, X, 13)).to_local().decision_function(X)
    np.testing.assert_allclose(many, one, rtol=1e-9, atol=1e-9)
    # Some of these partitions are empty.
    few = arrays(spark, X[:12], 8).filter("features[0] > 1")
    found = separa.spark.KMeans(k=2).fit(few)
    assert found.model_.info["n"] == int((X[:12, 0] > 1).sum())
    # A column that is constant in one partition, and one that is missing there.
    Y = X.copy()
    Y[:300, 2] = 0.0
    rows = [tuple(None if i < 300 and j == 3 else v for j, v in enumerate(row)) for i, row in enumerate(Y.tolist())]
    gaps = spark.createDataFrame(spark.sparkContext.parallelize(rows, 4), "a double, b double, c double, d double")
    found = separa.spark.KMeans(inputCols=list("abcd"), k=4).fit(gaps)
    assert found.model_.info["n"] == 1200 and found.transform(gaps).filter("prediction is null").count() == 0
    assert found.transform(gaps.limit(0)).count() == 0


def test_other_methods_say_that_a_sample_was_fitted(spark):
    found = separa.spark.SpectralClustering(k=4).fit(arrays(spark, clouds(600, 6), 2))
    assert found.model_.info["stream"]["all_rows"] is False
    assert sum(found.clusterSizes) == 600
    assert {m["class"] for m in separa.methods()} < set(separa.spark.__all__)


@pytest.mark.parametrize("name", ["MPMClassifier", "MCPMClassifier", "SCMClassifier"])
def test_classifiers_learn_from_all_partitions(spark, name, tmp_path):
    import pandas as pd

    rng = np.random.default_rng(5)
    kind = rng.integers(0, 3, 3000)
    X = rng.normal(size=(3000, 3)) + 3 * np.eye(3)[kind]
    words = np.array(["low", "mid", "top"])[kind]
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=words, label=kind.astype(float))
    df = spark.createDataFrame(frame).coalesce(2).persist()
    given = {"inputCols": ["a", "b", "c"], "labelCol": "kind"}
    model = getattr(separa.spark, name)(**given).fit(df)
    assert model.model_.info["stream"]["all_rows"] and model.model_.info["n"] == 3000
    shown = model.transform(df).toPandas()
    assert (shown["prediction"] == shown["kind"]).mean() == pytest.approx(model.model_.info["accuracy"], abs=1e-12)
    model.write().overwrite().save(str(tmp_path / "m"))
    again = separa.spark.ClassifierModel.load(str(tmp_path / "m"))
    assert (again.transform(df).toPandas()["prediction"] == shown["prediction"]).all()
    # Numbers as classes, features in one column.
    array = df.selectExpr("array(a, b, c) as features", "label")
    numbers = getattr(separa.spark, name)().fit(array).transform(array).toPandas()
    assert numbers["prediction"].dtype == float and (numbers["prediction"] == numbers["label"]).mean() > 0.9
    with pytest.raises(ParameterError, match="labelCol"):
        getattr(separa.spark, name)(inputCols=["a"], labelCol="none").fit(df)


def test_bad_input_is_named(spark):
    X = clouds(100)
    table = arrays(spark, X, 2)
    with pytest.raises(ParameterError, match="unknown parameter `n_clusters` for MSPC, did you mean `k`"):
        separa.spark.MSPC(n_clusters=3)
    with pytest.raises(ParameterError, match='no column "x"'):
        separa.spark.MSPC(featuresCol="x").fit(table)
    with pytest.raises(DataError, match='column "a" holds double'):
        separa.spark.MSPC(featuresCol="a").fit(scalars(spark, X, 2))
    with pytest.raises(ParameterError, match="max_iter"):
        separa.spark.MSPC(max_iter=-1).fit(table)
    X[70, 1] = np.nan
    with pytest.raises(DataError, match="row"):
        separa.spark.KMeans().fit(arrays(spark, X, 2))
    rows = [([1.0, 2.0],), ([1.0],), ([2.0, 2.0],)]
    with pytest.raises(DataError, match="partition 0: row 2 of a batch has 1 features, expected 2"):
        separa.spark.KMeans(cache=False).fit(spark.createDataFrame(spark.sparkContext.parallelize(rows, 1), ARRAYS))
    with pytest.raises(DataError, match="hold no rows"):
        separa.spark.KMeans().fit(table.limit(0))
