"""Every kind of table gives the same answer, and the common one is not copied."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import samples
import separa

each_method = pytest.mark.parametrize("name", samples.NAMES)
COLUMNS = ["length", "width", "weight"]


def whole_numbers():
    """Values that every kind of table can hold exactly."""
    return np.round(samples.blobs(3)[0] * 4)


def strided(rows):
    room = np.full((2 * len(rows), 2 * rows.shape[1]), np.nan)
    room[::2, 1::2] = rows
    return room[::2, 1::2]


def backwards(rows):
    return np.ascontiguousarray(rows[::-1, ::-1])[::-1, ::-1]


def locked(rows):
    rows = rows.copy()
    rows.flags.writeable = False
    return rows


def unaligned(rows):
    room = np.empty(rows.nbytes + 1, dtype=np.uint8)
    odd = room[1:].view(np.float64).reshape(rows.shape)
    odd[:] = rows
    assert not odd.flags.aligned
    return odd


def pandas_table(rows):
    return pytest.importorskip("pandas").DataFrame(rows, columns=COLUMNS)


def pandas_mixed(rows):
    table = pandas_table(rows)
    return table.astype({"length": "int32", "width": "float32"})


def pandas_objects(rows):
    return pandas_table(rows).astype(object)


def polars_table(rows):
    return pytest.importorskip("polars").DataFrame(np.asarray(rows), schema=COLUMNS)


def arrow_table(rows):
    return pytest.importorskip("pyarrow").table(dict(zip(COLUMNS, rows.T)))


def arrow_chunks(rows):
    arrow = pytest.importorskip("pyarrow")
    return arrow.concat_tables([arrow_table(rows[:7]), arrow_table(rows[7:])])


def arrow_batch(rows):
    return pytest.importorskip("pyarrow").RecordBatch.from_arrays(list(rows.T), names=COLUMNS)


def sparse(kind):
    return lambda rows: getattr(pytest.importorskip("scipy.sparse"), kind)(rows)


def wide_indices(rows):
    table = sparse("csr_matrix")(rows)
    table.indices, table.indptr = table.indices.astype(np.int64), table.indptr.astype(np.int64)
    assert table.indices.dtype == np.int64
    return table


KINDS = {
    "float32": np.float32,
    "float16": np.float16,
    "fortran": np.asfortranarray,
    "int64": np.int64,
    "int8": np.int8,
    "strided": strided,
    "negative strides": backwards,
    "read-only": locked,
    "unaligned": unaligned,
    "big-endian": lambda rows: rows.astype(">f8"),
    "long double": np.longdouble,
    "objects": lambda rows: rows.astype(object),
    "lists": lambda rows: rows.tolist(),
    "matrix of rows": lambda rows: [np.array(row) for row in rows],
    "pandas": pandas_table,
    "pandas, mixed types": pandas_mixed,
    "pandas objects": pandas_objects,
    "polars": polars_table,
    "Arrow table": arrow_table,
    "Arrow table in chunks": arrow_chunks,
    "Arrow record batch": arrow_batch,
    "csr": sparse("csr_matrix"),
    "csc": sparse("csc_matrix"),
    "coo": sparse("coo_matrix"),
    "csr array": sparse("csr_array"),
    "csr, int64 indices": wide_indices,
}


@each_method
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_gives_the_same_bits(name, kind):
    rows = whole_numbers()
    make = KINDS[kind]
    table = rows.astype(make) if isinstance(make, type) else make(rows)
    plain = separa.fit(rows, name, n_clusters=3)
    core = separa.fit(table, name, n_clusters=3)
    estimator = samples.class_of(name)(n_clusters=3).fit(table)
    expected = plain.decision_function(rows)
    for fitted in (core, estimator):
        np.testing.assert_array_equal(fitted.labels_, plain.labels_)
        np.testing.assert_array_equal(fitted.predict(table), plain.labels_)
        np.testing.assert_array_equal(fitted.decision_function(table), expected)


@each_method
def test_float32_is_widened_exactly(name):
    narrow = samples.blobs(3)[0].astype(np.float32)
    wide = narrow.astype(np.float64)
    for fit in (lambda x: separa.fit(x, name), lambda x: samples.class_of(name)().fit(x)):
        first, second = fit(narrow), fit(wide)
        np.testing.assert_array_equal(
            first.decision_function(narrow), second.decision_function(wide)
        )


@each_method
def test_dense_and_sparse_rows_with_many_zeros_give_the_same_bits(name):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(0)
    rows = samples.blobs(2)[0] * (rng.random((80, 3)) < 0.7)
    dense, thin = separa.fit(rows, name), separa.fit(scipy_sparse.csr_matrix(rows), name)
    np.testing.assert_array_equal(dense.labels_, thin.labels_)
    np.testing.assert_array_equal(
        dense.decision_function(rows), thin.decision_function(scipy_sparse.csr_matrix(rows))
    )


@pytest.mark.parametrize("make", [pandas_table, polars_table, arrow_table, arrow_batch])
def test_the_functional_core_matches_columns_by_name(make):
    rows = samples.blobs(2)[0] * [1, 10, 100]
    model = separa.fit(make(rows), "kmeans")
    assert model.feature_names_in_.tolist() == COLUMNS
    turned = make(rows)
    order = COLUMNS[::-1]
    turned = turned.select(order) if hasattr(turned, "select") else turned[order]
    np.testing.assert_array_equal(model.predict(turned), model.labels_)


def test_a_table_keeps_its_bytes():
    rows, _ = samples.blobs()
    before = rows.tobytes()
    separa.fit(rows).predict(rows)
    samples.class_of("mspc")().fit(rows).predict(rows)
    assert rows.tobytes() == before


#: Fits a table of 256 MB that fills memory before the high-water mark is read.
MEMORY = """
import numpy as np, sys, warnings
import separa
warnings.simplefilter("ignore")

def peak():
    with open("/proc/self/status") as file:
        return next(int(l.split()[1]) for l in file if l.startswith("VmHWM")) / 1024

small = np.random.default_rng(0).random((64, 128))
run = {run}
run(small)
table = np.random.default_rng(0).random((1 << 18, 128))
before = peak()
assert before > 256
run(table)
print(peak() - before)
"""
RUNS = {
    "estimator": "lambda x: separa.KMeans(n_init=1, max_iter=1, scaling='none').fit(x)",
    "core": "lambda x: separa.fit(x, 'mspc', n_init=1, max_iter=1, quality=False)",
}


@pytest.mark.skipif(sys.platform != "linux", reason="reads the high-water mark of Linux")
@pytest.mark.parametrize("run", RUNS)
def test_a_float64_table_is_not_copied(run):
    program = samples.script(MEMORY.replace("{run}", RUNS[run]))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True
    )
    grown = float(done.stdout)
    # A copy would be 256 MB. Labels, weights and distances of 2^18 rows are some 2 MB each.
    assert grown < 64, f"{grown:.0f} MB beyond the table"
