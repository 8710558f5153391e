"""A result computes the test of each score once; what is asked for again calls no procedure."""

from collections import Counter
from dataclasses import dataclass, field, replace

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from skcvstats import CorrectedResampledTTest, FiveByTwoCVFTest, compare_scores, evaluation_report
from skcvstats.comparison._joint import N_DRAWS
from skcvstats.stats import Claim, CVTestResult

from . import made

mpl.use("Agg")


@dataclass(frozen=True, kw_only=True)
class Counted:
    """Count the sets of scores that a procedure was asked about."""

    asked: Counter = field(default_factory=Counter, compare=False, repr=False)

    def infer(self, sample, auxiliary=None, **options):
        self.asked["pairs" if sample.scores.paired else "scores"] += 1
        return super().infer(sample, auxiliary, **options)


@dataclass(frozen=True, kw_only=True)
class CountedT(Counted, CorrectedResampledTTest):
    def pivot(self, sample, auxiliary=None):
        self.asked["pivot"] += 1
        return super().pivot(sample, auxiliary)


@dataclass(frozen=True, kw_only=True)
class CountedF(Counted, FiveByTwoCVFTest):
    pass


def scores_of(n_estimators, *, design=made.DESIGN, gap=0.03, metric="accuracy"):
    random_state = np.random.RandomState(0)
    values = 0.6 + gap * random_state.permutation(n_estimators)[:, None] / n_estimators
    values = values + 0.03 * random_state.normal(size=(n_estimators, design.n_splits))
    return replace(made.scores_of(values, metric=metric), design=design)


def ask(result):
    """Ask for all that a result says, at its level and at another one."""
    for at_level in (result, result.with_confidence(0.9)):
        str(at_level)
        at_level.to_frame()
        for metric in at_level.metrics:
            at_level[metric].ranking()
            if isinstance(at_level[metric].tests[0], CVTestResult):
                at_level[metric].best_set()
        report = evaluation_report(at_level)
        report.to_markdown()
        report.to_frame()


def draw(result):
    for kind in ("ranking", "differences", "scores"):
        plt.close(result.plot(kind).figure_)


@pytest.mark.parametrize(
    ("n_estimators", "options"),
    [(2, {"margin": 0.05}), (4, {}), (4, {"reference": "m1", "adjustment": "holm", "margin": 0.1})],
)
def test_each_score_is_tested_once(n_estimators, options):
    procedure = CountedT()
    scores = {metric: scores_of(n_estimators, metric=metric) for metric in ("auc", "f1")}
    result = compare_scores(scores, method=procedure, **options)
    assert procedure.asked["scores"] == 0
    str(result)
    assert procedure.asked["scores"] == (0 if n_estimators == 2 else 2)  # both metrics
    ask(result)
    assert procedure.asked["scores"] == 2
    asked = Counter(procedure.asked)
    ask(result)
    draw(result)
    plt.close(result.tests[0].plot("posterior").figure_)
    str(result["auc"])
    result["f1"].with_confidence(0.8).ranking()
    assert procedure.asked == asked


def test_more_draws_test_nothing_again():
    """Close to a level more is drawn, for the same tests."""
    procedure = CountedT()
    result = compare_scores(scores_of(4, gap=0.02), method=procedure)
    str(result)
    (tests,) = result.tests_by_metric.values()
    assert len(tests.family.maxima) > N_DRAWS
    assert (procedure.asked["scores"], procedure.asked["pairs"]) == (1, 2)  # also the best set's
    asked = Counter(procedure.asked)
    for level in (0.9, 0.95, 0.99):
        result.best_set(level)
        str(result.with_confidence(level))
    assert procedure.asked == asked


def test_without_a_standard_error():
    procedure = CountedF()
    result = compare_scores(scores_of(4, design=made.HALVES, gap=0.5), method=procedure)
    for again in (str, ask, draw):
        again(result)
        assert procedure.asked == {"scores": 1, "pairs": 1}


@dataclass(frozen=True, eq=False, kw_only=True)
class Cautious(CVTestResult):
    """A result whose claim is another one: only large differences are shown."""

    def claim(self, alpha, pvalue=None):
        claim = super().claim(alpha, pvalue)
        if claim.kind != "undetermined" and abs(self.estimate) < 0.05:
            return Claim("not shown", "Too small")
        return claim


class CautiousT(CorrectedResampledTTest):
    _result_type = Cautious


CASES = {
    "two-sided": {}, "greater": {"alternative": "greater", "reference": "m1"},
    "null value": {"method": CorrectedResampledTTest(null_value=-0.03), "reference": "m1"},
    "margin": {"margin": (-0.03, 0.06)}, "F": {"method": "five_by_two_cv_f"},
    "another claim": {"method": CautiousT()},
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.DegenerateScoresWarning")
@pytest.mark.parametrize("case", CASES)
def test_outcomes_of_all_are_those_of_each(case):
    scores = scores_of(8, design=made.HALVES if case == "F" else made.DESIGN, gap=0.2)
    values = np.array(scores.values)
    values[3] = values[1]  # their difference does not vary
    result = compare_scores(replace(scores, values=values), adjustment="holm", **CASES[case])
    for level in (0.55, 0.95):
        at_level = result.with_confidence(level)
        (tests,) = at_level.tests_by_metric.values()
        assert tests.kinds.tolist() == [pair.claim.kind for pair in at_level]
    assert {"undetermined", "not shown"} < set(tests.kinds)
