"""Fixtures: tables, and the command line where it is built."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import samples


@pytest.fixture(scope="session")
def wine():
    return samples.wine()


@pytest.fixture(scope="session")
def cli():
    """Runs the command line with these arguments and returns its standard output."""
    named = os.environ.get("SEPARA_CLI")
    binary = Path(named or samples.ROOT / "target" / "release" / "separa")
    if not binary.exists():
        # Who names a command line wants it tested.
        (pytest.fail if named else pytest.skip)(
            f"no command line at {binary}; cargo build --release makes it"
        )

    def run(*args, codes=(0,)):
        done = subprocess.run(
            [binary, *map(str, args)], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode in codes, done.stderr
        return done.stdout

    return run
