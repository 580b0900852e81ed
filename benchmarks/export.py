"""Exported rules on 100,000 rows, run by the systems that they are for: how many labels differ from `predict`?

    python benchmarks/export.py [--rows N] [--systems duckdb,sqlite,onnx,rust,python,json] [rule]…

Thirteen rules (every method that can be exported, every way to choose a label) on two tables: numbers with outliers, and a mixed table
of categories, yes and no, sizes, money and dates with gaps, words that were not in the training table and text in columns of numbers.
A system is left out, and that is said, if it is not installed. For labels that differ it is shown how close to a tie their rows are:
the largest margin among them over the median margin of all rows. JSON is followed in NumPy on the numbers; on the mixed table it holds what the Python
module holds (python/tests/test_export.py). Needs duckdb, onnxruntime and rustc.
"""
import argparse
import importlib.util
import pathlib
import shutil
import sqlite3
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python" / "tests"))
import export_tables as tables  # noqa: E402

SYSTEMS = {
    "duckdb": lambda model, rows: tables.run_duckdb(model.export("sql"), rows),
    "sqlite": lambda model, rows: tables.run_sqlite(model.export("sql", dialect="sqlite"), rows),
    "onnx": lambda model, rows: tables.run_onnx(model.export("onnx"), rows),
    "rust": lambda model, rows: tables.run_rust(model.export("rust"), rows, tempfile.mkdtemp(prefix="separa-rust-")),
    "python": lambda model, rows: tables.run_python(model.export("python"), rows),
    "json": lambda model, rows: tables.run_json(model.export("json"), rows),
}


def absent(system):
    """Why a system cannot be run, or None."""
    package = {"duckdb": "duckdb", "onnx": "onnxruntime"}.get(system)
    if package and importlib.util.find_spec(package) is None:
        return f"{package} is not installed"
    return "there is no rustc" if system == "rust" and shutil.which("rustc") is None else None


def tie(model, rows, found, expected):
    """The largest margin among rows whose labels differ, over the median margin."""
    values = np.asarray(model.decision_function(rows), dtype=float)
    values = values.reshape(len(values), -1)
    best = np.sort(values, axis=1)
    margin = np.abs(values[:, 0]) if values.shape[1] == 1 else best[:, -1] - best[:, -2]
    different = [str(a) != str(b) for a, b in zip(found, expected)]
    return margin[different].max() / np.median(margin)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rules", nargs="*", default=list(tables.RULES))
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    asked = parser.parse_args()
    systems = asked.systems.split(",")
    for system in [system for system in systems if absent(system)]:
        print(f"skipped: {system}, {absent(system)}")
        systems.remove(system)
    print(f"{asked.rows} rows, SQLite {sqlite3.sqlite_version}, Python {sys.version.split()[0]}")
    print(f"{'rule':<15} {'table':<8} " + " ".join(f"{system:>12}" for system in systems), flush=True)
    total = dict.fromkeys(systems, 0)
    for table in tables.TABLES:
        rows = tables.new_rows(table, asked.rows)
        for rule in asked.rules:
            model = tables.fitted(rule, table)
            expected = model.predict(rows).tolist()
            cells = []
            for system in systems:
                if system == "json" and table == "mixed":
                    cells.append("-")
                    continue
                begin = time.process_time()
                found = SYSTEMS[system](model, rows)
                different = tables.differing(found, expected)
                total[system] += different
                at = f" ({tie(model, rows, found, expected):.0e})" if different else ""
                cells.append(f"{different}{at}")
                print(f"{rule} {table} {system}: {time.process_time() - begin:.0f} s", file=sys.stderr, flush=True)
            print(f"{rule:<15} {table:<8} " + " ".join(f"{cell:>12}" for cell in cells), flush=True)
    print(f"{'differ':<24} " + " ".join(f"{total[system]:>12}" for system in systems))


if __name__ == "__main__":
    main()
