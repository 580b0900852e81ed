"""What CDSK tells beside labels: weights of the rows, exemplars, the similarity that was chosen."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import samples
import separa
from separa import CDSK
from separa.exceptions import ParameterError, SeparaWarning


def test_weights_and_typical_rows_are_those_of_the_clusters(wine):
    rows, _, _ = wine
    cdsk = CDSK(n_clusters=3).fit(rows)
    assert cdsk.alpha_.shape == (len(rows),)
    assert cdsk.alpha_ == pytest.approx(1 / len(rows))
    assert len(cdsk.exemplars_) == 3
    for cluster, places in enumerate(cdsk.exemplars_):
        assert len(places) == 5 and (cdsk.labels_[places] == cluster).all()
    starts = cdsk.model_.report_["initializations"]
    assert [s["name"] for s in starts] == ["c-x4", "c-x7", "h-x4", "h-x7", "raw-st7", "raw-m7"]
    best = max(starts, key=lambda s: s["score"])
    assert best["chosen"] and cdsk.similarity_ == best["name"]
    again = pickle.loads(pickle.dumps(cdsk))
    assert (again.alpha_ == cdsk.alpha_).all() and again.similarity_ == cdsk.similarity_
    assert all((a == b).all() for a, b in zip(again.exemplars_, cdsk.exemplars_))


def test_learnt_weights_differ_and_sum_to_one():
    rows, _ = samples.blobs(3, 30)
    cdsk = CDSK(n_clusters=3, variant="exact", similarity="rbf").fit(rows)
    assert cdsk.alpha_.sum() == pytest.approx(1.0)
    assert (cdsk.alpha_ >= 0).all() and len(np.unique(cdsk.alpha_)) > 1


def test_the_printed_algorithm_warns_that_it_collapsed():
    rows, _ = samples.blobs(3, 30)
    with pytest.warns(SeparaWarning, match="the learnt weights collapsed"):
        CDSK(n_clusters=3, variant="paper").fit(rows)


@pytest.mark.parametrize("way", ["core", "class"])
@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"similarity": "h-x"}, 'got "h-x", did you mean "h-x7"'),
        ({"similarity": "nonsense"}, 'got "nonsense"'),
        ({"n_clusters": 61}, r"at most the number of rows \(60\), got 61"),
        ({"variant": "learnt"}, "`variant` must be one of graph, exact, paper"),
        ({"rho": 2.0, "variant": "exact"}, "`rho` must be a number above 0, at most 1, got 2"),
        ({"landmarks": 0}, "`landmarks` must be a whole number, 1 or more, got 0"),
    ],
)
def test_bad_settings_are_named(way, params, said):
    with pytest.raises(ParameterError, match=said):
        samples.fit(way, samples.blobs(2, 30)[0], "cdsk", **params)


def test_more_parts_than_clusters_are_said_and_copies_share_a_label():
    places = np.array([[0, 0], [900, 0], [0, 900], [900, 900]], dtype=float)
    rows = np.repeat(places, 12, axis=0) + np.random.default_rng(0).normal(size=(48, 2))
    rows = np.vstack([rows, rows[:5], np.zeros((2, 2))])
    with pytest.warns(SeparaWarning, match="components, more than the 2 clusters asked for"):
        model = separa.fit(rows, "cdsk", n_clusters=2, similarity="raw-x4")
    assert (model.labels_[48:53] == model.labels_[:5]).all()
    assert model.labels_[53] == model.labels_[54]
    assert (model.predict(rows) == model.labels_).all()
