"""Probabilities and confidence: of every method, and what they promise."""

from __future__ import annotations

import numpy as np
import pytest
import samples
import separa
from separa.exceptions import DataError

WITH = [method["name"] for method in samples.METHODS if method["proba"]]
WITHOUT = [name for name in samples.NAMES if name not in WITH]


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("name", samples.NAMES)
def test_rows_sum_to_one_and_the_largest_is_the_label(name, k):
    rows, _ = samples.blobs(max(k, 2))
    for way in ("core", "class"):
        fitted = samples.fit(way, rows, name, n_clusters=k)
        p = fitted.predict_proba(rows)
        assert p.shape == (len(rows), k) and p.dtype == np.float64
        assert np.allclose(p.sum(1), 1, atol=1e-12) and (p >= 0).all()
        assert (p.argmax(1) == fitted.predict(rows)).all()
    again = separa.Model.from_bytes(fitted.model_.to_bytes())
    assert (again.predict_proba(rows) == p).all()


@pytest.mark.parametrize("name", samples.NAMES)
def test_classes_offer_probabilities_before_the_fit(name):
    assert hasattr(samples.class_of(name)(), "predict_proba")


def test_names_of_clusters_stand_beside_the_confidence():
    rows, _ = samples.blobs(3)
    model = samples.fit("class", rows, "kmeans", n_clusters=3)
    assert "name" not in model.confidence(rows)
    model.model_.names = {0: "bulk", 2: "premium"}
    for sure in (model.confidence(rows), model.model_.confidence(rows)):
        assert list(sure.columns) == ["cluster", "confidence", "runner_up", "margin", "name"]
        assert [sure["name"][list(sure["cluster"]).index(c)] for c in (0, 2)] == ["bulk", "premium"]
        assert sure["name"][sure["cluster"] == 1].isna().all()


@pytest.mark.parametrize("name", WITHOUT)
def test_where_a_method_has_no_probabilities_they_are_its_confidence(name):
    rows, _ = samples.blobs(3)
    fitted = samples.fit("class", rows, name, n_clusters=3)
    sure = fitted.confidence(rows)
    assert list(sure.columns) == ["cluster", "confidence", "runner_up", "margin"]
    assert np.allclose(fitted.predict_proba(rows).max(1), sure["confidence"], atol=1e-12)
    assert (sure["cluster"] == fitted.labels_).all() and (sure["margin"] >= 0).all()
    scores = fitted.decision_function(rows)
    # Several clusters can be second.
    assert (scores[np.arange(len(rows)), sure["runner_up"]] == np.sort(scores, axis=1)[:, -2]).all()
    assert sure["confidence"].between(1 / 3, 1).all()


def test_one_cluster_is_sure_and_has_no_runner_up():
    rows, _ = samples.blobs(2)
    sure = separa.fit(rows, "kmeans", n_clusters=1).confidence(rows)
    assert (sure["confidence"] == 1).all() and (sure["runner_up"] == -1).all() and sure["margin"].isna().all()


def test_of_rows_with_confidence_p_a_fraction_p_keeps_its_cluster_in_refits_on_fresh_samples():
    """Clusters that overlap, drawn anew from what they are: real refits, nothing of the first sample in them."""
    from scipy.optimize import linear_sum_assignment

    def sample(seed):
        rng = np.random.default_rng(seed)
        centres = np.array([[0.0, 0.0, 0.0], [2.5, 0.0, 0.0], [0.0, 3.0, 0.0]])
        return centres[rng.integers(3, size=240)] + rng.normal(size=(240, 3))

    new = sample(99)
    for name in ("kmeans", "mspc", "logistic"):
        sure, kept = [], []
        for seed in range(12):
            found = separa.fit(sample(seed), name, n_clusters=3).confidence(new)
            label = found["cluster"].to_numpy()
            for other in range(6):
                again = separa.fit(sample(1000 + 10 * seed + other), name, n_clusters=3, quality=False).predict(new)
                table = np.zeros((3, 3))
                np.add.at(table, (label, again), 1)
                sure.append(found["confidence"].to_numpy())
                kept.append(linear_sum_assignment(-table)[1][label] == again)
        sure, kept = np.concatenate(sure), np.concatenate(kept)
        bins = np.minimum((10 * sure).astype(int), 9)
        error = sum(abs(sure[bins == b].mean() - kept[bins == b].mean()) * (bins == b).mean() for b in set(bins))
        # Twelve fits: how rare another outcome is is known from a few refits each.
        assert error < 0.075, f"{name}: {error:.3f}"
        assert kept[sure < 0.7].mean() < kept[sure > 0.9].mean() - 0.1, name


def test_classifiers_say_that_they_have_no_probabilities():
    rows, y = samples.blobs(2)
    model = separa.MPMClassifier().fit(rows, y).model_
    with pytest.raises(DataError, match="mpm gives no probabilities; methods that do: .*logistic"):
        model.predict_proba(rows)


def test_logistic_probabilities_are_the_softmax_of_the_decision():
    rows, _ = samples.blobs(3, gap=2.0)
    model = separa.LogisticClustering(3).fit(rows)
    f = model.decision_function(rows)
    p = np.exp(f - f.max(1, keepdims=True))
    assert np.allclose(model.predict_proba(rows), p / p.sum(1, keepdims=True), atol=1e-12)
    assert np.allclose(rows @ model.coef_.T + model.intercept_, f)
    two = separa.LogisticClustering(2).fit(rows)
    sigmoid = 1 / (1 + np.exp(-two.decision_function(rows)))
    assert np.allclose(two.predict_proba(rows)[:, 1], sigmoid, atol=1e-12)


def test_fuzzy_memberships_fall_with_the_squared_distance():
    rows, _ = samples.blobs(2, gap=3.0)
    model = separa.FuzzyKMeans(2, sigma2=5.0).fit(rows)
    p = model.predict_proba(rows)
    centres = p.T @ rows / p.sum(0)[:, None]
    d2 = ((rows[:, None] - centres) ** 2).sum(2)
    slow = np.exp(-d2 / 5.0)
    # The centres are the means of these memberships but for the last iteration's tolerance.
    assert np.allclose(p, slow / slow.sum(1, keepdims=True), atol=2e-3)


def test_logistic_and_scikit_learn_agree_on_the_supervised_problem():
    """With the labels it found as truth, a plain softmax finds nearly the same boundary."""
    from sklearn.linear_model import LogisticRegression

    rows, _ = samples.blobs(2, gap=4.0)
    model = separa.LogisticClustering(2).fit(rows)
    taught = LogisticRegression().fit(rows, model.labels_)
    assert (taught.predict(rows) == model.labels_).mean() > 0.97
