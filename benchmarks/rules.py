"""Rules in words: how many held-out rows do they put into the cluster that the model gives them?

    python benchmarks/rules.py [-m METHOD]

Ten tables, as many clusters as there are classes. Beside the fidelity of `separa cluster --rules` (at most four comparisons, thresholds
rounded, few rules) that of scikit-learn's tree of depth 4 on the same labels, half of the rows for learning and half for testing, mean of
five stratified splits; and what the largest cluster alone would get right. `covers` and `right` are means over the rules, by their rows.
"""
import argparse
import json
import subprocess

import numpy as np
import pandas as pd
from common import SEPARA, TEMP, load
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier


def tables():
    for name, bunch in (("iris", load_iris()), ("wine", load_wine())):
        yield name, bunch.data, len(np.unique(bunch.target))
    for name in ("breast_cancer", "australian", "heart", "ionosphere", "pima", "satellite", "spambase", "twonorm"):
        x, y = load(name)
        yield name, x, len(np.unique(y))


def tree(x, labels):
    """Fidelity of scikit-learn's tree on held-out halves."""
    found = []
    for seed in range(5):
        a, b, la, lb = train_test_split(x, labels, test_size=0.5, stratify=labels, random_state=seed)
        found.append(DecisionTreeClassifier(max_depth=4, random_state=0).fit(a, la).score(b, lb))
    return np.mean(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-m", "--method", default="mspc")
    parser.add_argument("--separa", default=SEPARA)
    args = parser.parse_args()
    print(f"{'table':<14} {'fidelity':>8} {'tree':>6} {'largest':>7} {'rules':>5} {'covers':>6} {'right':>6}", flush=True)
    lines = []
    for name, x, k in tables():
        path, out = TEMP / "rules.csv", TEMP / "rules-labels.csv"
        pd.DataFrame(x, columns=[f"v{j}" for j in range(x.shape[1])]).to_csv(path, index=False)
        numeric = [word for j in range(x.shape[1]) for word in ("--numeric", f"v{j}")]
        command = [args.separa, "cluster", path, "-k", k, "-m", args.method, "--rules", "--json", "-q", "-o", out, *numeric]
        told = json.loads(subprocess.run([str(word) for word in command], check=True, capture_output=True).stdout)
        rules = told["rules"]
        labels = pd.read_csv(out)["cluster"].to_numpy()
        size = np.array([told["sizes"][rule["cluster"]] * rule["covers"] for rule in rules["rules"]])
        # A rule that no held-out row fell under has nothing to be right about.
        right = np.average([rule["right"] or 0.0 for rule in rules["rules"]], weights=size)
        covers = size.sum() / sum(told["sizes"])
        lines.append((rules["fidelity"], tree(x[: len(labels)], labels)))
        print(f"{name:<14} {lines[-1][0]:8.3f} {lines[-1][1]:6.3f} {rules['baseline']:7.3f} {len(rules['rules']):5} {covers:6.3f} {right:6.3f}", flush=True)
    print(f"{'mean':<14} {np.mean([a for a, _ in lines]):8.3f} {np.mean([b for _, b in lines]):6.3f}")


if __name__ == "__main__":
    main()
