"""Exported rules, run by the systems that they are for: their labels are those of predict."""

from __future__ import annotations

import importlib.util
import json
import sqlite3
from functools import lru_cache

import export_tables as tables
import numpy as np
import pytest

import separa

HAS = {name: importlib.util.find_spec(name) is not None for name in ("duckdb", "onnxruntime")}

RULES, TABLES, fitted = tables.RULES, tables.TABLES, tables.fitted


@lru_cache(maxsize=None)
def new_rows(table):
    return tables.new_rows(table, tables.ROWS)


@lru_cache(maxsize=None)
def expected(rule, table):
    labels = fitted(rule, table).predict(new_rows(table)).tolist()
    assert rule == "kmeans-1" or len(set(labels)) > 1
    return labels


def check(found, rule, table):
    different = tables.differing(found, expected(rule, table))
    print(f"{rule} on {table}: {len(found) - different} of {len(found)} equal")
    assert different == 0


def needs(package):
    return pytest.mark.skipif(not HAS[package], reason=f"{package} is not installed")


each = [pytest.mark.parametrize("table", TABLES), pytest.mark.parametrize("rule", RULES)]


def each_rule(test):
    for mark in each:
        test = mark(test)
    return test


@needs("duckdb")
@each_rule
def test_a_query_in_duckdb_gives_the_labels_of_predict(rule, table):
    check(tables.run_duckdb(fitted(rule, table).export("sql"), new_rows(table)), rule, table)


@each_rule
def test_a_query_in_sqlite_gives_the_labels_of_predict(rule, table):
    query = fitted(rule, table).export("sql", dialect="sqlite")
    check(tables.run_sqlite(query, new_rows(table)), rule, table)


@pytest.mark.skipif(not tables.POSTGRES, reason="SEPARA_POSTGRES does not name a base, e.g. postgresql://postgres@127.0.0.1/postgres")
@each_rule
def test_a_query_in_postgres_gives_the_labels_of_predict(rule, table):
    query = fitted(rule, table).export("sql", dialect="postgres")
    check(tables.run_postgres(query, new_rows(table), tables.POSTGRES), rule, table)


@needs("onnxruntime")
@each_rule
def test_an_onnx_model_gives_the_labels_of_predict(rule, table):
    check(tables.run_onnx(fitted(rule, table).export("onnx"), new_rows(table)), rule, table)


@pytest.mark.parametrize("rule", ["mspc-2", "mspc-4", "mspc-mark", "kmeans-4", "armc-3", "mpm"])
@pytest.mark.parametrize("table", TABLES)
def test_a_python_module_gives_the_labels_of_predict(rule, table):
    # The slowest of all systems: a part of the rows, unless all are asked for.
    rows = new_rows(table) if tables.ROWS > 20_000 else new_rows(table).head(2000)
    found = tables.run_python(fitted(rule, table).export("python"), rows)
    different = tables.differing(found, expected(rule, table)[: len(rows)])
    print(f"{rule} on {table}: {len(found) - different} of {len(found)} equal")
    assert different == 0


@pytest.mark.parametrize("rule", RULES if tables.ROWS > 20_000 else ["mpm"])
@pytest.mark.parametrize("table", TABLES)
def test_a_rust_module_gives_the_labels_of_predict(rule, table, tmp_path):
    found = tables.run_rust(fitted(rule, table).export("rust"), new_rows(table), str(tmp_path))
    if found is None:
        pytest.skip("no rustc")
    check(found, rule, table)


@pytest.mark.parametrize("rule", RULES)
def test_the_numbers_of_json_give_the_labels_of_predict(rule):
    check(tables.run_json(fitted(rule, "numbers").export("json"), new_rows("numbers")), rule, "numbers")


@pytest.mark.parametrize("rule", RULES)
def test_json_and_the_python_module_hold_the_same_rule(rule):
    module = {}
    exec(fitted(rule, "mixed").export("python"), module)
    assert module["RULE"] == json.loads(separa.export(fitted(rule, "mixed"), to="json"))


@needs("duckdb")
def test_text_and_odd_numbers_of_a_system_without_types_are_read_as_people_do():
    rows = tables.mixed(3000, seed=5, unseen=True)
    model = fitted("mspc-4", "mixed")
    labels = model.predict(rows).tolist()
    as_text = rows.astype(object).where(rows.notna(), None)
    for column in as_text.columns[1:]:
        as_text[column] = [None if v is None else v if isinstance(v, str) else repr(v) for v in as_text[column]]
    assert tables.differing(tables.run_duckdb(model.export("sql"), as_text), labels) == 0
    assert tables.differing(tables.run_sqlite(model.export("sql", dialect="sqlite"), as_text), labels) == 0


def test_rows_with_a_gap_get_no_label_from_a_rule_of_an_array():
    model = separa.fit(np.random.default_rng(0).normal(size=(60, 2)), "kmeans", n_clusters=2)
    query = model.export("sql", dialect="sqlite", keep=["id"])
    with sqlite3.connect(":memory:") as base:
        base.execute("CREATE TABLE data (id, x1, x2)")
        base.executemany("INSERT INTO data VALUES (?, ?, ?)", [(0, 0.0, None), (1, 1.0, 2.0), (2, "x", 1.0), (3, 9e999, 1)])
        found = dict(base.execute(query).fetchall())
    assert [found[0], found[2], found[3]] == [None, None, None]
    assert found[1] == model.predict([[1.0, 2.0]])[0]
    rule = {}
    exec(model.export("python"), rule)
    assert rule["label"]({"x1": float("nan"), "x2": 1.0}) is None


def test_what_cannot_be_written_is_said_with_the_way_out(tmp_path):
    x = np.random.default_rng(0).normal(size=(60, 2))
    model = separa.fit(x, "kmeans", n_clusters=2)
    with pytest.raises(separa.exceptions.ParameterError, match='as "excel", expected sql, onnx'):
        model.export("excel")
    with pytest.raises(separa.exceptions.ParameterError, match='unknown dialect "mysql"'):
        model.export("sql", dialect="mysql")
    with pytest.raises(separa.exceptions.ParameterError, match="no name of a table"):
        model.export("sql", table="shop..x")
    with pytest.raises(separa.exceptions.ParameterError, match="list of columns"):
        model.export("sql", keep="id")
    with pytest.raises(separa.exceptions.ModelError, match="only a model"):
        separa.export(object(), to="sql")
    for method, params in (("msc", {}), ("spectral", {}), ("mspc", {"kernel": "rbf"}), ("kernel-kmeans", {}), ("cdsk", {})):
        curved = separa.fit(x, method, n_clusters=2, **params)
        with pytest.raises(separa.exceptions.ModelError, match=r"MPMClassifier\(\).fit\(X, labels\)"):
            curved.export("sql")
        flat = separa.MPMClassifier().fit(x, curved.labels_)
        assert flat.export("sql").startswith("WITH")
    estimator = separa.KMeans(2).fit(x)
    assert estimator.export("json", tmp_path / "rule.json") is None
    assert json.loads((tmp_path / "rule.json").read_text())["method"] == "kmeans"
