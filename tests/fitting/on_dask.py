"""Compare estimators that this script defines on a cluster; see test_dask.py."""

import sys

import joblib
import numpy as np
from sklearn.naive_bayes import GaussianNB

from skcvstats import FitError, RepeatedSubsampleSplit, compare_estimators
from tests.fitting.work import X, Y


class OwnError(Exception):
    pass


class Own(GaussianNB):
    """Known to this script only."""

    def __init__(self, fails=False):
        super().__init__()
        self.fails = fails

    def fit(self, X, y):
        if self.fails:
            raise OwnError("not today")
        return super().fit(X, y)


def compare(**options):
    models = {"own": Own(**options), "bayes": GaussianNB(var_smoothing=0.1)}
    cv = RepeatedSubsampleSplit(10, random_state=0)
    return compare_estimators(models, X, Y, cv=cv).scores.values


if __name__ == "__main__":
    try:
        with joblib.parallel_config(backend="dask"):
            compare()
    except ValueError as error:
        print(str(error).splitlines()[0])
    from distributed import Client  # collecting the tests must not need it

    expected = compare()
    with Client(sys.argv[1]), joblib.parallel_config(backend="dask"):
        print(np.array_equal(compare(), expected))
        try:
            compare(fails=True)
        except FitError as error:
            print(f"FitError: {str(error.__cause__).splitlines()[0]}")
