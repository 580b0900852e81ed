"""Tables of distances, kernels and affinities."""

from __future__ import annotations

import numpy as np
import pytest
import samples
import sklearn
from separa.exceptions import DataError, ParameterError
from sklearn.model_selection import GridSearchCV, cross_val_predict

#: Method by the parameter that says that the table holds pairs.
WAYS = {
    "msc": "metric",
    "spectral": "affinity",
    "kernel-kmeans": "kernel",
    "cdsk": "similarity",
    "logistic": "kernel",
}


def pairs(name, each=20):
    """Distances for msc, similarities for the others, and the groups."""
    rows, groups = samples.blobs(2, each)
    distances = np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(2))
    return (distances if name == "msc" else np.exp(-(distances**2) / 20)), groups


def fit(way, table, name, **params):
    return samples.fit(way, table, name, **{WAYS[name]: "precomputed"}, n_clusters=2, **params)


@pytest.mark.parametrize("way", ["core", "class"])
@pytest.mark.parametrize("name", WAYS)
def test_tables_of_pairs_are_not_judged_and_it_is_said_why(way, name, recwarn):
    table, groups = pairs(name)
    fitted = fit(way, table, name)
    assert (fitted.labels_ == samples.by_first_appearance(groups)).all()
    assert fitted.msp_ is None and fitted.p_gauss_ is None and fitted.p_unimodal_ is None
    model = fitted if way == "core" else fitted.model_
    assert model.quality_ == {}
    assert any("the quality is left out" in note["text"] for note in model.report_["notes"])
    assert not recwarn.list


@pytest.mark.parametrize("name", WAYS)
def test_estimators_of_pairs_say_that_they_are(name):
    def pairwise(estimator):
        if hasattr(sklearn.utils, "get_tags"):
            return sklearn.utils.get_tags(estimator).input_tags.pairwise
        return estimator._get_tags()["pairwise"]  # scikit-learn 1.5

    assert pairwise(samples.class_of(name)(**{WAYS[name]: "precomputed"})) is True
    assert pairwise(samples.class_of(name)()) is False


@pytest.mark.parametrize("name", WAYS)
def test_searches_take_rows_and_columns_of_pairs_alike(name):
    table, groups = pairs(name)
    estimator = samples.class_of(name)(n_clusters=2, **{WAYS[name]: "precomputed"})
    labels = cross_val_predict(estimator, table, cv=4)
    assert labels.shape == groups.shape
    seen = []

    def agreement(fitted, rows, truth):
        seen.append(rows.shape)
        labels = fitted.predict(rows)
        return max((labels == truth).mean(), (labels != truth).mean())

    search = GridSearchCV(estimator, {"n_clusters": [2]}, scoring=agreement, cv=4)
    search.fit(table, groups)
    assert search.best_score_ == 1.0
    assert set(seen) == {(10, 30)}


WRONG = {
    "shape 30 x 40, expected as many rows as columns": [],
    "row 4, column 3 holds 90, expected .*symmetric": [(0, 1, 20.0), (3, 2, 90.0)],
    "row 3, column 5 holds NaN": [(2, 4, np.nan)],
    "row 1, column 2 holds -1, expected .*>= 0": [(0, 1, -1.0), (1, 0, -1.0)],
    "row 3, column 3 holds 0.5, expected 0": [(2, 2, 0.5)],
}


@pytest.mark.parametrize("way", ["core", "class"])
@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("said", WRONG)
def test_bad_tables_of_pairs_are_refused_by_row_and_column(way, name, said):
    if ("expected 0" in said and name != "msc") or (">= 0" in said and name in ("kernel-kmeans", "logistic")):
        pytest.skip("not wrong there")
    table, _ = pairs(name)
    for row, column, value in WRONG[said]:
        table[row, column] = value
    with pytest.raises(DataError, match=said):
        fit(way, table if WRONG[said] else table[:30], name)


SETTINGS = [
    ("msc", {"gamma": 0.0}, "`gamma` must be .*got 0"),
    ("spectral", {"gamma": -1.0}, "`gamma` must be .*got -1"),
    ("kernel-kmeans", {"gamma": 0.0}, "`gamma` must be .*got 0"),
    ("cdsk", {"gamma": 0.0}, "`gamma` must be .*got 0"),
    ("cdsk", {"rho": 0.0}, "`rho` must be a number above 0, at most 1, got 0"),
    ("cdsk", {"h": -1.0}, "`h` must be a positive number, got -1"),
    ("msc", {"weights": [1.0, -0.5] * 20}, "`weights` must be .*got -0.5 for row 2"),
    ("msc", {"weights": [0.0] * 40}, "`weights` must be .*got 0 for row 1"),
    ("msc", {"weights": [1.0] * 3}, r"`weights` must be one number a row \(40\), got 3 numbers"),
]


@pytest.mark.parametrize("way", ["core", "class"])
@pytest.mark.parametrize(("name", "params", "said"), SETTINGS)
def test_bad_settings_of_pairs_are_named(way, name, params, said):
    with pytest.raises(ParameterError, match=said):
        fit(way, pairs(name)[0], name, **params)


@pytest.mark.parametrize("way", ["core", "class"])
@pytest.mark.parametrize("name", WAYS)
def test_new_rows_need_a_column_for_every_row_of_the_fit(way, name):
    table, groups = pairs(name)
    fitted = fit(way, table, name)
    assert (fitted.predict(table[:7]) == fitted.labels_[:7]).all()
    # scikit-learn's own check speaks first for a class.
    with pytest.raises((DataError, ValueError), match="39 feature.* 40"):
        fitted.predict(table[:, :39])
