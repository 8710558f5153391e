"""Common arguments of the entry points: sizes, levels, positions, and the prompt."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import check_cv, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcvstats.stats
from skcvstats import (
    CorrectedResampledTTest,
    CVScores,
    Procedure,
    SplitDesign,
    SplitDesignError,
    compare_estimators,
    cross_val_inference,
)

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[::3, :5], Y[::3]
MODELS = {"bayes": GaussianNB(), "dummy": DummyClassifier()}


def test_level_of_a_comparison():
    result = compare_estimators(MODELS, X, Y, confidence_level=0.9)
    assert result.confidence_level == 0.9
    later = compare_estimators(MODELS, X, Y).with_confidence(0.9)
    assert str(result) == str(later)
    assert result.to_frame().equals(later.to_frame())
    test = result.tests[0]
    assert repr(test).startswith("RowTTestResult(estimate=")
    assert test.confidence_interval() == test.confidence_interval(0.9)
    assert test.confidence_interval() == tuple(result.to_frame().loc[0, ["low", "high"]])


def test_level_of_one_estimator():
    result = cross_val_inference(MODELS["bayes"], X, Y, confidence_level=0.8)
    default = cross_val_inference(MODELS["bayes"], X, Y)
    interval = default.confidence_interval(0.8)
    assert result.confidence_interval() == interval
    assert result.with_confidence(0.95).confidence_interval() == default.confidence_interval()
    assert result.to_frame()[["low", "high"]].to_numpy().tolist() == [list(interval)]
    assert "80 % confidence interval" in str(result)
    assert "80 % confidence interval" in result._repr_html_()


def test_positions_and_metrics():
    models = {**MODELS, "tree": DecisionTreeClassifier(max_depth=1)}
    result = compare_estimators(models, X, Y, scoring=["accuracy", "f1"])
    assert len(result) == 6
    assert [result[k] for k in range(6)] == list(result)
    assert result[-1] is result[5] is result[np.int64(5)]
    assert result[1:3] == (result[1], result[2])
    assert result["f1"][0].metric == "f1"


def test_a_number_of_folds_is_refused_with_the_line_that_it_meant():
    with pytest.raises(TypeError, match="must be a splitter") as caught:
        SplitDesign.from_splitter(5, X, Y)
    line = "SplitDesign.from_splitter(check_cv(5, y, classifier=True), X, y)"
    assert line in str(caught.value)
    meant = eval(line, {"check_cv": check_cv, "SplitDesign": SplitDesign, "X": X, "y": Y})
    results = cross_validate(MODELS["bayes"], X, Y, cv=5, return_indices=True)
    used = CVScores.from_cv_results(results, y=Y).design
    assert (meant.digests, meant.y_digest) == (used.digests, used.y_digest)


class Demanding(CorrectedResampledTTest):
    """Contradicts itself: it does not accept the splits that it asks for."""

    def require(self, design):
        design.require(who="The demanding test", min_splits=20)


def test_a_procedure_that_refuses_its_own_splits():
    """The advice to leave cv=None, or to score on more splits, would not help."""
    with pytest.raises(SplitDesignError, match=r"20 splits; there are 15\. But") as own:
        compare_estimators(MODELS, X, Y, method=Demanding())
    assert "Demanding itself asks for without cv=: correct its `request`" in str(own.value)
    assert "cv=RepeatedSubsampleSplit" not in str(own.value)
    with pytest.raises(SplitDesignError, match="for example with cv=RepeatedSubsampleSplit"):
        compare_estimators(MODELS, X, Y, method=Demanding(), cv=5)


def test_a_procedure_on_rows_is_reported_so():
    class Mine(Procedure):
        needs_rows = True

    assert Mine.varies_over == "test rows"


ON_ARRAYS = [name for name in skcvstats.stats.__all__ if name.endswith(("_ttest", "_ztest"))]


@pytest.mark.parametrize("name", ON_ARRAYS)
def test_functions_on_arrays_point_two_arrays_to_their_difference(name):
    a, b = np.random.default_rng(0).normal(size=(2, 10))
    further = (b,) if name == "conservative_ztest" else ()
    with pytest.raises(TypeError, match=rf"{name}\(a - b, "):
        getattr(skcvstats.stats, name)(a, b, *further, n_train=9, n_test=1)


def test_two_arrays_for_the_conservative_z():
    a, b = np.random.default_rng(0).normal(size=(2, 10))
    with pytest.raises(ValueError, match="a - b and half_a - half_b"):
        skcvstats.stats.conservative_ztest(a, b, n_train=9, n_test=1)
