"""Fits by name: the functional core. Needs NumPy alone."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from . import _labels, _prepare, _run, _separa, _table, _values
from ._model import Model
from .exceptions import ConvergenceWarning, ParameterError, SeparaWarning

__all__ = ["classifiers", "fit", "methods"]


def fit(
    X: Any,
    method: str = "mspc",
    *,
    sample_weight: Any = None,
    random_state: _run.RandomState = 0,
    n_jobs: int | None = None,
    max_memory: int | str | None = None,
    k_max: int | None = None,
    time_limit: float | None = None,
    quality: bool = True,
    callback: _run.Callback | None = None,
    verbose: int = 0,
    prepare: str = "auto",
    **params: Any,
) -> Model:
    """Fits a method by name. Needs NumPy alone; the estimator classes do the same for scikit-learn.

    The fit can be stopped: Ctrl-C raises KeyboardInterrupt, a callback that returns a true value keeps
    the best so far.

    Parameters
    ----------
    X : array-like, sparse rows or table of shape (n_samples, n_features)
        NumPy, pandas, polars, Arrow or SciPy. Float64 in C order is read where it lies: do not change
        it from another thread while the fit runs. A list of such tables is a list of bags, or of
        sequences, for the methods that take them (``separa.MSC``, ``separa.CRFClustering``). Files that
        :func:`separa.open` opens, pyarrow datasets and polars LazyFrames are read block by block.
    method : str, default="mspc"
        A name of :func:`separa.methods`.
    sample_weight : array-like of shape (n_samples,), optional
        0 or more each; a weight of 3 counts as three equal rows.
    random_state : int, None, RandomState or Generator, default=0
        Seed of the initializations. None draws a new seed at every call.
    n_jobs : int, optional
        Threads; all cores where it is None. The result does not depend on it.
    max_memory : int or str, optional
        Bytes or a size like "4G"; 80 % of what is free where it is None.
    k_max : int, optional
        Clusters that ``n_clusters="auto"`` looks for at most; 24 where it is None.
    time_limit : float, optional
        Seconds that the whole may take, of which ``n_clusters="auto"`` has half: the best so far is kept.
        Where it is None, nothing is limited but the count, to 10 seconds.
    quality : bool, default=True
        Whether to measure how separable the clusters are (``msp_`` and what belongs to it).
    callback : callable, optional
        Called with a :class:`separa.Progress` at every step; a true value ends the fit with its best
        so far.
    verbose : int, default=0
        1 shows a progress bar.
    prepare : {"auto", "none"}, default="auto"
        Whether data frames are prepared (:func:`separa.prepare`): ids left out, words and dates encoded, gaps filled.
        Arrays are taken as they are.
    **params
        The method's parameters by name, ``n_clusters=3`` say: those of the class (``help(separa.MSPC)``,
        :func:`separa.methods`). ``n_clusters="auto"`` finds the number (``auto_`` tells how).

    Returns
    -------
    model : Model
        The rule, with ``labels_`` and what else the fit found.

    Examples
    --------
    >>> import numpy as np, separa
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(0, 1, (50, 2)), rng.normal(8, 1, (50, 2))])
    >>> model = separa.fit(X, method="mspc", n_clusters=2)
    >>> model.n_clusters_, bool(model.p_unimodal_ < 0.05)
    (2, True)
    """
    from . import _stream

    limit = None if time_limit is None else _labels.number("time_limit", time_limit)
    run = _run.settings(random_state, n_jobs, max_memory, quality, k_max, limit)
    blocks = _stream.backend_of(X)
    if blocks is not None:
        return fit_blocks(blocks, method, params, run, _prepare.choice(prepare), sample_weight)
    table = read(X, prepare, method, params)
    weights = _table.weights(sample_weight, table.n_rows)
    callbacks = [] if callback is None else [callback]
    rule = run_fit(method, params, table, weights, run, callbacks, verbose)
    model = Model(rule, X, table.notes)
    warn(model, ConvergenceWarning)
    return model


def fit_blocks(
    blocks: Any, method: str, params: Mapping[str, Any], run: Mapping[str, Any], prepare: bool, weights: Any
) -> Model:
    """`fit` on rows that are read block by block."""
    from . import _stream

    if weights is not None:
        raise ParameterError("sample weights are for tables in memory, not for rows that are read block by block")
    model = Model(_stream.fit(method, params, blocks, run, prepare).rule)
    warn(model, ConvergenceWarning)
    return model


def read(X: Any, prepare: str, method: str, params: Mapping[str, Any]) -> _table.Table:
    """Rows as the engine takes them; data frames are prepared if that is wanted."""
    wanted = _prepare.choice(prepare) and _table.is_frame(X)
    if not wanted or "precomputed" in params.values():
        return _table.read(X, kind=group_kind(method))
    done = _prepare.run(X, {}, None)
    if _prepare.is_plain(done, X):
        # Rows that need nothing done are viewed, not copied; names that are no text are none.
        table = _table.read(X)
        how = None if table.names is None else done.text
        return table._replace(preparation=how, notes=tuple(done.notes))
    return _prepare.as_table(done)


def run_fit(
    method: str,
    params: Mapping[str, Any],
    table: _table.Table,
    weights: Any,
    run: Mapping[str, Any],
    callbacks: list[_run.Callback],
    verbose: int,
) -> _separa.Rule:
    """The call across the border, with a progress bar around it where one is wanted."""
    if not isinstance(method, str):
        raise ParameterError(f"`method` must be a name of separa.methods(), got {method!r}")
    bar = _run.bar_of(method, verbose)
    listener = _run.listener_of(callbacks, bar)
    try:
        return _separa.fit(method, plain(params), table.rows, table.columns, weights, {**run, "listener": listener})
    finally:
        if bar is not None:
            bar.close()


def plain(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as plain values: NumPy's scalars as Python's, labels of an initialization as a list."""
    return {name: plain_value(name, value) for name, value in params.items()}


def plain_value(name: str, value: Any) -> Any:
    value = _run.scalar(value)
    if name == "init" and not isinstance(value, str) and hasattr(value, "__len__"):
        _values.check_mask(value, lambda at: f"parameter `init` of row {at[0] + 1}")
        labels = np.asarray(value)
        if labels.ndim != 1 or labels.dtype.kind not in "iu":
            raise ParameterError(
                "parameter `init` must be a word or one whole number a row, got an array of "
                f"{labels.dtype.name} with {labels.ndim} dimensions"
            )
        return labels.tolist()
    if isinstance(value, Mapping):
        # Names as the engine knows them: every class is called by its text.
        return {str(_run.scalar(key)): _run.scalar(entry) for key, entry in value.items()}
    if hasattr(value, "__array__"):
        return np.asarray(value).tolist()
    return list(value) if isinstance(value, (tuple, range)) else value


def warn(model: Model, convergence: type[Warning]) -> None:
    """Tells what the fit's report wants its user to act on, once, at the line that asked for the fit.

    Which notes that are is the engine's to say (``act``): all warnings, and notices such as a method that suits better.
    Before them comes what the preparation of a data frame could not know.
    """
    report = model.report_
    unfinished = report["stop"] == "max_iter"
    prepared = _prepare.to_act_on(model._info.get("preparation") or {"columns": []})
    said: list[tuple[str, type[Warning]]] = [(words, SeparaWarning) for words in prepared]
    for note in report["notes"]:
        if note.get("act", note["kind"] == "warning"):
            late = unfinished and note["code"] == "not-converged"
            words = no_clusters(model, note["sentence"]) if note["code"] == "segments" else note["sentence"]
            said.append((words, convergence if late else SeparaWarning))
    # The method may have said so in its own words.
    if unfinished and all(kind is not convergence for _, kind in said):
        iterations = report["iterations"]
        said.append((f"not converged after {iterations} iterations; raise max_iter", convergence))
    for words, kind in said:
        _run.warn(f"{model.method}: {words}", kind)


def no_clusters(model: Model, segments: str) -> str:
    """What was found, before what is said of segments instead: a warning is read alone."""
    found, _, _ = (model.verdict_ or "no natural clusters").partition(": ")
    whole = sum(model._info["sizes"]) == model._info["n"]
    return f"{found}: every row{'' if whole else ' but outliers'} is labelled 0; {segments}"


def group_kind(method: str) -> str:
    """What a list of tables is to a method: sequences where it takes them, else bags."""
    takers = [m["name"] for m in methods() if m["sequences"]]
    return "sequence" if method in takers else "bag"


def methods() -> list[dict[str, Any]]:
    """Every method: its name, class, one line about it, and its parameters.

    Returns
    -------
    methods : list of dict
        Keys: ``name``, ``class``, ``about``, ``sequences`` (whether lists of tables are that),
        ``proba`` (whether it has probabilities), ``specs`` (of each parameter ``name``, ``expected``,
        ``default``, ``doc``) and ``defaults``.

    Examples
    --------
    >>> import separa
    >>> [m["name"] for m in separa.methods()][:2]
    ['mspc', 'kmeans']
    """
    found: list[dict[str, Any]] = _separa.methods()
    return found


def classifiers() -> list[dict[str, Any]]:
    """Every classifier, described as :func:`separa.methods` describes methods.

    Returns
    -------
    classifiers : list of dict

    Examples
    --------
    >>> import separa
    >>> [c["class"] for c in separa.classifiers()]
    ['MPMClassifier', 'MCPMClassifier', 'SCMClassifier']
    """
    found: list[dict[str, Any]] = _separa.classifiers()
    return found
