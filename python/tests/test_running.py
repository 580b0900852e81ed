"""How fits run: the same at any number of threads, beside Python, interruptible, after a fork."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading
import time
from copy import deepcopy

import numpy as np
import pytest
import samples
import separa
from separa import _separa, exceptions

each_method = pytest.mark.parametrize("name", samples.NAMES)


@each_method
@pytest.mark.parametrize("k", [2, 4])
def test_model_files_are_the_same_for_any_number_of_threads(name, k):
    # No clear groups and more rows than one chunk: the order of sums would show.
    rows = np.random.default_rng(0).random((9000, 5))
    quick = samples.those_it_takes(name, n_init=2, max_iter=20)
    fits = [
        separa.fit(rows, name, n_clusters=k, n_jobs=n, quality=n < 4, **quick)
        for n in (1, 2, 1, 4)
    ]
    first = fits[0]
    assert first.to_bytes() == fits[1].to_bytes() == fits[2].to_bytes()
    for fit in fits[1:]:
        np.testing.assert_array_equal(fit.labels_, first.labels_)
    for n in (1, 2, 4, -1):
        np.testing.assert_array_equal(
            fits[3].decision_function(rows, n_jobs=n), first.decision_function(rows)
        )
        np.testing.assert_array_equal(fits[3].predict(rows, n_jobs=n), first.labels_)


def test_jobs_are_counted_as_joblib_counts_them():
    from separa._run import cores, threads_of

    assert threads_of(None) == threads_of(-1) == cores()
    assert [threads_of(n) for n in (1, 3, np.int64(2), np.array(2))] == [1, 3, 2, 2]
    # More threads than that are a slip of the pen, and would only cost memory.
    assert threads_of(10**6) == 4 * cores()
    assert threads_of(-2) == max(1, cores() - 1)
    assert threads_of(-1000) == 1


def test_python_goes_on_while_a_fit_runs():
    rows = np.random.default_rng(0).random((20_000, 10))
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.002):
            ticks.append(time.monotonic())

    clock = threading.Thread(target=tick)
    clock.start()
    begin = time.monotonic()
    with pytest.warns(exceptions.ConvergenceWarning):
        separa.fit(rows, "kmeans", n_clusters=20, n_init=1, tol=0, n_jobs=1, quality=False)
    end = time.monotonic()
    done.set()
    clock.join()
    # Were the lock held, ticks would fall before and after the fit but not into its middle.
    fifths = {int(5 * (t - begin) / (end - begin)) for t in ticks if begin < t < end}
    assert {1, 2, 3} <= fifths, f"{end - begin:.2f} s, {len(ticks)} ticks"


#: Sends itself Ctrl-C in the middle of a fit of many minutes, then fits again.
INTERRUPT = """
import os, signal, sys, threading, time
import numpy as np, separa
# A shell starts what it puts into the background deaf to Ctrl-C, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
rows = np.random.default_rng(0).random((20000, 20))
sent = []

def interrupt():
    time.sleep(0.6)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt).start()
try:
    {call}
    print("ended by itself")
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
print(separa.fit([[0.0], [0.1], [5.0], [5.1]], "{name}").labels_.tolist())
"""


@each_method
def test_ctrl_c_is_heard_soon_and_the_process_fits_again(name):
    long = samples.those_it_takes(name, n_init=10000, tol=1e-10 if name == "armc" else 1e-15)
    call = f"separa.fit(rows, '{name}', n_clusters=40, **{long})"
    program = samples.script(INTERRUPT.replace("{call}", call).replace("{name}", name))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    waited, labels = done.stdout.split("\n")[:2]
    # The promise is a second. A machine that is busy with other tests may need longer to schedule
    # the threads; a fit that does not listen would take minutes.
    assert float(waited) < 2
    assert labels == "[0, 0, 1, 1]"


def test_a_panic_becomes_an_exception_and_python_goes_on(capfd):
    for _ in range(3):
        with pytest.raises(exceptions.InternalError, match="a bug in separa.*asked for.*report it"):
            _separa._panic()
    assert not issubclass(exceptions.InternalError, (ValueError, OSError))
    assert separa.fit(samples.blobs()[0]).n_clusters_ == 2


def fit_in_child(rows):
    return separa.fit(rows, "kmeans", n_clusters=3).labels_.tolist()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork on Windows")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_process_that_forks_after_a_fit_fits_in_its_child():
    rows, _ = samples.blobs(3)
    before = fit_in_child(rows)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        # Threads of a pool that did not come along would be waited for until the timeout.
        children = [pool.apply_async(fit_in_child, (rows,)) for _ in range(4)]
        assert [child.get(timeout=30) for child in children] == [before] * 4
    assert fit_in_child(rows) == before


def test_fits_in_several_threads_do_not_mix():
    tables = [samples.blobs(2 + i % 3, seed=i)[0] for i in range(6)]
    alone = [separa.fit(rows, n_clusters=2 + i % 3).to_bytes() for i, rows in enumerate(tables)]
    found = [b""] * 6

    def work(i):
        found[i] = separa.fit(tables[i], n_clusters=2 + i % 3).to_bytes()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def seed_of(model):
    return model.info["seed"]


def test_a_seed_is_an_int_or_drawn():
    rows, _ = samples.blobs()
    fit = lambda state: seed_of(separa.fit(rows, "kmeans", random_state=state))  # noqa: E731
    assert [fit(7), fit(np.int32(7)), fit(2**63)] == [7, 7, 2**63]
    assert fit(np.random.RandomState(3)) == np.random.RandomState(3).randint(2**31 - 1)
    assert fit(np.array(7)) == 7
    assert fit(np.random.default_rng(3)) == np.random.default_rng(3).integers(2**31 - 1)
    one = np.random.default_rng(3)
    assert fit(one) != fit(one)
    np.random.seed(5)
    drawn = [fit(None), fit(None)]
    np.random.seed(5)
    assert drawn == [fit(None), fit(np.random)]
    assert drawn[0] != drawn[1]


def test_an_estimator_takes_the_same_seeds_as_the_core():
    rows, _ = samples.blobs()
    for state in (3, np.random.RandomState(3), np.random.default_rng(3)):
        copies = [deepcopy(state), deepcopy(state)]
        estimator = separa.KMeans(random_state=copies[0]).fit(rows)
        assert seed_of(estimator.model_) == seed_of(separa.fit(rows, "kmeans", random_state=copies[1]))
