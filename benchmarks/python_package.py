"""What the Python package adds to the engine: time of a fit, import, wheel, memory.

The package must be installed in the environment that runs this (`pip install .`).
"""
import json
import subprocess
import sys
import time

import numpy as np

import common
from separa import MSPC

ROWS, COLS, REPEATS = 14_000, 784, 5


def overhead():
    """`MSPC().fit(X)` against the same two calls in Rust: fit and judgement."""
    common.build("-p", "separa", "--example", "mspc_timing")
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, COLS))
    x[::2, :5] += 1.5
    path = common.TEMP / "rows.f64"
    x.tofile(path)
    program = common.ROOT / "target/release/examples/mspc_timing"
    rust, python = [], []
    for _ in range(REPEATS):
        out = subprocess.run([program, path, str(ROWS), str(COLS), "2"],
                             capture_output=True, text=True, check=True).stdout
        rust.append(json.loads(out)["judged_s"])
        began = time.perf_counter()
        MSPC().fit(x)
        python.append(time.perf_counter() - began)
    fast, slow = min(rust), min(python)
    print(f"fit {ROWS} x {COLS}: Rust {fast:.3f} s, Python {slow:.3f} s, "
          f"{1e3 * (slow - fast):+.1f} ms ({slow / fast - 1:+.1%})")
    small = rng.normal(size=(100, 4))
    began = time.perf_counter()
    for _ in range(100):
        MSPC().fit(small)
    print(f"fit 100 x 4: {10 * (time.perf_counter() - began):.2f} ms")
    model = MSPC().fit(small)
    began = time.perf_counter()
    for _ in range(1000):
        model.predict(small[:1])
    print(f"predict one row: {1e3 * (time.perf_counter() - began):.0f} µs")


def fresh(code):
    """The last line that a new interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[-2]


def imports():
    code = ("import time; t = time.perf_counter(); import separa, sys; "
            "print(time.perf_counter() - t); assert 'sklearn' not in sys.modules")
    numpy = "import time; t = time.perf_counter(); import numpy; print(time.perf_counter() - t)"
    print(f"import separa: {min(float(fresh(code)) for _ in range(7)):.3f} s, "
          f"of which NumPy {min(float(fresh(numpy)) for _ in range(7)):.3f} s")


def memory():
    """Peak of a process that fits 1 GB of float64, and of one that only makes it."""
    peak = ("print([l.split()[1] for l in open('/proc/self/status') if l.startswith('VmHWM')][0])")
    made = ("import numpy as np; from separa import MSPC, KMeans; "
            "x = np.random.default_rng(0).random((160_000, 784)); ")
    base = 1024 * int(fresh(made + peak)) / 1e9
    for fit in ["MSPC().fit(x)", "KMeans(n_init=1).fit(x)"]:
        most = 1024 * int(fresh(f"{made}{fit}; {peak}")) / 1e9
        print(f"1.0 GB of float64, {fit}: peak {most:.3f} GB; array and imports alone {base:.3f} GB")


def wheel():
    found = sorted((common.ROOT / "target/python/wheel").glob("*.whl"))
    for path in found:
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")
    if not found:
        print("no wheel in target/python/wheel: ./test makes one")


if __name__ == "__main__":
    imports()
    wheel()
    memory()
    overhead()
