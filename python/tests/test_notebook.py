"""What a notebook shows: a model with its map, an estimator, a bar with the time that is left."""

from __future__ import annotations

import base64
import gc
import pickle
import re

import numpy as np
import pytest
import samples
import separa
from separa import _run
from separa._run import Progress
from sklearn import config_context


def image(html):
    """The map in what a notebook shows, as SVG; None where there is none."""
    found = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html)
    return None if found is None else base64.b64decode(found[1]).decode("utf-8")


def marks(svg):
    return sum(len(re.findall("M[0-9]", path)) for path in re.findall(r'<path class="(?:dots|marks)" d="([^"]*)"', svg))


@pytest.mark.parametrize("k", [2, 3])
def test_a_model_shows_verdict_sizes_map_and_profile(k):
    rows, _ = samples.blobs(k)
    model = separa.fit(rows, n_clusters=k)
    html = model._repr_html_()
    for part in ("Cluster sizes", "Cluster map", "Cluster profiles", "of rows left out of the fit"):
        assert part in html
    svg = image(html)
    assert marks(svg) == len(rows)
    # Nothing of it can change how the notebook looks.
    assert "<style" not in html and "<script" not in html


def test_the_map_is_there_while_the_rows_are():
    rows, _ = samples.blobs()
    model = separa.fit(rows, n_clusters=2)
    kept = rows.copy()
    assert image(model._repr_html_())
    rows[:] = rows.mean()
    assert image(model._repr_html_()) is None, "the table changed since the fit"
    rows[:] = kept
    assert image(model._repr_html_())
    del rows
    gc.collect()
    assert image(model._repr_html_()) is None
    for other in (pickle.loads(pickle.dumps(model)), separa.Model.from_bytes(model.to_bytes())):
        assert image(other._repr_html_()) is None and "Cluster sizes" in other._repr_html_()
    assert "Cluster sizes" in separa.fit(kept.tolist(), n_clusters=2)._repr_html_()


def test_an_estimator_shows_its_model_once_it_is_fitted():
    rows, truth = samples.blobs()
    for estimator in (separa.MSPC(2), separa.MPMClassifier()):
        before = estimator._repr_mimebundle_()["text/html"]
        assert "sk-" in before and "Cluster sizes" not in before
        estimator.fit(rows, truth)
        shown = estimator._repr_mimebundle_()["text/html"]
        for html in (shown, estimator._repr_html_()):
            assert html.startswith(estimator.model_._repr_html_()) and "sk-" in html
        assert "<summary>Parameters</summary>" in shown
    assert image(separa.MSPC(2).fit(rows)._repr_html_())
    with config_context(display="text"):
        assert "text/html" not in separa.MSPC(2).fit(rows)._repr_mimebundle_()


def test_a_frame_that_was_prepared_has_its_map():
    pandas = pytest.importorskip("pandas")
    rows, truth = samples.blobs()
    table = pandas.DataFrame({"size": rows[:, 0], "width": rows[:, 1], "kind": np.array(["a", "b"])[truth]})
    assert marks(image(separa.fit(table, n_clusters=2)._repr_html_())) == len(table)


def step(kind, index, of):
    return Progress(kind, "x", index, of, 1.0 if kind == "iteration" else None, 0)


def test_the_time_left_follows_from_what_is_done():
    now = [0.0]
    left = _run.TimeLeft(clock=lambda: now[0])
    assert left.after(step("phase", None, None)) == ""
    now[0] = 5.0
    assert left.after(step("start", 0, 4)) == ""
    now[0] = 7.0
    assert left.after(step("iteration", 1, 10)) == ""
    # One initialization took 10 s; three are left.
    now[0] = 15.0
    assert left.after(step("start", 1, 4)) == "about 30 s left"
    now[0] = 25.0
    assert left.after(step("start", 2, 4)) == "about 20 s left"
    now[0] = 35.0
    assert left.after(step("start", 3, 4)) == "about 10 s left"
    # Within the last one: an iteration took 2 s, at most 99 are left.
    now[0] = 37.0
    assert left.after(step("iteration", 1, 100)) == "at most 3 min left"
    assert [_run.duration(s) for s in (0.2, 59.6, 150, 7200)] == ["1 s", "60 s", "2 min", "2 h"]
