"""Power, margins and posteriors that cannot be."""

import numpy as np
import pytest

from skcvstats import (
    AnticonservativeWarning,
    DegenerateScoresWarning,
    plan_n_splits,
    resampled_ttest,
)
from skcvstats.stats import detectable_difference
from tests.bad_input.given import FOUR, INF, NAN, array

PLAN = plan_n_splits(FOUR)


def unadjusted():
    with pytest.warns(AnticonservativeWarning):
        return resampled_ttest([0.1, 0.2, 0.3], n_train=90, n_test=10)


def constant():
    with pytest.warns(DegenerateScoresWarning):
        return array(np.full(5, 0.25))


# In each line: the call, what the message says was given (also the id), the remedy that it names.
# fmt: off
TYPE_ERRORS = [
    (lambda: unadjusted().posterior(), "The resampled t-test", 'method="corrected_'),
    (lambda: unadjusted().probabilities(0), "has no posterior", r'HoldoutTTest\(law="t"\)'),
]
VALUE_ERRORS = [
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
