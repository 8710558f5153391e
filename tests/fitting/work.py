"""Small pieces of work for tests of the pool and of Dask, whose workers import little."""

import os

from joblib import parallel_config
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcvstats import RepeatedSubsampleSplit, compare_estimators
from skcvstats.fitting import Routed, Splits, Workload, _run, _workers, read_metrics
from tests.data import iris

X, Y = iris()
CV = RepeatedSubsampleSplit(10, random_state=0)
ALL_PAIRS = [(k, e) for k in range(20) for e in range(2)]  # of 20 splits and two estimators
PAIR = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


def two(a, b):
    return {"a": a, "b": b}


def workload(models):
    routed = Routed(({},) * len(models))
    return Workload.of(models, read_metrics("accuracy"), routed=routed)


def recipes(n_splits):
    lazy = RepeatedSubsampleSplit(n_splits, random_state=0).lazy_split(X, Y)
    return Splits({}, ((range(n_splits), lazy),))


def number_of_workers(n_jobs=None):
    return _run.find_workers(n_jobs).n


def records_of(models, X, y, splits, pairs):
    """Yield the records of fits, of pairs of a split and a model, as they arrive."""
    how = {"workers": _run.find_workers(None), "watch": _run.ThreadWatch(), "find": lambda _: ()}
    yield from _run.run_fits(workload(models), X, y, splits, [pairs], **how)


def compare(models=PAIR, **options):
    """Return the scores of a comparison, in any process."""
    options = {"cv": CV, **options}
    return compare_estimators(models, X, Y, **options).scores.values


def compare_in_a_task():
    with parallel_config(backend="dask"):
        return compare()


def jobs_inside(estimator, X, y):
    return estimator.n_jobs_inside_


def process(estimator, X, y):
    return os.getpid()


def set_version(text):
    found = _workers.versions()
    _workers.versions = lambda: {**found, "scikit-learn": text}
