"""mypy --strict accepts the package and a program that uses it."""

from __future__ import annotations

import subprocess
import sys

import pytest
import samples

pytest.importorskip("mypy", reason="mypy is not installed")
USAGE = samples.ROOT / "python" / "tests" / "usage.py"


def mypy(folder, *args):
    config = samples.ROOT / "pyproject.toml"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", config, "--cache-dir", folder, *args],
        capture_output=True, text=True, timeout=300, check=False, cwd=samples.ROOT,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Kept between the calls: the second needs a tenth of the time."""
    return tmp_path_factory.mktemp("mypy")


def test_the_package_passes(cache):
    code, said = mypy(cache, "--strict", samples.ROOT / "python" / "separa")
    assert code == 0, said


def test_a_program_that_uses_the_package_passes(cache):
    code, said = mypy(cache, "--strict", USAGE)
    assert code == 0, said


def test_a_program_that_misuses_the_package_does_not(cache, tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import separa\n"
        "separa.fit([[1.0]], n_jobs='two')\n"
        "separa.KMeans(n_clusters='two')\n"
        "separa.load(3)\n"
        "separa.fit([[1.0]]).labels_.no_such_thing\n"
        "separa.NoSuchClass\n"
    )
    code, said = mypy(cache, "--strict", wrong)
    assert code == 1
    assert {int(line.split(":")[1]) for line in said.splitlines() if "error:" in line} == set(range(2, 7))
