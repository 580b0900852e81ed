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
    with pytest.raises(ValueError, match="there is no profile"):
        separa.fit(x, n_clusters=2, quality=False).profile()
    with pytest.raises(ValueError, match="two clusters or more"):
        separa.fit(x, n_clusters=1).profile()
