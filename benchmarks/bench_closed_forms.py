"""Closed forms for all splits at once, against one `cross_validate` call over the same splits.

The splits are those of the conservative Z test, 315 of them, given as row numbers: 15 of all rows
with a tenth to test on, and 15 in either half of 10 random halvings. Everything runs in one thread.
"""

import numpy as np
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import cross_validate
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from skcvstats import HalfSplitPairs, RepeatedSubsampleSplit
from skcvstats.fitting import FailedFits, Routed, Splits, Workload, read_metrics

from ._timing import ratio
from .closed_forms import records

CASES = {
    "OLS, 200 x 2": (LinearRegression(), 200, 2),
    "OLS, 5000 x 50": (LinearRegression(), 5000, 50),
    "ridge, 20,000 x 100": (Ridge(), 20_000, 100),
    "1-NN, 300 x 16": (KNeighborsClassifier(1), 300, 16),
    "5-NN, 10,000 x 16": (KNeighborsClassifier(5), 10_000, 16),
}


class AllSplits:
    """The two ways to score one estimator on all splits."""

    def __init__(self, model, n, d, n_splits=15, n_pairs=10):
        rng = np.random.RandomState(0)
        self.model, self.X = model, rng.normal(size=(n, d))
        signal = self.X @ rng.normal(size=d) + rng.normal(size=n)
        is_classifier = hasattr(model, "n_neighbors")
        self.y = (signal > 0).astype(int) if is_classifier else signal
        self.scoring = "accuracy" if is_classifier else "neg_mean_squared_error"
        whole = RepeatedSubsampleSplit(n_splits, random_state=0)
        halves = HalfSplitPairs(n_pairs, n_splits, random_state=0)
        self.splits = [*whole.split(self.X), *halves.split(self.X)]
        self.held = Splits.of(self.splits)
        given = {"model": model}, read_metrics(self.scoring)
        self.work = Workload.of(*given, routed=Routed(({},)), failures=FailedFits())

    def closed(self):
        fits = records(self.work, self.X, self.y, self.held)
        return [record.scores[self.scoring] for record in fits]

    def cross_validate(self):
        cv, scoring = self.splits, self.scoring
        return cross_validate(self.model, self.X, self.y, cv=cv, scoring=scoring)["test_score"]


class ClosedForms:
    """How many times faster than `cross_validate`."""

    params = (list(CASES),)
    param_names = ("fits",)
    unit = "x faster than cross_validate"
    timeout = 1800

    def setup(self, fits):
        self.both = AllSplits(*CASES[fits])
        self.is_tiny = len(self.both.X) <= 300
        self.repeat = 7 if self.is_tiny else 3

    def track_given_splits(self, fits):
        # Calls of a millisecond are taken together, so that a shared machine interrupts both.
        calls = 20 if self.is_tiny else 1
        with threadpool_limits(1):
            return calls * ratio(
                self.both.cross_validate,
                lambda: [self.both.closed() for _ in range(calls)],
                self.repeat,
            )
