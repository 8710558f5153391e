"""The splitters under test, their data, and comparisons of splits."""

import copy

import numpy as np
import pytest

from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit

# Each with its sizes (n_samples, n_train, n_test) on 101 rows, worked out by hand.
ALL_SPLITTERS = [
    (RepeatedSubsampleSplit(6, random_state=0), (101, 90, 11)),
    (RepeatedSubsampleSplit(6, train_size=0.5, random_state=0), (101, 50, 11)),
    (RepeatedSubsampleSplit(6, train_size=0.5, pool="fixed", random_state=0), (61, 50, 11)),
    (RepeatedSubsampleSplit(6, stratify=True, random_state=0), (101, 90, 11)),
    (
        RepeatedSubsampleSplit(
            6, train_size=0.5, test_size=20, pool="fixed", stratify=True, random_state=0
        ),
        (70, 50, 20),
    ),
    (HalfSplitPairs(3, 4, random_state=0), (101, 39, 11)),
    (HalfSplitPairs(3, 4, test_size=10, stratify=True, random_state=0), (101, 40, 10)),
]
SPLITTERS = [splitter for splitter, _ in ALL_SPLITTERS]
UNSTRATIFIED = [splitter for splitter in SPLITTERS if not splitter.stratify]
STRATIFIED = [splitter for splitter in SPLITTERS if splitter.stratify]

N = 101
X = np.random.RandomState(0).normal(size=(N, 2))
Y = np.arange(N) % 3
GROUPS = np.random.RandomState(1).randint(0, 23, size=N)  # 23 groups of 1 to 10 rows


def as_id(value):
    """Name a parameter of a test in one line."""
    if value is None or isinstance(value, np.ndarray):
        return "rows" if value is None else "groups"
    return " ".join(str(value).split())


all_splitters = pytest.mark.parametrize("cv", SPLITTERS, ids=as_id)
both_classes = pytest.mark.parametrize("cls", [RepeatedSubsampleSplit, HalfSplitPairs])


def with_params(cv, **params):
    """Return a copy of the splitter with other arguments."""
    cv = copy.deepcopy(cv)
    for name, value in params.items():
        assert hasattr(cv, name)
        setattr(cv, name, value)
    return cv


def as_lists(splits):
    return [(train.tolist(), test.tolist()) for train, test in splits]


def assert_same_splits(a, b):
    assert as_lists(a) == as_lists(b)
