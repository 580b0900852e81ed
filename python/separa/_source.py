"""What is asked to be drawn or reported: a model and its table, whatever holds them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._model import Model
from .exceptions import DataError, ParameterError


class Source(NamedTuple):
    """A model, and the table as the model takes it."""

    model: Model
    X: Any

    @property
    def names(self) -> list[str]:
        """What the clusters or classes are called."""
        classes, given = self.model._classes, self.model.names
        if classes is not None:
            return [str(name) for name in classes]
        return [given.get(c, str(c)) for c in range(self.model.n_clusters_)]

    def rows(self, what: str) -> Any:
        """The rows as the engine takes them."""
        if self.X is None:
            raise DataError(f"{what} needs the rows, and a model holds none; give the table as X")
        return self.model._read(self.X)


def source_of(fitted: Any, X: Any = None) -> Source:
    """The model in a fitted estimator, a pipeline that ends in one, or a search over either."""
    if isinstance(fitted, Model):
        return Source(fitted, X)
    if hasattr(fitted, "best_estimator_"):
        return source_of(fitted.best_estimator_, X)
    if hasattr(fitted, "steps"):
        return of_pipeline(fitted, X)
    model = getattr(fitted, "model_", None)
    if isinstance(model, Model):
        return Source(model, X)
    if hasattr(fitted, "_method"):
        raise not_fitted(fitted)
    raise ParameterError(
        "expected a fitted estimator of separa, a Model, or a pipeline that ends in one, got "
        f"{type(fitted).__name__}"
    )


def of_pipeline(pipeline: Any, X: Any) -> Source:
    """The last step, with the table and the names of features that the steps before make."""
    last = source_of(pipeline.steps[-1][1])
    if len(pipeline.steps) == 1:
        return Source(last.model, X)
    before = pipeline[:-1]
    model = last.model
    if model._info["feature_names"] is None:
        model = model._with_feature_names(names_out(before))
    return Source(model, None if X is None else before.transform(X))


def names_out(steps: Any) -> list[str] | None:
    """The names that the steps give their columns; None where one of them gives none."""
    try:
        return [str(name) for name in steps.get_feature_names_out()]
    except (AttributeError, ValueError):
        # A step without names, or one that was fitted on an array and wants those of its input.
        return None


def not_fitted(estimator: Any) -> Exception:
    """scikit-learn's own exception; an estimator class has loaded scikit-learn."""
    from sklearn.exceptions import NotFittedError

    found: Exception = NotFittedError(f"this {type(estimator).__name__} is not fitted yet; call fit first")
    return found
