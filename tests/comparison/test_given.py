"""The forms of scores that compare_scores accepts; here all contain the same numbers."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcvstats import (
    ConservativeZTest,
    CVScores,
    HalfSplitPairs,
    PairingError,
    RepeatedSubsampleSplit,
    SplitDesign,
    compare_estimators,
    compare_scores,
)
from skcvstats.scores._pairing import UNVERIFIED_TARGET
from skcvstats.stats import corrected_resampled_ttest

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[::4, :4], Y[::4]
CV = RepeatedSubsampleSplit(12, random_state=3)
METRICS = ["accuracy", "recall", "neg_log_loss"]
MODELS = {
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
    "bayes": GaussianNB(),
    "dummy": DummyClassifier(strategy="prior"),
}
DONE = {
    name: cross_validate(model, X, Y, cv=CV, scoring=METRICS, return_indices=True)
    for name, model in MODELS.items()
}
DESIGN = SplitDesign.from_splitter(CV, X, Y)
ACCURACY = {name: results["test_accuracy"] for name, results in DONE.items()}
ARRAY = np.stack(list(ACCURACY.values()))
FRAME = pd.DataFrame(ACCURACY)


def expected(first, second, metric="accuracy"):
    """Test on bare arrays: the road that knows neither names nor dicts."""
    differences = DONE[first][f"test_{metric}"] - DONE[second][f"test_{metric}"]
    return corrected_resampled_ttest(
        differences, n_train=DESIGN.n_train[0], n_test=DESIGN.n_test[0]
    )


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
    "beside our own": {
        **ACCURACY,
        "dummy": CVScores.from_cv_results(DONE["dummy"], metric="accuracy", y=Y),
    },
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_with_a_design(form):
    result = compare_scores(form, design=DESIGN, metric="accuracy")
    assert_expected(result)
    assert [note.code for note in result.notes] == ["pairing not verified"]
    if form is not FORMS["beside our own"]:
        assert compare_scores(form, design=DESIGN).metrics == ("score",)


def test_an_array_has_numbered_estimators_and_names_may_end_in_mean():
    for array in (ARRAY, ARRAY.tolist()):
        result = compare_scores(array, design=DESIGN, metric="accuracy")
        assert_expected(result, ("estimator 0", "estimator 1", "estimator 2"))
    pooled = {"pool-mean": ARRAY[0], "pool-std": ARRAY[1]}
    assert_expected(compare_scores(pooled, design=DESIGN, metric="accuracy"), tuple(pooled))


def test_all_metrics_at_once():
    result = compare_scores(DONE)
    assert result.metrics == tuple(METRICS)
    for metric in METRICS:
        assert_expected(result[metric], metric=metric)
    fitted = compare_estimators(MODELS, X, Y, cv=CV, scoring=METRICS)
    theirs, ours = fitted.to_frame(), result.to_frame()
    assert ours.drop(columns="note").equals(theirs.drop(columns="note"))
    for metrics in (["recall"], ["neg_log_loss", "recall"]):
        part = compare_scores(DONE, metric=metrics)
        assert part.metrics == tuple(metrics)
        assert_expected(part["recall"], metric="recall")
    # A design tells of the target, also where the indices are not held.
    assert result["accuracy"].tests[0].notes == (UNVERIFIED_TARGET,)
    assert compare_scores(DONE, design=DESIGN)["accuracy"].tests[0].notes == ()
    saved = {
        name: {key: results[key] for key in results if key != "indices"}
        for name, results in DONE.items()
    }
    assert compare_scores(saved, design=DESIGN).metrics == tuple(METRICS)


def test_all_metrics_with_auxiliary_scores():
    done = {name: DONE[name] for name in ("bayes", "dummy")}
    how = {"cv": HalfSplitPairs(5, 2, random_state=0), "scoring": METRICS, "return_indices": True}
    halves = {name: cross_validate(MODELS[name], X, Y, **how) for name in done}
    test = ConservativeZTest(n_pairs=5)
    both = compare_scores(done, method=test, auxiliary=halves)
    alone = compare_scores(done, metric="recall", method=test, auxiliary=halves)
    assert both["recall"].tests[0].pvalue == alone.tests[0].pvalue
    without = {
        name: {**results, "test_f1": results["test_recall"]} for name, results in done.items()
    }
    with pytest.raises(PairingError, match="without 'f1'"):
        compare_scores(without, method=test, auxiliary=halves)


def test_metrics_that_not_all_have():
    part = {key: values for key, values in DONE["dummy"].items() if key != "test_neg_log_loss"}
    with pytest.raises(ValueError, match=r"'neg_log_loss' for 'dummy'.*metric='accuracy'"):
        compare_scores({**DONE, "dummy": part})
    assert_expected(compare_scores({**DONE, "dummy": part}, metric="accuracy"))


def test_a_square_frame_is_told_by_its_names():
    design = SplitDesign.from_sizes(90, 10, n_splits=10)
    values = np.arange(100.0).reshape(10, 10) ** 2
    frame = pd.DataFrame(values, columns=list("abcdefghij"))
    expected = [1, 121, 441, 961, 1681, 2601, 3721, 5041, 6561, 8281]
    assert compare_scores(frame, design=design).scores["b"].tolist() == expected
    for unclear in (frame.set_axis(list("klmnopqrst")), frame.set_axis(range(10), axis=1), frame.T):
        with pytest.raises(ValueError, match=r"either way round.*frame\[\"tree\"\]"):
            compare_scores(unclear, design=design)
    with pytest.raises(ValueError, match=r"either way round.*scores\[0\].*scores\[:, 0\]"):
        compare_scores(values, design=design)


class Metrics:
    """The attributes of skore's reports that have scores."""

    def __init__(self, rows):
        self.rows = rows

    def summarize(self, *, data_source):
        return Display(
            pd.DataFrame([row for row in self.rows if row["data_source"] == data_source])
        )


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
    result = compare_scores(given)
    assert result.metrics == ("accuracy", "recall (label 1)", "neg_log_loss")
    assert_expected(result["accuracy"])
    assert_expected(result["neg_log_loss"], metric="neg_log_loss")
    assert result.notes == ()
    assert result["accuracy"].scores.design.y_digest == DESIGN.y_digest
    assert result["accuracy"].scores.design.digests == DESIGN.digests
    assert_expected(compare_scores(given, metric="accuracy"))
    with pytest.raises(ValueError, match=r"'f1' is not in the scores of 'tree'.*'accuracy'"):
        compare_scores(given, metric="f1")
    with pytest.raises(ValueError, match=r"Report and know their splits; leave design out"):
        compare_scores(given, design=DESIGN)


def test_reports_that_are_refused():
    lacking = report(DONE["tree"])
    lacking.metrics.rows = [row for row in lacking.metrics.rows if row["split"] != 3]
    with pytest.raises(ValueError, match="tree, split 3, is nan"):
        compare_scores({**REPORTS, "tree": lacking}, metric="accuracy")
    other = replace(REPORTS["tree"], split_indices=REPORTS["tree"].split_indices[::-1])
    with pytest.raises(PairingError, match="another order"):
        compare_scores({**REPORTS, "tree": other})
    with pytest.raises(TypeError, match=r"single test set.*CrossValidationReport"):
        compare_scores(Comparison({"a": object(), "b": object()}))
    old = replace(REPORTS["tree"], metrics=Metrics([]))
    old.metrics.summarize = lambda data_source: object()
    with pytest.raises(TypeError, match=r"skore 0\.28"):
        compare_scores({**REPORTS, "tree": old})


def test_what_a_result_and_an_error_hold():
    result = compare_scores(DONE)
    again = compare_scores(result.scores_by_metric)
    assert again.metrics == tuple(METRICS)
    assert again.to_frame().equals(result.to_frame())
    assert compare_scores(result.scores_by_metric, metric="recall").metrics == ("recall",)
    with pytest.raises(ValueError, match="under 'f1' are of 'recall'"):
        compare_scores({"f1": result["recall"].scores})
    with pytest.raises(ValueError, match="metric='f1' is not in these scores"):
        compare_scores(result.scores_by_metric, metric="f1")
    with pytest.raises(ValueError, match="leave design out"):
        compare_scores(result.scores_by_metric, design=DESIGN)


# As lightgbm.cv, xgboost.cv and catboost.cv return them; tests in .ci/integrations call these.
ROUNDS = np.linspace(0.7, 0.8, 12)
MEANS_ONLY = {
    "lightgbm": {"valid auc-mean": list(ROUNDS), "valid auc-stdv": list(ROUNDS), "cvbooster": None},
    "xgboost": pd.DataFrame({"test-auc-mean": ROUNDS, "test-auc-std": ROUNDS}),
    "xgboost, no frame": {"test-auc-mean": list(ROUNDS), "test-auc-std": list(ROUNDS)},
    "catboost": pd.DataFrame(
        {"iterations": np.arange(12), "test-AUC-mean": ROUNDS, "test-AUC-std": ROUNDS}
    ),
}


@pytest.mark.parametrize("source", MEANS_ONLY)
@pytest.mark.parametrize("design", [None, DESIGN], ids=["", "with design"])
def test_means_and_deviations_of_boosting_are_refused(source, design):
    given = MEANS_ONLY[source]
    message = r"are means and standard deviations over the folds.*'\w+.\w+-mean'.*return_cvbooster"
    with pytest.raises(ValueError, match=f"^These scores {message}"):
        compare_scores(given, design=design)
    with pytest.raises(ValueError, match=f"^The scores of 'a' {message}"):
        compare_scores({"a": given, "b": given}, design=design)


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_a_design_tells_of_the_groups():
    groups, cv = np.arange(len(Y)) % 30, GroupKFold(5)
    done = {
        name: cross_validate(MODELS[name], X, Y, cv=cv, groups=groups, return_indices=True)
        for name in ("bayes", "dummy")
    }
    (test,) = compare_scores(done, design=SplitDesign.from_splitter(cv, X, Y, groups)).tests
    assert (test.unit, test.n_train, test.n_test) == ("groups", 24, 6)
    differences = done["bayes"]["test_score"] - done["dummy"]["test_score"]
    alone = corrected_resampled_ttest(differences, n_train=24, n_test=6)
    assert test.statistic == pytest.approx(alone.statistic, rel=1e-12)
