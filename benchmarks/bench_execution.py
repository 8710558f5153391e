"""What `compare_estimators` costs around the fits, as ratios taken in one run.

Two estimators on 30 splits, against two `cross_validate` calls over the same splitter with the same
scorer, and against the bare loop, which is the limit: split, clone, index, fit, score.
"""

from statistics import median

import numpy as np
from sklearn.base import clone
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcvstats import (
    HalfSplitPairs,
    RepeatedSubsampleSplit,
    compare_estimators,
    cross_val_inference,
)
from skcvstats.fitting import _gather, read_metrics
from skcvstats.notes._shared_rows import SharedRows

from ._timing import ratio, seconds

N_SPLITS = 30


class Comparison:
    """The three ways to score two estimators on the same splits."""

    def __init__(self, models, X, y, scoring, n_splits=N_SPLITS):
        self.models, self.X, self.y, self.scoring = models, X, y, scoring
        self.cv = RepeatedSubsampleSplit(n_splits, random_state=0)

    def ours(self, n_jobs=None):
        named = {str(k): model for k, model in enumerate(self.models)}
        return compare_estimators(
            named,
            self.X,
            self.y,
            cv=self.cv,
            scoring=self.scoring,
            n_jobs=n_jobs,
        )

    def cross_validate(self, n_jobs=None):
        options = {"cv": self.cv, "scoring": self.scoring, "n_jobs": n_jobs}
        return [
            cross_validate(model, self.X, self.y, **options)["test_score"] for model in self.models
        ]

    def bare(self, splits=None):
        scorer, scores = get_scorer(self.scoring), []
        for train, test in splits or self.cv.split(self.X, self.y):
            for model in self.models:
                fitted = clone(model).fit(self.X[train], self.y[train])
                scores.append(scorer(fitted, self.X[test], self.y[test]))
        return np.reshape(scores, (-1, len(self.models))).T


def comparison(name, n_splits=N_SPLITS):
    """Return a comparison of two estimators of that cost."""
    if name == "tiny regressors":
        X, y = make_regression(200, 10, noise=1, random_state=0)
        models = (LinearRegression(), DecisionTreeRegressor(max_depth=3, random_state=0))
        return Comparison(models, X, y, "r2", n_splits)
    size = {"tiny classifiers": 200, "20 ms": 1000, "60 ms": 3000}[name]
    X, y = make_classification(size, 10, random_state=0)
    tiny = (GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0))
    forests = (
        RandomForestClassifier(10, random_state=0),
        RandomForestClassifier(10, max_features=None, random_state=0),
    )
    return Comparison(tiny if size == 200 else forests, X, y, "accuracy", n_splits)


class _Ratios:
    params = (["tiny classifiers", "tiny regressors", "20 ms", "60 ms"],)
    param_names = ("fits",)
    timeout = 600

    def setup(self, fits):
        self.comparison = comparison(fits)
        self.repeat = 25 if fits.startswith("tiny") else 5


class CrossValidateOverOurs(_Ratios):
    """How many times faster than two `cross_validate` calls."""

    unit = "x faster than cross_validate"

    def track_one_job(self, fits):
        return ratio(self.comparison.cross_validate, self.comparison.ours, self.repeat)

    def track_two_jobs(self, fits):
        return ratio(
            lambda: self.comparison.cross_validate(2), lambda: self.comparison.ours(2), self.repeat
        )


class OursOverBareLoop(_Ratios):
    """How much slower than the bare loop at one job."""

    unit = "x the bare loop"

    def track_one_job(self, fits):
        return ratio(self.comparison.ours, self.comparison.bare, self.repeat)

    def track_one_job_over_a_loop_handed_the_splits(self, fits):
        splits = list(self.comparison.cv.split(self.comparison.X, self.comparison.y))
        return ratio(self.comparison.ours, lambda: self.comparison.bare(splits), self.repeat)


class OutsideFits:
    """Milliseconds of a call on tiny data, without making the splits and fitting on them."""

    params = (["tiny classifiers", "tiny regressors"],)
    param_names = ("fits",)
    unit = "ms"

    def setup(self, fits):
        self.comparison = comparison(fits)
        self.run_fits, self.records = _gather.run_fits, []
        _gather.run_fits = self.kept
        self.comparison.ours()

    def teardown(self, fits):
        _gather.run_fits = self.run_fits

    def kept(self, *arguments, **options):
        """Yield the records of the first call."""
        self.records = self.records or list(self.run_fits(*arguments, **options))
        yield from self.records

    def track_call(self, fits):
        return 1000 * median(seconds(self.comparison.ours) for _ in range(50))


class ParallelEfficiency(_Ratios):
    """Time at one job over twice the time at two."""

    params = (["20 ms", "60 ms"],)
    unit = "efficiency at 2 jobs"

    def track_two_jobs(self, fits):
        return ratio(self.comparison.ours, lambda: self.comparison.ours(2), self.repeat) / 2


class SplitsAlone:
    """What one split of ours costs, over one of `ShuffleSplit`."""

    params = ([200, 1_000_000],)
    param_names = ("n_rows",)
    unit = "x ShuffleSplit"

    def track_split(self, n_rows):
        from sklearn.model_selection import ShuffleSplit

        X = np.zeros((n_rows, 1))
        ours = RepeatedSubsampleSplit(10, random_state=0)
        theirs = ShuffleSplit(10, test_size=0.1, random_state=0)
        return ratio(lambda: list(ours.split(X)), lambda: list(theirs.split(X)), 7)


class ConservativeZ:
    """All 315 splits of the conservative Z test in one call, against `cross_validate` calls."""

    unit = "x faster than cross_validate"
    timeout = 600
    n_splits = 15

    def setup(self):
        self.X, self.y = make_classification(200, 2, n_redundant=0, random_state=0)
        self.model = DecisionTreeClassifier(random_state=0)

    def ours(self):
        return cross_val_inference(
            self.model,
            self.X,
            self.y,
            method="conservative_z",
            cv=RepeatedSubsampleSplit(self.n_splits, random_state=0),
        )

    def cross_validate(self):
        n_test = 20
        splitters = (
            RepeatedSubsampleSplit(self.n_splits, random_state=0),
            HalfSplitPairs(10, self.n_splits, test_size=n_test, random_state=0),
        )
        return [
            cross_validate(self.model, self.X, self.y, cv=cv, scoring="accuracy")["test_score"]
            for cv in splitters
        ]

    def track_one_job(self):
        return ratio(self.cross_validate, self.ours, 7)


class LookForSharedRowsOverFit:
    """What looking for equal rows costs: in random numbers, and where every row occurs twice."""

    params = ([1_000, 30_000, 300_000], ["different", "doubled"])
    param_names = ("rows", "data")
    unit = "x one LogisticRegression fit"

    def track_look(self, rows, data):
        X, y = make_classification(rows, 20, random_state=0)
        if data == "doubled":
            half = np.arange(rows) % (rows // 2)
            X, y = X[half], y[half]
        return ratio(lambda: SharedRows(X, y), lambda: LogisticRegression().fit(X, y), 5)


class RowScoresOverFits:
    """What scores of rows cost of two models on 4 times 5 folds, over the fits of these models."""

    params = (["roc_auc", "f1", "r2", "average_precision"],)
    param_names = ("metric",)
    unit = "x 40 fits of LogisticRegression"
    n_rows = 5_000

    def setup(self, metric):
        self.X, self.y = make_classification(self.n_rows, 20, random_state=0)
        cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
        self.splits = list(cv.split(self.X, self.y))
        self.models = [LogisticRegression(), LogisticRegression(C=0.01)]
        self.metric, scorer, self.compared = read_metrics(metric)[0], get_scorer(metric), []
        for model, (_, test) in zip(self.fitted(), self.splits * 2, strict=True):
            on = self.X[test], self.y[test]
            self.compared.append((self.metric.function.reader(model, *on), scorer(model, *on)))

    def fitted(self):
        return [
            clone(model).fit(self.X[train], self.y[train])
            for model in self.models
            for train, _ in self.splits
        ]

    def score_rows(self):
        return [self.metric.rows.score(*about) for about in self.compared]

    def track_row_scores(self, metric):
        return ratio(self.score_rows, self.fitted, 5)
