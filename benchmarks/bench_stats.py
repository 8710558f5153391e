"""What the procedures cost on arrays, as a ratio to NumPy's moments over the same array."""

import numpy as np

from skcvstats import corrected_resampled_ttest

from ._timing import ratio


class ArrayFunctions:
    """Time over that of ``x.mean(-1)`` and ``x.var(-1, ddof=1)``."""

    params = ([1_000_000],)
    param_names = ("n_rows",)
    unit = "x NumPy's mean and variance"
    repeat = 7

    def setup(self, n_rows):
        self.x = np.random.default_rng(0).normal(size=(n_rows, 15))

    def track_corrected_resampled_ttest(self, n_rows):
        return ratio(
            lambda: corrected_resampled_ttest(self.x, n_train=90, n_test=10),
            lambda: (self.x.mean(axis=-1), self.x.var(axis=-1, ddof=1)),
            self.repeat,
        )
