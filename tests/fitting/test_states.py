"""Which estimators depend on their fixed random_state is measured, on the first split."""

import time
from threading import Thread

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks.killed.work import TracedTree, counts
from skcvstats import (
    HoldoutTTest,
    RepeatedSubsampleSplit,
    compare_estimators,
    cross_val_inference,
    cross_val_score,
)
from tests.cheap import NearestMean
from tests.fitting.test_seeds import X, Y, pytestmark  # noqa: F401

CV = RepeatedSubsampleSplit(4, test_size=0.5, random_state=0)
TREES = [DecisionTreeClassifier(random_state=k) for k in range(3)]


class Unsure(NearestMean):
    """Has classes that do not depend on its state, and probabilities that do."""

    def __init__(self, n_columns=1, random_state=None):
        super().__init__(n_columns)
        self.random_state = random_state

    def predict_proba(self, X):
        sure = np.random.RandomState(self.random_state).uniform(0.6, 0.9)
        return np.where(self.predict(X)[:, np.newaxis] == self.classes_, sure, 1 - sure)


class Mixed(ClassifierMixin, BaseEstimator):
    """Draws from NumPy's own stream, and has a state without a use."""

    def __init__(self, random_state=0, fails=False):
        self.random_state = random_state
        self.fails = fails

    def fit(self, X, y):
        if self.fails and self.random_state != 0:
            raise RuntimeError("another state")
        self.classes_ = np.unique(y)
        self.drawn_ = np.random.randint(2, size=1000)  # noqa: NPY002
        return self

    def predict(self, X):
        return self.classes_[self.drawn_[: len(X)]]


def texts(notes):
    return [note.text for note in notes if note.code == "fixed seeds"]


def noted(*models, **options):
    """Return the texts of a comparison with a model that has no state."""
    named = {**dict(zip("abcd", models, strict=False)), "bayes": GaussianNB()}
    return texts(compare_estimators(named, X, Y, **{"cv": CV, **options}).notes)


def test_those_that_depend_are_named():
    names, may_be = ("'a'", "'b'", "'c'"), "depend on random_state: the difference may be due to"
    for n, states in enumerate(("this seed", "these seeds", "these seeds"), start=1):
        (text,) = noted(*TREES[:n])
        assert f"predictions of {', '.join(names[:n])} {may_be} {states}" in text


@pytest.mark.parametrize(
    ("model", "is_noted"),
    [
        *((LogisticRegression(random_state=0), False), (SVC(random_state=0), False)),
        *((DecisionTreeClassifier(), False), (Mixed(), False)),
        (DecisionTreeClassifier(random_state=np.random.RandomState(0)), True),
        (make_pipeline(StandardScaler(), TREES[0]), True),
        (BaggingClassifier(DecisionTreeClassifier(), 3, random_state=0), True),
    ],
)
def test_which_models_are_named(model, is_noted):
    """Those whose predictions depend on a state, also of a part, or on a generator."""
    assert bool(noted(model)) == is_noted
    (text,) = noted(TREES[0], model)
    assert ("'b'" in text) == is_noted


@pytest.mark.parametrize(
    ("scoring", "is_noted"),
    [
        ("accuracy", False),
        ("neg_log_loss", True),
        (["accuracy", "neg_log_loss"], True),
        # an unknown metric may read anything
        (lambda e, X, y: float(e.predict_proba(X)[y == 1, 1].mean()), True),
    ],
)
def test_what_counts_is_what_the_metric_reads(scoring, is_noted):
    assert bool(noted(Unsure(random_state=0), scoring=scoring)) == is_noted


DRAWN = []


class Drawing(Mixed):
    def fit(self, X, y):
        super().fit(X, y)
        DRAWN.append(int(self.drawn_[:50] @ 2 ** np.arange(50)))
        return self


@pytest.mark.parametrize("is_thread", [False, True])
def test_numpys_stream_is_left_alone_in_threads(is_thread):
    """There others may be drawing from it at the same time."""
    DRAWN.clear()
    if is_thread:
        thread = Thread(target=noted, args=[Drawing()])
        thread.start()
        thread.join()
    else:
        noted(Drawing())
    assert len(DRAWN) == 4 + 1
    assert len(set(DRAWN)) == 4 + is_thread


def test_not_with_fresh_seeds_nor_for_a_single_estimator_nor_for_fitted_models():
    assert not noted(*TREES, fresh_seeds=True)
    assert not texts(cross_val_inference(TREES[0], X, Y, cv=CV).notes)
    half = {"cv": RepeatedSubsampleSplit(1, test_size=0.5, random_state=0)}
    (text,) = noted(TREES[0], **half, method=HoldoutTTest())
    said = (
        "; one split shows no seed-to-seed variability, so the standard error does not include it"
    )
    assert text.endswith(said)
    assert not noted(TREES[0], **half, method=HoldoutTTest(hypotheses="fixed"))
    several = cross_val_inference(dict(zip("abc", TREES, strict=True)), X, Y, cv=CV)
    assert "'a', 'b', 'c' depend on random_state" in str(several)


def test_it_costs_one_fit_each_and_a_store_keeps_what_it_found(tmp_path, capsys):
    trace, store = tmp_path / "trace", tmp_path / "fits.db"
    models = {name: TracedTree(str(trace), random_state=k) for k, name in enumerate("ab")}
    options = {"cv": CV, "store": store, "scoring": "accuracy"}
    first = compare_estimators(models, X, Y, verbose=1, **options)
    assert counts(trace)[1] == 8 + 2
    assert "8/8" in capsys.readouterr().err
    again = compare_estimators(models, X, Y, **options)
    alone = cross_val_score(models["a"], X, Y, **options)
    assert counts(trace)[1] == 10
    later = options | {"store": tmp_path / "later.db"}  # a store that does not have it gets it
    cross_val_score(models["a"], X, Y, **later)
    for n_fits in (10 + 4 + 2, 10 + 4 + 2):
        assert noted(models["a"], **later)
        assert counts(trace)[1] == n_fits
    assert len(texts(first.notes)) == 1
    assert again.notes == first.notes
    assert not texts(alone.notes)
    np.testing.assert_array_equal(alone.values, first.scores["a"].values)


class SlowTree(TracedTree):
    def fit(self, X, y):
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        return super().fit(X, y)


def test_slow_fits_are_not_made_once_more_which_is_said(tmp_path):
    trace, store = tmp_path / "trace", tmp_path / "fits.db"
    slow = SlowTree(str(trace), random_state=7)
    for options in ({}, {"store": store}, {"store": store}):
        assert noted(slow, **options) == [
            "random_state=7 of 'a' was not varied, as a fit takes more than 10 ms: the "
            "difference may be due to seeds; fresh_seeds=True includes seed-to-seed variability in "
            "the standard error"
        ]
    assert counts(trace)[1] == 4 + 4
    (text,) = noted(TREES[0], slow, SlowTree(str(trace), random_state=8))
    assert "predictions of 'a' depend on random_state" in text
    assert "; random_state of 'b', 'c' was not varied" in text


@pytest.mark.parametrize("model", [Mixed(), Mixed(fails=True)])
def test_scores_and_numpys_stream_are_as_without_it(model):
    np.random.seed(0)  # noqa: NPY002
    expected = cross_val_score(model, X, Y, cv=CV, scoring="accuracy").values
    after = np.random.uniform()  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002
    found = compare_estimators({"a": model, "bayes": GaussianNB()}, X, Y, cv=CV)
    assert after == np.random.uniform()  # noqa: NPY002
    assert found.scores.values[0].tobytes() == expected.tobytes()
    assert not texts(found.notes)
