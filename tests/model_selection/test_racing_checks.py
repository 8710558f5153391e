"""scikit-learn's own checks of estimators, on races over a classifier and over a regressor."""

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

from skcvstats import RacingSearchCV, RepeatedSubsampleSplit

SPLITS = RepeatedSubsampleSplit(6, random_state=0)
RACES = [
    RacingSearchCV(LogisticRegression(), {"C": [0.1, 10]}, cv=SPLITS),
    RacingSearchCV(Ridge(), {"alpha": [0.1, 10]}, cv=6, rule="evidence", margin=1e6),
]


def failing(race):
    """Return the checks that scikit-learn's own searches fail as well."""
    named = "it has the tags of GridSearchCV, which do not tell of several outputs"
    return {"check_supervised_y_2d": named} if isinstance(race.estimator, Ridge) else {}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(RACES, expected_failed_checks=failing)
def test_checks(estimator, check):
    check(estimator)
