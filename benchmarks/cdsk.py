"""CDSK beside its paper's table, k-means and plain spectral clustering.

    .venv/bin/python benchmarks/cdsk.py [--seeds N] [--all] [set]...

Sets: ionosphere umist coil20 coil100 yaleb digits usps mnist (all 70,000 rows); those whose file is not in
SEPARA_DATA (else ../shared/data) are skipped. Each line: accuracy (NMI), mean over seeds, CPU seconds and peak
memory of the whole program, reading included. `--all` adds every similarity by itself, the variants that learn
weights among them where the build has them. No labels are used but to score.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile

from common import DATA, ROOT, SEPARA, build

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
    """One fit in a process of its own: the answer, its CPU seconds and its peak memory."""
    command = [SEPARA, "cluster", path, "-k", k, "--truth", truth, "--seed", seed, "--json", "-q", *how]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen([str(c) for c in command], stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        out.seek(0)
        err.seek(0)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            return None, err.read().decode().strip(), usage
        return json.load(out), None, usage


def show(name, path, what, how, seeds):
    k, _ = SETS[name]
    truth = "truth" if name == "digits" else "label"
    scores, cpu, memory, chosen = [], 0.0, 0, set()
    for seed in range(seeds):
        answer, trouble, usage = run(path, k, truth, seed, *how)
        if answer is None:
            print(f"{name:>10}  {what:<22} {trouble.splitlines()[-1][:90]}", flush=True)
            return None
        scores.append((answer["truth"]["accuracy"], answer["truth"]["nmi"]))
        cpu += usage.ru_utime + usage.ru_stime
        memory = max(memory, usage.ru_maxrss)
        chosen |= {s["name"] for s in answer["starts"] if s["chosen"]}
    mean = [sum(column) / seeds for column in zip(*scores)]
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    names = ", ".join(sorted(chosen)) if what == "cdsk auto" else ""
    print(
        f"{name:>10}  {what:<22} {mean[0]:.3f} ({mean[1]:.3f})  {cpu / seeds:7.1f} s  {memory / unit:6.0f} MB  {names}",
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
        print(f"{name:>10}  {'published CDSK':<22} {published[0]:.3f} ({published[1]:.3f})")
    show(name, path, "k-means", ["-m", "kmeans"], seeds)
    show(name, path, "NJW, 10 neighbours", ["-m", "spectral"], seeds)
    mean = show(name, path, "cdsk auto", ["-m", "cdsk"], seeds)
    if mean and name in BARS:
        missed = any(found < bar for found, bar in zip(mean, BARS[name]))
        print(f"{'':>10}  {'bar':<22} {BARS[name][0]:.3f} ({BARS[name][1]:.3f})  {'MISSED' if missed else 'met'}")
    if not every:
        return
    members = MEMBERS + (SMALL if name not in ("mnist", "usps", "coil100") else [])
    for member in members:
        show(name, path, member, ["-m", "cdsk", "--set", f"similarity={member}"], seeds)
    for variant in ("exact", "paper"):
        for member in ("h-x7", "rbf") if name not in ("mnist", "usps", "coil100") else ("h-x7",):
            how = ["-m", "cdsk", "--set", f"variant={variant}", "--set", f"similarity={member}"]
            show(name, path, f"{variant} on {member}", how, 1)


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    seeds = 3
    if "--seeds" in sys.argv:
        value = sys.argv[sys.argv.index("--seeds") + 1]
        words.remove(value)
        seeds = int(value)
    build("-p", "separa-cli")
    for name in words or SETS:
        compare(name, seeds, "--all" in sys.argv)
    print(f"peak of this script {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB; binary {SEPARA.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
