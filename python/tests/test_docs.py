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

HOME = Path(separa.__file__).parent
EXAMPLES = sorted((samples.ROOT / "examples").glob("*.py"))
PAGES = [samples.ROOT / "README.md"] + [
    samples.ROOT / "docs" / name
    for name in (
        "python.md",
        "how-many.md",
        "reading-the-result.md",
        "confidence.md",
        "scaling.md",
        "scale.md",
        "plots.md",
        "explain.md",
        "export.md",
        "tutorials/pandas.md",
    )
]
MODULES = ["separa", *(f"separa.{file.stem}" for file in sorted(HOME.glob("[!_]*.py"))),
           *(f"separa.cluster.{file.stem}" for file in sorted(HOME.glob("cluster/[!_]*.py"))),
           *(f"separa.plot.{file.stem}" for file in sorted(HOME.glob("plot/_[!_]*.py"))),
           *(f"separa.{file.stem}" for file in sorted(HOME.glob("_[!_]*.py")))]


def public():
    """Every public class and function by name."""
    found = {name: getattr(separa, name) for name in separa.__all__}
    found.update({f"metrics.{name}": getattr(metrics, name) for name in metrics.__all__})
    return {name: thing for name, thing in found.items() if callable(thing)}


def test_every_public_thing_has_an_example_in_a_module_that_is_run():
    for name, thing in public().items():
        assert thing.__module__ in MODULES, name
        assert ">>> " in thing.__doc__, name


@pytest.mark.parametrize("name", MODULES)
def test_doctests_of(name):
    if name == "separa.dask":
        pytest.importorskip("distributed", reason="Dask is not installed")
    if name == "separa.spark":
        pytest.importorskip("pyspark", reason="Spark is not installed: ./test spark tests it")
    if name == "separa._stream":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
    # Wherever a public thing lives, its examples are run.
    assert result.attempted >= sum(thing.__module__ == name for thing in public().values())


@pytest.mark.parametrize("name", samples.CLASSES)
def test_every_class_has_an_example_and_its_sections(name):
    text = inspect.getdoc(getattr(separa, name))
    assert ">>> " in text.partition("Examples\n--------")[2]
    for section in ("Parameters", "Attributes", "Examples"):
        assert f"\n{section}\n{'-' * len(section)}\n" in text


def public_functions():
    return {name: thing for name, thing in public().items() if inspect.isfunction(thing)}


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


def test_there_are_examples():
    assert EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_the_example_runs(example, tmp_path):
    needs(example.read_text(encoding="utf-8"))
    done = run(example, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip(), "an example shows something"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_of_the_documentation_runs_in_order(page, tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    assert blocks
    needs("\n".join(blocks))
    program = tmp_path / "page.py"
    program.write_text("\n".join(blocks), encoding="utf-8")
    done = run(program, tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_pictures_show_what_the_methods_find():
    script = samples.ROOT / "docs" / "figures" / "make.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
