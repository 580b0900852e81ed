"""What importing costs and needs: NumPy alone, and a sentence where something is missing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import samples
import separa
from separa import _cpu


def run(lines):
    done = subprocess.run(
        [sys.executable, "-c", samples.script(lines)],
        capture_output=True, text=True, timeout=60, check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


HEAVY = ["sklearn", "scipy", "pandas", "polars", "pyarrow", "joblib"]


def test_importing_and_fitting_loads_numpy_alone():
    loaded = run(
        "import separa\n"
        "model = separa.fit([[0.0], [0.1], [5.0], [5.1]], n_clusters=2)\n"
        "separa.metrics.msp([[0.0], [0.1], [5.0], [5.1]], model.labels_)\n"
        "import pickle; pickle.loads(pickle.dumps(model)).predict([[1.0]])\n"
        "print([name for name in %r if name in sys.modules], 'numpy' in sys.modules)" % HEAVY
    )
    assert loaded == "[] True"


def test_engines_are_imported_in_their_module_alone():
    engines = ["dask", "distributed", "pyspark", "ray"]
    loaded = run(
        "import separa, separa._stream, separa._spark_blocks\n"
        "separa.Blocks(lambda: iter([])), separa.Moments\n"
        "print([name for name in %r if name in sys.modules])" % engines
    )
    assert loaded == "[]"
    for module, engine in (("dask", "dask"), ("spark", "pyspark")):
        said = run(
            f"sys.modules['{engine}'] = None\n"
            "import separa\n"
            f"try:\n    import separa.{module}\nexcept ImportError as e:\n    print(e)"
        )
        assert f"pip install 'separa[{module}]'" in said


BLOCKED = """
for name in ("sklearn", "scipy", "pandas", "joblib"):
    sys.modules[name] = None
import separa
print(separa.fit([[0.0], [0.1], [5.0], [5.1]], n_clusters=2).labels_.tolist())
for ask in (lambda: separa.MSPC, lambda: separa.KMeans,
            lambda: separa.fit([[0.0], [5.0]], n_clusters=2).to_estimator()):
    try:
        ask()
    except ImportError as e:
        print(e)
"""


def test_without_scikit_learn_the_core_works_and_the_classes_say_what_they_need():
    first, *sentences = run(BLOCKED).splitlines()
    assert first == "[0, 0, 1, 1]"
    assert len(sentences) == 3
    for sentence in sentences:
        assert "need scikit-learn 1.5 or newer (pip install scikit-learn)" in sentence
        assert "separa.fit works without it" in sentence


def test_a_class_is_loaded_on_first_use():
    said = run("import separa\nsepara.KMeans\nprint('sklearn' in sys.modules)")
    assert said == "True"
    assert separa.KMeans is separa.KMeans


def test_the_version_is_cargos():
    manifest = (samples.ROOT / "Cargo.toml").read_text(encoding="utf-8")
    package = re.search(r"^\[workspace\.package\]\n(.*?)(?=^\[|\Z)", manifest, re.M | re.S)
    assert package is not None
    (version,) = re.findall(r'^version = "(.+)"$', package[1], re.M)
    assert separa.__version__ == version


def test_the_processor_is_checked_by_its_flags():
    good = "processor : 0\nflags\t\t: fpu sse2 avx avx2 bmi1 bmi2 fma\nbugs : none\n"
    assert _cpu.missing(good) == []
    assert _cpu.missing(good.replace(" avx2", "")) == ["avx2"]
    assert _cpu.missing("flags\t\t: fpu sse2 avx\n") == ["avx2", "fma", "bmi2"]
    # Flags that only begin like a needed one do not count.
    assert _cpu.missing(good.replace("fma", "fma4")) == ["fma"]
    # No line of flags: nothing is known, nothing is missing.
    assert _cpu.missing("") == []
    assert _cpu.missing("Features : fp asimd\n") == []


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux says of the processor")
def test_a_processor_that_is_too_old_for_the_engine_gets_a_sentence(monkeypatch):
    monkeypatch.setattr(_cpu.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(_cpu, "missing", lambda text: ["avx2", "fma"])
    monkeypatch.setattr(_cpu, "engine_needs_them", lambda: True)
    with pytest.raises(ImportError, match="needs a processor with avx2, fma"):
        _cpu.check()
    monkeypatch.setattr(_cpu, "engine_needs_them", lambda: False)
    assert _cpu.check() is None
    monkeypatch.setattr(_cpu, "engine_needs_them", lambda: True)
    monkeypatch.setattr(_cpu.platform, "machine", lambda: "aarch64")
    assert _cpu.check() is None


def test_the_engine_says_in_its_bytes_what_it_needs():
    (engine,) = Path(separa.__file__).parent.glob("_separa*.so")
    said = set(re.findall(rb"separa needs (avx2|none)", engine.read_bytes()))
    assert len(said) == 1
    assert _cpu.engine_needs_them() == (said == {b"avx2"})


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux says of the processor")
@pytest.mark.parametrize("marker", [b"separa needs avx2", b"separa needs none", b""])
def test_an_old_processor_is_refused_only_by_an_engine_that_needs_a_new_one(marker, monkeypatch, tmp_path):
    (tmp_path / "_separa.abi3.so").write_bytes(b"\x7fELF..." + marker + b"...")
    monkeypatch.setattr(_cpu, "__file__", str(tmp_path / "_cpu.py"))
    monkeypatch.setattr(_cpu.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(_cpu, "missing", lambda text: ["avx2"])
    if marker == b"separa needs avx2":
        with pytest.raises(ImportError, match="needs a processor with avx2"):
            _cpu.check()
    else:
        assert _cpu.check() is None
    monkeypatch.setattr(_cpu, "missing", lambda text: [])
    assert _cpu.check() is None


def test_the_package_is_typed_and_says_what_it_holds():
    folder = Path(separa.__file__).parent
    assert (folder / "py.typed").exists()
    assert (folder / "_separa.pyi").exists()


def test_the_stub_lists_what_the_engine_has():
    stub = (Path(separa.__file__).parent / "_separa.pyi").read_text(encoding="utf-8")
    written = set(re.findall(r"^(?:def|class) (\w+)", stub, re.M))
    engine = separa._separa
    has = {n for n in dir(engine) if not n.startswith("__") and callable(getattr(engine, n))}
    assert written == has
    for name, body in re.findall(r"^class (\w+):\n((?:    .*\n)+)", stub, re.M):
        methods = set(re.findall(r"^    def ([a-z]\w*)", body, re.M))
        assert methods == {n for n in dir(getattr(engine, name)) if not n.startswith("_")}, name


def test_a_command_line_that_is_named_and_missing_is_no_reason_to_skip(tmp_path):
    program = "def test_it(cli):\n    pass\n"
    (tmp_path / "test_it.py").write_text(program, encoding="utf-8")
    (tmp_path / "conftest.py").write_text("from tests_conftest import cli\n", encoding="utf-8")
    here = Path(__file__).parent
    (tmp_path / "tests_conftest.py").write_bytes((here / "conftest.py").read_bytes())
    paths = os.pathsep.join([str(here), str(Path(separa.__file__).parents[1])])
    env = {**os.environ, "SEPARA_CLI": str(tmp_path / "nowhere"), "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path],
        capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path, env=env,
    )
    assert done.returncode == 1
    assert "no command line at" in done.stdout and "1 error" in done.stdout
