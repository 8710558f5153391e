"""notes_frame: a row for each note, of every result that has notes."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

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


def test_it_tells_which_estimators_notes_are_about():
    design = s.SplitDesign.from_sizes(n_train=100, n_test=20, n_splits=10, n_samples=120)
    given = {"right": np.ones(10), "b": np.arange(5, 15) / 20, "odd": np.arange(10, 20) / 30}
    frame = s.compare_scores(given, metric="accuracy", design=design).notes_frame()
    about = dict(zip(frame["code"], frame["about"], strict=True))
    assert (about["no errors"], about["no shares"]) == (("right",), ("odd",))
    assert about["pairing not verified"] == ()


def test_notes_on_fits_tell_it_too():
    y = np.arange(200) % 2
    given = {"reversed": 1 - y, "good": np.where(np.arange(200) < 10, 1 - y, y)}
    frame = s.compare_predictions(y, given, scoring="roc_auc").notes_frame()
    about = dict(zip(frame["code"], frame["about"], strict=True))
    assert about["two-valued predictions"] == ("reversed", "good")
    assert about["worse than a constant"] == ("reversed",)
    kept = make_pipeline(FrozenEstimator(StandardScaler().fit(X)), GaussianNB())
    with pytest.warns(SplitDesignWarning, match="is not fitted again"):
        result = s.compare_estimators({"a": MODELS["a"], "kept": kept}, X, Y, n_jobs=1)
    frame = result.notes_frame()
    assert dict(zip(frame["code"], frame["about"], strict=True))["frozen transformer"] == ("kept",)


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
