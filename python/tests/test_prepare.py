"""Data frames that nobody cleaned: what becomes of their columns, in fits and for new rows."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest

import separa
from separa import exceptions

pandas = pytest.importorskip("pandas")
N = 60


def messy():
    """Two groups of customers, with an id, words, dates, a constant and gaps."""
    i = np.arange(N)
    far = i % 2
    age = 20.0 + 40 * far + (i * 7) % 9
    age[7] = np.nan
    return pandas.DataFrame({
        "no": i + 1,
        "metal": np.array(["gold", "iron", "zinc"])[(i * i) % 3],
        "member": np.where(far == 1, "yes", "no"),
        "since": pandas.Timestamp("2020-01-01") + pandas.to_timedelta((i * 37) % 900, unit="D"),
        "age": age,
        "spend": 100.0 * far + (i * 5) % 7,
        "region": "EU",
    })


def roles(done):
    return {c["name"]: (c["role"], c["type"]) for c in done["columns"]}


def test_columns_get_their_roles_and_types():
    prepared = separa.prepare(messy())
    assert roles(prepared.preparation) == {
        "no": ("id", "number"), "metal": ("feature", "category"), "member": ("feature", "boolean"),
        "since": ("feature", "date"), "age": ("feature", "number"), "spend": ("feature", "number"),
        "region": ("left_out", "category"),
    }
    assert prepared.values.shape == (N, len(prepared.feature_names)) and np.isfinite(prepared.values).all()
    assert any("filled 1 missing value" in note for note in prepared.notes)
    assert np.asarray(prepared).shape == prepared.values.shape


def test_polars_and_arrow_frames_are_prepared_alike():
    frame = messy()
    ours = separa.prepare(frame)
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    for other in (polars.from_pandas(frame), pyarrow.Table.from_pandas(frame)):
        found = separa.prepare(other)
        assert found.feature_names == ours.feature_names
        np.testing.assert_allclose(found.values, ours.values, rtol=0, atol=1e-9)


def test_numbers_in_text_are_fitted_and_kept_for_new_rows():
    frame = pandas.DataFrame({
        "price": [f"${1000 * (1 + i % 2) + i:,}" for i in range(40)],
        "x": [i % 2 * 9.0 + i * 7 % 5 for i in range(40)],
        "flag": [i * i % 3 % 2 for i in range(40)],
    })
    done = separa.prepare(frame)
    assert roles(done.preparation) == {
        "price": ("feature", "number"), "x": ("feature", "number"), "flag": ("feature", "boolean")
    }
    assert done.values[1, 0] == 2001.0
    for model in (separa.fit(frame, n_clusters=2), separa.MSPC(n_clusters=2).fit(frame)):
        labels = model.labels if hasattr(model, "labels") else model.labels_
        np.testing.assert_array_equal(model.predict(frame), labels)


def test_the_order_of_a_categorical_type_is_kept():
    words, order = ["dew", "rain", "storm"], ["storm", "dew", "rain"]
    values = [words[i * i % 3] if i != 5 else None for i in range(40)]
    frame = pandas.DataFrame({"sky": values, "x": [float(i * 7 % 11) for i in range(40)]})
    assert roles(separa.prepare(frame).preparation)["sky"] == ("feature", "category")
    typed = frame.assign(sky=pandas.Categorical(values, categories=order, ordered=True))
    done = separa.prepare(typed)
    assert roles(done.preparation)["sky"] == ("feature", "ordered")
    assert done.values[0, 0] == 1.0 and done.values[1, 0] == 2.0
    # What is asked for is done.
    assert roles(separa.prepare(typed, categorical=["sky"]).preparation)["sky"][1] == "category"
    flat = frame.assign(sky=pandas.Categorical(["dew"] * 40, categories=order, ordered=True))
    assert roles(separa.prepare(flat).preparation)["sky"][0] == "left_out"
    polars = pytest.importorskip("polars")
    enum = polars.DataFrame({"sky": polars.Series(values, dtype=polars.Enum(order)), "x": frame["x"].to_list()})
    np.testing.assert_array_equal(separa.prepare(enum).values, done.values)


def test_values_that_a_model_does_not_know_are_a_warning():
    frame = messy()
    models = [separa.fit(frame, n_clusters=2), separa.KMeans(n_clusters=2).fit(frame)]
    new = frame.head(4).assign(metal=["gold", "tin", "iron", None], age=["20", "old", "30", "40"])
    for model in models:
        with pytest.warns(exceptions.SeparaWarning) as said:
            labels = model.predict(new)
        words = "\n".join(str(warning.message) for warning in said)
        assert '"metal" holds values that the model was not fitted on ("tin")' in words
        assert '"age" holds values that are no numbers ("old"): taken for missing' in words
        assert all(warning.filename == __file__ for warning in said)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert model.predict(frame.head(4))[0] == labels[0]


def test_messages_speak_python():
    frame = messy()
    with pytest.raises(exceptions.DataError, match=r'missing="nearest", .* missing="drop", .* drop=\[\'age\'\]'):
        separa.prepare(frame, missing="refuse")
    with pytest.raises(exceptions.DataError, match='also holds "iron", which `order` does not name'):
        separa.prepare(frame, order={"metal": ["zinc", "gold"]})
    with pytest.raises(exceptions.DataError, match=r"features=\[\.\.\.\]"):
        separa.prepare(frame[["no", "region"]])
    with pytest.raises(exceptions.DataError, match="no rows"):
        separa.prepare(frame[:0])


def test_options_say_otherwise():
    frame = messy()
    dropped = separa.prepare(frame, missing="drop")
    assert len(dropped.values) == N - 1 and dropped.rows[7] == 8
    assert "metal=gold" not in separa.prepare(frame, drop=["metal"]).feature_names
    ordered = separa.prepare(frame, order={"metal": ["zinc", "iron", "gold"]})
    assert roles(ordered.preparation)["metal"] == ("feature", "ordered")
    assert roles(separa.prepare(frame, categorical=["spend"]).preparation)["spend"][1] == "category"
    assert separa.prepare(frame, na=[100]).preparation["filled"] > 1


def test_notes_say_first_what_was_done_to_the_table():
    frame = messy()
    told = separa.prepare(frame).notes
    trained = separa.MPMClassifier().fit(frame, frame["member"])
    for fitted in (separa.fit(frame, n_clusters=2), separa.MSPC(n_clusters=2).fit(frame), trained):
        assert fitted.notes_[: len(told)] == told and any("filled 1 missing value" in note for note in told)
        assert roles(fitted.preparation_)["region"][0] == "left_out"
        assert pickle.loads(pickle.dumps(fitted)).notes_ == fitted.notes_
    of_array = separa.KMeans(n_clusters=2).fit(separa.prepare(frame).values)
    assert of_array.preparation_ is None and of_array.notes_ == of_array.model_.notes_
    assert not hasattr(separa.KMeans(), "notes_") and not hasattr(separa.KMeans(), "preparation_")


def test_columns_that_were_not_understood_and_sentinels_are_warnings():
    i = np.arange(N)
    frame = messy().assign(
        nested=[[1, 2]] * N,
        note=[f"{k * k} words that nobody said twice to number {k}" for k in i],
        income=np.where(i % 10 == 3, -999.0, 100 + i * 13 % 17),
    )
    for fit in (lambda: separa.fit(frame, n_clusters=2), lambda: separa.KMeans(n_clusters=2).fit(frame)):
        with pytest.warns(exceptions.SeparaWarning) as said:
            fit()
        (left_out,) = [str(w.message) for w in said if "columns left out" in str(w.message)]
        assert '"nested" (it holds nested values)' in left_out and '"note" (60 different texts' in left_out
        assert not any(f'"{name}"' in left_out for name in ("no", "region", "age"))
        (sentinel,) = [str(w.message) for w in said if "-999" in str(w.message)]
        assert sentinel.endswith('"income": -999 in 6 rows may stand for a missing value; if so, replace it by NaN')
        assert all(warning.filename == __file__ for warning in said)


@pytest.mark.parametrize(("values", "why"), [
    ([f"{k} kg" for k in range(N)], 'its numbers carry the unit "kg"'),
    ([f"{k} {'kg' if k % 2 else 'lb'}" for k in range(N)], "its numbers carry units"),
    ([str(k) if k % 5 else f"about {k}" for k in range(N // 2)] + [None] * (N // 2), "or no number"),
    ([f"word{k if k < 17 else 17 + k % 13}" for k in range(N)], "different words"),
])
def test_every_reason_not_to_understand_a_column_is_known(values, why):
    from separa import _prepare

    (said,) = _prepare.to_act_on(separa.prepare(messy().assign(odd=values)).preparation)
    assert said.startswith('columns left out: "odd" (') and why in said


def test_fits_that_understood_every_column_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error", exceptions.SeparaWarning)
        separa.KMeans(n_clusters=2).fit(messy())


def test_bad_options_are_refused():
    frame = messy()
    with pytest.raises(exceptions.DataError, match='no column "agee".*did you mean "age"'):
        separa.prepare(frame, drop=["agee"])
    with pytest.raises(exceptions.ParameterError, match="list of column names"):
        separa.prepare(frame, drop="age")
    with pytest.raises(exceptions.ParameterError, match="`missing` must be one of"):
        separa.prepare(frame, missing="guess")
    with pytest.raises(exceptions.DataError, match="1 values of features are missing"):
        separa.prepare(frame, missing="refuse")
    with pytest.raises(exceptions.DataError, match="arrays need no preparation"):
        separa.prepare(np.ones((3, 2)))
    with pytest.raises(exceptions.DataError, match="no column can be a feature"):
        separa.prepare(frame[["no", "region"]])
    with pytest.raises(exceptions.ParameterError, match='`prepare` must be "auto" or "none"'):
        separa.fit(frame, n_clusters=2, prepare="perhaps")


def test_fits_prepare_and_new_rows_are_prepared_alike(tmp_path):
    frame = messy()
    model = separa.fit(frame, n_clusters=2)
    assert roles(model.preparation_)["no"][0] == "id"
    assert (model.predict(frame) == model.labels_).all()
    separa.save(model, tmp_path / "m.separa")
    loaded = separa.load(tmp_path / "m.separa")
    assert (loaded.predict(frame[::-1]) == model.labels_[::-1]).all()
    new = pandas.DataFrame({
        "metal": ["lead"], "member": [None], "since": [pandas.NaT], "age": [np.nan], "spend": [103.0],
    })
    assert loaded.predict(new).tolist() == [model.labels_[1]]
    with pytest.raises(exceptions.DataError, match='missing: "age"'):
        loaded.predict(new.drop(columns="age"))


def test_estimators_prepare_keep_and_pickle_it():
    sklearn = pytest.importorskip("sklearn.base")
    frame = messy()
    fitted = separa.KMeans(n_clusters=2).fit(frame)
    assert fitted.feature_names_in_.tolist() == list(frame.columns) and fitted.n_features_in_ == 7
    assert (fitted.predict(frame) == fitted.labels_).all()
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict(frame) == fitted.labels_).all()
    with pytest.raises(exceptions.DataError, match="expected (a )?number"):
        sklearn.clone(fitted).set_params(prepare="none").fit(frame)
    rule = separa.MPMClassifier().fit(frame, frame["member"])
    assert (rule.predict(frame) == frame["member"]).all()


def test_estimators_need_only_the_columns_that_became_features():
    frame = messy()
    fitted = separa.KMeans(n_clusters=2).fit(frame)
    np.testing.assert_array_equal(fitted.predict(frame.drop(columns=["no", "region"])), fitted.labels_)
    np.testing.assert_array_equal(fitted.predict(frame.drop(columns="no")), fitted.labels_)
    with pytest.raises(ValueError, match="now missing:\n- age\n$"):
        fitted.predict(frame.drop(columns=["no", "age"]))
    with pytest.raises(ValueError, match="same order"):
        fitted.predict(frame.drop(columns="no").iloc[:, ::-1])
    with pytest.raises(ValueError, match="unseen at fit time:\n- more"):
        fitted.predict(frame.assign(more=1))
    assert fitted.feature_names_in_.tolist() == list(frame.columns)


@pytest.mark.parametrize("prepare", ["auto", "none"])
def test_a_frame_without_rows_is_refused_as_that(prepare):
    for make in (separa.MSPC, separa.KMeans):
        with pytest.raises(exceptions.DataError, match="the table has no rows, expected at least one"):
            make(prepare=prepare).fit(messy().head(0))
    with pytest.raises(exceptions.DataError, match="no rows"):
        separa.fit(messy().head(0), prepare=prepare)


def test_the_command_line_and_python_prepare_alike(cli, tmp_path):
    frame = messy()
    frame["since"] = frame["since"].dt.strftime("%Y-%m-%d")
    table, model = tmp_path / "t.csv", tmp_path / "m.separa"
    frame.to_csv(table, index=False)
    cli("cluster", table, "-k", "2", "--model", model, "-q")
    fitted = separa.fit(frame, n_clusters=2)
    theirs = separa.load(model)
    assert theirs.preparation_ == fitted.preparation_
    assert (theirs.predict(frame) == fitted.labels_).all()


def test_columns_that_are_not_aligned_are_read_as_they_are():
    # Arrays that come over a network may begin at any byte.
    raw = np.zeros(8 * 50 + 1, dtype=np.uint8)
    column = raw[1:].view(np.float64)
    column[:] = np.arange(50.0)
    assert not column.flags.aligned
    from separa import _prepare

    class Column:
        def to_numpy(self):
            return column

    values = _prepare.numbers(Column())
    assert values.flags.aligned and values.tolist() == list(range(50))


def test_columns_of_one_name_are_told_apart_as_in_files(cli, tmp_path):
    pd = pytest.importorskip("pandas")
    rows = np.random.default_rng(0).normal(size=(60, 3)) + 9 * np.repeat([0, 1], 30)[:, None]
    frame = pd.DataFrame(rows, columns=["a", "a", "b"])
    done = separa.prepare(frame)
    assert done.feature_names == ["a", "a (2)", "b"]
    assert any("'a (2)'" in note for note in done.notes)
    assert separa.prepare(pd.DataFrame(rows, columns=["a", "a", "a (2)"])).feature_names == ["a", "a (3)", "a (2)"]
    found = separa.MSPC(n_clusters=2).fit(frame)
    assert list(found.feature_names_in_) == ["a", "a (2)", "b"]
    np.testing.assert_array_equal(found.predict(frame), found.labels_)
    np.testing.assert_array_equal(separa.fit(frame, n_clusters=2).predict(frame), found.labels_)
    with pytest.raises(ValueError, match=r"a \(2\)"):
        found.predict(frame.iloc[:, 1:])
    # A file with this header has the same features.
    frame.to_csv(tmp_path / "t.csv", index=False)
    told = cli("look", str(tmp_path / "t.csv"))
    assert "a (2)" in told


def test_tod_prepares_frames_and_goes_on_with_more_of_them():
    frame = messy()
    tod = separa.TOD(n_clusters=4, scaling="standard").fit(frame)
    done = separa.prepare(frame)
    # The same summaries as of the features that were made by hand; the columns of a category weigh as one feature.
    assert tod.means_.shape == (4, len(done.feature_names)) and tod.weights_.sum() == N
    assert tod.preparation_ == done.preparation and roles(tod.preparation_)["no"] == ("id", "number")
    np.testing.assert_allclose(tod.weights_ @ tod.means_ / N, done.values.mean(axis=0))
    unseen = frame[:3].drop(columns=["no", "region"]).assign(age=[np.nan, 21.0, 61.0], metal=["tin", "gold", "iron"])
    with pytest.warns(exceptions.SeparaWarning, match="holds values that"):
        near = tod.transform(unseen)
    assert near.shape == (3, 4) and np.isfinite(near).all()
    again = pickle.loads(pickle.dumps(tod))
    np.testing.assert_array_equal(again.transform(frame), tod.transform(frame))
    assert again.partial_fit(frame).weights_.sum() == 2 * N
    assert tod.merge(separa.TOD(n_clusters=4, scaling="standard").fit(frame)).weights_.sum() == 2 * N
    with pytest.raises(exceptions.DataError, match="prepared to different columns"):
        tod.merge(separa.TOD(n_clusters=4).fit(frame.drop(columns="metal").assign(debt=frame["spend"] ** 2)))
    with pytest.raises(exceptions.DataError):
        separa.TOD(prepare="none").fit(frame)
    with pytest.raises(exceptions.ParameterError, match="`prepare` must be"):
        separa.TOD(prepare="yes").fit(frame)
    assert separa.TOD(n_clusters=4).fit(done.values).preparation_ is None
