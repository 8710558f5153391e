"""Max-t by its formulas, at maxima, statistics and standard errors that are given by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from skcvstats import CorrectedResampledTTest
from skcvstats.comparison._family import MaxT
from skcvstats.comparison._joint import JointInference, make_draws
from skcvstats.stats._sample import Root

from .made import rising


def joint(n_estimators):
    return JointInference(CorrectedResampledTTest(), rising(n_estimators))


def one_sided(statistic, df, alternative="greater"):
    return SimpleNamespace(statistic=np.array(statistic), df=np.array(df), alternative=alternative)


class TestTail:
    """(1 + #{m >= t}) / (B + 1)."""

    family = MaxT(3, np.array([1.0, 2, 2, 3]), 14)

    @pytest.mark.parametrize(("t", "n_beyond"), [(0, 4), (1, 4), (2, 3), (2.5, 1), (3, 1), (4, 0)])
    def test_a_maximum_as_large_as_the_statistic_is_beyond_it(self, t, n_beyond):
        assert self.family.tail(np.array(t)) == (1 + n_beyond) / 5

    @pytest.mark.parametrize(
        ("alpha", "quantile"), [(0.04, np.inf), (0.05, 19), (0.1, 18), (0.15, 17), (0.19, 17)]
    )
    def test_the_quantile_counts_the_real_statistic(self, alpha, quantile):
        """The k-th largest of 19 with k = floor(20 alpha)."""
        assert MaxT(3, np.arange(1.0, 20), 14).quantile(alpha) == quantile


class TestBetweenTheSingleOneAndBonferronis:
    """With maxima far below or far above any t, one of the two bounds is the answer.

    The degrees of freedom of a comparison, 5, are not those of the bound, 14.
    """

    @pytest.mark.parametrize("tails", [1, 2])
    @pytest.mark.parametrize("alpha", [0.05, 0.2])
    def test_critical_values(self, alpha, tails):
        low, high = (MaxT(3, np.full(999, extreme), 14) for extreme in (0.0, 99.0))
        result = one_sided(1.0, 5, {1: "greater", 2: "two-sided"}[tails])
        single = stats.t.isf(alpha / tails, 5)
        bonferroni = stats.t.isf(alpha / 3 / tails, 14)
        wanted = min(single, bonferroni)
        assert low.critical(result, alpha) == pytest.approx(wanted, rel=1e-10)
        assert high.critical(result, alpha) == pytest.approx(bonferroni, rel=1e-10)

    @pytest.mark.parametrize("t", [0.5, 1.5, 3.0])
    def test_pvalues(self, t):
        low, high = (MaxT(3, np.full(99_999, extreme), 14) for extreme in (-99.0, 99.0))
        bonferroni = min(1, 3 * stats.t.sf(t, 14))
        wanted = min(stats.t.sf(t, 5), bonferroni)
        assert low.pvalues(one_sided([t], 5)) == pytest.approx([wanted], rel=1e-10)
        assert high.pvalues(one_sided([t], 5)) == pytest.approx([bonferroni], rel=1e-10)


def test_only_correlations_are_shrunk():
    """Covariances of centred scores times nu / (K + nu), variances as they are."""
    values = np.random.RandomState(0).normal(size=(4, 6))
    draws = make_draws(Root(values, 6), ~np.eye(4, dtype=bool))
    found = draws.factor @ draws.factor.T
    deviations = np.sqrt(np.diag(found))
    centred = values - values.mean(axis=0)
    expected = np.sum(centred[:, None] * centred[None], axis=2)
    lengths = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(deviations / deviations[0], lengths / lengths[0])
    shrunk = expected / np.outer(lengths, lengths) * np.where(np.eye(4), 1, 6 / (4 + 6))
    np.testing.assert_allclose(found / np.outer(deviations, deviations), shrunk, rtol=1e-12)


@pytest.mark.parametrize(("scale", "varies"), [(1e-10, False), (1e-6, True)])
def test_what_varies_by_rounding_only_has_no_row(scale, varies):
    """The third is the mean of the others but for a part of them that is about `scale`."""
    values = np.random.RandomState(0).normal(size=(3, 14))
    values[2] = values[:2].mean(axis=0) + scale * values[2]
    factor = make_draws(Root(values, 14), ~np.eye(3, dtype=bool)).factor
    assert factor.any(axis=1).tolist() == [True, True, varies]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_maxima_of_all_pairs_are_those_of_their_direction(alternative):
    three = joint(3)
    first, second = np.triu_indices(3, k=1)
    found = three.max_t(first, second, alternative).maxima
    places = three.places[first], three.places[second]
    expected = np.sort(three.draws.maxima(*places, alternative))
    np.testing.assert_allclose(found, expected, rtol=1e-5)
