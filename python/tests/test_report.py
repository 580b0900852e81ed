"""Pages: what can be drawn is drawn, the rest is said; what cannot be right is refused."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import samples
import separa
from separa.exceptions import DataError

each_method = pytest.mark.parametrize("name", samples.NAMES)


def page(model, tmp_path, *args, **kwargs):
    model.report(tmp_path / "page.html", *args, **kwargs)
    return (tmp_path / "page.html").read_text(encoding="utf-8")


@each_method
@pytest.mark.parametrize("k", [2, 3])
def test_every_method_has_a_page_with_its_rows(name, k, tmp_path):
    rows, truth = samples.blobs(k)
    html = page(separa.fit(rows, name, n_clusters=k), tmp_path, rows, truth, name="blobs")
    for part in ("blobs", 'id="separation"', 'id="margins"', 'id="features"', 'id="truth"', 'id="data"'):
        assert part in html


def test_a_model_from_a_file_says_what_it_cannot_show(tmp_path):
    rows, _ = samples.blobs()
    fitted = separa.fit(rows)
    fitted.save(tmp_path / "rule.separa")
    loaded = separa.load(tmp_path / "rule.separa")
    html = page(loaded, tmp_path)
    assert "a model holds no rows" in html and 'id="quality"' in html
    # What separates the groups is known without rows; the rows themselves are not.
    assert "Feature importance" in html and 'class="multiples"' not in html and 'id="rows"' not in html
    # With its table at hand it shows everything, as the fitted model does.
    assert page(loaded, tmp_path, rows) == page(fitted, tmp_path, rows)


def test_a_model_that_was_not_judged_says_why_no_shares_are_shown(tmp_path):
    rows, _ = samples.blobs()
    bags = [rows[i : i + 2] for i in range(0, len(rows), 2)]
    html = page(separa.fit(bags, "msc", n_clusters=2), tmp_path)
    assert 'id="importance"' in html and "the clusters were not judged" in html


def test_classes_without_the_rows_they_belong_to_are_refused(tmp_path):
    rows, truth = samples.blobs()
    fitted = separa.fit(rows)
    loaded = separa.Model.from_bytes(fitted.to_bytes())
    for model in (loaded, separa.MPMClassifier().fit(rows, truth).model_):
        with pytest.raises(DataError, match="y was given without X.*give the training table"):
            model.report(tmp_path / "page.html", y=truth)
    assert not (tmp_path / "page.html").exists()
    # The labels of a fit are at hand: classes are compared with them.
    assert 'id="truth"' in page(fitted, tmp_path, y=truth)


def test_other_rows_than_those_of_the_training_are_refused(tmp_path):
    rows, _ = samples.blobs()
    model = separa.fit(rows)
    with pytest.raises(DataError, match="not those that the model was fitted on"):
        model.report(tmp_path / "page.html", rows[:-1])
    with pytest.raises(DataError, match="not those that the model was fitted on"):
        model.report(tmp_path / "page.html", np.full_like(rows, rows.mean()))
    with pytest.raises(DataError, match="3 ids were given"):
        model.report(tmp_path / "page.html", rows, ids="abc")
    with pytest.raises(DataError, match="labels were given"):
        model.report(tmp_path / "page.html", rows, [1, 2])
    assert not (tmp_path / "page.html").exists()


def test_a_target_that_cannot_be_written(tmp_path):
    rows, _ = samples.blobs()
    with pytest.raises(OSError, match="nowhere"):
        separa.fit(rows).report(tmp_path / "nowhere" / "page.html", rows)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder that nobody can write to")
def test_a_folder_that_cannot_be_written_to_is_told_by_the_target(tmp_path):
    rows, _ = samples.blobs()
    with pytest.raises(OSError, match="/proc/page.html: cannot be written") as caught:
        separa.fit(rows).report("/proc/page.html", rows)
    assert ".tmp" not in str(caught.value)


def test_names_from_data_stay_text(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows, truth = samples.blobs()
    evil = "<script>alert(1)</script>"
    table = pandas.DataFrame(rows, columns=[f"{evil}{j}" for j in range(rows.shape[1])])
    names = [f"{evil}{i}" for i in range(len(rows))]
    classes = [f"{evil}{c}" for c in truth]
    html = page(separa.fit(table), tmp_path, table, classes, ids=names, name=evil)
    assert evil not in html
    assert html.count("<script") == 2 and "&lt;script&gt;alert(1)" in html


def test_sparse_rows_bags_and_sequences_have_pages(tmp_path):
    scipy_sparse = pytest.importorskip("scipy.sparse")
    rows, _ = samples.blobs()
    sparse = scipy_sparse.csr_matrix(rows)
    assert page(separa.fit(rows), tmp_path, sparse) == page(separa.fit(rows), tmp_path, rows)
    bags = [rows[i : i + 2] for i in range(0, len(rows), 2)]
    html = page(separa.fit(bags, "msc", n_clusters=2), tmp_path, bags)
    assert "no features that could be shown" in html
    html = page(separa.fit([rows], "crf", n_clusters=2), tmp_path, [rows])
    assert 'id="separation"' in html


def test_classifiers_have_pages(tmp_path):
    rows, truth = samples.blobs()
    model = separa.MPMClassifier().fit(rows, truth).model_
    html = page(model, tmp_path, rows, truth)
    for part in ("A classifier of", 'id="confusion"', 'id="roc"', 'id="bounds"'):
        assert part in html
    assert "the classes of the rows were not given" in page(model, tmp_path, rows)
    assert "a model holds no rows" in page(model, tmp_path)
    with pytest.raises(DataError, match='y holds "7"'):
        model.report(tmp_path / "page.html", rows, [7] * len(rows))


def test_the_example_of_the_page_runs(tmp_path, monkeypatch):
    text = (samples.ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    (code,) = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "docs/report.md", "exec"), {})
    page = (tmp_path / "fish.html").read_text(encoding="utf-8")
    for said in ("Two clusters, 60 % and 40 % of rows: ", "of rows left out of the fit get the same cluster", "a gap between the clusters"):
        assert said in page
