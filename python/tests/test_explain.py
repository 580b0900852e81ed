"""Rules in words and explanations of rows, against scikit-learn and NumPy."""

import numpy as np
import pytest
import separa
from separa import KMeans, MPMClassifier, MSPC

sklearn_datasets = pytest.importorskip("sklearn.datasets")
tree = pytest.importorskip("sklearn.tree")


def holds(rule, X):
    """The rows that a rule of numbers holds for."""
    found = np.ones(len(X), dtype=bool)
    for c in rule["conditions"]:
        value = X[:, int(c["column"].removeprefix("column ")) - 1]
        found &= value > c["value"] if c["op"] == ">" else value <= c["value"]
    return found


@pytest.mark.parametrize("name, k", [("iris", 3), ("wine", 3), ("breast_cancer", 2)])
def test_rules_are_as_faithful_as_a_tree_of_scikit_learn(name, k):
    X = getattr(sklearn_datasets, f"load_{name}")().data
    fitted = KMeans(n_clusters=k).fit(X)
    labels, rules = fitted.labels_, fitted.rules(X)
    # Every row has one rule, and together they are as often right as they say, on all rows about.
    covered = np.array([holds(rule, X) for rule in rules.rules])
    assert (covered.sum(axis=0) == 1).all()
    said = np.array([rule["cluster"] for rule in rules.rules])[covered.argmax(axis=0)]
    assert np.mean(said == labels) == pytest.approx(rules.fidelity, abs=0.06)
    fidelity = []
    rng = np.random.default_rng(0)
    for seed in range(10):
        order = rng.permutation(len(X))
        one, other = order[: len(X) // 2], order[len(X) // 2 :]
        theirs = tree.DecisionTreeClassifier(max_depth=4, random_state=seed).fit(X[one], labels[one])
        fidelity.append(theirs.score(X[other], labels[other]))
    # One half against the mean of ten: the halves differ by this much.
    assert rules.fidelity >= np.mean(fidelity) - max(0.04, 3 * np.std(fidelity))
    assert rules.baseline == pytest.approx(np.bincount(labels).max() / len(X), abs=0.02)


def test_rules_name_columns_and_levels():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    kind = np.repeat(["cat", "dog", "bird"], 40)
    frame = pandas.DataFrame({"animal": kind, "weight": np.r_[rng.normal(4, 0.5, 40), rng.normal(30, 3, 40), rng.normal(0.1, 0.01, 40)]})
    fitted = KMeans(n_clusters=3, prepare="auto").fit(frame)
    rules = fitted.rules(frame)
    assert rules.fidelity == 1.0
    assert {c["column"] for rule in rules.rules for c in rule["conditions"]} <= {"animal", "weight"}
    for c in (c for rule in rules.rules for c in rule["conditions"]):
        assert c["op"] in ((">", "<=") if c["column"] == "weight" else ("is", "is not"))
    assert str(fitted.model_.rules(frame)) == str(rules)


def test_rules_of_a_classifier_name_its_classes():
    data = sklearn_datasets.load_iris()
    fitted = MPMClassifier().fit(data.data, data.target_names[data.target])
    rules = fitted.rules(data.data)
    assert {rule["name"] for rule in rules.rules} == set(data.target_names)
    assert "class setosa if" in str(rules)


def test_rules_of_sparse_rows_are_those_of_dense_ones():
    sparse = pytest.importorskip("scipy.sparse")
    X = sklearn_datasets.load_iris().data
    fitted = KMeans(n_clusters=3).fit(X)
    assert str(fitted.rules(sparse.csr_matrix(X))) == str(fitted.rules(X))


@pytest.mark.parametrize("verb", ["rules", "explain"])
def test_what_needs_the_table_says_so(verb):
    fitted = KMeans(n_clusters=2).fit(sklearn_datasets.load_iris().data)
    for one in (fitted, fitted.model_):
        with pytest.raises(TypeError, match=rf"^{verb}\(\) needs the table: {verb}\(X\)$"):
            getattr(one, verb)()


def test_rules_that_cannot_be_say_why():
    X = sklearn_datasets.load_iris().data
    fitted = KMeans(n_clusters=3).fit(X)
    with pytest.raises(ValueError, match="one cluster in these rows"):
        fitted.rules(X[:1])
    with pytest.raises(ValueError, match="4 features"):
        fitted.rules(X[:, :3])
    with pytest.raises(separa.exceptions.DataError, match="3 feature columns, but the model was fitted on 4"):
        fitted.model_.rules(X[:, :3])
    bags = [X[:50], X[50:100], X[100:]]
    model = separa.fit(bags, method="msc", n_clusters=2)
    with pytest.raises(ValueError, match="bags"):
        model.rules(bags)


@pytest.mark.parametrize("method, k", [("mspc", 2), ("mspc", 3), ("kmeans", 3), ("kernel-kmeans", 3), ("spectral", 3), ("armc", 3)])
def test_contributions_add_up_to_the_margin_and_changes_move_the_row(method, k):
    X = sklearn_datasets.load_wine().data
    model = separa.fit(X, method=method, n_clusters=k, quality=False)
    rows = [0, 70, 150]
    decision = model.decision_function(X)
    for why in model.explain(X, rows=rows):
        x = X[why.row]
        assert why.cluster == model.predict(X)[why.row] != why.runner_up
        total = why.base + sum(why.contributions.values()) + why.info["rest"]["contribution"]
        scale = 1 + sum(abs(v) for v in why.contributions.values())
        assert total == pytest.approx(why.margin, abs=1e-10 * scale)
        if hasattr(model, "coef_") and k == 2:
            assert why.margin == pytest.approx(abs(decision[why.row]), rel=1e-10)
        for changes in [why.counterfactual["changes"], *([c] for c in why.single_changes)]:
            moved = x.copy()
            for c in changes:
                moved[int(c["column"].removeprefix("column ")) - 1] = c["to"]
            assert model.predict([moved])[0] == why.runner_up


def test_exact_contributions_are_terms_of_the_linear_rule():
    X = sklearn_datasets.load_iris().data
    fitted = KMeans(n_clusters=3).fit(X)
    (why,) = fitted.explain(X, rows=100)
    assert why.method == "exact"
    weights = fitted.coef_[why.cluster] - fitted.coef_[why.runner_up]
    for c in why.info["contributions"]:
        j = int(c["column"].removeprefix("column ")) - 1
        assert c["contribution"] == pytest.approx(weights[j] * (c["value"] - c["boundary"]), rel=1e-10, abs=1e-12)
    assert why.margin == pytest.approx(X[100] @ weights + fitted.intercept_[why.cluster] - fitted.intercept_[why.runner_up], rel=1e-10)


def test_the_smallest_change_is_the_distance_to_the_plane():
    # No value is beyond the limits of the scaler, where the plane is not all there is.
    X = np.random.default_rng(0).uniform(size=(200, 3)) + np.repeat([[0, 0, 0], [3, 1, 2]], 100, axis=0)
    fitted = KMeans(n_clusters=2).fit(X)
    (why,) = fitted.explain(X, rows=[3])
    expected = abs(fitted.decision_function(X)[3]) / np.linalg.norm(fitted.coef_[0] * X.std(axis=0))
    assert why.counterfactual["smallest"]
    assert why.counterfactual["distance"] == pytest.approx(expected, rel=1e-5)


def test_classes_are_named_and_new_rows_compared_with_others():
    data = sklearn_datasets.load_iris()
    fitted = MPMClassifier().fit(data.data, data.target_names[data.target])
    (why,) = fitted.explain(data.data[:1] + 0.01, background=data.data)
    assert why.cluster == "setosa" and why.runner_up in ("versicolor", "virginica")
    assert "runner-up" in str(why) and "setosa" in repr(why)


def test_explanations_of_sparse_rows_are_those_of_dense_ones():
    sparse = pytest.importorskip("scipy.sparse")
    X = sklearn_datasets.load_iris().data
    fitted = KMeans(n_clusters=3).fit(X)
    assert fitted.explain(sparse.csr_matrix(X), rows=[7])[0].info == fitted.explain(X, rows=[7])[0].info


def test_rows_that_cannot_be_explained_say_why():
    X = sklearn_datasets.load_iris().data
    fitted = KMeans(n_clusters=3).fit(X)
    with pytest.raises(separa.exceptions.DataError, match="row 150 is not in the table, expected a number from 0 to 149"):
        fitted.explain(X, rows=[150])
    with pytest.raises(ValueError, match="whole numbers"):
        fitted.explain(X, rows="first")
    with pytest.raises(ValueError, match="4 features"):
        fitted.explain(X[:, :2])
    with pytest.raises(ValueError, match="one cluster"):
        KMeans(n_clusters=1).fit(X).explain(X, rows=[0])
    with pytest.raises(ValueError, match="bags"):
        bags = [X[:50], X[50:100], X[100:]]
        separa.fit(bags, method="msc", n_clusters=2).explain(bags, rows=[0])
