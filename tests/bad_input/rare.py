"""Rare bad input: odd types of values, far too large sizes, objects that are not splitters."""

import json
from itertools import cycle

import numpy as np
import pandas as pd
from sklearn.dummy import DummyRegressor
from sklearn.model_selection import GroupKFold

import skcvstats as s
from skcvstats.plotting import ComparisonDisplay
from skcvstats.stats import error_rate_difference
from skcvstats.test_set import clustered_mean
from skcvstats.theory import cv_variance
from tests.hostile.documents import sealed

from .given import (
    BOTH,
    DESIGN,
    FOUR,
    FRAME,
    SPLITS,
    TWO,
    X,
    Y,
    array,
    compare,
    cross,
    score,
    scored,
    ttest,
    use,
)

MASKED = np.ma.masked_array([0.1, 0.2, 0.3, 0.4], [False, True, False, False])
RAGGED = [[1], [1, 2]]
LABELS = np.ma.masked_array(Y, np.arange(60) < 1)
UNKNOWN = {"type": "FitError"}
NOTED = FOUR.with_notes(["a note"])


class Draws:
    """A splitter that draws what it was told to."""

    def __init__(self, drawn, n_splits=None):
        self.drawn, self.n_splits = drawn, n_splits

    def split(self, X, y=None, groups=None):
        return self.drawn

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def __repr__(self):
        return "Draws()"


class OtherNames:
    """A scorer with a different name each time."""

    def __init__(self):
        self.n_calls = 0

    def __call__(self, estimator, X, y):
        self.n_calls += 1
        return {f"metric {self.n_calls}": 0.5}


def drawn(splits, n_splits=None):
    return compare(cv=Draws(splits, n_splits))


def noise(random_state):
    return random_state.normal(size=(40, 1)), np.ones(40)


def study(*procedures, **options):
    return s.simulate(noise, {"mean": DummyRegressor()}, procedures, **options)


def studied(**options):
    return study("resampled_t", **options)


def sizes(n_train=50, n_test=10, n_splits=4, **options):
    return s.SplitDesign.from_sizes(n_train, n_test, n_splits=n_splits, **options)


def planned(**fields):
    return s.SplitDesign(**{"n_samples": 60, "n_train": (50,) * 4, "n_test": (10,) * 4, **fields})


def four(**fields):
    return scored(0.1, 0.2, 0.5, 0.7, **fields)


def rewritten(saved, kind, *path, value=None):
    """Change the content of a saved object, and correct its checksum."""
    document = json.loads(saved.to_json())
    content = document["content"]
    part = content[kind.__name__]
    for key in path[:-1]:
        part = part[key]
    if value is None:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return kind.from_json(sealed(content, document))


def versioned(version):
    document = json.loads(FOUR.to_json())
    return s.CVScores.from_json(json.dumps({**document, "version": version}))


def result_with(*path, value=None):
    result = s.compare_scores(scored(TWO, labels=BOTH))
    return rewritten(result, s.ComparisonResult, *path, value=value)


def scores_with(*path, value):
    tests = ("tests_by_metric", "dict", "score", "SavedTests", "scores", "CVScores")
    return result_with(*tests, *path, value=value)


def losses(values=(1, 2, 3), rows=(0, 1, 2), offsets=(0, 2, 3), **fields):
    return s.RowScores(values=values, rows=rows, offsets=offsets, **fields)


def paired(first, second):
    return losses([[1, 2, 3]] * 2, first=np.array(first), second=np.array(second))


# In each line: the call, what the message says was given (also the id), the remedy that it names.
# fmt: off
DESIGN_ERRORS = [
    (lambda: s.CVScores.from_cv_results({**cross(), "indices": None}), "rows, and is None",
     "return_indices=True"),
    (lambda: drawn(cycle(SPLITS), 4), "drawn more than 4 splits", "than its get_n_splits says"),
    (lambda: planned(n_train=50), "n_train=50", "one integer of at least 1 for each split"),
    (lambda: planned(shape=4), "shape=4", "must be a tuple of integers"),
    (lambda: s.SplitDesign.from_indices([[0, 1]], [[1, 2]]), "row 1 is the first", "overlap"),
    (lambda: s.SplitDesign.from_indices([], []), "0 training, 0 test parts", "at least one"),
    (lambda: s.SplitDesign.from_indices([[0]], [[1], [2]]), "1 training, 2 test", "as many"),
    (lambda: s.SplitDesign.from_indices(5, 5), "train=5", "list with the row numbers of each"),
    (lambda: s.RepeatedSubsampleSplit(10**9).lazy_split(X), "1000000000 splits", "Ask for fewer"),
]
TYPE_ERRORS = [
    (lambda: s.RepeatedSubsampleSplit().lazy_split(3), "got int", "X must be data with rows"),
    (lambda: drawn(None), "Draws().split returned None", "must return or yield pairs of training"),
    (lambda: drawn([X[0]]), "yielded array(", "must yield pairs of training and test row"),
    (lambda: four(paired=MASKED), "paired=masked_array", "must be True or False"),
    (lambda: s.evaluation_report(compare()).to_html(standalone="n"), "standalone='n'", "True or"),
    (lambda: array({1, 2, 3}), "x is a set", "pass a list or an array"),
    (lambda: four(labels=None), "labels=None", "leave it out where they have none"),
    (lambda: four(failures=[(0, 1)]), "failures contains (0, 1)", r"\(estimator, split, cause\)"),
    (lambda: four(row_scores=TWO), "row_scores is of type list", r"RowScores\.from_splits\("),
    (lambda: s.CVScores.from_json(5), "got int", "Expected JSON text that contains CVScores"),
    (lambda: FOUR.save(5), "path=5", "must be a path"),
    (lambda: cv_variance(None, .1, 5), "s1=None", "must be a number"),
    (lambda: studied(designs=5), "designs=5", "a list of splitters"),
    (lambda: ComparisonDisplay.from_result(FOUR), "result is of type CVScores", "ComparisonResult"),
]
INDEX_ERRORS = [
    (lambda: FOUR.row(0), "row(0): these are the scores of one estimator", "without row()"),
    (lambda: scored(TWO, labels=BOTH)[BOTH[0]].row(5), "row(5): these", "as they are"),
    (lambda: scored(TWO, labels=BOTH).row(2), "estimator 2", "of 2 estimators, numbered from 0"),
    (lambda: scored(TWO, labels=BOTH).differences([0], [.5]), "Positions [0.5]", "integers from 0"),
]
VALUE_ERRORS = [
    (lambda: use(lambda *_: np.ma.masked), "gave masked of type", "must return a number"),
    (lambda: use(lambda *_: 1j), "gave 1j of type complex", "must return a number"),
    (lambda: array(n_samples="100"), "n_samples='100'", "must be an integer"),
    (lambda: sizes(n_splits=10**9), "n_splits=1000000000", "from 1 to 1000000: "),
    (lambda: compare(n_jobs=10**12), "n_jobs=1000000000000", "a size that a machine can have"),
    (lambda: study(), "procedures=() and designs=()", r"Pass procedures=, such as \[.corrected_r"),
    (lambda: studied(n_data_sets=10**12), "n_data_sets=1000000000000", "from 1 to 100000000"),
    (lambda: score(pre_dispatch="0*n_jobs"), "pre_dispatch='0*n_jobs'", r"such as '2\*n_jobs'"),
    (lambda: compare(cv=cycle(SPLITS)), "cv yields more than 100000 pairs", "A generator must end"),
    (lambda: compare(y=RAGGED * 30), "y has parts of different lengths", "of one length"),
    (lambda: compare(X=FRAME[:60], y=pd.Series(Y, index=range(5, 65))), "X and y have different i",
     r"pass y\.to_numpy\(\)"),
    (lambda: compare(X=FRAME, y=pd.Series(Y, index=range(59, -1, -1))), "different indexes",
     r"y\.loc\[X\.index\]"),
    (lambda: versioned(True), "version True", "Use the skcvstats that wrote it"),
    (lambda: use(OtherNames()), "'metric 1' for 'dummy', split 0", "same metrics for every estim"),
    (lambda: s.compare_predictions(Y, {"a": Y, "b": 1 - Y}, scoring="f1", random_state=-1),
     "random_state=-1", "an integer from 0 to 2"),
    (lambda: scored(TWO, labels=BOTH).differences([0, 1], [0]), "2 first and 1 sec", "every pair"),
    (lambda: array(RAGGED), "x has parts of different lengths", "Pass parts of one length"),
    (lambda: array(["1", "2"]), "x of dtype <U1", r"; convert it to float64\.$"),
    (lambda: array(MASKED), "masked entries in x (1)", "Fill them"),
    (lambda: compare(X=np.ma.array(X, mask=X > 2)), "masked entries in X", "Fill them"),
    (lambda: compare(groups=np.c_[Y], cv=GroupKFold(2)), "groups has shape (60, 1)", "one label"),
    (lambda: s.compare_predictions(Y, {"a": LABELS, "b": Y}, scoring="f1"),
     "predictions of 'a' (1)", "leave those rows out everywhere"),
    (lambda: error_rate_difference(1, 50, 2, 50, null_value=-3), "null_value=-3", "from -1 to 1"),
    (lambda: scored(1j, 2, 3, 4), "values of dtype complex128", "convert it to float64"),
    (lambda: four(magnitude="a"), "magnitude='a'", "convert it to float64"),
    (lambda: four(magnitude=[1, 2]), "magnitude=[1, 2]", "leave it out to have it computed"),
    (lambda: four(failures=[(0, 99, "")]), "(0, 99, '') for 1 rows of 4 splits", "numbered from 0"),
    (lambda: losses(weights=np.ones(5)), "5 weights for", "3 test rows"),
    (lambda: losses(groups=np.zeros(2, int)), "groups has shape (2,)", "number the group of each"),
    (lambda: losses(groups=np.full(3, -1)), "groups has shape (3,)", "number the group of each"),
    (lambda: paired([0], [2]), "second=array([2])", "must be positions of estimators"),
    (lambda: paired([0], [1, 1]), "second=array([1, 1])", "must be positions of estimators"),
    (lambda: next(s.HalfSplitPairs(random_state=-1).split(X)), "random_state=-1", r"to 2\*\*32"),
    (lambda: losses(rows=[-1] * 3), "shapes (3,), (3,) and (3,)", r"RowScores\.from_splits"),
    (lambda: losses(["a"] * 3), "values of dtype <U1", "must contain numbers"),
    (lambda: losses(rows=["a"] * 3), "rows of dtype <U1", "must contain numbers"),
    (lambda: s.compare_scores({"a": MASKED, "b": TWO[0]}, design=DESIGN),
     "masked entries in the array of scores of 'a' (1)", r"out everywhere\.$"),
    (lambda: s.compare_scores(scored(TWO, labels=BOTH), metric=5), "metric=5", "name of a metric"),
    (lambda: s.compare_predictions(Y, {"a": Y, "b": Y}, scoring="f1", n_resamples=10**9),
     "n_resamples=1000000000", "to 1000000"),
    (lambda: clustered_mean([1, 2], sample_weight=["1", "2"]), "weight of dtype", "to float64"),
    (lambda: ttest(FOUR).claim("5%"), "alpha='5%'", "strictly between 0 and 1"),
    (lambda: ttest(FOUR).claim(.05, 2), "pvalue=2", "a number from 0 to 1"),
    (lambda: rewritten(scored(TWO, labels=BOTH), s.CVScores, "values"),
     "does not write: a CVScores with fields that are missing or unknown, ['values']", "again"),
    (lambda: rewritten(scored(TWO, labels=BOTH), s.CVScores, "colour", value="red"),
     "fields that are missing or unknown, ['colour']", "again"),
    (lambda: rewritten(NOTED, s.CVScores, "notes", 0, "Note", "category", value=UNKNOWN),
     "does not write: 'FitError'", "from a copy"),
    (lambda: scores_with("provenance", "dict", value={"versions": 3}),
     "provenance['versions']=3 must be", "compare again"),
    (lambda: scores_with("provenance", "dict", value={"estimators": {"dict": {"a": 1}}}),
     "provenance['estimators']={'a': 1} must be a dict of texts", "Restore it"),
    (lambda: scores_with("provenance", "dict", value={"unseeded": {"dict": {"a": "x"}}}),
     "provenance['unseeded']={'a': 'x'} must be a dict of lists", "Restore it"),
    (lambda: scores_with("provenance", "dict", value={"score of a constant": "low"}),
     "provenance['score of a constant']='low' must be a finite number", "Restore it"),
    (lambda: scores_with("design", "SplitDesign", "source", value=3), "source are (None, 3)",
     "Restore it"),
    (lambda: scores_with("design", "SplitDesign", "y_digest", value=True), "are (True, None)",
     "compare again"),
    (lambda: scores_with("design", "SplitDesign", "seed", value="x"), "seed is 'x'", "Restore it"),
    (lambda: result_with("reference", value="z"), "reference='z'", "from a copy"),
    (lambda: result_with("confidence_level", value=1e-320), "1e-320 is 0", "a copy, or"),
]
# fmt: on
CASES = {s.SplitDesignError: DESIGN_ERRORS, TypeError: TYPE_ERRORS}
CASES |= {IndexError: INDEX_ERRORS, ValueError: VALUE_ERRORS}
