"""Fitted models on one test set: times as ratios to NumPy's, and peak memory over the input."""

import tracemalloc

import numpy as np
from sklearn.metrics import average_precision_score, get_scorer, make_scorer, r2_score

from skcvstats import compare_losses, compare_predictions
from skcvstats.test_set import clustered_mean, delong_auc

from ._timing import ratio, seconds

N_ROWS = 1_000_000


class AreasUnderROCCurves:
    """Areas of 10 models and their covariance, over sorting each model's scores."""

    params = (["distinct", "ties", "groups"], [N_ROWS])
    param_names = ("scores", "n_rows")
    unit = "x NumPy's argsort of each model's scores"
    repeat = 5

    def setup(self, scores, n_rows):
        random = np.random.default_rng(0)
        self.y = random.integers(0, 2, n_rows)
        self.x = self.y + random.normal(size=(10, n_rows))
        if scores == "ties":
            self.x = np.round(self.x, 2)
        self.groups = random.integers(0, n_rows // 100, n_rows) if scores == "groups" else None

    def track_ratio(self, scores, n_rows):
        """Return the time over that of the sorting."""
        return ratio(
            lambda: delong_auc(self.y, self.x, self.groups),
            lambda: [np.argsort(row) for row in self.x],
            self.repeat,
        )


class ClusteredStandardErrors:
    """Standard errors of the mean losses of 100 models, over NumPy's mean and variance."""

    params = ([10, 10_000], [N_ROWS])
    param_names = ("n_groups", "n_rows")
    unit = "x NumPy's mean and variance"
    repeat = 3

    def setup(self, n_groups, n_rows):
        random = np.random.default_rng(0)
        self.x = random.normal(size=(100, n_rows))
        self.groups = random.integers(0, n_groups, n_rows)

    def track_ratio(self, n_groups, n_rows):
        """Return the time over that of NumPy's mean and variance of each row."""
        return ratio(
            lambda: clustered_mean(self.x, self.groups),
            lambda: (self.x.mean(axis=1), self.x.var(axis=1, ddof=1)),
            self.repeat,
        )


class BootstrapOfMedianErrors:
    """2,000 replicates of the median absolute error of 2 models."""

    params = ([10_000],)
    param_names = ("n_rows",)
    unit = "seconds"

    def setup(self, n_rows):
        random = np.random.default_rng(0)
        self.y = random.normal(size=n_rows)
        self.given = {f"m{k}": self.y + random.normal(size=n_rows) for k in range(2)}

    def track_seconds(self, n_rows):
        """Return the time of the whole comparison."""
        scoring = "neg_median_absolute_error"
        return seconds(lambda: compare_predictions(self.y, self.given, scoring=scoring))


def concordance(y_true, risk):
    """Return the share of pairs of rows in which the higher risk comes first."""
    earlier = y_true[:, np.newaxis] < y_true
    return np.mean((risk[:, np.newaxis] > risk)[earlier])


JACKKNIFE_CASES = {
    "average precision, 1,000 rows": (average_precision_score, "average_precision", 1_000),
    "average precision, 100,000 rows": (average_precision_score, "average_precision", 100_000),
    "R2, 1,000,000 rows": (r2_score, "r2", 1_000_000),
    "concordance, 200 rows": (concordance, make_scorer(concordance), 200),
}


class Jackknife:
    """Two models whose metric is computed without each row, over the metric of both."""

    params = (list(JACKKNIFE_CASES),)
    param_names = ("case",)
    unit = "x the metric"
    repeat = 3

    def setup(self, case):
        self.function, self.scoring, n_rows = JACKKNIFE_CASES[case]
        random = np.random.default_rng(0)
        self.y = random.normal(size=n_rows)
        self.given = {f"m{k}": self.y + random.normal(size=n_rows) for k in range(2)}
        if self.scoring == "average_precision":
            self.y = (self.y > 1).astype(int)

    def compare(self):
        return compare_predictions(self.y, self.given, scoring=self.scoring)

    def track_ratio(self, case):
        """Return the time of a comparison over that of the metric."""
        return ratio(
            self.compare,
            lambda: [self.function(self.y, x) for x in self.given.values()],
            self.repeat,
        )


class OverScikitLearn:
    """Two models on a million rows, over scikit-learn's own metric of both."""

    params = (
        [
            "accuracy",
            "roc_auc",
            "neg_log_loss",
            "f1",
            "matthews_corrcoef",
            "average_precision",
            "r2",
        ],
        [N_ROWS],
    )
    param_names = ("metric", "n_rows")
    unit = "x the metric"
    repeat = 3

    def setup(self, metric, n_rows):
        random, score = np.random.default_rng(0), get_scorer(metric)
        self.y, shift = random.integers(0, 2, n_rows), random.normal(size=(2, n_rows))
        if metric == "r2":
            self.y = random.normal(size=n_rows)
        self.given = {f"m{k}": 1 / (1 + np.exp(-self.y - row)) for k, row in enumerate(shift)}
        if metric in ("accuracy", "f1", "matthews_corrcoef"):
            self.given = {name: (x > 0.6).astype(int) for name, x in self.given.items()}
        self.function = score._score_func

    def track_ratio(self, metric, n_rows):
        """Return the time of a comparison over that of the metric."""
        return ratio(
            lambda: compare_predictions(self.y, self.given, scoring=metric),
            lambda: [self.function(self.y, x) for x in self.given.values()],
            self.repeat,
        )


class PeakMemory:
    """The most that is allocated on top of the input, of 10 models."""

    params = (["losses", "roc_auc"], [N_ROWS])
    param_names = ("door", "n_rows")
    unit = "x the input"

    def setup(self, door, n_rows):
        random = np.random.default_rng(0)
        self.y = random.integers(0, 2, n_rows)
        self.x = self.y + random.normal(size=(10, n_rows))

    def track_ratio(self, door, n_rows):
        """Return the peak over the size of the predictions or losses."""
        tracemalloc.start()
        if door == "losses":
            compare_losses(self.x)
        else:
            compare_predictions(
                self.y, {f"m{k}": row for k, row in enumerate(self.x)}, scoring="roc_auc"
            )
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak / self.x.nbytes
