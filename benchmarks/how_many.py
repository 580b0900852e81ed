"""How many clusters: `auto` beside seven others on fresh blobs, small groups, and seven real sets.

    python benchmarks/how_many.py [blobs] [small] [real] [spread] [cost] [--sets N]

Every method sees z-scored columns and numbers of clusters from 1 to 24 (silhouette and the others that
cannot say one begin at 2). Gap, BIC, X-means, G-means and dip-means are written here from their papers;
HDBSCAN is scikit-learn's. CPU seconds are those of this process.
"""
import argparse
import sys
import time
import warnings

import numpy as np
from scipy import stats
from sklearn.cluster import HDBSCAN, KMeans
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture

import how_many_sets as sets
import separa

MOST = 24


def scaled(x):
    deviation = x.std(0)
    return ((x - x.mean(0)) / np.where(deviation > 0, deviation, 1.0))[:, deviation > 0]


def kmeans(z, k, seed, n_init=3):
    return KMeans(k, n_init=n_init, random_state=seed).fit(z)


def auto(x, z, seed):
    return separa.fit(x, n_clusters="auto", random_state=seed, quality=False).n_clusters_


def silhouette(x, z, seed):
    few = min(len(z), 2000)
    score = lambda k: silhouette_score(z, kmeans(z, k, seed).labels_, sample_size=few, random_state=seed)
    return max(range(2, min(MOST, len(z) - 1) + 1), key=score)


def gap(x, z, seed, draws=5):
    """Tibshirani, Walther & Hastie (2001): uniform in the box of the principal axes, first k with
    Gap(k) >= Gap(k+1) - s(k+1)."""
    rng = np.random.default_rng(seed)
    _, _, axes = np.linalg.svd(z - z.mean(0), full_matrices=False)
    turned = (z - z.mean(0)) @ axes.T
    low, high = turned.min(0), turned.max(0)
    boxes = [rng.uniform(low, high, turned.shape) for _ in range(draws)]
    before = None
    for k in range(1, min(MOST, len(z) - 1) + 1):
        n_init = 3 if len(z) < 3000 else 1
        own = np.log(kmeans(turned, k, seed, n_init).inertia_)
        null = [np.log(kmeans(box, k, seed, n_init).inertia_) for box in boxes]
        value, error = np.mean(null) - own, np.std(null) * np.sqrt(1 + 1 / draws)
        if before is not None and before >= value - error:
            return k - 1
        before = value
    return MOST


def bic(x, z, seed):
    """Gaussian mixtures with diagonal covariances."""
    score = lambda k: GaussianMixture(k, covariance_type="diag", random_state=seed).fit(z).bic(z)
    return min(range(1, min(MOST, len(z) // 2) + 1), key=score)


def divided(z, seed, worth):
    """The k-means that splits each cluster in two while `worth` says so (X-means, G-means, dip-means)."""
    centres = z.mean(0)[None]
    while len(centres) < MOST:
        labels = np.argmin(((z[:, None] - centres[None]) ** 2).sum(2), 1) if len(centres) > 1 else np.zeros(len(z), int)
        new = []
        for c in range(len(centres)):
            part = z[labels == c]
            split = None
            if len(part) >= 10:
                two = kmeans(part, 2, seed)
                split = two.cluster_centers_ if worth(part, two) else None
            new.extend(centres[c][None] if split is None else split)
        if len(new) == len(centres):
            break
        start = np.array(new[:MOST])
        centres = KMeans(len(start), init=start, n_init=1).fit(z).cluster_centers_
    return len(centres)


def xmeans(x, z, seed):
    """Pelleg & Moore (2000): BIC of one spherical variance, one against two centres."""
    def loglik(part, centres, labels):
        n, d, k = len(part), part.shape[1], len(centres)
        variance = max(((part - centres[labels]) ** 2).sum() / max(n - k, 1) / d, 1e-12)
        sizes = np.bincount(labels, minlength=k)
        fit = sum(m * np.log(m / n) for m in sizes if m) - n * d / 2 * np.log(2 * np.pi * variance) - (n - k) * d / 2
        return fit - (k * (d + 1)) / 2 * np.log(n)

    def worth(part, two):
        one = loglik(part, part.mean(0)[None], np.zeros(len(part), int))
        return loglik(part, two.cluster_centers_, two.labels_) > one

    return divided(z, seed, worth)


def gmeans(x, z, seed):
    """Hamerly & Elkan (2003): Anderson-Darling along the two centres, at 0.0001."""
    def worth(part, two):
        t = part @ (two.cluster_centers_[1] - two.cluster_centers_[0])
        if t.std() == 0:
            return False
        t = np.sort((t - t.mean()) / t.std(ddof=1))
        n, i = len(t), np.arange(1, len(t) + 1)
        logs = stats.norm.logcdf(t) + stats.norm.logsf(t[::-1])
        a2 = (-n - np.mean((2 * i - 1) * logs)) * (1 + 4 / n - 25 / n**2)
        return a2 > 1.8692

    return divided(z, seed, worth)


def dipmeans(x, z, seed):
    """Kalogeratos & Likas (2012): split the cluster where the distances seen by its rows are not unimodal
    (dip at 0 of 1,000 draws for more than 1 % of the rows)."""
    import diptest

    def worth(part, two):
        rng = np.random.default_rng(seed)
        seen = part[rng.permutation(len(part))[:300]]
        distances = np.sqrt(np.maximum(((seen[:, None] - seen[None]) ** 2).sum(2), 0))
        p = [diptest.diptest(row)[1] for row in distances]
        return np.mean(np.array(p) <= 0.001) > 0.01

    return divided(z, seed, worth)


def hdbscan(x, z, seed):
    labels = HDBSCAN(min_cluster_size=max(5, len(z) // 50), copy=True).fit_predict(z)
    return max(1, len(set(labels) - {-1}))


def clustpy(name):
    """The same of PyPI clustpy, to check ours by; `--only` names it, in an environment that has it."""
    def count(x, z, seed):
        import clustpy.centroid
        found = getattr(clustpy.centroid, name)(max_n_clusters=MOST, random_state=seed).fit(z)
        return found.n_clusters_
    return count


OURS = {"auto": auto, "silhouette": silhouette, "gap": gap, "BIC": bic, "X-means": xmeans, "G-means": gmeans,
        "dip-means": dipmeans, "HDBSCAN": hdbscan}
CHECKS = {f"{name} (clustpy)": clustpy(cls) for name, cls in
          {"X-means": "XMeans", "G-means": "GMeans", "dip-means": "DipMeans"}.items()}
METHODS = OURS | CHECKS


def measure(names, tables):
    """Exact hits, mean |K̂ − K|, the same relative to K, CPU seconds of each method."""
    found = {name: [] for name in names}
    for x, y in tables:
        k, z = len(set(y.tolist())), scaled(x)
        for name in names:
            began = time.process_time()
            try:
                guess = METHODS[name](x, z, 0)
            except ImportError as missing:
                print(f"{name} is left out: {missing}", file=sys.stderr)
                names = [n for n in names if n != name]
                continue
            found[name].append((guess, k, time.process_time() - began))
    print("| method | exact | mean abs. error | relative | CPU s a set |\n|---|---:|---:|---:|---:|")
    for name in names:
        guess, k, seconds = np.array(found[name]).T
        off = abs(guess - k)
        print(f"| {name} | {np.mean(off == 0):.3f} | {off.mean():.2f} | {np.mean(off / k):.3f} | {seconds.mean():.2f} |")
    return found


def real(names):
    tables = [sets.real(name) for name in sets.REAL]
    found = measure(names, tables)
    print("\n| set | K |", " | ".join(found), "|\n|---|---:|" + "---:|" * len(found))
    for i, name in enumerate(sets.REAL):
        print(f"| {name} | {found['auto'][i][1]} |", " | ".join(str(f[i][0]) for f in found.values() if f), "|")


def spread(seeds=8):
    print("| set | K | auto, by seed | spread |\n|---|---:|---|---:|")
    for name in sets.REAL:
        x, y = sets.real(name)
        ks = [auto(x, None, seed) for seed in range(seeds)]
        print(f"| {name} | {len(set(y.tolist()))} | {ks} | {max(ks) - min(ks)} |")


def cost():
    rng = np.random.default_rng(1)
    print("| rows x columns | K found | CPU s, auto | CPU s, one fit at that K | ratio |\n|---|---:|---:|---:|---:|")
    for n in (10_000, 100_000):
        centres = rng.normal(size=(8, 50)) * 1.2
        x = centres[rng.integers(8, size=n)] + rng.normal(size=(n, 50))
        began = time.process_time()
        k = auto(x, None, 0)
        middle = time.process_time()
        separa.fit(x, n_clusters=k, quality=False)
        whole, fit = middle - began, time.process_time() - middle
        print(f"| {n} x 50 | {k} | {whole:.2f} | {fit:.2f} | {whole / fit:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=[])
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--only", default=",".join(OURS), help="methods, by comma: also those of clustpy")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    names = args.only.split(",")
    parts = args.parts or ["blobs", "small", "real", "spread", "cost"]
    if "blobs" in parts:
        # The first thousand were used to choose constants.
        print(f"\n{args.sets} fresh sets of blobs\n")
        measure(names, (sets.blobs(1000 + s)[1:] for s in range(args.sets)))
    if "small" in parts:
        print("\nfive groups of 25 to 100 rows, 50 columns\n")
        measure(names, (sets.small(1000 + s)[1:] for s in range(40)))
    if "real" in parts:
        print("\nseven real sets\n")
        real(names)
    if "spread" in parts:
        print("\nover eight seeds\n")
        spread()
    if "cost" in parts:
        print()
        cost()


if __name__ == "__main__":
    main()
