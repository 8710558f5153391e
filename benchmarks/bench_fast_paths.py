"""Closed forms for all splits at once, against one `cross_validate` call over the same splits.

The splits are those of the conservative Z test, 315 of them, given as row numbers: 15 of all rows
with a tenth to test on, and 15 in either half of 10 random halvings. Everything runs in one thread.
"""

import numpy as np
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import cross_validate
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from skcvstats import HalfSplitPairs, RepeatedSubsampleSplit, cross_val_inference
from skcvstats.fitting._execution import Workload
from skcvstats.fitting._scoring import resolve_scoring
from skcvstats.fitting._splits import HeldSplits, Split
from skcvstats.fitting.closed_forms import fast_records
from skcvstats.scores._reading import split_digest

from ._timing import ratio

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
        self.whole = RepeatedSubsampleSplit(n_splits, random_state=0)
        halves = HalfSplitPairs(n_pairs, n_splits, random_state=0)
        self.splits = [*self.whole.split(self.X), *halves.split(self.X)]
        self.held = HeldSplits(
            {k: Split(*sides, split_digest(*sides)) for k, sides in enumerate(self.splits)}
        )
        scoring = resolve_scoring({"model": model}, self.scoring, error_score=np.nan)
        self.work = Workload(("model",), (model,), scoring, ({},), {}, np.nan)

    def fast(self):
        fits = fast_records(self.X, self.y, self.work, self.held, len(self.splits))
        return [record.scores[self.scoring] for record in fits]

    def cross_validate(self, splits=None):
        cv = self.splits if splits is None else splits
        return cross_validate(self.model, self.X, self.y, cv=cv, scoring=self.scoring)["test_score"]

    def conservative_z(self):
        """Draw all splits of the conservative Z test, score them and test."""
        return cross_val_inference(
            self.model, self.X, self.y, method="conservative_z", scoring=self.scoring
        ).estimate

    def inference(self):
        """Draw 15 splits, score them and test: all that a call of the public function does."""
        return cross_val_inference(
            self.model, self.X, self.y, cv=self.whole, scoring=self.scoring
        ).estimate


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
                lambda: [self.both.fast() for _ in range(calls)],
                self.repeat,
            )

    def track_conservative_z(self, fits):
        """A whole call on 315 splits that it draws, against `cross_validate` of these, given."""
        with threadpool_limits(1):
            return ratio(self.both.cross_validate, self.both.conservative_z, self.repeat)

    def track_whole_call(self, fits):
        """`cross_val_inference` on 15 splits that it draws, against `cross_validate` of these."""
        with threadpool_limits(1):
            return ratio(
                lambda: self.both.cross_validate(self.both.whole), self.both.inference, self.repeat
            )
