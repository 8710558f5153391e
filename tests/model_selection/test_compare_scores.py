"""compare_scores: pairs, references, verdicts, notes; the forms of scores that it accepts."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from skcvstats.comparison import compare
from skcvstats.stats import UNDETERMINED, corrected_resampled_ttest
from tests.comparison.made import DESIGN, by_pair, codes, scores_of, squeezed

RNG = np.random.default_rng(0)
BASE = RNG.normal(0.7, 0.03, size=15)
VALUES = {"low": BASE - 0.1, "high": BASE + RNG.normal(0.05, 0.02, size=15)}
VALUES["middle"] = BASE + RNG.normal(0, 0.02, size=15)


def scores(**values):
    return scores_of(list(values.values()), list(values))


def test_rows_are_best_first_and_have_these_columns():
    frame = s.compare_scores(scores(**VALUES)).to_frame(full=True)
    pairs = [["high", "middle"], ["high", "low"], ["middle", "low"]]
    assert frame[["estimator", "versus"]].to_numpy().tolist() == pairs
    assert list(frame.columns) == [
        *("metric", "estimator", "versus", "score", "score_versus", "difference", "standard_error"),
        *("low", "high", "low_unadjusted", "high_unadjusted", "statistic", "df"),
        *("pvalue", "pvalue_adjusted", "pvalue_error", "adjusted_over", "outcome", "note"),
    ]
    assert (frame["low"] < frame["low_unadjusted"]).all()
    holm = s.compare_scores(scores(**VALUES), adjustment="holm").to_frame(full=True)
    assert (holm["low"] == holm["low_unadjusted"]).all()


def test_the_best_as_reference_warns_that_it_was_chosen():
    with pytest.warns(match="chosen as the best on these same scores") as caught:
        result = s.compare_scores(scores(**VALUES), reference="best")
    assert [(w.category, w.filename) for w in caught] == [(s.AnticonservativeWarning, __file__)]
    assert {one.versus for one in result.comparisons} == {"high"}
    assert result.to_frame(full=True)["note"].str.contains("chosen reference").all()
    assert "; result.best_set() names the estimators that could be the best" in str(result.notes)
    assert "high" in result.best_set()
    assert "Warnings: chosen reference (see result.notes)." in str(result)


def test_the_best_of_two_is_favoured_in_a_one_sided_test_only():
    two = {name: VALUES[name] for name in ("low", "middle")}
    best = s.compare_scores(scores(**two), reference="best")  # no warning, which would be an error
    assert not any("favoured" in note for one in best for note in one.notes)
    pairs = s.compare_scores(scores(**two))
    assert best.tests[0].pvalue == pytest.approx(pairs.tests[0].pvalue, rel=1e-12)
    with pytest.warns(s.AnticonservativeWarning, match="chosen as the best"):
        s.compare_scores(scores(**two), reference="best", alternative="less")


def test_a_named_reference_that_is_the_best_is_noted():
    """As in compare_candidates, but without a warning, which would be an error here."""
    best = s.compare_scores(scores(**VALUES), reference="high")
    assert "best reference" in codes(best)
    assert "unless it was named before. [best reference]" in squeezed(best)
    for other in ("low", "middle"):
        assert "best reference" not in codes(s.compare_scores(scores(**VALUES), reference=other))
    two = {name: VALUES[name] for name in ("low", "high")}  # two-sided, the same from both sides
    assert "best reference" not in codes(s.compare_scores(scores(**two), reference="high"))


def test_method_may_be_a_procedure_with_its_options():
    margin = s.CorrectedResampledTTest(null_value=-0.2, alternative="greater")
    result = s.compare_scores(scores(**VALUES), method=margin, reference="middle")
    pairs = by_pair(result)
    assert set(pairs) == {("low", "middle"), ("high", "middle")}
    low = pairs["low", "middle"]
    assert low.test.pvalue < 0.05
    assert low.test.null_value == -0.2
    assert "low - middle in accuracy is significantly above -0.2" in str(low)


@pytest.mark.parametrize(
    ("gap", "adjustment"),
    [(0, "holm"), (0.25, "hochberg"), (0, "bonferroni"), (0.25, "bh"), (0, "by"), (0.25, "none")],
)
def test_undetermined_comparisons_help_no_other(adjustment, gap):
    # By hand: the others enter with p = 1, so the one test is the first of a family of four.
    factors = {"holm": 4, "hochberg": 4, "bonferroni": 4, "bh": 4, "none": 1}
    factor = {**factors, "by": 4 * (1 + 1 / 2 + 1 / 3 + 1 / 4)}[adjustment]
    base = np.round(BASE * 64) / 64  # so that the gaps are exact
    rows = {"a": base, "b": base + gap, "c": base - gap, "d": base + 2 * gap}
    given = scores(**rows, e=VALUES["high"])
    with pytest.warns(s.DegenerateScoresWarning, match="no conclusion can be drawn"):
        result = s.compare_scores(given, reference="a", adjustment=adjustment)
    pairs = by_pair(result)
    for name in "bcd":
        one = pairs[name, "a"]
        assert one.test.pvalue == (0 if gap else 1)  # as it is defined
        assert one.pvalue_adjusted == 1
        assert one.outcome == "undetermined"
        assert one.notes.count(UNDETERMINED) == one.test.notes.count(UNDETERMINED) == 1
    missing = ["statistic", "pvalue", "pvalue_adjusted", "low", "high", "low_unadjusted"]
    assert (
        result.to_frame(full=True)[missing].isna().all(axis=1)
        == (result.to_frame(full=True).standard_error == 0)
    ).all()
    (other,) = (one for one in result if one.estimator == "e")
    assert 0 < factor * other.test.pvalue < 1
    assert other.pvalue_adjusted == pytest.approx(factor * other.test.pvalue, rel=1e-12)


def test_of_several_metrics_each_warning_names_its_own():
    rows = np.round([BASE * 64, BASE * 64 + 16]) / 64
    metrics = ("accuracy", "f1")
    with pytest.warns(s.DegenerateScoresWarning) as caught:
        s.compare_scores({metric: scores_of(rows, metric=metric) for metric in metrics})
    said = [str(warning.message).partition(" do not")[0] for warning in caught]
    assert said == [f"m1 - m0: the scores in {metric}" for metric in metrics]


def test_sizes_that_are_very_unequal_are_noted_and_large_ones_written_out():
    def sized(*sizes, **options):
        design = s.SplitDesign.from_sizes(*sizes, **options)
        return s.CVScores(values=[*VALUES.values()], design=design, labels=tuple(VALUES))

    with pytest.warns(s.SplitDesignWarning, match=r"sizes \(the largest is 4 times the smallest"):
        s.compare_scores(sized([20] * 9 + [80] * 6, 10, n_samples=100))
    large = sized(1_234_567, 123_456, n_splits=15)
    assert ", 1234567 training rows)" in squeezed(s.compare_scores(large))
    assert "1234567 training rows" in repr(large)


def test_told_at_another_level():
    values = np.array([0.9, 0.88]) + np.random.default_rng(0).normal(0, 0.02, (15, 2))
    result = s.compare_scores(scores_of(values.T, "ab", "score"))
    assert 0.01 < result.tests[0].pvalue < 0.1
    loose, strict = result.with_confidence(0.9), result.with_confidence(0.99)
    assert "a scores significantly higher than b in score at the 10 % level" in str(loose)
    said = "No significant difference between a and b in score was found at the 1 % level"
    assert said in str(strict)
    for one, level in [(result, 0.95), (loose, 0.9), (strict, 0.99)]:
        assert one.confidence_level == level
        low, high = result.tests[0].confidence_interval(level)
        assert one.to_frame(full=True)[["low", "high"]].iloc[0].tolist() == [low, high]
        assert f"{100 * level:g} % confidence interval {low:.3g} to {high:.3g}" in str(one[0])
        assert f"{100 * level:g} % interval" in str(one)
    assert strict.to_frame(0.95).equals(result.to_frame())


@pytest.mark.parametrize(
    ("shift", "null_value", "alternative", "verdict"),
    [
        (0.01, 0.05, "two-sided", "a - b in accuracy is significantly below 0.05"),
        (-0.01, -0.05, "greater", "a - b in accuracy is significantly above -0.05"),
        (0.05, 0.05, "two-sided", "a - b in accuracy is not significantly different from 0.05"),
        (0.09, 0.05, "less", "a - b in accuracy is not significantly below 0.05"),
        (0.05, 0.0, "two-sided", "a scores significantly higher than b in accuracy"),
        (-0.05, 0.0, "two-sided", "a scores significantly lower than b in accuracy"),
        (-0.05, 0.0, "greater", "a does not score significantly higher than b"),
    ],
)
def test_verdicts_against_a_null_value(shift, null_value, alternative, verdict):
    noise = np.random.default_rng(5).normal(0, 0.004, size=15)
    noise -= noise.mean()
    test = s.CorrectedResampledTTest(null_value=null_value, alternative=alternative)
    both = scores(a=BASE + shift + noise, b=BASE)
    text = str(s.compare_scores(both, method=test, reference="b").comparisons[0])
    assert verdict in text
    if null_value:
        assert "scores" not in text


def test_designs_are_merged_over_all_estimators():
    X, y = load_iris(return_X_y=True)
    splits = [s.RepeatedSubsampleSplit(12, random_state=seed) for seed in (0, 1)]
    runs = [cross_validate(DummyClassifier(), X, y, cv=cv, return_indices=True) for cv in splits]
    sizes = s.SplitDesign.from_sizes(135, 15, n_splits=12)
    stated = s.CVScores(values=runs[0]["test_score"], design=sizes)
    first, other = (s.CVScores.from_cv_results(run) for run in runs)
    with pytest.raises(s.PairingError, match="Score both estimators with the same cv"):
        s.compare_scores({"a": stated, "b": first, "c": other})
    with pytest.warns(s.DegenerateScoresWarning):
        merged = s.compare_scores({"a": stated, "b": first}).scores
    assert merged.design.digests == first.design.digests
    assert [note.code for note in merged.notes] == ["pairing not verified"]


def test_times_and_row_scores_are_kept():
    rows = [s.RowScores.from_splits([np.full(3, k)] * 15, [np.arange(3)] * 15) for k in (1.0, 2.0)]
    facts = {"design": DESIGN, "fit_times": np.ones(15), "metric": "r"}
    of_rows = [s.CVScores(values=one.means(), row_scores=one, **facts) for one in rows]
    parts = dict(zip("ab", of_rows, strict=True))
    with pytest.warns(s.DegenerateScoresWarning):
        scores = s.compare_scores(parts).scores
    np.testing.assert_array_equal(scores.fit_times, np.ones((2, 15)))
    np.testing.assert_array_equal(scores["b"].row_scores.values, rows[1].values)


def test_comparisons_are_a_sequence():
    result = s.compare_scores(scores(**VALUES))
    comparisons = result.comparisons
    assert comparisons[-1] is comparisons[2]
    assert comparisons[:2] == (comparisons[0], comparisons[1])
    assert [comparison.test for comparison in comparisons] == list(result.tests)
    assert repr(comparisons) == "<3 Comparisons>"
    assert repr(result.tests) == "<3 CVTestResults>"
    assert len(result.sentences()) == 3
    many = scores_of(BASE + np.random.default_rng(1).normal(0, 0.01, size=(6, 15)))
    *said, more = s.compare_scores(many, adjustment="holm").sentences()
    assert (len(said), more) == (10, "5 more comparisons in the table.")


def test_a_score_of_a_failed_fit_is_missing_even_if_it_is_a_number():
    failed = replace(scores(**VALUES), failures=((1, 3, "RuntimeError: the disk is full"),))
    assert np.isfinite(failed.values).all()
    with pytest.raises(s.FitError, match="The first: high, split 3") as caught:
        s.compare_scores(failed)
    kept = s.compare_scores(caught.value.scores["accuracy"].dropna())
    assert "1 of 15 splits dropped" in str(kept.notes)
    assert "dropped splits" in kept.to_frame()["note"][0]
    options = {"test": s.CorrectedResampledTTest(), "reference": None, "adjustment": "holm"}
    result = compare({"accuracy": failed}, on_error="drop", **options)
    assert result.names == ("low", "middle")
    assert result.dropped == (("high", None, "RuntimeError: the disk is full; 1 of 15 splits"),)


X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[::4, :4], Y[::4]
CV = s.RepeatedSubsampleSplit(12, random_state=3)
METRICS = ["accuracy", "recall", "neg_log_loss"]
MODELS = {"tree": DecisionTreeClassifier(max_depth=2, random_state=0), "bayes": GaussianNB()}
MODELS["dummy"] = DummyClassifier(strategy="prior")
HOW = {"scoring": METRICS, "return_indices": True}
DONE = {name: cross_validate(model, X, Y, cv=CV, **HOW) for name, model in MODELS.items()}
DRAWN_DESIGN = s.SplitDesign.from_splitter(CV, X, Y)
ACCURACY = {name: results["test_accuracy"] for name, results in DONE.items()}
ARRAY = np.stack(list(ACCURACY.values()))
FRAME = pd.DataFrame(ACCURACY)


def expected(first, second, metric="accuracy"):
    """Test on bare arrays: the road that knows neither names nor dicts."""
    differences = DONE[first][f"test_{metric}"] - DONE[second][f"test_{metric}"]
    sizes = {"n_train": DRAWN_DESIGN.n_train[0], "n_test": DRAWN_DESIGN.n_test[0]}
    return corrected_resampled_ttest(differences, **sizes)


def assert_expected(result, names=tuple(MODELS), metric="accuracy"):
    assert set(result.scores.labels) == set(names)
    for comparison in result.comparisons:
        of = [list(MODELS)[names.index(name)] for name in (comparison.estimator, comparison.versus)]
        test = expected(*of, metric)
        assert comparison.test.statistic == pytest.approx(test.statistic, rel=1e-12)
        assert comparison.test.pvalue == pytest.approx(test.pvalue, rel=1e-10)
        assert comparison.metric == metric


FORMS = {
    "lists": {name: values.tolist() for name, values in ACCURACY.items()},
    "tuples": {name: tuple(values) for name, values in ACCURACY.items()},
    "arrays": ACCURACY,
    "series": {name: FRAME[name] for name in FRAME},
    "frame": FRAME,
    "frame of other rows": FRAME.set_axis(range(100, 112)),
    "dicts": {name: {"test_score": values} for name, values in ACCURACY.items()},
    "mixed": {**ACCURACY, "dummy": {"test_score": ACCURACY["dummy"].tolist()}},
    "beside our own": ACCURACY
    | {"dummy": s.CVScores.from_cv_results(DONE["dummy"], metric="accuracy", y=Y)},
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_with_a_design(form):
    result = s.compare_scores(form, design=DRAWN_DESIGN, metric="accuracy")
    assert_expected(result)
    assert [note.code for note in result.notes] == ["pairing not verified"]
    if form is not FORMS["beside our own"]:
        assert s.compare_scores(form, design=DRAWN_DESIGN).metrics == ("score",)


def test_an_array_has_numbered_estimators_and_names_may_end_in_mean():
    for array in (ARRAY, ARRAY.tolist()):
        result = s.compare_scores(array, design=DRAWN_DESIGN, metric="accuracy")
        assert_expected(result, ("estimator 0", "estimator 1", "estimator 2"))
    pooled = {"pool-mean": ARRAY[0], "pool-std": ARRAY[1]}
    assert_expected(s.compare_scores(pooled, design=DRAWN_DESIGN, metric="accuracy"), tuple(pooled))


def test_all_metrics_at_once():
    result = s.compare_scores(DONE)
    assert result.metrics == tuple(METRICS)
    for metric in METRICS:
        assert_expected(result[metric], metric=metric)
    fitted = s.compare_estimators(MODELS, X, Y, cv=CV, scoring=METRICS)
    theirs, ours = fitted.to_frame(full=True), result.to_frame(full=True)
    assert ours.drop(columns="note").equals(theirs.drop(columns="note"))
    for metrics in (["recall"], ["neg_log_loss", "recall"]):
        part = s.compare_scores(DONE, metric=metrics)
        assert part.metrics == tuple(metrics)
        assert_expected(part["recall"], metric="recall")
    # A design tells of the target, also where the indices are not held.
    (note,) = result["accuracy"].tests[0].notes
    assert note.code == "target not verified"
    assert s.compare_scores(DONE, design=DRAWN_DESIGN)["accuracy"].tests[0].notes == ()
    saved = {name: {k: of[k] for k in of if k != "indices"} for name, of in DONE.items()}
    assert s.compare_scores(saved, design=DRAWN_DESIGN).metrics == tuple(METRICS)


def test_all_metrics_with_auxiliary_scores():
    done = {name: DONE[name] for name in ("bayes", "dummy")}
    pairs = s.HalfSplitPairs(5, 2, random_state=0)
    halves = {name: cross_validate(MODELS[name], X, Y, cv=pairs, **HOW) for name in done}
    test = s.ConservativeZTest(n_pairs=5)
    both = s.compare_scores(done, method=test, auxiliary=halves)
    alone = s.compare_scores(done, metric="recall", method=test, auxiliary=halves)
    assert both["recall"].tests[0].pvalue == alone.tests[0].pvalue
    without = {name: {**of, "test_f1": of["test_recall"]} for name, of in done.items()}
    with pytest.raises(ValueError, match="'f1' is not in the auxiliary scores"):
        s.compare_scores(without, method=test, auxiliary=halves)


def test_a_square_frame_is_told_by_its_names():
    design = s.SplitDesign.from_sizes(90, 10, n_splits=10)
    values = np.arange(100.0).reshape(10, 10) ** 2
    frame = pd.DataFrame(values, columns=list("abcdefghij"))
    expected = [1, 121, 441, 961, 1681, 2601, 3721, 5041, 6561, 8281]
    assert s.compare_scores(frame, design=design).scores["b"].tolist() == expected
    for unclear in (frame.set_axis(list("klmnopqrst")), frame.set_axis(range(10), axis=1), frame.T):
        with pytest.raises(ValueError, match=r"either way round.*frame\[\"tree\"\]"):
            s.compare_scores(unclear, design=design)
    with pytest.raises(ValueError, match=r"either way round.*scores\[0\].*scores\[:, 0\]"):
        s.compare_scores(values, design=design)


class Metrics:
    """The attributes of skore's reports that have scores."""

    def __init__(self, rows):
        self.rows = rows

    def summarize(self, *, data_source):
        rows = [row for row in self.rows if row["data_source"] == data_source]
        return Display(pd.DataFrame(rows))


@dataclass
class Display:
    summary: pd.DataFrame


@dataclass
class Report:
    """A duck of skore's CrossValidationReport."""

    split_indices: tuple
    y: np.ndarray
    metrics: Metrics
    splitter: object = CV


@dataclass
class Comparison:
    """A duck of skore's ComparisonReport."""

    reports_: dict


def report(results):
    names = ("name", "score", "greater_is_better", "label", "data_source")
    rows = []
    for k in range(12):
        accuracy, loss = results["test_accuracy"][k], -results["test_neg_log_loss"][k]
        of_split = [
            ("default_score", accuracy, True, pd.NA, "test"),
            ("accuracy", accuracy, True, pd.NA, "test"), ("accuracy", 1.0, True, pd.NA, "train"),
            ("recall", results["test_recall"][k], True, 1, "test"),
            ("log_loss", loss, False, pd.NA, "test"), ("fit_time", 0.1, False, pd.NA, "test"),
        ]  # fmt: skip
        more = {"output": None, "split": k}
        rows += [{**dict(zip(names, row, strict=True)), **more} for row in of_split]
    indices = zip(results["indices"]["train"], results["indices"]["test"], strict=True)
    return Report(tuple(indices), Y, Metrics(rows))


REPORTS = {name: report(results) for name, results in DONE.items()}


@pytest.mark.parametrize("given", [REPORTS, Comparison(REPORTS)], ids=["dict", "comparison"])
def test_reports_of_skore(given):
    result = s.compare_scores(given)
    assert result.metrics == ("accuracy", "recall (label 1)", "neg_log_loss")
    assert_expected(result["accuracy"])
    assert_expected(result["neg_log_loss"], metric="neg_log_loss")
    assert result.notes == ()
    assert result["accuracy"].scores.design.y_digest == DRAWN_DESIGN.y_digest
    assert result["accuracy"].scores.design.digests == DRAWN_DESIGN.digests
    assert_expected(s.compare_scores(given, metric="accuracy"))
    with pytest.raises(ValueError, match=r"Report and know their splits; leave design out"):
        s.compare_scores(given, design=DRAWN_DESIGN)


def test_reports_that_are_refused():
    lacking = report(DONE["tree"])
    lacking.metrics.rows = [row for row in lacking.metrics.rows if row["split"] != 3]
    with pytest.raises(ValueError, match="tree, split 3, is nan"):
        s.compare_scores({**REPORTS, "tree": lacking}, metric="accuracy")
    other = replace(REPORTS["tree"], split_indices=REPORTS["tree"].split_indices[::-1])
    with pytest.raises(s.PairingError, match="another order"):
        s.compare_scores({**REPORTS, "tree": other})
    with pytest.raises(TypeError, match=r"scores of 'a' are of type object.*CrossValidationReport"):
        s.compare_scores(Comparison({"a": object(), "b": object()}))


def test_what_a_result_and_an_error_hold():
    result = s.compare_scores(DONE)
    again = s.compare_scores(result.scores_by_metric)
    assert again.metrics == tuple(METRICS)
    assert again.to_frame(full=True).equals(result.to_frame(full=True))
    assert s.compare_scores(result.scores_by_metric, metric="recall").metrics == ("recall",)
    with pytest.raises(ValueError, match="under 'f1' are of 'recall'"):
        s.compare_scores({"f1": result["recall"].scores})


# As lightgbm.cv, xgboost.cv and catboost.cv return them; tests in .ci/integrations call these.
ROUNDS = np.linspace(0.7, 0.8, 12)
MEANS_ONLY = {
    "lightgbm": {"valid auc-mean": list(ROUNDS), "valid auc-stdv": list(ROUNDS), "cvbooster": None},
    "xgboost": pd.DataFrame({"test-auc-mean": ROUNDS, "test-auc-std": ROUNDS}),
    "xgboost, no frame": {"test-auc-mean": list(ROUNDS), "test-auc-std": list(ROUNDS)},
    "catboost": pd.DataFrame({"iterations": 1, "test-AUC-mean": ROUNDS, "test-AUC-std": ROUNDS}),
}


@pytest.mark.parametrize("source", MEANS_ONLY)
@pytest.mark.parametrize("design", [None, DRAWN_DESIGN], ids=["", "with design"])
def test_means_and_deviations_of_boosting_are_refused(source, design):
    given = MEANS_ONLY[source]
    message = r"are means and standard deviations over the folds.*'\w+.\w+-mean'.*return_cvbooster"
    with pytest.raises(ValueError, match=f"^These scores {message}"):
        s.compare_scores(given, design=design)
    with pytest.raises(ValueError, match=f"^The scores of 'a' {message}"):
        s.compare_scores({"a": given, "b": given}, design=design)


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_a_design_tells_of_the_groups():
    groups, cv = np.arange(len(Y)) % 30, GroupKFold(5)
    how = {"cv": cv, "groups": groups, "return_indices": True}
    done = {name: cross_validate(MODELS[name], X, Y, **how) for name in ("bayes", "dummy")}
    (test,) = s.compare_scores(done, design=s.SplitDesign.from_splitter(cv, X, Y, groups)).tests
    assert (test.unit, test.n_train, test.n_test) == ("groups", 24, 6)
    differences = done["bayes"]["test_score"] - done["dummy"]["test_score"]
    alone = corrected_resampled_ttest(differences, n_train=24, n_test=6)
    assert test.statistic == pytest.approx(alone.statistic, rel=1e-12)


@pytest.mark.parametrize("n_splits", [2, 3, 30])
@pytest.mark.parametrize("more", [[], ["fold"], ["fold", "repeat"]])
def test_a_frame_in_long_form_is_to_be_pivoted(n_splits, more):
    """Also where its transpose would have the shape of the scores."""
    wide = pd.DataFrame({"a": np.linspace(0, 1, 30), "b": np.linspace(1, 2, 30)})
    frame = wide.melt(var_name="model", value_name="score")
    for name in more:
        frame[name] = np.tile(np.arange(30), 2)
    sizes = s.SplitDesign.from_sizes(90, 10, n_splits=n_splits)
    for design in (sizes, None):
        with pytest.raises(ValueError, match=r"frame.pivot.index='split', columns='mod") as caught:
            s.compare_scores(frame, design=design)
        assert "frame.T" not in str(caught.value)
