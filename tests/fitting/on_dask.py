"""Compare estimators that this script defines on a cluster; see test_dask.py."""

import sys

import joblib
from sklearn.naive_bayes import GaussianNB

from skcvstats import FitError
from tests.fitting.work import compare, two


class OwnError(Exception):
    pass


class Own(GaussianNB):
    """Known to this script only."""

    def fit(self, X, y):
        if self.var_smoothing > 1:
            raise OwnError("not today")
        return super().fit(X, y)


if __name__ == "__main__":
    own, fails = (two(Own(var_smoothing=number), GaussianNB()) for number in (0.1, 2.0))
    try:
        with joblib.parallel_config(backend="dask"):
            compare(own)
    except ValueError as error:
        print(str(error).splitlines()[0])
    from distributed import Client  # collecting the tests must not need it

    expected = compare(own)
    with Client(sys.argv[1]), joblib.parallel_config(backend="dask"):
        print((compare(own) == expected).all())
        try:
            compare(fails)
        except FitError as error:
            print(f"FitError: {str(error.__cause__).splitlines()[0]}")
