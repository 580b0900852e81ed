"""Sparse tables that are not in order, or not sound: handled right, and never changed."""

from __future__ import annotations

import numpy as np
import pytest
import samples
import separa
from samples import fit
from separa import _separa, exceptions

sparse = pytest.importorskip("scipy.sparse")
each_way = pytest.mark.parametrize("way", ["core", "estimator"])


def unsorted(rows):
    """The same table with every row's entries from right to left."""
    table = sparse.csr_matrix(rows)
    indices, values = table.indices.copy(), table.data.copy()
    for start, end in zip(table.indptr[:-1], table.indptr[1:]):
        indices[start:end] = indices[start:end][::-1]
        values[start:end] = values[start:end][::-1]
    return sparse.csr_matrix((values, indices, table.indptr.copy()), shape=rows.shape)


def doubled(rows):
    """The same table with every value in two halves."""
    table = sparse.csr_matrix(rows)
    return sparse.csr_matrix(
        (np.repeat(table.data / 2, 2), np.repeat(table.indices, 2), 2 * table.indptr),
        shape=rows.shape,
    )


def stale(rows):
    """Unsorted entries behind a flag that says they are sorted."""
    table = unsorted(rows)
    table.has_sorted_indices = True
    table.has_canonical_format = True
    return table


def parts(table):
    return [part.tobytes() for part in (table.indptr, table.indices, table.data)]


@each_way
@pytest.mark.parametrize("make", [unsorted, doubled, stale])
def test_disorder_is_put_right_in_a_copy(way, make):
    rows = samples.blobs()[0]
    rows[::3, 1] = 0
    table = make(rows)
    before = parts(table)
    fitted, plain = fit(way, table), separa.fit(rows, "kmeans")
    np.testing.assert_array_equal(fitted.labels_, plain.labels_)
    np.testing.assert_array_equal(fitted.decision_function(table), plain.decision_function(rows))
    assert parts(table) == before


@each_way
def test_empty_rows_and_columns_count(way):
    rows = np.zeros((6, 4))
    rows[3:, 2] = [5, 6, 7]
    np.testing.assert_array_equal(fit(way, sparse.csr_matrix(rows)).labels_, [0, 0, 0, 1, 1, 1])


@each_way
def test_a_nan_among_stored_values_is_placed(way):
    table = sparse.csr_matrix(samples.blobs()[0])
    table.data[4] = np.nan
    with pytest.raises(exceptions.DataError, match="row 2, column 2 holds NaN, expected a finite"):
        fit(way, table)


def overflowing(index):
    """A table whose int64 index a cast to 32 bits would turn into another column."""
    table = sparse.csr_matrix(np.eye(4) + 1)
    table.indices, table.indptr = table.indices.astype(np.int64), table.indptr.astype(np.int64)
    table.indices[5] = index
    return table


@each_way
@pytest.mark.parametrize("index", [2**32 + 1, 2**62, 4, -1])
def test_a_column_index_outside_the_table_is_refused(way, index):
    with pytest.raises(ValueError, match=rf"has the column index {index}$"):
        fit(way, overflowing(index))


#: What SciPy's compiled code would follow into memory that is not the table's.
ASTRAY = [[0, 10**7, 2], [0, -5, 4], [0, 3, 2, 4], [1, 1, 2], [0, 2, 9], [0, 2, 10**7]]


def led_astray(pointer, form="csr"):
    """A table with unsorted entries whose pointer somebody replaced."""
    lines = len(pointer) - 1
    table = getattr(sparse, f"{form}_matrix")(np.ones((lines, lines)))
    table.indices = table.indices[::-1].copy()
    table.has_sorted_indices = table.has_canonical_format = False
    table.indptr = np.array(pointer, dtype=np.int32)
    return table


@each_way
@pytest.mark.parametrize("form", ["csr", "csc", "bsr"])
@pytest.mark.parametrize("pointer", ASTRAY, ids=str)
def test_a_pointer_that_leads_astray_is_refused_before_scipy_follows_it(way, pointer, form):
    with pytest.raises(exceptions.DataError, match="the sparse table is not sound: its index pointer"):
        fit(way, led_astray(pointer, form))


@each_way
@pytest.mark.parametrize("pointer", ASTRAY[:3], ids=str)
def test_predict_refuses_such_a_pointer_too(way, pointer):
    fitted = fit(way, np.eye(len(pointer) - 1))
    for ask in (fitted.predict, fitted.decision_function):
        with pytest.raises(exceptions.DataError, match="not sound"):
            ask(led_astray(pointer))
    with pytest.raises(exceptions.DataError, match="not sound"):
        separa.metrics.msp(led_astray(pointer), [0] * (len(pointer) - 1))


@each_way
@pytest.mark.parametrize("part", ["too short", "too long", "floats", "fewer values"])
def test_parts_that_do_not_fit_together_are_refused(way, part):
    table = sparse.csr_matrix(np.eye(3))
    if part == "fewer values":
        table.data = table.data[:2]
    else:
        pointers = {"too short": [0, 3], "too long": [0, 1, 2, 3, 3], "floats": [0.0, 1.0, 2.0, 3.0]}
        table.indptr = np.array(pointers[part])
    with pytest.raises(exceptions.DataError, match="the sparse table is not sound"):
        fit(way, table)


@each_way
@pytest.mark.parametrize("axis", ["row", "col"])
def test_coordinates_outside_the_table_are_refused(way, axis):
    table = sparse.coo_matrix(np.eye(3))
    getattr(table, axis)[1] = 10**8
    with pytest.raises(exceptions.DataError, match=r"a sparse table of 3 (row|column)s has the .* 100000000"):
        fit(way, table)


@each_way
def test_room_behind_the_last_entry_is_not_read(way):
    rows = np.diag([1.0, 2.0, 9.0])
    table = sparse.csr_matrix(rows)
    table.indices = np.append(table.indices, [77, 78]).astype(np.int32)
    table.data = np.append(table.data, [np.nan, np.nan])
    np.testing.assert_array_equal(fit(way, table).labels_, separa.fit(rows, "kmeans").labels_)


@pytest.mark.parametrize("index", [2**32 + 1, -1])
def test_the_engine_refuses_such_an_index_by_itself(index):
    indices = np.array([0, index], dtype=np.int64)
    rows = (4, np.array([0, 1, 2]), indices, np.ones(2))
    run = {"seed": 0, "threads": 1, "memory": None, "judge": False, "k_max": None, "time_limit": None, "listener": None}
    with pytest.raises(exceptions.DataError, match=f"column index 1 is {index}, out of range"):
        _separa.fit("kmeans", {}, rows, (None, None), None, run)


@pytest.mark.parametrize(
    "pointer", [[0, 5, 2], [0, 1, 9], [1, 1, 2], [0, -1, 2], [], [0, 1]], ids=str
)
def test_the_engine_refuses_a_row_pointer_that_leads_astray(pointer):
    rows = (4, np.array(pointer, dtype=np.int64), np.array([0, 1]), np.ones(2))
    run = {"seed": 0, "threads": 1, "memory": None, "judge": False, "k_max": None, "time_limit": None, "listener": None}
    with pytest.raises(exceptions.DataError):
        _separa.fit("kmeans", {}, rows, (None, None), None, run)


@each_way
@pytest.mark.parametrize("dtype", [complex, object])
def test_values_that_are_no_numbers_are_refused(way, dtype):
    table = sparse.csr_matrix(np.eye(3))
    table.data = table.data.astype(dtype)
    if dtype is object:
        table.data[0] = "x"
    with pytest.raises((ValueError, TypeError), match="expected numbers|not supported|'x'"):
        fit(way, table)


@each_way
@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_a_sparse_table_without_rows_or_columns_is_refused(way, shape):
    with pytest.raises(ValueError, match=r"no rows|no feature columns|0 (sample|feature)\(s\)"):
        fit(way, sparse.csr_matrix(shape))
