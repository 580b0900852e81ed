"""How a fit is run: seed, threads, memory, progress."""

from __future__ import annotations

import numbers
import os
import sys
import time
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Literal, TextIO, Union

import numpy as np

from . import _separa
from .exceptions import ParameterError

#: A number of clusters, or the word that asks for it to be found.
Clusters = Union[int, Literal["auto"]]

#: Anything that scikit-learn takes for a `random_state`.
RandomState = Union[int, None, np.random.RandomState, np.random.Generator]


@dataclass(frozen=True)
class Progress:
    """One step of a fit, as a callback sees it.

    Attributes
    ----------
    kind : {"phase", "start", "iteration"}
        A long step begins, an initialization begins, or an iteration of the main loop is done.
    name : str
        The phase or the initialization; empty for iterations.
    index, of : int or None
        The number of the initialization (from 0) or of the iteration (from 1), and how many there are at
        most.
    objective : float or None
        The method's objective after an iteration.
    changed : int or None
        How many labels the iteration changed.

    Examples
    --------
    >>> import separa
    >>> def listen(step: separa.Progress) -> None:
    ...     if step.kind == "start":
    ...         print(step.name, step.index, "of", step.of)
    >>> model = separa.fit([[0.0], [0.1], [5.0], [5.1]], n_clusters=2, callback=listen)
    kmeans-contraharmonic 0 of 3
    kmeans-contraharmonic-squared 1 of 3
    pca 2 of 3
    """

    kind: str
    name: str
    index: int | None
    of: int | None
    objective: float | None
    changed: int | None


#: Called with every step; a true value ends the fit with its best so far.
Callback = Callable[[Progress], Any]


def settings(
    random_state: RandomState,
    n_jobs: int | None,
    max_memory: int | str | None,
    quality: bool,
    k_max: int | None = None,
    time_limit: float | None = None,
) -> dict[str, Any]:
    """How to run, as the engine takes it."""
    return {
        "k_max": most_of(k_max),
        "seed": seed_of(random_state),
        "threads": threads_of(n_jobs),
        "memory": memory_of(max_memory),
        "judge": bool(quality),
        "time_limit": time_limit,
    }


def most_of(k_max: int | None) -> int | None:
    """The most clusters to look for."""
    k_max = scalar(k_max)
    whole = isinstance(k_max, numbers.Integral) and not isinstance(k_max, bool)
    if k_max is None or (whole and 2 <= int(k_max) <= 1000):
        return None if k_max is None else int(k_max)
    raise ParameterError(f"parameter `k_max` must be None or a whole number from 2 to 1000, got {k_max!r}")


def scalar(value: Any) -> Any:
    """NumPy's scalars and arrays without dimensions as Python's own; anything else as it is."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    # `item` of a long double is a long double.
    if isinstance(value, np.longdouble):
        return float(value)
    return value.item() if isinstance(value, np.generic) else value


def at_least_one(name: str, value: Any) -> int:
    """A whole number from 1."""
    value = scalar(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        raise ParameterError(f"parameter `{name}` must be a whole number from 1, got {value!r}")
    return int(value)


def seed_of(random_state: RandomState) -> int:
    """A seed: an int is itself, None and generators draw one."""
    random_state = scalar(random_state)
    # scikit-learn takes the module for its own generator too.
    if random_state is None or random_state is np.random:
        return int(np.random.mtrand._rand.randint(2**31 - 1))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        if 0 <= int(random_state) < 2**64:
            return int(random_state)
    raise ParameterError(
        "parameter `random_state` must be None, a whole number from 0, a RandomState or a "
        f"Generator, got {random_state!r}"
    )


def threads_of(n_jobs: int | None) -> int:
    """Threads by joblib's counting: None and -1 are all cores, -2 all but one; at most 4 a core."""
    n_jobs = scalar(n_jobs)
    if n_jobs is None:
        return cores()
    if not isinstance(n_jobs, numbers.Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ParameterError(
            f"parameter `n_jobs` must be None or a whole number other than 0, got {n_jobs!r}"
        )
    if int(n_jobs) > 0:
        return min(int(n_jobs), 4 * cores())
    return max(1, cores() + 1 + int(n_jobs))


def cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def memory_of(max_memory: int | str | None) -> int | None:
    """Bytes from a number, "4G" or None."""
    max_memory = scalar(max_memory)
    if max_memory is None:
        return None
    if isinstance(max_memory, str):
        return int(_separa.memory_size(max_memory))
    whole = isinstance(max_memory, numbers.Integral) and not isinstance(max_memory, bool)
    if not whole or max_memory < 1:
        raise ParameterError(
            "parameter `max_memory` must be None, a number of bytes or a size like '4G', "
            f"got {max_memory!r}"
        )
    return int(max_memory)


def listener_of(
    callbacks: list[Callback], bar: Bar | None
) -> Callable[..., bool] | None:
    """One function for all who listen, or None where no one does."""
    if not callbacks and bar is None:
        return None

    def listen(
        kind: str,
        name: str,
        index: int | None,
        of: int | None,
        objective: float | None,
        changed: int | None,
    ) -> bool:
        step = Progress(kind, name, index, of, objective, changed)
        if bar is not None:
            bar.show(step)
        # Every callback hears every step, whoever wants to stop.
        return any([bool(callback(step)) for callback in callbacks])

    return listen


def bar_of(title: str, verbose: Any) -> Bar | None:
    """A bar where one is wanted and can be seen: programs without a console have no stderr."""
    return Bar(title, sys.stderr) if scalar(verbose) and sys.stderr is not None else None


class TimeLeft:
    """How long a fit will still take, judged by what it has done.

    Initializations are alike, so that those that are done say how long the others take. Within the last of them only the
    iterations are left, of which there may be fewer: then it is an upper bound.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.began = self.start = clock()
        self.left = 0

    def after(self, step: Progress) -> str:
        """"about 3 s left"; nothing while nothing is known."""
        now = self.clock()
        if step.kind == "start" and step.index is not None:
            if step.index == 0:
                self.began = now
            self.start, self.left = now, (step.of or 1) - step.index
            done = step.index
        else:
            done = 0
        if done and self.left:
            return f"about {duration((now - self.began) / done * self.left)} left"
        if step.kind == "iteration" and self.left <= 1 and step.index and step.of:
            return f"at most {duration((now - self.start) / step.index * (step.of - step.index))} left"
        return ""


def duration(seconds: float) -> str:
    """Seconds, minutes or hours, without false precision."""
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 6000 else f"{round(seconds / 3600)} h"


class Bar:
    """One line on stderr that is written over: terminals and notebooks both show it so."""

    def __init__(self, title: str, out: TextIO) -> None:
        self.title = title
        self.time_left = TimeLeft()
        self.out = out
        self.alive = self.out.isatty() or "ipykernel" in sys.modules
        self.width = 0
        self.start = self.line = ""

    def show(self, step: Progress) -> None:
        said = self.time_left.after(step)
        left = f", {said}" if said else ""
        if step.kind == "phase":
            self.write(step.name)
        elif step.kind == "start":
            number = f"initialization {step.index + 1}/{step.of}" if step.index is not None else "initialization"
            self.start = f"{number} {step.name}".strip() + left
            self.write(self.start)
        elif self.alive:
            self.write(f"{self.start} {self.gauge(step)}{left}".strip())

    def gauge(self, step: Progress) -> str:
        index, of = step.index or 0, step.of or 1
        filled = min(20, 20 * index // of)
        return f"[{'#' * filled}{'.' * (20 - filled)}] iteration {index}, objective {step.objective:.6g}"

    def write(self, text: str) -> None:
        line = f"{self.title}: {text}"
        if line == self.line:
            return
        self.line = line
        if self.alive:
            self.out.write("\r" + line.ljust(self.width))
            self.width = len(line)
        else:
            self.out.write(line + "\n")
        self.out.flush()

    def close(self) -> None:
        """Leaves an empty line behind, so that what follows starts afresh."""
        if self.alive and self.width:
            self.out.write("\r" + " " * self.width + "\r")
            self.out.flush()


def warn(message: str, kind: type[Warning]) -> None:
    """A warning at the line that called separa, whatever of separa and scikit-learn is between."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and of_a_library(frame.f_globals.get("__name__", "")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, stacklevel=level)


def of_a_library(module: str) -> bool:
    return module.partition(".")[0] in ("separa", "sklearn")
