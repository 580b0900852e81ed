"""Profiles of clusters, against NumPy."""

import numpy as np
import pytest
import separa
from separa import MSPC


@pytest.fixture
def two():
    rng = np.random.default_rng(0)
    x = np.c_[np.r_[rng.normal(0, 1, 60), rng.normal(8, 1, 40)], rng.normal(100, 5, 100), np.r_[np.zeros(60), np.ones(40)]]
    return x, MSPC(n_clusters=2).fit(x)


def lines(found):
    return found.to_dict("records") if hasattr(found, "to_dict") else found


def test_a_profile_is_numpys(two):
    x, mspc = two
    for line in lines(mspc.profile()):
        j = int(line["feature"].removeprefix("column ")) - 1
        own, other = x[mspc.labels_ == line["cluster"], j], x[mspc.labels_ != line["cluster"], j]
        assert line["size"] == len(own) and line["fraction"] == len(own) / len(x)
        assert line["mean"] == pytest.approx(own.mean(), rel=1e-9)
        assert line["median"] == pytest.approx(np.median(own), rel=1e-12)
        assert line["others"] == pytest.approx(other.mean(), rel=1e-9, abs=1e-9)
        pooled = np.sqrt((len(own) * own.var() + len(other) * other.var()) / len(x))
        if pooled > 0:
            effect = (own.mean() - other.mean()) / pooled
            error = 1.96 * np.sqrt(1 / len(own) + 1 / len(other) + effect**2 / (2 * len(x)))
            assert line["effect"] == pytest.approx(effect, rel=1e-9)
            assert line["effect_low"] == pytest.approx(effect - error, rel=1e-3)
            assert line["effect_high"] == pytest.approx(effect + error, rel=1e-3)
        else:
            assert abs(line["effect"]) == 100


def test_units_change_means_and_no_effect(two):
    x, mspc = two
    other = MSPC(n_clusters=2).fit(x * [1000, 0.001, 1])
    for a, b in zip(lines(mspc.profile()), lines(other.profile())):
        assert (a["cluster"], a["feature"]) == (b["cluster"], b["feature"])
        assert a["effect"] == pytest.approx(b["effect"], rel=1e-6)


def test_a_profile_is_kept_with_the_model(two, tmp_path):
    _, mspc = two
    separa.save(mspc.model_, tmp_path / "m.separa")
    assert lines(separa.load(tmp_path / "m.separa").profile()) == lines(mspc.profile())


def test_where_there_is_none_it_says_why():
    x = np.random.default_rng(0).normal(size=(60, 2))
    with pytest.raises(ValueError, match="a profile needs two or more clusters, features and quality=True"):
        separa.fit(x, n_clusters=2, quality=False).profile()
    with pytest.raises(ValueError, match="two or more clusters"):
        separa.fit(x, n_clusters=1).profile()


def test_names_are_kept_with_the_model_and_shown(two, tmp_path):
    x, mspc = two
    model = mspc.model_
    model.names = {1: "premium"}
    assert model.names == {1: "premium"}
    assert {line["name"] for line in lines(model.profile()) if line["cluster"] == 1} == {"premium"}
    model.report(tmp_path / "r.html", x)
    assert "premium (1)" in (tmp_path / "r.html").read_text()
    separa.save(model, tmp_path / "m.separa")
    loaded = separa.load(tmp_path / "m.separa")
    assert loaded.names == {1: "premium"}
    np.testing.assert_array_equal(loaded.predict(x), mspc.labels_)
    model.names = {}
    assert model.names == {}


@pytest.mark.parametrize(
    ("names", "said"),
    [({7: "x"}, "there are 2 clusters"), ({"a": "x"}, "number of a cluster"), ({0: " "}, "one line"), ({0: "x", 1: "x"}, "given before")],
)
def test_names_that_make_no_sense_are_refused(two, names, said):
    with pytest.raises(ValueError, match=said):
        two[1].model_.names = names
    with pytest.raises(ValueError, match=said):
        two[1].names = names


def test_an_estimator_names_its_clusters_as_its_model_does(two):
    x, mspc = two
    mspc.names = {0: "bulk"}
    assert mspc.names == mspc.model_.names == {0: "bulk"}
    assert "bulk" in set(mspc.confidence(x)["name"])
    assert {line["name"] for line in lines(mspc.profile()) if line["cluster"] == 0} == {"bulk"}
    with pytest.raises(ValueError, match="not fitted"):
        MSPC().names = {0: "bulk"}


def test_a_column_of_words_is_one_line():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    kind = ["Biscoe"] * 55 + ["Dream"] * 5 + ["Torgersen"] * 10 + ["Dream"] * 30
    table = pandas.DataFrame({"mass": np.r_[rng.normal(0, 1, 60), rng.normal(20, 1, 40)], "island": kind})
    mspc = MSPC(n_clusters=2).fit(table)
    found = [line for line in lines(mspc.profile()) if line["cluster"] == 0 and line["feature"].startswith("island")]
    assert len(found) == 1
    assert found[0]["feature"] == "island=Biscoe" and found[0]["mean"] == pytest.approx(55 / 60)
