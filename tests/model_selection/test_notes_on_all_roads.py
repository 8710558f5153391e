"""The same splits give the same notes, each with one warning, by every way to the result."""

import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import skcvstats as s
from skcvstats.stats import get_procedure_names
from tests.conftest import every
from tests.data import interpolated

X, Y = make_classification(200, 4, random_state=0)
# Every fold of consecutive rows misses no class, but each tests on one of the two.
X, Y = DATA = X[np.argsort(Y, kind="stable")], np.sort(Y)
COPIES = np.tile(X[50:150], (2, 1)), np.tile(Y[50:150], 2)
PAIRS, TWINS = np.arange(200) // 2, np.arange(200) % 100
NOISE_4D = np.random.default_rng(1).normal(size=(150, 4))
MADE_UP = np.concatenate([NOISE_4D, interpolated(NOISE_4D[100:], 50)]), np.arange(200) // 100
NEAR = COPIES[0] + np.random.default_rng(2).normal(scale=0.01, size=(200, 4)), COPIES[1]
BAYES = GaussianNB()
GRID = {"var_smoothing": [1e-9, 1.0]}
PAIR = {"bayes": BAYES, "smooth": GaussianNB(var_smoothing=1.0)}
SHUFFLED = model_selection.ShuffleSplit(15, test_size=0.2, random_state=0)


class PredefinedTests(model_selection.ShuffleSplit):
    """Random splits that test on the first rows only."""

    def __init__(self, share):
        super().__init__(15, test_size=0.2, random_state=0)
        self.share = share

    def split(self, X, y=None, groups=None):
        n = len(X)
        for _, test in super().split(X[: int(self.share * n)]):
            yield np.setdiff1d(np.arange(n), test), test


STRATIFIED = model_selection.StratifiedShuffleSplit(15, test_size=0.2, random_state=0)
SUBSAMPLE = s.RepeatedSubsampleSplit(15, random_state=0)
# By code: the warning, and how it begins.
SAID = {
    "stratified": (s.SplitDesignWarning, "The splits are stratified"),
    "groups split across training and test": (s.SplitDesignWarning, "Groups were given"),
    "sorted target": (s.SplitDesignWarning, "Folds of consecutive rows on a sorted target"),
    "overlapping test sets": (s.AnticonservativeWarning, "The test sets share more than"),
    "rows in training and test": (s.SplitDesignWarning, "test rows equal a training row in X an"),
    "near-copies": (s.SplitDesignWarning, "test rows that were looked at have a near-copy in tr"),
    "synthetic rows": (s.SplitDesignWarning, "Scores are too good if rows are synthetic"),
}
# By name: the data, the splitter, the groups, and the codes that are expected.
CASES = {
    "stratified": (DATA, STRATIFIED, None, {"stratified"}),
    "torn groups": (DATA, SHUFFLED, PAIRS, {"groups split across training and test"}),
    "sorted": (DATA, model_selection.KFold(10), None, {"sorted target"}),
    "never tested": (DATA, PredefinedTests(0.5), None, {"overlapping test sets"}),
    "copied rows": (COPIES, SUBSAMPLE, None, {"rows in training and test"}),
    "copied rows of another splitter": (COPIES, SHUFFLED, None, {"rows in training and test"}),
    "groups of copies": (COPIES, SUBSAMPLE, TWINS, set()),
    "near-copies": (NEAR, SUBSAMPLE, None, {"near-copies"}),
    "near-copies of another splitter": (NEAR, SHUFFLED, None, {"near-copies"}),
    "groups of near-copies": (NEAR, SUBSAMPLE, TWINS, set()),
    "made-up rows": (MADE_UP, SUBSAMPLE, None, {"synthetic rows"}),
    "made-up rows of another splitter": (MADE_UP, SHUFFLED, None, {"synthetic rows"}),
    "nothing": (DATA, SHUFFLED, None, set()),
}
NEED_DATA = {"rows in training and test", "near-copies", "synthetic rows"}
# What is said on some roads about other things than the splits.
FURTHER = {"pairing not verified", "target not verified", "means of folds"}
FURTHER |= {"no better than a constant", "threshold"}


@cache
def done(case):
    """Return results of `cross_validate`."""
    (X, y), cv, groups, _ = CASES[case]
    options = {"cv": cv, "groups": groups, "return_indices": True}
    cross = model_selection.cross_validate
    return {name: cross(model, X, y, **options) for name, model in PAIR.items()}


def assert_once_in(notes, scores):
    """Check that a result holds each note of its scores once."""
    codes = [note.code for note in notes]
    assert all(codes.count(note.code) == 1 for note in scores.all_notes)


def compared(case, **options):
    data, cv, groups, _ = CASES[case]
    return s.compare_estimators(PAIR, *data, **{"groups": groups, "cv": cv} | options)


def by_compare_estimators(case):
    result = compared(case)
    pair = result[0]
    assert_once_in(pair.notes, result.scores)
    assert_once_in(pair.test.notes, result.scores)
    if "copied" in case:
        assert "Warnings: rows in training and test" in str(result)
    return result.scores


def by_a_list_of_splits(case):
    data, cv, groups, _ = CASES[case]
    return compared(case, cv=list(cv.split(*data, groups))).scores


def by_a_saved_result(case):
    return s.ComparisonResult.from_json(compared(case).to_json()).scores


def by_cross_val_inference(case):
    data, cv, groups, _ = CASES[case]
    result = s.cross_val_inference(BAYES, *data, groups=groups, cv=cv)
    assert_once_in(result.notes, result.scores)
    return result.scores


def by_compare_scores_with_a_design(case):
    data, cv, groups, _ = CASES[case]
    saved = {name: {"test_score": one["test_score"]} for name, one in done(case).items()}
    design = s.SplitDesign.from_splitter(cv, *data, groups)
    return s.compare_scores(saved, metric="accuracy", design=design).scores


def by_compare_scores_with_indices(case):
    given = {"y": CASES[case][0][1], "groups": CASES[case][2]}
    read = {name: s.CVScores.from_cv_results(it, **given) for name, it in done(case).items()}
    return s.compare_scores(read).scores


def by_compare_candidates(case):
    data, cv, groups, _ = CASES[case]
    search = model_selection.GridSearchCV(BAYES, GRID, cv=cv, refit=False).fit(*data, groups=groups)
    return s.compare_candidates(search, *data, groups=groups, reference=None).scores


def by_a_file(case):
    data, cv, groups, _ = CASES[case]
    with warnings.catch_warnings():
        # It is scikit-learn's function with scikit-learn's warnings: ours come with the interval.
        warnings.simplefilter("error", s.SplitDesignWarning)
        warnings.simplefilter("error", s.AnticonservativeWarning)
        scores = s.cross_val_score(BAYES, *data, groups=groups, cv=cv)
    again = s.CVScores.from_json(scores.to_json())
    again.confidence_interval()
    return again


def by_some_splits(case):
    data, cv, groups, _ = CASES[case]
    n, options = cv.get_n_splits(*data, groups), {"groups": groups, "cv": cv}
    parts = [s.cross_val_score(BAYES, *data, splits=range(k, n, 2), **options) for k in (0, 1)]
    scores = s.CVScores.concatenate(parts)
    scores.confidence_interval()
    return scores


ROADS = [road for name, road in list(globals().items()) if name.startswith("by_")]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("road", every(3, ROADS))
def test_the_same_notes(road, case):
    expected = CASES[case][-1]
    if road is by_compare_scores_with_indices:  # only the data show copies
        expected = expected - NEED_DATA
    with warnings.catch_warnings(record=True, action="always") as caught:
        scores = road(case)
    assert {note.code for note in scores.all_notes} - FURTHER == expected
    for code, (category, words) in SAID.items():
        told = [w for w in caught if w.category is category and words in str(w.message)]
        assert len(told) == (code in expected)
        if "copied" in case and told:
            # of 20 test rows each, nine in ten have their copy among 180 of 199 others
            assert 75 < float(str(told[0].message).partition("(")[2].partition(" %")[0]) < 100


CODE = "rows in training and test"
WORDS = "test rows equal a training row in X and y"
RNG = np.random.default_rng(0)
NOISE = RNG.normal(size=(100, 5)), np.arange(100) % 2  # in which nothing can be learnt
COPIED, LABELS = (np.tile(part, (2, 1)[: part.ndim]) for part in NOISE)
NEAR_AND_FAR = {"1-NN": KNeighborsClassifier(1), "majority": DummyClassifier()}
REPLICATES = s.RepeatedSubsampleSplit(2, n_replicates=11, random_state=0)
FEW = dict.fromkeys(("bootstrap_t", "corrected_bootstrap_t"), REPLICATES)
METHODS = {*get_procedure_names()} - {"conservative_z"}


@pytest.mark.parametrize("method", [*sorted(METHODS), s.ConservativeZTest(n_pairs=3)], ids=str)
def test_auxiliary_splits_do_not_say_it_again(method):
    with warnings.catch_warnings(record=True, action="always") as caught:
        how = {"method": method, "cv": FEW.get(method)}
        result = s.compare_estimators(NEAR_AND_FAR, COPIED, LABELS, **how)
    assert sum(WORDS in str(warning.message) for warning in caught) == 1
    assert [note.code for note in result[0].notes].count(CODE) == 1
    if method == "row_t":  # what the note is about: noise looks learnt
        assert result[0].test.pvalue < 0.01
        assert result[0].test.estimate > 0.1


def test_a_frame_whose_index_numbers_the_rows():
    frame = pd.DataFrame(COPIED, index=np.arange(200) + 1000)
    frame["text"] = np.where(LABELS, "a", None)
    design = s.SplitDesign.from_splitter(model_selection.KFold(5), frame, LABELS)
    assert CODE in [note.code for note in design.notes]
