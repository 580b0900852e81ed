"""Fits of rows that are read block by block."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")
pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")

import pyarrow.dataset  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

import separa  # noqa: E402
from separa.exceptions import DataError, ParameterError  # noqa: E402


def clouds(n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 3)) + 6 * np.eye(3)[rng.integers(0, 3, n)]


@pytest.fixture
def lake(tmp_path):
    X = clouds(6000)
    for f, part in enumerate(np.split(X, [1000, 2500])):
        frame = pd.DataFrame(part, columns=["a", "b", "c"])
        frame.to_parquet(tmp_path / f"part-{f}.parquet", row_group_size=700)
    return tmp_path, X


@pytest.mark.parametrize("name", ["MSPC", "KMeans"])
def test_files_give_the_clusters_of_memory(lake, name):
    folder, X = lake
    # The cloud of each row is known: both must find them.
    streamed = getattr(separa, name)(n_clusters=3).fit(separa.open(folder / "*.parquet"))
    whole = getattr(separa, name)(n_clusters=3).fit(pd.DataFrame(X, columns=["a", "b", "c"]))
    assert streamed.model_.info["stream"]["all_rows"] is True
    assert streamed.model_.info["n"] == 6000
    assert (streamed.predict(pd.DataFrame(X, columns=["a", "b", "c"])) == whole.labels_).mean() > 0.999
    assert list(streamed.feature_names_in_) == ["a", "b", "c"]
    assert streamed.n_features_in_ == 3
    with pytest.raises(AttributeError):
        streamed.labels_
    again = separa.load(_saved(streamed, folder))
    assert again.predict(X).shape == (6000,)


def _saved(estimator, folder):
    separa.save(estimator, folder / "m.separa")
    return folder / "m.separa"


@pytest.mark.parametrize("packing", ["gz", "zst"])
def test_packed_text_gives_the_labels_of_plain_text(tmp_path, packing):
    X = clouds(60_000, 9)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame.to_csv(tmp_path / "t.csv", index=False)
    with pa.CompressedOutputStream(str(tmp_path / f"t.csv.{packing}"), {"gz": "gzip", "zst": "zstd"}[packing]) as file:
        file.write((tmp_path / "t.csv").read_bytes())
    for name in ("MSPC", "KMeans"):
        paths = (tmp_path / "t.csv", tmp_path / f"t.csv.{packing}")
        plain, packed = (getattr(separa, name)(n_clusters=3).fit(separa.open(path)) for path in paths)
        assert packed.model_.info["stream"]["all_rows"] and packed.model_.info["n"] == 60_000
        assert packed.model_.info["sizes"] == plain.model_.info["sizes"]
        np.testing.assert_array_equal(packed.predict(frame), plain.predict(frame))


def test_packed_text_in_several_files_has_the_columns_of_the_first(tmp_path):
    X = clouds(3000, 9)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])

    def put(name, rows):
        with pa.CompressedOutputStream(str(tmp_path / name), "zstd") as file:
            file.write(rows.to_csv(index=False).encode())

    put("0.csv.zst", frame[:1000])
    put("1.csv.zst", frame[1000:])
    found = separa.KMeans(n_clusters=3).fit(separa.open(tmp_path / "*.zst"))
    whole = separa.KMeans(n_clusters=3).fit(separa.Blocks(lambda: iter([frame[:1000], frame[1000:]])))
    np.testing.assert_array_equal(found.predict(frame), whole.predict(frame))
    two = separa.KMeans(n_clusters=3).fit(separa.open(tmp_path / "*.zst", columns=["a", "c"]))
    assert list(two.feature_names_in_) == ["a", "c"]
    put("2.csv.zst", frame[["a", "b"]])
    with pytest.raises(DataError, match="2.csv.zst"):
        separa.KMeans(n_clusters=3).fit(separa.open(tmp_path / "*.zst"))
    (tmp_path / "2.csv.zst").write_bytes((tmp_path / "1.csv.zst").read_bytes()[:-100])
    with pytest.raises(DataError, match="2.csv.zst"):
        separa.KMeans(n_clusters=3).fit(separa.open(tmp_path / "*.zst"))


def test_a_small_sample_is_improved_by_all_rows():
    X = clouds(20_000, 1)
    blocks = separa.Blocks(lambda: iter(np.array_split(X, 7)))
    from separa import _run, _stream

    run = _run.settings(0, 1, None, False, None)
    found = _stream.fit("kmeans", {"n_clusters": 3, "scaling": "none", "tol": 0.0}, blocks, run, sample_rows=100)
    model = separa.Model(found.rule)
    assert model.info["stream"] == {"all_rows": True, "sample_rows": 100, "passes": model.info["stream"]["passes"]}
    labels = model.predict(X)
    # The fixed point of Lloyd's algorithm: every centre is the mean of its rows.
    centres = np.array([X[labels == c].mean(axis=0) for c in range(3)])
    nearest = ((X[:, None, :] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
    assert (nearest == labels).all()
    assert model.info["sizes"] == np.bincount(labels).tolist()


def test_blocks_of_every_kind_and_size_give_the_same_rule():
    X = clouds(3000, 2)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    rules = []
    for blocks in (
        [X],
        [X[:0], X[:10], X[10:10], X[10:]],
        np.array_split(X, 300),
    ):
        found = separa.MSPC(n_clusters=3).fit(separa.Blocks(lambda blocks=blocks: iter(blocks)))
        rules.append(found.decision_function(X))
    frames = [frame.iloc[:700], frame.iloc[700:]]
    found = separa.MSPC(n_clusters=3).fit(separa.Blocks(lambda: iter(frames)))
    rules.append(found.decision_function(frame))
    dataset = pyarrow.dataset.dataset(pa.Table.from_pandas(frame))
    found = separa.MSPC(n_clusters=3).fit(dataset)
    rules.append(found.decision_function(frame))
    for other in rules[1:]:
        np.testing.assert_allclose(other, rules[0], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["MSPC", "KMeans"])
def test_blocks_that_are_copied_in_pieces_have_the_bits_of_those_that_are_not(name):
    # Numbers that float32 holds; more rows than a piece has.
    X = clouds(40_000, 8).astype(np.float32).astype(np.float64)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    kinds = [X.astype(np.float32), np.asfortranarray(X), X[::-1][::-1], np.repeat(X, 2, axis=1)[:, ::2]]
    # As an array is that came in a message.
    kinds.append(np.frombuffer(b"x" + X.tobytes(), np.uint8)[1:].view(np.float64).reshape(X.shape))
    assert not kinds[-1].flags.aligned

    def fitted(block):
        found = getattr(separa, name)(n_clusters=3).fit(separa.Blocks(lambda: iter([block[:35_000], block[35_000:]])))
        return found.model_

    plain = fitted(X)._rule.to_bytes()
    assert all(fitted(kind)._rule.to_bytes() == plain for kind in kinds)
    named = fitted(frame)
    np.testing.assert_array_equal(named.decision_function(frame), separa.Model.from_bytes(plain).decision_function(X))
    assert fitted(pa.Table.from_pandas(frame))._rule.to_bytes() == named._rule.to_bytes()
    bad = X.astype(np.float32)
    bad[20_001, 1] = np.inf
    with pytest.raises(DataError, match="row 20002"):
        separa.KMeans(n_clusters=3).fit(separa.Blocks(lambda: iter([bad])))


def test_lazy_tables_of_polars_are_read_in_blocks(lake, monkeypatch):
    pl = pytest.importorskip("polars")
    from separa import _stream

    folder, X = lake
    monkeypatch.setattr(_stream, "LAZY", 2500)
    lazy = pl.scan_parquet(str(folder / "*.parquet")).with_columns(pl.col("a") * 2)
    found = separa.MSPC(n_clusters=3).fit(lazy)
    frame = pd.DataFrame(X * [2, 1, 1], columns=["a", "b", "c"])
    blocks = separa.MSPC(n_clusters=3).fit(separa.Blocks(lambda: iter([frame[:2500], frame[2500:5000], frame[5000:]])))
    # The same rows in the same blocks are the same rule.
    np.testing.assert_array_equal(found.decision_function(frame), blocks.decision_function(frame))
    model = separa.fit(lazy, "kmeans", n_clusters=3)
    assert model.info["n"] == 6000 and model.info["stream"]["all_rows"] is True


def test_a_gap_in_a_later_block_is_filled_as_the_sample_says():
    X = clouds(4000, 5)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    from separa import _run, _stream

    # The first block has no gap: the sample need not have seen one.
    holes = frame.assign(b=frame["b"].mask(frame.index >= 3990))
    blocks = separa.Blocks(lambda: iter([holes[:2000], holes[2000:]]))
    found = _stream.fit("kmeans", {"n_clusters": 3}, blocks, _run.settings(0, 1, None, False), sample_rows=50)
    assert separa.Model(found.rule).info["n"] == 4000


def test_a_backend_of_ones_own_takes_the_place_of_a_table():
    X = clouds(1500, 6)

    class Backwards:
        """Works on the last block first, and folds in order."""

        def map_reduce(self, task, fold, start, each=None):
            parts = np.array_split(X, 5)
            done = {i: task(parts[i], *([] if each is None else [each[i]])) for i in reversed(range(5))}
            for i in range(5):
                start = fold(start, done[i])
            return start

        def map_rows(self, task):
            return [task(part) for part in np.array_split(X, 5)]

    there = separa.MSPC(n_clusters=3).fit(Backwards())
    here = separa.MSPC(n_clusters=3).fit(separa.Blocks(lambda: iter(np.array_split(X, 5))))
    assert there.model_._rule.to_bytes() == here.model_._rule.to_bytes()


def test_words_and_gaps_are_prepared_as_the_sample_was(tmp_path):
    X = clouds(2000, 3)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["shop"] = np.where(X[:, 0] > 3, "north", "south")
    frame.loc[1999, "b"] = None
    pq.write_table(pa.Table.from_pandas(frame[:1500]), tmp_path / "0.parquet")
    pq.write_table(pa.Table.from_pandas(frame[1500:].reset_index(drop=True)), tmp_path / "1.parquet")
    found = separa.KMeans(n_clusters=3).fit(separa.open(tmp_path))
    assert found.model_.info["preparation"] is not None
    assert found.predict(frame).shape == (2000,)


def test_other_methods_say_that_the_sample_was_fitted():
    X = clouds(900, 4)
    found = separa.SpectralClustering(n_clusters=3).fit(separa.Blocks(lambda: iter(np.array_split(X, 3))))
    assert found.model_.info["stream"]["all_rows"] is False
    assert sum(found.model_.info["sizes"]) == 900


def kinds(folder) -> pd.DataFrame:
    rng = np.random.default_rng(7)
    y = rng.integers(0, 3, 6000)
    X = rng.normal(size=(6000, 3)) + 4 * np.eye(3)[y]
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=np.array(["low", "mid", "top"])[y])
    pq.write_table(pa.Table.from_pandas(frame), folder / "t.parquet", row_group_size=1000)
    return frame


CLASSIFIERS = ["MPMClassifier", "MCPMClassifier", "SCMClassifier"]


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_all_rows_teach_a_classifier(tmp_path, name):
    frame = kinds(tmp_path)
    found = getattr(separa, name)().fit(separa.open(tmp_path / "t.parquet"), "kind")
    assert found.classes_.tolist() == ["low", "mid", "top"]
    right = (found.predict(frame[["a", "b", "c"]]) == frame["kind"]).mean()
    assert right > 0.97
    # Counted in the last pass, over all rows.
    assert found.accuracy_ == pytest.approx(right, abs=1e-12)
    assert found.model_.info["n"] == 6000
    assert found.model_.info["stream"] == {"all_rows": True, "sample_rows": 6000, "passes": 2}
    with pytest.raises(DataError, match='no column "sort"'):
        getattr(separa, name)().fit(separa.open(tmp_path / "t.parquet"), "sort")
    with pytest.raises(ParameterError, match="name of the column"):
        getattr(separa, name)().fit(separa.open(tmp_path / "t.parquet"), frame["kind"])
    with pytest.raises(ParameterError, match="sample weights"):
        getattr(separa, name)().fit(separa.open(tmp_path / "t.parquet"), "kind", sample_weight=np.ones(6000))


def test_a_small_sample_of_a_classifier_is_improved_by_all_rows(monkeypatch):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 40_000)
    X = rng.normal(size=(40_000, 6)) @ rng.normal(size=(6, 6)) + y[:, None]
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(y=y)
    blocks = separa.Blocks(lambda: iter([frame[:9000], frame[9000:9000], frame[9000:]]))
    monkeypatch.setattr(separa._stream, "SAMPLE", 1000)
    given = {"scaling": "none", "reg": 0.01}
    streamed = separa.MPMClassifier(**given).fit(blocks, "y")
    memory = separa.MPMClassifier(**given).fit(X, y)
    np.testing.assert_allclose(streamed.coef_, memory.coef_, rtol=1e-7)
    assert streamed.classes_.tolist() == [0, 1]
    assert streamed.bounds_[0]["alpha"] == pytest.approx(memory.bounds_[0]["alpha"], rel=1e-7)


def test_gaps_and_several_types_of_classes_are_named():
    frame = pd.DataFrame({"a": np.arange(6.0), "y": ["u", "v", None, "u", "v", "u"]})
    with pytest.raises(DataError, match='column "y" has a gap'):
        separa.MPMClassifier().fit(separa.Blocks(lambda: iter([frame])), "y")
    with pytest.raises(DataError, match="no rows"):
        separa.MPMClassifier().fit(separa.Blocks(lambda: iter([frame[:0]])), "y")


@pytest.mark.parametrize("method", ["mpm", "mcpm", "scm"])
def test_the_command_line_trains_the_same_classifier(tmp_path, cli, method):
    features = kinds(tmp_path)[["a", "b", "c"]]
    cli("train", tmp_path / "t.parquet", "--target", "kind", "-m", method, "--stream", "--model", tmp_path / "m.separa")
    found = getattr(separa, f"{method.upper()}Classifier")().fit(separa.open(tmp_path / "t.parquet"), "kind")
    # Blocks end where row groups do, in both.
    there = separa.load(tmp_path / "m.separa").decision_function(features)
    np.testing.assert_array_equal(there, found.decision_function(features))


def test_bad_input_is_named(lake):
    folder, X = lake
    with pytest.raises(FileNotFoundError, match="no such file"):
        separa.open(folder / "none-*.parquet")
    with pytest.raises(ParameterError, match="sample weights"):
        separa.KMeans().fit(separa.open(folder), sample_weight=np.ones(6000))
    with pytest.raises(DataError, match="no rows"):
        separa.KMeans().fit(separa.Blocks(lambda: iter([X[:0]])))
    with pytest.raises(DataError):
        separa.KMeans().fit(separa.Blocks(lambda: iter([X, np.full((1, 3), np.nan)])))
    content = (folder / "part-1.parquet").read_bytes()
    (folder / "part-1.parquet").write_bytes(content[: len(content) // 2])
    with pytest.raises((DataError, OSError), match="part-1"):
        separa.KMeans().fit(separa.open(folder / "*.parquet"))


def test_moments_add_up():
    X = np.random.default_rng(0).normal(1e8, 1, (500, 3))
    total = separa.Moments.total(separa.Moments.of(part) for part in np.split(X, [0, 7, 400]))
    assert total.n == 500
    # NumPy's own mean of 500 numbers of 1e8 is off by a few units of rounding.
    np.testing.assert_allclose(total.mean, X.mean(axis=0), rtol=1e-14)
    # Means of 1e8 are rounded to 1.5e-8, and so are the gaps between those of parts.
    np.testing.assert_allclose(total.covariance(), np.cov((X - 1e8).T, bias=True), rtol=1e-8, atol=1e-8)
