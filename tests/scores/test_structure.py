"""Arrangements of splits: what is left of them when some are dropped."""

import numpy as np
import pytest

from skcvstats import BootstrapTTest, CVScores, FitError, SplitDesign

PAIRS = ("pair", "half", "split")
REPLICATES = ("replicate", "split")


def scores_with_holes(levels, shape, holes):
    n_splits = int(np.prod(shape))
    design = SplitDesign.from_sizes(
        40, 10, n_splits=n_splits, n_samples=100, levels=levels, shape=shape
    )
    values = np.arange(n_splits, dtype=float)
    values[holes] = np.nan
    return CVScores(values=values, design=design)


@pytest.mark.parametrize(
    ("levels", "shape", "holes", "left", "shape_left"),
    [
        # Pair 1 is splits 6 to 11: a hole in one half takes the other half with it.
        (PAIRS, (3, 2, 3), [7], [*range(6), *range(12, 18)], (2, 2, 3)),
        (PAIRS, (3, 2, 3), [0, 17], list(range(6, 12)), (1, 2, 3)),
        (REPLICATES, (4, 2), [0, 5], [2, 3, 6, 7], (2, 2)),
    ],
)
def test_a_hole_takes_its_whole_pair_or_replicate(levels, shape, holes, left, shape_left):
    rest = scores_with_holes(levels, shape, holes).dropna()
    assert rest.values.tolist() == left
    assert (rest.design.levels, rest.design.shape) == (levels, shape_left)
    n_dropped = np.prod(shape) - len(left)
    told = f"{n_dropped} of {np.prod(shape)} splits dropped for missing scores"
    assert [str(note) for note in rest.notes] == [told]


def test_folds_are_plain_splits_without_one_of_them():
    rest = scores_with_holes(("repeat", "fold"), (2, 3), [4]).dropna()
    assert rest.values.tolist() == [0, 1, 2, 3, 5]
    assert (rest.design.levels, rest.design.shape) == (("split",), (5,))


def test_the_order_of_what_is_taken_decides():
    design = scores_with_holes(REPLICATES, (3, 2), []).design
    assert design.take([4, 5, 0, 1]).shape == (2, 2)
    assert design.take([1, 0, 4, 5]).levels == ("split",)
    assert design.take([0, 1, 2]).levels == ("split",)
    assert design.take([1, 2]).levels == ("split",)


def test_nothing_left():
    with pytest.raises(FitError, match="No split is left"):
        scores_with_holes(PAIRS, (2, 2, 2), [0, 5]).dropna()


@pytest.mark.filterwarnings("ignore::skcvstats.AnticonservativeWarning")
def test_a_bootstrap_goes_on_without_a_failed_replicate():
    holed = scores_with_holes(REPLICATES, (5, 3), [4])
    result = BootstrapTTest()(holed.dropna())
    means = np.arange(15.0).reshape(5, 3)[[0, 2, 3, 4]].mean(axis=1)
    assert result.estimate == means[0]
    assert result.df == 2
    assert result.standard_error == pytest.approx(means[1:].std(ddof=1))
