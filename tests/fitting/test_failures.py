"""Fits and scorers that fail: what is raised, warned of and kept."""

import pickle
import re
import traceback
from functools import partial

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GroupKFold, KFold
from sklearn.model_selection import cross_val_score as sklearn_cross_val_score
from sklearn.tree import DecisionTreeClassifier

from skcvstats import (
    FitError,
    compare_estimators,
    compare_out_of_fold,
    compare_predictions,
    cross_val_score,
)
from tests.fitting.estimators import Awkward, Locked
from tests.processes import JOBS

from .against_sklearn import CV, CV12, N, X, Y, fit_all, hits, hits_and_size, sklearn_scores

pytestmark = pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")


class NeedsRow(ClassifierMixin, BaseEstimator):
    """Cannot be fitted without the row whose first entry is `row`; without `row` never."""

    def __init__(self, row=None):
        self.row = row

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.row not in X[:, 0]:
            raise RuntimeError(f"row {self.row} is missing")
        return self

    def predict(self, X):
        return np.where(X[:, 0] % 3 == 0, 1, 0)


NUMBERED = np.column_stack([np.arange(N, dtype=float), X[:, 1]])
# Row 7 is tested on in the second of ten folds only.
TEN = KFold(10)
FAILED = 1
# Missing from the training rows of a later split of CV12 than the first.
LATER = 12


class Silent(NeedsRow):
    def __init__(self, kind=None):
        self.kind = kind

    def fit(self, X, y):
        raise self.kind


@pytest.mark.parametrize("n_jobs", JOBS)
def test_exceptions_that_iteration_understands_and_without_a_message(n_jobs):
    options = {"cv": 3, "error_score": "raise", "n_jobs": n_jobs}
    with pytest.raises(FitError, match="A fit or its scoring raised StopIteration") as caught:
        cross_val_score(Silent(StopIteration), X, Y, **options)
    assert "skcvstats: estimator 'Silent', split " in "".join(caught.value.__notes__)
    with pytest.raises(FitError, match=r"were stopped: MemoryError\. Fix the cause"):
        compare_estimators({"a": Silent(MemoryError), "b": DummyClassifier()}, X, Y, cv=CV)


class OfNumbers(DummyClassifier):
    def fit(self, X, y):
        raise ValueError("could not convert string to float: 'a'")


def test_rows_of_different_lengths_do_not_hide_why_a_fit_failed():
    X = [["a"] * (1 + k % 3) for k in range(N)]
    with pytest.raises(FitError, match=r"first fit of 'bad'.*could not convert string"):
        compare_estimators({"bad": OfNumbers(), "dummy": DummyClassifier()}, X, Y, cv=CV)


def fails_on(row):
    """Return a scorer that fails where it is given a row."""
    return partial(_fails_on, row=row)


def _fails_on(estimator, X, y, row):
    if row in X[:, 0]:
        raise KeyError(f"row {row} is here")
    return hits(estimator, X, y)


NEVER = ZeroDivisionError("this metric never works")


def fails_always(y_true, y_pred):
    raise ZeroDivisionError("this metric never works")


def two_models(row=7):
    return {"tree": TREE, "needy": NeedsRow(row)}


def expect_with_hole(model, cv=TEN, **options):
    """Return cross_validate's scores of a model of which some fits fail."""
    with pytest.warns(FitFailedWarning, match="fits failed"):
        return sklearn_scores(model, NUMBERED, Y, "accuracy", cv, **options)["score"]


@pytest.mark.parametrize("n_jobs", JOBS)
def test_failed_fit_is_nan_and_warned_of_once(n_jobs):
    expected = expect_with_hole(NeedsRow(7))
    with pytest.warns(FitFailedWarning) as caught:
        scores = fit_all(two_models(), NUMBERED, Y, "accuracy", TEN, n_jobs=n_jobs)["accuracy"]
    (message,) = [str(one.message) for one in caught]
    for part in ("1 of 20", "'needy'", f"split {FAILED})", "RuntimeError: row 7 is missing"):
        assert part in message
    assert "tree" not in message
    np.testing.assert_array_equal(scores["needy"].values, expected)
    assert np.flatnonzero(np.isnan(scores["needy"])).tolist() == [FAILED]
    assert np.isfinite(scores["tree"]).all()
    assert scores.failures == ((1, FAILED, "RuntimeError: row 7 is missing"),)


def test_failures_of_one_cause_are_gathered_in_one_warning_at_the_call():
    cv = [(np.arange(N) % 10 != k, np.arange(N) % 10 == k) for k in (7, 1, 7, 2)]
    with pytest.warns(FitFailedWarning, match=r"splits 0, 2\)") as caught:
        cross_val_score(NeedsRow(7), NUMBERED, Y, cv=cv)
    assert [one.filename for one in caught] == [__file__]


@pytest.mark.parametrize("error_score", [np.nan, 0.0, -1, np.float64(0.5)])
def test_error_score_against_sklearn(error_score):
    expected = expect_with_hole(NeedsRow(7), error_score=error_score)
    with pytest.warns(FitFailedWarning, match=f"scores are {error_score}"):
        scores = cross_val_score(NeedsRow(7), NUMBERED, Y, cv=TEN, error_score=error_score)
    np.testing.assert_array_equal(scores.values, expected)
    options = {"scoring": fails_on(7), "error_score": error_score, "cv": TEN}
    with pytest.warns(UserWarning, match="Scoring failed") as theirs:
        expected = sklearn_cross_val_score(TREE, NUMBERED, Y, **options)
    with pytest.warns(UserWarning, match="KeyError: 'row 7 is here'") as ours:
        np.testing.assert_array_equal(cross_val_score(TREE, NUMBERED, Y, **options), expected)
    (message,), (other, *_) = ([str(w.message) for w in told] for told in (ours, theirs))
    assert message.partition("Details")[0] == other.partition("Details")[0]


@pytest.mark.parametrize("error_score", ["nan", None, True, 1j, 10**400])
def test_a_score_of_failed_fits_that_is_no_float_is_refused_before_the_fits(error_score):
    with pytest.raises(ValueError, match="must be 'raise' or a number"):
        cross_val_score(NeedsRow(7), NUMBERED, Y, cv=TEN, error_score=error_score)


FITS = ("accuracy", RuntimeError("row 7 is missing"), f"'needy', split {FAILED}")


@pytest.mark.parametrize(
    ("scoring", "error", "where", "n_jobs"),
    [
        (*FITS, 1),
        pytest.param(*FITS, 2, marks=pytest.mark.processes),
        (fails_on(7), KeyError("row 7 is here"), f"'tree', split {FAILED}", 1),
        ({"good": "accuracy", "bad": make_scorer(fails_always)}, NEVER, "'tree', split 0", 1),
    ],
    ids=["a fit", "a fit of a worker", "a scorer", "one of several metrics"],
)
def test_error_score_raise_keeps_the_exception(scoring, error, where, n_jobs):
    options = {"error_score": "raise", "n_jobs": n_jobs}
    with pytest.raises(type(error), match=re.escape(str(error))) as caught:
        fit_all(two_models(), NUMBERED, Y, scoring, TEN, **options)
    assert str(caught.value) == str(error)
    assert caught.value.__notes__ == [f"skcvstats: estimator {where}"]


TREE = DecisionTreeClassifier(random_state=0)


@pytest.mark.parametrize(
    ("model", "scoring", "said"),
    [
        (TREE, fails_on(7), "KeyError: 'row 7 is here'"),
        (TREE, {"good": "accuracy", "bad": make_scorer(fails_always)}, "bad: ZeroDivisionError: t"),
        (NeedsRow(7), ["accuracy", "f1_macro"], "row 7 is missing"),
        (NeedsRow(7), hits_and_size, "row 7 is missing"),
    ],
    ids=["a scorer", "a metric of two", "fits, two metrics", "fits, a callable"],
)
def test_failures_against_sklearn(model, scoring, said):
    with pytest.warns((UserWarning, FitFailedWarning), match="failed"):
        expected = sklearn_scores(model, NUMBERED, Y, scoring, TEN)
    with pytest.warns((UserWarning, FitFailedWarning), match=f"(?s)failed.*{said}"):
        scores = fit_all({"model": model}, NUMBERED, Y, scoring, TEN)
    assert set(scores) == set(expected)
    assert np.isnan(list(expected.values())).any()
    for metric, values in expected.items():
        np.testing.assert_array_equal(scores[metric].values[0], values)


@pytest.mark.parametrize("number", [np.float32(0.1), np.array(0.1), np.array([0.1]), True, 3])
def test_kinds_of_numbers_against_sklearn(number):
    def scoring(estimator, X, y):
        return number

    expected = sklearn_cross_val_score(DummyClassifier(), X, Y, scoring=scoring, cv=CV)
    scores = cross_val_score(DummyClassifier(), X, Y, scoring=scoring, cv=CV)
    np.testing.assert_array_equal(scores.values, expected)


def cause_of(models, n_jobs, **options):
    """Return the cause of the FitError of a comparison."""
    with pytest.raises(FitError) as caught:
        compare_estimators(models, NUMBERED, Y, cv=CV12, n_jobs=n_jobs, **options)
    return caught.value.__cause__


# Joblib starts its workers again after each failure.
@pytest.mark.parametrize(
    ("row", "n_jobs"),
    [(None, 1), (LATER, 1), pytest.param(LATER, 2, marks=pytest.mark.processes)],
    ids=["first fit", "later fit", "worker"],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
class TestCause:
    """The exception of the first fit that failed is the cause, of its own type."""

    def test_leads_a_debugger_into_the_fit(self, row, n_jobs):
        cause = cause_of(two_models(row), n_jobs)
        assert type(cause) is RuntimeError
        assert str(cause) == f"row {row} is missing"
        split = 0 if row is None else splits_without(LATER)[0]
        assert cause.__notes__[0] == f"skcvstats: estimator 'needy', split {split}"
        if n_jobs == 1:
            *_, (frame, _) = traceback.walk_tb(cause.__traceback__)
            assert frame.f_code is NeedsRow.fit.__code__
            assert frame.f_locals["self"].row == row
        else:
            assert 'raise RuntimeError(f"row {self.row} is missing")' in cause.__notes__[1]

    def test_the_cause_is_the_exception_of_the_scorer(self, row, n_jobs):
        scoring = {None: hits_of_nobody, LATER: fails_on(LATER)}[row]
        models = {"tree": DecisionTreeClassifier(), "dummy": DummyClassifier()}
        assert type(cause_of(models, n_jobs, scoring=scoring)) is KeyError
        # scikit-learn's scorer of several metrics keeps the traceback as text
        several = cause_of(models, 1, scoring={"good": "accuracy", "bad": scoring})
        assert re.search(r"bad: Traceback (?s:.*)KeyError", str(several))


def hits_of_nobody(estimator, X, y):
    raise KeyError("nobody")


@pytest.mark.processes
@pytest.mark.parametrize(
    ("model", "said"),
    [
        (Awkward("lock"), "AwkwardError: spoilt(?s:.*)estimator 'odd', split"),
        (Locked(), "'odd' cannot be pickled(?s:.*)TypeError(?s:.*)'threading'"),
    ],
)
def test_what_cannot_be_sent_between_processes(model, said):
    """An exception arrives as text, and for an estimator there is advice."""
    with pytest.raises(FitError) as caught:
        compare_estimators({"odd": model, "dummy": DummyClassifier()}, X, Y, cv=CV12, n_jobs=2)
    cause = caught.value.__cause__
    assert re.search(said, f"{caught.value} {cause} {getattr(cause, '__notes__', '')}")


def splits_without(row, cv=CV12):
    return [k for k, (train, _) in enumerate(cv.split(NUMBERED, Y)) if row not in train]


def test_fit_error_says_where_and_why_keeps_the_scores_and_pickles():
    failed = splits_without(LATER)
    assert 0 < len(failed) < 3
    kept = np.setdiff1d(np.arange(12), failed)
    scoring = ["accuracy", "f1_macro"]
    with (
        pytest.warns(FitFailedWarning, match="their scores are nan"),
        pytest.raises(FitError, match="missing") as caught,
    ):
        compare_estimators(two_models(LATER), NUMBERED, Y, scoring=scoring, cv=CV12)
    error, message, scores = caught.value, str(caught.value), caught.value.scores
    where = [f"{len(failed)} of 24", "needy", f"split {failed[0]}", f"row {LATER} is missing"]
    assert [part for part in where if part not in message] == []
    assert list(scores) == scoring
    with pytest.warns(FitFailedWarning, match="fits failed"):
        needy = sklearn_scores(NeedsRow(LATER), NUMBERED, Y, scoring, CV12)
    for metric, expected in needy.items():
        np.testing.assert_array_equal(scores[metric]["needy"].values, expected)
        complete = scores[metric].dropna()
        np.testing.assert_array_equal(complete["needy"].values, expected[kept])
        assert complete["tree"].shape == kept.shape
    error.add_note("of the third fold")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.__notes__) == (FitError, str(error), error.__notes__)
    assert list(copy.scores) == list(scores)
    np.testing.assert_array_equal(copy.scores["accuracy"].values, scores["accuracy"].values)


class OddError(Exception):
    """An error whose message has lines like those of a traceback."""


SEVERAL_LINES = {
    "ValueError: the costs are not known": ValueError("the costs are not known\nSee cost.csv\nEnd"),
    "OddError: 3 rows": OddError('3 rows\n  File "cost.py", line 3\nin all'),
    "KeyError: 'a\\nb'": KeyError("a\nb"),
    "ZeroDivisionError": ZeroDivisionError(""),
}


@pytest.mark.parametrize(
    ("said", "is_chained"),
    [*((said, True) for said in SEVERAL_LINES), ("OddError: 3 rows", False)],
)
def test_errors_of_several_lines_have_their_type_and_first_line(said, is_chained):
    def cost(y_true, y_pred):
        try:
            raise OddError("not this one")
        except OddError as error:
            raise SEVERAL_LINES[said] from (error if is_chained else None)

    models = {"a": DummyClassifier(), "b": DummyClassifier(strategy="stratified", random_state=0)}
    scoring = {"cost": make_scorer(cost), "hits": "accuracy"}
    with pytest.raises(FitError, match="The first fit of 'a'") as caught:
        compare_estimators(models, X, Y, scoring=scoring)
    assert f"were stopped: cost: {said}. Fix the cause" in str(caught.value)
    if is_chained:
        return
    with pytest.warns(FitFailedWarning, match=re.escape(f"'a': cost: {said} (all splits)")):
        found = compare_estimators(models, X, Y, scoring=scoring, on_error="drop")
    assert any(f"for all estimators ({said}; all splits)" in note.text for note in found.notes)


class Costly(DummyClassifier):
    """Raises an error of several lines when it is fitted."""

    def __init__(self, said):
        super().__init__()
        self.said = said

    def fit(self, X, y):
        raise SEVERAL_LINES[self.said]


@pytest.mark.parametrize("said", SEVERAL_LINES)
def test_errors_of_several_lines_of_an_estimator_or_of_one_metric(said):
    def cost(y_true, y_pred):
        raise SEVERAL_LINES[said]

    models = {"a": Costly(said), "b": DummyClassifier(), "c": DummyClassifier(strategy="uniform")}
    for left, scoring in ((models, "accuracy"), ({"a": models["b"]}, make_scorer(cost))):
        with pytest.raises(FitError, match="The first fit of 'a'") as caught:
            compare_estimators({**left, "b": DummyClassifier()}, X, Y, scoring=scoring)
        assert f"were stopped: {said}. " in str(caught.value)
    with pytest.warns(FitFailedWarning, match=re.escape(f"'a': {said}")):
        found = compare_estimators(models, X, Y, scoring="accuracy", on_error="drop")
    assert any(f"a was left out ({said}; all splits)" in note.text for note in found.notes)


def test_missing_values_that_an_estimator_does_not_take_have_a_remedy():
    models = {"a": LogisticRegression(), "b": DummyClassifier()}
    holes = np.where(np.arange(X.size).reshape(X.shape) == 7, np.nan, X)
    with pytest.raises(
        FitError, match=r"contains NaN\. Fill missing values in a pipeline, as by Si"
    ):
        compare_estimators(models, holes, Y)


class Ranker(DummyRegressor):
    """Takes the sizes of the queries, and asks for them, as LightGBM's or XGBoost's does."""

    def __init__(self, asks="Should set group for ranking task"):
        super().__init__()
        self.asks = asks

    def fit(self, X, y, group=None):
        if group is None:
            raise ValueError(self.asks)
        assert sum(group) == len(y)
        self.group_ = group
        return super().fit(X, y)


class OfQueries(Ranker):
    """The subclass of the hint."""

    def fit(self, X, y, qid):
        assert (np.diff(qid) >= 0).all()
        return super().fit(X, y, group=np.unique(qid, return_counts=True)[1])


@pytest.mark.parametrize("asks", [
    "Should set group for ranking task", "[12:00:00] Either `group` or `qid` is required for rank",
])  # fmt: skip
def test_rankers_are_told_how_to_pass_queries(asks):
    with pytest.raises(FitError, match=r"groups=query and params=\{'qid': query\}: XGBRanker"):
        compare_estimators({"a": Ranker(asks), "b": Ranker(asks)}, X, Y, scoring="r2")
    query = np.repeat(np.arange(len(Y) // 4), 4)
    splits = GroupKFold(3).split(X, Y, query)
    scores = cross_val_score(OfQueries(), X, Y, cv=list(splits), params={"qid": query})
    assert len(scores.values) == 3


OWN_COLUMNS = "pass one X with all columns, and make_pipeline(make_column_transformer"


@pytest.mark.parametrize(("of_a", "data"), [
    (DummyClassifier(), {"a": X[:, :1], "b": X[:, 1:]}),
    ((DummyClassifier(), [0]), X), ([DummyClassifier(), X[:, :1]], X),
    ({"model": DummyClassifier(), "columns": [0]}, X),
])  # fmt: skip
def test_two_sets_of_columns_are_told_of_column_transformers(of_a, data):
    with pytest.raises(TypeError, match=re.escape(OWN_COLUMNS)):
        compare_estimators({"a": of_a, "b": DummyClassifier()}, data, Y)


@pytest.mark.parametrize("said", list(SEVERAL_LINES)[:1])
def test_errors_of_several_lines_on_a_test_set(said):
    def cost(y_true, y_pred):
        raise SEVERAL_LINES[said]

    predicted = {"a": np.resize([0, 1], 40), "b": np.resize([0, 0, 1], 40)}
    y = np.resize([0, 1, 1], 40)
    for call in (
        lambda: compare_predictions(y, predicted, scoring=cost),
        lambda: compare_out_of_fold(y, predicted, folds=np.arange(40) % 5, scoring=cost),
    ):
        with pytest.raises(ValueError, match="cost cannot be computed for 'a': ") as caught:
            call()
        assert str(caught.value).endswith(f"for 'a': {said}.")
