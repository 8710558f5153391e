"""What the procedures cost on arrays, as a ratio to NumPy's moments over the same array."""

import warnings

import numpy as np

from skcvstats.stats import (
    bootstrap_ttest,
    conservative_ztest,
    corrected_bootstrap_ttest,
    corrected_resampled_ttest,
    five_by_two_cv_ftest,
    five_by_two_cv_ttest,
    holdout_ttest,
    resampled_ttest,
)

from ._timing import ratio

SIZES = {"n_train": 90, "n_test": 10}
HALVES = {"n_train": 50, "n_test": 50}

# Each on 15 numbers for each test, or as many of them as the procedure takes.
CASES = {
    "bootstrap_ttest": lambda x: bootstrap_ttest(x.reshape(-1, 5, 3), **SIZES),
    "conservative_ztest": lambda x: conservative_ztest(
        x[:, :3], x[:, 3:].reshape(-1, 2, 2, 3), **SIZES
    ),
    "corrected_bootstrap_ttest": lambda x: corrected_bootstrap_ttest(x.reshape(-1, 5, 3), **SIZES),
    "corrected_resampled_ttest": lambda x: corrected_resampled_ttest(x, **SIZES),
    "five_by_two_cv_ftest": lambda x: five_by_two_cv_ftest(x[:, :10]),
    "five_by_two_cv_ttest": lambda x: five_by_two_cv_ttest(x[:, :10], **HALVES),
    "holdout_ttest": lambda x: holdout_ttest(x, n_train=30),
    "resampled_ttest": lambda x: resampled_ttest(x, **SIZES),
}


class ArrayFunctions:
    """Time over that of ``x.mean(-1)`` and ``x.var(-1, ddof=1)``."""

    params = (list(CASES), [1_000_000])
    param_names = ("function", "n_rows")
    unit = "x NumPy's mean and variance"
    repeat = 7

    def setup(self, function, n_rows):
        warnings.simplefilter("ignore")  # the naive procedures warn
        self.x = np.random.default_rng(0).normal(size=(n_rows, 15))

    def track_ratio(self, function, n_rows):
        x = self.x
        return ratio(
            lambda: CASES[function](x),
            lambda: (x.mean(axis=-1), x.var(axis=-1, ddof=1)),
            self.repeat,
        )
