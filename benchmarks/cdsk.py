"""CDSK beside its paper's table, k-means and plain spectral clustering.

    .venv/bin/python benchmarks/cdsk.py [--seeds N] [--all] [set]...

Sets: ionosphere umist coil20 coil100 yaleb digits usps mnist (all 70,000 rows); those whose file is not in
SEPARA_DATA (else ../shared/data) are skipped. Each line: accuracy (mutual information over the larger entropy, the
paper's NMI), mean over 10 seeds, CPU seconds and peak
memory of the whole program, reading included: the published figure, k-means, NJW, the paper's algorithm as
printed, learnt weights on each similarity (one seed above 5,000 rows, landmarks alone above 10,000), the default.
`--all` adds every similarity with equal weights. No labels are used but to score.
"""

import json
import subprocess
import sys

from common import DATA, SEPARA, build

#: Clusters, and accuracy (NMI) as published.
SETS = {
    "ionosphere": (2, (0.76, 0.25)),
    "umist": (20, (0.67, 0.80)),
    "coil20": (20, (0.93, 0.97)),
    "coil100": (100, (0.78, 0.92)),
    "yaleb": (38, (0.83, 0.86)),
    "digits": (10, None),
    "usps": (10, None),
    "mnist": (10, (0.76, 0.75)),
}
#: What the implementation is held to, label-free.
BARS = {
    "ionosphere": (0.73, 0.21),
    "umist": (0.65, 0.80),
    "coil20": (0.90, 0.95),
    "coil100": (0.79, 0.92),
    "yaleb": (0.82, 0.85),
    "digits": (0.87, 0.85),
    "mnist": (0.70, 0.72),
}
MEMBERS = ["c-x4", "c-x7", "h-x4", "h-x7", "c-snn10", "h-snn10", "raw-m7", "landmark"]
SMALL = ["raw-st7", "rbf", "self-expression"]
#: Learnt weights: similarities and seeds; one eigenproblem a step takes its time on many rows.
LEARNT = ["c-x7", "h-x7", "raw-m7", "rbf", "self-expression", "landmark"]
LARGE = {"coil100": (["c-x7", "h-x7", "landmark"], 1), "usps": (["c-x7", "h-x7", "landmark"], 1), "mnist": (["landmark"], 1)}


def table(name):
    """The file of a set; digits come with scikit-learn."""
    if name != "digits":
        return DATA / f"{name}.parquet"
    from common import write
    from sklearn.datasets import load_digits

    digits = load_digits()
    path = write(digits.data, digits.target, name="digits")
    return path


def run(path, k, truth, seed, *how):
    """One fit in a process of its own: the answer, its CPU seconds and its peak memory in MB.

    By time(1): a child of this script counts the script's own memory as its peak.
    """
    command = [SEPARA, "cluster", path, "-k", k, "--truth", truth, "--seed", seed, "--json", "-q", *how]
    words = ["/usr/bin/time", "-f", "%U %S %M", *map(str, command)]
    done = subprocess.run(words, capture_output=True, text=True)
    *trouble, measured = done.stderr.strip().splitlines()
    if done.returncode not in (0, 1):
        return None, next((line for line in trouble if line.startswith("error")), measured), 0, 0
    user, system, peak = map(float, measured.split())
    return json.loads(done.stdout), None, user + system, peak / 1024


def show(name, path, what, how, seeds):
    k, _ = SETS[name]
    truth = "truth" if name == "digits" else "label"
    scores, cpu, memory, chosen = [], 0.0, 0.0, set()
    for seed in range(seeds):
        answer, trouble, took, peak = run(path, k, truth, seed, *how)
        if answer is None:
            print(f"{name:>10}  {what:<24} {trouble[:110]}", flush=True)
            return None
        scores.append((answer["truth"]["accuracy"], answer["truth"]["nmi_max"]))
        cpu += took
        memory = max(memory, peak)
        chosen |= {s["name"] for s in answer["initializations"] if s["chosen"]}
    mean = [sum(column) / seeds for column in zip(*scores)]
    spread = f"±{(sum((s[0] - mean[0]) ** 2 for s in scores) / max(1, seeds - 1)) ** 0.5:.3f}"
    names = ", ".join(sorted(chosen)) if what == "cdsk auto" else ""
    print(
        f"{name:>10}  {what:<24} {mean[0]:.3f} ({mean[1]:.3f}) {spread if seeds > 1 else '1 seed'}  "
        f"{cpu / seeds:7.1f} s  {memory:6.0f} MB  {names}",
        flush=True,
    )
    return mean


def compare(name, seeds, every):
    path = table(name)
    if not path.exists():
        print(f"{name:>10}  skipped: {path.name} is not in the data folder (set SEPARA_DATA)")
        return
    published = SETS[name][1]
    if published:
        print(f"{name:>10}  {'published CDSK':<24} {published[0]:.3f} ({published[1]:.3f})")
    show(name, path, "k-means", ["-m", "kmeans"], seeds)
    show(name, path, "NJW, 10 neighbours", ["-m", "spectral"], seeds)
    show(name, path, "paper, as printed", ["-m", "cdsk", "--set", "variant=paper"], min(seeds, LARGE.get(name, ([], seeds))[1]))
    members, fewer = LARGE.get(name, (LEARNT, seeds))
    for member in members:
        how = ["-m", "cdsk", "--set", "variant=exact", "--set", f"similarity={member}"]
        show(name, path, f"exact on {member}", how, min(seeds, fewer))
    mean = show(name, path, "cdsk auto", ["-m", "cdsk"], seeds)
    if mean and name in BARS:
        missed = any(found < bar for found, bar in zip(mean, BARS[name]))
        print(f"{'':>10}  {'bar':<24} {BARS[name][0]:.3f} ({BARS[name][1]:.3f})  {'MISSED' if missed else 'met'}")
    if not every:
        return
    for member in MEMBERS + (SMALL if name not in LARGE else []):
        show(name, path, member, ["-m", "cdsk", "--set", f"similarity={member}"], seeds)


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    seeds = 10
    if "--seeds" in sys.argv:
        value = sys.argv[sys.argv.index("--seeds") + 1]
        words.remove(value)
        seeds = int(value)
    build("-p", "separa-cli")
    for name in words or SETS:
        compare(name, seeds, "--all" in sys.argv)


if __name__ == "__main__":
    main()
