"""The Python code that the page of `separa app` shows gives the labels that the page gives."""

import json
import os
import pathlib
import re
import subprocess
import time
import urllib.request

import numpy as np
import pytest

pytest.importorskip("pandas")
CLI = os.environ.get("SEPARA_CLI")
WINE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "data" / "wine.csv"


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """Asks a running app as its page does."""
    if not CLI:
        pytest.skip("SEPARA_CLI does not name the command line")
    folder = tmp_path_factory.mktemp("app")
    app = subprocess.Popen([CLI, "app", "--no-open"], cwd=folder, stdout=subprocess.PIPE, text=True)
    base, token = re.search(r"(http://\S+)/\?token=(\w+)", app.stdout.readline()).groups()

    def asked(path, body=None):
        headers = {"x-separa-token": token, "x-separa-name": "wine.csv"}
        request = urllib.request.Request(base + path, data=body, headers=headers)
        return urllib.request.urlopen(request).read()

    yield asked
    app.terminate()
    app.wait()


@pytest.mark.parametrize(
    "choices",
    [
        {"k": 3, "drop": ["cultivar"]},
        {"truth": "cultivar"},
        {"k": 2, "method": "kmeans", "drop": ["ash", "cultivar"], "seed": 7},
        {"k": 3, "drop": ["cultivar"], "scaling": "standard"},
    ],
)
def test_code_gives_the_labels_of_the_page(ask, tmp_path, monkeypatch, choices):
    table = json.loads(ask("/api/tables", WINE.read_bytes()))["table"]
    run = json.loads(ask("/api/runs", json.dumps({"table": table, "choices": choices}).encode()))["run"]
    while True:
        found = next(r for r in json.loads(ask("/api/state"))["runs"] if r["run"] == run)
        if found["state"] in ("done", "failed"):
            break
        time.sleep(0.05)
    assert found["state"] == "done", found
    labels = [int(line.split(",")[1]) for line in ask(f"/api/runs/{run}/labels.csv").decode().split()[1:]]
    (tmp_path / "wine.csv").write_bytes(WINE.read_bytes())
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(found["result"]["python"], names)  # noqa: S102 - the code is what is tested
    np.testing.assert_array_equal(names["labels"], labels)
