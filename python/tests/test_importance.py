"""Which features separate: the same in every way to ask, by name or number, in files and pickles."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import separa
from separa import metrics
from separa.exceptions import DataError, ParameterError

NAMES = ["noise", "signal", "more noise"]


def table(n=200, seed=0):
    """Two groups, of which one column in three knows."""
    X = np.random.default_rng(seed).normal(size=(n, 3))
    X[n // 2 :, 1] += 7
    return X, np.arange(n) // (n // 2)


def test_the_column_that_knows_has_nearly_all():
    X, groups = table()
    shares = metrics.feature_importance(X, groups)
    assert list(shares) == [(0, 1)]
    assert next(iter(shares[0, 1])) == 1 and shares[0, 1][1] > 0.9
    assert sum(shares[0, 1].values()) == pytest.approx(1, abs=1e-12)


def test_shares_are_those_of_numpy():
    X, groups = table(seed=3)
    a, b = X[groups == 0], X[groups == 1]
    shares = metrics.feature_importance(X, groups, reg=0)[0, 1]
    d = a.mean(0) - b.mean(0)
    # kappa is the square root of the largest d'(S_a/s + S_b/(1-s))^-1 d over s, w its vector.
    forms = [
        (np.linalg.solve(np.cov(a.T, bias=True) / s + np.cov(b.T, bias=True) / (1 - s), d), s)
        for s in np.linspace(0.001, 0.999, 4999)
    ]
    w = max(forms, key=lambda form: d @ form[0])[0]
    expected = w * d / (w @ d)
    assert [shares[j] for j in range(3)] == pytest.approx(expected, abs=2e-3)


def test_units_do_not_matter():
    X, groups = table()
    before = metrics.feature_importance(X, groups)[0, 1]
    after = metrics.feature_importance(X * [1e-3, 1e3, 60] + [5, -7, 1], groups)[0, 1]
    assert [after[j] for j in before] == pytest.approx(list(before.values()), abs=1e-9)


def test_estimators_models_and_files_have_them(tmp_path):
    X, _ = table()
    fitted = separa.MSPC(n_clusters=2).fit(X)
    shares = fitted.feature_importance_
    assert next(iter(shares[0, 1])) == 1
    assert shares == metrics.feature_importance(X, fitted.labels_)
    assert shares == metrics.quality(X, fitted.labels_).feature_importance
    assert pickle.loads(pickle.dumps(fitted)).feature_importance_ == shares
    separa.save(fitted, tmp_path / "rule.separa")
    assert separa.load(tmp_path / "rule.separa").feature_importance_ == shares


def test_columns_with_names_are_called_by_them():
    pandas = pytest.importorskip("pandas")
    X, groups = table()
    frame = pandas.DataFrame(X, columns=NAMES)
    shares = metrics.feature_importance(frame, groups)
    assert next(iter(shares[0, 1])) == "signal"
    fitted = separa.MSPC(n_clusters=2).fit(frame)
    assert set(fitted.feature_importance_[0, 1]) == set(NAMES)
    assert pandas.DataFrame(shares).shape == (3, 1)


def test_curved_rules_are_asked_by_exchange():
    rng = np.random.default_rng(0)
    angle, radius = rng.uniform(0, 2 * np.pi, 300), np.repeat([0.0, 5.0], 150)
    X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(300)])
    X += rng.normal(scale=0.3, size=X.shape)
    fitted = separa.SpectralClustering(n_clusters=2).fit(X)
    shares = fitted.feature_importance_[0, 1]
    assert shares[0] > 0.25 and shares[1] > 0.25 and abs(shares[2]) < 0.2


def test_fewer_features_and_words_for_labels():
    X, groups = table()
    words = np.array(["left", "right"])[groups]
    shares = metrics.feature_importance(X, words, n_features=1)
    assert list(shares) == [("left", "right")] and list(shares["left", "right"]) == [1]


def test_one_cluster_and_fits_without_judgement_have_none():
    X, _ = table()
    assert metrics.feature_importance(X, np.zeros(len(X))) == {}
    assert separa.fit(X, n_clusters=2, quality=False).feature_importance_ == {}


@pytest.mark.parametrize("wrong", [0, -1, 1.5, True, "two"])
def test_a_wrong_number_of_features_is_refused(wrong):
    X, groups = table()
    with pytest.raises(ParameterError, match="`n_features` must be None or a whole number from 1"):
        metrics.feature_importance(X, groups, n_features=wrong)


def test_labels_must_fit_the_rows():
    X, groups = table()
    with pytest.raises(DataError, match="199 labels were given for 200 rows"):
        metrics.feature_importance(X, groups[1:])
