"""The Python classes say what the engine says: names, order, defaults and sentences."""

from __future__ import annotations

import ast
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


def drift(cls, method):
    """Every way in which a class differs from its method; none where they agree."""
    signature = inspect.signature(cls.__init__).parameters
    given = {name: p.default for name, p in signature.items() if name != "self"}
    names = [spec["name"] for spec in method["specs"]]
    clusters = "n_clusters" in names
    shared = (*(_base.AUTO_PARAMETERS if clusters else ()), *_base.RUN_PARAMETERS)
    own = [name for name in given if name not in shared]
    found = []
    if getattr(cls, "_method", None) != method["name"]:
        found.append(f"_method is {getattr(cls, '_method', None)!r}, not {method['name']!r}")
    if own != names:
        found.append(f"parameters are {own}, not {names}")
    if list(given)[len(own) :] != list(shared):
        found.append(f"the last parameters are not {shared}")
    for name in set(own) & set(names):
        default = method["defaults"][name]
        # 1 == 1.0 == True, so the type is compared too.
        if (type(given[name]), given[name]) != (type(default), default):
            found.append(f"`{name}` is {given[name]!r} by default, not {default!r}")
    sections, heads = parameter_docs(cls), parameter_heads(cls)
    for spec in method["specs"]:
        if plain(spec["doc"]) not in plain(sections.get(spec["name"], "")):
            found.append(f"`{spec['name']}` does not say: {spec['doc']}")
        listed = sections.get(spec["name"], "") + heads.get(spec["name"], "")
        unsaid = [word for word in words(spec["expected"]) if not says(listed, word)]
        if unsaid:
            found.append(f"`{spec['name']}` does not list: {', '.join(unsaid)}")
    for name in shared:
        if not sections.get(name, "").strip():
            found.append(f"`{name}` is not documented")
    return found + sorted(f"`{name}` is no parameter" for name in set(sections) - set(given))


def parameter_docs(cls):
    """The text under each parameter of a numpydoc docstring."""
    text = inspect.cleandoc(cls.__doc__ or "")
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w+\n-+\n|\Z)", text, re.M | re.S)
    found, name = {}, None
    for line in (section[1] if section else "").splitlines():
        if line and not line.startswith(" "):
            name = line.partition(" : ")[0]
            found[name] = ""
        elif name is not None:
            found[name] += line + "\n"
    return found


def parameter_heads(cls):
    """What stands behind the colon of each parameter: its kind and its default."""
    return dict(re.findall(r"^(\w+) : (.+)$", inspect.cleandoc(cls.__doc__ or ""), re.M))


def words(expected):
    """The words that a parameter takes: quoted ones, and those of "one of a, b" or "a, b, or …"."""
    quoted = re.findall(r'"([^"]+)"', expected)
    listed = re.fullmatch(r"(?:one of )?((?:[\w+-]+, )+)(?:or .+|([\w+-]+))", expected)
    if listed is None:
        return quoted
    return quoted + [word for word in [*listed[1].split(", "), listed[2]] if word]


def says(text, word):
    """Whether a word stands in a text by itself, not as a part of a longer one."""
    return re.search(rf"(?<![\w+-]){re.escape(word)}(?![\w+-])", text) is not None


def test_the_words_of_a_parameter_are_found():
    assert words("one of mpm, gep, eig-paper") == ["mpm", "gep", "eig-paper"]
    assert words("auto, k-means++, or one label a row") == ["auto", "k-means++"]
    assert words('"median" or a positive number') == ["median"]
    assert words("a whole number, 1 or more") == words("true or false") == []
    assert says("one of eig, pca", "eig") and not says("eig-paper", "eig")


def plain(text):
    """On one line, in small letters."""
    return " ".join(text.split()).lower()


def shown_defaults(cls):
    """What the docstring's ``default=…`` says, by parameter."""
    # Python 3.13 takes the indent away by itself.
    lines = re.findall(r"^(\w+) : .*?default=(.+)$", inspect.cleandoc(cls.__doc__), re.M)
    return {name: ast.literal_eval(value) for name, value in lines}


@each_of_both
def test_a_class_agrees_with_its_method(method):
    assert drift(getattr(separa, method["class"]), method) == []


@each_of_both
def test_documented_defaults_are_the_real_ones(method):
    cls = getattr(separa, method["class"])
    real = {
        name: p.default
        for name, p in inspect.signature(cls.__init__).parameters.items()
        if name != "self"
    }
    assert shown_defaults(cls) == real


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


KMEANS = next(method for method in samples.METHODS if method["name"] == "kmeans")


def doctored(**changes):
    """A copy of KMeans with another default, method name or docstring."""
    space = {"__doc__": changes.get("doc", separa.KMeans.__doc__)}
    if "method" in changes:
        space["_method"] = changes["method"]
    cls = type("Doctored", (separa.KMeans,), space)
    signature = inspect.signature(separa.KMeans.__init__)
    parameters = changes.get("parameters", lambda p: p)(list(signature.parameters.values()))

    def __init__(self):
        """Never run; only its signature is read."""

    __init__.__signature__ = signature.replace(parameters=parameters)
    cls.__init__ = __init__
    return cls


def with_default(name, value):
    return lambda all_of: [p.replace(default=value) if p.name == name else p for p in all_of]


DOC = inspect.cleandoc(separa.KMeans.__doc__)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"parameters": with_default("n_init", 9)}, "`n_init` is 9 by default, not 10"),
        ({"parameters": with_default("n_init", 10.0)}, "`n_init` is 10.0 by default, not 10"),
        ({"parameters": lambda p: [q for q in p if q.name != "tol"]}, "parameters are"),
        ({"parameters": lambda p: [p[0], p[2].replace(kind=p[1].kind), p[1], *p[3:]]}, "parameters are"),
        ({"parameters": lambda p: p[:-1]}, "the last parameters are not"),
        ({"method": "mspc"}, "_method is 'mspc'"),
        ({"doc": DOC.replace("Rounds of one restart", "Rounds")}, "`max_iter` does not say"),
        ({"doc": DOC.replace("1 shows a progress bar.", "")}, "`verbose` is not documented"),
        ({"doc": DOC.replace("\ntol : float", "\ntoll : float")}, "`toll` is no parameter"),
        ({"doc": None}, "`n_clusters` does not say"),
    ],
)
def test_drift_is_found(changes, complaint):
    found = drift(doctored(**changes), KMEANS)
    assert any(sentence.startswith(complaint) for sentence in found), found


def test_a_word_that_is_not_listed_is_drift():
    mspc = next(method for method in samples.METHODS if method["name"] == "mspc")
    text = separa.MSPC.__doc__.replace("pca, oversplit", "oversplit").replace('"rbf", ', "")
    cls = type("Doctored", (separa.MSPC,), {"__doc__": text})
    assert drift(cls, mspc) == ["`init` does not list: pca", "`kernel` does not list: rbf"]


def test_an_undoctored_copy_has_no_drift():
    assert drift(doctored(), KMEANS) == []
