"""What the procedures cost on arrays, as a ratio to NumPy's moments over the same array."""

import timeit

import numpy as np

from skcvstats import corrected_resampled_ttest


class ArrayFunctions:
    """Ratio to ``x.mean(-1)`` and ``x.var(-1, ddof=1)``; each side's best of several runs."""

    params = ([1_000_000],)
    param_names = ("n_rows",)
    unit = "x numpy's mean and variance"
    repeat = 7

    def setup(self, n_rows):
        self.x = np.random.default_rng(0).normal(size=(n_rows, 15))

    def best(self, function):
        return min(timeit.repeat(function, number=1, repeat=self.repeat))

    def track_corrected_resampled_ttest(self, n_rows):
        ours = self.best(lambda: corrected_resampled_ttest(self.x, n_train=90, n_test=10))
        moments = self.best(lambda: (self.x.mean(axis=-1), self.x.var(axis=-1, ddof=1)))
        return ours / moments
