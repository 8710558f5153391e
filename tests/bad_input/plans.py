"""Invalid power, margins and posteriors."""

import numpy as np
import pytest

from skcvstats import (
    AnticonservativeWarning,
    CorrectedResampledTTest,
    CVScores,
    DegenerateScoresWarning,
    RepeatedTwoFold,
    SplitDesign,
    compare_scores,
)
from skcvstats.stats import detectable_difference, plan_n_splits, resampled_ttest
from tests.bad_input.given import FOUR, INF, NAN, array

PLAN = plan_n_splits(FOUR)


def unadjusted():
    with pytest.warns(AnticonservativeWarning):
        return resampled_ttest([0.1, 0.2, 0.3], n_train=90, n_test=10)


SHIFTED = CorrectedResampledTTest(null_value=0.1)


def several(**options):
    design = SplitDesign.from_sizes(90, 10, n_splits=10)
    values = np.random.default_rng(0).normal(0.8, 0.02, (3, 10))
    scores = CVScores(values=values, design=design, labels=tuple("abc"), metric="accuracy")
    return compare_scores(scores, **options)


def halves(**options):
    splits = RepeatedTwoFold(5, random_state=0)
    design = SplitDesign.from_splitter(splits, np.zeros(40))
    values = np.random.default_rng(0).normal(0.8, 0.02, (3, 10))
    scores = CVScores(values=values, design=design, labels=tuple("abc"), metric="accuracy")
    return compare_scores(scores, method="five_by_two_cv_f", **options)


def constant():
    with pytest.warns(DegenerateScoresWarning):
        return array(np.full(5, 0.25))


# In each line: the call, what the message says was given (also the id), the remedy that it names.
# fmt: off
TYPE_ERRORS = [
    (lambda: several(adjustment=None), "adjustment=None", 'pass "auto".*or "none"'),
    (lambda: several().with_margin(None), "with_margin(None)", "there is no default"),
    (lambda: halves()[0].detectable_difference(), "combined 5x2cv F test", "Use another method"),
    (lambda: unadjusted().posterior(), "The resampled t-test", 'method="corrected_'),
    (lambda: unadjusted().probabilities(0), "has no posterior", r'HoldoutTTest\(law="t"\)'),
]
VALUE_ERRORS = [
    (lambda: array().equivalence(0), "margin=0 ", "a number above 0"),
    (lambda: array().equivalence(-.1), "margin=-0.1 ", "a number above 0"),
    (lambda: array().equivalence(NAN), "margin=nan", "a finite number such as 0.01"),
    (lambda: array().equivalence(INF), "margin=inf", "in the unit of the metric"),
    (lambda: array().equivalence((.2, -.2)), "margin=(0.2, -0.2)", "the lower one first"),
    (lambda: array().equivalence("a"), "margin='a'", "a finite number such as 0.01"),
    (lambda: array().equivalence(True), "margin=True", "a finite number such as 0.01"),
    (lambda: array(null_value=.1).equivalence(.1), "null_value=0.1", "Make the test with null_v"),
    (lambda: array().equivalence(.1).confidence_interval(.4), "confidence_level=0.4", "above 0.5"),
    (lambda: CorrectedResampledTTest()(FOUR).equivalence(.1), "one estimator", "two, scores_a"),
    (lambda: several(margin=10**400), "margin=1000000", "must be a finite number such as 0.01"),
    (lambda: several(margin=(-(10**5000), 1)), "too long to be written", "must be a finite number"),
    (lambda: array().equivalence(10**400), "margin=1000000", "must be a finite number such as"),
    (lambda: several(margin=0), "margin=0 ", "a number above 0"),
    (lambda: several(margin=(0, .1)), "margin=(0, 0.1)", "a lower bound below 0"),
    (lambda: several(margin=[.1, .2, .3]), "margin=[0.1, 0.2, 0.3]", "a pair of them such as"),
    (lambda: several(margin=.1, confidence_level=.5), "confidence_level=0.5", "above 0.5 with a"),
    (lambda: several(margin=.1).with_confidence(.4), "confidence_level=0.4", "above 0.5 with a"),
    (lambda: several().with_margin(-INF), "margin=-inf", "a finite number"),
    (lambda: several(margin=.1, method=SHIFTED, reference="a"), "null_value=0.1", "one of them"),
    (lambda: several(method=SHIFTED), "null_value=0.1", "margin=0.1 instead"),
    (lambda: halves(margin=.1), "margin=0.1", 'method="corrected_resampled_t"'),
    (lambda: halves(adjustment="max_t"), 'adjustment="max_t"', 'Pass adjustment="auto"'),
    (lambda: several(adjustment="tukey"), "adjustment='tukey'", "choose one of"),
    (lambda: several().best_set(.3), "confidence_level=0.3", "above 0.5 for the set of the best"),
    (lambda: halves().best_set(), "has no direction", 'method="corrected_resampled_t"'),
    (lambda: several()[0].detectable_difference(80), "power=80", "such as 0.8"),
    (lambda: PLAN.n_splits_for(), "half_width=None", "half_width alone, or difference and power"),
    (lambda: PLAN.n_splits_for(difference=.1), "power=None", "difference=0.01, power=0.8"),
    (lambda: PLAN.n_splits_for(.1, power=.8), "power=0.8", "half_width alone, or difference and"),
    (lambda: PLAN.n_splits_for(.1, margin=.8), "half_width=0.1", "half_width alone, or"),
    (lambda: PLAN.n_splits_for(.1, alternative="less"), "half_width=0.1", "half_width alone, or"),
    (lambda: PLAN.n_splits_for(difference=.1, power=8), "power=8", "such as 0.8"),
    (lambda: PLAN.n_splits_for(difference=.01, power=.8), "difference=0.01", "of more than 0.3"),
    (lambda: PLAN.n_splits_interval(), "half_width=None", "half_width alone, or"),
    (lambda: PLAN.power(NAN), "difference=nan", "a finite number"),
    (lambda: PLAN.power("a"), "difference='a'", "a finite number"),
    (lambda: PLAN.power(.1, alternative="more"), "alternative='more'", "choose one of"),
    (lambda: PLAN.power(.1, n_comparisons=0), "n_comparisons=0", "1 or more"),
    (lambda: PLAN.power(.1, n_comparisons=2.5), "n_comparisons=2.5", "an integer"),
    (lambda: PLAN.power(.1, margin=.1), "difference=0.1", "a true difference inside, such as 0"),
    (lambda: PLAN.power(0, margin=0), "margin=0 ", "a number above 0"),
    (lambda: PLAN.power(0, margin=-.1), "margin=-0.1", "a number above 0"),
    (lambda: PLAN.power(0, margin=(0, .1)), "margin=(0, 0.1)", "a lower bound below 0"),
    (lambda: PLAN.power(0, margin=INF), "margin=inf", "a finite number such as 0.01"),
    (lambda: PLAN.power(0, margin=(.1, -.1)), "margin=(0.1, -0.1)", "the lower one first"),
    (lambda: PLAN.power(0, margin=.1, alternative="less"), "='less'", "leave one of them out"),
    (lambda: PLAN.detectable_difference(80), "power=80", "such as 0.8"),
    (lambda: PLAN.detectable_difference(.05), "power=0.05", "ask for more, such as 0.8"),
    (lambda: array().probabilities(-.1), "margin=-0.1 ", "a number at least 0"),
    (lambda: array().probabilities(NAN), "margin=nan", "a finite number such as 0.01"),
    (lambda: array().probabilities((-INF, .1)), "margin=(-inf, 0.1)", "a finite number"),
    (lambda: array().probabilities((.2, -.2)), "margin=(0.2, -0.2)", "the lower one first"),
    (lambda: array().probabilities((.1, .2)), "margin=(0.1, 0.2)", "a lower bound below 0"),
    (lambda: array().probabilities([.1]), "margin=[0.1]", "a pair of them"),
    (lambda: array().probabilities([]), "margin=[]", "a pair of them"),
    (lambda: array().probabilities(None), "margin=None", "a finite number such as 0.01"),
    (lambda: array().probabilities(True), "margin=True", "a finite number such as 0.01"),
    (lambda: constant().probabilities(.1), "undetermined", "Use more test rows or a finer metric"),
    (lambda: constant().posterior(), "do not vary over the splits", "a finer metric"),
    (lambda: detectable_difference(.1, 14, 2.1, 80), "power=80", "such as 0.8"),
]
# fmt: on
CASES = {TypeError: TYPE_ERRORS, ValueError: VALUE_ERRORS}
