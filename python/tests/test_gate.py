"""What is no number is refused by its place, the same by both ways in, before anyone reads it as one."""

from __future__ import annotations

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import separa
from samples import fit
from separa import exceptions

each_way = pytest.mark.parametrize("way", ["core", "estimator"])
DAY = datetime.date(2020, 1, 1)


def pandas():
    return pytest.importorskip("pandas")


def polars():
    return pytest.importorskip("polars")


def arrow():
    return pytest.importorskip("pyarrow")


def beside(column):
    """A sound column and a doubtful one, in pandas."""
    return pandas().DataFrame({"fine": [1.0, 2.0, 9.0], "odd": column})


def objects(*values):
    return np.array(values, dtype=object)


def in_polars(values, kind=None):
    return polars().DataFrame({"fine": [1.0, 2.0, 9.0], "odd": polars().Series(values, dtype=kind)})


def in_arrow(values, kind=None):
    return arrow().table({"fine": [1.0, 2.0, 9.0], "odd": arrow().array(values, type=kind)})


#: Tables of three rows whose column "odd" holds no numbers.
COLUMNS = {
    "pandas, numbers as words": lambda: beside(objects("1", "2", "9")),
    "pandas, one word": lambda: beside(objects(1, "2", 9)),
    "pandas, bytes": lambda: beside(objects(b"1", b"2", b"9")),
    "pandas, days": lambda: beside(objects(DAY, DAY, DAY)),
    "pandas, strings": lambda: beside(pandas().array(["1", "2", "9"], dtype="string")),
    "pandas, categories of numbers": lambda: beside(pandas().Categorical([1, 2, 9])),
    "pandas, categories of words": lambda: beside(pandas().Categorical(["1", "2", "9"])),
    "pandas, dates": lambda: beside(pandas().date_range("2020", periods=3)),
    "pandas, dates of a zone": lambda: beside(pandas().date_range("2020", periods=3, tz="UTC")),
    "pandas, spans": lambda: beside(pandas().to_timedelta([1, 2, 9])),
    "pandas, periods": lambda: beside(pandas().period_range("2020", periods=3)),
    "pandas, intervals": lambda: beside(pandas().interval_range(0, 3)),
    "polars, String": lambda: in_polars(["1", "2", "9"]),
    "polars, Categorical": lambda: in_polars(["1", "2", "9"], polars().Categorical),
    "polars, Date": lambda: in_polars([DAY] * 3),
    "polars, Datetime": lambda: in_polars([datetime.datetime(2020, 1, 1)] * 3),
    "polars, Duration": lambda: in_polars([datetime.timedelta(1)] * 3),
    "polars, List": lambda: in_polars([[1], [2], [9]]),
    "polars, words as objects": lambda: in_polars(["1", "2", "9"], polars().Object),
    "Arrow, string": lambda: in_arrow(["1", "2", "9"]),
    "Arrow, timestamp": lambda: in_arrow([1, 2, 9], arrow().timestamp("s")),
    "Arrow, duration": lambda: in_arrow([1, 2, 9], arrow().duration("s")),
    "Arrow, date32": lambda: in_arrow([DAY] * 3),
    "Arrow, dictionary": lambda: arrow().table(
        {"fine": [1.0, 2.0, 9.0], "odd": arrow().array(["1", "2", "9"]).dictionary_encode()}
    ),
    "Arrow batch": lambda: in_arrow(["1", "2", "9"]).to_batches()[0],
}


@each_way
@pytest.mark.parametrize("what", COLUMNS)
def test_a_column_of_no_numbers_is_refused_by_name(way, what):
    with pytest.raises(exceptions.DataError, match='column "odd" holds .*, expected (a )?number') as e:
        fit(way, COLUMNS[what](), prepare="none")
    assert "\n" not in str(e.value)


@each_way
def test_columns_without_names_are_refused_by_number_and_twins_by_place(way):
    table = beside(objects("1", "2", "9"))
    table.columns = [0, 1]
    with pytest.raises(exceptions.DataError, match="column 2 holds"):
        fit(way, table, prepare="none")
    table.columns = ["twin", "twin"]
    with pytest.raises(exceptions.DataError, match="two columns are called 'twin'"):
        fit(way, table, prepare="none")


#: Tables of three rows whose second row lacks its value in "odd".
MISSING = {
    "Int64": lambda: beside(pandas().array([1, None, 9], dtype="Int64")),
    "Float64": lambda: beside(pandas().array([1.5, None, 9], dtype="Float64")),
    "boolean": lambda: beside(pandas().array([True, None, False], dtype="boolean")),
    "NA among objects": lambda: beside(objects(1, pandas().NA, 9)),
    "None among objects": lambda: beside(objects(1, None, 9)),
    "polars, whole numbers": lambda: in_polars([1, None, 9]),
    "polars, truth values": lambda: in_polars([True, None, False]),
    "Arrow, whole numbers": lambda: in_arrow([1, None, 9]),
    "Arrow, truth values": lambda: in_arrow([True, None, False]),
}


@each_way
@pytest.mark.parametrize("what", MISSING)
def test_a_missing_value_is_named_by_row_and_column(way, what):
    table = MISSING[what]()
    with pytest.raises(exceptions.DataError, match='row 2, column "odd" holds NaN, expected a finite'):
        fit(way, table, prepare="none")
    fitted = fit(way, beside([1.0, 2.0, 9.0]), prepare="none")
    with pytest.raises(exceptions.DataError, match='row 2, column "odd" holds NaN, expected a finite'):
        fitted.predict(table)


#: Tables of three rows that hold 1, 2, 9 and 1, 0, 1.
NUMBERS = {
    "nullable": lambda: (
        pandas().array([1, 2, 9], dtype="Int64"),
        pandas().array([True, False, True], dtype="boolean"),
    ),
    "nullable floats": lambda: (pandas().array([1, 2, 9], dtype="Float32"), [1, 0, 1]),
    "objects": lambda: (objects(1, 2.0, np.int8(9)), objects(True, Decimal(0), Fraction(1))),
    "truth values": lambda: ([1.0, 2.0, 9.0], [True, False, True]),
    "sparse columns": lambda: ([1.0, 2.0, 9.0], pandas().arrays.SparseArray([1, 0, 1])),
}


@each_way
@pytest.mark.parametrize("what", NUMBERS)
def test_numbers_of_every_kind_of_pandas_are_numbers(way, what):
    first, second = NUMBERS[what]()
    fitted = fit(way, pandas().DataFrame({"a": first, "b": second}))
    plain = separa.fit([[1.0, 1.0], [2.0, 0.0], [9.0, 1.0]], "kmeans")
    np.testing.assert_array_equal(fitted.labels_, plain.labels_)
    assert fitted.objective_ == plain.objective_


@each_way
def test_decimals_of_polars_and_arrow_are_numbers(way):
    values = [Decimal(1), Decimal(2), Decimal(9)]
    for make in (in_polars, in_arrow):
        assert fit(way, make(values)).labels_.tolist() == [0, 0, 1]


@each_way
def test_a_lazy_table_is_fitted_in_batches_and_to_be_collected_for_labels(way):
    eager = in_polars([1, 2, 9])
    found = fit(way, eager.lazy())
    assert found.predict(eager).tolist() == [0, 0, 1]
    with pytest.raises(exceptions.DataError, match=r"call \.collect\(\) first"):
        found.predict(eager.lazy())


VALUES = ["3", b"3", np.str_("3"), DAY, datetime.timedelta(1), np.timedelta64(3, "s"), np.datetime64("2020")]


@each_way
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_an_array_of_objects_is_searched_for_what_is_no_number(way, value):
    rows = np.arange(8.0).reshape(4, 2).astype(object)
    assert fit(way, rows).n_clusters_ == 2
    rows[2, 1] = value
    with pytest.raises(exceptions.DataError, match="row 3, column 2 holds .*, expected a number"):
        fit(way, rows)


@each_way
def test_a_number_beyond_float64_is_placed(way):
    with pytest.raises(exceptions.DataError, match="row 2, column 1 holds a number beyond float64"):
        fit(way, [[1, 2], [10**400, 3], [4, 5]])
    with pytest.raises(exceptions.DataError, match='row 3, column "odd" holds a number beyond float64'):
        fit(way, beside(objects(1, 2, 10**400)), prepare="none")
    # Whole numbers beyond 64 bits that float64 can hold are none of it.
    assert fit(way, [[1, 2], [2**70, 3], [2**70, 5]]).labels_.tolist() == [0, 1, 1]


@each_way
def test_a_masked_value_is_refused_by_its_place(way):
    rows = np.arange(8.0).reshape(4, 2)
    masked = np.ma.masked_array(rows, mask=rows == 5)
    fitted = fit(way, rows)
    for ask in (lambda x: fit(way, x), fitted.predict, fitted.decision_function):
        with pytest.raises(exceptions.DataError, match="row 3, column 2 is masked, expected a value"):
            ask(masked)
    with pytest.raises(exceptions.DataError, match="row 3, column 2 is masked"):
        fit(way, list(masked))
    with pytest.raises(exceptions.DataError, match="parameter `init` of row 2 is masked"):
        fit(way, rows, init=np.ma.masked_array([0, 1, 0, 1], mask=[0, 1, 0, 0]))


@each_way
def test_a_masked_array_without_a_masked_value_is_an_array(way):
    rows = np.arange(8.0).reshape(4, 2)
    for mask in (False, np.zeros_like(rows, dtype=bool)):
        found = fit(way, np.ma.masked_array(rows, mask=mask), sample_weight=np.ma.masked_array(np.ones(4)))
        np.testing.assert_array_equal(found.labels_, fit(way, rows).labels_)
