"""How users call the package, as a type checker sees it: ``mypy --strict`` must find nothing here.

It also runs: ``python usage.py``.
"""

from __future__ import annotations

import importlib.util
import pickle
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

import separa
from separa import MSPC, KMeans, Model, Progress, exceptions, metrics
from separa.plot import ClusterMapDisplay, Display


def two_groups(n: int = 40) -> npt.NDArray[np.float64]:
    rng = np.random.default_rng(0)
    return np.vstack([rng.normal(0, 1, (n, 2)), rng.normal(8, 1, (n, 2))])


class Patience:
    """A callback: ends a fit after so many iterations."""

    def __init__(self, iterations: int) -> None:
        self.left = iterations
        self.objectives: list[float] = []

    def __call__(self, step: Progress) -> bool:
        if step.kind == "iteration" and step.objective is not None:
            self.objectives.append(step.objective)
            self.left -= 1
        return self.left <= 0


def functional_core(X: npt.NDArray[np.float64]) -> Model:
    model = separa.fit(X, method="mspc", n_clusters=2, random_state=0, n_jobs=1)
    labels: npt.NDArray[np.int32] = model.labels_
    values: npt.NDArray[np.float64] = model.decision_function(X)
    again: npt.NDArray[np.int32] = model.predict(X, n_jobs=2)
    assert (again == labels).all() and values.shape == labels.shape
    if model.msp_ is not None and model.msp_null_ is not None:
        assert model.msp_ > model.msp_null_
    coef: npt.NDArray[np.float64] = model.coef_
    names: list[str] = [method["name"] for method in separa.methods()]
    assert coef.shape == (1, 2) and model.method in names
    return model


def estimators(X: npt.NDArray[np.float64]) -> MSPC:
    weights = np.ones(len(X))
    mspc: MSPC = MSPC(n_clusters=2, scaling="standard", callback=Patience(100)).fit(X, sample_weight=weights)
    kmeans: KMeans = KMeans(2, init="greedy", random_state=None).fit(X)
    labels: npt.NDArray[np.int32] = mspc.labels_
    start: npt.NDArray[np.int32] = MSPC(2, init=kmeans.labels_).fit_predict(X)
    p: float | None = mspc.p_unimodal_
    agreement: float | None = mspc.agreement_
    assert agreement is None or 0 <= agreement <= 1
    rounds: int = mspc.n_iter_
    assert (start == labels).all() and rounds >= 1 and p is not None
    return mspc


def measures(X: npt.NDArray[np.float64], labels: npt.NDArray[np.int32]) -> float:
    truth = [0] * (len(X) // 2) + [1] * (len(X) // 2)
    quality: metrics.Quality = metrics.quality(X, labels, reg=1.0, random_state=0)
    sentence: str = quality.verdict
    p_gauss, p_unimodal = metrics.p_values(X, labels)
    used, pairs = metrics.pairwise_msp(X, labels)
    null: float | None = metrics.msp_null(X, labels)
    ari: float = metrics.external(labels, truth)["ari"]
    assert sentence and len(used) == len(pairs) == 2 and null is not None and ari <= 1
    assert p_gauss is not None and p_unimodal is not None
    error: float = metrics.clustering_error(labels, truth)
    return metrics.msp(X, labels) - error


def files(model: Model, mspc: MSPC, X: npt.NDArray[np.float64]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rule.separa"
        separa.save(mspc, path)
        loaded: Model = separa.load(path)
        assert (loaded.predict(X) == mspc.labels_).all()
        assert path.read_bytes() == loaded.to_bytes()
    copy: Model = pickle.loads(pickle.dumps(model))
    assert (Model.from_bytes(copy.to_bytes()).predict(X) == model.labels_).all()


def errors(X: npt.NDArray[np.float64]) -> str:
    try:
        separa.fit(X, n_clusters=0)
    except exceptions.ParameterError as e:
        return str(e)
    return ""


def pictures(X: npt.NDArray[np.float64], folder: Path) -> None:
    mspc = MSPC(n_clusters=2).fit(X)
    mspc.report(folder / "page.html", X)
    separa.report(mspc, folder / "page.html")
    if importlib.util.find_spec("matplotlib") is not None:
        display: Display = separa.plot(mspc, X, kind="margins")
        drawn: ClusterMapDisplay = ClusterMapDisplay.from_estimator(mspc, X).plot(display.ax_)
        drawn.figure_.savefig(folder / "map.png")


if __name__ == "__main__":
    rows = two_groups()
    rule = functional_core(rows)
    fitted = estimators(rows)
    assert measures(rows, rule.labels_) > 0
    files(rule, fitted, rows)
    assert "n_clusters" in errors(rows)
    with tempfile.TemporaryDirectory() as desk:
        pictures(rows, Path(desk))
    print("fine")
