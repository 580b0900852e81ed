"""Tables and lists that several tests need."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

import separa

ROOT = Path(__file__).resolve().parents[2]
WINE = ROOT / "examples" / "data" / "wine.csv"
METHODS = separa.methods()
NAMES = [method["name"] for method in METHODS]
CLASSES = [method["class"] for method in METHODS]
CLASSIFIERS = [classifier["class"] for classifier in separa.classifiers()]


def class_of(name):
    """The estimator class of a method's name."""
    (found,) = [method["class"] for method in METHODS if method["name"] == name]
    return getattr(separa, found)


def takes(name, parameter):
    """Whether a method has a parameter."""
    return parameter in class_of(name)().get_params()


def those_it_takes(name, **params):
    """The parameters that a method has."""
    return {key: value for key, value in params.items() if takes(name, key)}


def fit(way, rows, name="kmeans", sample_weight=None, **params):
    """The same fit by the functional core or by the estimator class."""
    if way == "core":
        return separa.fit(rows, name, sample_weight=sample_weight, **params)
    return class_of(name)(**params).fit(rows, sample_weight=sample_weight)


def blobs(k=2, each=40, gap=8.0, seed=0):
    """Up to four clouds on the corners of a tetrahedron, and the cloud of every row, mixed."""
    rng = np.random.default_rng(seed)
    corners = np.array([[1, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1]]) * gap / 2
    rows = np.vstack([rng.normal(centre, 1, (each, 3)) for centre in corners[:k]])
    order = rng.permutation(len(rows))
    return np.ascontiguousarray(rows[order]), np.repeat(np.arange(k), each)[order]


def wine():
    """The wine table without its classes, its column names, and the classes."""
    with open(WINE, encoding="utf-8", newline="") as file:
        header, *lines = list(csv.reader(file))
    values = np.array([[float(v) for v in line[:-1]] for line in lines])
    return values, header[:-1], np.array([line[-1] for line in lines])


def by_first_appearance(labels):
    """Labels renumbered as separa numbers them."""
    seen = {}
    return np.array([seen.setdefault(label, len(seen)) for label in np.asarray(labels).tolist()])


def script(lines):
    """A program for another interpreter that finds the package where this one did."""
    home = str(Path(separa.__file__).parents[1])
    return f"import sys; sys.path.insert(0, {home!r})\n{lines}"
