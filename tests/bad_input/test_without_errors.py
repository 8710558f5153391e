"""Identical estimators, which have a defined result; odd but harmless input."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

from skcvstats import DegenerateScoresWarning

from .given import BAYES, FRAME, INF, PAIR, ROWS, X, Y, compare, score

pytestmark = pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_identical_estimators(alternative):
    how = {"alternative": alternative, "reference": "b"}
    with pytest.warns(DegenerateScoresWarning, match="finer metric"):
        result = compare({"a": BAYES, "b": GaussianNB()}, cv=None, **how)
    (test,) = result.tests
    assert np.isnan(test.statistic)
    assert test.pvalue == result.comparisons[0].pvalue_adjusted == 1
    assert test.confidence_interval().low in (0, -INF)
    assert "Undetermined" in str(result)
    assert "undetermined" in str(test)
    assert result.to_frame()["note"][0].startswith("undetermined")


class FromRows(ClassifierMixin, BaseEstimator):
    """A classifier that finds its target in the rows."""

    def fit(self, X, y=None):
        self.classes_ = np.array([False, True])
        return self

    def predict(self, X):
        return X[:, 0] > 0


class TestHarmlessInput:
    def test_row_labels_of_pandas_are_not_looked_at(self):
        """Neither those that X and y share, nor those that they have not in common."""
        reversed_rows = ROWS[::-1] + 500
        for frame, labels in [(FRAME.set_axis(reversed_rows), reversed_rows), (FRAME, ROWS + 500)]:
            assert np.array_equal(score(X=frame, y=pd.Series(Y, index=labels)), score())

    def test_fitted_estimators_are_neither_used_nor_changed(self):
        fitted = GaussianNB().fit(X[:20], Y[:20])
        before = fitted.theta_.copy()
        assert np.array_equal(score(fitted, X=X.tolist(), y=Y.tolist()), score())  # and from lists
        assert np.array_equal(fitted.theta_, before)

    def test_no_target_for_what_needs_none_or_where_the_metric_is_a_callable(self):
        clusters = KMeans(2, n_init=1, random_state=0)
        assert np.isfinite(score(clusters, y=None)).all()

        def of_rows(estimator, X):
            return float(np.mean(estimator.predict(X) == (X[:, 0] > 0)))

        assert (score(FromRows(), y=None, scoring=of_rows) == 1).all()

    def test_masks_for_row_numbers(self):
        splits = list(KFold(3).split(X))
        masks = [(np.isin(ROWS, train), np.isin(ROWS, test)) for train, test in splits]
        assert score(cv=masks).design.digests == score(cv=splits).design.digests

    def test_generators_of_pairs_and_of_splits(self):
        pairs = ((name, one) for name, one in PAIR.items())
        result = compare(pairs, cv=KFold(3).split(X))
        assert np.array_equal(result.scores, compare(cv=KFold(3)).scores)
