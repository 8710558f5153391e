"""Results as JSON and as flat dicts: whatever a result shows is the same there."""

import json
import math
import zlib
from base64 import b64decode
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from skcvstats.scores import Note
from skcvstats.stats import corrected_resampled_ttest
from tests.conftest import ignoring

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[::3, :5], Y[::3]
MODELS = {"tree": DecisionTreeClassifier(max_depth=2, random_state=0), "bayes": GaussianNB()}
MODELS["dummy"] = DummyClassifier()
SPLITS = s.RepeatedSubsampleSplit(10, random_state=0)
REPLICATES = s.RepeatedSubsampleSplit(4, n_replicates=6, test_size=0.2, random_state=0)
quiet = ignoring("SplitDesign", "Anticonservative", "DegenerateScores")


def measure(**options):
    given = {} if "method" in options else {"cv": SPLITS}  # some methods have their own splits
    return s.compare_estimators(MODELS, X, Y, **given | options)


def again(result, **options):
    text = result.to_json()
    json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    return s.ComparisonResult.from_json(text, **options)


def assert_same(read, result):
    pd.testing.assert_frame_equal(
        read.to_frame(full=True), result.to_frame(full=True), check_exact=True
    )
    assert str(read) == str(result)
    assert read._repr_html_() == result._repr_html_()
    assert read.notes == result.notes
    assert [comparison.notes for comparison in read] == [comparison.notes for comparison in result]
    for name in ("metrics", "reference", "adjustment", "confidence_level"):
        assert getattr(read, name) == getattr(result, name)
    for metric, scores in result.scores_by_metric.items():
        assert read.scores_by_metric[metric].provenance == scores.provenance
        assert read.scores_by_metric[metric].design == scores.design
    assert read.to_json() == result.to_json()


@dataclass(frozen=True, kw_only=True)
class Generous(s.CorrectedResampledTTest):
    """A procedure from outside the package."""

    factor: float = 1.0

    name = "generous"
    title = "generous t-test"

    def pivot(self, sample, auxiliary=None):
        pivot = super().pivot(sample, auxiliary)
        return replace(pivot, standard_error=self.factor * pivot.standard_error)


RESULTS = {
    "several metrics": lambda: measure(scoring=["accuracy", "neg_log_loss"], confidence_level=0.8),
    "the best": lambda: measure(reference="best", alternative="less", adjustment="bh"),
    "rows": lambda: measure(scoring=["neg_log_loss", "accuracy"], method="holdout_t", cv=None),
    "no variation": lambda: s.compare_estimators([GaussianNB(), GaussianNB()], X, Y, cv=SPLITS),
    "options": lambda: measure(
        method=s.CorrectedResampledTTest(null_value=0.1, alternative="less"), reference="dummy"
    ),
    "a margin": lambda: measure(margin=(-0.01, 0.02)),
    "a later margin": lambda: measure(adjustment="holm").with_margin(0.05),
    "5x2cv": lambda: measure(method=s.FiveByTwoCVTTest(variant="t4")),
}


@quiet
@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
def test_results_come_back_as_they_were(make):
    result = make()
    assert_same(again(result), result)


@quiet
@pytest.mark.parametrize("method", s.get_procedure_names())
def test_round_trip_of_every_procedure(method):
    own = method in ("five_by_two_cv_t", "five_by_two_cv_f", "holdout_t", "row_t")
    own = own or method == "diebold_mariano"
    cv = None if own else REPLICATES if "bootstrap" in method else SPLITS
    method = s.ConservativeZTest(n_pairs=3) if method == "conservative_z" else method
    models = {"a": GaussianNB(), "b": MODELS["tree"]}
    result = s.compare_estimators(models, X, Y, cv=cv, method=method)
    assert_same(again(result), result)


def test_reading_never_warns():
    with pytest.warns():
        result = measure(cv=KFold(4), reference="best", method="resampled_t")
    assert_same(again(result), result)  # a warning would be an error


def test_a_procedure_of_somebody_else_is_passed_again():
    result = measure(method=Generous(factor=0.5))
    with pytest.raises(ValueError, match=r"no procedure of this skcvstats.*method=\.\.\."):
        again(result)
    assert_same(again(result, method=Generous(factor=0.5)), result)
    for other in (Generous(factor=0.4), "corrected_resampled_t"):
        with pytest.raises(ValueError, match="Pass that one"):
            again(result, method=other)


def test_numbers_are_those_of_the_scores():
    """The result is computed from the scores in the text; here it is computed independently."""
    result = measure(scoring=["accuracy", "f1"])["accuracy"]  # alone
    assert again(result).metrics == ("accuracy",)
    assert_same(again(result, method="corrected_resampled_t"), result)
    assert_same(s.ComparisonResult.from_json(result.to_json().encode()), result)
    content = json.loads(result.to_json())["content"]["ComparisonResult"]
    scores = content["tests_by_metric"]["dict"]["accuracy"]["SavedTests"]["scores"]["CVScores"]
    array = scores["values"]["ndarray"]
    content = zlib.decompress(b64decode(array["zlib"]))
    values = np.frombuffer(content, array["dtype"]).reshape(array["shape"])
    means = dict(zip(scores["labels"], values.mean(axis=1), strict=True))
    for comparison in again(result):
        expected = means[comparison.estimator] - means[comparison.versus]
        assert comparison.test.estimate == pytest.approx(expected, rel=1e-12)


DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=12)
RANDOM = np.random.default_rng(0)
SCORES = {name: RANDOM.normal(0.8, 0.03, 12) for name in ("tree", "bayes/flat", "dummy")}
PROBABILITIES = {name: np.clip(Y * 0.3 + RANDOM.uniform(size=len(Y)), 0, 1) for name in "ab"}


def written(result, **options):
    """Return the dict, which is flat and survives strict JSON."""
    found = result.to_dict(**options)
    assert {type(value) for value in found.values()} <= {str, int, float, bool, type(None)}
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    return found


def finite(value):
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))


def assert_holds(found, path, row, names):
    """Assert that a row of a table is under a path, and None where it has nothing finite."""
    for name in names:
        assert found[f"{path}/{name}"] == (row[name] if finite(row[name]) else None)


@quiet
@pytest.mark.parametrize(
    "options",
    [
        {"scoring": ["accuracy", "neg_brier_score"], "reference": "dummy", "adjustment": "holm"},
        {"margin": 0.02, "adjustment": "bonferroni"},
        {"method": "five_by_two_cv_f"},
    ],
    ids=" ".join,
)
def test_comparison_has_the_numbers_of_its_tables(options):
    result = measure(**options)
    found = written(result, confidence_level=0.9)
    told = result.with_confidence(0.9)
    for comparison, row in zip(told, told.to_frame(full=True).to_dict("records"), strict=True):
        path = f"{row['metric']}/{row['estimator']} - {row['versus']}"
        names = ["difference", "standard_error", "low", "high", "pvalue", "pvalue_adjusted"]
        names += [name for name in row if "margin" in name or name.startswith("pvalue_")]
        assert_holds(found, path, row, names)
        assert found[f"{path}/outcome"] == comparison.outcome
    for metric in told.metrics:
        for row in told[metric].ranking().to_dict("records"):
            names = ["score", "standard_error", "low", "high", "pvalue_best", "could_be_best"]
            assert_holds(found, f"{metric}/{row['estimator']}", row, names)
        for name in ("method", "n_splits", "n_train", "n_test", "n_samples", "unit"):
            assert found[f"{metric}/{name}"] == getattr(told[metric].tests[0], name)
    assert found["confidence_level"] == 0.9
    assert (found["reference"], found["adjustment"]) == (result.reference, result.adjustment)
    assert (found["margin_low"], found["margin_high"]) == (result.margin or (None, None))
    n_quantities = 14 if "margin" in options else 7
    per_metric = 6 + 3 * 6 + len(result[result.metrics[0]]) * (n_quantities + 1)
    assert len(found) == 6 + len(result.metrics) * per_metric


@pytest.mark.parametrize(("scoring", "null_value"), [(None, 0.5), (["accuracy", "f1"], None)])
def test_estimates_have_the_numbers_of_their_table(scoring, null_value):
    models = {name: MODELS[name] for name in ("tree", "bayes")}
    result = s.cross_val_inference(models, X, Y, scoring=scoring, null_value=null_value, cv=SPLITS)
    found = written(result, confidence_level=0.8)
    frame = result.to_frame(0.8)
    for row in frame.to_dict("records"):
        names = ["score", "standard_error", "low", "high", "pvalue"]
        assert_holds(found, f"{row['metric']}/{row['estimator']}", row, names)
    assert len(found) == 2 + 6 * len(result.metrics) + 5 * len(frame)
    assert (found[f"{result.metrics[0]}/tree/pvalue"] is None) == (null_value is None)
    assert found[f"{result.metrics[0]}/n_train"] == next(iter(result.inferences.values())).n_train


def test_trackers_get_the_numbers_of_a_test_set():
    found = written(s.predictions_inference(Y, PROBABILITIES["a"], scoring="roc_auc"))
    assert (found["method"], found["n_train"], found["pvalue"]) == ("delong", None, None)
    assert found["n_test"] == len(Y)
    assert found["low"] < found["estimate"] < found["high"]
    pair = s.compare_predictions(Y, PROBABILITIES, scoring="roc_auc")
    assert written(pair)["roc_auc/a - b/pvalue"] == pair[0].test.pvalue
    several = s.predictions_inference(Y, PROBABILITIES, scoring=["roc_auc", "neg_brier_score"])
    facts = written(several)
    alone = written(s.cross_val_inference(MODELS["bayes"], X, Y, cv=SPLITS))
    assert [alone[name] for name in ("statistic", "df", "pvalue")] == [None] * 3  # nobody asked
    assert facts["roc_auc/method"] == "delong"
    assert facts["neg_brier_score/method"] == "clustered_t"


@quiet
def test_scores_that_do_not_vary_are_no_evidence():
    constant = {"a": SCORES["tree"], "b": SCORES["tree"] + 0.25, "c": np.full(12, 0.5)}
    result = s.compare_scores({name: np.round(x, 3) for name, x in constant.items()}, design=DESIGN)
    found = written(result.with_margin(0.1))
    ends = [found[f"score/b - a/{name}"] for name in ("low", "high", "low_margin", "high_margin")]
    pvalues = [found[f"score/b - a/{name}"] for name in ("pvalue", "pvalue_adjusted")]
    assert [*ends, *pvalues] == [None] * 6
    assert found["score/b - a/outcome"] == "undetermined"
    assert [found[f"score/c/{name}"] for name in ("score", "low", "high")] == [0.5, None, None]
    assert "undetermined" in found["notes"]


def test_a_slash_does_not_part_a_key_and_names_that_give_the_same_key_are_refused():
    found = written(s.compare_scores(SCORES, design=DESIGN, metric="top/1"))
    assert found["top_1/bayes_flat/score"] == SCORES["bayes/flat"].mean()
    assert max(key.count("/") for key in found) == 2
    twice = {"a/b": SCORES["tree"], "a_b": SCORES["dummy"]}
    with pytest.raises(ValueError, match=r"'score/a_b/score'.*Rename one"):
        s.compare_scores(twice, design=DESIGN).to_dict()
    difference = {"a": SCORES["tree"], "b": SCORES["dummy"], "a - b": SCORES["bayes/flat"]}
    scores = dict(sorted(difference.items(), key=lambda item: -item[1].mean()))
    first, second = [name for name in scores if name != "a - b"]
    scores[f"{first} - {second}"] = scores.pop("a - b")
    with pytest.raises(ValueError, match="would write two quantities under"):
        s.compare_scores(scores, design=DESIGN).to_dict()


def test_one_test_has_the_numbers_of_its_row_and_an_array_of_tests_is_refused():
    notes = [Note("small margin", "first"), Note("small margin", "second"), Note("note", "my own")]
    result = s.compare_scores(SCORES, design=DESIGN)[0].test
    result = result.with_notes(notes)
    found = written(result, confidence_level=0.9)
    row = result.to_frame(0.9).to_dict("records")[0]
    assert {name: found[name] for name in row} == row
    assert (found["label"], found["method"]) == (result.label, result.method)
    assert (found["n_samples"], found["unit"], found["confidence_level"]) == (100, "rows", 0.9)
    assert found["notes"].endswith("small margin; my own")
    several = corrected_resampled_ttest(np.array(list(SCORES.values())), n_train=90, n_test=10)
    with pytest.raises(ValueError, match=r"array of 3\. Use to_frame\(\), or take\(row\)"):
        several.to_dict()
    assert written(several.take(1))["estimate"] == SCORES["bayes/flat"].mean()
