"""Pictures: what is drawn are the engine's numbers; what cannot be drawn is refused."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import samples
import separa
from separa import metrics
from separa.exceptions import DataError, ParameterError
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

matplotlib = pytest.importorskip("matplotlib", reason="plots need matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402
from matplotlib.colors import to_hex  # noqa: E402
from separa.plot import (  # noqa: E402
    KINDS,
    ClusterMapDisplay,
    ConfidenceDisplay,
    ImportanceDisplay,
    MarginsDisplay,
    PairsDisplay,
    ProfileDisplay,
    StabilityDisplay,
)

ROWS, TRUTH = samples.blobs(3)
AUTO = separa.fit(ROWS, n_clusters="auto")


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def marks(display):
    """Where the marks of each cluster lie, by its name."""
    return {c.get_label(): np.asarray(c.get_offsets()) for c in display.ax_.collections}


@pytest.mark.parametrize("k", [2, 3])
def test_the_map_shows_every_row_in_its_cluster(k):
    rows, _ = samples.blobs(k)
    model = separa.fit(rows, n_clusters=k)
    display = model.plot(rows)
    found = marks(display)
    assert list(found) == [str(c) for c in range(k)]
    for c in range(k):
        np.testing.assert_array_equal(display.rows[display.labels == c], np.flatnonzero(model.labels_ == c))
        assert len(found[str(c)]) == (model.labels_ == c).sum()
    if k == 2:
        # Across is the decision itself.
        np.testing.assert_allclose(display.x, model.decision_function(rows)[display.rows], atol=1e-12)
        assert display.ax_.get_xlabel() == "decision value (boundary at 0)"
        (boundary,) = display.ax_.lines
        assert list(boundary.get_xdata()) == [0, 0]
        at = found["1"][:, 0]
        assert (at >= 0).all() and (found["0"][:, 0] < 0).all()
    assert [t.get_text() for t in display.ax_.get_legend().get_texts()] == [str(c) for c in range(k)]


def test_features_can_be_axes_and_are_drawn_as_they_are():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(ROWS, columns=["a", "b", "c"])
    model = separa.fit(table, n_clusters=3)
    display = model.plot(table, across="c", up="a")
    np.testing.assert_allclose(display.x, ROWS[display.rows, 2], atol=1e-12)
    np.testing.assert_allclose(display.y, ROWS[display.rows, 0], atol=1e-12)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("c", "a")
    with pytest.raises(ParameterError, match='no axis shows "d"; there are .*"a"'):
        model.plot(table, across="d")


def test_clusters_have_the_names_that_were_given_to_them():
    model = separa.fit(ROWS, n_clusters=3)
    model.names = {1: "premium"}
    assert sorted(marks(model.plot(ROWS))) == ["0", "2", "premium"]
    assert model.plot(kind="profile").names[1].startswith("premium: ")
    assert model.plot(kind="pairs").names == ["0", "premium", "2"]


def test_new_rows_are_drawn_where_the_rule_puts_them():
    model = separa.fit(ROWS, n_clusters=3)
    new = ROWS[:10] + 0.01
    display = separa.plot(model, new)
    np.testing.assert_array_equal(display.labels, model.predict(new)[display.rows])
    assert len(display.rows) == 10


def test_a_curved_rule_has_its_ground():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, np.pi, 200)
    side = np.arange(200) % 2
    x = np.where(side, 1 - np.cos(angle), np.cos(angle)) + rng.normal(0, 0.05, 200)
    y = np.where(side, 0.4 - np.sin(angle), np.sin(angle)) + rng.normal(0, 0.05, 200)
    rows = np.c_[x, y]
    model = separa.fit(rows, "spectral", n_clusters=2)
    display = model.plot(rows)
    (ground,) = display.ax_.images
    left, right, bottom, top = ground.get_extent()
    colours = np.asarray(ground.get_array())
    side = colours.shape[0]
    for i, j in [(0, 0), (side // 2, side // 3), (side - 1, side - 1)]:
        at = [left + (right - left) * (j + 0.5) / side, bottom + (top - bottom) * (i + 0.5) / side]
        (label,) = model.predict([at])
        assert to_hex(colours[i, j]) == separa._separa.look(int(label))[0]


def test_any_labels_have_a_map():
    display = ClusterMapDisplay.from_predictions(ROWS, [f"class {c}" for c in TRUTH])
    found = marks(display)
    assert sorted(found) == ["class 0", "class 1", "class 2"]
    # Clusters apart in the table are apart on the map: the nearest middle is one's own.
    middles = {name: at.mean(axis=0) for name, at in found.items()}
    for name, at in found.items():
        far = {other: np.hypot(*(at - middle).T) for other, middle in middles.items()}
        assert (far[name] == np.minimum.reduce(list(far.values()))).mean() > 0.98


def test_outliers_are_crosses_of_no_cluster():
    labels = TRUTH.copy()
    labels[:3] = -1
    display = ClusterMapDisplay.from_predictions(ROWS, labels)
    assert len(marks(display)["outliers"]) == 3
    assert (display.labels == -1).sum() == 3


def test_margins_are_counted_as_numpy_counts_them():
    for k in (2, 3):
        rows, _ = samples.blobs(k)
        model = separa.fit(rows, n_clusters=k)
        decision = model.decision_function(rows)
        if k == 3:
            best = np.sort(decision, axis=1)
            decision = best[:, -1] - best[:, -2]
        display = model.plot(rows, kind="margins")
        inner = np.clip(decision, display.edges[0], display.edges[-1])
        for c in range(k):
            wanted, _ = np.histogram(inner[model.labels_ == c], display.edges)
            np.testing.assert_array_equal(display.counts[c], wanted)
        drawn = [[bar.get_height() for bar in container] for container in display.ax_.containers]
        np.testing.assert_array_equal(drawn, display.counts)
        other = MarginsDisplay.from_predictions(model.labels_, model.decision_function(rows))
        np.testing.assert_array_equal(other.counts, display.counts)


@pytest.mark.parametrize("method", ["logistic", "fuzzy-kmeans", "mrmc", "kmeans"])
def test_confidence_is_that_of_the_refits_also_if_a_method_has_probabilities_of_its_own(method):
    rows, _ = samples.blobs(2, gap=2.0)
    model = separa.fit(rows, method, n_clusters=2)
    sure = model.confidence(rows)
    display = model.plot(rows, kind="confidence")
    np.testing.assert_array_equal(display.confidence, sure["confidence"])
    np.testing.assert_array_equal(display.labels, sure["cluster"])
    assert display.ax_.get_xlabel() == "confidence"
    drawn = [sum(bar.get_height() for bar in container) for container in display.ax_.containers]
    assert drawn == np.bincount(model.labels_, minlength=2).tolist()
    # What a model believes is drawn on request, under its own name.
    proba = model.predict_proba(rows)
    believed = ConfidenceDisplay.from_predictions(proba)
    np.testing.assert_array_equal(believed.confidence, proba.max(axis=1))
    assert believed.ax_.get_xlabel() == "probability of the cluster"
    assert np.array_equal(believed.confidence, display.confidence) == (method == "kmeans")
    with pytest.raises(DataError, match="probabilities from 0 to 1"):
        ConfidenceDisplay.from_predictions([[0.5, 2.0]])


def test_the_confidence_of_one_cluster_is_one_bar():
    rows, _ = samples.blobs(2)
    display = separa.fit(rows, "kmeans", n_clusters=1).plot(rows, kind="confidence")
    heights = [bar.get_height() for container in display.ax_.containers for bar in container]
    assert heights[-1] == sum(heights) == len(rows)


def test_the_profile_holds_cohens_d_and_the_means():
    display = AUTO.plot(kind="profile")
    labels = AUTO.labels_
    order = [int(name.split()[-1]) - 1 for name in display.features]
    for c in range(3):
        mine, others = ROWS[labels == c], ROWS[labels != c]
        pooled = (len(mine) * mine.var(0) + len(others) * others.var(0)) / len(ROWS)
        np.testing.assert_allclose(display.effect[c], ((mine.mean(0) - others.mean(0)) / np.sqrt(pooled))[order], rtol=1e-9)
        np.testing.assert_allclose(display.mean[c], mine.mean(0)[order], rtol=1e-9)
    (image,) = display.ax_.images
    np.testing.assert_array_equal(np.asarray(image.get_array()), display.effect)
    texts = [t.get_text() for t in display.ax_.texts]
    assert texts[0] == f"{display.mean[0, 0]:.3g}" and len(texts) == 9
    large = separa.fit(1000 * ROWS, n_clusters=3).plot(kind="profile")
    assert large.ax_.texts[0].get_text() == f"{large.mean[0, 0]:,.0f}"
    by_labels = ProfileDisplay.from_predictions(ROWS, labels)
    np.testing.assert_allclose(by_labels.effect, display.effect, rtol=1e-12)
    assert AUTO.plot(kind="profile", n_features=1).effect.shape == (3, 1)


@pytest.mark.parametrize("backend", ["matplotlib", "plotly"])
def test_what_a_profile_does_not_hold_is_grey_and_not_an_effect_of_0(backend):
    pytest.importorskip(backend)
    from separa.plot._chart import UNKNOWN

    pandas = pytest.importorskip("pandas")
    sky = np.array(["dew", "rain", "sun"])[TRUTH]
    display = separa.fit(pandas.DataFrame(ROWS, columns=["a", "b", "c"]).assign(sky=sky), n_clusters=3).plot(
        kind="profile", backend=backend
    )
    # Of a category, each cluster has the level that sets it apart most.
    assert np.isnan(display.effect).any()
    if backend == "plotly":
        assert display.figure_.layout.plot_bgcolor == UNKNOWN
        label = display.figure_.data[0].colorbar.title.text
    else:
        (image,) = display.ax_.images
        colours = image.to_rgba(image.get_array())
        assert {to_hex(c) for c in colours[np.isnan(display.effect)]} == {UNKNOWN}
        assert UNKNOWN not in {to_hex(c) for c in colours[~np.isnan(display.effect)]}
        label = image.colorbar.ax.get_ylabel()
    assert label == "effect (standard deviations); grey: not in the profile"


def test_pairs_are_those_that_the_metric_finds():
    display = AUTO.plot(kind="pairs")
    used, wanted = metrics.pairwise_msp(ROWS, AUTO.labels_)
    order = np.argsort(used)
    off = ~np.eye(3, dtype=bool)
    np.testing.assert_allclose(display.msp[off], wanted[np.ix_(order, order)][off], rtol=1e-9)
    assert np.isnan(np.diag(display.msp)).all()
    other = PairsDisplay.from_predictions(ROWS, AUTO.labels_)
    np.testing.assert_allclose(other.msp[off], wanted[off], rtol=1e-9)


def test_importance_is_bars_for_two_clusters_and_a_heat_map_for_more():
    rows, _ = samples.blobs(2)
    two = separa.fit(rows, n_clusters=2)
    display = two.plot(kind="importance")
    (fractions,) = two.feature_importance_.values()
    assert [bar.get_width() for bar in display.ax_.containers[0]] == pytest.approx(list(fractions.values()))
    assert [t.get_text() for t in display.ax_.get_yticklabels()] == [f"column {j}" for j in fractions]
    display = ImportanceDisplay.from_estimator(AUTO)
    assert display.fraction.shape == (3, 3)
    np.testing.assert_allclose(display.fraction.sum(axis=1), 1, atol=1e-9)
    (image,) = display.ax_.images
    np.testing.assert_array_equal(np.asarray(image.get_array()), display.fraction)


def test_stability_is_that_of_the_refits():
    found = separa.stability(ROWS, n_clusters=3, n_refits=4)
    display = separa.fit(ROWS, n_clusters=3).plot(ROWS, kind="stability", n_refits=4)
    np.testing.assert_array_equal(display.jaccard, found.jaccard)
    assert [bar.get_height() for bar in display.ax_.containers[0]] == pytest.approx(found.jaccard.tolist())
    assert display.ax_.get_title() == "Stability over 4 refits"
    np.testing.assert_array_equal(StabilityDisplay.from_stability(found).jaccard, found.jaccard)
    with pytest.raises(DataError, match="stability needs the rows"):
        AUTO.plot(kind="stability")


def test_the_number_of_clusters_shows_the_runs():
    display = AUTO.plot(kind="n_clusters")
    heights = [bar.get_height() for bar in display.ax_.containers[0]]
    assert sum(heights) == len(AUTO.auto_["k_per_run"]) and display.chosen == 3
    with pytest.raises(DataError, match="was given, not found"):
        separa.fit(ROWS, n_clusters=3).plot(kind="n_clusters")


@pytest.mark.parametrize("kind", KINDS)
def test_estimators_models_and_pipelines_draw_alike(kind, tmp_path):
    estimator = separa.MSPC("auto").fit(ROWS)
    estimator.model_.save(tmp_path / "m.separa")
    loaded = separa.load(tmp_path / "m.separa")
    pipeline = make_pipeline(separa.MSPC("auto")).fit(ROWS)
    options = {"n_refits": 2} if kind == "stability" else {}
    first = vars(estimator.plot(ROWS, kind=kind, **options))
    for other in (loaded, pipeline):
        figure, ax = pyplot.subplots()
        display = separa.plot(other, ROWS, kind=kind, ax=ax, **options)
        assert type(display) is KINDS[kind]
        assert display.ax_ is ax and display.figure_ is figure
        for name, value in vars(display).items():
            if not name.endswith("_") and name != "ground":
                np.testing.assert_array_equal(value, first[name], err_msg=name)


@pytest.mark.parametrize("kind", KINDS)
def test_plotly_draws_the_same_numbers(kind):
    pytest.importorskip("plotly", reason="the second backend needs Plotly")
    options = {"n_refits": 2} if kind == "stability" else {}
    display = separa.plot(AUTO, ROWS, kind=kind, backend="plotly", **options)
    assert display.ax_ is None
    traces = display.figure_.data
    if kind == "map":
        for c in range(3):
            np.testing.assert_array_equal(traces[c].x, display.x[display.labels == c])
            assert traces[c].marker.color == separa._separa.look(c)[0]
    elif kind in ("profile", "pairs", "importance"):
        name = {"profile": "effect", "pairs": "msp", "importance": "fraction"}[kind]
        np.testing.assert_array_equal(np.asarray(traces[0].z, dtype=float), getattr(display, name))
    elif kind == "margins":
        np.testing.assert_array_equal([trace.y for trace in traces], display.counts)
    elif kind == "confidence":
        drawn = [int(np.sum(trace.y)) for trace in traces]
        assert drawn == np.bincount(display.labels, minlength=3).tolist()
    else:
        name = {"stability": "jaccard", "n_clusters": "runs"}[kind]
        np.testing.assert_array_equal(traces[0].y, getattr(display, name))
    assert display._repr_html_()
    with pytest.raises(ParameterError, match="`ax` belongs to matplotlib"):
        separa.plot(AUTO, ROWS, backend="plotly", ax=pyplot.gca())


def test_a_pipeline_is_drawn_by_its_last_step_with_names_from_the_steps_before():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(ROWS, columns=["len", "wid", "dep"])
    pipeline = make_pipeline(StandardScaler(), separa.KMeans(3)).fit(table)
    display = separa.plot(pipeline, table, kind="profile")
    assert sorted(display.features) == ["dep", "len", "wid"]
    assert all(word in " ".join(display.names) for word in ("high", "low"))
    display = separa.plot(pipeline, table, across="wid")
    scaled = pipeline[0].transform(table)
    np.testing.assert_allclose(display.x, scaled[display.rows, 1], atol=1e-12)


def test_classifiers_are_drawn_with_the_names_of_their_classes():
    names = np.array(["low", "middle", "top"])[TRUTH]
    trained = separa.MPMClassifier().fit(ROWS, names)
    display = trained.plot(ROWS)
    assert sorted(marks(display)) == ["low", "middle", "top"]
    found = np.array(display.names)[display.labels]
    np.testing.assert_array_equal(found, trained.predict(ROWS)[display.rows])
    for kind in ("pairs", "profile", "n_clusters", "stability", "confidence"):
        with pytest.raises(ValueError):
            trained.plot(ROWS, kind=kind)
    with pytest.raises(DataError, match="guarantees an accuracy"):
        trained.model_.confidence(ROWS)


@pytest.mark.parametrize("name", samples.NAMES)
def test_every_method_has_a_map_and_margins(name):
    rows, _ = samples.blobs()
    model = separa.fit(rows, name, n_clusters=2)
    assert len(model.plot(rows).rows) == len(rows)
    assert model.plot(rows, kind="margins").counts.sum() == len(rows)


def test_sparse_rows_and_bags_are_drawn():
    sparse = pytest.importorskip("scipy.sparse")
    model = separa.fit(ROWS, n_clusters=3)
    np.testing.assert_array_equal(model.plot(sparse.csr_matrix(ROWS)).x, model.plot(ROWS).x)
    rows, _ = samples.blobs()
    bags = [rows[i : i + 2] for i in range(0, len(rows), 2)]
    display = separa.fit(bags, "msc", n_clusters=2).plot(bags)
    assert len(display.rows) == len(bags)


def test_what_cannot_be_drawn_is_refused():
    model = separa.fit(ROWS, n_clusters=3)
    with pytest.raises(ParameterError, match="`kind` must be one of map, .*got 'pie'"):
        model.plot(ROWS, kind="pie")
    with pytest.raises(ParameterError, match="`backend` must be .* got 'ascii'"):
        model.plot(ROWS, backend="ascii")
    with pytest.raises(DataError, match="a map needs the rows.*give the table as X"):
        model.plot()
    with pytest.raises(ParameterError, match="expected a fitted estimator of separa.*got StandardScaler"):
        separa.plot(StandardScaler().fit(ROWS), ROWS)
    with pytest.raises(NotFittedError, match="this MSPC is not fitted yet"):
        separa.MSPC(2).plot(ROWS)
    with pytest.raises(ValueError, match="columns|features"):
        model.plot(ROWS[:, :2])
    with pytest.raises(ParameterError, match="`n_features` must be a whole number from 1, got 0"):
        model.plot(kind="profile", n_features=0)
    with pytest.raises(DataError, match="not judged"):
        separa.fit(ROWS, n_clusters=3, quality=False).plot(kind="pairs")


def test_without_matplotlib_the_sentence_names_the_extra():
    lines = (
        "for name in ('matplotlib', 'plotly'):\n    sys.modules[name] = None\n"
        "import separa\nX = [[0.0], [0.1], [5.0], [5.1]]\nmodel = separa.fit(X, n_clusters=2)\n"
        "for backend in ('matplotlib', 'plotly'):\n"
        "    try:\n        model.plot(X, backend=backend)\n    except ImportError as e:\n        print(e)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", samples.script(lines)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines() == [
        "plots need matplotlib: pip install 'separa[plot]'",
        'backend="plotly" needs Plotly: pip install plotly',
    ]
