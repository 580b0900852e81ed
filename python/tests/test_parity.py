"""The Python classes say what the engine says: names, order, defaults and sentences."""

from __future__ import annotations

import ast
import importlib.util
import sys
import inspect
import re
from pathlib import Path

import pytest
import samples
import separa
from separa import _base

each_method = pytest.mark.parametrize("method", samples.METHODS, ids=samples.NAMES)
each_classifier = pytest.mark.parametrize("method", separa.classifiers(), ids=samples.CLASSIFIERS)
each_of_both = pytest.mark.parametrize(
    "method", [*samples.METHODS, *separa.classifiers()], ids=[*samples.NAMES, *samples.CLASSIFIERS]
)


def generator():
    """The script that writes the classes."""
    path = samples.ROOT / "python" / "generate.py"
    spec = importlib.util.spec_from_file_location("generate", path)
    module = importlib.util.module_from_spec(spec)
    before = sys.path[:]
    spec.loader.exec_module(module)
    sys.path[:] = before  # the script looks beside itself, where the sources of this package are
    return module


def test_the_classes_are_what_the_generator_writes():
    for path, text in generator().files(separa.methods(), separa.classifiers()).items():
        fresh = path.read_text(encoding="utf-8") == text
        assert fresh, f"{path.name} is out of date: run python python/generate.py"


def parameters_of(cls):
    """The defaults of a class by parameter."""
    signature = inspect.signature(cls.__init__).parameters
    return {name: p.default for name, p in signature.items() if name != "self"}


def shown_defaults(cls):
    """What the docstring's ``default=…`` says, by parameter."""
    # Python 3.13 takes the indent away by itself.
    lines = re.findall(r"^(\w+) : .*?default=(.+)$", inspect.cleandoc(cls.__doc__), re.M)
    return {name: ast.literal_eval(value) for name, value in lines}


@each_of_both
def test_a_class_has_the_parameters_of_its_method(method):
    cls = getattr(separa, method["class"])
    assert cls._method == method["name"]
    given = parameters_of(cls)
    shared = (*(_base.AUTO_PARAMETERS if "n_clusters" in given else ()), *_base.RUN_PARAMETERS)
    assert list(given) == [*method["defaults"], *shared]
    for name, default in method["defaults"].items():
        # 1 == 1.0 == True, so the type is compared too.
        assert (type(given[name]), given[name]) == (type(default), default), name
    for name, value in cls().get_params().items():
        assert value is given[name]


@each_of_both
def test_a_docstring_holds_every_sentence_and_every_word_of_a_parameter(method):
    text = " ".join(getattr(separa, method["class"]).__doc__.split())
    for spec in method["specs"]:
        assert f"{spec['name']} : " in text
        assert " ".join(spec["doc"].split()) in text
        for word in spec["words"]:
            assert re.search(rf"(?<![\w+-]){re.escape(word)}(?![\w+-])", text), word


@each_of_both
def test_documented_defaults_are_the_real_ones(method):
    cls = getattr(separa, method["class"])
    assert shown_defaults(cls) == parameters_of(cls)


@each_method
def test_a_completed_call_has_the_defaults(method):
    rows, _ = samples.blobs()
    assert separa.fit(rows, method["name"]).params == method["defaults"]
    fitted = getattr(separa, method["class"])().fit(rows)
    assert fitted.model_.params == method["defaults"]


@each_method
def test_fitted_attributes_are_documented(method):
    cls = getattr(separa, method["class"])
    fitted = cls(n_clusters=2).fit(samples.blobs()[0])
    documented = re.findall(r"\b\w+_\b", cls.__doc__.partition("Attributes")[2].partition("Examples")[0])
    public = {name for name in vars(fitted) if name.endswith("_") and not name.startswith("_")}
    assert public <= set(documented)


@each_classifier
def test_a_fitted_classifier_has_the_defaults_and_documents_its_attributes(method):
    rows, classes = samples.blobs()
    cls = getattr(separa, method["class"])
    fitted = cls().fit(rows, classes)
    assert fitted.model_.params == method["defaults"]
    documented = re.findall(r"\b\w+_\b", cls.__doc__.partition("Attributes")[2].partition("Examples")[0])
    public = {name for name in vars(fitted) if name.endswith("_") and not name.startswith("_")}
    assert public <= set(documented)


def test_every_class_is_listed_wherever_classes_are():
    source = ast.parse(Path(separa.__file__).read_text(encoding="utf-8"))
    (typing_only,) = [
        node for node in source.body
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    ]
    imports = [node for node in typing_only.body if isinstance(node, ast.ImportFrom)]
    shown = {alias.asname: node.module for node in imports for alias in node.names}
    assert shown == separa._CLASSES
    assert set(separa._CLASSES) == {*samples.CLASSES, *samples.CLASSIFIERS, "TOD"}
    assert set(separa._CLASSES) <= set(separa.__all__)
    assert set(dir(separa)) == set(separa.__all__)
    for name in separa.__all__:
        assert getattr(separa, name) is not None


def test_no_method_is_listed_twice():
    assert len(set(samples.NAMES)) == len(samples.NAMES)
    assert len(set(samples.CLASSES)) == len(samples.CLASSES)


@pytest.mark.parametrize("old, new", _base.RENAMED.items())
def test_an_old_name_is_answered_with_the_new_one(old, new):
    with pytest.raises(ValueError, match=f"`{old}` for mspc: it is now `{new}`"):
        separa.fit(samples.blobs()[0], "mspc", **{old: 0.1})


def test_a_pickle_with_an_old_name_keeps_its_value():
    mspc = separa.MSPC()
    state = mspc.__getstate__()
    state["min_share"] = 0.2
    del state["min_cluster_size"]
    mspc.__setstate__(state)
    assert mspc.min_cluster_size == 0.2 and not hasattr(mspc, "min_share")
