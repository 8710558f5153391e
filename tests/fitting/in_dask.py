"""What test_dask.py has workers run; they import little for it."""

import os

from joblib import parallel_config

from skcvstats import RepeatedSubsampleSplit, compare_estimators
from skcvstats._utils._documents import versions
from skcvstats.fitting import _workers
from tests.fitting.work import PAIR, X, Y

CV = RepeatedSubsampleSplit(10, random_state=0)


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
    found = versions()
    _workers.versions = lambda: {**found, "scikit-learn": text}
