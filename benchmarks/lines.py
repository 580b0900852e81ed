"""How long the project is: lines of code without blanks, comments and tests.

    python benchmarks/lines.py [FOLDER]

Rust: crates/*/src without files of tests, each file up to its `#[cfg(test)]` module. Python: python/separa, what
`python/generate.py` writes apart from the rest; docstrings count as comments.
"""

from __future__ import annotations

import ast
import pathlib
import sys


def rust(path: pathlib.Path) -> int:
    text = path.read_text().split("#[cfg(test)]\nmod ")[0]
    lines = (line.strip() for line in text.splitlines())
    return sum(bool(line) and not line.startswith("//") for line in lines)


def python(path: pathlib.Path) -> int:
    text = path.read_text()
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    said: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, kinds) and ast.get_docstring(node) is not None:
            said.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate((line.strip() for line in text.splitlines()), 1)
    return sum(bool(line) and not line.startswith("#") and i not in said for i, line in lines)


def main(root: pathlib.Path) -> None:
    total = 0
    for crate in sorted((root / "crates").iterdir()):
        files = [f for f in (crate / "src").rglob("*.rs") if "tests" not in (f.stem, f.parent.name)]
        count = sum(map(rust, files))
        print(f"{crate.name:16} {count:7,}")
        if crate.name != "separa-testkit":
            total += count
    print(f"{'Rust':16} {total:7,} without the testkit")
    package = root / "python/separa"
    files = sorted(package.rglob("*.py"))
    made = [f for f in files if f.parent.name == "cluster" or f.name == "classify.py"]
    for name, some in (("Python by hand", [f for f in files if f not in made]), ("generated", made)):
        whole = sum(len(f.read_text().splitlines()) for f in some)
        print(f"{name:16} {sum(map(python, some)):7,}, {whole:,} with docstrings, comments and blanks")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
