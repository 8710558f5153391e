"""Adjusted p-values against base R and statsmodels; the better minus the worse."""

import numpy as np
import pytest

from skcvstats import CorrectedResampledTTest, compare_out_of_fold, compare_scores
from skcvstats.stats import adjust_pvalues, corrected_resampled_ttest
from skcvstats.stats._adjustment import deciding_level
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


@pytest.mark.parametrize(
    "case",
    [one for one in golden_cases("baseR_p_adjust") if one["inputs"]["method"] in R_NAMES],
    ids=lambda case: case["id"],
)
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


def gapped(gaps, spread=0.02, seed=0):
    noise = np.random.default_rng(seed).normal(0, spread, (len(gaps), 10))
    return made.scores_of(0.8 + np.array(gaps)[:, None] + noise, "abcd"[: len(gaps)])


def test_notes_are_of_the_pairs_concerned():
    """The fits of c alone differ, far more than its rows explain."""
    rng = np.random.default_rng(0)
    y, folds = rng.normal(size=200), np.array([rng.permutation(200) % 5 for _ in range(2)])
    models = {name: y + rng.normal(size=(2, 200)) for name in "abc"}
    models["c"] = models["c"] + 3 * np.take_along_axis(rng.normal(size=(2, 5)), folds, axis=1)
    scoring = "neg_mean_absolute_error"
    guarded = compare_out_of_fold(y, models, folds=folds, scoring=scoring, margin=0.2)
    with_c = ["c" in (pair.estimator, pair.versus) for pair in guarded]
    assert sorted(with_c) == [False, True, True]
    told = guarded.to_frame()["note"]
    for pair, concerned, note in zip(guarded, with_c, told, strict=True):
        for notes in (pair.notes, pair.test.notes):
            assert ("fits differ" in {note.code for note in notes}) == concerned
        assert ("small margin" in {note.code for note in pair.notes}) == concerned
        assert note == "; ".join(map(str, pair.notes))
        assert "of 3 " not in note
    text = " ".join(map(str, guarded.notes))
    assert "in 2 of 3 tests, the fits differ" in text
    assert "in 2 of 3 comparisons (" in text
    assert "that that" not in text


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_comparisons_need_a_reference_and_say_so(alternative):
    """Without one the order of a dict would be the hypothesis."""
    scores = gapped((0.2, 0.1, 0.0), spread=0.001)
    result = compare_scores(scores, alternative=alternative, reference="b")
    assert "for 2 one-sided comparisons" in " ".join(str(result).split())
    outcomes = {pair.estimator: pair.outcome for pair in result}
    shown = {"greater": ("higher", "not significant"), "less": ("not significant", "lower")}[
        alternative
    ]
    assert (outcomes["a"], outcomes["c"]) == shown
    for kept in ("ab", "abc"):
        some = {name: scores[name] for name in kept}
        with pytest.raises(ValueError, match=rf"alternative='{alternative}'.*Pass reference="):
            compare_scores(some, alternative=alternative)


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
    result = compare_scores(scores, adjustment=adjustment)
    assert len(result) == 10
    if adjustment != "max_t":
        expected = adjust_pvalues([pair.test.pvalue for pair in result], adjustment)
        np.testing.assert_allclose([pair.pvalue_adjusted for pair in result], expected)
    for pair, row in zip(result, result.to_frame().itertuples(), strict=True):
        difference = means[pair.estimator] - means[pair.versus]
        alone = corrected_resampled_ttest(difference, n_train=90, n_test=10)
        for name in ("estimate", "statistic", "pvalue"):
            assert getattr(pair.test, name) == pytest.approx(getattr(alone, name), rel=1e-10)
        assert difference.mean() >= 0
        assert pair.score == pytest.approx(means[pair.estimator].mean())
        assert (row.estimator, row.versus) == (pair.estimator, pair.versus)
        assert row.difference == pair.test.estimate
        assert pair.outcome in ("higher", "not significant")


@pytest.mark.parametrize(
    "options",
    [
        {"alternative": "greater", "reference": "a"},
        {"method": CorrectedResampledTTest(null_value=0.02), "reference": "a"},
    ],
    ids=str,
)
def test_else_the_order_given_stays(options):
    scores = scores_of(n=2)
    for given in (scores, reversed_order(scores)):
        (pair,) = compare_scores(given, **options)
        assert (pair.estimator, pair.versus) == ("b", "a")
    same = made.scores_of(np.tile(scores.values[:1], (2, 1)), "ab")
    with pytest.warns(match="do not vary"):
        (pair,) = compare_scores(same)
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
    here = compare_scores(scores, margin=MARGIN, **options)
    there = compare_scores(reversed_order(scores), margin=(-0.03, 0.01), **options)
    found = {(pair.estimator, pair.versus): pair for pair in there}
    assert {pair.margin for pair in here} == {MARGIN, (-0.03, 0.01)}
    told = here.to_dict()
    for pair, row in zip(here, here.to_frame().itertuples(), strict=True):
        key = f"accuracy/{pair.estimator} - {pair.versus}"
        assert (row.margin_low, row.margin_high) == pair.margin
        assert (told[f"{key}/margin_low"], told[f"{key}/margin_high"]) == pair.margin
        turned = scores.labels.index(pair.estimator) > scores.labels.index(pair.versus)
        assert pair.margin == ((-0.03, 0.01) if turned else MARGIN)
        assert evidence(pair) == evidence(found[pair.estimator, pair.versus])
    after = compare_scores(scores, **options).with_margin(MARGIN)
    assert [evidence(pair) for pair in after] == [evidence(pair) for pair in here]


def test_metrics_are_turned_each_by_itself():
    scores = scores_of(0, n=2, metric="auc")
    flipped = made.scores_of(1 - scores.values, "ab", "f1")
    result = compare_scores({"auc": scores, "f1": flipped})
    assert {(pair.estimator, pair.versus) for pair in result} == {("a", "b"), ("b", "a")}
    assert [pair.outcome for pair in result] == ["higher", "higher"]
