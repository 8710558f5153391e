"""All pairs, two-sided and against 0: the better minus the worse, with the margin's bounds."""

import numpy as np
import pytest

from skcvstats import CorrectedResampledTTest, compare_scores
from skcvstats.stats import adjust_pvalues, corrected_resampled_ttest

from . import made

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


def test_equal_scores_stay_in_their_order():
    values = np.tile(scores_of(n=1).values, (2, 1))
    same = made.scores_of(values, "ab")
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
    for pair in here:
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
