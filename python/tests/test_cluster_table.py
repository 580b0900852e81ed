"""Every cluster against known classes."""

from __future__ import annotations

import json

import numpy as np
import pytest
import samples
import separa
from separa import metrics
from separa.exceptions import DataError


def test_the_paper_s_example_has_entropy_0_7228_and_purity_one_half():
    # Half of a cluster belongs to one class, the rest is spread over 19 others.
    truth = ["horses"] * 19 + [f"topic {i}" for i in range(19)]
    (line,) = metrics.cluster_table(["a"] * 38, truth)
    assert (line["cluster"], line["size"], line["purity"]) == ("a", 38, 0.5)
    assert line["entropy"] == pytest.approx(0.7228, abs=5e-5)
    assert line["class"] == "horses" and line["counts"]["horses"] == 19
    assert len(line["counts"]) == 20


def test_counts_are_those_of_the_labels_and_means_those_of_external(wine):
    rows, _, cultivars = wine
    labels = separa.fit(rows, "kmeans", n_clusters=3).labels_
    table = metrics.cluster_table(labels, cultivars)
    sizes = np.array([line["size"] for line in table])
    for line in table:
        inside = cultivars[labels == line["cluster"]]
        assert line["counts"] == {c: int((inside == c).sum()) for c in line["counts"]}
        assert line["size"] == len(inside) == sum(line["counts"].values())
        assert line["counts"][line["class"]] == max(line["counts"].values())
    for name in ["purity", "entropy"]:
        mean = float((sizes * [line[name] for line in table]).sum() / sizes.sum())
        assert mean == pytest.approx(metrics.external(labels, cultivars)[name], abs=1e-12)
    json.dumps(table)


def test_the_command_line_says_the_same(cli, wine):
    rows, _, cultivars = wine
    said = json.loads(cli("cluster", samples.WINE, "-k", 3, "--truth", "cultivar", "--json"))
    table = metrics.cluster_table(separa.fit(rows, n_clusters=3).labels_, cultivars)
    for line, other in zip(table, said["truth"]["clusters"]):
        assert line["purity"] == other["purity"] and line["entropy"] == other["entropy"]
        assert list(line["counts"].values()) == other["counts"]
        assert str(line["class"]) == other["class"]


def test_rows_set_aside_are_left_out_and_bad_input_is_refused():
    (first, second) = metrics.cluster_table([0, -1, 1, 1], [3, 3, 4, 3])
    assert first["size"] == 1 and second["counts"] == {3: 1, 4: 1}
    with pytest.raises(DataError, match="3 labels were given for 2 rows"):
        metrics.cluster_table([0, 1, 1], [0, 1])
    with pytest.raises(DataError, match="row 2 has no label"):
        metrics.cluster_table([0, 1], ["a", None])
