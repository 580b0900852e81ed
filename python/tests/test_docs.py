"""Everything that is shown runs: docstrings, examples, the code in the documentation."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import samples
import separa
from separa import metrics

EXAMPLES = sorted((samples.ROOT / "examples").glob("*.py"))
PAGE = samples.ROOT / "docs" / "python.md"
MODULES = ["separa", "separa._model", "separa._run", "separa.metrics", "separa.exceptions"] + [
    f"separa.{module}" for module in separa._CLASSES.values()
]


@pytest.mark.parametrize("name", MODULES)
def test_doctests_of(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
    if name in ("separa", "separa._model", "separa.metrics", "separa._mspc", "separa._kmeans"):
        assert result.attempted > 0


@pytest.mark.parametrize("name", samples.CLASSES)
def test_every_class_has_an_example_and_its_sections(name):
    text = inspect.getdoc(getattr(separa, name))
    assert ">>> " in text.partition("Examples\n--------")[2]
    for section in ("Parameters", "Attributes", "Examples"):
        assert f"\n{section}\n{'-' * len(section)}\n" in text


def public_functions():
    found = {f"metrics.{name}": getattr(metrics, name) for name in metrics.__all__}
    found.update({name: getattr(separa, name) for name in ("fit", "load", "save", "methods")})
    return {name: thing for name, thing in found.items() if inspect.isfunction(thing)}


@pytest.mark.parametrize("name", public_functions())
def test_every_parameter_of_a_public_function_is_documented(name):
    function = public_functions()[name]
    text = inspect.getdoc(function) or ""
    section = re.search(r"\nParameters\n-+\n(.*?)(?=\n\w+\n-+\n|\Z)", text, re.S)
    documented = set()
    for line in (section[1] if section else "").splitlines():
        if not line.startswith(" "):
            documented |= {word.strip(" *") for word in line.partition(" : ")[0].split(",")}
    assert set(inspect.signature(function).parameters) <= documented | {""}
    assert text[0].isupper() or text[0] == "`"


def run(program, folder):
    home = str(Path(separa.__file__).parents[1])
    paths = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=120, check=False,
        cwd=folder, env={**os.environ, "PYTHONPATH": paths},
    )


def needs(text):
    """Skips where a program imports what is not installed; the core and its classes are."""
    for name in sorted(set(re.findall(r"^\s*(?:import|from) (\w+)", text, re.M))):
        pytest.importorskip(name)


@pytest.mark.parametrize("example", EXAMPLES or [None], ids=lambda e: e.stem if e else "none")
def test_the_example_runs(example, tmp_path):
    if example is None:
        pytest.skip("there is no examples/*.py yet")
    needs(example.read_text(encoding="utf-8"))
    done = run(example, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), "an example shows something"


def test_the_code_of_the_documentation_runs_in_order(tmp_path):
    if not PAGE.exists():
        pytest.skip("there is no docs/python.md yet")
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert blocks
    needs("\n".join(blocks))
    program = tmp_path / "page.py"
    program.write_text("\n".join(blocks), encoding="utf-8")
    done = run(program, tmp_path)
    assert done.returncode == 0, done.stderr
