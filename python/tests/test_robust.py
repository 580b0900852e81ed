"""Fits in many places at once, for a long time, and with any numbers."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import samples
import separa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

quick = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))

#: Small numbers, so that rows coincide and columns are constant.
tables = hnp.arrays(
    np.float64,
    st.tuples(st.integers(4, 30), st.integers(1, 3)),
    elements=st.integers(-40, 40).map(lambda v: v / 8),
)
names = st.sampled_from(samples.NAMES)


def fitted(rows, name, **more):
    """A fit, or None where the table has too few distinct rows for it."""
    try:
        return separa.fit(rows, name, n_clusters=2, quality=False, n_jobs=1, **more)
    except ValueError:
        return None


@quick
@given(tables, names)
def test_labels_are_in_range_and_the_rules_own_and_saved_equals_loaded(rows, name):
    found = fitted(rows, name)
    if found is None:
        return
    labels = found.labels_
    assert labels.shape == (len(rows),) and set(labels) <= {-1, 0, 1}
    predicted = found.predict(rows)
    np.testing.assert_array_equal(predicted[labels >= 0], labels[labels >= 0])
    again = type(found).from_bytes(found.to_bytes())
    np.testing.assert_array_equal(again.decision_function(rows), found.decision_function(rows))


@quick
@given(tables, names)
def test_memory_order_and_type_of_an_array_change_nothing(rows, name):
    found = fitted(rows, name)
    for other in (np.asfortranarray(rows), rows.astype(np.float32), rows[::-1][::-1]):
        same = fitted(other, name)
        assert (found is None) == (same is None)
        if found is not None:
            assert same.to_bytes() == found.to_bytes()


def fit_one(seed):
    rows, _ = samples.blobs(3, seed=seed)
    return separa.fit(rows, "mspc", n_clusters=3, n_jobs=1).to_bytes()


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib_fits_in_processes_and_in_threads(backend):
    joblib = pytest.importorskip("joblib")
    work = [joblib.delayed(fit_one)(seed) for seed in range(4)]
    assert joblib.Parallel(n_jobs=2, backend=backend)(work) == [fit_one(s) for s in range(4)]


#: Imports the extension in an interpreter beside the main one, with the main one's state left as it was.
SUBINTERPRETER = """
import separa
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
one = interpreters.create()
said = None
try:
    said = interpreters.run_string(one, "import separa._separa")
except Exception as e:
    said = e
print("refused" if said is not None and "ImportError" in repr(said) + str(said) else f"taken: {said!r}")
print(separa.fit([[0.0], [0.1], [5.0], [5.1]], "kmeans").labels_.tolist())
"""


def test_a_subinterpreter_is_refused_and_the_main_one_goes_on():
    pytest.importorskip(
        "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters",
        reason="this Python has no second interpreter",
    )
    done = subprocess.run(
        [sys.executable, "-c", samples.script(SUBINTERPRETER)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    # Neither a crash nor a half-made module: refused in words, or imported whole.
    assert done.returncode == 0, done.stderr
    first, labels = done.stdout.strip().split("\n")
    assert first.startswith("refused") or first == "taken: None", first
    assert labels == "[0, 0, 1, 1]"


def resident():
    """Memory of this process in MB."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096 / 2**20


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_two_thousand_fits_leave_no_memory_behind():
    rows, _ = samples.blobs(2, each=15)
    cheap = ["kmeans", "mspc", "fuzzy-kmeans", "kernel-kmeans"]

    def some(count):
        for i in range(count):
            separa.fit(rows, cheap[i % 4], n_clusters=2, n_init=1, quality=False, n_jobs=1)
        gc.collect()
        return resident()

    some(300)
    before = some(100)
    after = some(1600)
    # 1,600 leaked tables, labels or models of these rows would be a megabyte each few hundred.
    assert after - before < 8, f"{before:.1f} MB before, {after:.1f} MB after"
