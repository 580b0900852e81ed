"""K clusters without labels: ARI of raw k-means, z-scored k-means and MSPC (scaling = auto, standard)."""
import numpy as np
from sklearn import datasets
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score as ari
from sklearn.preprocessing import StandardScaler

from common import build, cluster, load, pick, write


def sets():
    for name, make in [("iris", datasets.load_iris), ("wine", datasets.load_wine), ("digits", datasets.load_digits)]:
        yield name, *make(return_X_y=True)
    yield "satellite", *load("satellite")
    yield "letter A-H", *pick(*load("letter"), range(8))
    yield "usps", *load("usps")
    x, y = load("mnist")
    rows = np.sort(np.random.default_rng(0).choice(len(x), 8000, replace=False))
    yield "mnist 8k", x[rows], y[rows]


build()
table = []
print(f"{'set':<12}{'k':>4}{'raw km':>8}{'z km':>8}{'auto':>8}{'standard':>9}")
for name, x, y in sets():
    k = len(np.unique(y))
    raw = ari(y, KMeans(k, n_init=10, random_state=0).fit(x).labels_)
    z = ari(y, KMeans(k, n_init=10, random_state=0).fit(StandardScaler().fit_transform(x)).labels_)
    path = write(x, y)
    auto, free = (cluster(path, k, "--scaling", s)["truth"]["ari"] for s in ("auto", "standard"))
    table.append((raw, z, auto, free))
    print(f"{name:<12}{k:>4}" + "".join(f"{v:>8.3f}" for v in table[-1]), flush=True)
print(f"{'mean':<16}" + "".join(f"{v:>8.3f}" for v in np.mean(table, axis=0)))
