"""One model file for Python and the command line; pickles hold its bytes, and labels beside them."""

from __future__ import annotations

import csv
import io
import os
import pickle
import subprocess
import sys

import cloudpickle
import joblib
import numpy as np
import pytest
import samples
import separa
from separa import exceptions

each_method = pytest.mark.parametrize("name", samples.NAMES)
GOLDEN = sorted((samples.ROOT / "golden" / "models").glob("v*/*.separa"))
UNUSABLE = "not a usable model file"


def same_rule(first, second, rows):
    np.testing.assert_array_equal(first.predict(rows), second.predict(rows))
    np.testing.assert_array_equal(first.decision_function(rows), second.decision_function(rows))


@each_method
@pytest.mark.parametrize("k", [2, 3])
def test_a_saved_model_labels_alike(name, k, tmp_path):
    rows, _ = samples.blobs(k)
    fitted = samples.class_of(name)(n_clusters=k).fit(rows)
    for path in (tmp_path / "rule.separa", str(tmp_path / "other.separa")):
        separa.save(fitted, path)
        loaded = separa.load(path)
        same_rule(fitted, loaded, rows)
        assert loaded.info == fitted.model_.info
        with pytest.raises(AttributeError, match="use predict"):
            loaded.labels_
    assert (tmp_path / "rule.separa").read_bytes() == fitted.model_.to_bytes()


@each_method
def test_a_model_and_its_estimator_save_the_same_bytes(name, tmp_path):
    rows, _ = samples.blobs()
    core, estimator = separa.fit(rows, name), samples.class_of(name)().fit(rows)
    separa.save(core, tmp_path / "a")
    separa.save(estimator, tmp_path / "b")
    core.save(tmp_path / "c")
    assert len({(tmp_path / file).read_bytes() for file in "abc"}) == 1


WRITERS = {
    "pickle": pickle.dumps,
    "pickle, protocol 2": lambda thing: pickle.dumps(thing, protocol=2),
    "cloudpickle": cloudpickle.dumps,
}


@each_method
@pytest.mark.parametrize("writer", WRITERS)
def test_a_pickle_brings_everything_back(name, writer):
    rows, _ = samples.blobs(3)
    for fitted in (samples.class_of(name)(n_clusters=3).fit(rows), separa.fit(rows, name, n_clusters=3)):
        again = pickle.loads(WRITERS[writer](fitted))
        same_rule(fitted, again, rows)
        np.testing.assert_array_equal(again.labels_, fitted.labels_)
        assert (again.msp_, again.stop_, again.n_iter_) == (fitted.msp_, fitted.stop_, fitted.n_iter_)


@each_method
def test_joblib_dumps_and_loads(name, tmp_path):
    rows, _ = samples.blobs()
    fitted = samples.class_of(name)().fit(rows)
    joblib.dump(fitted, tmp_path / "fitted.joblib", compress=1)
    same_rule(fitted, joblib.load(tmp_path / "fitted.joblib"), rows)


@each_method
def test_a_pickle_holds_exactly_the_bytes_of_the_file(name, tmp_path):
    model = separa.fit(samples.blobs()[0], name)
    separa.save(model, tmp_path / "rule.separa")
    data = (tmp_path / "rule.separa").read_bytes()
    restore, (held, labels) = model.__reduce__()
    assert held == data
    assert labels == model.labels_.tobytes()
    assert data in pickle.dumps(model)
    # A loaded model knows no labels, and neither does its pickle.
    assert separa.load(tmp_path / "rule.separa").__reduce__() == (restore, (data, None))


@each_method
def test_altered_bytes_do_not_load(name):
    model = separa.fit(samples.blobs()[0], name)
    data = model.to_bytes()
    pickled = pickle.dumps(model)
    start = pickled.index(data)
    for place in np.linspace(0, len(data) - 1, 60).astype(int):
        altered = bytearray(pickled)
        altered[start + place] ^= 0x40
        with pytest.raises(exceptions.ModelError, match=UNUSABLE):
            pickle.loads(bytes(altered))
    for cut in (0, 1, 7, 100, len(data) - 1):
        with pytest.raises(exceptions.ModelError, match=UNUSABLE):
            separa.Model.from_bytes(data[:cut])
    with pytest.raises(exceptions.ModelError, match=UNUSABLE):
        separa.Model.from_bytes(data + b"\0")


@each_method
@pytest.mark.parametrize("gone", ["n_jobs", "verbose", "max_iter"])
def test_a_pickle_of_a_version_with_fewer_parameters_predicts(name, gone):
    rows, _ = samples.blobs()
    fitted = samples.class_of(name)().fit(rows)
    state = dict(fitted.__getstate__())
    del state[gone]
    again = object.__new__(type(fitted))
    again.__setstate__(state)
    same_rule(fitted, again, rows)
    assert again.get_params() == fitted.get_params()
    assert again.fit(rows).model_.to_bytes() == fitted.model_.to_bytes()


def test_what_a_model_says_of_itself_can_be_changed_without_harm():
    model = separa.fit(samples.blobs()[0])
    before = model.to_bytes(), model.info
    model.info["notes"].clear()
    model.info["params"]["n_clusters"] = 9
    model.params["n_clusters"] = 9
    model.report_["notes"].append("x")
    model.quality_["pairs"].clear()
    assert (model.to_bytes(), model.info) == before
    assert "x" not in model.report_["notes"] and model.quality_["pairs"]


def test_marked_rows_come_back_marked():
    rows = np.vstack([samples.blobs()[0], [[900.0, 900, 900]]])
    model = separa.fit(rows, outliers="mark")
    assert model.labels_[-1] == -1
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).labels_, model.labels_)


def test_labels_beside_a_model_must_be_its_own():
    model = separa.fit(samples.blobs()[0])
    restore, (data, labels) = model.__reduce__()
    other = b"\1" if labels[0] == 0 else b"\0"
    for altered in (labels[:-4], labels[:-1], labels + labels, other + labels[1:], b"", b"\xff" * 320):
        with pytest.raises(exceptions.ModelError, match="labels beside it"):
            restore(data, altered)


def test_files_that_are_no_models_are_named(tmp_path):
    with pytest.raises(OSError, match="no-file.separa: no such model file; check the path") as e:
        separa.load(tmp_path / "no-file.separa")
    assert isinstance(e.value, exceptions.MissingFileError)
    with pytest.raises(OSError, match="cannot be read"):
        separa.load(tmp_path)
    (tmp_path / "wrong.separa").write_bytes(b"label\n1\n")
    with pytest.raises(exceptions.ModelError, match=f"wrong.separa: {UNUSABLE}"):
        separa.load(tmp_path / "wrong.separa")
    if os.path.exists("/dev/zero"):  # it never ends
        with pytest.raises(exceptions.ModelError, match=f"/dev/zero: {UNUSABLE}"):
            separa.load("/dev/zero")
    for thing in (object(), separa.KMeans(), None):
        with pytest.raises(exceptions.ModelError, match="only a model or a fitted estimator"):
            separa.save(thing, tmp_path / "never.separa")
    assert not (tmp_path / "never.separa").exists()


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    model = separa.fit(samples.blobs()[0])
    with pytest.raises(exceptions.FileError):
        model.save(tmp_path / "no-folder" / "rule.separa")
    (tmp_path / "folder.separa").mkdir()
    with pytest.raises(exceptions.FileError):
        model.save(tmp_path / "folder.separa")
    # Nothing is left beside the folder: no half file, no temporary one.
    assert os.listdir(tmp_path) == ["folder.separa"]


#: The disk is full after one block; the file that was there must survive.
FULL_DISK = """
import resource, signal, sys, separa
path = sys.argv[1]
model = separa.fit([[i + 40.0 * (i % 2)] * 400 for i in range(50)], "kmeans")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))
try:
    separa.save(model, path)
except OSError as e:
    print(type(e).__name__)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files as Linux does")
def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path):
    old = tmp_path / "rule.separa"
    old.write_bytes(b"what was there before")
    program = [sys.executable, "-c", samples.script(FULL_DISK), str(old)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "FileError"
    assert old.read_bytes() == b"what was there before"
    assert os.listdir(tmp_path) == ["rule.separa"]


@each_method
def test_an_estimator_made_of_a_model_is_fitted_and_refits_alike(name, wine):
    pandas = pytest.importorskip("pandas")
    values, names, _ = wine
    table = pandas.DataFrame(values, columns=names)
    fitted = samples.class_of(name)(n_clusters=3, random_state=7).fit(table)
    loaded = separa.Model.from_bytes(fitted.model_.to_bytes())
    again = loaded.to_estimator()
    assert type(again) is type(fitted)
    assert again.get_params() == fitted.get_params()
    assert again.feature_names_in_.tolist() == names
    assert not hasattr(again, "labels_")
    same_rule(fitted, again, table)
    assert again.fit(table).model_.to_bytes() == fitted.model_.to_bytes()


def test_a_start_from_labels_does_not_stay_in_the_file():
    rows, truth = samples.blobs()
    again = separa.fit(rows, "kmeans", init=truth.tolist()).to_estimator()
    assert again.init == "auto"
    np.testing.assert_array_equal(again.fit(rows).predict(rows), samples.by_first_appearance(truth))


@each_method
@pytest.mark.parametrize("k", [2, 3])
def test_python_and_the_command_line_write_the_same_file(name, k, cli, wine, tmp_path):
    pandas = pytest.importorskip("pandas")
    values, names, _ = wine
    path = tmp_path / "cli.separa"
    cli("cluster", samples.WINE, "-k", k, "-m", name, "--truth", "cultivar", "--seed", 3,
        "--model", path, "-o", tmp_path / "labels.csv", "-q", codes=(0, 1))
    table = pandas.DataFrame(values, columns=names)
    ours = separa.fit(table, name, n_clusters=k, random_state=3)
    with open(tmp_path / "labels.csv", encoding="utf-8") as file:
        assert [int(row["cluster"]) for row in csv.DictReader(file)] == ours.labels_.tolist()
    assert path.read_bytes() == ours.to_bytes()
    same_rule(separa.load(path), ours, table)


@each_method
@pytest.mark.parametrize("k", [2, 3])
def test_the_command_line_predicts_with_pythons_file_to_the_last_bit(name, k, cli, wine, tmp_path):
    values, names, _ = wine
    model = separa.fit(values, name, n_clusters=k)
    separa.save(model, tmp_path / "rule.separa")
    (tmp_path / "rows.csv").write_text(
        "\n".join([",".join(names), *(",".join(map(repr, row)) for row in values.tolist())])
    )
    said = cli("predict", tmp_path / "rule.separa", tmp_path / "rows.csv", "--scores", "-q")
    rows = list(csv.reader(io.StringIO(said)))[1:]
    assert [int(row[1]) for row in rows] == model.predict(values).tolist()
    scores = np.array([[float(v) for v in row[5:]] for row in rows])
    expected = model.decision_function(values)
    np.testing.assert_array_equal(scores, expected.reshape(len(values), -1))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_model_files_of_every_released_format_load(path, wine):
    expected = [int(line) for line in path.with_suffix(".labels").read_text().split()]
    model = separa.load(path)
    # The wines are one sequence to models of sequences.
    one = path.stem in ("crf-sequence", "crf-viterbi")
    found = model.predict([wine[0]] if one else wine[0])
    classes = getattr(model, "classes_", None)
    labels = found if classes is None else np.searchsorted(classes, found)
    assert labels.tolist() == expected
    assert type(model.to_estimator()).__name__ in [*samples.CLASSES, *samples.CLASSIFIERS]


def test_there_are_golden_files():
    assert len(GOLDEN) >= 9
