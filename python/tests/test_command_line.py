"""The command line that the package brings is the one that is built from Rust."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WINE = Path(__file__).parents[2] / "examples" / "data" / "wine.csv"
WORDS = ["cluster", str(WINE), "-k", "3", "--truth", "cultivar", "--json", "-q"]


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, encoding="utf-8", **more)


def answer(*program):
    done = run(*program, *WORDS)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    found.pop("seconds")
    return found


def test_python_m_separa_gives_the_answer_of_the_binary():
    binary = os.environ.get("SEPARA_CLI")
    if not binary:
        pytest.skip("SEPARA_CLI does not name the binary")
    assert answer(sys.executable, "-m", "separa") == answer(binary)


def test_commands_to_try_next_are_those_of_the_binary():
    binary = os.environ.get("SEPARA_CLI")
    if not binary:
        pytest.skip("SEPARA_CLI does not name the binary")
    words = ["cluster", str(WINE), "--drop", "cultivar", "-k", "3"]
    shown = [
        [line for line in run(*program, *words).stdout.splitlines() if line.startswith("  separa ")]
        for program in ([sys.executable, "-m", "separa"], [binary])
    ]
    assert shown[0] == shown[1] and shown[0]


def test_the_command_is_installed_beside_python():
    command = Path(sys.executable).with_name("separa.exe" if os.name == "nt" else "separa")
    if not command.exists():
        pytest.skip("the package is not installed here")
    assert answer(str(command))["k"] == 3


def test_exit_codes_and_messages_are_those_of_the_binary(tmp_path):
    missing = run(sys.executable, "-m", "separa", "cluster", "nothing.csv", cwd=tmp_path)
    assert missing.returncode == 2 and "nothing.csv" in missing.stderr
    wrong = run(sys.executable, "-m", "separa", "clutser")
    assert wrong.returncode == 2 and "cluster" in wrong.stderr
    version = run(sys.executable, "-m", "separa", "--version")
    assert version.returncode == 0 and version.stdout.startswith("separa ")


def test_a_reader_that_goes_away_does_no_harm():
    with subprocess.Popen([sys.executable, "-m", "separa", *WORDS], stdout=subprocess.PIPE) as running:
        running.stdout.read(10)
        running.stdout.close()
        assert running.wait(60) == 0
