"""DeLong's test: areas under ROC curves of fitted models on one test set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..scores import Components, SplitDesign
from ._held_out import JointHeldOutTest
from ._roc_auc import KIND, auc_variances, covariance_of, n_squares_of


@dataclass(frozen=True, kw_only=True)
class DeLongTest(JointHeldOutTest):
    """Test an area under an ROC curve, or the difference of those of two fitted models.

    With groups of rows, such as patients, it is Obuchowski's test. The answer is about the models
    as they were fitted.

    Parameters
    ----------
    null_value : float, default=0.0
        The value under test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the true value lies if not at the null value.

    See Also
    --------
    compare_predictions : Compare models by it.

    Notes
    -----
    See `skcvstats.stats.delong_auc`. The statistic is referred to the normal distribution.

    Examples
    --------
    >>> from skcvstats import compare_predictions
    >>> y_true = [0, 0, 0, 1, 1, 1, 0, 1] * 3
    >>> predictions = {
    ...     "a": [0.1, 0.4, 0.3, 0.35, 0.8, 0.9, 0.2, 0.7] * 3,
    ...     "b": [0.5, 0.4, 0.3, 0.35, 0.2, 0.9, 0.6, 0.1] * 3,
    ... }
    >>> result = compare_predictions(y_true, predictions, metric="roc_auc")
    >>> result[0].test.method, result[0].test.estimate
    ('delong', 0.625)
    """

    name: ClassVar[str] = "delong"
    title: ClassVar[str] = "DeLong test"
    kind: ClassVar[str] = KIND

    def variances(self, components: Components, scale: np.ndarray) -> np.ndarray:
        return auc_variances(components)

    def covariance(self, components: Components) -> np.ndarray:
        return covariance_of(components)

    def n_squares(self, components: Components) -> int:
        return n_squares_of(components)

    def df(self, components: Components) -> float:
        return np.inf

    def words(self, components: Components) -> dict[str, Any]:
        facts = components.facts
        classes = f"{facts['n_positive']} positive, {facts['n_negative']} negative"
        if not facts["grouped"]:
            made = "DeLong's, from the placements of the positives among the negatives"
            return {"basis": f" ({classes})", "explanation": made}
        return {
            "title": "Obuchowski test",
            "basis": f" ({classes}) in {facts['n_groups']} groups",
            "explanation": "Obuchowski's, from the placements of the positives among the "
            "negatives, summed over groups",
            "assumption": "it assumes that the groups are independent",
            "sources": ("obuchowski1997", "delong1988"),
        }

    def sources(self, design: SplitDesign) -> tuple[str, ...]:
        return ("delong1988",)
