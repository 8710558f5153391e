"""The t-test of means over the rows of a test set, whose rows may belong to groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._utils._checks import check_option
from ..scores import Components, SplitDesign
from ._clustered_mean import KIND, VARIANCES, factors_of, variances_of
from ._held_out import ComponentSample, JointHeldOutTest

_EXPLAINED = {
    "jackknife": "the jackknife that leaves out one {unit} at a time",
    "sandwich": "the cluster-robust (sandwich) estimate from the sums over {unit}s",
}


@dataclass(frozen=True, kw_only=True)
class ClusteredTTest(JointHeldOutTest):
    """Test a mean over the rows of one test set, or the difference of two fitted models in it.

    It is for metrics that are means over rows, such as accuracy, log loss or squared error. Rows
    of one group, such as a patient, may depend on each other as they like. The answer is about
    the models as they were fitted.

    Parameters
    ----------
    null_value : float, default=0.0
        The value under test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the true value lies if not at the null value.
    variance : {"jackknife", "sandwich"}, default="jackknife"
        How the variance is estimated from the groups; see `clustered_mean`.

    See Also
    --------
    compare_losses : Compare models by it.
    HoldoutTTest : The same without groups, where the question may be about the algorithms.

    Notes
    -----
    See `skcvstats.stats.clustered_mean`. The statistic is referred to Student's t distribution with
    one degree of freedom less than groups.

    Examples
    --------
    >>> from skcvstats import compare_losses
    >>> losses = {"a": [0.2, 0.1, 0.4, 0.3, 0.9, 0.2] * 4, "b": [0.4, 0.3, 0.5, 0.4] * 6}
    >>> result = compare_losses(losses, groups=list(range(12)) * 2)
    >>> result[0].test.method, result[0].test.df
    ('clustered_t', 11.0)
    """

    variance: str = "jackknife"

    name: ClassVar[str] = "clustered_t"
    title: ClassVar[str] = "t-test of row means"
    kind: ClassVar[str] = KIND

    def __post_init__(self) -> None:
        super().__post_init__()
        check_option("variance", self.variance, VARIANCES)

    def variances(self, components: Components, scale: np.ndarray) -> np.ndarray:
        return variances_of(components, self.variance, scale)

    def covariance(self, components: Components) -> np.ndarray:
        factors = factors_of(components.shared["sizes"], self.variance)
        sums = components.rows("sums", slice(None))
        step = max(1, 2**20 // len(sums))
        found = np.zeros((len(sums), len(sums)))
        for start in range(0, sums.shape[1], step):
            part = sums[:, start : start + step] * factors[start : start + step]
            found += part @ part.T
        return found

    def n_squares(self, components: Components) -> int:
        return int(components.facts["n_groups"]) - 1

    def words(self, components: Components) -> dict[str, Any]:
        facts = components.facts
        unit = "group" if facts["grouped"] else "row"
        made = _EXPLAINED[self.variance].format(unit=unit)
        words: dict[str, Any] = {"explanation": made, "basis": _basis(facts)}
        if facts["grouped"]:
            words["title"] = "clustered t-test"
            words["assumption"] = "it assumes that the groups are independent"
        elif not facts["weighted"]:
            words["title"] = "paired t-test" if components.first is not None else "t-test"
            words["explanation"] = (
                "the square root of the sample variance over the test rows divided by their number"
            )
        return words

    def details(self, sample: ComponentSample) -> dict[str, Any]:
        facts = sample.components.facts
        return {"has_posterior": not facts["grouped"] and not facts["weighted"]}

    def sources(self, design: SplitDesign) -> tuple[str, ...]:
        return ("cameron2015",)


def _basis(facts: Any) -> str:
    of_groups = f" in {facts['n_groups']} groups" if facts["grouped"] else ""
    return f"{of_groups}{', weighted' if facts['weighted'] else ''}"
