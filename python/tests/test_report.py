"""Pages: what can be drawn is drawn, the rest is said; what cannot be right is refused."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest
import samples
import separa
from separa.exceptions import DataError, ParameterError
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

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


def test_estimators_write_the_page_of_their_model(tmp_path):
    rows, truth = samples.blobs()
    estimator = separa.MSPC(2).fit(rows)
    assert page(estimator, tmp_path, rows, truth) == page(estimator.model_, tmp_path, rows, truth)
    trained = separa.MPMClassifier().fit(rows, truth)
    assert page(trained, tmp_path, rows, truth) == page(trained.model_, tmp_path, rows, truth)
    with pytest.raises(NotFittedError, match="this MSPC is not fitted yet"):
        separa.MSPC(2).report(tmp_path / "none.html", rows)
    with pytest.raises(ParameterError, match="expected a fitted estimator of separa.*got list"):
        separa.report([1], tmp_path / "none.html", rows)
    assert not (tmp_path / "none.html").exists()


def test_a_data_frame_that_was_prepared_has_a_page_with_its_rows(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows, truth = samples.blobs()
    table = pandas.DataFrame({"size": rows[:, 0], "width": rows[:, 1], "kind": np.array(["a", "b"])[truth]})
    model = separa.fit(table, n_clusters=2)
    html = page(model, tmp_path, table)
    assert 'id="data"' in html and "kind" in html


def test_the_page_of_a_pipeline_has_the_names_of_the_steps_before(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows, truth = samples.blobs()
    table = pandas.DataFrame(rows, columns=["length", "width", "depth"])
    table["town"] = np.array(["Ulm", "Aix"])[truth]
    numbers = ["length", "width", "depth"]
    parts = [("scaled", StandardScaler(), numbers), ("town", OneHotEncoder(), ["town"])]
    pipeline = make_pipeline(ColumnTransformer(parts), separa.KMeans(2)).fit(table)
    separa.report(pipeline, tmp_path / "page.html", table, truth)
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    for name in ("scaled__length", "town__town_Aix", 'id="data"', 'id="truth"'):
        assert name in html
    # Suggested names of the clusters are made of them, too; the model itself is not changed.
    assert re.search(r"(high|low) scaled__|town__town_(Ulm|Aix)", html)
    assert pipeline[-1].model_.info["feature_names"] is None


def test_features_that_are_named_after_the_fit_are_those_of_a_fit_with_names():
    pandas = pytest.importorskip("pandas")
    rows, _ = samples.blobs(3)
    names = ["length", "width", "depth"]
    named = separa.fit(pandas.DataFrame(rows, columns=names), n_clusters=3, prepare="none")
    after = separa.fit(rows, n_clusters=3)._with_feature_names(names)
    assert after.to_bytes() == named.to_bytes()
    with pytest.raises(ValueError, match="feature names"):
        after._rule.with_feature_names(names[:2])


def test_words_are_named_in_the_page_of_a_text_pipeline(tmp_path):
    one = [f"boat harbour sail {word}" for word in ("wind", "mast", "keel", "rope", "deck")]
    two = [f"bread oven flour {word}" for word in ("salt", "yeast", "crust", "loaf", "dough")]
    texts = one * 8 + two * 8
    pipeline = make_pipeline(TfidfVectorizer(), separa.MSPC(2)).fit(texts)
    separa.report(pipeline, tmp_path / "page.html", texts)
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    found = [word for word in ("boat", "harbour", "sail", "bread", "oven", "flour") if word in html]
    assert len(found) >= 4 and "column 3" not in html


def test_a_pipeline_whose_steps_have_no_names_is_reported_by_place(tmp_path):
    rows, _ = samples.blobs()
    pipeline = make_pipeline(FunctionTransformer(np.abs), separa.KMeans(2)).fit(rows)
    separa.report(pipeline, tmp_path / "page.html", rows)
    assert "column 1" in (tmp_path / "page.html").read_text(encoding="utf-8")
    search = GridSearchCV(make_pipeline(StandardScaler(), separa.KMeans()), {"kmeans__n_clusters": [2]}, scoring=lambda e, X: 0.0)
    separa.report(search.fit(rows), tmp_path / "search.html", rows)
    assert 'id="data"' in (tmp_path / "search.html").read_text(encoding="utf-8")


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
