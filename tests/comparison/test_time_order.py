"""Of a procedure that is not for splits in time order every outlet has scores only, or says so."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from skcvstats.command_line import main
from skcvstats.plotting import ComparisonDisplay, PairedScoresDisplay, RankingDisplay

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] + RNG.normal(size=120) > 0).astype(int)
CV = TimeSeriesSplit(5)
TREES = [DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (2, 1)]
MODELS = {"lr": LogisticRegression(), "dt": TREES[0], "st": TREES[1]}
SAID = "This procedure is not valid for splits in time order"
OF_SPLITS = {"cv": CV, "method": "corrected_resampled_t"}

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.fixture(scope="module", params=[2, 3])
def result(request):
    models = dict(list(MODELS.items())[: request.param])
    return s.compare_estimators(models, X, Y, **OF_SPLITS, margin=1e-6)


@pytest.mark.parametrize(
    "ask",
    [
        lambda r: r[0], lambda r: list(r), lambda r: r.tests, lambda r: r.best_set(),
        lambda r: r.letters(), lambda r: r.sentences(), lambda r: r.plot(),
        RankingDisplay.from_result, ComparisonDisplay.from_result, PairedScoresDisplay.from_result,
    ],
)  # fmt: skip
def test_a_verdict_is_refused_and_says_what_to_use(result, ask):
    with pytest.raises(ValueError, match=rf"{SAID}.*diebold_mariano.*ranking\(\)"):
        ask(result)


def test_tables_have_scores_only(result):
    frame, ranking = result.to_frame(), result.ranking()
    known = ["metric", "estimator", "versus", "score", "score_versus", "difference", "note"]
    assert frame.drop(columns=known).isna().all(axis=None)
    assert frame[known].notna().all(axis=None)
    assert ranking.drop(columns=["estimator", "score"]).isna().all(axis=None)
    means = result.scores.values.mean(axis=-1)
    assert sorted(ranking["score"]) == pytest.approx(sorted(means))
    found = result.to_dict()
    no_verdict = ("outcome", "could_be_best", "pvalue_best", "low", "high", "standard_error")
    no_verdict += ("pvalue",)
    assert all(value is None for key, value in found.items() if key.split("/")[-1] in no_verdict)
    assert found["accuracy/lr/score"] == pytest.approx(means[0])


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_on_the_command_line(result, options, tmp_path, capsys):
    (tmp_path / "saved.json").write_text(result.to_json(), encoding="utf-8")
    assert main(["report", str(tmp_path / "saved.json"), *options]) == 0
    printed = capsys.readouterr().out
    if not options:
        assert SAID in printed
        return
    for row in json.loads(printed)["comparisons"]:
        assert (row["outcome"], row["verdict"], row["pvalue"]) == (None, None, None)
        assert row["score"] > 0


def test_a_margin_is_not_mentioned(result):
    assert "small margin" not in {note.code for note in result.notes}
    assert SAID in str(result)
    assert str(s.ComparisonResult.from_json(result.to_json())) == str(result)


def test_candidates_of_a_search():
    search = GridSearchCV(MODELS["dt"], {"max_depth": [1, 2, 3]}, cv=CV).fit(X, Y)
    candidates = s.compare_candidates(search, X, Y)
    for said in (str(candidates), repr(candidates), candidates._repr_html_()):
        assert SAID in said
        assert "#0 max_depth=1" in said
    report = str(s.evaluation_report(candidates))
    assert SAID in report
    assert "could be best" not in report
    with pytest.raises(ValueError, match=SAID):
        candidates.best_set()
    assert SAID in str(candidates.pairs())


def test_where_auto_takes_no_test_nothing_points_to_that_test_or_to_power():
    found = s.compare_estimators(MODELS, X, Y, cv=CV, groups=np.arange(120) // 2)
    said = " ".join(str(found).split())
    assert SAID in said
    assert said.count("Diebold-Mariano") == 1
    assert '"diebold_mariano"' not in said
    assert "few splits" not in {note.code for note in found.notes}


def test_single_scores():
    found = s.cross_val_inference(MODELS, X, Y, **OF_SPLITS)
    numbers = ["standard_error", "low", "high"]
    assert found.to_frame()[numbers].isna().all(axis=None)
    assert found.ranking()[numbers].isna().all(axis=None)
    assert found.to_dict()["accuracy/lr/low"] is None
    with pytest.raises(ValueError, match=SAID):
        found.plot()


def test_a_metric_without_a_valid_test_hides_no_verdict_of_another():
    target, scoring = X[:, 0] + RNG.normal(size=120), ["neg_mean_squared_error", "neg_max_error"]
    models = {"line": LinearRegression(), "mean": DummyRegressor()}
    both = s.compare_estimators(models, X, target, scoring=scoring, cv=CV)
    alone = s.compare_estimators(models, X, target, scoring=scoring[0], cv=CV)
    said = " ".join(str(both).split())
    assert f"max error: {SAID}" in said
    assert 'method="auto" chose no test for max error: max error has no scores of' in said
    assert "have verdicts: result['neg_mean_squared_error']." in said
    with pytest.raises(ValueError, match=SAID):
        both.tests  # noqa: B018
    assert both[scoring[0]].tests[0].pvalue == alone.tests[0].pvalue
    assert np.isnan(both.to_frame()["pvalue"]).tolist() == [False, True]
