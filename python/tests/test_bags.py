"""Lists of tables: bags of rows."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import samples
import separa
from scipy import sparse
from separa import MSC
from separa.exceptions import DataError, ParameterError

# To crf a list of tables holds sequences.
METHODS_WITHOUT = [name for name in samples.NAMES if name not in ("msc", "crf")]


def bags(n=40, k=2, seed=0):
    """Bags of 2 to 6 rows; those of one kind have their rows around the same two places."""
    rng = np.random.default_rng(seed)
    places = np.array([[[0, 0], [4, 0]], [[0, 9], [4, 9]], [[0, 0], [16, 4]]], dtype=float)
    made, kinds = [], np.arange(n) % k
    for kind in kinds:
        where = places[kind][np.arange(rng.integers(2, 7)) % 2]
        made.append(where + rng.normal(0, 0.5, where.shape))
    return made, kinds


def hausdorff(a, b):
    distances = np.sqrt(((a[:, None] - b[None]) ** 2).sum(2))
    return max(distances.min(0).max(), distances.min(1).max())


def test_bags_are_clustered_as_their_hausdorff_distances_are():
    given, kinds = bags(60, 3)
    table = np.array([[hausdorff(a, b) for b in given] for a in given])
    by_bags = MSC(3, metric="euclidean", scaling="none").fit(given)
    by_table = MSC(3, metric="precomputed").fit(table)
    assert (by_bags.labels_ == kinds).all()
    assert (by_table.labels_ == kinds).all()
    assert by_bags.objective_ == pytest.approx(by_table.objective_, rel=1e-9)
    assert by_bags.n_features_in_ == 2


@pytest.mark.parametrize("params", [{}, {"landmarks": 15}, {"metric": "manhattan"}])
def test_both_ways_in_agree_and_new_bags_get_labels(params):
    given, kinds = bags()
    new, expected = bags(30, seed=1)
    model = separa.fit(given, "msc", n_clusters=2, **params)
    estimator = MSC(2, **params).fit(tuple(given))
    assert (model.labels_ == kinds).all() and (estimator.labels_ == kinds).all()
    for fitted in [model, estimator, pickle.loads(pickle.dumps(model))]:
        assert (fitted.predict(given) == kinds).all()
        assert (fitted.predict(new) == expected).all()
        assert fitted.predict(new[:1]) == expected[:1]
        assert fitted.decision_function(new).shape == (30,)
    assert "bags" in model._repr_html_()


def test_bags_are_not_judged_and_it_is_said_why(recwarn):
    model = separa.fit(bags()[0], "msc")
    assert model.msp_ is None and model.quality_ == {}
    assert any("the quality is left out" in note["text"] for note in model.report_["notes"])
    assert not recwarn.list


def test_a_file_has_the_command_line_s_bits(cli, tmp_path):
    given, kinds = bags()
    path, labels = tmp_path / "bags.csv", tmp_path / "labels.csv"
    rows = [(f"b{i}", *row) for i, bag in enumerate(given) for row in bag.tolist()]
    pd.DataFrame(rows, columns=["bag", "x", "y"]).sample(frac=1, random_state=0).to_csv(
        path, index=False
    )
    cli("cluster", path, "-k", 2, "-m", "msc", "--bag", "bag", "--model", tmp_path / "m.separa")
    model = separa.load(tmp_path / "m.separa")
    again = model.predict(given)
    assert (samples.by_first_appearance(again) == kinds).all()
    separa.save(separa.fit([pd.DataFrame(b, columns=["x", "y"]) for b in given], "msc"), labels)
    out = cli("predict", labels, path, "--bag", "bag")
    found = dict(line.split(",")[:2] for line in out.splitlines()[1:])
    assert [int(found[f"b{i}"]) for i in range(40)] == kinds.tolist()


def test_columns_of_frames_are_found_by_name():
    given, kinds = bags()
    frames = [pd.DataFrame(bag, columns=["x", "y"]) for bag in given]
    frames[3] = frames[3][["y", "x"]]
    estimator = MSC(2).fit(frames)
    assert list(estimator.feature_names_in_) == ["x", "y"]
    assert (estimator.labels_ == kinds).all()
    assert (estimator.predict([frame[["y", "x"]] for frame in frames]) == kinds).all()
    assert (separa.fit(frames, "msc").predict(frames) == kinds).all()
    with pytest.raises(DataError, match="bag 2: .*missing: \"x\""):
        MSC(2).fit([frames[0], frames[1].rename(columns={"x": "z"})])


def test_lists_of_numbers_are_still_tables():
    table = [[0.0, 1.0], [0.1, 1.1], [9.0, 9.0], [9.1, 9.0]]
    for rows in [table, [np.array(row) for row in table], tuple(map(tuple, table))]:
        assert separa.fit(rows, "msc").labels_.tolist() == [0, 0, 1, 1]
        assert MSC(2).fit(rows).labels_.tolist() == [0, 0, 1, 1]
    with pytest.raises(DataError, match="2 dimensions, got 3"):
        separa.fit([[[1.0]], [[2.0]]], "msc")


def test_weights_are_one_a_bag():
    given, kinds = bags()
    weights = np.where(np.arange(40) < 30, 1.0, 0.0)
    weighted = separa.fit(given, "msc", sample_weight=weights)
    assert (weighted.labels_ == kinds).all()
    assert (weighted.predict(given) == kinds).all()
    with pytest.raises(DataError, match="41 sample weights were given for 40 bags"):
        separa.fit(given, "msc", sample_weight=np.ones(41))


WRONG = {
    "bag 2 holds no rows, expected at least one": lambda g: [g[0], np.empty((0, 2)), g[1]],
    "bag 3 has 3 columns, expected 2 as in bag 1": lambda g: [g[0], g[1], np.ones((2, 3))],
    "bag 2 is of type list, expected a table": lambda g: [g[0], [1.0, 2.0]],
    "bag 2 is of type ndarray, expected a table": lambda g: [g[0], np.ones(2)],
    "bag 1 is of type ndarray, expected a table": lambda g: [np.ones(2), g[0]],
    "bag 2 holds sparse rows, expected dense": lambda g: [g[0], sparse.csr_array(g[1])],
    "bag 2: .*expected numbers": lambda g: [g[0], np.array([["a", "b"]])],
    "row 1, column 2 holds NaN": lambda g: [np.array([[1.0, np.nan]]), g[0]],
}


@pytest.mark.parametrize("way", ["core", "class"])
@pytest.mark.parametrize("said", WRONG)
def test_bags_that_cannot_be_used_are_refused(way, said):
    wrong = WRONG[said](bags()[0])
    with pytest.raises(DataError, match=said):
        samples.fit(way, wrong, "msc", n_clusters=2)
    fitted = samples.fit(way, bags()[0], "msc", n_clusters=2)
    with pytest.raises(DataError):
        fitted.predict(wrong)


@pytest.mark.parametrize("way", ["core", "class"])
def test_one_bag_and_unfit_settings_are_refused(way):
    given = bags()[0]
    with pytest.raises(ParameterError, match=r"at most the number of bags \(1\), got 2"):
        samples.fit(way, given[:1], "msc", n_clusters=2)
    with pytest.raises(ParameterError, match="`metric` must be a distance of two rows"):
        samples.fit(way, given, "msc", metric="precomputed")
    with pytest.raises(ParameterError, match=r"at most the number of bags \(40\), or 0"):
        samples.fit(way, given, "msc", landmarks=41)


@pytest.mark.parametrize("way", ["core", "class"])
@pytest.mark.parametrize("name", METHODS_WITHOUT)
def test_methods_without_bags_name_those_with(way, name):
    with pytest.raises(DataError, match=f"{name} clusters rows, not bags.*take bags: msc"):
        samples.fit(way, bags()[0], name)


def test_models_of_bags_and_of_rows_are_not_mixed_up():
    given = bags()[0]
    rows = np.vstack(given)
    of_bags, of_rows = MSC(2).fit(given), MSC(2).fit(rows)
    for fitted in [of_bags, of_bags.model_]:
        with pytest.raises(DataError, match="fitted on bags of rows; .*list of tables"):
            fitted.predict(rows)
        with pytest.raises(DataError, match="3 feature columns, but the model was fitted on 2"):
            fitted.predict([np.ones((2, 3))])
    for fitted in [of_rows, of_rows.model_, samples.fit("class", rows, "kmeans")]:
        with pytest.raises(DataError, match="fitted on rows, not on bags"):
            fitted.predict(given)


def test_measures_of_rows_refuse_bags():
    given, kinds = bags()
    with pytest.raises(DataError, match="which bags have not"):
        separa.metrics.msp(given, kinds)
    with pytest.raises(DataError, match="one table"):
        separa.metrics.dcut(given, kinds)
