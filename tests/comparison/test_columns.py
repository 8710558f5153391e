"""Tables have at most twelve columns, which are those of the full table; notes are codes."""

import io
from functools import cache

import numpy as np
import pandas as pd
import pytest

import skcvstats as s
from skcvstats.test_set import predictions_inference

from ..cheap import NearestMean

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
MODELS = {f"first {k}": NearestMean(k) for k in (1, 2, 4)}
DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=10)
SCORES = dict(zip("abc", RNG.normal(0.8, 0.02, size=(3, 10)), strict=True))
TASKS = pd.DataFrame(RNG.normal(size=(12, 3)), columns=list("abc"))
pytestmark = pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")

RESULTS = {
    "rows": lambda: s.compare_estimators(MODELS, X, Y, margin=0.1),
    "two metrics": lambda: s.compare_estimators(MODELS, X, Y, scoring=["accuracy", "roc_auc"]),
    "finished": lambda: s.compare_scores(SCORES, design=DESIGN, metric="accuracy"),
    "margin": lambda: s.compare_scores(SCORES, design=DESIGN, margin=0.01),
    "data sets": lambda: s.compare_losses(TASKS, unit="data sets"),
    "test set": lambda: s.compare_predictions(Y, {"a": Y, "b": 1 - Y}, scoring="accuracy"),
    "one test": lambda: s.compare_scores(SCORES, design=DESIGN).tests[0],
    "test of a set": lambda: predictions_inference(Y, RNG.integers(0, 2, 60), scoring="accuracy"),
    "scores": lambda: s.cross_val_inference(MODELS, X, Y, method="corrected_resampled_t"),
    "curve": lambda: s.learning_curve_inference(MODELS, X, Y),
    "report": lambda: s.evaluation_report(s.compare_scores(SCORES, design=DESIGN, margin=0.1)),
}


class Wide(NearestMean):
    """Has parameters that change nothing."""

    def __init__(self, n_columns=1, p0=0, p1=0, p2=0, p3=0, p4=0, p5=0, p6=0, p7=0, p8=0):
        super().__init__(n_columns)
        for k, value in enumerate((p0, p1, p2, p3, p4, p5, p6, p7, p8)):
            setattr(self, f"p{k}", value)


@cache
def found(kind):
    return RESULTS[kind]()


@pytest.mark.parametrize("kind", RESULTS)
def test_a_table_is_the_first_part_of_the_full_one(kind):
    result = found(kind)
    few = result.to_frame()
    full = result.to_frame(full=True)
    assert few.shape[1] <= 12 < full.shape[1]
    assert list(few) == [name for name in full if name in few]
    pd.testing.assert_frame_equal(full[list(few)], few)
    pd.testing.assert_frame_equal(result.to_frame(full=np.bool_(False)), few)
    with pytest.raises(TypeError, match="full='yes' must be True or False"):
        result.to_frame(full="yes")


def test_notes_are_codes_each_once():
    result = found("rows")
    for note, pair in zip(result.to_frame()["note"], result, strict=True):
        assert note.split("; ") == list(dict.fromkeys(each.code for each in pair.notes))
    own = s.compare_scores(
        {name: s.CVScores(values=v, design=DESIGN, notes=["mine"]) for name, v in SCORES.items()}
    )
    assert all("mine" in note.split("; ") for note in own.to_frame()["note"])


def test_outcomes_are_those_of_the_comparisons():
    for kind in ("finished", "margin", "data sets"):
        result = found(kind)
        assert result.to_frame()["outcome"].tolist() == [pair.outcome for pair in result]
        narrow = result.to_frame(0.6)["outcome"].tolist()
        assert narrow == [pair.outcome for pair in result.with_confidence(0.6)]


def test_the_gain_of_a_curve_is_that_of_its_tests():
    curve = found("curve")
    full = curve.to_frame(full=True)
    gains = full[full["gain"].notna()]
    tests = curve.gains
    assert gains["gain_pvalue_unadjusted"].tolist() == [gain.test.pvalue for gain in tests]
    assert gains["gain_pvalue"].tolist() == [gain.pvalue_adjusted for gain in tests]
    assert gains["gain_outcome"].tolist() == [gain.outcome for gain in tests]
    errors = curve.of_scores.standard_error.tolist()
    assert full["standard_error"].tolist() == errors


def test_a_race_has_a_column_for_each_parameter_that_varies():
    grid = {"n_columns": [1, 2, 4]}
    race = s.RacingSearchCV(NearestMean(), grid, random_state=0).fit(X, Y)
    frame = race.to_frame()
    assert list(frame)[:4] == ["estimator", "score", "n_splits_done", "dropped_after"]
    labels = [f"n_columns={value}" for value in frame["n_columns"]]
    assert [label.split(" ")[1] for label in frame["estimator"]] == labels
    times = race.to_frame(full=True).set_index("estimator")["mean_fit_time"]
    assert sorted(times) == sorted(race.cv_results_["mean_fit_time"])
    many = {"n_columns": [1, 2], **{f"p{k}": [0, 1] for k in range(9)}}
    wide = s.RacingSearchCV(Wide(), many, n_iter=9, random_state=0).fit(X, Y)
    assert wide.to_frame().shape[1] == 12
    assert set(many) <= set(wide.to_frame(full=True))


def test_the_command_line_writes_all_columns(tmp_path):
    from skcvstats.command_line import main

    saved = tmp_path / "scores.json"
    result = found("margin")
    saved.write_text(result.to_json())
    table = tmp_path / "table.csv"
    assert main(["report", str(saved), "--csv", str(table)]) == 0
    written = pd.read_csv(io.StringIO(table.read_text()))
    assert list(written) == list(result.to_frame(full=True))
    assert written["note"].tolist() == result.to_frame()["note"].tolist()
