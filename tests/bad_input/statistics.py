"""Invalid moments, plans, power, margins, posteriors, error rates and labels."""

import numpy as np
import pandas as pd
import pytest

import skcvstats as s
from skcvstats import stats, theory
from skcvstats.test_set import mcnemar_exact_test

from .given import BOTH, DESIGN, FOUR, INF, NAN, TWO, WORDS, N, X, Y, array, scored, ttest

TEN = s.SplitDesign.from_sizes(90, 10, n_splits=10)
PLAN = stats.plan_n_splits(FOUR)
SHIFTED = s.CorrectedResampledTTest(null_value=0.1)
ROWS = np.random.default_rng(0).normal(size=(3, 4, 20))
OF_ROWS = stats.row_ttest(ROWS[0], n_folds=5)
FOLDS = np.stack([np.arange(20) % 5, np.arange(20) // 4])
ONE_ROW = np.stack([np.r_[4, np.arange(19) % 4], FOLDS[1]])


def losses(*n_test, unit="rows", levels=("split",), design=None, **facts):
    """Scores with those of rows for these test sizes, on splits of these or other sizes."""
    rows = np.arange(sum(n_test))
    kept = s.RowScores(values=rows % 3, rows=rows, offsets=np.cumsum([0, *n_test]))
    design = design or s.SplitDesign(
        n_samples=60, n_train=(40,) * len(n_test), n_test=n_test, unit=unit, levels=levels
    )
    return s.CVScores(values=kept.means(), design=design, row_scores=kept)


def of_rows(scores=ROWS[0, :2], **options):
    return stats.row_ttest(scores, **{"n_folds": 5, **options})


def ratio(method="corrected_resampled_t", **moments):
    return theory.variance_ratio(method, **{"s1": 1, "s2": 0.1, "n_splits": 15, **moments})


def unadjusted():
    with pytest.warns(s.AnticonservativeWarning):
        return stats.resampled_ttest([0.1, 0.2, 0.3], n_train=90, n_test=10)


def several(design=TEN, **options):
    values = np.random.default_rng(0).normal(0.8, 0.02, (3, 10))
    scores = s.CVScores(values=values, design=design, labels=tuple("abc"), metric="accuracy")
    return s.compare_scores(scores, **options)


def halves(**options):
    design = s.SplitDesign.from_splitter(s.RepeatedTwoFold(5, random_state=0), np.zeros(40))
    return several(design, method="five_by_two_cv_f", **options)


def constant():
    with pytest.warns(s.DegenerateScoresWarning):
        return array(np.full(5, 0.25))


# In each line: the call, what the message says was given (also the id), the remedy that it names.
# fmt: off
DESIGN_ERRORS = [
    (lambda: theory.variance_components(losses(5, 5, levels=("fold",))), "arranged as", "Pass"),
    (lambda: theory.variance_components(losses(5, 5, unit="groups")), "draw groups", "mean score"),
    (lambda: theory.variance_components(losses(1, 1)), "tests on 1 row", "a larger test_size"),
    (lambda: theory.variance_components(losses(4, 4, 4, 4, design=DESIGN)), "other test", "Build"),
    (lambda: theory.half_sample_differences(FOUR), "arranged as split", r"cv=HalfSplitPairs\(\)"),
    (lambda: ratio(n_train=90, n_test=10, n_samples=99), "n_samples=99", "at least that many"),
    (lambda: of_rows(folds=np.stack([FOLDS[0], (FOLDS[0] + 1) % 5])), "1 of 2 repeats has the same",
     "other folds in each repeat.*with another seed"),
    (lambda: of_rows(folds=ONE_ROW), "smallest fold has 1 row", "or pass more data"),
    (lambda: of_rows(folds=FOLDS % 4), "0 of folds has 4 folds", "each repeat needs as many"),
    (lambda: of_rows(folds=FOLDS, groups=FOLDS[0]), "have rows in several folds", "GroupKFold"),
    (lambda: stats.diebold_mariano_test(np.ones(19)), "there are 19", "20 tested times.*longer"),
    (lambda: stats.plan_n_splits(losses(5)), "there is 1", "Score on more splits"),
    (lambda: stats.plan_n_splits(OF_ROWS, n_splits=[20, 22]), "n_splits=[20, 22]", "be multiples"),
    (lambda: stats.plan_n_splits(stats.row_ttest(ROWS[0, :1], n_folds=5)), "A single", "n_repeats"),
]
TYPE_ERRORS = [
    (lambda: stats.plan_n_splits(FOUR, n_splits=50), "n_splits=50", "such as .25, 100."),
    (lambda: mcnemar_exact_test([0, 1], [0, 1]), "Got 'y_true', 'pred_a'",
     "y_true, pred_a and pred_b"),
    (lambda: mcnemar_exact_test([0], [0], [0], table=[[1, 1], [1, 1]]), "'pred_b', 'table'",
     "Give either"),
    (lambda: stats.plan_n_splits([.1, .2]), "got list", r"SplitDesign\.from_sizes\("),
    (lambda: stats.plan_n_splits(several()[0]), "got Comparison", r"in its test, result"),
    (lambda: theory.correlation_sensitivity(ttest(FOUR)), "got CVTestResult", r"result\.scores"),
    (lambda: several(adjustment=None), "adjustment=None", 'pass "auto".*or "none"'),
    (lambda: several().with_margin(None), "with_margin(None)", "there is no default"),
    (lambda: halves()[0].detectable_difference(), "combined 5x2cv F test", "Use another method"),
    (lambda: unadjusted().posterior(), "The resampled t-test", 'method="corrected_'),
]
VALUE_ERRORS = [
    (lambda: of_rows(n_folds=2), "n_folds=2", "an integer of at least 3"),
    (lambda: of_rows(inflation=1.6), "inflation=1.6", "from 0 to 1.5"),
    (lambda: of_rows(inflation=-.1), "inflation=-0.1", "from 0 to 1.5"),
    (lambda: of_rows(folds=np.zeros((3, 20))), "folds has shape (3, 20)", "the label of the fold"),
    (lambda: of_rows(np.zeros(20)), "row_scores has shape (20,)", "newaxis.* for a single repeat"),
    (lambda: of_rows(sample_weight=-np.ones(20)), "(the first: row 0, -1.0)", "at least 0"),
    (lambda: stats.diebold_mariano_test([NAN] * 30), "x contains nan at (0,)", "a finite number"),
    (lambda: stats.adjust_pvalues([.1, 1.5]), "1.5", "p-values between 0 and 1"),
    (lambda: stats.adjust_pvalues([.1], method="sidak"), "method='sidak' is not", "holm"),
    (lambda: stats.adjust_pvalues([.1], "max_t"), "method='max_t' is not", "bonferroni"),
    (lambda: stats.adjust_pvalues([.1], method=None), "method=None is not", "holm"),
    (lambda: stats.adjust_pvalues(.1), "0.1", "Expected a 1-d array"),
    (lambda: theory.variance_components(FOUR), "have none of single test rows", "RowScores.from_s"),
    (lambda: theory.cv_variance(1, 2, 5), "s2=2 is above s1=1", "check that they belong"),
    (lambda: theory.cv_variance(1, -.1, 5), "s2=-0.1 is negative", "do not belong here"),
    (lambda: ratio("holdout_t", s0=1, s3=.1, n_test=np.inf), "n_test=inf", "integer of at least 1"),
    (lambda: theory.cv_variance(1, .1, 2.5), "n_splits=2.5", "an integer of at least 1"),
    (lambda: theory.cv_variance(1, .1, 5, n_draws=3), "n_draws=3", "needs s0="),
    (lambda: theory.cv_variance(1, .1, 5, s0=.5), "s1=1 is above s0=0.5", "s2 <= s1 <= s0"),
    (lambda: theory.implied_correlation(-.1, FOUR), "variance is negative", "at least 0"),
    (lambda: theory.implied_correlation(.1, [.5]), "shape (1,)", "Score on more splits"),
    (lambda: theory.implied_correlation([.1, .2, .3], TWO), "shape (3,)", "one for each row"),
    (lambda: ratio("five_by_two_cv_t", variant="t8"), "variant='t8'", "choose one of .*'t5'"),
    (lambda: ratio(), "depends on n_test, n_samples", "pass what is missing"),
    (lambda: ratio("five_by_two_cv_t", s4=-2), "s4=-2", "between -s1 and s1"),
    (lambda: ratio("conservative_z", s1_half=1, s2_half=2), "s2_half=2 is above", "same sizes"),
    (lambda: theory.exchangeable_moments([1, 2, 3]), "shape (3,)", "at least 2 independent rows"),
    (lambda: theory.exchangeable_moments([[1], [2]]), "shape (2, 1)", "2 or more exchangeable"),
    (lambda: theory.exchangeable_moments(np.eye(2)).standard_error("rho"), "='rho'", "corr"),
    (lambda: theory.exchangeable_moments(np.eye(2)).variance_of_mean(0), "n_entries=0", "at least"),
    (lambda: theory.exchangeable_moments(np.eye(2) * 1e200), "vectors is 1e+200", "by a const"),
    (lambda: stats.plan_n_splits(scored([1e-180, 2e-180, 0, 0])), "is 2e-180", "Rescale the targ"),
    (lambda: theory.conservative_variance([1e-160, 0]), "differences is 1e-160", "by a constant"),
    (lambda: theory.implied_correlation(.1, [1e150, 0]), "in scores is 1e+150", "by a constant"),
    (lambda: array([1e-150, 0, -2e-150]), "in the scores is 2e-150", "by a constant"),
    (lambda: stats.diebold_mariano_test([1e150] * 30), "in x is 1e+150", "by a constant"),
    (lambda: theory.correlation_sensitivity(FOUR, [.1, 1]), "rho=[0.1, 1]", "at least 0 and below"),
    (lambda: theory.conservative_variance(["a"]), "differences of dtype", "convert it to float64"),
    (lambda: theory.conservative_variance([]), "shape (0,)", "at least one pair"),
    (lambda: theory.conservative_variance([NAN]), "differences contains nan at (0,)", "finite"),
    (lambda: stats.plan_n_splits(scored(TWO, labels=BOTH)), "shape (2, 4)", r"scores\['a'\]"),
    (lambda: stats.plan_n_splits(scored([.5] * 4)), "do not vary", "a finer metric"),
    (lambda: theory.correlation_sensitivity(OF_ROWS, alternative=["less"]), "['less']", "choose"),
    (lambda: stats.plan_n_splits(FOUR, 1), "rho=1", "leave it out for n_test/n_samples"),
    (lambda: stats.plan_n_splits(FOUR, "n2/n"), "rho='n2/n'", "a finite number"),
    (lambda: stats.plan_n_splits(FOUR, n_splits=[1, 5]), "n_splits=1 ", "from 2 to"),
    (lambda: stats.plan_n_splits(FOUR, fits_per_split=0), "fits_per_split=0", "from 1 to"),
    (lambda: stats.plan_n_splits(FOUR, seconds_per_fit=-1), "seconds_per_fit=-1", "negative"),
    (lambda: stats.plan_n_splits(OF_ROWS, 0.1), "rho=0.1", "leave it out"),
    (lambda: stats.plan_n_splits(stats.row_ttest(ROWS, n_folds=5)), "standard error is", r"\.take"),
    (lambda: theory.correlation_sensitivity(OF_ROWS, -1), "rho=-1", "inflations .* at least 0"),
    (lambda: PLAN.n_splits_for(0), "half_width=0", "Collect more rows"),
    (lambda: PLAN.n_splits_for("1"), "half_width='1'", "a finite number"),
    (lambda: stats.error_rate_interval(.3, 40), "n_errors=0.3", "integers, not rates"),
    (lambda: stats.error_rate_interval(41, 40), "n_errors=41 of n=40", "as many as there are rows"),
    (lambda: stats.error_rate_interval(Y, 1 - Y), "n_errors=array", r"np\.sum\(y != pred\)"),
    (lambda: stats.error_rate_interval(0, 0), "n=0", "at least 1 row"),
    (lambda: stats.error_rate_interval([1, 2], [5, 6, 7]), "shape (2,)", "one for each count"),
    (lambda: stats.error_rate_difference([1, 2], 40, [1, 2, 3], 50), "(2,) and n_errors_2 (3,)",
      "one count for each"),
    (lambda: mcnemar_exact_test(Y, Y, Y[:-1]), "pred_b has shape (59,)", "one label for each"),
    (lambda: mcnemar_exact_test(Y, Y, X), "pred_b has shape (60, 3)", "one label for each"),
    (lambda: mcnemar_exact_test([], [], []), "counts no row", "at least 1 row"),
    (lambda: mcnemar_exact_test(Y, Y, WORDS), "pred_b, such as 'yes'", "classes that y_true has"),
    (lambda: mcnemar_exact_test(Y, [NAN] * N, Y), "values of pred_a are missing", "leave out"),
    (lambda: mcnemar_exact_test(Y, Y, [pd.NA, *Y[1:]]), "value of pred_b is missing", "leave out"),
    (lambda: mcnemar_exact_test(Y, Y, 1 - Y, method="midp"), "'midp'", "Did you mean 'mid-p'"),
    (lambda: mcnemar_exact_test(table=[1, 2]), "table=[1, 2]", "a 2 x 2 table of counts"),
    (lambda: mcnemar_exact_test(table=[[1, -2], [1, 1]]), "-2", "a 2 x 2 table of counts"),
    (lambda: mcnemar_exact_test(table=[[.1, .2], [.3, .4]]), "0.1", "a 2 x 2 table of counts"),
    (lambda: mcnemar_exact_test(table=[[0, 0], [0, 0]]), "counts no row", "at least 1 row"),
    (lambda: array().equivalence((.2, -.2)), "margin=(0.2, -0.2)", "and then an upper bound"),
    (lambda: array().equivalence(True), "margin=True", "a finite number such as 0.01"),
    (lambda: array(null_value=.1).equivalence(.1), "null_value=0.1", "Make the test with null_v"),
    (lambda: array().equivalence(.1).confidence_interval(.4), "confidence_level=0.4", "above 0.5"),
    (lambda: s.CorrectedResampledTTest()(FOUR).equivalence(.1), "one estimator", "two, scores_a"),
    (lambda: several(margin=(0, .1)), "margin=(0, 0.1)", "a lower bound below 0"),
    (lambda: several(margin=[.1, .2, .3]), "margin=[0.1, 0.2, 0.3]", "a pair of them such as"),
    (lambda: several().with_margin(-INF), "margin=-inf", "a finite number"),
    (lambda: several(margin=.1, method=SHIFTED, reference="a"), "null_value=0.1", "one of them"),
    (lambda: several(method=SHIFTED), "null_value=0.1", "margin=0.1 instead"),
    (lambda: halves(margin=.1), "margin=0.1", 'method="corrected_resampled_t"'),
    (lambda: halves(adjustment="max_t"), 'adjustment="max_t"', 'Pass adjustment="auto"'),
    (lambda: several().best_set("accuracy"), "'accuracy' is a metric", r"result\['accuracy'\]"),
    (lambda: several().best_set(.3), "confidence_level=0.3", "above 0.5 for the set of the best"),
    (lambda: halves().best_set(), "has no direction", 'method="corrected_resampled_t"'),
    (lambda: PLAN.n_splits_for(), "half_width=None", "half_width alone, or difference and power"),
    (lambda: PLAN.n_splits_for(.1, power=.8), "power=0.8", "half_width alone, or difference and"),
    (lambda: PLAN.n_splits_for(difference=.01, power=.8), "difference=0.01", "of more than 0.3"),
    (lambda: PLAN.power(.1, n_comparisons=0), "n_comparisons=0", "an integer from 1 to"),
    (lambda: PLAN.power(.1, margin=.1), "difference=0.1", "a true difference inside, such as 0"),
    (lambda: PLAN.power(0, margin=.1, alternative="less"), "='less'", "leave one of them out"),
    (lambda: PLAN.detectable_difference(80), "power=80", "such as 0.8"),
    (lambda: PLAN.detectable_difference(.05), "power=0.05", "ask for more, such as 0.8"),
    (lambda: array().probabilities(-.1), "margin=-0.1 ", "a number above 0"),
    (lambda: constant().probabilities(.1), "undetermined", "Use more test rows or a finer metric"),
]
# fmt: on
CASES = {s.SplitDesignError: DESIGN_ERRORS, TypeError: TYPE_ERRORS, ValueError: VALUE_ERRORS}
