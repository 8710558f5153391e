"""Adjusted p-values, within each metric; the better minus the worse."""

import numpy as np
import pytest

import skcvstats as s
from skcvstats.stats import adjust_pvalues, corrected_resampled_ttest, deciding_level
from tests.conftest import golden_cases

from . import made

# R also has Hommel's method; statsmodels Sidak's. They are not offered: Holm serves without the
# assumptions of either.
R_NAMES = {
    "holm": "holm", "hochberg": "hochberg", "bonferroni": "bonferroni", "BH": "bh", "BY": "by",
    "none": "none",
}  # fmt: skip
STATSMODELS_NAMES = {
    "holm": "holm", "simes-hochberg": "hochberg", "bonferroni": "bonferroni", "fdr_bh": "bh",
    "fdr_by": "by",
}  # fmt: skip
BY_R = [one for one in golden_cases("baseR_p_adjust") if one["inputs"]["method"] in R_NAMES]


@pytest.mark.parametrize("case", BY_R, ids=lambda case: case["id"])
def test_against_r(case):
    adjusted = adjust_pvalues(case["inputs"]["p"], R_NAMES[case["inputs"]["method"]])
    np.testing.assert_allclose(adjusted, np.ravel(case["outputs"]["adjusted"]), rtol=1e-12)


@pytest.mark.parametrize("theirs", STATSMODELS_NAMES)
@pytest.mark.parametrize("k", range(3))
def test_against_statsmodels(k, theirs):
    case = golden_cases("statsmodels_multipletests")[k]
    adjusted = adjust_pvalues(case["inputs"]["p"], STATSMODELS_NAMES[theirs])
    np.testing.assert_allclose(adjusted, case["outputs"][theirs], rtol=1e-12)


def test_an_unadjusted_test_decides_at_the_level_itself_and_no_pvalues_give_none():
    assert adjust_pvalues([]).size == 0
    assert deciding_level(np.array([0.2, 0.3]), "none", 0, 0.05) == pytest.approx(0.05, rel=1e-12)


def test_notes_are_of_the_pairs_concerned():
    """The fits of c alone differ, far more than its rows explain."""
    rng = np.random.default_rng(0)
    y, folds = rng.normal(size=200), np.array([rng.permutation(200) % 5 for _ in range(2)])
    models = {name: y + rng.normal(size=(2, 200)) for name in "abc"}
    models["c"] = models["c"] + 3 * np.take_along_axis(rng.normal(size=(2, 5)), folds, axis=1)
    scoring = "neg_mean_absolute_error"
    guarded = s.compare_out_of_fold(y, models, folds=folds, scoring=scoring, margin=0.2)
    with_c = ["c" in (pair.estimator, pair.versus) for pair in guarded]
    assert sorted(with_c) == [False, True, True]
    told = guarded.to_frame(full=True)["note"]
    for pair, concerned, note in zip(guarded, with_c, told, strict=True):
        for notes in (pair.notes, pair.test.notes):
            assert ("fits differ" in {note.code for note in notes}) == concerned
        assert ("small margin" in {note.code for note in pair.notes}) == concerned
        assert note == "; ".join(each.code for each in pair.notes)
        assert not any("of 3 " in str(each) for each in pair.notes)
    text = " ".join(map(str, guarded.notes))
    assert "in 2 of 3 tests, scores vary more between fits" in text
    assert "could hardly be shown in 2 of 3 comparisons: the margin" in text
    assert "that that" not in text


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_comparisons_say_so(alternative):
    noise = np.random.default_rng(0).normal(0, 0.001, (3, 10))
    scores = made.scores_of(np.array([[1], [0.9], [0.8]]) + noise, "abc")
    result = s.compare_scores(scores, alternative=alternative, reference="b")
    assert "2 one-sided comparisons, adjusted" in " ".join(str(result).split())
    outcomes = {pair.estimator: pair.outcome for pair in result}
    shown = ("higher", "not significant", "lower")
    shown = shown[:2] if alternative == "greater" else shown[1:]
    assert (outcomes["a"], outcomes["c"]) == shown


MARGIN = (-0.01, 0.03)


def scores_of(seed=0, n=5, names="abcde", metric="accuracy"):
    rng = np.random.default_rng(seed)
    means = rng.permutation([0.7, 0.702, 0.72, 0.75, 0.85])[:n]
    base = rng.normal(0, 0.05, 15)
    values = means[:, None] + base + rng.normal(0, 0.01, (n, 15))
    return made.scores_of(values, names[:n], metric)


def reversed_order(scores):
    return made.scores_of(scores.values[::-1], scores.labels[::-1])


@pytest.mark.parametrize(("seed", "adjustment"), [(0, "max_t"), (1, "holm"), (2, "none")])
def test_each_pair_is_the_better_minus_the_worse(seed, adjustment):
    scores = scores_of(seed)
    means = dict(zip(scores.labels, scores.values, strict=True))
    result = s.compare_scores(scores, adjustment=adjustment)
    assert len(result) == 10
    if adjustment != "max_t":
        expected = adjust_pvalues([pair.test.pvalue for pair in result], adjustment)
        np.testing.assert_allclose([pair.pvalue_adjusted for pair in result], expected)
    for pair, row in zip(result, result.to_frame(full=True).itertuples(), strict=True):
        difference = means[pair.estimator] - means[pair.versus]
        alone = corrected_resampled_ttest(difference, n_train=90, n_test=10)
        for name in ("estimate", "statistic", "pvalue"):
            assert getattr(pair.test, name) == pytest.approx(getattr(alone, name), rel=1e-10)
        assert difference.mean() >= 0
        assert pair.score == pytest.approx(means[pair.estimator].mean())
        assert (row.estimator, row.versus) == (pair.estimator, pair.versus)
        assert row.difference == pair.test.estimate
        assert pair.outcome in ("higher", "not significant")


def test_else_the_order_given_stays():
    scores, shifted = scores_of(n=2), s.CorrectedResampledTTest(null_value=0.02)
    for given in (scores, reversed_order(scores)):
        for options in ({"alternative": "greater"}, {"method": shifted}):
            (pair,) = s.compare_scores(given, reference="a", **options)
            assert (pair.estimator, pair.versus) == ("b", "a")
    same = made.scores_of(np.tile(scores.values[:1], (2, 1)), "ab")
    with pytest.warns(match="do not vary"):
        (pair,) = s.compare_scores(same)
    assert (pair.estimator, pair.versus) == ("a", "b")


def evidence(pair):
    shown = {
        name: getattr(pair.margin_pvalues, name)
        for name in ("better_by_more", "worse_by_more", "not_worse", "not_better", "equivalent")
    }
    return [pair.outcome, pair.margin, pair.pvalue_adjusted, str(shown), str(pair)]


@pytest.mark.parametrize(("seed", "adjustment"), [(0, "bonferroni"), (1, "holm"), (2, "none")])
def test_bounds_are_turned_with_their_pair(seed, adjustment):
    """With the models in the other order the mirrored margin says the same of each pair."""
    scores = scores_of(seed)
    options = {"adjustment": adjustment}
    here = s.compare_scores(scores, margin=MARGIN, **options)
    there = s.compare_scores(reversed_order(scores), margin=(-0.03, 0.01), **options)
    found = {(pair.estimator, pair.versus): pair for pair in there}
    assert {pair.margin for pair in here} == {MARGIN, (-0.03, 0.01)}
    told = here.to_dict()
    for pair, row in zip(here, here.to_frame(full=True).itertuples(), strict=True):
        key = f"accuracy/{pair.estimator} - {pair.versus}"
        assert (row.margin_low, row.margin_high) == pair.margin
        assert (told[f"{key}/margin_low"], told[f"{key}/margin_high"]) == pair.margin
        turned = scores.labels.index(pair.estimator) > scores.labels.index(pair.versus)
        assert pair.margin == ((-0.03, 0.01) if turned else MARGIN)
        assert evidence(pair) == evidence(found[pair.estimator, pair.versus])
    after = s.compare_scores(scores, **options).with_margin(MARGIN)
    assert [evidence(pair) for pair in after] == [evidence(pair) for pair in here]


def test_metrics_are_turned_each_by_itself():
    scores = scores_of(0, n=2, metric="auc")
    flipped = made.scores_of(1 - scores.values, "ab", "f1")
    result = s.compare_scores({"auc": scores, "f1": flipped})
    assert {(pair.estimator, pair.versus) for pair in result} == {("a", "b"), ("b", "a")}
    assert [pair.outcome for pair in result] == ["higher", "higher"]


J, NAMES = 12, ("a", "b", "c")
DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=J)


def scores_of_two_metrics(seed=0, shift=0.0, names=NAMES):
    """Return scores in two metrics, of which the noise of a split is partly the same."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((len(names), J))
    values = {"one": noise, "two": 100 * (0.8 * noise + rng.standard_normal((len(names), J)))}
    values["one"][0] += shift
    known = {"design": DESIGN, "labels": names}
    return {k: s.CVScores(values=found, metric=k, **known) for k, found in values.items()}


@pytest.mark.parametrize("adjustment", ["max_t", "bonferroni"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_verdicts_and_intervals_agree(adjustment, alternative):
    how = {"adjustment": adjustment, "alternative": alternative, "margin": 1.5}
    if alternative != "two-sided":
        how["reference"] = NAMES[0]
    for seed in range(3):
        result = s.compare_scores(scores_of_two_metrics(seed, shift=1.0), **how)
        for comparison in result:
            low, high = comparison.family.intervals(comparison.test, 0.95)
            assert (comparison.pvalue_adjusted <= 0.05) == (low > 0 or high < 0)
    frame = result.to_frame(full=True)
    if adjustment == "bonferroni":
        n = 3 if alternative == "two-sided" else 2
        assert frame["pvalue_adjusted"].tolist() == np.minimum(1, n * frame["pvalue"]).tolist()


def test_the_first_metric_is_the_primary_one():
    result = s.compare_scores(scores_of_two_metrics(1, shift=6.0))
    assert result.best_set() == result["one"].best_set()
    assert result.ranking().equals(result["one"].ranking())
    assert result.letters().equals(result["one"].letters())
    kept = result.to_frame(full=True).query("pvalue_adjusted <= 0.025")
    assert 0 < len(kept) < 6
    (row, *_) = kept.to_dict("records")
    assert "not adjusted for the 2 metrics; one is the primary one." in str(result)
    said = " ".join(str(s.evaluation_report(result)).split())
    assert "one comes first, so it is the primary metric; p-values are not adjusted for" in said
    assert f"0.05/2 these stay significant: {row['estimator']} - {row['versus']} in" in said
    assert "primary" not in str(result["one"])
    nothing = s.compare_scores(scores_of_two_metrics(0))
    said = " ".join(str(s.evaluation_report(nothing)).split())
    assert "at level 0.05/2 no difference is significant." in said


def test_alpha_is_1_minus_the_level_without_its_rounding():
    result = s.compare_scores(made.scores_of(made.any_order(2)))

    def alpha_at(level):
        return result.with_confidence(level)[0].alpha

    levels = (np.float64(0.7), 0.8, 0.9, 0.95, 0.975, 0.99, 0.999, 0.99999)
    expected = [0.3, 0.2, 0.1, 0.05, 0.025, 0.01, 0.001, 0.00001]
    assert [alpha_at(level) for level in levels] == expected
    for level in (1 - 1e-9, 1 - 5e-13, 1 - 1e-13, 1 - 2**-53):
        assert 0 < alpha_at(level) == pytest.approx(1 - level, rel=1e-3)
