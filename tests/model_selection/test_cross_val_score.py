"""`cross_val_score` in the place of scikit-learn's: failing scorers, groups, answers of scorers."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import GroupKFold, GroupShuffleSplit, KFold, LeaveOneGroupOut
from sklearn.model_selection import cross_val_score as sklearn_cross_val_score
from sklearn.naive_bayes import GaussianNB

from skcvstats import cross_val_inference, cross_val_score
from skcvstats.exceptions import SplitDesignError

X, Y = make_classification(n_samples=48, random_state=3)
GROUPS = np.arange(48) % 6
CV = KFold(4)


class NeedsManyRows(GaussianNB):
    """Fail where the first row is not among those to train on."""

    def fit(self, X_train, y):
        if X[0, 0] not in X_train[:, 0]:
            raise RuntimeError("the first row is missing")
        return super().fit(X_train, y)


def never(estimator, X_test, y):
    raise OSError("the scale is broken")


def not_on_the_first_row(estimator, X_test, y):
    if X[0, 0] in X_test[:, 0]:
        raise OSError("the scale is broken")
    return float(np.mean(estimator.predict(X_test) == y))


@pytest.mark.parametrize("error_score", [np.nan, 0.5])
def test_failed_scorer_has_the_score_that_was_asked_for(error_score):
    options = {"scoring": not_on_the_first_row, "error_score": error_score, "cv": CV}
    with pytest.warns(UserWarning, match="Scoring failed") as theirs:
        expected = sklearn_cross_val_score(GaussianNB(), X, Y, **options)
    with pytest.warns(UserWarning, match="OSError: the scale is broken") as ours:
        np.testing.assert_array_equal(cross_val_score(GaussianNB(), X, Y, **options), expected)
    (message, *more), (other, *_) = ([str(w.message) for w in told] for told in (ours, theirs))
    assert more == []  # one for all splits
    assert message.partition("Details")[0] == other.partition("Details")[0]


def test_failed_fits_and_a_failed_scorer_have_a_warning_each():
    with pytest.warns() as caught:
        scores = cross_val_score(NeedsManyRows(), X, Y, cv=CV, scoring=never)
    assert np.isnan(scores).all()
    assert {warning.category for warning in caught} == {UserWarning, FitFailedWarning}


ROWS = np.arange(len(X))


@pytest.mark.parametrize(
    ("cv", "n_shared"),
    [
        *(([(ROWS[:30], ROWS[20:40])], 1), ([(ROWS, ROWS)] * 2, 2)),
        ([(ROWS[:30], ROWS[-10:]), (ROWS[:30], ROWS[20:40])], 1),
    ],
)
def test_test_rows_that_were_trained_on_are_scored_and_noted(cv, n_shared):
    ours = cross_val_score(GaussianNB(), X, Y, cv=cv)
    np.testing.assert_array_equal(ours, sklearn_cross_val_score(GaussianNB(), X, Y, cv=cv))
    assert f"{n_shared} of {len(cv)} split" in str(ours.design.notes[0])
    with pytest.raises(SplitDesignError):
        ours.confidence_interval()
    with pytest.raises(SplitDesignError, match="also training rows"):
        cross_val_inference(GaussianNB(), X, Y, cv=cv)


def test_rows_counted_from_the_end():
    from_the_end = cross_val_score(GaussianNB(), X, Y, cv=[(ROWS[:30], np.arange(-10, 0))])
    from_the_start = cross_val_score(GaussianNB(), X, Y, cv=[(ROWS[:30], ROWS[-10:])])
    np.testing.assert_array_equal(from_the_end, from_the_start)
    assert from_the_end.design.digest == from_the_start.design.digest


@pytest.mark.parametrize("cv", [LeaveOneGroupOut(), GroupKFold(3), GroupShuffleSplit(3)])
def test_missing_groups_are_named_in_scikit_learns_words_too(cv):
    with pytest.raises(ValueError, match=r"needs groups; pass groups=") as caught:
        cross_val_score(GaussianNB(), X, Y, cv=cv)
    with pytest.raises((ValueError, TypeError)) as theirs:
        sklearn_cross_val_score(GaussianNB(), X, Y, cv=cv)
    assert str(theirs.value) in str(caught.value)
