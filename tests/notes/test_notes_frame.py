"""notes_frame: a row for each note, of every result that has notes."""

import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import skcvstats as s
from skcvstats.exceptions import SplitDesignWarning
from skcvstats.scores import Note
from skcvstats.stats import corrected_resampled_ttest, plan_n_splits
from tests.data import iris

X, Y = iris()
MODELS = {"a": DummyClassifier(), "b": GaussianNB()}
NOTES = (
    Note("made up", "a is made up", SplitDesignWarning, about=("a",)),
    Note("note", "a user's own note", None),
)


def test_a_row_is_a_note():
    result = corrected_resampled_ttest([0.1, 0.3, 0.2] * 5, n_train=90, n_test=10)
    frame = result.with_notes(NOTES).notes_frame()
    assert frame.to_dict("list") == {
        "code": ["made up", "note"],
        "text": ["a is made up", "a user's own note"],
        "about": [("a",), ()],
        "category": ["SplitDesignWarning", None],
    }


def test_no_notes_are_no_rows():
    result = corrected_resampled_ttest([0.1, 0.3, 0.2] * 5, n_train=90, n_test=10)
    assert not result.notes
    assert result.notes_frame().shape == (0, 4)


def several_metrics():
    return s.compare_estimators(MODELS, X, Y, scoring=["accuracy", "roc_auc_ovr"], n_jobs=1)


RESULTS = {
    "comparison": several_metrics,
    "one metric": lambda: several_metrics()["accuracy"],
    "one comparison": lambda: several_metrics()["accuracy"].comparisons[0],
    "estimates": lambda: s.cross_val_inference(MODELS, X, Y, n_jobs=1),
    "test": lambda: s.cross_val_inference(MODELS["b"], X, Y, n_jobs=1),
    "test set": lambda: s.compare_predictions(
        Y, {name: model.fit(X, Y).predict(X) for name, model in MODELS.items()}, scoring="accuracy"
    ),
    "curve": lambda: s.learning_curve_inference(MODELS, X, Y, train_sizes=(30, 60)),
    "plan": lambda: plan_n_splits(s.cross_val_score(MODELS["b"], X, Y, n_jobs=1)),
}


@pytest.mark.parametrize("kind", RESULTS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_result_has_it(kind):
    result = RESULTS[kind]()
    frame = result.notes_frame()
    assert frame["code"].tolist() == [note.code for note in result.notes]
    assert frame["text"].tolist() == [str(note) for note in result.notes]
