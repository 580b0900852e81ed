"""A rule with a worst case from known classes, and a clustering turned into a small rule.

    python examples/train_and_distil.py
"""
import csv
from pathlib import Path

import numpy as np
from separa import MSPC, MCPMClassifier, MPMClassifier

rows = list(csv.reader((Path(__file__).parent / "data" / "wine.csv").open()))
X = np.array([row[:-1] for row in rows[1:]], dtype=float)
y = np.array([row[-1] for row in rows[1:]])

# Every pair of classes has a guaranteed accuracy, and the accuracy that the training rows achieve.
rule = MPMClassifier().fit(X, y)
print(f"accuracy: {rule.accuracy_:.3f} on the training rows, {rule.held_out_:.3f} held out")
for bound in rule.bounds_:
    one, two = rule.classes_[bound["class"]], rule.classes_[bound["against"]]
    print(f"{one} against {two}: at least {bound['alpha'][0]:.3f} whatever the distribution (reg {bound['reg']}), "
          f"achieved {bound['rate'][0]:.3f} and {bound['rate'][1]:.3f}")

# A clustering becomes a rule that holds a few summaries instead of rows.
clusters = MSPC(n_clusters=3).fit(X).labels_
small = MCPMClassifier(summaries=8).fit(X, clusters)
print(f"{np.mean(small.predict(X) == clusters):.3f} of the clusters' labels from {small.settings_['summaries']} summaries")
