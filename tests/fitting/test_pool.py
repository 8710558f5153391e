"""The pool: chunks of fits, errors that travel, progress, fits in threads."""

import time

import numpy as np
import pytest
from joblib import cpu_count, effective_n_jobs, parallel_config
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info, threadpool_limits

from skcvstats import RepeatedSubsampleSplit, compare_estimators, cross_val_score
from skcvstats.fitting._run import Chunker, find_workers, run_fits
from tests.fitting.estimators import Asks, Slow
from tests.fitting.in_dask import jobs_inside
from tests.fitting.work import PAIR, X, Y, recipes, two, workload
from tests.processes import BACKENDS


class TestChunker:
    pairs = [(k, e) for k in range(30) for e in range(2)]  # noqa: RUF012

    @pytest.mark.parametrize("n_workers", [2, 8, 100])
    @pytest.mark.parametrize("seconds", [None, 1e-9, 1e-4, 0.01, 1, 100])
    def test_hands_out_each_pair_once_in_order(self, seconds, n_workers):
        chunker = Chunker(self.pairs, n_workers)
        handed = []
        for chunk in chunker:
            handed += chunk
            if seconds is not None:
                chunker.learn(chunk[0], len(chunk), len(chunk) * seconds)
        assert handed == self.pairs

    def test_slow_fits_go_one_by_one(self):
        chunker = Chunker(self.pairs, 2)
        chunker.learn((0, 0), 1, 5.0)
        assert {len(chunk) for chunk in chunker} == {1}

    def test_quick_fits_go_in_few_chunks_that_shrink(self):
        chunker = Chunker(self.pairs, 2)
        chunker.learn((0, 0), 1, 1e-3)
        sizes = [len(chunk) for chunk in chunker]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] == 15  # a quarter, for each of two workers twice
        assert len(sizes) <= 8

    def test_says_what_the_workers_are_at(self):
        chunker = Chunker(self.pairs, 2)
        chunks = iter(chunker)
        for _ in range(4):
            chunk = next(chunks)
        assert chunker.running == [(0, 0), (0, 1)]
        chunker.learn((0, 0), 1, 0.1)
        assert chunker.running == [(0, 1), (1, 0)]
        assert len(chunk) == 2  # waits behind these

    def test_while_nothing_is_known_each_worker_gets_a_single_fit_first(self):
        chunks = iter(Chunker(self.pairs, 2))
        assert [len(next(chunks)) for _ in range(5)] == [1, 1, 1, 2, 4]


@pytest.mark.parametrize("backend", BACKENDS)
def test_progress_is_seen_before_the_end(backend):
    seen = []
    with parallel_config(backend=backend, n_jobs=2):
        work = {"quick": Slow(), "slow": Slow(0.05)}
        pool = run_fits(workload(work), X, Y, recipes(20), workers=find_workers(None))
        for record in pool:
            seen.append((record.split, time.perf_counter()))
    assert len(seen) == 40
    assert seen[-1][1] - seen[0][1] > 0.2  # not all at once


@pytest.mark.usefixtures("no_warning_is_an_error")
class TestFitsInThreads:
    """What they would run in parallel runs in their own thread."""

    @pytest.mark.parametrize(
        "nested",
        [
            RandomForestClassifier(5, random_state=0, n_jobs=2),  # requires shared memory
            GridSearchCV(
                DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=2, n_jobs=2
            ),
            VotingClassifier([("a", GaussianNB()), ("b", SVC())], n_jobs=2),
        ],
        ids=lambda one: type(one).__name__,
    )
    def test_nested_scores_are_the_same(self, nested):
        cv = RepeatedSubsampleSplit(10, random_state=0)
        alone = clone(nested).set_params(n_jobs=1)  # in this one thread
        expected = compare_estimators(two(alone, GaussianNB()), X, Y, cv=cv).scores.values
        with parallel_config(backend="threading", n_jobs=2):
            result = compare_estimators(two(nested, GaussianNB()), X, Y, cv=cv)
        np.testing.assert_array_equal(result.scores.values, expected)

    def test_nothing_nested_gets_jobs_of_its_own(self):
        with parallel_config(backend="threading", n_jobs=2):
            scores = cross_val_score(Asks(), X, Y, scoring=jobs_inside, cv=8)
        assert set(scores) == {1}

    def test_the_caller_and_the_fits_at_one_job_keep_their_jobs(self):
        with parallel_config(backend="threading", n_jobs=2):
            compare_estimators(PAIR, X, Y)
            assert effective_n_jobs() == 2
        with parallel_config(backend="threading"):
            assert set(cross_val_score(Asks(), X, Y, scoring=jobs_inside, cv=3)) == {2}


def test_threads_do_not_oversubscribe_the_cores():
    seen = []

    def spying(estimator, X, y):
        seen.append(max((pool["num_threads"] for pool in threadpool_info()), default=1))
        return 0.5 + 0.1 * np.random.default_rng(len(seen)).normal()

    with threadpool_limits(8), parallel_config(backend="threading", n_jobs=2):
        compare_estimators(PAIR, X, Y, scoring=spying)
        assert max(pool["num_threads"] for pool in threadpool_info()) == 8
    assert max(seen) <= max(1, cpu_count() // 2)
