"""Feature units: 100 random rescalings (each feature times 10^U(-6,6)) on five data sets; labels changed."""
import subprocess

import numpy as np
import pyarrow.parquet as pq
from sklearn import datasets

from common import SEPARA, TEMP, build, load, write


def labels(x, k):
    out = TEMP / "labels.parquet"
    command = [SEPARA, "cluster", write(x), "-k", str(k), "-q", "-o", out, "--json"]
    subprocess.run([str(c) for c in command], check=False, stdout=subprocess.DEVNULL)
    return pq.read_table(out)["label"].to_numpy()


build()
sets = [("wine", *datasets.load_wine(return_X_y=True)), ("iris", *datasets.load_iris(return_X_y=True)),
        ("ionosphere", *load("ionosphere")), ("pima", *load("pima")), ("spambase", *load("spambase"))]
rng = np.random.default_rng(0)
for name, x, y in sets:
    k = len(np.unique(y))
    plain = labels(x, k)
    changed = [int(np.sum(labels(x * 10 ** rng.uniform(-6, 6, x.shape[1]), k) != plain)) for _ in range(100)]
    print(f"{name:<12} {len(x)} rows, k = {k}: {sum(changed)} labels changed in 100 rescalings", flush=True)
