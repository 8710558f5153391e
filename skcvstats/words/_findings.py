"""What the comparisons of one metric show: their kinds, and their order in a report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .._utils._checks import alpha_of
from ..comparison import Comparison, ComparisonResult
from ..stats import CVTestResult

if TYPE_CHECKING:
    import pandas as pd

NOT_SHOWN = "not shown"
UNDETERMINED = "undetermined"


@dataclass(frozen=True, eq=False)
class Findings:
    """What the comparisons of one metric show."""

    metric: str
    result: ComparisonResult

    @property
    def first(self) -> Comparison:
        """The first comparison: the procedure, the level and the margin are the same in all."""
        return self.result.comparisons[0]

    @property
    def alone(self) -> bool:
        """Whether there is only one comparison of two estimators; then there is no ranking."""
        return len(self.result) == 1 and len(self.ranking) == 2

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """One row for each estimator, best first."""
        return self.result.ranking()

    @cached_property
    def kinds(self) -> np.ndarray:
        """The kind of claim of each comparison."""
        tests = self.result.tests_by_metric[self.metric]
        found = tests.inference
        if not isinstance(found, CVTestResult):
            return np.array([comparison.outcome for comparison in self.result], dtype=object)
        frame = self.result.to_frame()
        if "outcome" in frame:
            return frame["outcome"].to_numpy(dtype=object)
        shown = tests.pvalues_adjusted <= alpha_of(self.result.confidence_level)
        above = np.asarray(found.estimate) > found.null_value
        choices = {
            UNDETERMINED: np.broadcast_to(found.undetermined, shown.shape),
            "above": shown & above,
            "below": shown,
        }
        kinds = np.select(list(choices.values()), list(choices), default=NOT_SHOWN)
        return kinds.astype(object)

    def positions(self, *kinds: str) -> np.ndarray:
        """Return the positions of the comparisons whose claims are of some kinds."""
        return np.flatnonzero(np.isin(self.kinds, kinds))

    def shown_first(self, most: int) -> list[Comparison]:
        """Return the first comparisons: those that show something, then the others."""
        rank = np.select([self.kinds == UNDETERMINED, self.kinds == NOT_SHOWN], [2, 1], default=0)
        order = np.argsort(rank, kind="stable")[:most]
        return [self.result.comparisons[int(k)] for k in order]
