"""scikit-learn's callback protocol (1.9 and newer), where the installed version has it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Iterator, TypeVar

from ._run import Progress

__all__ = ["Support", "managed", "task"]

try:
    from sklearn.callback import CallbackSupportMixin as Support
    from sklearn.callback import with_callbacks
except ImportError:
    with_callbacks = None

    class Support:  # type: ignore[no-redef]
        """Older versions have no callbacks."""


F = TypeVar("F", bound=Callable[..., Any])


def managed(fit: F) -> F:
    """Tears callbacks down after the fit, however it ends."""
    if with_callbacks is None:
        return fit
    wrapped: F = with_callbacks(fit)
    return wrapped


@contextmanager
def task(
    estimator: Any, X: Any, y: Any, sample_weight: Any
) -> Iterator[Callable[[Progress], bool] | None]:
    """The fit as a task; gives a callback that turns each iteration into a subtask.

    Gives None where nobody listens, so that an ordinary fit does not pause for it.
    """
    listened = hasattr(estimator, "_skl_callbacks") or hasattr(estimator, "_parent_callback_ctx")
    if with_callbacks is None or not listened:
        yield None
        return
    context = estimator._init_callback_context(max_subtasks=None)
    metadata = {} if sample_weight is None else {"sample_weight": sample_weight}
    what = {"estimator": estimator, "X": X, "y": y, "metadata": metadata}
    context.call_on_fit_task_begin(**what)

    def step(progress: Progress) -> bool:
        if progress.kind != "iteration":
            return False
        sub = context.subcontext(task_name=f"iteration {progress.index}")
        sub.call_on_fit_task_begin(**what)
        return bool(sub.call_on_fit_task_end(**what))

    yield step
    context.call_on_fit_task_end(**what, reconstruction_attributes=dict)
