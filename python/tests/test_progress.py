"""What a fit says while it runs and when it is done: callbacks, progress bar, warnings."""

from __future__ import annotations

import io
import pickle
import warnings

import numpy as np
import pytest
import samples
import separa
from samples import fit
from separa import _fit
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

each_method = pytest.mark.parametrize("name", samples.NAMES)
each_way = pytest.mark.parametrize("way", ["core", "estimator"])


@each_method
@each_way
def test_events_come_in_order(name, way):
    steps = []
    params = samples.those_it_takes(name, n_init=3, max_iter=50)
    fit(way, samples.blobs(3)[0], name, n_clusters=3, callback=steps.append, **params)
    assert all(type(step) is separa.Progress for step in steps)
    assert {step.kind for step in steps} <= {"phase", "start", "iteration"}
    starts = [step for step in steps if step.kind == "start"]
    # A method that splits parts again begins anew for each of them.
    firsts = [at for at, step in enumerate(starts) if step.index == 0]
    assert firsts == [0] or (name == "armc" and firsts[0] == 0)
    for first, last in zip(firsts, [*firsts[1:], len(starts)]):
        run = starts[first:last]
        assert [step.index for step in run] == list(range(len(run)))
        assert {step.of for step in run} == {len(run)}
        assert len({step.name for step in run}) == len(run)
    kinds = [step.kind for step in steps]
    assert kinds.index("start") < kinds.index("iteration")
    rounds = 0
    for step in steps:
        if step.kind == "iteration":
            # Iterations count from 1 within each initialization.
            assert step.index in (rounds + 1, 1)
            assert (step.name, type(step.objective)) == ("", float)
            assert 0 <= step.changed <= 120
            assert step.index <= step.of <= 50
            rounds = step.index
        else:
            assert (step.objective, step.changed) == (None, None)
            rounds = 0 if step.kind == "start" else rounds


@each_method
def test_a_callback_changes_nothing(name):
    rows, _ = samples.blobs(3)
    heard = separa.fit(rows, name, n_clusters=3, callback=lambda step: None)
    assert heard.to_bytes() == separa.fit(rows, name, n_clusters=3).to_bytes()


@each_method
@each_way
@pytest.mark.parametrize("after", [1, 4])
def test_a_true_value_ends_the_fit_with_its_best_so_far(name, way, after):
    rows = np.random.default_rng(0).random((3000, 4))
    steps = []
    fitted = fit(
        way, rows, name, n_clusters=6, callback=lambda s: steps.append(s) or len(steps) >= after
    )
    assert len(steps) == after
    assert fitted.stop_ == "cancelled"
    assert fitted.labels_.shape == (3000,)
    np.testing.assert_array_equal(fitted.predict(rows), fitted.labels_)
    # Whoever stops a fit does not wait for its judgement.
    assert fitted.msp_ is None
    again = pickle.loads(pickle.dumps(getattr(fitted, "model_", fitted)))
    assert again.stop_ == "cancelled"


class Refusal(Exception):
    pass


@each_method
@each_way
def test_an_exception_in_a_callback_goes_on_and_leaves_no_half_fit(name, way):
    def refuse(step):
        raise Refusal(step.kind)

    rows, _ = samples.blobs()
    with pytest.raises(Refusal):
        fit(way, rows, name, callback=refuse)
    estimator = samples.class_of(name)(callback=refuse)
    with pytest.raises(Refusal):
        estimator.fit(rows)
    assert not hasattr(estimator, "labels_")
    assert fit(way, rows, name).stop_ == "converged"


class Recorder:
    """A callback of scikit-learn 1.9 that notes every call."""

    def __init__(self, stop=False):
        self.stop, self.calls, self.seen = stop, [], []

    def setup(self, estimator, context):
        self.calls.append(("setup", context.task_name))

    def teardown(self, estimator, context):
        self.calls.append(("teardown", context.task_name))

    def on_fit_task_begin(self, estimator, context, *, X=None, metadata=None):
        self.calls.append(("begin", context.task_name))
        self.seen.append((X, metadata))

    def on_fit_task_end(self, estimator, context, *, fitted_estimator=None):
        self.calls.append(("end", context.task_name))
        if fitted_estimator is not None:
            self.seen.append(fitted_estimator)
        return self.stop


@each_method
def test_scikit_learns_callbacks_hear_every_round(name):
    pytest.importorskip("sklearn.callback", reason="scikit-learn 1.9 has callbacks")
    rows, _ = samples.blobs()
    recorder, steps = Recorder(), []
    weights = np.ones(len(rows))
    estimator = samples.class_of(name)(callback=steps.append).set_callbacks(recorder)
    estimator.fit(rows, sample_weight=weights)
    rounds = [f"iteration {step.index}" for step in steps if step.kind == "iteration"]
    inner = [(kind, each) for each in rounds for kind in ("begin", "end")]
    assert recorder.calls == [
        ("setup", "fit"), ("begin", "fit"), *inner, ("end", "fit"), ("teardown", "fit")
    ]
    X, metadata = recorder.seen[0]
    assert X is rows and metadata["sample_weight"] is weights
    np.testing.assert_array_equal(recorder.seen[-1].predict(rows), estimator.labels_)


@each_method
def test_scikit_learns_callbacks_stop_a_fit_and_are_torn_down_after_an_error(name):
    pytest.importorskip("sklearn.callback", reason="scikit-learn 1.9 has callbacks")
    rows = np.random.default_rng(0).random((500, 3))
    recorder = Recorder(stop=True)
    fitted = samples.class_of(name)(n_clusters=3).set_callbacks(recorder).fit(rows)
    assert fitted.stop_ == "cancelled"
    assert [call for call in recorder.calls if call[0] == "begin"][2:] == []
    recorder = Recorder()
    with pytest.raises(ValueError, match="n_clusters"):
        samples.class_of(name)(n_clusters=-1).set_callbacks(recorder).fit(rows)
    assert recorder.calls[-1][0] == "teardown"


def test_scikit_learns_progress_bar_shows_a_fit(capsys):
    callback = pytest.importorskip("sklearn.callback", reason="scikit-learn 1.9 has callbacks")
    pytest.importorskip("rich", reason="scikit-learn's bar needs rich")
    separa.KMeans().set_callbacks(callback.ProgressBar()).fit(samples.blobs()[0])
    assert "KMeans" in capsys.readouterr().out


class Terminal(io.StringIO):
    def isatty(self):
        return True


@each_method
@each_way
def test_a_log_gets_a_line_for_every_start(name, way, capsys):
    fit(way, samples.blobs()[0], name, verbose=1, **samples.those_it_takes(name, n_init=3))
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == "" and "\r" not in err
    assert sum(f"{name}: initialization " in line for line in lines) >= 2
    assert all(line.startswith(f"{name}: ") for line in lines)
    # Iterations are for terminals.
    assert "] iteration " not in err


@each_method
@each_way
def test_a_terminal_gets_one_line_that_is_written_over(name, way, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    fit(way, samples.blobs()[0], name, verbose=1, **samples.those_it_takes(name, n_init=3))
    shown = terminal.getvalue()
    assert "\n" not in shown
    assert "initialization 1/" in shown and "[" in shown and "iteration 1, objective " in shown
    # It leaves an empty line behind.
    last = shown.split("\r")
    assert last[-1] == "" and last[-2].strip() == ""
    assert len(last[-2]) >= len(last[-3].rstrip())


@each_way
def test_a_program_without_stderr_shows_nothing_and_fits(way, monkeypatch):
    monkeypatch.setattr("sys.stderr", None)
    assert fit(way, samples.blobs()[0], verbose=1).n_clusters_ == 2


def test_nothing_is_shown_unasked(capfd):
    separa.fit(samples.blobs()[0])
    separa.MSPC().fit(samples.blobs()[0])
    assert capfd.readouterr() == ("", "")


ASKING = {
    "core": lambda rows: separa.fit(rows, "kmeans", n_clusters=8, max_iter=1),
    "estimator": lambda rows: separa.KMeans(8, max_iter=1).fit(rows),
    "fit_predict": lambda rows: separa.KMeans(8, max_iter=1).fit_predict(rows),
    "pipeline": lambda rows: make_pipeline(separa.KMeans(8, max_iter=1)).fit(rows),
}


@pytest.mark.parametrize("who", ASKING)
def test_a_fit_that_ends_at_max_iter_warns_at_the_line_that_asked_for_it(who):
    rows = np.random.default_rng(0).random((500, 4))
    ours = separa.exceptions.ConvergenceWarning if who == "core" else ConvergenceWarning
    with pytest.warns(ours, match="kmeans: not converged after .* iterations; raise max_iter") as caught:
        ASKING[who](rows)
    first = ASKING["core"].__code__.co_firstlineno
    line = first + list(ASKING).index(who)
    assert [(w.filename, w.lineno) for w in caught] == [(__file__, line)]


@each_method
@each_way
def test_a_fit_that_converged_does_not_warn(name, way):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fit(way, samples.blobs()[0], name).stop_ == "converged"


@each_way
def test_what_the_report_warns_of_is_a_warning(way):
    rows = np.repeat([[0.0], [1.0]], 15, axis=0)
    with pytest.warns(separa.exceptions.SeparaWarning, match="found 2 clusters instead of 5") as caught:
        fitted = fit(way, rows, "kmeans", n_clusters=5)
    report = getattr(fitted, "model_", fitted).report_
    said = [note["text"] for note in report["notes"] if note["kind"] == "warning"]
    assert [str(warning.message) for warning in caught] == [f"kmeans: {text}" for text in said]
    assert fitted.n_clusters_ == 2


@each_way
def test_a_notice_to_act_on_is_a_warning_once(way):
    rows = np.random.default_rng(0).normal(size=(25, 3))
    with pytest.warns(separa.exceptions.SeparaWarning, match="fewer than 30 rows") as caught:
        fitted = fit(way, rows, "kmeans", n_clusters=2)
    notes = getattr(fitted, "model_", fitted).report_["notes"]
    said = [note["sentence"] for note in notes if note["act"]]
    assert [str(warning.message) for warning in caught] == [f"kmeans: {text}" for text in said]
    assert said[0].endswith("try separa.MSPC or separa.LogisticClustering (separa.compare ranks methods)")


def test_a_fit_that_could_not_be_judged_says_why():
    model = separa.fit(samples.blobs()[0], "kmeans")
    # No table is known that leads there: the engine's sentence is put in its place.
    note = {"kind": "warning", "code": "quality-unknown", "sentence": "the separability is unknown: why"}
    model._about = {**model.info, "notes": [note]}
    with pytest.warns(separa.exceptions.SeparaWarning, match="kmeans: the separability is unknown: why"):
        _fit.warn(model, ConvergenceWarning)
