"""The command line and Python write the same model file, judged or not: one engine, one clustering, one answer."""

from __future__ import annotations

import numpy as np
import pytest

import separa

pandas = pytest.importorskip("pandas")


def blobs(seed=3, n=60, centers=((0, 0, 0), (9, 2, 0), (0, 9, 5))):
    rng = np.random.default_rng(seed)
    rows = np.vstack([rng.normal(center, 1, (n, 3)) for center in centers])
    # Numbers that a CSV file gives back to the bit.
    return pandas.DataFrame(rows.round(6), columns=["a", "b", "c"])


def files(cli, tmp_path, frame, arguments):
    table, model = tmp_path / "table.csv", tmp_path / "model.separa"
    frame.to_csv(table, index=False)
    cli("cluster", table, *arguments, "--model", model, "--quiet", codes=(0, 1))
    return model.read_bytes()


@pytest.mark.parametrize("method", [m["name"] for m in separa.methods()])
def test_judged_fits_have_the_same_bytes(cli, tmp_path, method):
    frame = blobs()
    from_shell = files(cli, tmp_path, frame, ["-k", "3", "-m", method, "--seed", "4"])
    fitted = separa.fit(frame, method=method, n_clusters=3, random_state=4)
    assert fitted.msp_ is not None
    assert fitted.to_bytes() == from_shell


def test_a_number_that_was_found_has_the_same_bytes(cli, tmp_path):
    frame = blobs()
    fitted = separa.fit(frame, n_clusters="auto")
    assert fitted.n_clusters_ == 3
    assert fitted.to_bytes() == files(cli, tmp_path, frame, ["-k", "auto"])


def test_one_cluster_is_not_judged_and_has_the_same_bytes(cli, tmp_path):
    frame = blobs(centers=((0, 0, 0),), n=300)
    fitted = separa.fit(frame, n_clusters="auto")
    assert fitted.n_clusters_ == 1 and fitted.msp_ is None
    assert any("no natural clusters" in sentence for sentence in fitted.notes_)
    assert fitted.to_bytes() == files(cli, tmp_path, frame, ["-k", "auto"])


def test_tables_of_pairs_are_not_judged_and_have_the_same_bytes(cli, tmp_path):
    rows = blobs(n=12).to_numpy()
    gaps = np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(axis=2)).round(9)
    frame = pandas.DataFrame(gaps, columns=[f"r{i}" for i in range(len(gaps))])
    fitted = separa.fit(frame, method="msc", n_clusters=2, metric="precomputed")
    assert fitted.msp_ is None and any("precomputed" in sentence for sentence in fitted.notes_)
    arguments = ["-k", "2", "-m", "msc", "--set", "metric=precomputed"]
    assert fitted.to_bytes() == files(cli, tmp_path, frame, arguments)


def test_bags_are_not_judged_and_have_the_same_bytes(cli, tmp_path):
    frame = blobs(n=40)
    bags = [part.reset_index(drop=True) for _, part in frame.groupby(np.arange(len(frame)) // 4)]
    fitted = separa.fit(bags, method="msc", n_clusters=2)
    assert fitted.msp_ is None and any("bags" in sentence for sentence in fitted.notes_)
    marked = frame.assign(bag=[f"b{i:03}" for i in np.arange(len(frame)) // 4])
    arguments = ["-k", "2", "-m", "msc", "--bag", "bag"]
    assert fitted.to_bytes() == files(cli, tmp_path, marked, arguments)


def test_sequences_have_the_same_bytes(cli, tmp_path):
    frame = blobs(n=40)
    runs = [part.reset_index(drop=True) for _, part in frame.groupby(np.arange(len(frame)) // 30)]
    fitted = separa.fit(runs, method="crf", n_clusters=2)
    marked = frame.assign(machine=[f"m{i}" for i in np.arange(len(frame)) // 30])
    arguments = ["-k", "2", "-m", "crf", "--sequence", "machine"]
    assert fitted.to_bytes() == files(cli, tmp_path, marked, arguments)


@pytest.mark.parametrize("names", [[1, 2, 3], ["dry", "fair", "wet"]], ids=["numbers", "words"])
@pytest.mark.parametrize("method", [c["name"] for c in separa.classifiers()])
def test_classifiers_have_the_same_bytes(cli, tmp_path, method, names):
    frame = blobs()
    classes = np.repeat(names, 60)
    table, model = tmp_path / "table.csv", tmp_path / "model.separa"
    frame.assign(kind=classes).to_csv(table, index=False)
    cli("train", table, "--target", "kind", "-m", method, "--model", model, "--quiet")
    name = next(c["class"] for c in separa.classifiers() if c["name"] == method)
    fitted = getattr(separa, name)(random_state=0).fit(frame, classes)
    assert fitted.model_.to_bytes() == model.read_bytes()


def test_classes_of_digits_stay_what_they_were(tmp_path):
    """Of digits Python knows whether they are text, a CSV file does not: this alone is written down."""
    frame = blobs(n=20)
    for classes in (np.repeat([1, 2, 3], 20), np.repeat(["1", "2", "3"], 20), np.repeat(["a", "b", "c"], 20)):
        fitted = separa.MPMClassifier().fit(frame, classes)
        fitted.model_.save(tmp_path / "model.separa")
        loaded = separa.load(tmp_path / "model.separa")
        assert list(loaded.classes_) == list(fitted.classes_) == sorted(set(classes.tolist()))
