"""Lists of tables for crf: sequences of rows."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import samples
import separa
from scipy import sparse
from separa import MSC, CRFClustering
from separa.exceptions import DataError, ParameterError

METHODS_WITHOUT = [m["name"] for m in samples.METHODS if not m["sequences"]]


def courses(lengths=(60, 45, 80, 30), gap=2.5, seed=0):
    """Sequences whose state stays for about ten rows, and the states of all rows."""
    rng = np.random.default_rng(seed)
    made, states = [], []
    for length in lengths:
        moves = rng.random(length) < 0.1
        own = (np.cumsum(moves) + rng.integers(2)) % 2
        made.append(rng.normal(0, 1, (length, 2)) + gap * own[:, None] * [1, 0.5])
        states.append(own)
    return made, np.concatenate(states)


def error(labels, states):
    wrong = np.mean(labels != states)
    return min(wrong, 1 - wrong)


@pytest.mark.parametrize("params", [{}, {"decoding": "viterbi"}, {"init": "kmeans"}])
def test_both_ways_in_agree_and_labels_are_one_a_row(params):
    given, states = courses()
    model = separa.fit(given, "crf", **params)
    estimator = CRFClustering(**params).fit(tuple(given))
    assert (model.labels_ == estimator.labels_).all() and len(model.labels_) == 215
    assert error(model.labels_, states) < 0.1
    assert (CRFClustering(**params).fit_predict(given) == model.labels_).all()
    assert model.n_features_in_ == estimator.n_features_in_ == 2
    for fitted in [model, estimator, pickle.loads(pickle.dumps(model))]:
        assert (fitted.predict(given) == model.labels_).all()
        # Sequences know nothing of each other.
        alone = np.concatenate([fitted.predict([sequence]) for sequence in given])
        assert (alone == model.labels_).all()
        proba = fitted.predict_proba(given)
        assert proba.shape == (215, 2) and np.allclose(proba.sum(1), 1)
        assert fitted.decision_function(given).shape == (215,)
        if not params.get("decoding"):
            assert (proba.argmax(1) == model.labels_).all()
    assert "rows" in model._repr_html_()


def test_sequences_beat_unrelated_rows_and_a_notice_says_how_to_give_them():
    given, states = courses((300, 200), gap=2)
    rows = np.vstack(given)
    alone = separa.fit(rows, "crf")
    assert error(separa.fit(given, "crf").labels_, states) < error(alone.labels_, states) / 2
    (note,) = [n for n in alone.report_["notes"] if n["code"] == "unrelated-rows"]
    assert note["remedy"] == {"do": "name-groups", "kind": "sequence"}
    assert "[X] for one sequence" in note["sentence"]
    assert len(separa.fit([rows], "crf").labels_) == 500


def test_sequences_are_judged_with_labels_as_given():
    model = separa.fit(courses()[0], "crf")
    assert 0 < model.msp_ < 1
    assert any("p-values take the labels as given" in n["text"] for n in model.report_["notes"])


def test_a_file_has_the_command_line_s_bits(cli, tmp_path):
    given, _ = courses()
    path = tmp_path / "courses.csv"
    rows = [(f"s{i}", *row) for i, course in enumerate(given) for row in course.tolist()]
    pd.DataFrame(rows, columns=["run", "x", "y"]).to_csv(path, index=False)
    cli("cluster", path, "-k", 2, "-m", "crf", "--sequence", "run", "--model", tmp_path / "m.separa")
    frames = [pd.DataFrame(course, columns=["x", "y"]) for course in given]
    model = separa.fit(frames, "crf")
    loaded = separa.load(tmp_path / "m.separa")
    assert (loaded.predict_proba(frames) == model.predict_proba(frames)).all()
    separa.save(model, tmp_path / "own.separa")
    out = cli("predict", tmp_path / "own.separa", path, "--sequence", "run")
    assert [int(line.split(",")[1]) for line in out.splitlines()[1:]] == model.labels_.tolist()


def test_columns_of_frames_are_found_by_name():
    given, _ = courses()
    frames = [pd.DataFrame(course, columns=["x", "y"]) for course in given]
    frames[1] = frames[1][["y", "x"]]
    estimator = CRFClustering().fit(frames)
    assert list(estimator.feature_names_in_) == ["x", "y"]
    assert (estimator.labels_ == CRFClustering().fit(given).labels_).all()


def test_a_weight_is_one_a_row_and_the_same_in_a_sequence():
    given, _ = courses()
    weights = np.repeat([1.0, 2.0, 1.0, 0.0], [60, 45, 80, 30])
    weighted = separa.fit(given, "crf", sample_weight=weights, scaling="standard")
    assert len(weighted.labels_) == 215
    repeated = separa.fit([given[0], given[1], given[1], given[2]], "crf", scaling="standard")
    assert weighted.objective_ == pytest.approx(repeated.objective_, abs=1e-4)
    with pytest.raises(DataError, match="4 sample weights were given for 215 rows"):
        separa.fit(given, "crf", sample_weight=np.ones(4))
    weights[3] = 2
    with pytest.raises(DataError, match="row 4 of sequence 1 weighs 2"):
        separa.fit(given, "crf", sample_weight=weights)


WRONG = {
    "sequence 2 holds no rows, expected at least one": lambda g: [g[0], np.empty((0, 2)), g[1]],
    "sequence 3 has 3 columns, expected 2 as in sequence 1": lambda g: [g[0], g[1], np.ones((2, 3))],
    "sequence 2 is of type list, expected a table": lambda g: [g[0], [1.0, 2.0]],
    "like the other sequences": lambda g: [g[0], np.ones(2)],
    "sequence 2 holds sparse rows, expected dense": lambda g: [g[0], sparse.csr_array(g[1])],
    "row 1, column 2 holds NaN": lambda g: [np.array([[1.0, np.nan]]), g[0]],
}


@pytest.mark.parametrize("way", ["core", "class"])
@pytest.mark.parametrize("said", WRONG)
def test_sequences_that_cannot_be_used_are_refused(way, said):
    wrong = WRONG[said](courses()[0])
    with pytest.raises(DataError, match=said):
        samples.fit(way, wrong, "crf", n_clusters=2)
    fitted = samples.fit(way, courses()[0], "crf", n_clusters=2)
    with pytest.raises(DataError):
        fitted.predict(wrong)


@pytest.mark.parametrize("way", ["core", "class"])
def test_short_and_plain_sequences(way):
    given, _ = courses()
    assert samples.fit(way, given, "crf", n_clusters=1).labels_.tolist() == [0] * 215
    ones = [np.array([[float(v)]]) for v in [0, 0.1, 9, 9.1]]
    assert samples.fit(way, ones, "crf").labels_.tolist() == [0, 0, 1, 1]
    flat = [np.column_stack([course, np.full(len(course), 3.0)]) for course in given]
    plain = samples.fit(way, given, "crf")
    assert (samples.fit(way, flat, "crf").labels_ == plain.labels_).all()
    with pytest.raises(ParameterError, match=r"at most the number of rows \(215\), got 216"):
        samples.fit(way, given, "crf", n_clusters=216)


@pytest.mark.parametrize("way", ["core", "class"])
@pytest.mark.parametrize("name", METHODS_WITHOUT)
def test_lists_are_bags_to_all_other_methods(way, name):
    if name == "msc":
        assert len(samples.fit(way, courses()[0], name).labels_) == 4
        return
    with pytest.raises(DataError, match=f"{name} clusters rows, not bags"):
        samples.fit(way, courses()[0], name)


def test_models_of_sequences_and_of_rows_are_not_mixed_up():
    given, _ = courses()
    rows = np.vstack(given)
    ordered, alone = CRFClustering().fit(given), CRFClustering().fit(rows)
    for fitted in [ordered, ordered.model_]:
        for ask in [fitted.predict, fitted.predict_proba, fitted.decision_function]:
            with pytest.raises(DataError, match="fitted on sequences of rows; .*list of tables"):
                ask(rows)
        with pytest.raises(DataError, match="3 feature columns, but the model was fitted on 2"):
            fitted.predict([np.ones((2, 3))])
    for fitted in [alone, alone.model_]:
        with pytest.raises(DataError, match="fitted on rows, not on sequences"):
            fitted.predict(given)
    with pytest.raises(DataError, match="fitted on rows, not on bags"):
        MSC().fit(rows).predict(given)
