"""The row t-test: the rows of repeated k-fold cross-validation, not its splits, are the units."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtri, ndtri, stdtr

from .._utils._arrays import as_array, entries_of
from .._utils._checks import check_finite_number
from .._utils._metrics import known_of, shown_as
from .._utils._shared_arguments import check_integer, tails_of
from .._utils._text import counted, format_number, format_percent
from ..exceptions import SplitDesignError
from ..scores import (
    STRATIFIED,
    CVScores,
    DesignRequest,
    Note,
    NoteOnTests,
    RepeatedScores,
    RowScores,
    SplitDesign,
    find_notes,
    note_on_tests,
)
from ._arguments import liberal_note, more_folds, of_differences, score_array
from ._groups import few_groups, numbered, one_weight_each, read_groups, read_weights
from ._inference import Description, PValueRange
from ._location import CVTestResult, LocationTest, Pivot, infer_arrays
from ._row_units import (
    FEWEST_FOLDS,
    REMEDY,
    WHO,
    Spread,
    Units,
    find_folds,
    find_units,
    guarded_variance,
    repeats_and_folds,
    row_root,
    shared_variance,
    spread_of,
    variance_of_fits,
)
from ._sample import Root, Sample, extremeness, plain, plain_flags, student_quantile

# The guard acts where rows alone would let the means of folds vary as much with this probability.
_GUARD_LEVEL = 0.01
# How much it may add for each unit by which their variance exceeds the limit.
_GUARD_SLOPE = 3
# A result counts as guarded where the guard raises its variance by more than a tenth.
_NOTED_GUARD = 1.1
# The statistics of two seeds differ by so much more than w says, by measurements.
_OTHER_FOLDS = 1.2
# Where fewer rows carry the variance, rarer and larger losses may be missing from the data.
_FEWEST_TELLING = 8
_FEWEST_OF_SQUARES = 4  # of normal errors, a variance of squares rests on 11 of 100 rows
# The code of the note on these, which the notes on scores know too.
FEW_ROWS_TELL = "few rows tell"
_INFLATION = 0.5
# Careful: its intervals are a fifth longer, and miss half as often.
_CAREFUL = 1.0
_HIGHEST_INFLATION = 1.5
# Intervals of single scores miss in .10 of ordinary data sets at 0 and in .045 at 0.5, so in about
# .07 at half of that, as the width grows with the root of 1 + inflation.
_LEAST_INFLATION = 0.25
_FEWEST_GROUPS = 20
# Why a metric has no scores of rows, by the kind that it has: see `Procedure.unsuitable`.
_WITHOUT_SCORES_OF_ROWS = {
    None: (
        "it is a function of the model; pass make_scorer(...) of a function of the target and the "
        "predictions"
    ),
    "metadata": "it takes metadata by row, which only the metric of a whole test set is passed",
    "none": "its value depends on the size of the test set",
}
# Means over rows and over folds that differ by less of their standard error count as equal.
_SEEN = 0.02
_MEASURED_FOLDS = (5, 10)
# The code of the note that says how the metric over all rows differs from the mean of folds.
OVER_ALL_ROWS = "scores over all rows"
FAR_FROM_FOLDS = 0.5  # standard errors: then both numbers are printed


@dataclass(frozen=True)
class RowSample(Sample):
    """The input of the row t-test: the estimates, and the scores of the units behind them."""

    rows: RowScores = None  # type: ignore[assignment]  # always given
    units: Units = None  # type: ignore[assignment]
    spread: Spread = None  # type: ignore[assignment]  # of `rows`
    df: float = np.nan  # of the variance over units
    # Where scores vary more between fits than their test rows explain: what V is raised to, and by
    # how much.
    least: Any = 0.0
    most_added: Any = 0.0


def row_sample(
    rows: RowScores, units: Units, design: SplitDesign, scores: CVScores | None = None
) -> RowSample:
    """Return what the test works on."""
    largest = rows.magnitude
    if largest.ndim != 1:
        rows = rows._flat()
    spread = spread_of(rows, units)
    estimates = spread.estimates.reshape(*largest.shape, 1)
    df = units.n_units - 1 if units.sizes is None else units.sizes.df
    guard = _guard(rows, units, spread, df)
    return RowSample(estimates, design, largest, scores, rows, units, spread, df, *guard)


def _guard(
    rows: RowScores, units: Units, spread: Spread, df: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the variance that the guard raises that of each test to, and by how much at most."""
    least = np.zeros(len(spread.estimates))
    if units.fold_sizes is None:
        return least, least
    df_folds = units.fold_sizes.size - 1
    excess = spread.between_folds - spread.from_rows * _limit_of_folds(df_folds)
    acting = np.flatnonzero(excess > 0)
    if acting.size == 0:
        return least, least
    n_repeats, n_folds = units.fold_sizes.shape
    factor = _guard_factor(n_repeats, n_folds, df)
    least[acting] = factor * spread.between_folds[acting]
    if n_repeats > 1:
        of_fits = np.maximum(0.0, variance_of_fits(rows[acting], units))
        from_fits = spread.over_units[acting] + factor * of_fits
        least[acting] = np.minimum(least[acting], from_fits)
    return least, _GUARD_SLOPE * factor * np.maximum(0.0, excess)


def _limit_of_folds(df_folds: int) -> float:
    """Return the ratio of the variance of the means of folds to that of rows where guard acts."""
    return float(chdtri(df_folds, _GUARD_LEVEL) / df_folds)


def _guard_factor(n_repeats: int, n_folds: int, df: float) -> float:
    """Return the corrected t-test's variance as a multiple of that of the means of folds.

    The ratio of the quantiles makes the 95 % intervals equal, not the standard errors.
    """
    n_means = n_repeats * n_folds
    ratio = student_quantile(n_means - 1, 0.025) / student_quantile(df, 0.025)
    return float((1 / n_means + 1 / (n_folds - 1)) * ratio**2)


class RowVariance(NamedTuple):
    """The parts of the variance of the row t-test, and the sizes that weigh them."""

    over_units: Any
    over_repeats: Any
    least: Any
    most_added: Any
    inflation: float
    n_repeats: int
    n_folds: int


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class RowTTestResult(CVTestResult):
    """The result of the row t-test: a `CVTestResult` that knows the parts of its variance.

    Besides the fields of `CVTestResult` it has those that are named here; the Notes of `RowTTest`
    have the formula.

    Parameters
    ----------
    variance : tuple, default=None
        The parts, which the attributes name.

    Attributes
    ----------
    over_units : float or ndarray
        v, the variance of the mean over rows (or groups) of their mean scores over the repeats.
    over_repeats : float or ndarray
        w, what repeats add to it; 0 with one repeat, where it is not seen.
    least_variance, most_added : float or ndarray
        Where scores vary more between fits than their test rows explain, what the squared standard
        error is raised to, and by how much at most; else 0.
    is_guarded : bool or ndarray of bool
        Whether it is raised by more than a tenth for that.
    pvalue_over_folds : namedtuple or None
        ``(low, high)``, between which p would mostly (80 %) lie with other folds; None with one
        repeat.
    inflation : float
        What training rows in common are assumed to add, as a share of the variance of one repeat.
    n_repeats, n_folds : int
        Of the splits.

    {See Also: plan_n_splits, skcvstats.theory.correlation_sensitivity}

    Notes
    -----
    Over seeds of the folds the estimate varies with variance w/R. So with another seed the
    statistic would be about t, more or less by delta = 1.2 z sqrt(2 w/R)/SE in 80 % of cases, with
    z the 90 % quantile of the normal distribution; the factor 1.2 was measured. `pvalue_over_folds`
    has the p-values at abs(t) + delta and at abs(t) - delta, or 0 where that is negative; one-sided
    those at t + delta and t - delta. They are those of the test by itself, not adjusted.
    """

    variance: RowVariance = None  # type: ignore[assignment]  # always given

    @property
    def over_units(self) -> Any:
        """The variance v over rows."""
        return self.variance.over_units

    @property
    def over_repeats(self) -> Any:
        """What repeats add to it, w."""
        return self.variance.over_repeats

    @property
    def least_variance(self) -> Any:
        """What the variance is raised to, or 0."""
        return self.variance.least

    @property
    def most_added(self) -> Any:
        """By how much at most, or 0."""
        return self.variance.most_added

    @property
    def is_guarded(self) -> Any:
        """Whether it is raised by more than a tenth."""
        return plain_flags(np.square(self.standard_error) > _NOTED_GUARD * self._unguarded)

    @property
    def _unguarded(self) -> Any:
        """The variance V without the guard."""
        shape = self.n_repeats, self.n_folds
        added = self.inflation * shared_variance(self.over_units, self.over_repeats, *shape)
        return self.over_units + added

    @property
    def inflation(self) -> float:
        """What is assumed."""
        return self.variance.inflation

    @property
    def n_repeats(self) -> int:
        """Number of repeats."""
        return self.variance.n_repeats

    @property
    def n_folds(self) -> int:
        """Number of folds."""
        return self.variance.n_folds

    @property
    def pvalue_over_folds(self) -> PValueRange | None:
        """Where p would mostly (80 %) lie with other folds; None with one repeat, or without p."""
        if self.n_repeats == 1 or not self.asked:
            return None
        variance_of_difference = 2 * np.asarray(self.over_repeats) / self.n_repeats
        varies = np.asarray(self.standard_error) > 0
        errors = np.where(varies, self.standard_error, np.nan)
        shift = _OTHER_FOLDS * ndtri(0.9) * np.sqrt(variance_of_difference) / errors
        distance = extremeness(self.statistic, self.alternative)
        tails = tails_of(self.alternative)
        low = tails * stdtr(self.df, -distance - shift)
        high = np.minimum(1.0, tails * stdtr(self.df, shift - distance))
        return PValueRange(plain(low), plain(high))

    def _describe_procedure(self) -> Description:
        description = super()._describe_procedure()
        raised = np.asarray(self.least_variance > self._unguarded)
        if not self.inflation or not raised.any():
            return description
        n_means = self.n_repeats * self.n_folds
        factor = _guard_factor(self.n_repeats, self.n_folds, self.df)
        limit = format_number(_limit_of_folds(n_means - 1))
        bounds = [
            f"{format_number(factor)} s",
            f"itself plus {format_number(_GUARD_SLOPE * factor)} (s - {limit} q)",
        ]
        terms = [
            f"s the variance of the {n_means} means of folds",
            "q what rows alone would make of it",
        ]
        if self.n_repeats > 1:
            bounds.append(f"v + {format_number(factor)} u")
            terms.append("u the part of it that comes from fits")
        return replace(
            description,
            explanation=f"{description.explanation}; where scores vary more between fits than "
            f"their test rows explain, this variance is raised to the smallest of "
            f"{', '.join(bounds)}, with {', '.join(terms)}",
        )


@dataclass(frozen=True, kw_only=True)
class RowTTest(LocationTest):
    """Test an expected score or difference on the rows of repeated k-fold cross-validation.

    Each row is tested once in every repeat. The standard error is made from the rows' scores, not
    from the means of splits. On ordinary data its intervals, from 20 fits, are shorter than those
    of the corrected resampled t-test from 15, vary less, and cover more often. Of a metric that is
    not a per-row average, such as the area under the ROC curve, F1 or R2, the scores of rows are
    made by computing it again without each row of a test fold.

    {Parameters: null_value, alternative}
    n_repeats, n_folds : int, default=4, 5
        The folds that are drawn where no ``cv`` is given.
    {shared: inflation}

    {See Also: CorrectedResampledTTest}
    row_ttest : The same on arrays of the rows' scores.

    Notes
    -----
    Of R repeats of K folds of n rows, L(r, i) is the score of row i under the model of repeat r
    that was not trained on it, and Lbar_i its mean over the repeats. The estimate is the mean of
    Lbar_i, about models trained on (K - 1) n/K rows. Its variance has three parts. Rows differ,
    which gives v = sum_i (Lbar_i - estimate)^2 / ((n - 1) n). Repeats differ, as folds and seeds
    do; with w = sum_ri (L(r, i) - Lbar_i)^2 / ((R - 1) n^2), v + w is about the variance with a
    single repeat. And models share training rows, which correlates the scores of all rows; no
    estimate from one data set sees it, so it is taken for a share of the second, the inflation a:

        V = v + a (v + (K/5) w),

    referred to Student's t distribution with n - 1 degrees of freedom. With one repeat w is not
    seen, and V = (1 + 3a/2) v. With a = 0 and one repeat it is the interval of Bayle et al. [1]_.

    The default a = 0.5 was chosen by measurements. With ``inflation=1`` less is assumed: intervals
    are about a fifth longer, and missed the true difference of two learners in 0.7 % (different
    ones) and 1.5 % (equal ones) of data sets where 5 % are allowed, in place of 1.9 and 3.9 %. No
    estimate of the variance from one data set is unbiased for folds of most of the rows [2]_; half
    of the rows have one [3]_ [4]_, at hundreds of fits on few rows.

    Of a metric that is not a per-row average, with T its value on a fold of weight W, and T(-g)
    that without unit g (a row, or a group) of weight W_g, a row of unit g has the score T + d - c,
    where
    d = (W/W_g - 1)(T - T(-g)) and c is the weighted mean of d over the fold. Their mean is T.

    Where scores vary more between fits than their test rows explain, some fits are far from the
    others, as with about as many columns as rows. With s^2 the sample variance of the RK means of
    folds, q the variance that rows alone give them, u that which fits add (below), k the 99 %
    quantile of chi^2 with RK - 1 degrees of freedom over RK - 1, and c = 1/(RK) + 1/(K - 1) times
    the squared ratio of the 97.5 % quantiles with RK - 1 and with n - 1 degrees of freedom, the
    squared standard error is

        V* = max(V, min(c s^2, V + 3 c max(0, s^2 - k q), v + c max(0, u))).

    The first is the corrected resampled t-test's on these folds, in its 95 % interval. The second
    makes V* continuous. The third looks at e(r, i) = L(r, i) - Lbar_i, in which the rows' levels
    cancel: with s_e^2 = sum_h M_h^2/(RK - 1) of the means M_h of e over the folds, and q_e the
    variance that rows alone give them, u = (s_e^2 - q_e)/((1 - 1/R)^2 + (R - 1)/(R^2 K)). With one
    repeat it is not known and left out. The result is noted, and counts as guarded, where V* is
    above 1.1 V.

    References
    ----------
    .. [1] P. Bayle, A. Bayle, L. Janson and L. Mackey, "Cross-validation Confidence Intervals for
       Test Error", NeurIPS 2020.
    .. [2] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO technical
       report 99s-25, 1999, Proposition 3.
    .. [3] Q. Wang and B. Lindsay, "Variance Estimation of a General U-Statistic with Application to
       Cross-Validation", Statistica Sinica 24, 2014.
    .. [4] T. Zeng et al., "Spurious Model Comparisons Are Widespread in Biomedical Artificial
       Intelligence", bioRxiv 2026.05.17.724301, 2026: SHARP.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import compare_estimators
    >>> X, y = load_wine(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> result = compare_estimators(models, X, y, method="row_t", random_state=0)
    >>> print(result)  # doctest: +NORMALIZE_WHITESPACE
    bayes scores significantly higher than tree in accuracy at the 5 % level.
    <BLANKLINE>
    bayes   tree  difference    95 % interval  p-value
    0.972  0.909      0.0632  0.0238 to 0.103  0.00184
    <BLANKLINE>
    Paired test on rows of 4 x 5-fold cross-validation (row t-test, 142 training rows).
    """

    n_repeats: int = 4
    n_folds: int = 5
    inflation: float = _INFLATION

    name: ClassVar[str] = "row_t"
    title: ClassVar[str] = "row t-test"
    request: ClassVar[DesignRequest] = DesignRequest(kind="folds")  # of each instance its own
    needs_rows: ClassVar[bool] = True
    _excused: ClassVar[frozenset[Note]] = frozenset({STRATIFIED})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("n_folds", self.n_folds, FEWEST_FOLDS)
        folds = DesignRequest(kind="folds", n_repeats=self.n_repeats, n_folds=self.n_folds)
        inflation = check_finite_number("inflation", self.inflation)
        if not 0 <= inflation <= _HIGHEST_INFLATION:
            raise ValueError(
                f"inflation={inflation!r} must be from 0 to {_HIGHEST_INFLATION}, the share that "
                "training rows in common add to the variance; 0.5 is what was measured."
            )
        vars(self).update(inflation=inflation, request=folds)

    def sample(self, scores: CVScores) -> RowSample:
        rows: Any = scores.row_scores
        n_rows = int(rows.rows.max()) + 1
        folds = find_folds(rows.rows, rows.offsets, n_rows, who=WHO)
        weights = read_weights(entries_of(rows.weights, folds.positions[0]), n_rows)
        units = find_units(folds.positions, folds.labels, rows.groups, weights)
        return row_sample(rows, units, scores.design, scores)

    def pivot(self, sample: Any, auxiliary: Any = None) -> Pivot:
        spread = sample.spread
        units = spread.over_units
        shape = repeats_and_folds(sample.design)
        variance = units + self.inflation * shared_variance(units, spread.over_repeats, *shape)
        if self.inflation:
            variance = guarded_variance(variance, sample.least, sample.most_added)
        constant = np.finfo(float).eps * sample.magnitude.ravel() ** 2
        variance[units + spread.over_repeats <= constant] = 0.0
        errors = np.sqrt(variance).reshape(sample.values.shape[:-1])
        return Pivot(sample.values[..., 0], errors, sample.df, sample.magnitude)

    def root(self, sample: Any, auxiliary: Any = None) -> Root:
        n_folds = repeats_and_folds(sample.design)[1]
        values = row_root(sample.rows, sample.units, self.inflation, n_folds)
        return Root(values, int(sample.df))

    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        reason = self.unsuitable(design=design)
        if reason:
            design.require(who=WHO)  # which says more of fitted models
            raise SplitDesignError(reason)

    def unsuitable(
        self,
        metric: str | None = None,
        design: SplitDesign | None = None,
        groups: Any = None,
        *,
        of_rows: str | None = None,
        tests: Any = None,
        n_rows: int | None = None,
        sample_weight: Any = None,
    ) -> str | None:
        if metric is not None and of_rows in _WITHOUT_SCORES_OF_ROWS:
            return f"{metric} has no scores of rows: {_WITHOUT_SCORES_OF_ROWS[of_rows]}"
        reason = None if design is None else _why_no_folds(design)
        if reason is not None or n_rows is None:
            return reason
        labels = None
        codes = None if groups is None else numbered(groups, n_rows)[0]
        if sample_weight is not None:
            sample_weight = one_weight_each(sample_weight, n_rows)
        try:
            if tests is not None:
                tests = list(tests)
                offsets = np.cumsum([0, *map(len, tests)])
                labels = find_folds(np.concatenate(tests), offsets, n_rows, who=WHO).labels
            weights = read_weights(sample_weight, n_rows)
            find_units(np.arange(n_rows)[np.newaxis], labels, codes, weights)
        except ValueError as error:
            return str(error)
        return None

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[Note, ...]:
        notes = []
        n_repeats, n_folds = repeats_and_folds(design)
        if self.inflation < _LEAST_INFLATION:
            text = (
                f"with an inflation of {format_number(self.inflation)} the row t-test treats the "
                "rows as (nearly) independent, though models share training rows, so it rejects "
                "true null hypotheses too often (without inflation 8 to 15 %, up to 37 %, instead "
                "of 5 %); leave inflation at 0.5"
            )
            notes.append(liberal_note(text))
        elif self.inflation not in (_INFLATION, _CAREFUL):
            share = format_number(self.inflation)
            text = f"the inflation of {share} is your assumption; 0.5 is what was measured"
            notes.append(Note("inflation", text, None))
        if n_folds not in _MEASURED_FOLDS:
            text = f"{n_folds} folds: the row t-test was measured with 5 and with 10"
            notes.append(Note("folds not measured", text, None))
        if n_repeats == 1:
            text = (
                "one repeat does not show how scores vary with the folds, so this variance is "
                "assumed to be half of that of the rows; a second repeat estimates it, and "
                f"shortens most intervals: {more_folds(design)}"
            )
            notes.append(Note("one repeat", text, None))
        return tuple(notes)

    def infer(
        self, sample: Any, auxiliary: Any = None, *, null_value: Any = None
    ) -> RowTTestResult:
        n_repeats, n_folds = repeats_and_folds(sample.design)
        procedure = replace(self, n_repeats=n_repeats, n_folds=n_folds)
        location = LocationTest.infer(procedure, sample, null_value=null_value)
        shape = sample.values.shape[:-1]
        variance = RowVariance(
            over_units=plain(sample.spread.over_units.reshape(shape)),
            over_repeats=plain(sample.spread.over_repeats.reshape(shape)),
            least=plain(sample.least.reshape(shape)),
            most_added=plain(sample.most_added.reshape(shape)),
            inflation=self.inflation,
            n_repeats=n_repeats,
            n_folds=n_folds,
        )
        notes = (*location.notes, *_notes_on_groups(sample))
        result = RowTTestResult(**vars(location) | {"notes": notes}, variance=variance)
        on_tests = [*_notes_on_means(sample, result), *_notes_on_few_rows(sample)]
        if sample.least.any():
            on_tests = [*_notes_on_fits(np.ravel(result.is_guarded)), *on_tests]
        return result._with_notes_on_tests(on_tests)

    def describe(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> Description:
        n_repeats, n_folds = repeats_and_folds(design)
        unit = design.unit
        share = format_number(self.inflation)
        v = f"v the variance of the mean of the {unit}' scores"
        formula = f"{_factor(1 + 1.5 * self.inflation)}v, {v}"
        if n_repeats > 1 and self.inflation:
            formula = (
                f"v + {_factor(self.inflation)}(v + {_factor(n_folds / 5)}w), {v} and w what the "
                f"{n_repeats} repeats add to it"
            )
        sources: tuple[str, ...] = ("bayle2020",)
        why = "it is your assumption"
        if self.inflation == _INFLATION:
            why = "0.5 was chosen by measurements on other data sets"
        elif self.inflation == _CAREFUL:
            sources += ("nadeau1999", "wang2014", "zeng2026")
            why = "1 is a careful choice, twice of what measurements on other data sets suggest"
        part = format_percent(design.train_size / design.n_samples)
        repeats = "" if n_repeats == 1 else f"{n_repeats} x "
        return Description(
            splits=f"{repeats}{n_folds}-fold cross-validation",
            explanation=f"the square root of {formula}",
            assumption=(
                f"models share training {unit}, which is assumed to add {share} times the "
                f"variance of one repeat; one data set cannot show this number, and {why}. The "
                f"answer is about models trained on {part} of the {unit}"
            ),
            sources=sources,
            varies_over="test rows",
        )


def _factor(number: float) -> str:
    """Write a factor before what it multiplies; a factor of 1 is left out."""
    return "" if number == 1 else f"{format_number(number)} "


def _why_no_folds(design: SplitDesign) -> str | None:
    """Return why splits are not repeated k-fold, at the first that is not, or None."""
    n_train = np.array(design.n_train)
    on_all_others = (n_train > 0) & (n_train + design.n_test == design.n_samples)
    unfit = np.flatnonzero(~on_all_others | design._overlapping)
    if unfit.size == 0:
        return None
    k = unfit[0]
    return (
        f"{WHO} needs repeated k-fold, where each model is trained on all {design.unit} that it is "
        f"not tested on, and on no others; split {k} trains on {design.n_train[k]} and tests on "
        f"{design.n_test[k]} of {design.n_samples}. {REMEDY}"
    )


def _notes_on_groups(sample: RowSample) -> list[Note]:
    """Return notes on few groups, or on those that are too unequal."""
    sizes = sample.units.sizes
    notes = list[Note]()
    if sizes is not None:
        notes += sizes.notes()
    if sample.design.unit == "groups":
        notes += few_groups(sample.design.n_samples, fewest=_FEWEST_GROUPS)
    return notes


def _notes_on_fits(is_guarded: np.ndarray) -> tuple[NoteOnTests, ...]:
    """Return a note on tests where scores vary more between fits than rows explain."""
    text = (
        "scores vary more between fits than their test rows explain, by chance or because some "
        "fits are bad; the interval is longer for it"
    )
    return _note_on_some("fits differ", is_guarded, lambda k: text, text)


def _notes_on_means(sample: RowSample, result: RowTTestResult) -> tuple[NoteOnTests, ...]:
    """Return a note where the mean over rows is not the number that others report."""
    scores = sample.scores
    if scores is None or any(note.code == OVER_ALL_ROWS for note in scores.notes):
        return ()
    metric = scores.provenance.get("measured", scores.metric)
    over_rows = sample.spread.estimates
    over_folds = np.ravel((scores.values / scores.values.shape[-1]).sum(axis=-1))
    if metric in ("roc_auc", "roc_auc_score"):
        text = (
            f"{metric} is the mean AUC of the folds, weighted by their rows, and not the AUC "
            "over all out-of-fold rows"
        )
        note = Note("mean of AUC", text, None)
        return (NoteOnTests(note, dict.fromkeys(range(over_rows.size), note)),)
    apart = np.abs(over_rows - over_folds)
    other = apart > _SEEN * np.sqrt(sample.spread.over_units)
    written = {}
    for k in np.flatnonzero(other).tolist():
        written[k] = (format_number(over_rows[k]), format_number(over_folds[k]))
        other[k] = written[k][0] != written[k][1]
    if not other.any():
        return ()

    def compare(k: int) -> str:
        rows, folds = written[k]
        return f"the estimate is the mean over rows, {rows}; the mean over folds is {folds}"

    most = f"{compare(int((apart * other).argmax()))} where they differ most"
    if (apart * other > FAR_FROM_FOLDS * np.ravel(result.standard_error)).any():
        return _note_on_some(OVER_ALL_ROWS, other, compare, most)
    return _note_on_some("mean over rows", other, compare, most)


def _notes_on_few_rows(sample: RowSample) -> tuple[NoteOnTests, ...]:
    """Return a note on tests of unbounded scores whose variance few rows make up."""
    notes = few_telling_notes(sample.spread.n_telling, sample.scores, sample.design.unit)
    if notes and np.isin(sample.rows.values, (-1, 0, 1)).all():  # rows are right or wrong
        return ()
    return notes


def few_telling_notes(
    n_telling: np.ndarray, scores: CVScores | None, unit: str
) -> tuple[NoteOnTests, ...]:
    """Return a note on tests of unbounded scores whose variance few rows or groups make up."""
    if not (n_telling < _FEWEST_TELLING).any():
        return ()
    measured = ""
    of_metric = ""
    if scores is not None:
        if any(note.code == FEW_ROWS_TELL for note in scores.notes):
            return ()
        measured = scores.provenance.get("measured", scores.metric)
        of_metric = f" in {shown_as(scores.metric).name}"
    few = n_telling < (_FEWEST_OF_SQUARES if "squared" in measured else _FEWEST_TELLING)
    # Scores could be far from all of these.
    if np.isfinite(known_of(measured)[1:]).all():
        return ()

    def dominate(number: float) -> str:
        return (
            f"a few {unit} dominate the variance{of_metric} (effective number "
            f"{format_number(number)}); these data may lack rarer, larger losses"
        )

    return _note_on_some(
        FEW_ROWS_TELL, few, lambda k: dominate(n_telling[k]), dominate(n_telling.min())
    )


def _note_on_some(
    code: str, where: Any, text_of: Callable[[int], str], text: str
) -> tuple[NoteOnTests, ...]:
    """Return a note on some of several tests, which says on how many."""
    n_noted = f"in {np.count_nonzero(where)} of {counted(len(where), 'test')}"
    return note_on_tests(code, where, text_of, f"{n_noted}, {text}")


@of_differences("a - b")
def row_ttest(
    row_scores: ArrayLike,
    *,
    n_folds: int,
    folds: ArrayLike | None = None,
    inflation: float = _INFLATION,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    null_value: ArrayLike = 0.0,
    alternative: str = "two-sided",
) -> RowTTestResult:
    """Row t-test of the scores of rows in repeated k-fold cross-validation.

    Parameters
    ----------
    row_scores : array-like of shape (..., n_repeats, n_rows)
        The score of each row in each repeat, greater is better: minus its loss, or the difference
        of two estimators on the same folds.
    n_folds : int
        The number of folds in each repeat, at least 3.
    folds : array-like of shape (n_repeats, n_rows), default=None
        The label of the fold that tested each row. Without it nothing guards against scores that
        vary more between fits than their test rows explain.
    {shared: inflation}
    groups : array-like of shape (n_rows,), default=None
        Labels of what the rows belong to, such as patients, which were kept whole in folds.
    {shared: sample_weight}
    null_value : float or array-like, default=0.0
        The value under test, or one for each leading index of `row_scores`.
    {shared: alternative}

    Returns
    -------
    RowTTestResult
        Its numbers have the leading shape of `row_scores`.

    Raises
    ------
    SplitDesignError
        If the folds are not those that were stated.
    ValueError
        If a number is not finite, or the shapes do not fit.

    Warns
    -----
    AnticonservativeWarning
        With an inflation below 0.25.

    See Also
    --------
    RowTTest : Its Notes have the mathematics.

    Examples
    --------
    Two classifiers in 2 repeats of 5 folds of 20 rows, 1 where only the first is right:

    >>> from skcvstats.stats import row_ttest
    >>> first = [1, 0, 1, 0, 0, 1, 0, -1, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0]
    >>> second = [1, 0, 0, 0, 0, 1, 0, -1, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0]
    >>> t, p = row_ttest([first, second], n_folds=5)
    >>> print(f"t = {t:.2f}, p = {p:.3f}")
    t = 1.95, p = 0.067
    """
    test = RowTTest(alternative=alternative, n_folds=n_folds, inflation=inflation)
    scores = score_array("row_scores", row_scores)
    if scores.ndim < 2 or scores.size == 0:
        raise ValueError(
            f"row_scores has shape {scores.shape}; its last two axes are repeats and rows. Pass "
            "row_scores[np.newaxis] for a single repeat."
        )
    n_repeats, n_rows = scores.shape[-2:]
    test = replace(test, n_repeats=n_repeats)
    weights = read_weights(sample_weight, n_rows)
    labels = None if folds is None else _fold_labels(folds, (n_repeats, n_rows), n_folds)
    codes = None
    unit = "rows"
    if groups is not None:
        codes = read_groups(groups, n_rows, weights).codes
        unit = "groups"
    positions = np.arange(n_repeats * n_rows).reshape(n_repeats, n_rows)
    units = find_units(positions, labels, codes, weights)
    rows = RowScores(
        values=scores.reshape(*scores.shape[:-2], -1),
        rows=np.tile(np.arange(n_rows), n_repeats),
        offsets=np.arange(n_repeats + 1) * n_rows,
    )
    design = _design(units, (n_repeats, n_folds), unit)
    result = infer_arrays(test, row_sample(rows, units, design), null_value)
    assert isinstance(result, RowTTestResult)
    return result.with_notes(find_notes(RepeatedScores(np.moveaxis(scores, -2, 0), "rows")))


def _fold_labels(folds: Any, shape: tuple[int, int], n_folds: int) -> np.ndarray:
    """Return the number of the fold that tested each row in each repeat."""
    labels = as_array("folds", folds)
    if labels.shape != shape:
        raise ValueError(
            f"folds has shape {labels.shape}; give the label of the fold that tested each row in "
            f"each repeat, {shape}."
        )
    numbered = np.stack([np.unique(row, return_inverse=True)[1] for row in labels])
    n_labels = numbered.max(axis=1) + 1
    unfit = np.flatnonzero(n_labels != n_folds)
    if unfit.size:
        repeat = unfit[0]
        raise SplitDesignError(
            f"Repeat {repeat} of folds has {counted(n_labels[repeat], 'fold')}, not "
            f"n_folds={n_folds}; each repeat needs as many."
        )
    return numbered


def _design(units: Units, shape: tuple[int, ...], unit: str) -> SplitDesign:
    """Return the design of folds, which are of nearly equal sizes where they are not given."""
    n_folds = shape[1]
    if n_folds > units.n_units:
        raise SplitDesignError(
            f"{counted(units.n_units, unit[:-1])} cannot be in {n_folds} folds; lower n_folds."
        )
    sizes = np.full(shape, units.n_units // n_folds)
    sizes[:, : units.n_units % n_folds] += 1
    if units.fold_sizes is not None:
        sizes = units.fold_sizes
    n_test = sizes.ravel().tolist()
    n_train = (units.n_units - sizes).ravel().tolist()
    design = SplitDesign.from_sizes(
        n_train, n_test, n_samples=units.n_units, levels=("repeat", "fold"), shape=shape
    )
    return replace(design, unit=unit)
