"""How good is the method that `compare` puts first, without labels?

    .venv/bin/python benchmarks/compare.py [--limit SECONDS] [set]...
    .venv/bin/python benchmarks/compare.py --fresh
    .venv/bin/python benchmarks/compare.py --clouds COUNT

Needs the Python package in the environment. Every set (at most 2,000 rows, 800 of those with more than 500 columns) is
compared at its number of classes; a line each: accuracy of the first choice, of the best method, of k-means, and the
loss of other criteria: held-out MSP, MSP, agreement between methods. Then over all sets, and over the half by which
the criterion was chosen and the half that it was judged on (every other set): how often the first choice is within 2
points of the best, and what is lost on average, beside "always" every single method.
Sets whose file is not in SEPARA_DATA (else ../shared/data) are skipped.
`--fresh` takes ten other sets, which were drawn up before the criterion of today was looked at on any of them.
`--clouds` draws single clouds of four shapes instead, and counts how often a comparison at k = 2 says that it found a gap.
"""

import sys
import time
import warnings

import numpy as np
import separa
from common import DATA, load, pick

UCI = ["heart", "ionosphere", "breast_cancer", "breast_cancer_with_id", "australian", "pima", "twonorm", "satellite",
       "spambase", "letter"]
IMAGES = ["yale", "umist", "coil20", "usps", "mnist", "yaleb", "coil100"]
#: Other criteria: columns of the comparison, larger is better.
OTHERS = ["msp_held_out", "msp", "agreement"]
CLOSE = 0.02


def sampled(x, y):
    """At most 2,000 rows, 800 of wide tables."""
    most = 800 if x.shape[1] > 500 else 2000
    if len(y) > most:
        kept = np.sort(np.random.default_rng(0).permutation(len(y))[:most])
        x, y = x[kept], y[kept]
    return np.ascontiguousarray(x, dtype=float), np.unique(y, return_inverse=True)[1]


def text(name, columns):
    """Documents as logarithms of counts of unit length; rare terms left out."""
    import pyarrow.parquet as pq
    import scipy.sparse as sp

    table = pq.read_table(DATA / f"{name}.parquet")
    places = table["indices"].combine_chunks()
    counts = table["counts"].combine_chunks().values.to_numpy().astype(float)
    x = sp.csr_matrix((counts, places.values.to_numpy(), places.offsets.to_numpy()), shape=(len(table), columns))
    kept = np.sort(np.random.default_rng(0).permutation(len(table))[:1000])
    x, y = x[kept], table["label"].to_numpy()[kept]
    x = np.log1p(x[:, np.asarray((x > 0).sum(0)).ravel() >= 15].toarray())
    full = x.sum(1) > 0
    return x[full] / np.linalg.norm(x[full], axis=1, keepdims=True), np.unique(y[full], return_inverse=True)[1]


def sets():
    from sklearn import datasets

    for name, loader in [("iris", datasets.load_iris), ("wine", datasets.load_wine),
                         ("wdbc", datasets.load_breast_cancer), ("digits", datasets.load_digits)]:
        found = loader()
        yield name, lambda found=found: (found.data, found.target)
    for name in UCI + IMAGES:
        yield name, lambda name=name: load(name)
    for name, file, classes in [("letter A-B", "letter", [0, 1]), ("letter A-H", "letter", range(8)),
                                ("mnist 3-8", "mnist", [3, 8]), ("mnist 1-7", "mnist", [1, 7]),
                                ("usps 0147", "usps", [0, 1, 4, 7]), ("usps 2358", "usps", [2, 3, 5, 8])]:
        yield name, lambda file=file, classes=classes: pick(*load(file), list(classes))
    yield "news20", lambda: text("news20_sparse", 17928)
    yield "tdt2", lambda: text("tdt2_sparse", 36771)


def fresh():
    """Sets that took no part in any choice."""
    from sklearn import datasets

    found = datasets.load_digits()
    yield "digits 1-7-9", lambda: pick(found.data, found.target, [1, 7, 9])
    for name, file, classes in [("letter R-Z", "letter", range(17, 26)), ("letter E-F", "letter", [4, 5]),
                                ("usps 1-7-9", "usps", [1, 7, 9]), ("usps 0-6", "usps", [0, 6]),
                                ("mnist 2-5", "mnist", [2, 5]), ("mnist 0-1-8", "mnist", [0, 1, 8]),
                                ("coil20 10-19", "coil20", range(10, 20)), ("umist 0-9", "umist", range(10)),
                                ("satellite 0-2-5", "satellite", [0, 2, 5])]:
        yield name, lambda file=file, classes=classes: pick(*load(file), list(classes))


def line(name, x, y, limit):
    """Accuracy of every method, the first choice, and the choices of other criteria."""
    k, began = len(np.unique(y)), time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = separa.compare(x, k, truth=y, time_limit=limit)
    table = table[table["rank"].notna()]
    accuracy = dict(zip(table["method"], table["accuracy"]))
    chosen = {"first": table["method"].iloc[0]}
    for other in OTHERS:
        chosen[other] = table["method"].iloc[int(np.argmax(table[other].fillna(-1)))]
    best = max(accuracy, key=accuracy.get)
    print(f"{name:22s} {x.shape[0]:5d} x {x.shape[1]:4d}  k {k:3d}   first {chosen['first']:13s} "
          f"{100 * accuracy[chosen['first']]:5.1f}   best {best:13s} {100 * accuracy[best]:5.1f}   kmeans "
          f"{100 * accuracy.get('kmeans', np.nan):5.1f}   {time.process_time() - began:5.1f} s CPU", flush=True)
    return accuracy, chosen


def loss(results, choose):
    """How often a choice is within two points of the best, and what it loses on average, in points."""
    lost = [max(a.values()) - a.get(choose(c), 0.0) for a, c in results]
    return sum(value <= CLOSE for value in lost), 100 * float(np.mean(lost))


def summary(results):
    parts = [("all", results), ("chosen by", results[0::2]), ("judged on", results[1::2])]
    print(f"\n{'':24s}" + "".join(f"{title + ' (' + str(len(part)) + ')':>24s}" for title, part in parts if part))
    rows = {"the first choice": lambda c: c["first"]}
    rows.update({f"by {other}": lambda c, other=other: c[other] for other in OTHERS})
    names = sorted({name for accuracy, _ in results for name in accuracy})
    rows.update({f"always {name}": lambda _, name=name: name for name in names})
    for title, choose in sorted(rows.items(), key=lambda row: loss(results, row[1])[1]):
        figures = [loss(part, choose) for _, part in parts if part]
        print(f"{title:24s}" + "".join(f"{hits:10d} hits, -{lost:4.1f} pts" for hits, lost in figures))


def clouds(count, n=300, d=4):
    """How often rows without clusters are said to have a gap."""
    shapes = {
        "gaussian": lambda rng: rng.normal(size=(n, d)) @ rng.normal(size=(d, d)),
        "uniform box": lambda rng: rng.uniform(size=(n, d)),
        "t5": lambda rng: rng.standard_t(5, size=(n, d)),
        "log-normal": lambda rng: np.exp(rng.normal(size=(n, d))),
    }
    for name, draw in shapes.items():
        found = sum(
            separa.compare(draw(np.random.default_rng(seed)), 2, random_state=seed).attrs["gap_found"] for seed in range(count)
        )
        print(f"{name:12s} {n} x {d}: {found} of {count} single clouds have a gap", flush=True)


def main():
    words = sys.argv[1:]
    if words[:1] == ["--clouds"]:
        return clouds(int(words[1]))
    limit = float(words[words.index("--limit") + 1]) if "--limit" in words else 60.0
    options = ["--limit", "--fresh"]
    wanted = [w for i, w in enumerate(words) if w not in options and (i == 0 or words[i - 1] != "--limit")]
    results = []
    for name, rows in fresh() if "--fresh" in words else sets():
        if wanted and name not in wanted:
            continue
        try:
            x, y = sampled(*rows())
        except (SystemExit, FileNotFoundError) as why:
            print(f"{name}: {why}")
            continue
        results.append(line(name, x, y, limit))
    summary(results)


if __name__ == "__main__":
    main()
