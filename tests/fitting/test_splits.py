"""Splits that are held, joined, or made ahead of their fits."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, ShuffleSplit, cross_validate

from skcvstats import RepeatedSubsampleSplit, compare_estimators
from skcvstats.fitting import Splits, plan_splits
from tests.fitting.work import PAIR, X, Y, recipes, workload
from tests.processes import JOBS


def assert_same_rows(splits, expected):
    for split, (train, test) in zip(splits, expected, strict=True):
        np.testing.assert_array_equal(split.train, train)
        np.testing.assert_array_equal(split.test, test)


class Counting(ShuffleSplit):
    """Counts how often it is asked for splits; without a seed it never draws the same again."""

    n_calls = 0

    def split(self, X, y=None, groups=None):
        type(self).n_calls += 1
        return super().split(X, y, groups)


class TestHeldSplits:
    """Another splitter's splits are drawn once, and their row numbers held."""

    @pytest.mark.parametrize("n_jobs", JOBS)
    def test_nothing_is_drawn_twice(self, n_jobs, monkeypatch):
        monkeypatch.setattr(Counting, "n_calls", 0)
        cv = Counting(12, test_size=0.2)
        result = compare_estimators(PAIR, X, Y, cv=cv, n_jobs=n_jobs)
        assert Counting.n_calls == 1
        assert np.isfinite(result.scores.values).all()

    @pytest.mark.parametrize("seed", [None, 3])
    def test_unseeded_splits_move_the_random_state_on_once(self, seed):
        def draw():
            np.random.seed(5)  # noqa: NPY002
            state = None if seed is None else np.random.RandomState(seed)
            return ShuffleSplit(12, test_size=0.2, random_state=state)

        plan = plan_splits(draw(), X, Y, {"groups": None})
        after = np.random.uniform()  # noqa: NPY002
        expected = list(draw().split(X))
        assert np.random.uniform() == after  # noqa: NPY002
        assert_same_rows(plan.splits.take(range(12)), expected)

    @pytest.mark.parametrize("splitter", [ShuffleSplit, RepeatedSubsampleSplit])
    @pytest.mark.parametrize("n_jobs", JOBS)
    def test_of_a_generator_against_cross_validate(self, n_jobs, splitter):
        states = (np.random.RandomState(3) for _ in range(2))
        cv, same = (splitter(12, test_size=0.2, random_state=state) for state in states)
        splits = list(same.split(X))
        result = compare_estimators(PAIR, X, Y, cv=cv, n_jobs=n_jobs)
        for name, model in PAIR.items():
            expected = cross_validate(model, X, Y, cv=splits)["test_score"]
            np.testing.assert_array_equal(result.scores[name].values, expected)

    @pytest.mark.parametrize("n", [40, 300, 70_000])
    def test_little_is_held_and_the_index_type_given(self, n):
        cv = KFold(3, shuffle=True, random_state=0)
        splits = plan_splits(cv, np.zeros((n, 1)), None, {"groups": None}).splits
        for split in splits.held.values():
            assert split.train.packed.nbytes <= n / 8 + 1
            assert split.test.dtype == np.min_scalar_type(n)
        for split in splits.take(range(3)):
            assert split.train.dtype == split.test.dtype == np.intp
        assert_same_rows(splits.take([2, 0]), [list(cv.split(np.zeros(n)))[k] for k in (2, 0)])

    def test_a_worker_gets_the_splits_that_it_needs(self):
        splits = plan_splits(KFold(5), X, Y, {"groups": None}).splits.part([1, 4])
        assert splits.held.keys() == {1, 4}


class TestJoinedSplits:
    def splits(self):
        held = plan_splits(KFold(3), X, Y, {"groups": None}).splits
        return held.then(recipes(4)), [*held.take(range(3)), *recipes(4).take(range(4))]

    @pytest.mark.parametrize("numbers", [range(7), [6, 0, 2, 3], [1], [5]])
    def test_joined_splits_are_numbered_on(self, numbers):
        joined, expected = self.splits()
        assert len(joined) == 7
        for splits in (joined, joined.part(numbers)):
            assert_same_rows(splits.take(numbers), [expected[k][:2] for k in numbers])


events = []


class Noting(Splits):
    """Splits that note when they are made."""

    def take(self, numbers):
        for k in numbers:
            events.append(("split", k))
            yield from super().take([k])


def test_each_split_is_made_once_and_right_before_its_fits():
    events.clear()
    splits = Noting({}, recipes(12).recipes)
    tasks = [(k, e) for k in range(12) for e in range(2)]
    for record in workload(PAIR).fit(X, Y, splits, tasks):
        events.append(("fit", record.split, record.estimator))
    assert events == [
        event for k in range(12) for event in (("split", k), ("fit", k, 0), ("fit", k, 1))
    ]
