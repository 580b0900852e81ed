"""Bad tables, weights and parameters: a sentence that says what was wrong, never a crash."""

from __future__ import annotations

import threading

import numpy as np
import pandas as pd
import pytest
import samples
import separa
from samples import fit
from separa import exceptions

each_method = pytest.mark.parametrize("name", samples.NAMES)
each_way = pytest.mark.parametrize("way", ["core", "estimator"])
#: What callers may catch without knowing separa.
USUAL = (ValueError, TypeError, OSError, MemoryError)


def table():
    return samples.blobs()[0]


def changed(row, column, value, dtype=float):
    rows = table().astype(dtype)
    rows[row, column] = value
    return rows


def test_exceptions_are_the_usual_ones_of_python():
    kinds = [getattr(exceptions, name) for name in exceptions.__all__]
    errors = [kind for kind in kinds if not issubclass(kind, Warning)]
    assert len(errors) == 7
    for kind in errors:
        assert issubclass(kind, (*USUAL, RuntimeError))
    assert not issubclass(exceptions.InternalError, USUAL)


REFUSED = {
    "object dtype": (lambda: changed(3, 1, "x", object), r"row 4, column 2 holds 'x'|'x'"),
    "object dtype, a dict": (lambda: changed(3, 1, {}, object), r"row 4, column 2 holds \{\}|number"),
    "strings": (lambda: table().astype(str), r"holds str\d+, expected numbers"),
    "lists of strings": (lambda: [["1", "2"], ["3", "4"]], r"holds str\d+, expected numbers"),
    "bytes": (lambda: table().astype("S"), r"holds bytes\d+, expected numbers"),
    "dates": (lambda: np.zeros((3, 2), "M8[s]"), r"holds datetime64\[s\], expected numbers"),
    "complex": (lambda: table().astype(complex), "complex128, expected|Complex data not supported"),
    "a number": (lambda: np.float64(3), "2 dimensions, got 0|Expected 2D array"),
    "1-D": (lambda: table()[:, 0], r"2 dimensions, got 1; one column is|Expected 2D array"),
    "3-D": (lambda: table().reshape(20, 4, 3), "2 dimensions, got 3|array with dim 3"),
    "0 rows": (lambda: table()[:0], r"no rows|0 sample\(s\)"),
    "0 columns": (lambda: table()[:, :0], r"no feature columns|0 feature\(s\)"),
    "ragged lists": (lambda: [[1.0, 2.0], [3.0]], "inhomogeneous"),
    "nothing": (lambda: None, "2 dimensions|2D array"),
    "NaN": (lambda: changed(6, 2, np.nan), "row 7, column 3 holds NaN, expected a finite number"),
    "inf": (lambda: changed(0, 1, np.inf), "row 1, column 2 holds inf, expected a finite"),
    "-inf": (lambda: changed(79, 0, -np.inf), "row 80, column 1 holds -inf, expected a finite"),
    "NaN in float32": (lambda: changed(6, 2, np.nan, "f4"), "row 7, column 3 holds NaN"),
    "None among numbers": (lambda: changed(6, 2, None, object), "row 7, column 3 holds NaN"),
    "beyond squaring": (lambda: changed(6, 2, 1e300), "row 7, column 3 holds 1e300, .*below 1e150"),
}


@each_method
@each_way
@pytest.mark.parametrize("what", REFUSED)
def test_a_bad_table_is_refused(name, way, what):
    make, sentence = REFUSED[what]
    with pytest.raises((ValueError, TypeError), match=sentence):
        fit(way, make(), name)


@each_way
@pytest.mark.parametrize("what", ["NaN", "1-D", "3-D", "strings", "0 columns", "complex"])
def test_a_bad_table_is_refused_by_predict_too(way, what):
    fitted = fit(way, table())
    for ask in (fitted.predict, fitted.decision_function):
        with pytest.raises(ValueError, match=REFUSED[what][1] + "|0 feature"):
            ask(REFUSED[what][0]())


@each_way
def test_a_table_of_another_width_is_refused_by_predict(way):
    with pytest.raises(ValueError, match="2 feature.*3"):
        fit(way, table()).predict(table()[:, :2])


@each_way
def test_a_column_of_words_is_refused_by_name(way):
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame({"price": [1.0, 2.0, 9.0], "city": ["Ulm", "Bonn", "Ulm"]})
    with pytest.raises(exceptions.DataError, match="column \"city\" holds .*'Ulm'"):
        fit(way, rows, prepare="none")


@each_way
def test_a_missing_value_in_a_named_column_is_named(way):
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame({"price": [1.0, 2.0, 9.0], "size": [1.0, None, 2.0]})
    with pytest.raises(exceptions.DataError, match='row 2, column "size" holds NaN'):
        fit(way, rows, prepare="none")


WEIGHTS = {
    "negative": ([1.0] * 79 + [-1.0], "row 80, column sample weight holds -1.0, expected 0 or a"),
    "NaN": ([np.nan] + [1.0] * 79, "row 1, column sample weight holds NaN"),
    "infinite": ([np.inf] + [1.0] * 79, "row 1, column sample weight holds inf"),
    "all zero": (np.zeros(80), "all sample weights are zero; one must be positive"),
    "too few": (np.ones(79), "79 sample weights were given for 80 rows"),
    "too many": (np.ones(81), "81 sample weights were given for 80 rows"),
    "2-D": (np.ones((80, 1)), "one number a row, got 2 dimensions"),
    "words": (["a"] * 80, "sample weights hold str"),
    "complex": (np.ones(80, complex), "sample weights hold complex128"),
    "numbers as words": (np.array(["1"] * 80, object), "row 1, column sample weight holds '1'"),
    "a word among numbers": ([1.0, b"x"] * 40, "sample weights hold bytes|row 2, .* holds b'x'"),
    "beyond float64": ([1] * 79 + [10**400], "row 80, column sample weight holds a number beyond"),
    "one beyond float64": (10**400, "the sample weight holds a number beyond"),
    "None": (np.array([1.0, None] * 40, object), "row 2, column sample weight holds NaN"),
    "masked": (np.ma.masked_array(np.ones(80), [0, 0, 1, 0] * 20), "row 3, .* sample weight is masked"),
    "spans of time": (np.ones(80, "m8[s]"), "sample weights hold timedelta64"),
}


@each_method
@each_way
@pytest.mark.parametrize("what", WEIGHTS)
def test_bad_weights_are_refused(name, way, what):
    weights, sentence = WEIGHTS[what]
    with pytest.raises(exceptions.DataError, match=sentence):
        fit(way, table(), name, sample_weight=weights)


@pytest.mark.parametrize("columns", [["a", "b", "d"], ["b", "a", "c"]])
def test_other_feature_names_at_predict_get_scikit_learns_sentence(columns):
    pandas = pytest.importorskip("pandas")
    fitted = fit("estimator", pandas.DataFrame(table(), columns=list("abc")))
    with pytest.raises(ValueError, match="The feature names should match those that were passed"):
        fitted.predict(pandas.DataFrame(table(), columns=columns))


def test_a_missing_column_is_named_by_the_core():
    pandas = pytest.importorskip("pandas")
    model = fit("core", pandas.DataFrame(table(), columns=list("abc")))
    with pytest.raises(exceptions.DataError, match='missing: "c"'):
        model.predict(pandas.DataFrame(table(), columns=list("abd")))


COUNTS = [2.0, 2.5, np.float64(2), float("nan"), True, np.bool_(True), 0, -1, "2", None, [2], 2**70]


@each_method
@each_way
@pytest.mark.parametrize("count", COUNTS, ids=repr)
def test_a_number_of_clusters_that_is_none_is_refused(name, way, count):
    with pytest.raises(exceptions.ParameterError, match=f"{name}: parameter `n_clusters` must be a whole"):
        fit(way, table(), name, n_clusters=count)


@each_method
@each_way
def test_more_clusters_than_rows_are_refused(name, way):
    with pytest.raises(exceptions.ParameterError, match=r"at most the number of rows \(80\), got 81"):
        fit(way, table(), name, n_clusters=81)


@each_method
@each_way
@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64])
def test_numpys_integers_are_numbers_of_clusters(name, way, kind):
    assert fit(way, table(), name, n_clusters=kind(2)).n_clusters_ == 2


@each_method
@each_way
@pytest.mark.parametrize("box", [np.longdouble, np.array, np.float32], ids=lambda b: b.__name__)
def test_numpys_numbers_are_parameters(name, way, box):
    fitted = fit(way, table(), name, tol=box(0.0078125), n_clusters=np.array(2), max_iter=np.int8(90))
    params = getattr(fitted, "model_", fitted).params
    assert (params["tol"], params["n_clusters"], params["max_iter"]) == (0.0078125, 2, 90)


RUN = [
    *[("random_state", value) for value in (-1, 1.5, "a", True, 2**64, [1])],
    *[("n_jobs", value) for value in (0, 1.5, "a", True)],
    *[("max_memory", value) for value in (0, -5, 1.5, "a", "4Q", "", True)],
    *[("init", value) for value in ([[0, 1]], np.ones(80), ["a"] * 80, [0, 1], "nowhere", [-5] * 80, 3)],
    *[("n_init", value) for value in (0, 1.0, 10**6, object())],
    *[("tol", value) for value in (-1.0, float("inf"), float("nan"), "x")],
]


@each_method
@each_way
@pytest.mark.parametrize(("parameter", "value"), RUN, ids=lambda v: repr(v)[:12])
def test_a_bad_parameter_is_refused_by_name(name, way, parameter, value):
    if not samples.takes(name, parameter):
        pytest.skip(f"{name} has no {parameter}")
    with pytest.raises(exceptions.ParameterError, match=f"parameter `{parameter}`"):
        fit(way, table(), name, **{parameter: value})


@each_way
def test_two_columns_of_one_name_are_refused_by_name(way):
    table = pd.DataFrame(samples.blobs()[0][:, [0, 0, 1]], columns=["a", "a", "b"])
    with pytest.raises(exceptions.DataError, match="two columns are called 'a', expected different"):
        samples.fit(way, table, "mspc", prepare="none")


def test_an_unknown_name_gets_a_suggestion_whatever_it_holds():
    rows = samples.blobs()[0]
    for value in [np.zeros(len(rows)), (1, 2), range(3), [0, 1]]:
        with pytest.raises(exceptions.ParameterError, match="`intt`.*did you mean `init`"):
            separa.fit(rows, intt=value)
    weights = tuple([1.0] * len(rows))
    assert separa.fit(rows, "msc", weights=weights).n_clusters_ == 2


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(exceptions.ParameterError, match="`kmean`, did you mean `kmeans`"):
        separa.fit(table(), "kmean")
    with pytest.raises(exceptions.ParameterError, match="`n_cluster` for mspc, did you mean `n_clusters`"):
        separa.fit(table(), n_cluster=2)
    with pytest.raises(exceptions.ParameterError, match="`method` must be a name"):
        separa.fit(table(), 5)
    with pytest.raises(TypeError, match="n_cluster"):
        separa.KMeans(n_cluster=2)
    with pytest.raises(AttributeError, match="no attribute 'Means'"):
        separa.Means


@each_method
@each_way
@pytest.mark.parametrize("size", [1, "1", "100"])
def test_too_little_memory_is_a_memory_error_with_a_remedy(name, way, size):
    with pytest.raises(MemoryError, match=rf"{name}: the fit needs about .*, but 1.* may be used; .*raise") as e:
        fit(way, table(), name, max_memory=size)
    assert type(e.value) is exceptions.FitMemoryError


@pytest.mark.filterwarnings("ignore")
@each_way
def test_an_array_that_changes_during_the_fit_does_not_crash(way):
    rows = np.random.default_rng(0).random((5_000, 20))
    begun, done = threading.Event(), threading.Event()

    def write():
        rng = np.random.default_rng(1)
        while not done.is_set():
            rows[rng.integers(5_000, size=500)] = rng.choice([0.0, 1e9, np.nan], (500, 20))
            begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    begun.wait()
    for _ in range(5):
        try:
            fitted = fit(way, rows, "kmeans", n_clusters=5, n_init=2, max_iter=20)
            assert len(fitted.labels_) == 5_000
        except (ValueError, exceptions.InternalError) as e:
            assert str(e)
    done.set()
    writer.join()
    assert set(fit(way, table()).labels_) == {0, 1}
    text = separa.fit.__doc__ + separa.KMeans.fit.__doc__
    assert " ".join(text.split()).count("from another thread while the fit runs") == 2
