"""How long reading a table takes, beside pyarrow (Parquet) and polars (CSV), in one run.

    python benchmarks/io/run.py [MNIST.parquet] [--turns 5]

Readers take turns, so that a busy machine slows all of them; all use all cores. In each turn a reader gets a
process of its own and reads the file four times. "first" is the first read of a process, as a command or a
script meets it (median over turns); "again" is the median of the others, when the allocator and the operating
system have pages at hand. Ratios are separa to the peer: the bars are 1.2 for pyarrow and 1.5 for polars.

"pyarrow" is read_table(...).to_pandas() to a float64 C-order array, as most people write it; "pyarrow,
stacked" is the fastest way we know to the same array.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
READER = ROOT / "target" / "release" / "examples" / "read_timing"
REPEATS = 4


def pyarrow_pandas(path):
    import numpy as np
    import pyarrow.parquet as pq

    table = pq.read_table(path).drop_columns(["label"])
    return np.ascontiguousarray(table.to_pandas().to_numpy(dtype=np.float64))


def pyarrow_stacked(path):
    import numpy as np
    import pyarrow.parquet as pq

    table = pq.read_table(path).drop_columns(["label"])
    return np.ascontiguousarray(np.stack([c.to_numpy() for c in table.columns]).T, dtype=np.float64)


def polars(path):
    import polars as pl

    return pl.read_csv(path)


PEERS = {"pyarrow": pyarrow_pandas, "pyarrow, stacked": pyarrow_stacked, "polars": polars}


def worker(name, path):
    """Reads a file in this process and prints the seconds of each read, imports not counted."""
    import numpy, pandas, polars, pyarrow.parquet  # noqa: E401, F401

    for _ in range(REPEATS):
        start = time.perf_counter()
        table = PEERS[name](path)
        print(time.perf_counter() - start)
        del table


def seconds(name, path):
    if name == "separa":
        command = [READER, path, str(REPEATS)]
    else:
        command = [sys.executable, __file__, "--worker", name, path]
    lines = subprocess.check_output(command, text=True).splitlines()
    return [float(line.split()[0]) for line in lines]


def compare(title, path, peers, turns):
    times = {name: [] for name in ["separa", *peers]}
    for _ in range(turns):
        for name in times:
            times[name].append(seconds(name, path))
    first = {name: statistics.median(run[0] for run in runs) for name, runs in times.items()}
    again = {name: statistics.median(t for run in runs for t in run[1:]) for name, runs in times.items()}
    print(f"{title}\n  {'separa':<18} first {first['separa']:.3f} s               again {again['separa']:.3f} s")
    for name in peers:
        ratios = [first["separa"] / first[name], again["separa"] / again[name]]
        print(
            f"  {name:<18} first {first[name]:.3f} s, ratio {ratios[0]:.2f}   "
            f"again {again[name]:.3f} s, ratio {ratios[1]:.2f}"
        )


def check(path, array):
    """The table separa reads must be the one the peer reads."""
    _, rows, columns, total = subprocess.check_output([READER, path], text=True).split()
    found = (int(rows), int(columns), float(total))
    expected = (*array.shape, float(array.ravel().cumsum()[-1]))
    assert found == expected, f"separa read {found}, expected {expected}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parquet", nargs="?", default=ROOT.parent / "shared" / "data" / "mnist.parquet")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        return worker(args.worker, args.parquet)

    import numpy as np
    import polars as pl

    build = ["cargo", "build", "--release", "-q", "-p", "separa-io", "--example", "read_timing"]
    subprocess.check_call(build, cwd=ROOT)
    array = pyarrow_pandas(args.parquet)
    shape = "{} x {}".format(*array.shape)
    check(args.parquet, array)
    compare(f"Parquet, {shape}", args.parquet, ["pyarrow", "pyarrow, stacked"], args.turns)

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "integers.csv"
        pl.read_parquet(args.parquet).write_csv(path)
        check(path, array)
        compare(f"CSV of small integers, {shape}", path, ["polars"], args.turns)

        path = pathlib.Path(folder) / "reals.csv"
        reals = np.random.default_rng(0).normal(size=(200_000, 50))
        frame = pl.DataFrame(reals, schema=[f"f{j}" for j in range(50)])
        frame.with_columns(label=pl.lit(1)).write_csv(path)
        check(path, reals)
        compare("CSV of reals with 17 digits, 200000 x 50", path, ["polars"], args.turns)


if __name__ == "__main__":
    main()
