"""X and y that are not of the same rows, and targets that some rows lack."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, KFold

import skcvstats as s
from tests.conftest import every
from tests.data import regression

X, Y = map(pd.DataFrame, regression(40, 2))
Y = Y[0]
MODELS = {"line": LinearRegression(), "mean": DummyRegressor()}
NUMBERS = list(range(40))
PATIENTS = [f"patient {k}" for k in NUMBERS]
DAYS = pd.date_range("2024-01-01", periods=40)
PAIRS = pd.MultiIndex.from_product([range(8), range(5)])
NEVER_SHARED = [
    (PATIENTS, [f"case {k}" for k in NUMBERS]),
    (range(100, 140), range(200, 240)),
    (DAYS, DAYS + pd.DateOffset(years=1)),
    (range(100, 140), [str(k) for k in range(100, 140)]),
    (PAIRS, PATIENTS),
    ([39, *range(1, 39), 0], PATIENTS),  # rows of 0 to n - 1 in another order
]


def compare(X, y, **options):
    return s.compare_estimators(MODELS, X, y, scoring="neg_mean_absolute_error", **options)


def finished(X, y):
    grid = {"fit_intercept": [True, False]}
    search = GridSearchCV(LinearRegression(), grid, cv=KFold(5), refit=False)
    search.fit(X.to_numpy(), y.to_numpy())
    return s.compare_candidates(search, X, y, reference=None)


DOORS = [
    compare,
    finished,
    lambda X, y: s.cross_val_inference(LinearRegression(), X, y, scoring="neg_mean_absolute_error"),
    lambda X, y: s.cross_val_score(LinearRegression(), X, y),
    lambda X, y: s.learning_curve_inference(MODELS, X, y, scoring="neg_mean_absolute_error"),
    lambda X, y: s.SplitDesign.from_splitter(KFold(5), X, y),
    lambda X, y: s.RacingSearchCV(
        LinearRegression(), {"fit_intercept": [True, False]}, random_state=0
    ).fit(X, y),
]


@pytest.mark.parametrize("door", every(3, DOORS))
def test_indexes_without_a_common_label_are_refused_at_each_door(door):
    with pytest.raises(ValueError, match=r"X and y have different indexes.*y\.to_numpy"):
        door(X.set_axis(PATIENTS), Y.set_axis(range(100, 140)))


@pytest.mark.parametrize(("rows", "of_target"), NEVER_SHARED)
def test_indexes_without_a_common_label(rows, of_target):
    for first, second in ((rows, of_target), (of_target, rows)):
        with pytest.raises(ValueError, match="X and y have different indexes"):
            compare(X.set_axis(first), Y.set_axis(second))
    groups = pd.Series(np.arange(40) // 2, of_target)
    with pytest.raises(ValueError, match="X and groups have different indexes"):
        compare(X.set_axis(rows), Y.to_numpy(), groups=groups)


def test_a_frame_of_an_array_has_the_numbers_of_rows():
    for rows in (PATIENTS, DAYS, PAIRS, range(100, 140)):
        for made in (NUMBERS, pd.RangeIndex(40)):
            for first, second in ((rows, made), (made, rows)):
                found = s.SplitDesign.from_splitter(KFold(5), X.set_axis(first), Y.set_axis(second))
                assert found.n_test == (8,) * 5


MISSING = Y.mask(Y.index.isin([3, 17, 30]))


@pytest.mark.parametrize("door", every(3, DOORS[:1] + DOORS[2:3] + DOORS[4:5]))
def test_a_missing_target_says_which_rows_and_dropna(door):
    message = r"y is missing .* 3 of 40 rows, .*: rows 3, 17, 30\. .*y = y\.dropna\(\)"
    for y in (MISSING, MISSING.to_numpy(), MISSING.convert_dtypes(), MISSING.astype(object)):
        with pytest.raises(ValueError, match=message):
            door(X, y)
    kept = MISSING.dropna()  # as the message says
    assert door(X.loc[kept.index], kept)


def test_a_missing_target_of_fits_as_in_scikit_learn_and_of_a_test_set():
    with pytest.raises(s.FitError, match=r"y = y\.dropna\(\) and X = X\.loc\[y\.index\]"):
        s.cross_val_score(LinearRegression(), X, MISSING)
    predicted = {"a": Y, "b": Y + 1}
    with pytest.raises(
        ValueError, match=r"3 values of y_true are missing .*rows 3, 17, 30.*dropna"
    ):
        s.compare_predictions(MISSING, predicted, scoring="r2")
