"""Writes the estimator classes: `python python/generate.py`, with the engine built.

The engine lists every parameter with its default, its range and a sentence; `class_docs.py` holds what
people wrote about each class. The classes are written to files that are checked in, and not made at
import, so that editors, type checkers, documentation tools and pickles see plain signatures.
`tests/test_parity.py` fails if the files are not what this script writes.
"""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import class_docs as prose  # noqa: E402

PACKAGE = Path(__file__).resolve().parent / "separa"
WIDTH = 100

#: What a parameter takes beside words, if not a number: for its head in the docstring.
ARRAYS = {"init": "str or array-like of int", "weights": "str or array-like of float",
          "priors": "str, dict or array-like of float"}

HEAD = '''"""{title}

Written by python/generate.py: do not edit. Parameters come from the engine, prose from
python/class_docs.py.
"""

from __future__ import annotations

from typing import Any

{imports}
'''


def kind(spec: dict[str, Any]) -> tuple[str, str]:
    """What a parameter takes, for its docstring, and its annotation."""
    words = [json.dumps(word) for word in spec["words"]]
    number = spec["numbers"]
    if spec["name"] == "n_clusters":
        return 'int or "auto"', "Clusters"
    if spec["name"] in ARRAYS:
        return ARRAYS[spec["name"]], "Any"
    if isinstance(spec["default"], bool):
        return "bool", "bool"
    if words and number:
        return f"{', '.join(words)} or {number}", f"str | {number}"
    if words:
        return f"{{{', '.join(words)}}}", "str"
    if number and spec["other"]:
        return "int or float", "float"
    return (number, number) if number else ("str", "str")


def sentence(spec: dict[str, Any]) -> str:
    """The engine's sentence, with the words that stand in no other place."""
    if spec["name"] == "n_clusters":
        return f'{spec["doc"]} "auto" finds it.'
    if spec["words"] and spec["other"]:
        return f"{spec['doc']} One of {spec['expected']}."
    if spec["other"] and isinstance(spec["default"], str):
        return f"{spec['doc']} One of {spec['expected']}."
    return str(spec["doc"])


def parameters(method: dict[str, Any]) -> list[tuple[str, str, str, str, str]]:
    """Name, annotation, default, kind and text of every parameter."""
    found = []
    for spec in method["specs"]:
        shown, annotation = kind(spec)
        default = spec["default"]
        text = json.dumps(default) if isinstance(default, str) else repr(default)
        found.append((spec["name"], annotation, text, shown, sentence(spec)))
    clusters = found[0][0] == "n_clusters"
    drawn = "the initializations" if clusters else "the folds and of the order of the rows"
    shared = [prose.K_MAX, *prose.RUN] if clusters else prose.RUN
    return found + [(*rest, text.replace("{drawn}", drawn)) for *rest, text in shared]


def attributes(common: dict[str, tuple[str, str]], own: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Name, kind and text of every attribute; a class's own stand behind its objective or bounds."""
    found = []
    for name, (shown, text) in common.items():
        found.append((name, shown, own[name] if name in own else text))
        if name in ("objective_", "bounds_"):
            added = [(key, *value) for key, value in own.items() if isinstance(value, tuple)]
            found += added
    return found


def wrapped(text: str, indent: int) -> str:
    """Paragraphs, wrapped."""
    pad = " " * indent
    return "\n\n".join(
        textwrap.fill(part, WIDTH, initial_indent=pad, subsequent_indent=pad, break_on_hyphens=False)
        for part in text.split("\n\n")
    )


def docstring(method: dict[str, Any], common: dict[str, tuple[str, str]]) -> str:
    """The docstring of a class, in numpydoc's order."""
    about = prose.CLASSES[method["class"]]
    parts = [f'    """{about["summary"]}', ""]
    if "details" in about:
        parts += [wrapped(about["details"], 4), ""]
    parts += ["    Parameters", "    ----------"]
    for name, _, default, shown, text in parameters(method):
        parts += [f"    {name} : {shown}, default={default}", wrapped(text, 8)]
    parts += ["", "    Attributes", "    ----------"]
    for name, shown, text in attributes(common, about["attributes"]):
        parts += [f"    {name} : {shown}", wrapped(text, 8)]
    parts += ["", "    Examples", "    --------", textwrap.indent(about["example"].strip(), "    ")]
    return "\n".join([*parts, '    """'])


def estimator(method: dict[str, Any], base: str, common: dict[str, tuple[str, str]]) -> str:
    """The source of a class."""
    base = prose.CLASSES[method["class"]].get("base", base)
    given = [f"{name}: {note} = {default}," for name, note, default, *_ in parameters(method)]
    # Only the number of clusters has a place of its own.
    given.insert(1 if method["specs"][0]["name"] == "n_clusters" else 0, "*,")
    names = [name for name, *_ in parameters(method)]
    return "\n".join([
        f"class {method['class']}({base}):",
        docstring(method, common),
        "",
        f'    _method = "{method["name"]}"',
        "",
        "    def __init__(",
        "        self,",
        *(f"        {line}" for line in given),
        "    ) -> None:",
        *(f"        self.{name} = {name}" for name in names),
        "",
    ])


def module(method: dict[str, Any]) -> str:
    """The name of a method's file."""
    return str(method["name"]).replace("-", "_")


def clusterer(method: dict[str, Any]) -> str:
    """The file of one clusterer."""
    base = prose.CLASSES[method["class"]].get("base", "BaseClusterer")
    home = {"BaseClusterer": "_base", "DiscriminativeSimilarity": "_cdsk"}[base]
    head = HEAD.format(
        title=f"{method['class']}: the method {method['name']}.",
        imports=f"from ..{home} import {base}\nfrom .._run import Callback, Clusters, RandomState",
    )
    return "\n\n".join([head, estimator(method, base, prose.CLUSTERER)])


def clusterers(methods: list[dict[str, Any]]) -> str:
    """The package of all clusterers."""
    imports = [f"from .{module(m)} import {m['class']}" for m in sorted(methods, key=module)]
    names = [f'    "{m["class"]}",' for m in methods]
    head = HEAD.format(title="Clusterers: one class for each method.", imports="\n".join(imports))
    return head.replace("from typing import Any\n\n", "") + "\n".join(["", "__all__ = [", *names, "]", ""])


def files(methods: list[dict[str, Any]], classifiers: list[dict[str, Any]]) -> dict[Path, str]:
    """The text of every file that is written."""
    rules = HEAD.format(
        title="Classifiers: rules from rows whose classes are known.",
        imports="from ._classifier import BaseClassifier\nfrom ._run import Callback, RandomState",
    )
    by = [estimator(m, "BaseClassifier", prose.CLASSIFIER) for m in classifiers]
    return {
        **{PACKAGE / "cluster" / f"{module(m)}.py": clusterer(m) for m in methods},
        PACKAGE / "cluster" / "__init__.py": clusterers(methods),
        PACKAGE / "classify.py": "\n\n".join([rules, *by]),
    }


if __name__ == "__main__":
    import separa

    for path, text in files(separa.methods(), separa.classifiers()).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
