"""What test_dask.py has workers run; they import little for it."""

import os

from joblib import parallel_config

from skcvstats import RepeatedSubsampleSplit, compare_estimators
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


def count_writes():
    """Have this process count the bytes that it writes to connections, from 0."""
    from distributed.comm.tcp import TCP

    if not hasattr(TCP, "uncounted"):
        TCP.uncounted = TCP.write

        async def write(self, *arguments, **options):
            n_bytes = await TCP.uncounted(self, *arguments, **options)
            TCP.n_written += n_bytes
            return n_bytes

        TCP.write = write
    TCP.n_written = 0


def count_no_more():
    from distributed.comm.tcp import TCP

    TCP.write = TCP.uncounted
    del TCP.uncounted


def written():
    from distributed.comm.tcp import TCP

    return TCP.n_written


def set_version(text):
    import sklearn

    sklearn.__version__ = text
