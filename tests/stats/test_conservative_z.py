"""The conservative Z test: its notes on half-samples that are nearly as large as the splits."""

import numpy as np
import pytest
from scipy import stats

from skcvstats import AnticonservativeWarning, ConservativeZTest, SplitDesign, SplitDesignWarning
from skcvstats.stats import conservative_ztest
from skcvstats.theory import cv_variance

NARROW = "nearly equal training sizes"


def notes(n_train, n_test=10, n_samples=100, half_test=10, pool=100):
    design = SplitDesign.from_sizes(n_train, n_test, n_splits=15, n_samples=n_samples)
    halves = SplitDesign.from_sizes(
        pool // 2 - half_test,
        half_test,
        n_splits=300,
        n_samples=pool,
        levels=("pair", "half", "split"),
        shape=(10, 2, 15),
    )
    return ConservativeZTest().notes(design, halves)


@pytest.mark.parametrize(
    ("n_train", "found"),
    [
        (90, []),  # the default: 40 against 90
        (54, []),
        (53, [NARROW]),  # 40/53 is above three quarters
        (41, [NARROW]),
        (40, ["liberal procedure"]),  # no fewer rows: said more strongly, and once
    ],
)
def test_half_samples_that_train_on_nearly_as_many_rows(n_train, found):
    assert [note.code for note in notes(n_train)] == found


def test_splits_of_all_rows_are_a_matter_of_design():
    (note,) = notes(50)
    assert note.category is SplitDesignWarning
    assert "train on 40 rows, 0.8 of the 50 of the estimate" in str(note)


def test_a_fixed_part_of_the_rows_is_anticonservative():
    # The report's (n/2, n/10) of section 5.1, within .6 of the rows: liberal in half of the panels.
    (note,) = notes(50, n_samples=60)
    assert (note.code, note.category) == (NARROW, AnticonservativeWarning)
    assert "drawn from 60 of 100" in str(note)


def test_larger_test_sets_of_the_estimate_need_no_note():
    # The report's (n/2, n/2), with half-samples at (2n/5, n/10): conservative in all panels.
    assert notes(50, n_test=50) == ()


def test_arrays_have_the_same_note():
    x, halves = np.arange(15.0), np.random.default_rng(0).normal(size=(10, 2, 15))
    close = conservative_ztest(x, halves, n_train=50, n_test=10, n_samples=100)
    assert [note.code for note in close.notes] == [NARROW]
    assert conservative_ztest(x, halves, n_train=90, n_test=10).notes == ()


@pytest.mark.parametrize(
    ("n_samples", "is_liberal"), [(100, False), (60, True)], ids=["all rows", "a fixed part"]
)
def test_size_where_the_loss_depends_on_the_test_row_only(n_samples, is_liberal):
    # Why the categories differ: exact sizes at 10 %.
    n_splits, n_pairs, n_test = 15, 10, 10
    ratio = cv_variance(1, n_test / n_samples, n_splits) / cv_variance(1, n_test / 50, n_splits)
    size = 2 * stats.t.cdf(stats.norm.ppf(0.05) / np.sqrt(ratio), n_pairs)
    assert (size > 0.1) == is_liberal
