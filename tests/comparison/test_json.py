"""ComparisonResult as JSON: whatever a result shows is the same after a round trip."""

import json
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcvstats import (
    BootstrapTTest,
    ComparisonResult,
    ConservativeZTest,
    CorrectedResampledTTest,
    FiveByTwoCVTTest,
    RepeatedSubsampleSplit,
    compare_estimators,
    get_procedure_names,
)

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[::3, :5], Y[::3]
MODELS = {
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
    "bayes": GaussianNB(),
    "dummy": DummyClassifier(),
}
SPLITS = RepeatedSubsampleSplit(10, random_state=0)
REPLICATES = RepeatedSubsampleSplit(4, n_replicates=6, test_size=0.2, random_state=0)
quiet = pytest.mark.filterwarnings(
    "ignore::skcvstats.exceptions.SplitDesignWarning",
    "ignore::skcvstats.exceptions.AnticonservativeWarning",
    "ignore::skcvstats.exceptions.DegenerateScoresWarning",
)


def measure(**options):
    given = {} if "method" in options else {"cv": SPLITS}  # some methods have their own splits
    return compare_estimators(MODELS, X, Y, **given | options)


def again(result, **options):
    text = result.to_json()
    json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    return ComparisonResult.from_json(text, **options)


def assert_same(read, result):
    pd.testing.assert_frame_equal(read.to_frame(), result.to_frame(), check_exact=True)
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
class Generous(CorrectedResampledTTest):
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
    "no variation": lambda: compare_estimators(
        {"a": GaussianNB(), "b": GaussianNB()}, X, Y, cv=SPLITS
    ),
    "options": lambda: measure(
        method=CorrectedResampledTTest(null_value=0.1, alternative="less"), reference="dummy"
    ),
    "a margin": lambda: measure(margin=(-0.01, 0.02)),
    "a later margin": lambda: measure(adjustment="holm").with_margin(0.05),
    "5x2cv": lambda: measure(method=FiveByTwoCVTTest(variant="t4")),
}


@quiet
@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
def test_round_trip(make):
    result = make()
    assert_same(again(result), result)


@quiet
@pytest.mark.parametrize("method", get_procedure_names())
def test_round_trip_of_every_procedure(method):
    own = method in ("five_by_two_cv_t", "five_by_two_cv_f", "holdout_t", "row_t")
    own = own or method == "diebold_mariano"
    cv = None if own else REPLICATES if "bootstrap" in method else SPLITS
    method = ConservativeZTest(n_pairs=3) if method == "conservative_z" else method
    models = {"a": GaussianNB(), "b": MODELS["tree"]}
    result = compare_estimators(models, X, Y, cv=cv, method=method)
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


@quiet
def test_a_damaged_text_is_refused():
    text = measure(method=BootstrapTTest(), cv=REPLICATES).to_json()
    first = json.loads(text)["content"]["tests"]["accuracy"]["first"]
    for old, new in (
        (f'"first": {json.dumps(first)}', f'"first": {json.dumps([(k + 1) % 3 for k in first])}'),
        ("bootstrap_t", "holdout_t"),
        ("max_t", "none"),
    ):
        assert old in text
        with pytest.raises(ValueError, match="does not match its checksum"):
            ComparisonResult.from_json(text.replace(old, new))
    with pytest.raises(ValueError, match="damaged or not JSON"):
        ComparisonResult.from_json(text[:-10])


def test_numbers_are_those_of_the_scores():
    """The result is computed from the scores in the text; here it is computed independently."""
    result = measure(scoring=["accuracy", "f1"])["accuracy"]  # alone
    assert again(result).metrics == ("accuracy",)
    assert_same(again(result, method="corrected_resampled_t"), result)
    assert_same(ComparisonResult.from_json(result.to_json().encode()), result)
    content = json.loads(result.to_json())["content"]
    scores = json.loads(content["tests"]["accuracy"]["scores"])["content"]
    values = np.reshape(scores["values"]["numbers"], scores["values"]["shape"])
    means = dict(zip(scores["labels"], values.mean(axis=1), strict=True))
    for comparison in again(result):
        expected = means[comparison.estimator] - means[comparison.versus]
        assert comparison.test.estimate == pytest.approx(expected, rel=1e-12)
