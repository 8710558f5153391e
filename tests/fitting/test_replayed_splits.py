"""Splits that are held, drawn a second time, or made ahead of their fits."""

import numpy as np
import pytest
from sklearn.model_selection import (
    KFold,
    ShuffleSplit,
    StratifiedShuffleSplit,
    check_cv,
    cross_validate,
)

from skcvstats import SplitDesignError, compare_estimators
from skcvstats.fitting import _execution, _splits
from skcvstats.fitting._execution import fit_pairs
from skcvstats.fitting._splits import HeldSplits, Recipes, ReplayedSplits, plan_splits
from tests.fitting.work import PAIR, X, Y, recipes, workload


class TestReplayedSplits:
    """Splits too large to hold are drawn a second time, one after the other."""

    @pytest.fixture(autouse=True)
    def nothing_is_held(self, monkeypatch):
        monkeypatch.setattr(_splits, "_MOST_HELD", 0)

    @pytest.mark.filterwarnings("ignore:The splits are stratified")
    @pytest.mark.parametrize("n_jobs", [1, 2])
    @pytest.mark.parametrize(
        "cv",
        [
            StratifiedShuffleSplit(12, test_size=0.2, random_state=0),
            ShuffleSplit(12, test_size=0.2, random_state=np.random.RandomState(3)),
        ],
        ids=["seed", "RandomState"],
    )
    def test_against_cross_validate(self, cv, n_jobs):
        plan = plan_splits(cv, X, Y, {"groups": None})
        assert isinstance(plan.splits, ReplayedSplits)
        splits = list(cv.split(X, Y)) if isinstance(cv.random_state, int) else None
        result = compare_estimators(PAIR, X, Y, cv=cv, n_jobs=n_jobs)
        if splits is not None:
            for name, one in PAIR.items():
                expected = cross_validate(one, X, Y, cv=splits)["test_score"]
                np.testing.assert_array_equal(result.scores[name].values, expected)
        assert np.isfinite(result.scores.values).all()

    def test_unseeded_splits_go_through_the_global_state_again(self):
        np.random.seed(5)  # noqa: NPY002
        plan = plan_splits(ShuffleSplit(12, test_size=0.2), X, Y, {"groups": None})
        after = np.random.uniform()  # noqa: NPY002
        assert isinstance(plan.splits, ReplayedSplits)
        drawn = [plan.splits[k] for k in range(12)]
        np.random.seed(5)  # noqa: NPY002
        for split, (train, test) in zip(
            drawn, ShuffleSplit(12, test_size=0.2).split(X), strict=True
        ):
            np.testing.assert_array_equal(split.train, train)
            np.testing.assert_array_equal(split.test, test)
        assert np.random.uniform() == after  # noqa: NPY002

    def test_what_comes_out_otherwise_is_held(self):
        class Own(ShuffleSplit):
            def split(self, X, y=None, groups=None):
                seed = np.random.default_rng().integers(2**31)
                return ShuffleSplit(12, test_size=0.2, random_state=int(seed)).split(X)

        plan = plan_splits(Own(12), X, Y, {"groups": None})
        assert isinstance(plan.splits, HeldSplits)
        assert np.isfinite(compare_estimators(PAIR, X, Y, cv=Own(12)).scores.values).all()

    def test_a_list_of_splits_is_held_as_it_is(self):
        cv = check_cv(list(ShuffleSplit(12, random_state=0).split(X)))
        assert isinstance(plan_splits(cv, X, Y, {"groups": None}).splits, HeldSplits)

    @pytest.mark.filterwarnings("ignore:Folds of consecutive rows")
    def test_a_splitter_that_changes_later_is_refused(self):
        class Changing(KFold):
            calls = 0

            def split(self, X, y=None, groups=None):
                Changing.calls += 1
                splits = list(super().split(X, y))
                if Changing.calls > 3:  # after two trials and the first drawing
                    splits[1] = splits[0]
                return iter(splits)

        with pytest.raises(SplitDesignError, match=r"came out otherwise .* integer random_state"):
            compare_estimators(PAIR, X, Y, cv=Changing(12))

    def test_memory_is_that_of_one_split(self):
        import tracemalloc

        n = 100_000
        cv = ShuffleSplit(50, test_size=0.1, random_state=0)
        tracemalloc.start()
        plan = plan_splits(cv, np.zeros((n, 1)), None, {"groups": None})
        for k in range(50):
            plan.splits[k]
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 8 * n * np.dtype(np.intp).itemsize  # all 50 would be 50 n


events = []


class TestSplitsMadeAhead:
    class Noting(Recipes):
        """Splits that note when they are made."""

        def __getitem__(self, k):
            events.append(("split", k))
            return super().__getitem__(k)

    @pytest.mark.parametrize("ahead", [1, 2, 5, 100])
    def test_each_once_in_order_and_no_more_than_allowed(self, ahead, monkeypatch):
        monkeypatch.setattr(_execution, "_ROWS_AHEAD", ahead * len(X) + 1)
        events.clear()
        splits = self.Noting(recipes(12).lazy)
        for one in fit_pairs(
            X, Y, workload(PAIR), splits, [(k, e) for k in range(12) for e in range(2)]
        ):
            events.append(("fit", one.split, one.estimator))
        made = [event[1] for event in events if event[0] == "split"]
        assert made == list(range(12))
        fitted = [event[1:] for event in events if event[0] == "fit"]
        assert fitted == [(k, e) for k in range(12) for e in range(2)]
        alive = [
            sum(event[0] == "split" for event in events[:at]) - events[at][1]
            for at in range(len(events))
            if events[at][0] == "fit"
        ]
        assert max(alive) == min(ahead, 12)
