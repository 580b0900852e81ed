"""``n_clusters="auto"``: the number of clusters is found, in every class."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import samples
import separa
from separa.exceptions import ParameterError

RNG = np.random.default_rng(0)
THREE = np.vstack([RNG.normal(c, 1.0, (60, 3)) for c in (0.0, 12.0, 24.0)])
TWO = THREE[:120]
ONE = RNG.normal(size=(200, 3))


@pytest.mark.parametrize("method", samples.METHODS, ids=samples.NAMES)
def test_every_class_finds_the_number(method):
    cls = getattr(separa, method["class"])
    found = cls(n_clusters="auto").fit(TWO)
    assert found.n_clusters_ == 2 and found.auto_["k"] == 2
    assert found.auto_["k_per_run"] == [2, 2, 2]
    assert {step["step"] for step in found.auto_["history"]} <= {"merge", "split"}
    # The parameter stays what it was, as scikit-learn wants.
    assert found.get_params()["n_clusters"] == "auto" and found.k_max is None
    assert found.model_.params["n_clusters"] == 2


def test_a_group_far_outside_is_fitted_as_it_was_counted():
    # The class passes robust=True, its default, by name.
    rng = np.random.default_rng(0)
    far = np.vstack([rng.normal(0, 1, (500, 3)), rng.normal(15, 1, (26, 3))])
    found = separa.MSPC(n_clusters="auto").fit(far)
    assert np.bincount(found.labels_).tolist() == [500, 26]
    np.testing.assert_array_equal(found.labels_, separa.fit(far, n_clusters="auto").labels_)
    assert separa.compare(far, "auto", methods=["mspc"], truth=found.labels_)["ari"][0] == 1.0


def test_words_that_are_no_number_are_refused():
    with pytest.raises(ParameterError, match='or "auto", got "many"'):
        separa.MSPC(n_clusters="many").fit(TWO)


def test_no_clusters_are_one():
    found = separa.MSPC(n_clusters="auto").fit(ONE)
    assert found.n_clusters_ == 1 and set(found.labels_) == {0}
    assert found.msp_ is None and found.p_unimodal_ is None
    assert 0.0 <= found.auto_["p"] <= 1.0
    notes = found.model_.report_["notes"]
    assert any(note["text"].startswith("no natural clusters (p = ") for note in notes)
    assert set(found.predict(ONE + 100)) == {0}


def test_no_clusters_are_a_warning_with_the_next_step():
    rows = np.random.default_rng(0).random((400, 2)) * [12, 1]
    with pytest.warns(separa.exceptions.SeparaWarning, match="if you need segments anyway") as caught:
        found = separa.KMeans(n_clusters="auto").fit(rows)
    best = found.auto_["best_segments"]
    said = str(caught[0].message).removeprefix("kmeans: ")
    assert said.startswith("no natural clusters (p = ") and "): every row is labelled 0; if you need" in said
    assert f"; set n_clusters={best}" in str(caught[0].message)
    assert [one["k"] for one in found.auto_["segments"]] == list(range(2, 9))
    assert len(set(found.set_params(n_clusters=best).fit(rows).labels_)) == best


def test_the_warning_of_no_clusters_knows_outliers():
    rows = np.vstack([np.random.default_rng(0).normal(size=(300, 3)), [[99.0, 99.0, 99.0]]])
    with pytest.warns(separa.exceptions.SeparaWarning, match="every row but outliers is labelled 0; segments would be"):
        found = separa.MSPC(n_clusters="auto", outliers="mark").fit(rows)
    assert set(found.labels_) == {-1, 0}


def test_a_time_limit_is_a_number_of_seconds():
    for wrong in (0, -1, "long", float("nan")):
        with pytest.raises(ParameterError, match="`time_limit` must be a number"):
            separa.fit(TWO, n_clusters="auto", time_limit=wrong)
    assert separa.fit(TWO, n_clusters="auto", time_limit=3600).auto_["time_limit"] is None


def test_auto_is_told_only_where_it_was_asked_for():
    found = separa.KMeans(n_clusters="auto").fit(THREE)
    again = found.set_params(n_clusters=2).fit(THREE)
    assert not hasattr(again, "auto_")
    with pytest.raises(AttributeError, match="given, not found"):
        separa.fit(THREE, n_clusters=2).auto_


def test_the_number_is_kept_in_pickles_and_files(tmp_path):
    found = separa.MSPC(n_clusters="auto").fit(THREE)
    again = pickle.loads(pickle.dumps(found))
    assert again.auto_ == found.auto_ and again.n_clusters_ == 3
    separa.save(found, tmp_path / "m.separa")
    assert separa.load(tmp_path / "m.separa").auto_ == found.auto_


def test_seeds_and_threads():
    one = separa.fit(THREE, n_clusters="auto", random_state=3, n_jobs=1)
    two = separa.fit(THREE, n_clusters="auto", random_state=3, n_jobs=2)
    assert one.auto_ == two.auto_ and (one.labels_ == two.labels_).all()


def test_k_max_bounds_the_number():
    assert separa.MSPC(n_clusters="auto", k_max=2).fit(THREE).n_clusters_ <= 2
    for wrong in (1, 0, -3, 2.5, "two", True):
        with pytest.raises(separa.exceptions.ParameterError, match="`k_max`"):
            separa.MSPC(n_clusters="auto", k_max=wrong).fit(THREE)


def test_bad_input():
    with pytest.raises(ValueError, match="too few to tell how many clusters"):
        separa.MSPC(n_clusters="auto").fit(THREE[:9])
    with pytest.raises(ValueError, match="auto found 3 clusters, but mspc: parameter `solver`"):
        separa.MSPC(n_clusters="auto", solver="gep").fit(THREE)
    with pytest.raises(ValueError, match="n_clusters"):
        separa.MSPC(n_clusters="automatic").fit(THREE)
