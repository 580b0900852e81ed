"""Clusters with probabilities: which rows are sure, which are on the border, and what a new row is.

Needs NumPy and separa with scikit-learn. Run: python examples/probabilities.py
"""

import csv
from pathlib import Path

import numpy as np

from separa import FuzzyKMeans, LogisticClustering

with open(Path(__file__).parent / "data" / "wine.csv", encoding="utf-8", newline="") as file:
    header, *lines = list(csv.reader(file))
X = np.array([[float(value) for value in line[:-1]] for line in lines])

# Free of units: proline in the hundreds and hue near one weigh alike.
model = LogisticClustering(n_clusters=3).fit(X)
p = model.predict_proba(X)
assert np.allclose(p.sum(axis=1), 1) and (p.argmax(axis=1) == model.labels_).all()

sure = p.max(axis=1)
print(f"{(sure > 0.95).sum()} of {len(X)} wines are sure of their cluster")
for i in np.argsort(sure)[:3]:
    print(f"wine {i + 1} is on a border: " + ", ".join(f"{v:.2f}" for v in p[i]))

# A softer rule for round clusters.
fuzzy = FuzzyKMeans(n_clusters=3).fit(X)
agree = (fuzzy.labels_ == model.labels_).mean()
print(f"fuzzy k-means agrees on {agree:.0%} of the wines")
