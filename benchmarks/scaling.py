"""Column scaling: every method with raw, standard, contraharmonic and auto columns; mean ARI without labels.

    python benchmarks/scaling.py                    mspc on all tasks
    python benchmarks/scaling.py kmeans spectral    these methods, on tasks of at most 1,000 rows
    python benchmarks/scaling.py all                every method that takes a table

Real tasks come from the data folder and scikit-learn, mixtures are drawn here: 2 to 4 clusters, equal or down to
5 % of the rows, Gaussian, Poisson or two-valued columns, without or with eight columns of noise.
"""
import sys
import time

import numpy as np
from sklearn import datasets
from sklearn.metrics import adjusted_rand_score as ari

from common import DATA, ROOT, TEMP, build, load, pick, some

SCALINGS = ["none", "standard", "contraharmonic", "auto"]
METHODS = ["kmeans", "fuzzy-kmeans", "kernel-kmeans", "msc", "spectral", "cdsk", "logistic", "mrmc", "armc", "crf"]
PAIRS = [("usps", [(1, 7), (5, 8), (6, 8), (8, 9), (3, 5), (2, 7), (4, 9)]),
         ("mnist", [(3, 8), (0, 6), (5, 8), (1, 7), (4, 9)]),
         ("letter", [(0, 1), (4, 5), (14, 16), (2, 6)]), ("satellite", [(0, 1), (3, 4)])]


def package():
    """The package of this checkout."""
    build("-p", "separa-py")
    folder = TEMP / "separa"
    folder.mkdir()
    for file in (ROOT / "python/separa").iterdir():
        if file.suffix != ".so":
            (folder / file.name).symlink_to(file)
    (folder / "_separa.abi3.so").symlink_to(ROOT / "target/release/lib_separa.so")
    sys.path.insert(0, str(TEMP))
    import separa
    return separa


def real(most=8000):
    """39 tasks: name, rows, classes."""
    for name in ["iris", "wine", "digits", "breast_cancer"]:
        yield f"{name} (sklearn)", *getattr(datasets, f"load_{name}")(return_X_y=True)
    if not DATA.exists():
        return
    for name in ["australian", "breast_cancer", "heart", "ionosphere", "pima", "spambase", "satellite", "twonorm",
                 "usps", "mnist", "letter", "coil20", "umist", "yale"]:
        yield name, *some(*load(name), most)
    yield "letter A-H", *some(*pick(*load("letter"), range(8)), most)
    yield "yaleb 1-10", *pick(*load("yaleb"), range(10))
    yield "coil100 1-20", *pick(*load("coil100"), range(20))
    for name, pairs in PAIRS:
        for pair in pairs:
            yield f"{name} {pair[0]}/{pair[1]}", *some(*pick(*load(name), pair), min(most, 2000))


def mixtures(seed=0):
    """48 mixtures: name, rows, classes."""
    rng = np.random.default_rng(seed)
    for kind in ["gauss", "poisson", "binary"]:
        for noise in [0, 8]:
            for shares in ["equal", "unequal"]:
                for k in [2, 3, 4, 2 + int(rng.integers(3))]:
                    yield f"{kind} k={k} {shares} noise={noise}", *mixture(rng, kind, k, shares, noise)


def mixture(rng, kind, k, shares, noise, n=800, d=8):
    weights = np.ones(k) if shares == "equal" else np.r_[rng.uniform(0.05, 0.1), rng.uniform(0.5, 1, k - 1)]
    weights[1:] *= 1 if shares == "equal" else (1 - weights[0]) / weights[1:].sum()
    y = rng.choice(k, n, p=weights / weights.sum())
    if kind == "gauss":
        x = rng.normal(size=(k, d))[y] * 1.6 + rng.normal(size=(n, d))
    elif kind == "poisson":
        x = rng.poisson(np.exp(rng.normal(0, 0.8, size=(k, d)))[y]).astype(float)
    else:
        x = (rng.random((n, d)) < rng.beta(0.6, 0.6, size=(k, d))[y]).astype(float)
    if noise:
        extra = rng.normal(size=(n, noise))
        extra[:, : noise // 2] = rng.random((n, noise // 2)) < 0.5
        x = np.c_[x, extra]
    return x * 10 ** rng.uniform(-2, 2, x.shape[1]), y


def table(separa, method, tasks, title):
    """ARI of every scaling on every task, their means, and the largest loss of auto."""
    rows = []
    for name, x, y in tasks:
        k, line = len(np.unique(y)), []
        for scaling in SCALINGS:
            began = time.perf_counter()
            found = separa.fit(x, n_clusters=k, method=method, scaling=scaling, quality=False)
            line.append(ari(y, found.labels_))
            seconds = time.perf_counter() - began
        rows.append(line)
        print(f"{method:<14}{name:<28}" + "".join(f"{v:>8.3f}" for v in line) + f"{seconds:>8.1f} s", flush=True)
    rows = np.array(rows)
    means = "".join(f"{v:>8.3f}" for v in rows.mean(0))
    loss = (np.maximum(rows[:, 1], rows[:, 2]) - rows[:, 3]).max()
    print(f"{method:<14}{'mean of ' + str(len(rows)) + ' ' + title:<28}{means}   auto at most {loss:.3f} below "
          "the better", flush=True)


if __name__ == "__main__":
    separa = package()
    print(f"{'method':<14}{'task':<28}" + "".join(f"{s[:7]:>8}" for s in SCALINGS))
    names = sys.argv[1:] or ["mspc"]
    for method in ["mspc", *METHODS] if names == ["all"] else names:
        table(separa, method, mixtures(), "mixtures")
        table(separa, method, real(8000 if method == "mspc" else 1000), "real tasks")
