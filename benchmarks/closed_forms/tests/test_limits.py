"""Cases in which closed forms and refits could differ: there is a refit, or the same result."""

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from benchmarks.closed_forms.tests.refits import measure

RNG = np.random.RandomState(0)
X = RNG.normal(size=(60, 3))
LABELS = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
NUMBERS = X[:, 0] + RNG.normal(size=60)


def both(model, data, target, scoring=None):
    """Return the scores by closed forms and by refits, and the number of closed forms."""
    scoring = scoring or ("accuracy" if target.dtype.kind in "iu" else "r2")
    fast, refits = (
        measure({"a": model}, target, KFold(5), scoring, X=data, closed=closed)
        for closed in (True, False)
    )
    return fast.scores("a", scoring), refits.scores("a", scoring), fast.counts.get("a", 0)


@pytest.mark.parametrize("d", [5, 20, 60])
@pytest.mark.parametrize("size", [1e-5, 1e-4, 1e-3])
def test_discriminants_where_a_direction_is_nearly_lost(d, size):
    rng = np.random.RandomState(0)
    y = np.arange(400) % 2
    data = rng.normal(size=(400, d))
    z = rng.normal(size=400) * size
    z[0] = 0.2  # one row carries the direction; in its fold scikit-learn drops it
    data[:, 1] = data[:, 0] + z + 2 * size * y
    fast, refits, _ = both(LinearDiscriminantAnalysis(), data, y)
    np.testing.assert_allclose(fast, refits, rtol=1e-9)


def test_naive_bayes_where_four_rows_carry_the_variance():
    """What is left of it in their fold would be the difference of sums 1e8 times as large."""
    y = np.arange(60) % 2
    x = 5e-5 * (np.random.RandomState(0).normal(size=60) + y)
    x[:4] = 1, 1, -1, -1
    model = GaussianNB(var_smoothing=0)
    fast, refits, _ = both(model, x[:, np.newaxis], y, scoring="neg_log_loss")
    np.testing.assert_allclose(fast, refits, rtol=1e-11)


@pytest.mark.parametrize(
    ("model", "distance", "condition", "taken"),
    [
        (LinearRegression(), 2e-4, 1.1e4, True),
        (LinearRegression(), 7e-5, 3.3e4, False),
        (Ridge(1e-9, solver="cholesky"), 3e-3, 760, True),
        (Ridge(1e-9, solver="cholesky"), 1e-3, 2300, False),
    ],
)
def test_linear_models_up_to_the_condition_that_still_agrees(model, distance, condition, taken):
    """Two columns that nearly coincide; a scatter matrix has the square of the condition."""
    if isinstance(model, LinearRegression) and "tol" in model.get_params():
        model = LinearRegression(tol=1e-9)
    data = np.random.RandomState(0).normal(size=(60, 3))
    data[:, 1] = data[:, 0] + distance * data[:, 1]
    worst = max(np.linalg.cond(data[a] - data[a].mean(axis=0)) for a, _ in KFold(5).split(data))
    assert worst == pytest.approx(condition, rel=0.05)
    target = data[:, 0] + np.random.RandomState(1).normal(size=60)
    fast, refits, n_closed = both(model, data, target)
    assert (n_closed > 0) == taken
    np.testing.assert_allclose(fast, refits, rtol=1e-9)


@pytest.mark.parametrize(
    "model", [LinearRegression(), Ridge(1e-9, solver="cholesky")], ids=["least squares", "ridge"]
)
@pytest.mark.parametrize(("scale", "condition", "taken"), [(0.0155, 7.3e3, 5), (0.0113, 1.4e4, 4)])
def test_linear_models_where_one_row_carries_a_direction(model, scale, condition, taken):
    """All rows are well conditioned; what is left without the row is lost in the difference."""
    if isinstance(model, LinearRegression) and "tol" in model.get_params():
        model = LinearRegression(tol=1e-9)
    data = np.random.RandomState(0).normal(size=(60, 3))
    data[:, 1] *= scale
    data[0, 1] = 10
    train, _ = next(KFold(5).split(data))
    of_all, of_part = (np.cov(rows.T, bias=True) * len(rows) for rows in (data, data[train]))
    shares = np.linalg.eigvals(np.linalg.solve(of_all, of_part)).real
    assert shares.max() / shares.min() == pytest.approx(condition, rel=0.05)
    target = data[:, 0] + np.random.RandomState(1).normal(size=60)
    fast, refits, n_closed = both(model, data, target)
    assert n_closed == taken
    np.testing.assert_allclose(fast, refits, rtol=1e-9)


def test_discriminants_of_ordinary_data_are_not_refitted():
    fast, refits, n_closed = both(LinearDiscriminantAnalysis(), X, LABELS)
    np.testing.assert_allclose(fast, refits, rtol=1e-9)
    assert n_closed == 5


@pytest.mark.parametrize(
    ("model", "target"),
    [
        (DummyClassifier(strategy="most_frequent", constant=1.5), LABELS),
        (DummyRegressor(quantile=5), NUMBERS),
        (DummyRegressor(constant="foo"), NUMBERS),
        (KNeighborsClassifier(metric="manhattan", p=-1), LABELS),
        (KNeighborsRegressor(metric="euclidean", p="x"), NUMBERS),
        (KNeighborsClassifier(metric_params=[]), LABELS),
        (KNeighborsClassifier(n_jobs=0), LABELS),
    ],
    ids=str,
)
def test_what_scikit_learn_refuses_is_refused(model, target):
    for closed in (True, False):
        with pytest.raises(Exception, match=r"parameter|must be|n_jobs|range") as caught:
            measure({"a": model}, target, KFold(5), X=X, closed=closed)
        assert caught.value.__notes__ == ["skcvstats: estimator 'a', split 0"]


def test_mixed_names_of_columns_are_refused():
    data = pd.DataFrame(X, columns=["a", "b", 1])
    for closed in (True, False):
        with pytest.raises(TypeError, match="names"):
            measure(
                {"a": DummyRegressor(strategy="median")}, NUMBERS, KFold(5), X=data, closed=closed
            )


@pytest.mark.filterwarnings("ignore::RuntimeWarning:sklearn")
@pytest.mark.parametrize("scale", [1e-160, 1e-158, 1e-150, 1e-90, 1e90, 1e150])
@pytest.mark.parametrize(
    ("model", "target"),
    [
        (KNeighborsRegressor(weights="distance"), NUMBERS),
        (KNeighborsClassifier(weights="distance"), LABELS),
        (GaussianNB(), LABELS),
    ],
    ids=["knn regressor", "knn classifier", "bayes"],
)
def test_sizes_whose_squares_leave_the_range(model, target, scale):
    fast, refits, _ = both(model, X * scale, target)
    np.testing.assert_allclose(fast, refits, rtol=1e-9)


@pytest.mark.parametrize(
    "model", [LinearRegression(), Ridge(), KNeighborsRegressor(weights="distance")], ids=str
)
def test_flat_targets_score_as_refits_do(model):
    fast, refits, _ = both(model, X, np.full(60, 0.1))
    np.testing.assert_array_equal(fast, refits)
