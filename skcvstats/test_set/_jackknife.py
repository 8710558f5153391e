"""The jackknife t-test: any smooth metric of fitted models, by leaving out rows or groups."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.special import expit

from .._utils._arrays import Floats
from .._utils._checks import ConfidenceInterval
from .._utils._metrics import known_of, scale_of
from .._utils._shared_arguments import tails_of
from ..scores import Components, CVScores, Note
from ..stats import (
    ROUNDING,
    Description,
    Pivot,
    Root,
    few_telling_notes,
    plain_flags,
    student_quantile,
    with_ends,
)
from ._held_out import (
    HeldOutResult,
    HeldOutTest,
    ScoreTestResult,
    held_out_scores,
    in_blocks,
    score_statistic,
    sizes_of,
)
from ._runs import arrays_of_runs


class Scale(NamedTuple):
    """The scale for a metric of a known range, on which its scores are unbounded."""

    low: float
    high: float

    def of(self, scores: Any) -> Floats:
        """Return scores on the scale."""
        scores = np.clip(np.asarray(scores, dtype=float), self.low, self.high)
        above_low = np.zeros_like(scores)
        below_high = np.zeros_like(scores)
        with np.errstate(divide="ignore"):
            if np.isfinite(self.low):
                above_low = np.log(scores - self.low)
            if np.isfinite(self.high):
                below_high = np.log(self.high - scores)
        values: Floats = above_low - below_high
        return values

    def slope(self, scores: Any) -> Floats:
        """Return the derivative of the scale."""
        with np.errstate(divide="ignore"):
            slope: Floats = 1 / np.subtract(scores, self.low) + 1 / np.subtract(self.high, scores)
        return slope

    def back(self, values: Floats) -> Floats:
        """Return the scores at places on the scale."""
        if np.isinf(self.high):
            return self.low + np.exp(values)
        if np.isinf(self.low):
            return self.high - np.exp(-values)
        scores: Floats = self.low + (self.high - self.low) * expit(values)
        return scores


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScaledResult(ScoreTestResult):
    """The answer about a single score of a metric with a known range, on the scale for that range.

    The interval is symmetric on the scale and within the range of the metric, and p agrees with it.
    """

    @property
    def undetermined(self) -> Any:
        """Whether the scores did not vary; not so of a share, which has Wilson's interval."""
        is_constant = np.asarray(self.standard_error) == 0
        return plain_flags(is_constant & (self._rows_of_share == 0))

    @property
    def _measured(self) -> str:
        scores: Any = self.scores
        return str(scores.provenance.get("measured", scores.metric))

    @property
    def _scale(self) -> Scale:
        _, low, high = known_of(self._measured)
        return Scale(low, high)

    @property
    def _rows_of_share(self) -> np.ndarray:
        """The rows that a share of 0 or 1 is of; 0 for other scores."""
        scores: Any = self.scores
        n_rows: np.ndarray = scores.components.arrays["rows_of_share"]
        return n_rows.reshape(np.shape(self.estimate))

    def statistic_at(self, value: Any) -> np.ndarray:
        scale = self._scale
        n_rows = self._rows_of_share
        with np.errstate(divide="ignore", invalid="ignore"):
            distance = scale.of(self.estimate) - scale.of(value)
            statistic = distance / (scale.slope(self.estimate) * self.standard_error)
            variance = np.where(n_rows > 0, value * np.subtract(1, value) / n_rows, 0.0)
        at_end = np.isinf(scale.of(self.estimate))
        return np.where(at_end, score_statistic(self.estimate, value, variance), statistic)

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        tail = (1 - self._level(confidence_level)) / tails_of(self.alternative)
        critical = -np.asarray(student_quantile(self.df, tail))
        estimate = np.asarray(self.estimate)
        scale = self._scale
        middle = scale.of(estimate)
        at_end = np.isinf(middle)
        with np.errstate(divide="ignore", invalid="ignore"):
            half_width = critical * scale.slope(estimate) * self.standard_error
            # Wilson's interval of a share of 0 or 1, else no width.
            beyond = critical**2 / (self._rows_of_share + critical**2)
        beyond = np.where(self._rows_of_share > 0, beyond, 0.0)
        low = np.where(at_end, estimate - estimate * beyond, scale.back(middle - half_width))
        high = np.where(at_end, estimate + (1 - estimate) * beyond, scale.back(middle + half_width))
        return with_ends(low, high, self.alternative)

    def _describe_procedure(self) -> Description:
        description = super()._describe_procedure()
        if np.all(self._rows_of_share > 0):
            return replace(
                description,
                title="Wilson score test",
                explanation=f"{description.explanation}, which is 0 for a share of 0 or 1; the "
                "interval and p take the variance at the value under test",
                sources=("wilson1927",),
            )
        explanation = (
            f"{description.explanation}; the interval and p are computed on the "
            f"{scale_of(self._measured)} scale"
        )
        if np.any(self._rows_of_share > 0):
            explanation += ", those of a share of 0 or 1 by Wilson's score test"
        return replace(description, explanation=explanation)


@dataclass(frozen=True, kw_only=True)
class JackknifeTTest(HeldOutTest):
    """Test any smooth metric of fitted models on one test set, or a difference in it.

    It is for metrics that are not means over rows, such as F1, balanced accuracy, average
    precision, R2 or a function of your own. Rows of one group, such as a patient, may depend on
    each other as they like. The answer is about the models as they were fitted.

    {Parameters: null_value, alternative}
    {See Also: compare_predictions}
    ClusteredTTest : For metrics that are means over rows.
    BootstrapTest : For metrics that are not smooth, such as medians and quantiles.

    Notes
    -----
    With T the metric of all rows, T(-g) that without unit g, a row or a group, and G units, the
    pseudo-values [1]_ are theta_g = G T - (G - 1) T(-g). The squared standard error is their sample
    variance over G, and the statistic is referred to Student's t distribution with G - 1 degrees of
    freedom; with groups or weights with those of Bell and McCaffrey [2]_, see
    `skcvstats.test_set.clustered_mean`. The pseudo-values of a difference are the differences of
    the pseudo-values.

    More than 2,000 units are put into 2,000 random blocks, which are then the units, unless the
    metric without each unit has a closed form.

    A single score has its interval and p-value on a scale, and the standard error by the delta
    method: logit for metrics from 0 to 1, Fisher's z for those from -1 to 1, the logarithm for root
    mean squared errors. R2, D2 and metrics whose range is not known have Student's interval. At 0
    or 1 recall and precision of one class have Wilson's interval.

    References
    ----------
    .. [1] B. Efron and C. Stein, "The Jackknife Estimate of Variance", Annals of Statistics 9,
       1981.
    .. [2] R. M. Bell and D. F. McCaffrey, "Bias Reduction in Standard Errors for Linear Regression
       with Multi-Stage Samples", Survey Methodology 28, 2002.

    Examples
    --------
    >>> from skcvstats import compare_predictions
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1, 1, 0] * 8
    >>> predictions = {"a": [0, 0, 1, 1, 0, 1, 1, 1, 1, 0] * 8, "b": [0, 1, 1, 0, 0, 1, 1, 0] * 10}
    >>> test = compare_predictions(y_true, predictions, scoring="f1")[0].test
    >>> print(f"{test.method}: {test.estimate:.3f} +- {test.standard_error:.3f}")
    jackknife_t: 0.409 +- 0.069
    """

    name: ClassVar[str] = "jackknife_t"
    title: ClassVar[str] = "jackknife t-test"
    kind: ClassVar[str] = "pseudo-values"

    def _variances(self, components: Components, scale: np.ndarray) -> np.ndarray:
        def variances_of(block: slice) -> np.ndarray:
            deviations = components.rows("deviations", block)
            n_units = deviations.shape[1]
            squares = np.einsum("kg,kg->k", deviations, deviations) / (n_units * (n_units - 1))
            are_rounding = _largest_of(deviations) <= n_units * ROUNDING * scale[block]
            return np.where(are_rounding, 0.0, squares)

        return in_blocks(components, variances_of)

    def _freedom(self, components: Components) -> tuple[float, int]:
        df = float(components.arrays["deviations"].shape[1] - 1)
        if "sizes" in components.shared:
            df = sizes_of(components).df
        return df, int(df)

    def pivot(self, sample: Any, auxiliary: Any = None) -> Pivot:
        pivot = super().pivot(sample)
        components = sample.scores.components
        if self._answers_on(components) is not ScaledResult:
            return pivot
        are_shares = components.arrays["rows_of_share"].reshape(np.shape(pivot.estimate)) > 0
        return replace(pivot, df=np.where(are_shares, np.inf, pivot.df))

    def root(self, sample: Any, auxiliary: Any = None) -> Root:
        components = sample.scores.components
        deviations = components.rows("deviations")
        n_units = deviations.shape[1]
        # A Gram matrix would lose half of the digits.
        triangle = np.asarray(np.linalg.qr(deviations.T, mode="r"))
        return Root(triangle.T / sqrt(n_units * (n_units - 1)), self._freedom(components)[1])

    def infer(self, sample: Any, auxiliary: Any = None, *, null_value: Any = None) -> HeldOutResult:
        answer = super().infer(sample, null_value=null_value)
        scores = sample.scores
        unit = "groups" if scores.components.facts["grouped"] else "rows"
        few = few_telling_notes(_n_telling(scores.components), scores, unit)
        return answer._with_notes_on_tests(few)

    def _answers_on(self, components: Components) -> type[HeldOutResult]:
        if components.first is None and components.facts["scaled"]:
            return ScaledResult
        return self.answers

    def describe_on(self, components: Components) -> Description:
        facts = components.facts
        unit = "row"
        basis = ""
        if facts["grouped"]:
            unit = "group"
            basis = f" in {facts['n_groups']} groups"
        left_out = f"one {unit}"
        n_units = components.arrays["deviations"].shape[1]
        if n_units < facts["n_groups"]:
            left_out = f"one of {n_units} random blocks of {unit}s"
        return Description(
            basis=f"{basis}{', weighted' if facts['weighted'] else ''}",
            explanation=f"the jackknife that leaves out {left_out} at a time",
            assumption=f"it assumes that the {unit}s are independent",
            sources=("efron1981", "bell2002") if components.shared else ("efron1981",),
            varies_over="test rows",
        )


def _largest_of(rows: np.ndarray) -> np.ndarray:
    """Return the largest absolute value of each row."""
    return np.asarray(np.maximum(rows.max(axis=1), -rows.min(axis=1)))


def _n_telling(components: Components) -> np.ndarray:
    """Return how many units the variance of each estimate rests on."""

    def n_telling_of(block: slice) -> np.ndarray:
        squares = np.square(components.rows("deviations", block))
        fourth = np.einsum("kg,kg->k", squares, squares)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.square(squares.sum(axis=1)) / fourth)

    n_telling = in_blocks(components, n_telling_of)
    return np.where(np.isnan(n_telling), np.inf, n_telling)


def jackknife_scores(
    estimates: np.ndarray,
    without_units: np.ndarray,
    *,
    runs: Sequence[np.ndarray],
    facts: dict[str, Any],
    shared: dict[str, np.ndarray],
    rows_of_share: np.ndarray,
    highest: float,
    n_rows: int,
    notes: Sequence[Note],
    **given: Any,
) -> CVScores:
    """Return scores with the deviations of the pseudo-values from their mean.

    They take the place of the metric without each unit, in the same array. `runs` has the
    pseudo-values of the runs of each model.
    """
    magnitude = np.maximum(np.abs(estimates), _largest_of(without_units))
    # What is subtracted from the highest score, if there is one, is rounded at its size.
    magnitude = np.maximum(magnitude, np.nan_to_num(abs(highest), posinf=0.0))
    means = without_units.mean(axis=1, keepdims=True)
    deviations = np.subtract(means, without_units, out=without_units)
    deviations *= without_units.shape[1] - 1
    arrays = {"deviations": deviations, "rows_of_share": rows_of_share[:, np.newaxis]}
    arrays |= arrays_of_runs(runs)
    components = Components(JackknifeTTest.kind, arrays, shared, facts)
    if shared:
        sizes = sizes_of(components)
        reason = sizes.too_few()
        if reason is not None:
            raise ValueError(reason)
        notes = [*notes, *sizes.notes()]
    return held_out_scores(estimates, components, magnitude, n_rows, notes=notes, **given)
