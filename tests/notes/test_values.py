"""Notes on values: scores that fitted models hardly have."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeaveOneOut

import skcvstats as s
from skcvstats.scores import Note
from tests.cheap import NearestMean
from tests.conftest import ignoring

pytestmark = ignoring("Anticonservative", "DegenerateScores", "SplitDesign")
RNG = np.random.default_rng(0)
DESIGN = s.SplitDesign.from_sizes(n_train=100, n_test=20, n_splits=10, n_samples=120)
SHARES = RNG.integers(14, 19, 10) / 20
FAILED = np.where(np.arange(10) % 4 == 2, 0.0, SHARES)
ERRORS = RNG.normal(3000, 200, 10)
DOUBTS = {"no errors", "scores of 0", "scores of two signs", "no shares", "largest error"}


def doubts(result):
    return [note.code for note in result.notes if note.code in DOUBTS]


ODD = {
    "failed fits": ("accuracy", SHARES, FAILED, "scores of 0"),
    "failed fits, no name": ("score", SHARES, FAILED, "scores of 0"),
    "failed fits, areas": ("roc_auc", SHARES + 0.01, FAILED, "scores of 0"),
    "f1 of a rare class": ("f1", SHARES, FAILED, None),
    "no share": ("accuracy", SHARES, SHARES[::-1] + 0.0137, "no shares"),
    "all averaged": ("accuracy", SHARES + 0.0137, SHARES[::-1] + 0.0137, None),
    "rounded": ("accuracy", RNG.integers(14, 19, 10) / 20, np.round(SHARES, 2), None),
    "no accuracy": ("balanced_accuracy", SHARES, SHARES[::-1] + 0.0137, None),
    "two signs": ("my_metric", ERRORS, -1.1 * ERRORS[::-1], "scores of two signs"),
    "two signs, small": ("score", SHARES, -SHARES, "scores of two signs"),
    "r2 of a bad model": ("r2", SHARES, -SHARES, None),
    "r2 by no name": ("score", SHARES, -SHARES[::-1] / 50, None),
    "r2 of a bad model by no name": ("score", SHARES, SHARES - 1.5, None),
    "no error": ("accuracy", SHARES, np.ones(10), "no errors"),
    "no loss": ("neg_mean_squared_error", -ERRORS, np.zeros(10), "no errors"),
    "all positive": ("recall", SHARES, np.ones(10), None),
    "one error": ("accuracy", SHARES, np.r_[np.ones(9), 0.95], None),
    "unknown range": ("my_metric", SHARES, np.ones(10), None),
    "largest error": ("neg_max_error", -ERRORS, -ERRORS[::-1] - 1, "largest error"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_scores_are_noted_and_others_are_not(name):
    metric, usual, odd, code = ODD[name]
    result = s.compare_scores({"usual": usual, "odd": odd}, metric=metric, design=DESIGN)
    assert doubts(result) == [code] * (code is not None)
    if code not in (None, "largest error"):
        (text,) = (note.text for note in result.notes if note.code == code)
        assert text.startswith(f"'odd' in {metric}: ")
        one = s.CVScores(values=odd, design=DESIGN, metric=metric, labels=("odd",))
        alone = s.CorrectedResampledTTest()(one)
        assert doubts(alone) == [code] * (code in ("no errors", "scores of 0"))


def test_one_score_of_0_in_small_test_sets_is_silent():
    small = s.SplitDesign.from_sizes(n_train=31, n_test=9, n_splits=10, n_samples=40)
    for design, n_notes in ((small, 0), (DESIGN, 1)):
        scores = s.CVScores(values=FAILED, design=design, metric="roc_auc")
        assert [note.code for note in scores.all_notes] == ["scores of 0"] * n_notes


def test_losses_of_one_model_have_no_order_yet():
    one = s.CVScores(values=ERRORS, design=DESIGN, metric="neg_loss")
    both = s.CVScores(values=[ERRORS, 2 * ERRORS], design=DESIGN, metric="neg_loss")
    assert one.all_notes == ()
    assert [note.code for note in both.all_notes] == ["loss as score"]
    never_positive = s.CVScores(values=ERRORS, design=DESIGN, metric="neg_mean_squared_error")
    assert [note.code for note in never_positive.all_notes] == ["loss as score"]


def test_scores_of_0_name_all_who_have_them_and_ask_of_no_fits_that_were_ours():
    design = s.SplitDesign.from_sizes(n_train=400, n_test=100, n_splits=10, n_samples=500)
    values = [[0.5] * 10, [0.0] * 6 + [0.5, 0.5, 0.4, 0.5], [0.0] * 9 + [0.4]]
    names, said = ("usual", "steady", "rare"), "scores of exactly 0 in some splits"
    for provenance, why in (({}, " (did fits fail"), ({"estimators": {}}, ": the class is rare")):
        given = {"design": design, "metric": "f1", "labels": names, "provenance": provenance}
        notes = [str(note) for note in s.CVScores(values=values, **given).all_notes]
        assert [note for note in notes if f"'steady', 'rare' in f1: {said}{why}" in note]


def test_a_loss_whose_name_does_not_say_so_is_noted():
    scorer = metrics.make_scorer(metrics.zero_one_loss, greater_is_better=False)
    y = np.arange(60) % 2
    X = y[:, None] + np.random.default_rng(0).normal(size=(60, 2))
    models = {"near": NearestMean(), "never": DummyClassifier()}
    for scoring, noted in (({"cost": scorer}, 1), ({"neg_cost": scorer}, 0), (scorer, 0)):
        result = s.compare_estimators(models, X, y, cv=5, scoring=scoring)
        notes = [str(note) for note in result.notes if note.code == "minus a loss"]
        assert len(notes) == noted
        assert all("in cost are minus zero_one_loss" in note for note in notes)
        assert ("Lower is better" in str(result)) == (not noted)


class TestNames:
    """A note names each of the estimators that it is about once, and those without a name."""

    WORDS = "'the scores' in accuracy: perfect on every row"

    def notes(self, values, **known):
        scores = s.CVScores(values=values, design=DESIGN, metric="accuracy", **known)
        return [note.text for note in scores.all_notes if note.code == "no errors"]

    @pytest.mark.parametrize("shape", [(10,), (1, 10), (3, 10), (2, 3, 10)])
    def test_scores_without_labels(self, shape):
        (text,) = self.notes(np.ones(shape))
        assert text.startswith(self.WORDS)
        assert self.notes(np.ones(shape) / 2) == []

    def test_labels_of_the_first_of_two_axes(self):
        values = np.full((2, 3, 10), 0.5)
        values[1, 2] = 1.0
        (text,) = self.notes(values, labels=("some", "other"))
        assert text.startswith("'other' in accuracy: ")

    def test_of_a_difference(self):
        given = {"design": DESIGN, "metric": "accuracy"}
        for labels, name in (((), "the scores"), (("model",), "model")):
            right = s.CVScores(values=np.ones(10), labels=labels, **given)
            (text,) = {n.text for n in (right - right).all_notes if n.code == "no errors"}
            assert text.startswith(f"'{name}' in accuracy: perfect on every row")


def test_a_note_that_was_saved_is_not_found_again_in_other_words():
    saved = Note("no errors", "as an earlier version said it", None)
    other = Note("no errors", "the same about another model", None, about=("other",))
    given = {"values": np.ones((2, 10)), "design": DESIGN, "labels": ("right", "other")}
    scores = s.CVScores(**given, metric="accuracy", notes=[saved, other])
    again = s.CVScores.from_json(scores.to_json())
    assert [note for note in again.all_notes if note.code == "no errors"] == [saved, other]
    found = again.differences(np.array([0]), np.array([1])).all_notes
    assert saved in found
    assert not [note for note in found if "perfect on every row" in note.text]
    fresh = s.CVScores(**given, metric="accuracy", notes=[other])
    assert sum(note.code == "no errors" for note in fresh.all_notes) == 2


class TestOfSomeEstimators:
    WORDS = "perfect on every row; check for target leakage or training rows in the test set"
    RIGHT = np.ones(10)
    OTHER = np.arange(5, 15) / 20

    def scores(self, values, name):
        return s.CVScores(values=values, design=DESIGN, labels=(name,), metric="accuracy")

    def saved(self, name):
        scores = self.scores(self.RIGHT, name)
        return s.CVScores.from_json(scores.with_notes(scores.all_notes).to_json())

    def notes(self, result):
        return [(note.text, note.about) for note in result.notes if note.code == "no errors"]

    def texts(self, comparison):
        return [note.text for note in comparison.notes if note.code == "no errors"]

    @ignoring("DegenerateScores")
    def test_a_saved_note_does_not_hide_one_about_another_estimator(self):
        given = {"a": self.saved("a"), "b": self.scores(self.RIGHT, "b")}
        assert self.notes(s.compare_scores(given)) == [
            (f"'a' in accuracy: {self.WORDS}", ("a",)),
            (f"'a', 'b' in accuracy: {self.WORDS}", ("a", "b")),
        ]

    def test_a_saved_note_is_said_once_under_another_name(self):
        given = {"b": self.saved("a"), "a": self.scores(self.OTHER, "a")}
        result = s.compare_scores(given)
        assert self.notes(result) == [(f"'a' in accuracy: {self.WORDS}", ("b",))]
        given["c"] = self.scores(self.OTHER[::-1], "c")
        said = {(it.estimator, it.versus): self.texts(it) for it in s.compare_scores(given)}
        assert [names for names, texts in said.items() if not texts] == [("a", "c")]

    @ignoring("DegenerateScores")
    @pytest.mark.parametrize("n_right", [2, 9])
    def test_a_comparison_names_only_its_own(self, n_right):
        names = [f"right {k}" for k in range(n_right)]
        given = {name: self.scores(self.RIGHT, name) for name in names}
        given |= {name: self.scores(self.OTHER, name) for name in ("c", "d")}
        result = s.compare_scores(given)
        ((_, about),) = self.notes(result)
        assert about == tuple(names)
        for comparison in result:
            pair = (comparison.estimator, comparison.versus)
            named = ", ".join(repr(name) for name in names if name in pair)
            expected = [f"{named} in accuracy: {self.WORDS}"] if named else []
            assert self.texts(comparison) == expected


def test_rounded_accuracies_are_shares():
    design = s.SplitDesign.from_sizes(n_train=105, n_test=15, n_splits=10, n_samples=120)
    exact = np.arange(3, 13) / 15
    for digits in (2, 3, 4):
        given = {"exact": exact[::-1], "rounded": exact.round(digits)}
        assert doubts(s.compare_scores(given, metric="accuracy", design=design)) == []


def test_few_rows_without_an_error_are_silent():
    for n, codes in ((49, []), (50, ["no errors"])):
        y = np.arange(n) % 2
        given = {"right": y, "other": np.where(np.arange(n) < 5, 1 - y, y)}
        assert doubts(s.compare_predictions(y, given, scoring="accuracy")) == codes
        losses = {"right": np.zeros(n), "other": np.abs(RNG.normal(size=n))}
        for loss in ("squared_error", "loss", "own"):
            assert doubts(s.compare_losses(losses, metric=loss)) == codes
        folds = np.arange(n) % 5
        assert doubts(s.compare_out_of_fold(y, given, folds=folds, scoring="accuracy")) == codes


X = RNG.normal(size=(60, 3))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
TARGET = X @ [3.0, 2.0, 1.0] + RNG.normal(size=60)
CV = s.RepeatedSubsampleSplit(3, test_size=20, random_state=0)


def test_the_target_among_the_columns():
    leaking = np.column_stack([X, 9 * TARGET])
    models = {"linear": LinearRegression(), "mean": DummyRegressor()}
    result = s.compare_estimators(models, leaking, TARGET, cv=CV)
    assert doubts(result) == ["no errors"]
    assert "check for target leakage" in str(result)
    how = {"scoring": "neg_mean_squared_error"}
    result = s.cross_val_inference(LinearRegression(), leaking, TARGET, **how)
    assert doubts(result) == ["no errors"]
    assert doubts(s.compare_estimators(models, X, TARGET, cv=CV)) == []


def test_leave_one_out_has_scores_of_0():
    models = {"a": NearestMean(), "b": DummyClassifier()}
    assert doubts(s.compare_estimators(models, X[:24], Y[:24], cv=LeaveOneOut())) == []


def test_the_largest_error_grows_with_the_test_set():
    models = {"linear": LinearRegression(), "mean": DummyRegressor()}
    scorer = {"mine": metrics.make_scorer(metrics.max_error, greater_is_better=False)}
    for scoring in ("neg_max_error", scorer):
        result = s.compare_estimators(models, X, TARGET, cv=CV, scoring=scoring)
        assert doubts(result) == ["largest error"]
        alone = s.cross_val_inference(models["linear"], X, TARGET, scoring=scoring)
        assert doubts(alone) == ["largest error"]
