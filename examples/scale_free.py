"""Units: k-means follows them, MSPC does not see them. Counts the labels that change.

    python examples/scale_free.py
"""

from pathlib import Path

import pandas as pd

from separa import MSPC, KMeans
from separa.metrics import clustering_error

wine = pd.read_csv(Path(__file__).parent / "data" / "wine.csv")
cultivar = wine.pop("cultivar")
methods = {"k-means": KMeans(n_clusters=3), "MSPC": MSPC(n_clusters=3)}


def moved(labels, others):
    """How many rows changed their cluster, however the clusters are numbered."""
    return round(clustering_error(labels, others) * len(labels))


before = {name: method.fit_predict(wine) for name, method in methods.items()}
for name, labels in before.items():
    print(f"{name:8} {moved(labels, cultivar):3d} of {len(wine)} wines outside their cultivar")

print("\nOne column is written in a unit 1000 times smaller. Labels that change:")
print(f"{'column':32}" + "".join(f"{name:>9}" for name in methods))
total = dict.fromkeys(methods, 0)
for column in wine.columns:
    other_unit = wine.assign(**{column: wine[column] * 1000})
    print(f"{column:32}", end="")
    for name, method in methods.items():
        count = moved(method.fit_predict(other_unit), before[name])
        total[name] += count
        print(f"{count:9d}", end="")
    print()
print(f"{'sum':32}" + "".join(f"{count:9d}" for count in total.values()))

assert total["MSPC"] == 0
