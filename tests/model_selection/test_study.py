"""compare_candidates of Optuna studies, which are known by what they have."""

import warnings
from functools import partial

import numpy as np
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import KFold, ShuffleSplit

from skcvstats import RepeatedSubsampleSplit, SplitDesign, compare_candidates, compare_scores
from skcvstats.exceptions import AnticonservativeWarning, FitError, SplitDesignError
from tests.model_selection.studies import Direction, State, Study, Trial, study_of

CV = RepeatedSubsampleSplit(12, random_state=0)
X, Y = np.zeros((60, 2)), np.arange(60) % 2
RANDOM = np.random.default_rng(1)
SCORES = RANDOM.normal(0.8, 0.02, (4, 12)) + np.array([[0.0], [0.05], [0.0], [0.01]])


study = partial(study_of, SCORES)


def changed(number, **changes):
    """Return the study with one trial changed."""
    made = study()
    vars(made.trials[number]).update(changes)
    return made


def test_trials_are_compared_as_their_scores_are():
    design = SplitDesign.from_splitter(CV, X, Y)
    result = compare_candidates(study(), X, Y, cv=CV, scoring="accuracy").pairs()
    labels = ("#0 C=1", "#1 C=10", "#2 C=100", "#3 C=1000")
    assert result.scores.labels == labels
    scores = dict(zip(labels, SCORES, strict=True))
    other = compare_scores(scores, design=design, scoring="accuracy")
    ours, theirs = (found.to_frame().drop(columns="note") for found in (result, other))
    assert ours.equals(theirs)
    assert result.best_set() == other.best_set() == ("#1 C=10",)
    codes = {note.code for note in result.notes}
    assert codes == {"optimistic winner", "pairing not verified"}
    stated = compare_candidates(study(), design=design, scoring="accuracy")
    listed = compare_candidates(study(), X, Y, cv=list(CV.split(X)), scoring="accuracy")
    assert stated.pairs().to_frame().equals(result.to_frame())
    assert listed.pairs().to_frame().equals(result.to_frame())


def test_a_study_that_minimizes_is_turned_round():
    losses = study(sign=-1, directions=[Direction.MINIMIZE])  # of negative losses
    result = compare_candidates(losses, X, Y, cv=CV, reference=None, scoring="rmse")
    assert result.metrics == ("neg_rmse",)
    np.testing.assert_array_equal(result.scores.values, SCORES)


def test_the_best_set_and_the_pairs_of_the_top():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = compare_candidates(study(), X, Y, cv=CV)
    assert len(result) == 0
    assert [result.params(name) for name in result.best_set()] == [{"C": 10}]
    with pytest.warns(AnticonservativeWarning, match="2 best of 4 candidates"):
        pairs = result.pairs(top=2)
    assert len(pairs) == 1
    assert len(pairs.ranking()) == 4


def test_pruned_and_unfinished_trials_are_left_out_and_noted():
    made = study()
    made.trials[0].state = State.PRUNED
    made.trials += [Trial(4, {"C": 2.0}, state=State.RUNNING), Trial(5, {}, state=State.WAITING)]
    with pytest.warns(AnticonservativeWarning, match="1 pruned trial left out"):
        result = compare_candidates(made, X, Y, cv=CV, reference=None)
    assert result.scores.labels == ("#1 C=10", "#2 C=100", "#3 C=1000")
    notes = {note.code: str(note) for note in result.notes}
    assert notes["unfinished trials"] == "2 unfinished trials left out"


@pytest.mark.parametrize(
    "changes",
    [
        {"state": State.FAIL, "user_attrs": {}, "value": None},
        {"user_attrs": {"scores": [None, *SCORES[0][1:]]}},
        {"user_attrs": {"scores": [float("nan")] * 12}},
    ],
    ids=["failed", "None", "nan"],
)
def test_failed_trials_are_left_out_with_a_warning(changes):
    with pytest.warns(FitFailedWarning, match="#0 C=1' had fits or scores that failed"):
        result = compare_candidates(changed(0, **changes), X, Y, cv=CV, reference=None)
    assert result.scores.labels == ("#1 C=10", "#2 C=100", "#3 C=1000")


BARE = study()
for trial in BARE.trials[1:3]:
    trial.user_attrs = {"auc": [0.5] * 12}


@pytest.mark.parametrize(
    ("made", "given", "error", "message"),
    [
        ([1, 2], {}, TypeError, r"is a list without cv_results_; .* or an optuna\.Study"),
        (study(directions=[Direction.MAXIMIZE] * 2), {}, ValueError, r"has 2 objectives.*compare"),
        (Study([]), {}, ValueError, r"no finished trials among its 0.*Run study\.optimize"),
        (Study(study().trials[:1]), {}, ValueError, r"The study had one candidate only, \{'C': 1"),
        (BARE, {}, ValueError, r"2 of 4 finished trials without 'scores' in their user_attrs: "
         r"'#1', '#2'\. Their attributes are 'scores', 'auc'; choose.*set_user_attr\('scores'"),
        (changed(2, user_attrs={"scores": [0.1] * 5}), {}, ValueError,
         r"'scores' of trial 2 has shape \(5,\), but there are 12 splits; store one number for"),
        (changed(2, user_attrs={"scores": "0.1"}), {}, ValueError, r"is '0\.1', not numbers"),
        (changed(2, value=-SCORES[2].mean()), {}, ValueError,
         r"mean of the 'scores' of trial 2 is 0\.\d+, and its value is -0\.\d+, with the other sign"
         r"\. The study maximizes: store the scores that the value is the mean of"),
        (study(), {"cv": None}, ValueError, r"does not keep its splits\. Pass the .* cv=\.\."),
        (study(), {"cv": [1, 2]}, ValueError, r"cv item 0 is 1, not a \(train, test\) pair; pass"),
        (study(), {"cv": KFold}, ValueError, r"KFold'> must be the splitter of the objective"),
        (study(), {"cv": ShuffleSplit(12)}, SplitDesignError, r"other splits each time.*seed"),
        (study(), {"design": SplitDesign.from_sizes(9, 1, n_splits=12)}, ValueError,
         r"Pass either the data \(X, y, groups, cv\) or design=, not both"),
        (study(), {"X": None, "y": None, "cv": None, "design": 12}, TypeError,
         r"design=12 must be a SplitDesign"),
        (study(), {"method": "conservative_z"}, ValueError, r"compare_candidates has the sc"),
        (Study([Trial(0, {"C": 1}, state=State.FAIL), *study().trials[1:2]]), {}, FitError,
         r"1 of 2 candidates .* cause and run the study again\."),
    ],
)  # fmt: skip
def test_mistakes(made, given, error, message):
    with pytest.raises(error, match=f"(?s){message}"):
        compare_candidates(made, **{"X": X, "y": Y, "cv": CV} | given)
