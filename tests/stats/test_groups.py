"""Degrees of freedom and effective numbers of groups: matrices, and simulated variances."""

import numpy as np
import pytest

from skcvstats.stats._groups import GroupSizes, jackknife_df


def matrix_df(sizes, squares):
    """The formula with its matrix of G x G."""
    total, rest = sizes.sum(), sizes.sum() - sizes
    mixed = np.outer(sizes, squares)
    form = np.diag(squares) - (mixed + mixed.T) / total
    form += np.outer(sizes, sizes) * squares.sum() / total**2
    form /= np.outer(rest, rest)
    return np.trace(form) ** 2 / np.trace(form @ form)


@pytest.mark.parametrize("seed", range(6))
def test_sums_over_groups_are_the_traces_of_the_matrix(seed):
    random = np.random.RandomState(seed)
    n_groups = random.randint(2, 40)
    codes = np.concatenate([np.arange(n_groups), random.choice(n_groups, 60)])
    weights = np.exp(random.choice([0, 1, 3]) * random.normal(size=len(codes)))
    sizes, squares = np.bincount(codes, weights), np.bincount(codes, weights**2)
    df = jackknife_df(sizes, squares)
    assert df == pytest.approx(matrix_df(sizes, squares), rel=1e-9)
    assert 1 <= df <= n_groups - 1
    assert jackknife_df(sizes * 1e-3, squares * 1e-6) == pytest.approx(df, rel=1e-9)


def test_the_variance_of_the_squared_standard_error_is_that_of_the_chi_squared_law():
    """2 E^2/V of simulated squares, for 200,000 data sets of independent normal rows."""
    sizes = np.array([30.0, 20, 10, 5, 5, 5])
    random = np.random.default_rng(0)
    sums = random.normal(size=(200_000, 6)) * np.sqrt(sizes)
    moves = (sums - sums.sum(axis=1, keepdims=True) * sizes / 75) / (75 - sizes)
    squares = np.square(moves).sum(axis=1)
    assert 2 * squares.mean() ** 2 / squares.var() == pytest.approx(jackknife_df(sizes), rel=0.03)


@pytest.mark.parametrize("n_groups", [2, 5, 12, 100_000])
@pytest.mark.parametrize("size", [1, 7, 0.1, 1 / 3])
def test_equal_groups_have_exactly_their_number_less_1(n_groups, size):
    assert jackknife_df(np.full(n_groups, float(size))) == n_groups - 1


def test_effective_numbers():
    assert GroupSizes(np.full(7, 3.0)).effective == 7
    assert GroupSizes(np.array([2.0, 1.0])).effective == 9 / 5
    GroupSizes(np.full(2, 0.1)).check()
    with pytest.raises(ValueError, match="Too few or too unequal groups: the 2 groups"):
        GroupSizes(np.array([2.0, 1.0])).check()
