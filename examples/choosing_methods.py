"""Choosing between methods and numbers of clusters without knowing the answer.

    python examples/choosing_methods.py
"""

from pathlib import Path
from statistics import median

import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from separa import MSPC, KMeans
from separa.metrics import clustering_error, quality

wine = pd.read_csv(Path(__file__).parent / "data" / "wine.csv")
cultivar = wine.pop("cultivar")


def candidates(k):
    return {
        "k-means, raw": KMeans(k),
        "k-means, z-scored": make_pipeline(StandardScaler(), KMeans(k)),
        "MSPC": MSPC(k),
        "MSPC, rbf kernel": MSPC(k, kernel="rbf"),
    }


print(f"{'':24}{'MSP':>6}{'null':>7}{'held':>7}{'p gap':>7}{'least':>7}")
rows = []
for k in (2, 3, 4):
    for name, method in candidates(k).items():
        labels = method.fit_predict(wine)
        # The same judge for all: the same rows, the same columns, MSP does not see their units.
        q = quality(wine, labels)
        # A p-value comes from one random halving of the rows; on a small table, ask several.
        p = median(quality(wine, labels, random_state=seed).p_unimodal for seed in range(11))
        rows.append((p, k, name, labels))
        print(
            f"k={k} {name:20}{q.msp:6.3f}{q.msp_null:7.3f}{q.msp_held_out:7.3f}"
            f"{p:7.2f}{q.min_fraction:7.0%}"
        )

print(
    """
What to trust
  p gap   p (unimodal), small: a gap between the clusters. Look here first. Medians over
          11 halvings, because one alone moves with its seed. The labels were fitted to these very rows,
          which makes it a little too small: below 0.1 is a hint, below 0.01 is news.
  held    held-out MSP, on rows not used for the boundary. It should stay near MSP and above null MSP.
  MSP     never alone: it prefers few, far clusters (here k=2), and a single far row scores nearly 1.
  least   a smallest cluster of 1 % or less is usually a handful of outliers, not a cluster.
"""
)
p, k, name, labels = min(rows, key=lambda row: row[0])
print(f"smallest p: k={k}, {name} ({p:.2f}): a hint of a gap, and the best on offer")
wrong = round(clustering_error(labels, cultivar) * len(wine))
print(f"the cultivars, looked at only now: {wrong} of {len(wine)} outside theirs")
