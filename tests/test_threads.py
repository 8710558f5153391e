"""Threads share the filters of warnings; no call leaves them changed, or hears other threads."""

import threading
import warnings

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import make_scorer, precision_score

import skcvstats as s
from tests.cheap import NearestMean

WAIT = 0.05
Y = np.resize([0, 0, 1], 60)
X = np.random.default_rng(0).normal(size=(60, 2)) + Y[:, np.newaxis]
MODELS = {"a": np.resize([0, 0, 1, 0, 1, 1], 60), "b": np.resize([0, 1, 1, 0, 0, 1], 60)}
BY = np.repeat(["x", "y"], 30)
FOLDS = np.arange(60) % 5
ESTIMATORS = {"one": NearestMean(), "two": NearestMean(2)}
DOORS = {
    "predictions": lambda metric: s.compare_predictions(Y, MODELS, scoring=metric),
    "slices": lambda metric: s.compare_predictions(Y, MODELS, scoring=metric, by=BY),
    "one model": lambda metric: s.predictions_inference(Y, MODELS["a"], scoring=metric),
    "bootstrap": lambda metric: s.compare_predictions(
        Y, MODELS, scoring=metric, method="bootstrap", n_resamples=2000
    ),
    "out of fold": lambda metric: s.compare_out_of_fold(Y, MODELS, folds=FOLDS, scoring=metric),
    "fits": lambda metric: s.compare_estimators(ESTIMATORS, X, Y, scoring=metric, cv=5),
}


class Meeting:
    """A metric in which two threads are at a time, if they can be; the first one leaves first."""

    def __init__(self):
        self.arrived = [threading.Event(), threading.Event()]
        self.has_left = threading.Event()
        self.threads = []

    def __call__(self, y_true, y_pred):
        thread = threading.get_ident()
        if thread not in self.threads:
            self.threads.append(thread)
            place = len(self.threads) - 1
            self.arrived[place].set()
            (self.arrived[1] if place == 0 else self.has_left).wait(WAIT)
        return float(np.mean(y_true == y_pred))


def state():
    """Return how warnings are filtered and shown."""
    return list(warnings.filters), warnings.showwarning, warnings._showwarnmsg_impl


def run_both(first, second):
    """Call a door in this thread and one in another, whose metrics meet."""
    meeting = Meeting()
    metric = make_scorer(meeting)
    other = threading.Thread(target=lambda: (meeting.arrived[0].wait(), second(metric)))
    other.start()
    first(metric)
    meeting.has_left.set()
    other.join()


@pytest.mark.parametrize("first", ["predictions", "fits"])
@pytest.mark.parametrize("second", ["predictions", "one model", "out of fold"])
def test_warnings_are_filtered_as_before(first, second):
    before = state()
    run_both(DOORS[first], DOORS[second])
    assert state() == before


@pytest.mark.slow
@pytest.mark.parametrize("first", DOORS)
@pytest.mark.parametrize("second", list(DOORS)[:-1])  # fits change filters in scikit-learn
def test_warnings_are_filtered_as_before_at_all_doors(first, second):
    test_warnings_are_filtered_as_before(first, second)


@pytest.mark.parametrize("door", ["predictions", "slices"])
def test_what_other_threads_do_with_a_metric_is_theirs(door, recwarn):
    """A precision that is undefined in another thread raises nothing and changes no answer."""
    raised = []
    others = []

    def call_precision():
        try:
            precision_score([0, 1], [0, 0])
        except Warning as warning:
            raised.append(warning)

    def accuracy(y_true, y_pred):
        if not others:
            others.append(threading.Thread(target=call_precision))
            others[0].start()
            others[0].join()
        return float(np.mean(y_true == y_pred))

    found = DOORS[door](make_scorer(accuracy))
    assert [warning.category for warning in recwarn] == [UndefinedMetricWarning]
    expected = DOORS[door](make_scorer(lambda y, p: float(np.mean(y == p))))
    assert found[0].test.pvalue == expected[0].test.pvalue
    assert not raised
