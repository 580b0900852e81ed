"""Tables and runners for the tests of exported rules: every runner is another program than separa."""

from __future__ import annotations

import datetime
import json
import math
import os
import shutil
import sqlite3
import subprocess
import types
from functools import lru_cache
from typing import Any

import numpy as np
import pandas

import separa

#: Rows that are labelled; SEPARA_EXPORT_ROWS=100000 for the figures of the documentation.
ROWS = int(os.environ.get("SEPARA_EXPORT_ROWS", "3000"))

#: A base that psql can reach; the tests of PostgreSQL are left out without it.
POSTGRES = os.environ.get("SEPARA_POSTGRES", "")

#: Names that a careless writer would stumble over.
INCOME = 'in"come\'; DROP TABLE data;--'


def numbers(rows: int, seed: int = 0) -> pandas.DataFrame:
    """Four overlapping clouds in six columns of different units."""
    rng = np.random.default_rng(seed)
    cloud = rng.integers(0, 4, rows)
    centers = np.random.default_rng(7).normal(0.0, 2.0, (4, 6))
    values = (centers[cloud] + rng.normal(0.0, 1.0, (rows, 6))) * [1.0, 10.0, 0.1, 1000.0, 1.0, 5.0] + 3.0
    # A few outliers, which the scaler clips.
    values[rng.integers(0, rows, rows // 200), rng.integers(0, 6, rows // 200)] *= 1e3
    table = pandas.DataFrame(values, columns=["x1", "a b", "x3", "x4", INCOME, "ö`\\"])
    table.insert(0, "row_id", np.arange(rows))
    return table


def mixed(rows: int, seed: int = 0, unseen: bool = False) -> pandas.DataFrame:
    """Numbers, money, categories, yes and no, sizes and dates, of which many are missing."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, rows)
    pick = lambda words, p: np.array(words, dtype=object)[[rng.choice(len(words), p=p[g]) for g in group]]
    age = np.round(rng.normal(np.array([25.0, 45, 65])[group], 6), 1)
    money = np.exp(rng.normal(np.array([5.0, 8.0, 6.5])[group], 0.5))
    price = np.array([f"${v:,.2f}" for v in money], dtype=object)
    cities = ["Bern", "Zürich", "O'Hare", "Genf"]
    city = pick(cities, [[0.7, 0.1, 0.1, 0.1], [0.1, 0.7, 0.1, 0.1], [0.1, 0.1, 0.4, 0.4]])
    member = pick(["yes", "No"], [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    size = pick(["S", "M", "L", "XL"], [[0.6, 0.2, 0.1, 0.1], [0.1, 0.2, 0.6, 0.1], [0.1, 0.1, 0.2, 0.6]])
    day = np.array([200, 900, 1600])[group] + rng.integers(0, 400, rows)
    joined = np.array([(datetime.date(2019, 1, 1) + datetime.timedelta(int(d))).isoformat() for d in day], dtype=object)
    score = rng.normal(np.array([0.0, 3.0, -3.0])[group], 1.0)
    table = pandas.DataFrame(
        {"a b": age, INCOME: score, "price": price, "city": city, "member": member, "size": size, "joined": joined}
    )
    if unseen:
        table.loc[rng.random(rows) < 0.03, "city"] = "Atlantis"
        table.loc[rng.random(rows) < 0.02, "size"] = "huge"
        table.loc[rng.random(rows) < 0.02, "member"] = "YES"
        table.loc[rng.random(rows) < 0.01, INCOME] = math.inf
        table.loc[rng.random(rows) < 0.02, "price"] = "unknown"
        table.loc[rng.random(rows) < 0.02, "price"] = "1,5"
        table.loc[rng.random(rows) < 0.02, "joined"] = "soon"
    for column in table:
        table.loc[rng.random(rows) < 0.04, column] = np.nan if column in ("a b", INCOME) else None
    table.insert(0, "row_id", np.arange(rows))
    return table


TABLES = {"numbers": numbers, "mixed": mixed}

#: Every kind of rule: two clusters, votes, the largest score, a tree, marked outliers, classes.
RULES: dict[str, tuple[str, dict[str, object]]] = {
    "mspc-2": ("mspc", {"n_clusters": 2}),
    "mspc-4": ("mspc", {"n_clusters": 4}),
    "mspc-mark": ("mspc", {"n_clusters": 3, "outliers": "mark"}),
    "kmeans-1": ("kmeans", {"n_clusters": 1}),
    "kmeans-2": ("kmeans", {"n_clusters": 2}),
    "kmeans-4": ("kmeans", {"n_clusters": 4}),
    "fuzzy-kmeans-3": ("fuzzy-kmeans", {"n_clusters": 3}),
    "logistic-2": ("logistic", {"n_clusters": 2}),
    "logistic-4": ("logistic", {"n_clusters": 4}),
    "mrmc-3": ("mrmc", {"n_clusters": 3}),
    "armc-3": ("armc", {"n_clusters": 3, "kernel": "linear"}),
    "crf-3": ("crf", {"n_clusters": 3}),
    "mpm": ("mpm", {}),
}


@lru_cache(maxsize=None)
def fitted(rule: str, table: str) -> Any:
    """The model of 2,000 rows."""
    method, params = RULES[rule]
    rows = TABLES[table](2000, seed=1)
    if method != "mpm":
        return separa.fit(rows, method, random_state=0, **params)
    labels = separa.fit(rows, "kmeans", n_clusters=3, random_state=0).labels_
    names = np.array(["one's", "two", "three"])[labels]
    return separa.MPMClassifier().fit(rows, names).model_


def new_rows(table: str, rows: int) -> pandas.DataFrame:
    """Rows that no model has seen, the mixed ones with words that are new, too."""
    return numbers(rows, seed=2) if table == "numbers" else mixed(rows, seed=2, unseen=True)


def of_query(rows: list[tuple[int, object]]) -> list[object]:
    """The labels of a query in the order of the rows' numbers."""
    found = sorted(rows)
    assert [row for row, _ in found] == list(range(len(found)))
    return [label for _, label in found]


def run_duckdb(query: str, table: pandas.DataFrame) -> list[object]:
    import duckdb

    with duckdb.connect() as base:
        base.register("frame", table)
        base.execute("CREATE TABLE data AS SELECT * FROM frame")
        return of_query(base.execute(query).fetchall())


def run_sqlite(query: str, table: pandas.DataFrame) -> list[object]:
    with sqlite3.connect(":memory:") as base:
        table.to_sql("data", base, index=False)
        return of_query(base.execute(query).fetchall())


def run_postgres(query: str, table: pandas.DataFrame, base: str) -> list[object]:
    """By psql, in a table of this session alone; texts are TEXT, numbers DOUBLE PRECISION."""
    quoted = lambda name: '"' + name.replace('"', '""') + '"'
    kind = lambda column: "bigint" if table[column].dtype.kind == "i" else "double precision" if table[column].dtype.kind == "f" else "text"
    columns = ", ".join(f"{quoted(column)} {kind(column)}" for column in table)
    # No text of the tables is the mark of missing values.
    rows = table.to_csv(index=False, header=False, na_rep="<gone>")
    script = f"CREATE TEMP TABLE data ({columns});\nCOPY data FROM STDIN (FORMAT csv, NULL '<gone>');\n{rows}\\.\n{query.rstrip().rstrip(';')};\n"
    command = ["psql", "--no-psqlrc", "--quiet", "--csv", "--tuples-only", "--set", "ON_ERROR_STOP=1", base]
    done = subprocess.run(command, input=script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = [line.rsplit(",", 1) for line in done.stdout.splitlines()]
    return of_query([(int(row), label or None) for row, label in found])


def run_onnx(model: bytes, table: pandas.DataFrame) -> list[object]:
    import onnxruntime

    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    out: list[object] = []
    for start in range(0, len(table), 5000):
        part = table.iloc[start : start + 5000]
        feed = {}
        for given in session.get_inputs():
            column = part[given.name]
            if given.type == "tensor(string)":
                words = [value if isinstance(value, str) else "" for value in column]
                feed[given.name] = np.array(words, dtype=object)
            else:
                feed[given.name] = np.array([_seconds(value) for value in column], dtype=np.float64)
        out.extend(session.run(None, feed)[0].tolist())
    return out


def _seconds(value: object) -> float:
    """A number; of a date or of money, what the program before the model must make of it."""
    if not isinstance(value, str):
        return math.nan if value is None else float(value)  # type: ignore[arg-type]
    try:
        if value.startswith("$"):
            return float(value[1:].replace(",", ""))
        return (datetime.date.fromisoformat(value) - datetime.date(1970, 1, 1)).days * 86400.0
    except ValueError:
        return math.nan


def run_python(module: str, table: pandas.DataFrame) -> list[object]:
    made = types.ModuleType("rule")
    exec(compile(module, "rule.py", "exec"), made.__dict__)
    rows = table.astype(object).where(table.notna(), None).to_dict("records")
    return list(made.labels(rows))


def run_json(text: str, table: pandas.DataFrame) -> list[object]:
    """The five steps of docs/formats.md in NumPy, for a table of numbers without gaps."""
    rule = json.loads(text)
    scaled = rule["scaled"]
    x = table[[rule["inputs"][column["feature"]]["name"] for column in scaled]].to_numpy()
    limit = lambda key, none: np.array([none if column[key] is None else column[key] for column in scaled])
    low, high = limit("lo", -np.inf), limit("hi", np.inf)
    z = (np.clip(x, low, high) - limit("shift", 0.0)) * limit("factor", 1.0)
    scores = z @ np.array(rule["weights"]).reshape(-1, len(scaled)).T + rule["intercepts"]
    names = np.array(rule["labels"], dtype=object)
    labels = names[_chosen(scores, rule["choice"], len(names))]
    if rule["marks_outliers"]:
        labels[((x < low) | (x > high)).sum(1) * 2 > len(scaled)] = -1
    return list(labels)


def _chosen(scores: Any, choice: dict[str, Any], labels: int) -> Any:
    if choice["by"] == "largest":
        return scores.argmax(1)
    if choice["by"] == "tree":
        out = np.zeros(len(scores), dtype=int)
        for i, row in enumerate(scores):
            at = {"split": 0} if choice["splits"] else {"label": 0}
            while "label" not in at:
                at = choice["splits"][at["split"]][int(row[at["split"]] >= 0)]
            out[i] = at["label"]
        return out
    votes, worst = np.zeros((len(scores), labels)), choice["margin"] == "worst"
    margin = np.full((len(scores), labels), np.inf if worst else 0.0)
    for p, (up, down) in enumerate(choice["pairs"]):
        for label, own, wins in ((up, scores[:, p], scores[:, p] >= 0), (down, -scores[:, p], scores[:, p] < 0)):
            votes[:, label] += wins
            margin[:, label] = np.minimum(margin[:, label], own) if worst else margin[:, label] + own
    most = votes == votes.max(1, keepdims=True)
    return np.where(most, margin, -np.inf).argmax(1)


def run_rust(module: str, table: pandas.DataFrame, folder: str) -> list[object] | None:
    """None where there is no compiler."""
    compiler = shutil.which("rustc")
    if compiler is None:
        return None
    main = """
mod rule;
use rule::Value;
fn main() {
    for line in std::io::stdin().lines().map(|line| line.unwrap()) {
        let cell = |cell: &'static str| match cell.split_at(1) {
            ("n", number) => Value::Number(number.parse().unwrap()),
            ("t", text) => Value::Text(text),
            _ => Value::Missing,
        };
        let row: Vec<Value> = line.leak().split('\\t').map(cell).collect();
        match rule::label(&row) {
            Some(place @ 0..) => println!("{}", rule::LABELS[place as usize]),
            Some(outlier) => println!("{outlier}"),
            None => println!(),
        }
    }
}
"""
    for name, text in (("main.rs", main), ("rule.rs", module)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    program = os.path.join(folder, "rule")
    build = [compiler, "--edition", "2021", "-O", "-D", "warnings", "-o", program, os.path.join(folder, "main.rs")]
    subprocess.run(build, check=True)
    columns = rust_columns(module)
    cell = lambda v: "m" if v is None or v != v else f"n{v!r}" if not isinstance(v, str) else f"t{v}"
    lines = ["\t".join(map(cell, row)) for row in table[columns].astype(object).itertuples(index=False)]
    done = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, check=True)
    return list(done.stdout.splitlines())


def rust_columns(module: str) -> list[str]:
    line = next(line for line in module.splitlines() if line.startswith("pub const COLUMNS"))
    return list(eval(line.split("= &", 1)[1].rstrip(";")))


def differing(found: list[object], expected: list[object]) -> int:
    """Rows whose labels differ, as text: systems have their own kinds of numbers."""
    assert len(found) == len(expected)
    text = lambda value: "" if value is None else str(value)
    return sum(text(a) != text(b) for a, b in zip(found, expected))
