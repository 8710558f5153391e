"""Degenerate input, which has a defined result; odd but harmless input; remains of failed fits."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

from skcvstats import CorrectedResampledTTest, DegenerateScoresWarning, FitError, compare_scores

from .calls import array, compare, score, scored, ttest, use
from .given import BAYES, FRAME, INF, PAIR, ROWS, Fails, X, Y

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning"),
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning"),
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
]


class TestFailedFits:
    def test_all_that_was_measured_is_kept(self):
        with pytest.raises(FitError, match="c, split 3") as caught:
            use(["accuracy", "f1"], {**PAIR, "c": Fails(59)}, cv=4)
        kept = caught.value.scores
        assert list(kept) == ["accuracy", "f1"]
        assert np.isnan(kept["accuracy"].values[2]).tolist() == [False, False, False, True]
        assert np.isfinite(kept["accuracy"].values[:2]).all()

    def test_the_remedy_works(self):
        with pytest.raises(FitError, match=r"with \.dropna") as caught:
            compare({**PAIR, "c": Fails(59)}, cv=4)
        result = compare_scores(caught.value.scores["accuracy"].dropna())
        assert {one.n_splits for one in result.tests} == {3}
        assert "1 of 4 splits dropped" in str(result)


class TestDegenerateScores:
    @pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
    def test_identical_estimators(self, alternative):
        with pytest.warns(DegenerateScoresWarning, match="finer metric"):
            result = compare({"a": BAYES, "b": GaussianNB()}, cv=None, alternative=alternative)
        (test,) = result.tests
        assert np.isnan(test.statistic)
        assert test.pvalue == result.comparisons[0].pvalue_adjusted == 1
        assert test.confidence_interval().low in (0, -INF)
        assert "Undetermined" in str(result)
        assert "undetermined" in str(test)
        assert result.to_frame()["note"][0].startswith("undetermined")

    @pytest.mark.parametrize(
        ("alternative", "pvalue"), [("two-sided", 0), ("greater", 0), ("less", 1)]
    )
    def test_a_difference_that_does_not_vary(self, alternative, pvalue):
        test = CorrectedResampledTTest(alternative=alternative)
        one, other = scored([0.5] * 4), scored([0.4] * 4)
        with pytest.warns(DegenerateScoresWarning, match="neither is evidence"):
            result = test(one, other)
        assert (result.statistic, result.pvalue) == (INF, pvalue)
        assert "undetermined" in str(result)
        with pytest.warns(DegenerateScoresWarning, match="neither is evidence"):
            result = test(other, one)
        assert result.statistic == -INF
        assert result.pvalue == (0 if alternative == "two-sided" else 1 - pvalue)

    def test_rounding_is_no_variance_and_no_difference(self):
        one, other = scored(0.3, 0.6, 0.9, 0.7), scored(0.1 + 0.2, 0.6, 0.9, 0.7)
        assert (one.values != other.values).any()
        with pytest.warns(DegenerateScoresWarning, match="do not vary"):
            statistic, pvalue = ttest(one, other)
        assert np.isnan(statistic)
        assert pvalue == 1

    def test_only_the_constant_rows_are_degenerate(self):
        with pytest.warns(DegenerateScoresWarning, match="do not vary"):
            result = array([[0.1, 0.2, 0.3], [0, 0, 0], [0.5, 0.5, 0.5]])
        assert result.undetermined.tolist() == [False, True, True]
        assert result.pvalue[1:].tolist() == [1, 0]
        assert result.statistic[2] == INF


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

    def test_no_target_for_what_needs_none(self):
        clusters = KMeans(2, n_init=1, random_state=0)
        assert np.isfinite(score(clusters, y=None)).all()

    def test_no_target_where_the_metric_is_a_callable(self):
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
