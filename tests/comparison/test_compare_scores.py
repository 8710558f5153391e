"""compare_scores: pairs, references, adjustment, verdicts and notes."""

import re
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_validate

from skcvstats import (
    AnticonservativeWarning,
    CorrectedResampledTTest,
    CVScores,
    DegenerateScoresWarning,
    FitError,
    PairingError,
    RepeatedSubsampleSplit,
    RowScores,
    SplitDesign,
    SplitDesignWarning,
    compare_scores,
)
from skcvstats.comparison import compare
from skcvstats.stats._arguments import UNDETERMINED

from .made import DESIGN, by_pair, codes, scores_of, squeezed

RNG = np.random.default_rng(0)
BASE = RNG.normal(0.7, 0.03, size=15)
VALUES = {
    "low": BASE - 0.1,
    "high": BASE + RNG.normal(0.05, 0.02, size=15),
    "middle": BASE + RNG.normal(0, 0.02, size=15),
}


def scores(**values):
    return scores_of(list(values.values()), list(values))


def test_rows_are_best_first_and_have_these_columns():
    frame = compare_scores(scores(**VALUES)).to_frame()
    pairs = [["high", "middle"], ["high", "low"], ["middle", "low"]]
    assert frame[["estimator", "versus"]].to_numpy().tolist() == pairs
    assert list(frame.columns) == [
        *("metric", "estimator", "versus", "score", "score_versus", "difference", "standard_error"),
        *("low", "high", "low_unadjusted", "high_unadjusted", "statistic", "df"),
        *("pvalue", "pvalue_adjusted", "pvalue_error", "adjusted_over", "note"),
    ]
    assert (frame["low"] < frame["low_unadjusted"]).all()
    holm = compare_scores(scores(**VALUES), adjustment="holm").to_frame()
    assert (holm["low"] == holm["low_unadjusted"]).all()


def test_the_best_as_reference_warns_that_it_was_chosen():
    with pytest.warns(match="chosen as the best on these same scores") as caught:
        result = compare_scores(scores(**VALUES), reference="best")
    assert [(one.category, one.filename) for one in caught] == [(AnticonservativeWarning, __file__)]
    assert {one.versus for one in result.comparisons} == {"high"}
    assert result.to_frame()["note"].str.contains("chosen as the best").all()
    assert "; result.best_set() names the estimators that could be the best" in str(result.notes)
    assert "high" in result.best_set()
    assert "Warnings: chosen reference (see result.notes)." in str(result)


def test_the_best_of_two_is_favoured_in_a_one_sided_test_only():
    two = {name: VALUES[name] for name in ("low", "middle")}
    best = compare_scores(scores(**two), reference="best")  # no warning, which would be an error
    assert not any("favoured" in note for one in best for note in one.notes)
    pairs = compare_scores(scores(**two))
    assert best.tests[0].pvalue == pytest.approx(pairs.tests[0].pvalue, rel=1e-12)
    with pytest.warns(AnticonservativeWarning, match="chosen as the best"):
        compare_scores(scores(**two), reference="best", alternative="less")


def test_a_named_reference_that_is_the_best_is_noted():
    """As in compare_candidates, but without a warning, which would be an error here."""
    best = compare_scores(scores(**VALUES), reference="high")
    assert "best reference" in codes(best)
    assert "unless it was named before they were seen" in squeezed(best)
    for other in ("low", "middle"):
        assert "best reference" not in codes(compare_scores(scores(**VALUES), reference=other))
    two = {name: VALUES[name] for name in ("low", "high")}  # two-sided, the same from both sides
    assert "best reference" not in codes(compare_scores(scores(**two), reference="high"))


def test_method_may_be_a_procedure_with_its_options():
    margin = CorrectedResampledTTest(null_value=-0.2, alternative="greater")
    result = compare_scores(scores(**VALUES), method=margin, reference="middle")
    pairs = by_pair(result)
    assert set(pairs) == {("low", "middle"), ("high", "middle")}
    low = pairs["low", "middle"]
    assert low.test.pvalue < 0.05
    assert low.test.null_value == -0.2
    assert "low - middle in accuracy is significantly above -0.2" in str(low)
    with pytest.raises(ValueError, match="give it only there"):
        compare_scores(scores(**VALUES), method=margin, alternative="less")


@pytest.mark.parametrize(
    ("gap", "adjustment"),
    [(0, "holm"), (0.25, "hochberg"), (0, "bonferroni"), (0.25, "bh"), (0, "by"), (0.25, "none")],
)
def test_undetermined_comparisons_help_no_other(adjustment, gap):
    # By hand: the others enter with p = 1, so the one test is the first of a family of four.
    factors = {"holm": 4, "hochberg": 4, "bonferroni": 4, "bh": 4, "none": 1}
    factor = {**factors, "by": 4 * (1 + 1 / 2 + 1 / 3 + 1 / 4)}[adjustment]
    base = np.round(BASE * 64) / 64  # so that the gaps are exact
    rows = {"a": base, "b": base + gap, "c": base - gap, "d": base + 2 * gap}
    given = scores(**rows, e=VALUES["high"])
    with pytest.warns(DegenerateScoresWarning, match="neither is evidence"):
        result = compare_scores(given, reference="a", adjustment=adjustment)
    pairs = by_pair(result)
    for name in "bcd":
        one = pairs[name, "a"]
        assert one.test.pvalue == (0 if gap else 1)  # as it is defined
        assert one.pvalue_adjusted == 1
        assert one.outcome == "undetermined"
        assert one.notes.count(UNDETERMINED) == one.test.notes.count(UNDETERMINED) == 1
    (other,) = (one for one in result if one.estimator == "e")
    assert 0 < factor * other.test.pvalue < 1
    assert other.pvalue_adjusted == pytest.approx(factor * other.test.pvalue, rel=1e-12)


def test_a_hole_is_a_fit_error_that_keeps_the_scores():
    values = {name: one.copy() for name, one in VALUES.items()}
    values["high"][3] = np.nan
    with pytest.raises(FitError, match="high, split 3, is nan") as caught:
        compare_scores(scores(**values))
    kept = caught.value.scores["accuracy"].dropna()
    result = compare_scores(kept)
    assert result.tests[0].n_splits == 14
    assert "1 of 15 splits dropped" in result.to_frame()["note"][0]


def test_sizes_that_are_very_unequal_are_noted_and_large_ones_written_out():
    def sized(*sizes, **options):
        design = SplitDesign.from_sizes(*sizes, **options)
        return CVScores(values=[*VALUES.values()], design=design, labels=tuple(VALUES))

    with pytest.warns(SplitDesignWarning, match=r"sizes \(the largest is 4 times the smallest"):
        compare_scores(sized([20] * 9 + [80] * 6, 10, n_samples=100))
    large = sized(1_234_567, 123_456, n_splits=15)
    assert "train 1234567, test 123456)" in squeezed(compare_scores(large))
    assert "1234567 training rows" in repr(large)


def test_sentences_say_the_verdict_and_its_limits():
    result = compare_scores(scores(**VALUES))
    pairs = by_pair(result)
    assert str(pairs["high", "middle"]).startswith("high scores significantly higher than middle")
    assert "at the 5 % level" in str(pairs["high", "middle"])
    assert str(pairs["middle", "low"]).startswith("middle scores significantly higher than low")
    text = squeezed(result)
    assert "15 splits (n = 100, train 90, test 10)" in text
    assert "models trained on 90 rows" in text
    assert "p-values and intervals are adjusted by the max-t method for 3 comparisons." in text
    holm = compare_scores(scores(**VALUES), adjustment="holm")
    assert "adjusted by Holm's method for 3 comparisons, intervals not" in squeezed(holm)
    assert "(unadjusted " in str(holm)
    assert "unadjusted 95 % confidence interval" in str(holm[0])
    assert "unadjusted" not in text
    same = compare_scores(scores(a=BASE, b=BASE + RNG.normal(0, 0.05, size=15)))
    said = r"No significant difference between (a and b|b and a) in accuracy was found at the 5 %"
    assert re.search(said, str(same))
    assert "that is not evidence of equality" in squeezed(same)
    less = compare_scores(scores(a=BASE, b=VALUES["high"]), alternative="less", reference="b")
    assert "a scores significantly lower than b" in str(less)
    assert "at most" in str(less)
    assert "confidence bound: at most" in str(less[0])


def test_told_at_another_level():
    values = np.array([0.9, 0.88]) + np.random.default_rng(0).normal(0, 0.02, (15, 2))
    result = compare_scores(scores_of(values.T, "ab", "score"))
    assert 0.01 < result.tests[0].pvalue < 0.1
    loose, strict = result.with_confidence(0.9), result.with_confidence(0.99)
    assert "a scores significantly higher than b in score at the 10 % level" in str(loose)
    said = "No significant difference between a and b in score was found at the 1 % level"
    assert said in str(strict)
    for one, level in [(result, 0.95), (loose, 0.9), (strict, 0.99)]:
        assert one.confidence_level == level
        low, high = result.tests[0].confidence_interval(level)
        assert one.to_frame()[["low", "high"]].iloc[0].tolist() == [low, high]
        assert f"{100 * level:g} % confidence interval {low:.3g} to {high:.3g}" in str(one[0])
        assert f"{100 * level:g} % interval" in str(one)
    assert strict.to_frame(0.95).equals(result.to_frame())


@pytest.mark.parametrize(
    ("shift", "null_value", "alternative", "verdict"),
    [
        (0.01, 0.05, "two-sided", "a - b in accuracy is significantly below 0.05"),
        (-0.01, -0.05, "greater", "a - b in accuracy is significantly above -0.05"),
        (0.05, 0.05, "two-sided", "a - b in accuracy is not significantly different from 0.05"),
        (0.09, 0.05, "less", "a - b in accuracy is not significantly below 0.05"),
        (0.05, 0.0, "two-sided", "a scores significantly higher than b in accuracy"),
        (-0.05, 0.0, "two-sided", "a scores significantly lower than b in accuracy"),
        (-0.05, 0.0, "greater", "a does not score significantly higher than b"),
    ],
)
def test_verdicts_against_a_null_value_speak_of_the_difference(
    shift, null_value, alternative, verdict
):
    noise = np.random.default_rng(5).normal(0, 0.004, size=15)
    noise -= noise.mean()
    test = CorrectedResampledTTest(null_value=null_value, alternative=alternative)
    both = scores(a=BASE + shift + noise, b=BASE)
    text = str(compare_scores(both, method=test, reference="b").comparisons[0])
    assert verdict in text
    if null_value:
        assert "scores" not in text


def test_designs_are_merged_over_all_estimators():
    X, y = load_iris(return_X_y=True)
    splits = [RepeatedSubsampleSplit(12, random_state=seed) for seed in (0, 1)]
    runs = [cross_validate(DummyClassifier(), X, y, cv=cv, return_indices=True) for cv in splits]
    sizes = SplitDesign.from_sizes(135, 15, n_splits=12)
    stated = CVScores(values=runs[0]["test_score"], design=sizes)
    first, other = (CVScores.from_cv_results(run) for run in runs)
    with pytest.raises(PairingError, match="Score both estimators with the same cv"):
        compare_scores({"a": stated, "b": first, "c": other})
    with pytest.warns(DegenerateScoresWarning):
        merged = compare_scores({"a": stated, "b": first}).scores
    assert merged.design.digests == first.design.digests
    assert [note.code for note in merged.notes] == ["pairing not verified"]


def test_times_and_row_scores_are_kept():
    rows = [RowScores.from_splits([np.full(3, k)] * 15, [np.arange(3)] * 15) for k in (1.0, 2.0)]
    facts = {"design": DESIGN, "fit_times": np.ones(15), "metric": "r"}
    of_rows = [CVScores(values=one.means(), row_scores=one, **facts) for one in rows]
    parts = dict(zip("ab", of_rows, strict=True))
    with pytest.warns(DegenerateScoresWarning):
        scores = compare_scores(parts).scores
    np.testing.assert_array_equal(scores.fit_times, np.ones((2, 15)))
    np.testing.assert_array_equal(scores["b"].row_scores.values, rows[1].values)
    other_metric = CVScores(values=BASE, design=DESIGN, metric="f1")
    with pytest.raises(PairingError, match="Score both with the same scoring"):
        compare_scores({**parts, "c": other_metric})


def test_comparisons_are_a_sequence():
    result = compare_scores(scores(**VALUES))
    comparisons = result.comparisons
    assert comparisons[-1] is comparisons[2]
    assert comparisons[:2] == (comparisons[0], comparisons[1])
    assert [comparison.test for comparison in comparisons] == list(result.tests)
    assert repr(comparisons) == "<3 Comparisons>"
    assert len(result.sentences()) == 3
    many = scores_of(BASE + np.random.default_rng(1).normal(0, 0.01, size=(6, 15)))
    *said, more = compare_scores(many, adjustment="holm").sentences()
    assert (len(said), more) == (10, "5 more comparisons in the table.")
    with pytest.raises(IndexError, match="no comparison at 3: there are 3, numbered from 0"):
        comparisons[3]


def test_a_score_of_a_failed_fit_is_missing_even_if_it_is_a_number():
    failed = replace(scores(**VALUES), failures=((1, 3, "RuntimeError: the disk is full"),))
    assert np.isfinite(failed.values).all()
    options = {"test": CorrectedResampledTTest(), "reference": None, "adjustment": "holm"}
    with pytest.raises(FitError, match=r"\['low', 'middle'\]"):
        compare({"accuracy": failed}, **options)
    result = compare({"accuracy": failed}, on_error="drop", **options)
    assert result.names == ("low", "middle")
    assert result.dropped == (("high", None, "RuntimeError: the disk is full; 1 of 15 splits"),)
