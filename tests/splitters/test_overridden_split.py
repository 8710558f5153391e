"""Subclasses of our splitters: what they override is what is fitted and described."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from skcvstats import RepeatedSubsampleSplit, SplitDesign, compare_estimators
from tests.splitters.splitters import N, X

Y = np.arange(N) % 2
SEEDED = {"n_splits": 3, "random_state": 0}


class Thinned(RepeatedSubsampleSplit):
    """Trains on every second row."""

    def split(self, X, y=None, groups=None):
        for train, test in super().split(X, y, groups):
            yield train[::2], test


class Below(Thinned):
    """Takes `split` from its base."""


class Delegating:
    """Has `lazy_split` only by what it wraps."""

    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.inner, name)

    def split(self, X, y=None, groups=None):
        for train, test in self.inner.split(X, y, groups):
            yield train[::2], test


def thinned_on_the_object():
    cv = RepeatedSubsampleSplit(**SEEDED)
    cv.split = Thinned(**SEEDED).split
    return cv


OVERRIDDEN = [
    Thinned(**SEEDED),
    Below(**SEEDED),
    Delegating(RepeatedSubsampleSplit(**SEEDED)),
    thinned_on_the_object(),
]


def fitted_design(cv):
    random = DummyClassifier(strategy="uniform", random_state=0)
    pair = {"prior": DummyClassifier(), "random": random}
    return compare_estimators(pair, X, Y, cv=cv, scoring="accuracy").scores.design


@pytest.mark.filterwarnings("ignore:Only")
@pytest.mark.parametrize("design_of", [fitted_design, lambda cv: SplitDesign.from_splitter(cv, X)])
@pytest.mark.parametrize("cv", OVERRIDDEN, ids=lambda cv: type(cv).__name__)
def test_an_overridden_split_is_what_is_drawn(cv, design_of):
    train, test = zip(*cv.split(X), strict=True)
    design = design_of(cv)
    assert design.digests == SplitDesign.from_indices(train, test, n_samples=N).digests
    assert set(design.n_train) == {len(rows) for rows in train}


@pytest.mark.filterwarnings("ignore:Only")
@pytest.mark.parametrize("design_of", [fitted_design, lambda cv: SplitDesign.from_splitter(cv, X)])
def test_a_subclass_that_leaves_split_alone_is_ours(design_of):
    class Named(RepeatedSubsampleSplit):
        pass

    class Fewer(RepeatedSubsampleSplit):
        def lazy_split(self, X, y=None, groups=None):
            return RepeatedSubsampleSplit(2, random_state=5).lazy_split(X, y, groups)

    named, fewer = design_of(Named(**SEEDED)), design_of(Fewer(**SEEDED))
    assert (named.n_splits, named.seed) == (3, 0)  # a seed is known of recipes only
    assert (fewer.n_splits, fewer.seed) == (2, 5)
