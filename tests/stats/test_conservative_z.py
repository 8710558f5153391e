"""The conservative Z test: its notes on half-samples that are nearly as large as the splits."""

import numpy as np
import pytest

from skcvstats import AnticonservativeWarning, ConservativeZTest, SplitDesign, SplitDesignWarning
from skcvstats.stats import conservative_ztest

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
    ("sizes", "found", "category", "said"),
    [
        ({"n_train": 90}, [], None, ""),  # the default: 40 against 90
        ({"n_train": 54}, [], None, ""),
        # 40/53 is above three quarters. Splits of all rows are a matter of design.
        ({"n_train": 53}, [NARROW], SplitDesignWarning, "train on 40 rows, 0.755 of the 53"),
        ({"n_train": 50}, [NARROW], SplitDesignWarning, "train on 40 rows, 0.8 of the 50"),
        ({"n_train": 41}, [NARROW], SplitDesignWarning, "train on 40 rows"),
        # No fewer rows: said more strongly, and once.
        ({"n_train": 40}, ["liberal procedure"], AnticonservativeWarning, ""),
        # The report's (n/2, n/10) of section 5.1, within .6 of the rows: liberal in half of the
        # panels; and its (n/2, n/2), half-samples at (2n/5, n/10): conservative in all panels.
        (
            {"n_train": 50, "n_samples": 60},
            [NARROW],
            AnticonservativeWarning,
            "drawn from 60 of 100",
        ),
        ({"n_train": 50, "n_test": 50}, [], None, ""),
    ],
)
def test_half_samples_that_train_on_nearly_as_many_rows(sizes, found, category, said):
    given = notes(**sizes)
    assert [note.code for note in given] == found
    assert all(note.category is category and said in str(note) for note in given)


def test_arrays_have_the_same_note():
    x, halves = np.arange(15.0), np.random.default_rng(0).normal(size=(10, 2, 15))
    close = conservative_ztest(x, halves, n_train=50, n_test=10, n_samples=100)
    assert [note.code for note in close.notes] == [NARROW]
    assert conservative_ztest(x, halves, n_train=90, n_test=10).notes == ()
