"""Novelty and drift: new rows compared with those that a model learnt from."""

from __future__ import annotations

import numpy as np
import pytest
import samples
import separa
from separa.exceptions import DataError


def test_novelty_agrees_with_the_mahalanobis_distance_of_scipy():
    from scipy.spatial.distance import mahalanobis

    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 3)) @ np.array([[2, 1, 0], [0, 1, 0.5], [0, 0, 1]])
    model = separa.fit(X, "kmeans", n_clusters=1)
    found = model.novelty(X[:50])
    inverse = np.linalg.inv(np.cov(X.T))
    slow = np.array([mahalanobis(row, X.mean(0), inverse) for row in X[:50]])
    # Of the middle 95 % of the rows, whose spread is a little smaller.
    ratio = found["novelty"] / slow
    assert 1.0 < ratio.median() < 1.25 and ratio.std() < 0.1


@pytest.mark.parametrize("name", samples.NAMES)
def test_every_method_has_novelty_and_drift(name):
    rows, _ = samples.blobs(3, each=60)
    for way in ("core", "class"):
        fitted = samples.fit(way, rows, name, n_clusters=3)
        found = fitted.novelty(np.vstack([rows, [[200.0, 0.0, 0.0]]]))
        assert list(found.columns) == ["cluster", "novelty", "novelty_p"]
        assert (found["cluster"][:-1] == fitted.labels_).all()
        assert found["novelty_p"].iloc[-1] == pytest.approx(1 / 181)
        assert not fitted.drift(rows)["drift"]
        assert fitted.drift(rows + 3.0)["drift"]
    again = separa.Model.from_bytes(fitted.model_.to_bytes())
    assert (again.novelty(rows)["novelty_p"] == found["novelty_p"][:-1]).all()


def test_bad_input_is_told():
    rows, y = samples.blobs(2)
    model = separa.fit(rows, "kmeans", n_clusters=2)
    for alpha in (0, 1, -0.5):
        with pytest.raises(ValueError, match="alpha"):
            model.drift(rows, alpha=alpha)
    with pytest.raises(ValueError, match="columns"):
        model.novelty(rows[:, :2])
    classifier = separa.MPMClassifier().fit(rows, y).model_
    with pytest.raises(DataError, match="it is a classifier"):
        classifier.drift(rows)
    assert not model.drift(rows[:1])["drift"] and "too few to tell" in model.drift(rows[:1])["text"]
