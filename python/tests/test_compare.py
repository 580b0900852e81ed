"""Comparisons of methods, refits on halves, and the score that searches go by."""

from __future__ import annotations

import builtins
import json

import numpy as np
import pytest
import separa
from separa import metrics
from separa.exceptions import DataError, ParameterError
from sklearn.cluster import KMeans as Plain
from sklearn.metrics import mutual_info_score
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def table(n=120, seed=0):
    """Two groups, and a column in units that would hide them from k-means."""
    rng = np.random.default_rng(seed)
    groups = np.arange(n) % 2
    X = np.column_stack([rng.normal(8 * groups, 1), rng.normal(size=n), 1e4 * rng.normal(size=n)])
    return X, groups


@pytest.fixture
def without_pandas(monkeypatch):
    plain = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "pandas":
            raise ImportError("no pandas here")
        return plain(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)


def test_the_comparison_is_a_data_frame_the_best_first():
    pandas = pytest.importorskip("pandas")
    X, groups = table()
    found = separa.compare(X, 2, ["kmeans", "mspc"], truth=groups)
    assert isinstance(found, pandas.DataFrame)
    # Both find the groups: the method that was named first comes first.
    assert list(found["method"]) == ["kmeans", "mspc"] and list(found["rank"]) == [1, 2]
    assert (found["accuracy"] == 1).all() and found["score"].iloc[0] >= found["score"].iloc[1]
    assert found.attrs["gap_found"] is True and "comes first" in found.attrs["verdict"]
    assert "accuracy" not in separa.compare(X, 2, ["mspc"])


def test_the_number_of_clusters_may_be_found():
    pytest.importorskip("pandas")
    X, _ = table(300)
    found = separa.compare(X, "auto", ["kmeans", "mspc"], k_max=9)
    assert list(found["k"]) == [2, 2] and found.attrs["auto"]["k"] == 2
    with pytest.raises(ParameterError, match="k_max"):
        separa.compare(X, "auto", k_max=1)
    with pytest.raises(ParameterError, match="`k_max` is for n_clusters=.auto."):
        separa.compare(X, 3, k_max=5)


def test_of_one_cloud_no_method_is_run():
    found = separa.compare(np.random.default_rng(0).normal(size=(300, 2)), "auto")
    assert len(found) == 0 and found.attrs["gap_found"] is False
    assert list(found["method"]) == [] and found["rank"].dtype == "Int64"
    assert found.attrs["verdict"].startswith("no natural clusters")


def test_without_pandas_it_is_a_plain_table(without_pandas):
    X, _ = table()
    found = separa.compare(X, 2, ["kmeans", "mspc"])
    assert isinstance(found, separa.ComparisonTable)
    assert found["method"] == ["kmeans", "mspc"] and len(found) == 2
    none = separa.compare(np.random.default_rng(0).normal(size=(300, 2)), "auto")
    assert none["method"] == [] and none.columns == found.columns
    assert found.rows[0]["rank"] == 1 and found.columns[:3] == ["rank", "method", "score"]
    assert "comes first" in repr(found)
    with pytest.raises(KeyError):
        found["nothing"]


def test_it_is_the_command_lines_comparison(cli, tmp_path):
    X, _ = table(60)
    path = tmp_path / "table.csv"
    np.savetxt(path, X, delimiter=",", header="a,b,c", comments="", fmt="%.17g")
    said = json.loads(cli("compare", path, "-k", "2", "--methods", "mspc,kmeans,cdsk", "--json", "-q"))
    found = separa.compare(X, 2, ["mspc", "kmeans", "cdsk"])
    assert list(found["method"]) == [line["method"] for line in said["results"]]
    assert [repr(s) for s in found["score"]] == [repr(line["score"]) for line in said["results"]]
    assert found.attrs["verdict"] == said["verdict"]


def test_a_score_is_made_of_separation_score_and_agreement():
    X, _ = table()
    found = separa.compare(X, 2, ["mspc", "kmeans"])
    for _, line in found.iterrows():
        known = metrics.separation_score(X, separa.fit(X, line["method"], n_clusters=2).labels_)
        doubt = (1.08 - known) / 1.08 * np.exp(-max(line["agreement"], 0) / 2)
        assert line["score"] == pytest.approx(1 - doubt, abs=1e-12)


def test_a_method_that_fails_does_not_end_the_others():
    X, _ = table(2000)
    found = separa.compare(X, 2, ["kmeans", "cdsk"], max_memory="300K")
    assert list(found["status"]) == ["done", "failed"]
    assert "memory" in found["error"].iloc[1] and found["rank"].isna().iloc[1]


def test_one_cloud_is_said_to_be_one():
    X = np.random.default_rng(0).normal(size=(400, 3))
    found = separa.compare(X, 2, ["mspc", "kmeans"])
    assert found.attrs["gap_found"] is False
    assert found.attrs["verdict"].startswith("no method found clusters with a gap")


def test_threads_and_progress():
    X, _ = table()
    heard = []
    one = separa.compare(X, 2, n_jobs=1, callback=lambda step: heard.append(step.name))
    assert "mspc" in heard and len(heard) == len(one)
    two = separa.compare(X, 2, n_jobs=2)
    assert list(one["score"]) == list(two["score"]) and list(one["method"]) == list(two["method"])
    seen = []
    part = separa.compare(X, 2, n_jobs=1, callback=lambda step: seen.append(step) or len(seen) > 2)
    assert list(part["status"]).count("done") == 2


@pytest.mark.parametrize(
    ("change", "kind", "said"),
    [
        ({"methods": "kmean"}, ParameterError, "did you mean `kmeans`"),
        ({"methods": ["mspc", "mspc"]}, DataError, "named twice"),
        ({"methods": []}, DataError, "no method is named"),
        ({"methods": [3]}, ParameterError, "names of separa.methods"),
        ({"methods": None}, ParameterError, "names of separa.methods"),
        ({"time_limit": 0}, ParameterError, "`time_limit` must be a number of seconds above 0"),
        ({"time_limit": -1}, ParameterError, "`time_limit` must be a number of seconds above 0"),
        ({"time_limit": "long"}, ParameterError, "`time_limit` must be a number"),
        ({"max_memory": 0}, ParameterError, "max_memory"),
        ({"n_clusters": 0}, ParameterError, "n_clusters"),
        ({"n_clusters": 500}, DataError, "all methods failed"),
        ({"truth": [0, 1]}, DataError, "2 labels were given for 120 rows"),
    ],
)
def test_bad_comparisons_are_refused(change, kind, said):
    X, _ = table()
    with pytest.raises(kind, match=said):
        separa.compare(X, **{"n_clusters": 2, "methods": ["mspc", "kmeans"], **change})


def test_stability_of_clusters_and_rows():
    X, _ = table()
    found = separa.stability(X, n_clusters=2, n_refits=6)
    assert found.n_refits == 6 and found.jaccard.shape == (2,) and found.agreement.shape == (120,)
    assert (found.jaccard > 0.95).all() and found.mean_agreement > 0.95
    assert (found.labels == separa.fit(X, n_clusters=2).labels_).all()
    same = separa.stability(X, separa.MSPC(n_clusters=2), n_refits=6, n_jobs=1)
    assert (same.agreement == found.agreement).all() and (same.jaccard == found.jaccard).all()


def test_stability_shows_itself_in_a_line():
    X, _ = table()
    shown = repr(separa.stability(X, "kmeans", n_clusters=2, n_refits=3))
    assert shown == "<separa.Stability: 2 clusters, Jaccard 1.00 to 1.00 over 3 refits>"


def test_stability_of_as_many_clusters_as_are_found():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(place, 1, (80, 3)) for place in (0, 9)])
    found = separa.stability(X, "kmeans", n_clusters="auto", k_max=9, n_refits=4)
    again = separa.stability(X, separa.KMeans(n_clusters="auto", k_max=9), n_refits=4)
    given = separa.stability(X, "kmeans", n_clusters=len(found.jaccard), n_refits=4)
    assert len(found.jaccard) == 2 and found.n_failed == 0
    assert (found.agreement == again.agreement).all() and (found.jaccard == given.jaccard).all()
    with pytest.raises(ParameterError, match="k_max"):
        separa.stability(X, "kmeans", n_clusters="auto", k_max=1)


def test_stability_is_the_command_lines(cli, tmp_path):
    X, _ = table(80)
    path = tmp_path / "table.csv"
    np.savetxt(path, X, delimiter=",", header="a,b,c", comments="", fmt="%.17g")
    said = json.loads(cli("cluster", path, "-k", "2", "--stability", "4", "--json", "-q"))["stability"]
    found = separa.stability(X, n_clusters=2, n_refits=4)
    assert said["jaccard"] == found.jaccard.tolist() and said["mean_agreement"] == found.mean_agreement


@pytest.mark.parametrize("wrong", [0, 1, -3, 2.5, True, "many"])
def test_too_few_refits_are_refused(wrong):
    with pytest.raises(ParameterError, match="`n_refits` must be a whole number from 2"):
        separa.stability(table()[0], n_clusters=2, n_refits=wrong)


def test_stability_of_other_things_is_refused():
    X, _ = table()
    with pytest.raises(ParameterError, match="one of the clustering estimators"):
        separa.stability(X, Plain(2))
    with pytest.raises(ParameterError, match="an estimator has its own parameters; set `n_clusters` there"):
        separa.stability(X, separa.MSPC(), n_clusters=2)
    with pytest.raises(DataError, match="give a table of features"):
        separa.stability([X[:40], X[40:80], X[80:]], "msc", n_clusters=2)


def slow_score(X, labels):
    """The definition with scikit-learn's neighbours and information, and NumPy's axes and loops."""
    Z = (X - X.mean(0)) / X.std(0)
    variances, axes = np.linalg.eigh(Z.T @ Z / len(Z))
    Z = Z @ axes / variances**0.25
    n, k = len(Z), len(np.unique(labels))
    apart, near = NearestNeighbors(n_neighbors=6).fit(Z).kneighbors(Z)
    W = np.zeros((n, n))
    for i in range(n):
        for j, d in zip(near[i, 1:], apart[i, 1:]):
            W[i, j] = np.exp(-(d**2) / (apart[i, 5] * apart[j, 5]))
    W = np.minimum(W, W.T) + 0.1 * np.maximum(W, W.T)
    votes = (W @ np.eye(k)[labels]).argmax(1)
    chance = expected_mutual_information(contingency_matrix(labels, votes), n)
    sizes = np.bincount(labels) / n
    most = np.sqrt(np.log(k) * -np.sum(sizes * np.log(sizes)))
    return (mutual_info_score(labels, votes) - chance) / (most - chance)


@pytest.mark.parametrize("seed", range(5))
def test_scores_are_those_of_another_program(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 4)) * [1, 10, 100, 0.1]
    labels = (X[:, 0] > rng.normal(scale=0.5, size=150)).astype(int) + (X[:, 1] > 5)
    labels = np.unique(labels, return_inverse=True)[1]
    assert metrics.separation_score(X, labels) == pytest.approx(slow_score(X, labels), abs=1e-9)


def test_one_cluster_has_the_worst_score_and_no_exception():
    X, groups = table()
    assert metrics.separation_score(X, np.zeros(120)) == 0
    one = separa.KMeans(n_clusters=1).fit(X)
    assert metrics.separation_scorer(one, X) == 0
    assert metrics.separation_scorer(separa.MSPC(n_clusters=2).fit(X), X[groups == 0]) == 0
    assert metrics.separation_scorer(separa.MSPC(n_clusters=2).fit(X), X[:1]) == 0


def test_searches_find_the_setting_that_separates():
    X, _ = table(240)
    folds = KFold(4, shuffle=True, random_state=0)
    search = GridSearchCV(
        separa.MSPC(), {"scaling": ["none", "standard"], "robust": [True]}, scoring=metrics.separation_scorer, cv=folds
    )
    assert search.fit(X).best_params_["scaling"] == "standard"
    piped = make_pipeline(StandardScaler(), separa.KMeans(n_clusters=2)).fit(X)
    assert 0 <= metrics.separation_scorer(piped, X) <= 1
