"""What CDSK has beyond other clusterers: the votes of its rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from . import _model
from ._base import BaseClusterer


class DiscriminativeSimilarity(BaseClusterer):
    """Adds the weights of the rows, exemplars and the similarity that was used."""

    alpha_: npt.NDArray[np.float64]
    exemplars_: list[npt.NDArray[np.intp]]
    similarity_: str

    def _adopt(self, model: _model.Model) -> None:
        super()._adopt(model)
        report = model._info
        weights = model._rule.row_weights()
        assert weights is not None, "every model of this class is made of rows"
        self.alpha_ = weights
        self.exemplars_ = [np.array(rows, dtype=np.intp) for rows in report.get("exemplars", [])]
        self.similarity_ = next(s["name"] for s in report["initializations"] if s["chosen"])
