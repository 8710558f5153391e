"""The holdout t-test (Nadeau and Bengio 1999, procedure 1): the test rows of a single split."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import check_option
from ..exceptions import SplitDesignError
from ..scores import CVScores, DesignRequest, Note, SplitDesign
from ._arguments import few_notes, liberal_note, of_differences, splits_last
from ._error_rate import FEWEST_ROWS
from ._inference import Description
from ._location import CVTestResult, Pivot, infer_arrays
from ._procedure import REPORT
from ._resampled_t import OfHypotheses
from ._sample import Root, Sample, deviations_of, sample_moments

LAWS = ("normal", "t")
_LIBERAL = liberal_note(
    "the holdout t-test covers the models that this split gave, not the algorithms, for which it "
    'rejects true null hypotheses too often; use method="corrected_resampled_t", or '
    'HoldoutTTest(hypotheses="fixed") if the fitted models are meant'
)

_SIZES = {
    "normal": '30, 12, 8 and 6.5 % of normal losses, and more of skewed ones; use law="t"',
    "t": "9, 12, 10 and 8 % of exponential losses (5 % of normal ones); use more rows",
}


def few_rows_notes(n_rows: int, law: str, *, are_shares: bool = False) -> tuple[Note, ...]:
    """Return a note on a test of the mean of few rows by this law."""
    why = (
        ": the test may reject true null hypotheses too often; with 2, 5, 10 and 20 it does at the "
        f"5 % level in {_SIZES[law]}"
    )
    if are_shares:
        why = ": Student's t is a rough law for scores of 0 and 1 on so few; use more rows"
    return few_notes(n_rows, "test row", FEWEST_ROWS, why, None)


@dataclass(frozen=True, kw_only=True)
class HoldoutTTest(OfHypotheses):
    """Test an expected score or difference on the test rows of one train/test split.

    The standard error measures how the rows of the test set vary, not how the model would vary with
    another training set. It is right for the models as they were fitted, and too small for the
    learning algorithms that made them. It needs a metric that is a mean over rows.

    {Parameters: null_value, alternative, holdout hypotheses, law}
    {See Also: compare_predictions, mcnemar_exact_test}
    holdout_ttest : The same on arrays of the rows' scores.

    Notes
    -----
    With the scores L(i) of the n2 test rows of a split the estimate is their mean, and its squared
    standard error S2/n2, S2 their sample variance [1]_ (equation 14, for losses). Given the
    training set the scores are independent, so this is right for the fitted model. Over training
    sets the variance of the estimate is larger by the factor 1 + n2 s3/(s0 - s3), where s0 is the
    variance of a row's score and s3 the covariance of two of one test set. For the accuracy of two
    classifiers z is nearly McNemar's: z^2 = (n2 - 1) X/(n2 - X), X = (n10 - n01)^2/(n10 + n01).
    With weights w(i), of mean w, the deviations of the scores from the weighted mean are taken
    times w(i)/w.

    {References: nadeau1999}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import HoldoutTTest, cross_val_inference
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> result = cross_val_inference(
    ...     DecisionTreeClassifier(random_state=0), X, y, method=HoldoutTTest(hypotheses="fixed")
    ... )
    >>> result.metric, result.n_train, result.n_test
    ('accuracy', 379, 190)
    """

    law: str = "normal"

    name: ClassVar[str] = "holdout_t"
    title: ClassVar[str] = "holdout t-test"
    request: ClassVar[DesignRequest] = DesignRequest(kind="subsample", n_splits=1, test_size=1 / 3)
    needs_rows: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_option("law", self.law, LAWS)

    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        if design.n_splits != 1:
            raise SplitDesignError(
                f"The holdout t-test needs one train/test split; there are {design.n_splits}. "
                "Pass cv=RepeatedSubsampleSplit(n_splits=1, test_size=1/3), or leave cv=None; for "
                'more splits use method="corrected_resampled_t".'
            )
        if design.n_test[0] < 2:
            raise SplitDesignError(
                "The holdout t-test needs at least 2 test rows; there is 1. Make test_size larger."
            )
        if design.unit != "rows":
            raise SplitDesignError(
                "The holdout t-test assumes independent test rows, but these belong to "
                'groups. Use method="corrected_resampled_t", which counts groups, or for the '
                "fitted models compare_predictions(groups=...)."
            )

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[Note, ...]:
        weak = super().notes(design, auxiliary)
        return weak if self.fixed else (_LIBERAL, *weak)

    def infer(
        self, sample: Sample, auxiliary: Sample | None = None, *, null_value: Any = None
    ) -> CVTestResult:
        result = super().infer(sample, auxiliary, null_value=null_value)
        n_rows = sample.values.shape[-1]  # those of weight 0 are not there
        return result.with_notes(few_rows_notes(n_rows, self.law))

    def describe(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> Description:
        return Description(
            explanation="the square root of the sample variance over the test rows divided by "
            "their number",
            assumption="it does not know how the models would vary with other training rows",
            sources=("nadeau2000",) if self.law == "t" else REPORT,
            varies_over="test rows",
            has_posterior=self.law == "t",
        )

    def sample(self, scores: CVScores) -> Sample:
        rows: Any = scores.row_scores
        values = rows.block()
        if rows.weights is not None:  # with a plain mean that is the weighted one
            kept = rows.weights > 0
            means = rows.means()
            if np.count_nonzero(kept) < 2:
                raise SplitDesignError(
                    "The holdout t-test needs at least 2 test rows with a weight above 0; there is "
                    "1. Weigh more rows, or make test_size larger."
                )
            shares = rows.weights[kept] / rows.weights[kept].mean()
            values = means + shares * (values[..., kept] - means)
        return Sample(values, scores.design, rows.magnitude, scores)

    def pivot(self, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
        mean, variance = sample_moments(sample.values, sample.largest)
        n_rows = sample.values.shape[-1]
        df = n_rows - 1 if self.law == "t" else np.inf
        return Pivot(mean, np.sqrt(variance / n_rows), df, correction=1 / n_rows)

    def root(self, sample: Sample, auxiliary: Sample | None = None) -> Root:
        n_rows = sample.values.shape[-1]
        return Root(deviations_of(sample.values) / np.sqrt(n_rows * (n_rows - 1)), n_rows - 1)


@of_differences("a - b")
def holdout_ttest(
    x: ArrayLike,
    *,
    n_train: int,
    n_samples: int | None = None,
    null_value: ArrayLike = 0.0,
    alternative: str = "two-sided",
    hypotheses: str = "refitted",
    law: str = "normal",
    axis: int = -1,
) -> CVTestResult:
    """Holdout t-test of per-row scores, or of paired differences, of one test set.

    Parameters
    ----------
    x : array-like of shape (..., n_test)
        One number for each test row, greater is better: minus its loss, or the loss of the second
        model minus that of the first.
    n_train : int
        How many rows the models were trained on.
    {shared: n_samples, null_values, alternative, holdout hypotheses, law}
    axis : int, default=-1
        The axis of the test rows.

    {Returns: test result}
    {Raises: not finite}
    SplitDesignError
        If there are fewer than 2 test rows.

    Warns
    -----
    AnticonservativeWarning
        With refitted hypotheses.

    See Also
    --------
    HoldoutTTest : Its Notes have the mathematics.

    Examples
    --------
    Of 150 test rows only the second of two fitted classifiers is right on 7, only the first on 19:

    >>> import numpy as np
    >>> from skcvstats.stats import holdout_ttest
    >>> x = np.repeat([-1, 1, 0], [7, 19, 124])
    >>> result = holdout_ttest(x, n_train=300, hypotheses="fixed")
    >>> print(f"z = {result.statistic:.3f}, p = {result.pvalue:.4f}")
    z = 2.390, p = 0.0168
    """
    test = HoldoutTTest(alternative=alternative, hypotheses=hypotheses, law=law)
    x = splits_last(x, axis, knowing="HoldoutTTest")
    design = SplitDesign.from_sizes(n_train, x.shape[-1], n_splits=1, n_samples=n_samples)
    return infer_arrays(test, Sample(x, design), null_value)
