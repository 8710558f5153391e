"""Results of `cross_validate` that were saved without their splits."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GroupKFold, ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB

from skcvstats import CVScores, SplitDesign, compare_scores
from skcvstats.scores._pairing import UNVERIFIED_PAIRING, UNVERIFIED_TARGET
from skcvstats.stats import corrected_resampled_ttest

X, Y = load_iris(return_X_y=True)
CV = ShuffleSplit(12, test_size=30, random_state=0)
MODELS = {"bayes": GaussianNB(), "dummy": DummyClassifier()}


def results(cv=CV, groups=None):
    """Return what cross_validate gives, with the indices."""
    return {
        name: cross_validate(one, X, Y, cv=cv, groups=groups, return_indices=True)
        for name, one in MODELS.items()
    }


def saved(cv=CV):
    """Return what is left without the indices."""
    return {name: {"test_score": one["test_score"]} for name, one in results(cv).items()}


def expected(done, n_train, n_test):
    difference = done["bayes"]["test_score"] - done["dummy"]["test_score"]
    return corrected_resampled_ttest(difference, n_train=n_train, n_test=n_test)


def test_beside_our_own_scores():
    done = results()
    own = CVScores.from_cv_results(done["dummy"], metric="accuracy", y=Y)
    mixed = {"bayes": saved()["bayes"], "dummy": own}
    design = SplitDesign.from_splitter(CV, X, Y)
    result = compare_scores(mixed, scoring="accuracy", design=design)
    assert result.metrics == ("accuracy",)
    known = expected(done, 120, 30)
    assert result.tests[0].statistic == pytest.approx(known.statistic, rel=1e-12)
    assert [*map(str, result.tests[0].notes)] == [str(UNVERIFIED_PAIRING)]


def test_a_design_tells_of_the_target_where_the_indices_are_held():
    done = results()
    assert [*map(str, compare_scores(done).tests[0].notes)] == [str(UNVERIFIED_TARGET)]
    design = SplitDesign.from_splitter(CV, X, Y)
    assert compare_scores(done, design=design).tests[0].notes == ()


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_a_design_tells_of_the_groups():
    groups = np.arange(150) % 30
    cv = GroupKFold(5)
    done = results(cv, groups)
    design = SplitDesign.from_splitter(cv, X, Y, groups)
    (test,) = compare_scores(done, design=design).tests
    assert (test.unit, test.n_train, test.n_test) == ("groups", 24, 6)
    assert test.statistic == pytest.approx(expected(done, 24, 6).statistic, rel=1e-12)
