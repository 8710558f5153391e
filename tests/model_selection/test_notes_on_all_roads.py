"""The same splits give the same notes, each with one warning, by every way to the result."""

import warnings
from functools import cache

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    ShuffleSplit,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB

from skcvstats import (
    AnticonservativeWarning,
    CVScores,
    SplitDesign,
    SplitDesignWarning,
    compare_candidates,
    compare_estimators,
    compare_scores,
    cross_val_inference,
    cross_val_score,
)

X, Y = make_classification(200, 4, random_state=0)
# Every fold of consecutive rows misses no class, but each tests on one of the two.
X, Y = X[np.argsort(Y, kind="stable")], np.sort(Y)
GROUPS = np.arange(200) // 2
BAYES = GaussianNB()
GRID = {"var_smoothing": [1e-9, 1.0]}
PAIR = {"bayes": BAYES, "smooth": GaussianNB(var_smoothing=1.0)}


class PredefinedTests(ShuffleSplit):
    """Random splits that test on the first rows only."""

    def __init__(self, share):
        super().__init__(15, test_size=0.2, random_state=0)
        self.share = share

    def split(self, X, y=None, groups=None):
        n = len(X)
        for _, test in super().split(X[: int(self.share * n)]):
            yield np.setdiff1d(np.arange(n), test), test


# By name: the splitter, the groups, and the code, warning and words that are expected.
CASES = {
    "stratified": (
        StratifiedShuffleSplit(15, test_size=0.2, random_state=0),
        None,
        {"stratified": (SplitDesignWarning, "The splits are stratified")},
    ),
    "torn groups": (
        ShuffleSplit(15, test_size=0.2, random_state=0),
        GROUPS,
        {"groups torn apart": (SplitDesignWarning, "Groups were given")},
    ),
    "time": (
        TimeSeriesSplit(12),
        None,
        {"time order": (AnticonservativeWarning, "The splits are in time order")},
    ),
    "sorted": (
        KFold(10),
        None,
        {"sorted target": (SplitDesignWarning, "Folds of consecutive rows on a sorted target")},
    ),
    "never tested": (
        PredefinedTests(0.5),
        None,
        {"overlapping test sets": (AnticonservativeWarning, "The test sets share more than")},
    ),
    "nothing": (ShuffleSplit(15, test_size=0.2, random_state=0), None, {}),
}
# What is said on some roads about other things than the splits.
FURTHER = {"pairing not verified", "target not verified", "means of folds"}


@cache
def done(cv):
    return {
        name: cross_validate(model, X, Y, cv=cv, return_indices=True)
        for name, model in PAIR.items()
    }


def assert_once_in(notes, scores):
    """Check that a result holds each note of its scores once."""
    codes = [note.code for note in notes]
    assert all(codes.count(note.code) == 1 for note in scores.all_notes)


def by_compare_estimators(cv, groups):
    result = compare_estimators(PAIR, X, Y, groups=groups, cv=cv)
    pair = result.tests_by_metric["accuracy"].comparison(0)  # result[0] in time order is an error
    assert_once_in(pair.notes, result.scores)
    assert_once_in(pair.test.notes, result.scores)
    return result.scores


def by_cross_val_inference(cv, groups):
    result = cross_val_inference(BAYES, X, Y, groups=groups, cv=cv)
    assert_once_in(result.notes, result.scores)
    return result.scores


def by_compare_scores_with_a_design(cv, groups):
    saved = {name: {"test_score": one["test_score"]} for name, one in done(cv).items()}
    design = SplitDesign.from_splitter(cv, X, Y, groups)
    return compare_scores(saved, scoring="accuracy", design=design).scores


def by_compare_scores_with_indices(cv, groups):
    read = {
        name: CVScores.from_cv_results(result, y=Y, groups=groups)
        for name, result in done(cv).items()
    }
    return compare_scores(read).scores


def by_a_list_of_splits(cv, groups):
    return compare_estimators(PAIR, X, Y, groups=groups, cv=list(cv.split(X, Y))).scores


def by_compare_candidates(cv, groups):
    search = GridSearchCV(BAYES, GRID, cv=cv, refit=False)
    search.fit(X, Y, groups=groups)
    return compare_candidates(search, X, Y, groups=groups, reference=None).scores


def by_a_file(cv, groups):
    with warnings.catch_warnings():
        # It is scikit-learn's function with scikit-learn's warnings: ours come with the interval.
        warnings.simplefilter("error", SplitDesignWarning)
        warnings.simplefilter("error", AnticonservativeWarning)
        scores = cross_val_score(BAYES, X, Y, groups=groups, cv=cv)
    again = CVScores.from_json(scores.to_json())
    again.confidence_interval()
    return again


ROADS = [
    by_compare_estimators,
    by_cross_val_inference,
    by_compare_scores_with_a_design,
    by_compare_scores_with_indices,
    by_a_list_of_splits,
    by_compare_candidates,
    by_a_file,
]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.parametrize("road", ROADS)
def test_the_same_notes(road, case):
    cv, groups, expected = case
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = road(cv, groups)
    assert {note.code for note in scores.all_notes} - FURTHER == set(expected)
    for category, words in [
        (SplitDesignWarning, "The splits are stratified"),
        (SplitDesignWarning, "Groups were given"),
        (AnticonservativeWarning, "The splits are in time order"),
        (AnticonservativeWarning, "The test sets share more than"),
        (SplitDesignWarning, "Folds of consecutive rows on a sorted target"),
    ]:
        n_told = sum(
            warning.category is category and str(warning.message).startswith(words)
            for warning in caught
        )
        assert n_told == ((category, words) in expected.values())


def test_known_before_the_fits():
    class Refusing(GaussianNB):
        def fit(self, X, y):
            raise AssertionError("fitted before the warning")

    cv, _, _ = CASES["stratified"]
    with warnings.catch_warnings():
        warnings.simplefilter("error", SplitDesignWarning)
        for run in (
            lambda: cross_val_inference(Refusing(), X, Y, cv=cv),
            lambda: compare_estimators({"a": Refusing(), "b": Refusing()}, X, Y, cv=cv),
        ):
            with pytest.raises(SplitDesignWarning, match="The splits are stratified"):
                run()
