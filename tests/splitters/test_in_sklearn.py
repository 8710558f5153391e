"""The splitters in scikit-learn's own functions, against scores by hand."""

import itertools

import numpy as np
import pytest
import sklearn
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_validate

from tests.splitters.splitters import (
    GROUPS,
    SPLITTERS,
    STRATIFIED,
    UNSTRATIFIED,
    X,
    Y,
    as_id,
    assert_same_splits,
    with_params,
)


def with_few_splits(cv):
    return with_params(cv, n_splits=2, **({"n_pairs": 2} if hasattr(cv, "n_pairs") else {}))


NUMBERS = Y.astype(float)
FEW = [with_few_splits(cv) for cv in UNSTRATIFIED]


@pytest.mark.parametrize("routing", [False, True], ids=["plain", "routing"])
@pytest.mark.parametrize(
    ("cv", "groups"),
    [*itertools.product(FEW, [None, GROUPS]), (with_few_splits(STRATIFIED[0]), None)],
    ids=as_id,
)
class TestInScikitLearn:
    @pytest.fixture(autouse=True)
    def _routing(self, routing):
        with sklearn.config_context(enable_metadata_routing=routing):
            yield

    def by_hand(self, alpha, cv, groups):
        splits, model = cv.split(X, NUMBERS, groups), Ridge(alpha=alpha)
        return [model.fit(X[a], NUMBERS[a]).score(X[b], NUMBERS[b]) for a, b in splits]

    def test_cross_validate(self, cv, groups, routing):
        given = {} if groups is None else {"groups": groups}
        # Not params=None: scikit-learn 1.6.0 cannot route that.
        passed = {"params": given} if routing else given
        results = cross_validate(Ridge(), X, NUMBERS, cv=cv, return_indices=True, **passed)
        splits = zip(*(results["indices"][side] for side in ("train", "test")), strict=True)
        assert_same_splits(splits, cv.split(X, NUMBERS, groups))
        np.testing.assert_allclose(results["test_score"], self.by_hand(1.0, cv, groups))

    def test_grid_search(self, cv, groups):
        search = GridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, cv=cv)
        search.fit(X, NUMBERS, **({} if groups is None else {"groups": groups}))
        assert search.n_splits_ == cv.get_n_splits()
        found = [search.cv_results_[f"split{k}_test_score"] for k in range(search.n_splits_)]
        for scores, alpha in zip(np.transpose(found), [0.1, 10.0], strict=True):
            np.testing.assert_allclose(scores, self.by_hand(alpha, cv, groups))


def test_groups_are_requested_by_default():
    for cv in SPLITTERS:
        assert cv.get_metadata_routing().split.requests == {"groups": True}
