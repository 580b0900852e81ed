"""Probabilities: where a method has them, and what they promise."""

from __future__ import annotations

import numpy as np
import pytest
import samples
import separa
from separa.exceptions import DataError

WITH = [method["name"] for method in samples.METHODS if method["proba"]]
WITHOUT = [name for name in samples.NAMES if name not in WITH]


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("name", WITH)
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


@pytest.mark.parametrize("name", WITHOUT)
def test_methods_without_probabilities_do_not_offer_them(name):
    rows, _ = samples.blobs(2)
    estimator = samples.class_of(name)()
    assert not hasattr(estimator, "predict_proba")
    with pytest.raises(DataError, match=f"{name} gives no probabilities; methods that do: .*logistic"):
        separa.fit(rows, name, n_clusters=2).predict_proba(rows)


@pytest.mark.parametrize("name", WITH)
def test_classes_with_probabilities_offer_them_before_the_fit(name):
    assert hasattr(samples.class_of(name)(), "predict_proba")


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
    # The centres are the means of these memberships but for the last round's tolerance.
    assert np.allclose(p, slow / slow.sum(1, keepdims=True), atol=2e-3)


def test_logistic_and_scikit_learn_agree_on_the_supervised_problem():
    """With the labels it found as truth, a plain softmax finds nearly the same boundary."""
    from sklearn.linear_model import LogisticRegression

    rows, _ = samples.blobs(2, gap=4.0)
    model = separa.LogisticClustering(2).fit(rows)
    taught = LogisticRegression().fit(rows, model.labels_)
    assert (taught.predict(rows) == model.labels_).mean() > 0.97
