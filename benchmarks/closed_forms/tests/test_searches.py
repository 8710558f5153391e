"""How nearest neighbours are searched: every choice answers, warns or is refused as by refits."""

import copy
import itertools
import warnings

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from benchmarks.closed_forms._data import Data
from benchmarks.closed_forms._registry import closed_form
from benchmarks.closed_forms.tests.refits import SIGNAL, WORDS, X, assert_like_refits

SEARCHES = ["auto", "brute", "kd_tree", "ball_tree"]
METRICS = [
    *("minkowski", "p", "euclidean", "l2", "sqeuclidean", "nan_euclidean", "seuclidean"),
    *("manhattan", "cityblock", "l1", "chebyshev", "infinity", "canberra", "cosine", "unknown"),
]
POWERS = [0.5, 1, 1.5, 2, np.float64(2), np.int64(1), 3, np.inf, True, None]
WEIGHTS = np.arange(1.0, 6)
PARAMS = [
    *(None, {}, {"w": WEIGHTS}, {"w": np.ones(5)}, {"w": -WEIGHTS}, {"w": WEIGHTS[:2]}),
    *({"w": WEIGHTS.tolist()}, {"w": None}, {"w": WEIGHTS.astype(int)}, {"V": WEIGHTS}),
    *({"p": 2}, {"p": 3}, {"p": 1, "w": WEIGHTS}, {"unknown": 1}),
]
# Numbers, as scikit-learn 1.6.0 cannot predict words by some metrics.
CLASSES = np.unique(WORDS, return_inverse=True)[1]
SPLIT = [(np.arange(80), np.arange(80, 90))]


def models(kind, algorithm):
    for metric, p, params in itertools.product(METRICS, POWERS, PARAMS):
        # scikit-learn adds to the dict that it is given
        yield kind(3, algorithm=algorithm, metric=metric, p=p, metric_params=copy.deepcopy(params))


@pytest.mark.parametrize("algorithm", SEARCHES)
@pytest.mark.parametrize(
    ("kind", "y"), [(KNeighborsClassifier, CLASSES), (KNeighborsRegressor, SIGNAL)]
)
def test_no_choice_is_answered_that_refits_refuse_or_warn_of(kind, y, algorithm):
    data = Data(X, y)
    known = [m for m in models(kind, algorithm) if closed_form(m, data, {}) is not None]
    assert known
    for model in known:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.fit(X[:80], y[:80]).predict(X[80:])
        assert assert_like_refits(model, X, y, SPLIT) in ([0], [])


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_weights_are_answered_except_in_a_k_d_tree(algorithm):
    model = KNeighborsRegressor(3, algorithm=algorithm, metric_params={"w": WEIGHTS})
    answered = closed_form(model, Data(X, SIGNAL), {}) is not None
    assert answered == (algorithm != "kd_tree")
