"""Workers of joblib's multiprocessing backend, which we start and watch ourselves."""

import warnings
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from multiprocessing import active_children, get_context

import numpy as np
import pytest
from joblib import parallel_config
from joblib.parallel import MultiprocessingBackend, get_active_backend
from sklearn import config_context
from sklearn.naive_bayes import GaussianNB

from skcvstats import RepeatedSubsampleSplit, compare_estimators, cross_val_score
from skcvstats.fitting._watched import context_of, run_watched
from tests.fitting.estimators import Locked, NeedsConfig
from tests.fitting.work import PAIR, X, Y, two


def watched():
    """Return our own workers; joblib keeps some of loky's for a while."""
    return [one for one in active_children() if one.daemon]


class TestWatchedWorkers:
    """Those of who has chosen joblib's multiprocessing backend."""

    def test_yield_each_answer_as_it_comes(self):
        pool = run_watched(pow, [(k, 2) for k in range(20)], 3, get_context())
        assert sorted(pool) == [k**2 for k in range(20)]

    def test_more_workers_than_tasks(self):
        assert list(run_watched(pow, [(3, 2)], 3, get_context())) == [9]
        assert list(run_watched(pow, [], 2, get_context())) == []

    def test_are_gone_when_it_ends_whichever_way(self):
        with closing(run_watched(pow, [(k, 2) for k in range(20)], 2, get_context())) as pool:
            next(pool)
            assert len(watched()) == 2
        assert watched() == []
        with pytest.raises(ZeroDivisionError):
            list(run_watched(pow, [(0, -1)], 2, get_context()))
        assert watched() == []

    def test_an_error_says_where_it_was_raised(self):
        with pytest.raises(ZeroDivisionError) as caught:
            list(run_watched(divmod, [(1, 0)], 1, get_context()))
        assert "In the worker process:\nTraceback" in caught.value.__notes__[0]

    def test_answers_larger_than_a_pipe(self):
        answers = list(run_watched(bytes, [(2**22,)] * 4, 2, get_context()))
        assert [len(one) for one in answers] == [2**22] * 4

    def test_one_that_dies_before_it_is_given_anything(self):
        def slowly():
            (one,) = watched()
            one.kill()
            one.join()
            yield 3, 2

        with pytest.raises(BrokenProcessPool, match="exit code -9"):
            list(run_watched(pow, slowly(), 1, get_context()))

    def test_the_start_method_is_that_of_joblib(self, monkeypatch):
        monkeypatch.setenv("JOBLIB_START_METHOD", "spawn")
        cv = RepeatedSubsampleSplit(2, random_state=0)
        with (
            parallel_config(backend="multiprocessing", n_jobs=2),
            config_context(assume_finite=True),
            warnings.catch_warnings(),
        ):
            assert context_of(get_active_backend()[0]).get_start_method() == "spawn"
            # Fits that need both: what a spawned worker knows only if it was told.
            warnings.simplefilter("ignore")
            scores = cross_val_score(NeedsConfig(warn=True), X, Y, cv=cv, error_score="raise")
        assert np.isfinite(scores).all()

    def test_what_cannot_be_sent_says_what_to_do(self, monkeypatch):
        monkeypatch.setenv("JOBLIB_START_METHOD", "spawn")
        with (
            parallel_config(backend="multiprocessing", n_jobs=2),
            pytest.raises(Exception, match="pickle") as caught,
        ):
            compare_estimators(two(GaussianNB(), Locked()), X, Y)
        assert "backend='threading'" in " ".join(caught.value.__notes__)

    def test_a_backend_that_builds_on_multiprocessing_keeps_its_own(self):
        class Own(MultiprocessingBackend):
            started = 0

            def configure(self, *args, **options):
                Own.started += 1
                return super().configure(*args, **options)

        with parallel_config(backend=Own(nesting_level=0), n_jobs=2):
            values = compare_estimators(PAIR, X, Y).scores.values
        assert Own.started == 1
        np.testing.assert_array_equal(values, compare_estimators(PAIR, X, Y).scores.values)
