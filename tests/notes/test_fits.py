"""Warnings of fits are given once, noted, and kept by a store; they come before failures."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from tests.comparison.made import codes
from tests.conftest import ignoring
from tests.processes import JOBS

X, Y = make_classification(60, 4, flip_y=0.2, random_state=0)
CV = s.RepeatedSubsampleSplit(12, random_state=0)
FIRST_ROWS = np.array([X[train[0], 0] for train, _ in CV.split(X, Y)])
N_WARNED = int(np.count_nonzero(np.median(X[:, 0]) < FIRST_ROWS))
MEDIAN = float(np.median(X[:, 0]))
TREE = DecisionTreeClassifier(random_state=0)
pytestmark = ignoring("SplitDesign")


class Warns(DecisionTreeClassifier):
    """Warns where the first row is above the median, with another number each time."""

    def fit(self, X, y):
        if X[0, 0] > MEDIAN:
            said = f"the first row is {X[0, 0]:.17g}.\nMore."
            warnings.warn(said, ConvergenceWarning, stacklevel=1)
        return super().fit(X, y)


class Fails(DecisionTreeClassifier):
    """Fails on one split, not the first."""

    def fit(self, X, y):
        if X[0, 0] == FIRST_ROWS[5]:
            raise ValueError("no fit of this row")
        return super().fit(X, y)


def compare(models, **options):
    """Return what a call gives or raises, and the warnings that it gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        warnings.simplefilter("ignore", s.SplitDesignWarning)
        for category in options.pop("errors", ()):
            warnings.simplefilter("error", category)
        try:
            found = s.compare_estimators(models, X, Y, cv=CV, **options)
        except Warning as warning:
            found = warning
    return found, caught


def warned(n):
    return {"warns": Warns(random_state=n), "tree": TREE}


def test_the_splits_warn_in_some_fits_only():
    assert 1 < N_WARNED < 12
    assert np.count_nonzero(FIRST_ROWS[5] == FIRST_ROWS) < 12
    assert FIRST_ROWS[0] != FIRST_ROWS[5]


@pytest.mark.parametrize("n_jobs", JOBS)
def test_warnings_of_fits_are_given_once_with_their_number(n_jobs):
    result, caught = compare(warned(0), n_jobs=n_jobs)
    (said,) = (it for it in caught if it.category is ConvergenceWarning)
    assert said.filename == __file__
    assert str(said.message).startswith("the first row is ")
    assert str(said.message).endswith(f".\nMore. (in {N_WARNED} of 12 fits of warns)")
    (note,) = (note for note in result.notes if note.code == "warnings of fits")
    assert note.text.startswith(f"{N_WARNED} of 12 fits of warns warned: the first row is ")
    assert note.text.endswith("(ConvergenceWarning)")


def test_ignored_warnings_are_not_noted():
    with warnings.catch_warnings(record=True, action="ignore") as caught:
        quiet = s.compare_estimators(warned(0), X, Y, cv=CV)
    assert not caught
    assert "warnings of fits" not in codes(quiet)


def test_a_store_keeps_the_warnings_of_fits(tmp_path):
    first, given = compare(warned(0), store=tmp_path / "fits.db")
    again, given_again = compare(warned(0), store=tmp_path / "fits.db")
    assert [str(it.message) for it in given_again] == [str(it.message) for it in given]
    assert again.notes == first.notes
    assert "warnings of fits" in codes(again)


@pytest.mark.parametrize("n_jobs", JOBS)
def test_failures_as_an_error_come_after_the_warnings_of_fits(n_jobs):
    models = {"warns": Warns(random_state=0), "fails": Fails(random_state=0), "tree": TREE}
    error, caught = compare(models, errors=[FitFailedWarning], n_jobs=n_jobs)
    assert isinstance(error, FitFailedWarning)
    assert "'fails': ValueError: no fit of this row" in str(error)
    assert [it.category for it in caught] == [ConvergenceWarning]
    scores = error.scores["accuracy"]
    assert np.isfinite(scores.values[[0, 2]]).all()
    assert "warnings of fits" in [note.code for note in scores.notes]
