"""Results as flat dicts: JSON-ready, and the same numbers as the tables."""

import json
import math

import numpy as np
import pytest

from skcvstats import (
    SplitDesign,
    compare_predictions,
    compare_scores,
    cross_val_inference,
    predictions_inference,
)
from skcvstats.scores import Note
from skcvstats.stats import corrected_resampled_ttest
from tests.comparison.test_json import MODELS, SPLITS, X, Y, measure, quiet

DESIGN = SplitDesign.from_sizes(90, 10, n_splits=12)
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
    for comparison, row in zip(told, told.to_frame().to_dict("records"), strict=True):
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


@pytest.mark.parametrize(
    ("scoring", "null_value"), [(None, 0.5), (["accuracy", "neg_brier_score"], None)]
)
def test_estimates_have_the_numbers_of_their_table(scoring, null_value):
    models = {name: MODELS[name] for name in ("tree", "bayes")}
    result = cross_val_inference(models, X, Y, scoring=scoring, null_value=null_value, cv=SPLITS)
    found = written(result, confidence_level=0.8)
    frame = result.to_frame(0.8)
    for row in frame.to_dict("records"):
        names = ["score", "standard_error", "low", "high", "pvalue"]
        assert_holds(found, f"{row['metric']}/{row['estimator']}", row, names)
    assert len(found) == 2 + 6 * len(result.metrics) + 5 * len(frame)
    assert (found[f"{result.metrics[0]}/tree/pvalue"] is None) == (null_value is None)
    assert found[f"{result.metrics[0]}/n_train"] == next(iter(result.inferences.values())).n_train


def test_test_set_result():
    found = written(predictions_inference(Y, PROBABILITIES["a"], scoring="roc_auc"))
    assert (found["method"], found["n_train"], found["pvalue"]) == ("delong", None, None)
    assert found["n_test"] == len(Y)
    assert found["low"] < found["estimate"] < found["high"]
    pair = compare_predictions(Y, PROBABILITIES, scoring="roc_auc")
    assert written(pair)["roc_auc/a - b/pvalue"] == pair[0].test.pvalue
    several = predictions_inference(Y, PROBABILITIES, scoring=["roc_auc", "neg_brier_score"])
    facts = written(several)
    alone = written(cross_val_inference(MODELS["bayes"], X, Y, cv=SPLITS))
    assert [alone[name] for name in ("statistic", "df", "pvalue")] == [None] * 3  # nobody asked
    assert facts["roc_auc/method"] == "delong"
    assert facts["neg_brier_score/method"] == "clustered_t"


@quiet
def test_scores_that_do_not_vary_are_no_evidence():
    constant = {"a": SCORES["tree"], "b": SCORES["tree"] + 0.25, "c": np.full(12, 0.5)}
    result = compare_scores({name: np.round(x, 3) for name, x in constant.items()}, design=DESIGN)
    found = written(result.with_margin(0.1))
    ends = [found[f"score/b - a/{name}"] for name in ("low", "high", "low_margin", "high_margin")]
    assert [*ends, found["score/b - a/pvalue"]] == [None] * 5
    assert found["score/b - a/pvalue_adjusted"] == 1
    assert found["score/b - a/outcome"] == "undetermined"
    assert [found[f"score/c/{name}"] for name in ("score", "low", "high")] == [0.5, None, None]
    assert "undetermined" in found["notes"]


def test_a_slash_does_not_part_a_key_and_names_that_give_the_same_key_are_refused():
    found = written(compare_scores(SCORES, design=DESIGN, metric="top/1"))
    assert found["top_1/bayes_flat/score"] == SCORES["bayes/flat"].mean()
    assert max(key.count("/") for key in found) == 2
    twice = {"a/b": SCORES["tree"], "a_b": SCORES["dummy"]}
    with pytest.raises(ValueError, match=r"'score/a_b/score'.*Rename one"):
        compare_scores(twice, design=DESIGN).to_dict()
    difference = {"a": SCORES["tree"], "b": SCORES["dummy"], "a - b": SCORES["bayes/flat"]}
    scores = dict(sorted(difference.items(), key=lambda item: -item[1].mean()))
    first, second = [name for name in scores if name != "a - b"]
    scores[f"{first} - {second}"] = scores.pop("a - b")
    with pytest.raises(ValueError, match="would write two quantities under"):
        compare_scores(scores, design=DESIGN).to_dict()


def test_one_test_has_the_numbers_of_its_row_and_an_array_of_tests_is_refused():
    notes = [Note("small margin", "first"), Note("small margin", "second"), Note("note", "my own")]
    result = compare_scores(SCORES, design=DESIGN)[0].test
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
