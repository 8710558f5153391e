"""Margins: equivalent, not worse, better by more than the margin; verdicts by brute force."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from skcvstats import ComparisonResult, compare_scores

from .made import FACTOR, codes, scores_of, shifted

pytestmark = pytest.mark.filterwarnings("ignore:Only")  # few splits are meant


def verdict_by_hand(low, high, low_margin, high_margin, bounds):
    """The first verdict that holds, from the ends of the two intervals."""
    down, up = bounds
    return next(
        kind
        for kind, holds in [
            ("higher by more", low > up),
            ("lower by more", high < down),
            ("higher by less", low > 0 and high_margin < up),
            ("higher", low > 0),
            ("lower by less", high < 0 and low_margin > down),
            ("lower", high < 0),
            ("equivalent", low_margin > down and high_margin < up),
            ("not worse", low_margin > down),
            ("not better", high_margin < up),
            ("not significant", True),
        ]
        if holds
    )


GRID = [-0.06, -0.02, -0.011, -0.006, -0.003, 0.0, 0.003, 0.006, 0.011, 0.02, 0.06]
BOUNDS = [(-0.01, 0.01), (-0.004, 0.03), (-0.002, 0.002)]


@pytest.mark.parametrize(("bounds", "spread"), zip(BOUNDS, [0.002, 0.01, 0.03], strict=True))
def test_one_comparison_is_read_from_two_intervals(bounds, spread):
    seen = set()
    for difference in GRID:
        scores = shifted([difference], spread=spread)
        (pair,) = compare_scores(scores, reference="base", margin=bounds)
        d = scores.values[1] - scores.values[0]
        error = np.sqrt(FACTOR * d.var(ddof=1))
        wide, narrow = (stats.t.ppf(q, 14) * error for q in (0.975, 0.95))
        low, high = d.mean() - wide, d.mean() + wide
        ends = (d.mean() - narrow, d.mean() + narrow)
        np.testing.assert_allclose(pair.confidence_interval(), (low, high), rtol=1e-10)
        np.testing.assert_allclose(pair.margin_interval(), ends, rtol=1e-10)
        assert pair.outcome == verdict_by_hand(low, high, *ends, bounds)
        seen.add(pair.outcome)
    assert len(seen) >= 4


@pytest.mark.parametrize(
    ("adjustment", "reference", "alternative", "n_kinds"),
    [
        ("max_t", "base", "two-sided", 7),
        ("bonferroni", None, "two-sided", 5),  # of pairs, no first one is worse
        ("max_t", "base", "greater", 4),  # claims in this direction only
        ("none", "base", "less", 4),
    ],
)
def test_a_family_is_read_from_its_intervals(adjustment, reference, alternative, n_kinds):
    seen, bounds = set(), BOUNDS[1]
    options = {"reference": reference, "adjustment": adjustment, "alternative": alternative}
    for spread, levels in ((0.002, (0.95, 0.999)), (0.03, (0.8, 0.95))):
        scores = shifted(GRID if reference else GRID[::2], spread=spread)
        result = compare_scores(scores, margin=bounds, **options)
        for level in levels:
            told = result.with_confidence(level)
            frame = told.to_frame(full=True)
            for pair, row in zip(told, frame.to_dict("records"), strict=True):
                low, high = pair.confidence_interval()
                assert pair.margin_interval() == (low, high)
                down, up = pair.margin
                assert pair.outcome == verdict_by_hand(low, high, low, high, pair.margin)
                assert row["outcome"] == pair.outcome
                assert row["low_margin"] == low
                equivalent = row["pvalue_equivalent"] <= pair.alpha
                assert equivalent == (low > down and high < up)
                seen.add(pair.outcome)
    assert len(seen) >= n_kinds


def test_pvalues_only_are_adjusted_as_two_families():
    scores = shifted(GRID[3:8], spread=0.006)
    result = compare_scores(scores, reference="base", adjustment="holm", margin=0.01)
    d = scores.values[1:] - scores.values[0]
    mean, error = d.mean(axis=1), np.sqrt(FACTOR * d.var(axis=1, ddof=1))
    tails = stats.t.sf((mean + 0.01) / error, 14), stats.t.cdf((mean - 0.01) / error, 14)
    larger = np.maximum(*tails)
    order = np.argsort(larger)
    holm = np.maximum.accumulate((5 - np.arange(5)) * larger[order]).clip(max=1)
    expected = dict(zip(np.array(scores.labels[1:])[order], holm, strict=True))
    frame = result.to_frame(full=True)
    found = dict(zip(frame["estimator"], frame["pvalue_equivalent"], strict=True))
    assert found == pytest.approx(expected, rel=1e-10)
    for pair in result:
        equivalent, shown = expected[pair.estimator] <= 0.05, pair.pvalue_adjusted <= 0.05
        side = "higher" if pair.test.estimate > 0 else "lower"
        kinds = {(1, 1): f"{side} by less", (0, 1): side, (1, 0): "equivalent"}
        assert pair.outcome == kinds.get((equivalent, shown), "not significant")
    assert {"equivalent"} < {pair.outcome for pair in result}
    options = {"reference": "base", "adjustment": "holm", "margin": 0.01}
    one_sided = compare_scores(shifted(GRID[::2]), alternative="less", **options)
    kinds = {pair.outcome for pair in one_sided}
    assert len(kinds) >= 3
    assert kinds <= {"lower", "lower by more", "not better", "not significant"}


def test_undetermined_pairs_claim_nothing_by_a_margin():
    scores = shifted([0.0, 0.002])
    values = scores.values.copy()
    values[1] = values[0]
    same = scores_of(values, scores.labels)
    for adjustment in ("max_t", "holm"):
        with pytest.warns(match="do not vary"):
            result = compare_scores(same, margin=0.05, adjustment=adjustment)
        frame = result.to_frame(full=True).set_index(["estimator", "versus"])
        (pair,) = [pair for pair in result if {pair.estimator, pair.versus} == {"base", "m0"}]
        assert pair.outcome == "undetermined"
        columns = ["pvalue_not_worse", "pvalue_not_better", "pvalue_equivalent"]
        assert frame.loc[(pair.estimator, pair.versus)][columns].isna().all()
        assert {pair.outcome for pair in result} == {"undetermined", "equivalent"}


def test_given_afterwards_is_noted():
    scores = shifted([0.001, 0.003])
    before = compare_scores(scores, margin=0.02)
    after = compare_scores(scores).with_margin(0.02)
    assert [pair.outcome for pair in after] == [pair.outcome for pair in before]
    assert "margin afterwards" in codes(after)
    assert "margin afterwards" not in codes(before)
    assert after.margin == before.margin == (-0.02, 0.02)
    assert compare_scores(scores).margin is None
    again = ComparisonResult.from_json(after.to_json())
    assert again.margin == after.margin
    assert again.notes == after.notes
    one = compare_scores(shifted([0.0]), margin=0.01)
    for ask in (one.to_frame, one[0].margin_interval):
        with pytest.raises(ValueError, match=r"confidence_level=0\.4 must be above 0\.5"):
            ask(0.4)
    text = str(compare_scores(shifted([0.002]), reference="base", margin=0.02)[0])
    assert text.startswith("m0 and base are equivalent in accuracy within 0.02 at the 5 % level (")
    for said in (*("95 % confidence interval", "90 % confidence interval"), "for equivalence"):
        assert said in text


def test_a_margin_below_two_standard_errors_is_noted_and_below_one_of_a_one_sided_test():
    (pair,) = compare_scores(shifted([0.0], spread=0.01))
    error = pair.test.standard_error
    for alternative, bounds, noted in (
        *(("greater", (-0.9, 9), True), ("greater", (-1.1, 0.1), False)),
        *(("less", (-9, 0.9), True), ("less", (-0.1, 1.1), False)),
    ):
        options = {"margin": np.multiply(bounds, error), "alternative": alternative}
        result = compare_scores(shifted([0.0], spread=0.01), reference="base", **options)
        found = [str(note) for note in result.notes if note.code == "small margin"]
        assert bool(found) == noted
        assert not any("equivalence" in text for text in found)
    for difference, factor, noted in ((0.5, 1.9, True), (0.5, 2.1, False), (0.0, 1.9, False)):
        scores = shifted([difference * error], spread=0.01)
        result = compare_scores(scores, margin=factor * error)
        assert (result[0].outcome == "equivalent") == (difference == 0)  # shown all the same
        assert ("small margin" in codes(result)) == noted


@pytest.mark.parametrize(
    ("metric", "margin", "said"),
    [
        ("accuracy", 1, "accuracy ranges from 0 to 1"),
        ("accuracy", (-1, 0.01), "accuracy ranges from 0 to 1"),
        ("f1_macro", (-0.01, 5), "f1_macro ranges from 0 to 1"),
        ("AUC (class 1)", 1.0, "ranges from 0 to 1"),
        ("matthews_corrcoef", 2, "matthews_corrcoef ranges from -1 to 1"),
    ],
)
def test_a_margin_as_wide_as_the_metric_is_refused(metric, margin, said):
    scores = shifted([0.01], metric=metric)
    without, smaller = compare_scores(scores), compare_scores(scores, margin=0.3)
    bounds = margin if isinstance(margin, tuple) else (-margin, margin)
    wide = replace(smaller.tests_by_metric[metric], margin=bounds)
    saved = replace(smaller, tests_by_metric={metric: wide}).to_json()
    for road in (
        lambda: compare_scores(scores, margin=margin),
        lambda: without.with_margin(margin),
        lambda: without[0].test.equivalence(margin),
        lambda: without[0].test.probabilities(margin),
        lambda: ComparisonResult.from_json(saved),
    ):
        with pytest.raises(ValueError, match=re.escape(said)):
            road()
    for other, smaller in (("accuracy", 0.99), ("matthews_corrcoef", 1.5), ("r2", 5)):
        taken = compare_scores(shifted([0.01], metric=other), margin=smaller)
        assert taken.margin == (-smaller, smaller)


@pytest.mark.parametrize("adjustment", ["max_t", "bonferroni", "holm"])
def test_detectable_difference_is_shown_with_the_power(adjustment):
    scores = shifted([0.004, 0.02, -0.01])
    result = compare_scores(scores, adjustment=adjustment)
    for pair in result:
        size = pair.detectable_difference(0.8)
        critical = pair.family.critical(pair.test, 0.05, pair.position)
        ncp = size / pair.test.standard_error
        power = stats.nct.sf(critical, 14, ncp) + stats.nct.cdf(-critical, 14, ncp)
        assert power == pytest.approx(0.8, abs=1e-6)
        # The variance over the true one is chi-squared over 14: in 80 % between these.
        ratios = 14 / stats.chi2.isf([0.1, 0.9], 14)
        assert pair.detectable_range(0.8) == pytest.approx(size * np.sqrt(ratios), rel=1e-12)
        if adjustment in ("max_t", "bonferroni"):
            low, high = pair.confidence_interval()
            assert (high - low) / 2 == pytest.approx(critical * pair.test.standard_error)
    if adjustment == "holm":  # shown rows are judged at a level that depends on the others
        ordered = sorted(result, key=lambda pair: pair.test.pvalue)
        shown = sum(pair.pvalue_adjusted <= 0.05 for pair in result)
        assert 0 < shown < 6
        open_level = 0.05 / (6 - shown)
        last = ordered[-1].family.critical(ordered[-1].test, 0.05, ordered[-1].position)
        assert last == pytest.approx(stats.t.isf(open_level / 2, 14), rel=1e-9)
