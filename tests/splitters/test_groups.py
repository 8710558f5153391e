"""Splits of whole groups, and groups that cannot serve."""

import math

import numpy as np
import pandas as pd
import pytest

from skcvstats.exceptions import SplitDesignError
from tests.splitters.splitters import (
    GROUPS,
    UNSTRATIFIED,
    X,
    Y,
    as_id,
    assert_same_splits,
    both_classes,
)

# Of 23 groups, worked out by hand.
SIZES = [(23, 20, 3), (23, 11, 3), (14, 11, 3), (23, 8, 3)]


@pytest.mark.parametrize(("cv", "sizes"), [*zip(UNSTRATIFIED, SIZES, strict=True)], ids=as_id)
def test_groups_stay_whole_and_sizes_count_them(cv, sizes):
    lazy = cv.lazy_split(X, Y, GROUPS)
    assert lazy.unit == "groups"
    assert (lazy.n_samples, lazy.n_train, lazy.n_test) == sizes
    for train, test in lazy:
        in_train, in_test = set(GROUPS[train]), set(GROUPS[test])
        assert not in_train & in_test
        assert (len(in_train), len(in_test)) == (lazy.n_train, lazy.n_test)
        assert sorted(train) == np.flatnonzero(np.isin(GROUPS, list(in_train))).tolist()
        assert sorted(test) == np.flatnonzero(np.isin(GROUPS, list(in_test))).tolist()
        assert train.dtype == test.dtype == np.intp
        assert np.any(np.diff(train) < 0)


@pytest.mark.parametrize("cv", UNSTRATIFIED[-2:], ids=as_id)
def test_group_labels_with_columns_are_rows_of_labels(cv):
    two = np.column_stack([GROUPS // 5, GROUPS % 5])
    assert_same_splits(cv.split(X, None, two), cv.split(X, None, GROUPS))


@both_classes
@pytest.mark.parametrize(
    ("groups", "match"),
    [
        (np.zeros(39), "groups has 39 rows and X has 40"),
        ([*range(39), math.nan], "groups has missing labels"),
        ([*range(39), None], "groups has missing labels"),
        (pd.Series([*"a" * 39, None]), "groups has missing labels"),
        (pd.Series([*range(39), None], dtype="Int64"), "groups has missing labels"),
        (np.array(["2020-01-01"] * 39 + ["NaT"], dtype="M8[D]"), "groups has missing labels"),
        (np.zeros((40, 1, 1)), "groups has 3 dimensions"),
    ],
)
def test_malformed_groups(cls, groups, match):
    with pytest.raises(ValueError, match=match) as caught:
        cls().lazy_split(np.zeros(40), None, groups)
    assert not isinstance(caught.value, SplitDesignError)
