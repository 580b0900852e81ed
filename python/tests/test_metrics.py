"""Measures: the command line's figures to the last bit, closed forms, and other libraries'."""

from __future__ import annotations

import json
from math import log

import numpy as np
import pytest
import samples
import separa
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from scipy.spatial.distance import cdist
from separa import exceptions, metrics
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score


def labellings():
    _, _, classes = samples.wine()
    rng = np.random.default_rng(0)
    aside = classes.astype(int)
    aside[rng.choice(len(aside), 20, replace=False)] = -1
    two = np.where(classes == "1", "grape, red", 'w"hite')
    return {
        "two groups": rng.integers(0, 2, len(classes)),
        "two groups of words": two,
        "three groups": classes.astype(int) + 4,
        "three groups of words": np.array(["Barolo", "Grignolino", "Barbera"])[classes.astype(int)],
        "three clusters and outliers": aside,
        "five groups": rng.integers(0, 5, len(classes)),
        "one group": np.zeros(len(classes), dtype=int),
    }


LABELLINGS = labellings()


@pytest.fixture
def score(cli, wine, tmp_path):
    """What `separa score` says about wine rows with these labels."""

    def ask(labels, *more):
        values, names, classes = wine
        quoted = ['"' + str(label).replace('"', '""') + '"' for label in labels]
        lines = [
            ",".join([*map(repr, row), label, kind])
            for row, label, kind in zip(values.tolist(), quoted, classes)
        ]
        path = tmp_path / "labelled.csv"
        path.write_text("\n".join([",".join([*names, "label", "kind"]), *lines]), encoding="utf-8")
        said = cli("score", path, "--labels", "label", "--truth", "kind", "--json", "-q", *more)
        return json.loads(said)

    return ask


@pytest.mark.parametrize("reg", [1.0, 0.0, 0.3])
@pytest.mark.parametrize("which", LABELLINGS)
def test_quality_is_the_command_lines_to_the_last_bit(which, reg, score, wine):
    labels = LABELLINGS[which]
    said = score(labels, "--reg", reg, "--seed", 5)
    found = metrics.quality(wine[0], labels, reg=reg, random_state=5)
    apart = ("pairs", "verdict", "importance", "feature_importance", "agreement", "agreement_chance")
    own = {name: value for name, value in vars(found).items() if name not in apart}
    expected = {name: value for name, value in said["quality"].items() if name not in apart}
    assert repr(sorted(own.items())) == repr(sorted(expected.items()))
    for ours, theirs in zip(found.pairs, said["quality"]["pairs"]):
        assert [str(ours.a), str(ours.b)] == [said["labels"][theirs[side]] for side in "ab"]
        assert [repr(getattr(ours, name)) for name in ("msp", "p_gauss", "p_unimodal")] == [
            repr(theirs[name]) for name in ("msp", "p_gauss", "p_unimodal")
        ]
    assert len(found.pairs) == len(said["quality"]["pairs"])
    assert repr(metrics.msp_null(wine[0], labels, reg=reg)) == repr(said["quality"]["msp_null"])


@pytest.mark.parametrize("reg", [1.0, 0.0, 0.3])
@pytest.mark.parametrize("which", LABELLINGS)
def test_msp_is_the_command_lines_to_the_last_bit(which, reg, score, wine):
    said = score(LABELLINGS[which], "--reg", reg)
    found = metrics.msp(wine[0], LABELLINGS[which], reg=reg)
    assert repr(found) == repr(said["quality"]["msp"])
    assert repr(found) == repr(metrics.quality(wine[0], LABELLINGS[which], reg=reg).msp)


@pytest.mark.parametrize("which", LABELLINGS)
def test_agreement_with_classes_is_the_command_lines_to_the_last_bit(which, score, wine):
    said = score(LABELLINGS[which])["truth"]
    found = metrics.external(LABELLINGS[which], wine[2])
    measures = {name: repr(v) for name, v in said.items() if name not in ("classes", "clusters")}
    assert {name: repr(found[name]) for name in measures} == measures
    for line, other in zip(metrics.cluster_table(LABELLINGS[which], wine[2]), said["clusters"]):
        assert repr(line["entropy"]) == repr(other["entropy"])
        assert list(line["counts"].values()) == other["counts"]
    assert {"error", "accuracy", "nmi", "ari", "purity", "entropy"} <= set(said)


@pytest.mark.parametrize("marks", [3, 20])
def test_a_word_that_is_minus_one_sets_rows_aside_as_in_the_command_line(marks, score, wine):
    words = LABELLINGS["three groups of words"].astype("U12")
    words[:marks] = "-1"
    said = score(words)
    assert "-1" not in said["labels"]
    assert repr(metrics.msp(wine[0], words)) == repr(said["quality"]["msp"])
    assert metrics.pairwise_msp(wine[0], words)[0].tolist() == said["labels"]
    assert metrics.external(words, wine[2])["ari"] == said["truth"]["ari"]
    # Beside one other label it is a group of its own.
    two = np.where(words == "-1", "-1", "rest")
    assert metrics.pairwise_msp(wine[0], two)[0].tolist() == score(two)["labels"] == ["-1", "rest"]


def test_words_and_numbers_in_one_column_are_words():
    rows, _ = samples.blobs()
    mixed = np.array([1, "a"] * 40, dtype=object)
    assert metrics.msp(rows, mixed) == metrics.msp(rows, ["1", "a"] * 40)
    assert metrics.pairwise_msp(rows, mixed)[0].tolist() == ["1", "a"]


@pytest.mark.parametrize("state", [None, np.random, np.random.RandomState(0), np.random.default_rng(0)])
def test_the_seed_of_a_measure_may_be_drawn(state, wine):
    labels = LABELLINGS["two groups"]
    assert 0 <= metrics.quality(wine[0], labels, random_state=state).p_unimodal <= 1
    assert metrics.p_values(wine[0], labels, random_state=np.int8(3)) == metrics.p_values(
        wine[0], labels, random_state=3
    )


def test_p_values_are_those_of_quality(wine):
    labels = LABELLINGS["two groups of words"]
    found = metrics.quality(wine[0], labels, random_state=2)
    assert metrics.p_values(wine[0], labels, random_state=2) == (found.p_gauss, found.p_unimodal)
    assert 0 < found.p_gauss < 1


def test_pairs_are_those_of_two_groups_alone(wine):
    labels = LABELLINGS["three clusters and outliers"]
    used, values = metrics.pairwise_msp(wine[0], labels, reg=0)
    assert used.tolist() == [0, 1, 2]
    np.testing.assert_array_equal(values, values.T)
    np.testing.assert_array_equal(np.diag(values), 0)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        pair = np.isin(labels, [a, b])
        assert values[a, b] == pytest.approx(metrics.msp(wine[0][pair], labels[pair], reg=0), rel=1e-9)
    assert metrics.msp(wine[0], labels, reg=0) == values[np.triu_indices(3, 1)].min()


def test_msp_of_four_points_is_its_closed_form():
    # Means 10 apart, both standard deviations 1/2: κ = 10 and p = κ²/(1 + κ²).
    rows, labels = [[0.0], [1], [10], [11]], [0, 0, 1, 1]
    assert metrics.msp(rows, labels, reg=0) == pytest.approx(100 / 101, rel=1e-12)
    # Equal sizes and spreads: Theorem 2's bound is exact.
    assert metrics.separation_bound(rows, labels, reg=0) == pytest.approx(100 / 101, rel=1e-12)
    # With the variance 25.25 of all rows added to each cluster's 0.25: κ = 10 / (2√25.5).
    square = 100 / (4 * 25.5)
    assert metrics.msp(rows, labels, reg=1) == pytest.approx(square / (1 + square), rel=1e-12)


def test_msp_does_not_see_units_and_its_bound_stays_below(wine):
    labels = LABELLINGS["three groups"]
    scaled = metrics.msp(wine[0] * np.logspace(-3, 3, 13) + 7, labels)
    assert scaled == pytest.approx(metrics.msp(wine[0], labels), rel=1e-9)
    assert 0 < metrics.separation_bound(wine[0], labels) <= metrics.msp(wine[0], labels) < 1


def test_weights_in_msp_equal_repeated_rows(wine):
    labels = LABELLINGS["two groups of words"]
    times = np.random.default_rng(0).integers(1, 4, len(labels))
    weighted = metrics.msp(wine[0], labels, sample_weight=times)
    repeated = metrics.msp(np.repeat(wine[0], times, axis=0), np.repeat(labels, times))
    assert weighted == pytest.approx(repeated, rel=1e-9)


def gmsp_by_definition(distances, labels):
    one, two = labels == 0, labels == 1
    spread = [np.sqrt((distances[np.ix_(g, g)] ** 2).mean()) for g in (one, two)]
    kappa = distances[np.ix_(one, two)].mean() / sum(spread)
    return kappa**2 / (1 + kappa**2)


def dcut_by_definition(distances, labels, weights):
    beta = weights / np.linalg.norm(weights)
    one, two = labels == 0, labels == 1
    cut = lambda a, b: beta[a] @ distances[np.ix_(a, b)] @ beta[b]  # noqa: E731
    size = lambda a: (beta[a] ** 2).sum()  # noqa: E731
    ratio = size(two) / size(one)
    return 2 * cut(one, two) - ratio * cut(one, one) - cut(two, two) / ratio


def test_gmsp_and_dcut_are_their_definitions():
    rows, labels = samples.blobs(gap=2)
    distances = cdist(rows, rows)
    weights = np.random.default_rng(0).random(len(rows)) + 0.5
    even = np.ones(len(rows))
    close = lambda value: pytest.approx(value, rel=1e-10)  # noqa: E731
    assert metrics.gmsp(distances, labels, metric="precomputed") == close(gmsp_by_definition(distances, labels))
    assert metrics.gmsp(rows, labels) == close(gmsp_by_definition(distances, labels))
    assert metrics.dcut(rows, labels) == close(dcut_by_definition(distances, labels, even))
    assert metrics.dcut(distances, labels, metric="precomputed", vertex_weight=weights) == close(
        dcut_by_definition(distances, labels, weights)
    )


@pytest.mark.parametrize(
    ("metric", "scipys"),
    [
        ("euclidean", "euclidean"),
        ("sqeuclidean", "sqeuclidean"),
        ("manhattan", "cityblock"),
        ("chebyshev", "chebyshev"),
        ("cosine", "cosine"),
        ("correlation", "correlation"),
    ],
)
def test_every_metric_is_scipys(metric, scipys):
    rows, labels = samples.blobs(gap=2)
    theirs = metrics.dcut(cdist(rows, rows, scipys), labels, metric="precomputed")
    assert metrics.dcut(rows, labels, metric=metric) == pytest.approx(theirs, rel=1e-10)
    sparse = csr_matrix(rows)
    assert metrics.dcut(sparse, labels, metric=metric) == metrics.dcut(rows, labels, metric=metric)


def test_the_uniform_dcut_of_four_points_by_hand():
    # β² = 1/4. cut(A,B) = ¼(10+11+9+10), cut(A,A) = cut(B,B) = ¼·2: 2·10 − ½ − ½.
    assert metrics.dcut([[0.0], [1], [10], [11]], [0, 0, 1, 1]) == pytest.approx(19, rel=1e-12)


def test_the_papers_example_of_entropy_and_purity():
    # Half of a cluster in one class, the rest spread evenly over 19: Chen & Bi, section 4.
    classes = [0] * 19 + list(range(1, 20))
    assert metrics.purity([0] * 38, classes) == 0.5
    entropy = metrics.cluster_entropy([0] * 38, classes)
    assert entropy == pytest.approx(-(log(0.5) / 2 + log(0.5 / 19) / 2) / log(20), rel=1e-12)
    assert round(entropy, 4) == 0.7228


@pytest.mark.parametrize("seed", range(6))
def test_error_ari_and_nmi_are_those_of_scipy_and_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    labels, truth = rng.integers(0, 2 + seed, 60), rng.integers(0, 4, 60)
    table = np.array([[np.sum((labels == a) & (truth == b)) for b in range(4)] for a in range(2 + seed)])
    matched = table[linear_sum_assignment(table, maximize=True)].sum()
    assert metrics.clustering_error(labels, truth) == pytest.approx(1 - matched / 60, abs=1e-12)
    found = metrics.external(labels, truth)
    assert found["ari"] == pytest.approx(adjusted_rand_score(truth, labels), abs=1e-12)
    assert found["nmi"] == pytest.approx(normalized_mutual_info_score(truth, labels), abs=1e-12)


def test_the_scorer_gives_nothing_for_one_cluster_or_a_handful_of_outliers(wine):
    rows, _ = samples.blobs(each=150)
    one = separa.KMeans(n_clusters=1).fit(rows)
    assert metrics.msp_scorer(one, rows) == 0.0
    assert metrics.msp_scorer(separa.KMeans().fit(rows), rows[:1]) == 0.0
    far = np.vstack([rows, [[1e4, 1e4, 1e4]]])
    assert metrics.msp_scorer(separa.KMeans(scaling="none").fit(far), far) == 0.0
    two = separa.KMeans().fit(rows)
    assert metrics.msp_scorer(two, rows, None) == metrics.msp(rows, two.labels_) > 0.5


BAD = {
    "another length": (lambda x: metrics.msp(x, [0, 1]), "2 labels were given for 80 rows"),
    "two dimensions": (lambda x: metrics.msp(x, np.zeros((80, 2))), "got 2 dimensions"),
    "a missing label": (lambda x: metrics.msp(x, [np.nan] + [0.0] * 79), "row 1 has no label"),
    "None among words": (lambda x: metrics.msp(x, ["a", None] * 40), "row 2 has no label"),
    "NaN among words": (lambda x: metrics.msp(x, ["a", "b", np.nan, "a"] * 20), "row 3 has no label"),
    "None in objects": (lambda x: metrics.msp(x, np.array(["a", None] * 40, object)), "row 2 has no label"),
    "NaN in classes": (lambda x: metrics.external([0, 1], ["a", float("nan")]), "row 2 has no label"),
    "a masked label": (
        lambda x: metrics.msp(x, np.ma.masked_array([0, 1] * 40, [False, True] * 40)),
        "the label of row 2 is masked",
    ),
    "a seed in words": (lambda x: metrics.quality(x, [0, 1] * 40, random_state="a"), "`random_state` must"),
    "a seed below 0": (lambda x: metrics.p_values(x, [0, 1] * 40, random_state=-1), "`random_state` must"),
    "a reg beyond float64": (lambda x: metrics.msp(x, [0, 1] * 40, reg=10**400), "`reg` must be a number"),
    "an unknown metric": (lambda x: metrics.gmsp(x, [0] * 80, metric="cosin"), "euclidean, .*precomputed, got .cosin"),
    "reg in words": (lambda x: metrics.msp(x, [0] * 80, reg="much"), "`reg` must be a number"),
    "a negative reg": (lambda x: metrics.msp(x, [0, 1] * 40, reg=-1.0), "reg"),
    "no square": (lambda x: metrics.dcut(x, [0] * 80, metric="precomputed"), "80 x 3, expected 80 x 80"),
    "lengths that differ": (lambda x: metrics.external([0, 1], [0]), "2.*1|1.*2"),
    "NaN in a table": (lambda x: metrics.msp(np.where(x == x[3, 1], np.nan, x), [0, 1] * 40), "row 4, column 2"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_refused_with_a_sentence(what):
    ask, sentence = BAD[what]
    with pytest.raises((exceptions.DataError, exceptions.ParameterError), match=sentence):
        ask(samples.blobs()[0])


@pytest.mark.parametrize("measure", [metrics.gmsp, metrics.dcut])
def test_a_matrix_that_holds_no_distances_is_refused(measure):
    apart = np.array([[0.0, 1, 4], [1, 0, 3], [4, 3, 0]])
    assert measure(apart, [0, 0, 1], metric="precomputed") > 0
    with pytest.raises(exceptions.DataError, match="row 2, column 1 .*symmetric"):
        measure(np.triu(apart), [0, 0, 1], metric="precomputed")
    with pytest.raises(exceptions.DataError, match="row 1, column 1 .*distance of a row from itself"):
        measure(apart + 1, [0, 0, 1], metric="precomputed")
