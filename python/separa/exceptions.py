"""What separa raises and warns with: one class for each kind of trouble.

Each is also one of Python's own, so ``except ValueError`` keeps working.

>>> import separa
>>> try:
...     separa.fit([[0.0], [1.0]], n_clusters=3)
... except separa.exceptions.ParameterError as trouble:
...     print(trouble)
mspc: parameter `n_clusters` must be at most the number of rows (2), got 3
"""

from __future__ import annotations

__all__ = [
    "ConvergenceWarning",
    "DataError",
    "FileError",
    "FitMemoryError",
    "InternalError",
    "MissingFileError",
    "ModelError",
    "ParameterError",
    "SeparaWarning",
]


class ParameterError(ValueError, TypeError):
    """A parameter's name, type or value."""


class DataError(ValueError):
    """A table, a weight or a label that cannot be used; the message names its place."""


class ModelError(ValueError):
    """Bytes that are not a usable model file."""


class FileError(OSError):
    """A file that cannot be read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """A file that does not exist."""


class FitMemoryError(MemoryError):
    """A fit that would need more memory than it may use; the message names the remedy."""


class InternalError(RuntimeError):
    """A bug in separa. The interpreter goes on; please report it."""


class SeparaWarning(UserWarning):
    """Something about a fit that its user should read."""


class ConvergenceWarning(SeparaWarning):
    """A fit ended at ``max_iter``. The estimator classes warn with scikit-learn's class instead."""
