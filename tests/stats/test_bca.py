"""Bias-corrected and accelerated intervals: SciPy's, and the p-values that agree with them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap

from skcvstats.test_set._bca import bca_interval, bca_pvalue, corrections
from skcvstats.test_set._resampling import Resampling, strata_of

ALTERNATIVES = ["two-sided", "less", "greater"]


def skewed(seed=0, n=30):
    random = np.random.RandomState(seed)
    x = random.exponential(size=n)
    return x, random


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_against_scipy(level, alternative):
    x, random = skewed()
    theirs = bootstrap(
        (x,),
        np.mean,
        n_resamples=1999,
        method="BCa",
        confidence_level=level,
        alternative=alternative,
        random_state=random,
    )
    replicates = np.sort(theirs.bootstrap_distribution)
    left_out = np.array([[np.delete(x, k).mean() for k in range(len(x))]])
    found = corrections([x.mean()], replicates[None], left_out)
    ours = bca_interval(1 - level, replicates, found.bias[0], found.acceleration[0], alternative)
    for own, other in zip(ours, theirs.confidence_interval, strict=True):
        if np.isinf(other):
            assert own == other
            continue
        places = np.searchsorted(replicates, [own, other])
        assert abs(np.diff(places)[0]) <= 2  # SciPy interpolates between replicates


@given(
    st.integers(0, 20),
    st.floats(-0.5, 0.5),
    st.floats(-0.3, 0.3),
    st.sampled_from([0.5, 0.2, 0.1, 0.05, 0.01, 0.002]),
    st.sampled_from(ALTERNATIVES),
)
@settings(max_examples=50)
def test_p_is_the_inversion_of_the_interval(seed, bias, acceleration, alpha, alternative):
    replicates = np.sort(np.round(np.random.RandomState(seed).normal(size=499), 1))
    low, high = bca_interval(alpha, replicates, bias, acceleration, alternative)
    for null in (*np.arange(-3.2, 3.2, 0.1), low, high):
        p = bca_pvalue(null, replicates, bias, acceleration, alternative)
        assert (p <= alpha) == (null < low or null > high)


def test_p_is_never_below_its_resolution():
    replicates = np.linspace(1, 2, 99)
    for alternative in ALTERNATIVES:
        assert bca_pvalue(-9, replicates, 0.4, 0.2, alternative) >= 0.01
    assert bca_interval(0.009, replicates, 0.0, 0.0, "two-sided") == (-np.inf, np.inf)


def test_percentiles_where_nothing_can_be_corrected():
    replicates = np.random.RandomState(0).normal(size=(2, 99))
    found = corrections([9.0, 0.0], replicates, np.array([[1.0, 2.0, 4.0], [3.0, 3.0, 3.0]]))
    assert found.percentile.tolist() == [True, True]
    assert found.bias.tolist() == found.acceleration.tolist() == [0.0, 0.0]


def test_replicates_are_drawn_from_their_number_alone():
    resampling = Resampling(50, seed=3)
    assert np.array_equal(resampling.draw(7), Resampling(50, seed=3).draw(7))
    assert not np.array_equal(resampling.draw(7), resampling.draw(8))
    assert not np.array_equal(resampling.draw(7), resampling.draw(7, attempt=1))
    counts = sum(np.bincount(resampling.draw(k), minlength=50) for k in range(2000))
    assert np.abs(counts / 2000 - 1).max() < 5 / np.sqrt(2000)


def test_strata_keep_their_sizes():
    codes = np.arange(60) % 20
    classes = codes % 4 == 0
    strata = strata_of(classes, codes)
    drawn = Resampling(20, seed=0, strata=strata).draw(0)
    assert np.count_nonzero(drawn % 4 == 0) == 5
    with pytest.raises(ValueError, match="groups hold rows of several classes"):
        strata_of(np.arange(60) < 30, codes)


@pytest.mark.parametrize("n_groups", [10, 2000, 5001])
def test_blocks_are_of_equal_size(n_groups):
    sizes = np.bincount(Resampling(n_groups, seed=0).blocks())
    assert len(sizes) == min(n_groups, 2000)
    assert sizes.max() - sizes.min() <= 1


def test_replicates_that_tie_with_the_estimate_count_half():
    found = corrections([1.0], np.array([[0.0, 1, 1, 2]]), np.array([[0.5, 1, 1.25]]))
    assert found.bias.tolist() == [0]
