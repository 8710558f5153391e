"""The pool: chunks of fits, errors that travel, progress, fits in threads."""

import os
import time
import warnings
from functools import partial
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest
from joblib import cpu_count, effective_n_jobs, parallel_backend, parallel_config
from joblib.parallel import BACKENDS as REGISTERED
from joblib.parallel import MultiprocessingBackend, ThreadingBackend
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from threadpoolctl import threadpool_info, threadpool_limits

import skcvstats as s
from skcvstats.fitting._run import Chunker, ThreadWatch, find_workers, mapped_files, while_unchanged
from tests.fitting.estimators import Asks, Busy, outside_pools
from tests.fitting.work import ALL_PAIRS, PAIR, X, Y, jobs_inside, recipes, records_of, two
from tests.processes import BACKENDS
from tests.simulation.studies import Mean, line


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

    def test_chunks_are_of_one_fit_if_fits_are_slow_and_else_shrink(self):
        slow, quick, unknown = (Chunker(self.pairs, 2) for _ in range(3))
        slow.learn((0, 0), 1, 5.0)
        assert {len(chunk) for chunk in slow} == {1}
        quick.learn((0, 0), 1, 1e-3)
        sizes = [len(chunk) for chunk in quick]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] == 15  # a quarter, for each of two workers twice
        assert len(sizes) <= 8
        # while nothing is known each worker gets a single fit first
        assert [len(chunk) for chunk, _ in zip(unknown, range(5), strict=False)] == [1, 1, 1, 2, 4]


@pytest.mark.parametrize("backend", BACKENDS)
def test_progress_is_seen_before_the_end(backend, tmp_path):
    with parallel_config(backend=backend, n_jobs=2):
        models = {"quick": Busy(), "slow": Busy(600, tmp_path / "seen")}
        times = []
        for record in records_of(models, X, Y, recipes(20), ALL_PAIRS):
            (tmp_path / "seen").touch()  # which the slow fits wait for
            times.append(record.fit_time)
    assert len(times) == 40
    assert max(times) < 600


@pytest.mark.usefixtures("no_warning_is_an_error")
class TestFitsInThreads:
    """What they would run in parallel runs in their own thread."""

    @pytest.mark.parametrize(
        "nested",
        [
            RandomForestClassifier(5, random_state=0, n_jobs=2),  # requires shared memory
            GridSearchCV(PAIR["tree"], {"max_depth": [1, 3]}, cv=2, n_jobs=2),
            VotingClassifier([("a", GaussianNB()), ("b", SVC())], n_jobs=2),
        ],
        ids=lambda one: type(one).__name__,
    )
    def test_nested_scores_are_the_same(self, nested):
        cv = s.RepeatedSubsampleSplit(10, random_state=0)
        alone = clone(nested).set_params(n_jobs=1)  # in this one thread
        expected = s.compare_estimators(two(alone, GaussianNB()), X, Y, cv=cv).scores.values
        with parallel_config(backend="threading", n_jobs=2):
            result = s.compare_estimators(two(nested, GaussianNB()), X, Y, cv=cv)
        np.testing.assert_array_equal(result.scores.values, expected)

    def test_nothing_nested_gets_jobs_but_the_caller_and_the_fits_at_one_job_keep_theirs(self):
        with parallel_config(backend="threading", n_jobs=2):
            assert set(s.cross_val_score(Asks(), X, Y, scoring=jobs_inside, cv=8)) == {1}
            s.compare_estimators(PAIR, X, Y)
            assert effective_n_jobs() == 2
        with parallel_config(backend="threading"):
            assert set(s.cross_val_score(Asks(), X, Y, scoring=jobs_inside, cv=3)) == {2}


def test_threads_leave_the_filters_of_warnings():
    """Each task restores those that it found, which may be those of a task beside it."""
    begun, both, first_is_seen = [], Event(), Event()

    class Overlaps(Busy):
        def fit(self, X, y):
            begun.append(1)
            is_second = len(begun) == 2
            (both.set if is_second else both.wait)()
            if is_second:
                first_is_seen.wait(600)
            return super().fit(X, y)

    before, content = warnings.filters, list(warnings.filters)
    with parallel_config(backend="threading", n_jobs=2):
        for _ in records_of(two(Overlaps(), Overlaps()), X, Y, recipes(1), ALL_PAIRS[:2]):
            first_is_seen.set()
    assert warnings.filters is before
    assert warnings.filters == content


class TestThreadWatch:
    def test_nothing_begins_after_the_end_and_what_runs_is_counted(self):
        begun, free = [], Event()

        def tasks():
            for k in range(5):
                begun.append(k)
                free.wait(120)
                yield k

        with ThreadWatch() as watch:
            threads = [Thread(target=lambda: [*watch.watched(tasks())]) for _ in range(2)]
            for thread in threads:
                thread.start()
            while len(begun) < 2:
                time.sleep(0.01)
        said = "; 2 fits are still running in worker threads and will stop at their end"
        assert watch.note == said
        free.set()
        for thread in threads:
            thread.join(120)
            assert not thread.is_alive()
        assert begun == [0, 0]
        assert list(watch.watched(tasks())) == []
        assert watch.note == ""

    def test_a_task_that_fails_runs_no_longer(self):
        def tasks():
            yield 1 / 0

        watch = ThreadWatch()
        with watch, pytest.raises(ZeroDivisionError):
            list(watch.watched(tasks()))
        assert watch.note == ""


def test_threads_do_not_oversubscribe_the_cores():
    seen = []

    def spying(estimator, X, y):
        seen.append(max((pool["num_threads"] for pool in threadpool_info()), default=1))
        return 0.5 + 0.1 * np.random.default_rng(len(seen)).normal()

    with threadpool_limits(8), parallel_config(backend="threading", n_jobs=2):
        s.compare_estimators(PAIR, X, Y, scoring=spying)
        assert max(pool["num_threads"] for pool in threadpool_info()) == 8
    assert max(seen) <= max(1, cpu_count() // 2)


CHANGED = "mapped from .*X.npy, which was changed or removed while the fits ran"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "X.npy"
    np.save(path, np.arange(80.0).reshape(40, 2))
    os.utime(path, (0, 0))  # a later write differs in its time, however slowly the clock ticks
    return path


def overwrite(path):
    mapped = np.load(path, mmap_mode="r+")
    mapped[0] = 7
    mapped.flush()


def grow(path):
    with path.open("ab") as file:
        file.write(b"more")


def replace(path):
    other = path.with_name("other.npy")
    np.save(other, np.ones((40, 2)))
    stat = path.stat()
    os.utime(other, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    other.replace(path)


@pytest.mark.parametrize("change", [overwrite, grow, replace, Path.unlink])
def test_a_change_ends_the_records(path, change):
    records = while_unchanged((k for k in range(4)), mapped_files([np.load(path, mmap_mode="r")]))
    assert next(records) == 0
    change(path)
    with pytest.raises(s.FitError, match=CHANGED):
        next(records)


def test_parts_of_a_sparse_matrix_are_mapped_too(path):
    data = np.load(path, mmap_mode="r").ravel()
    X = csr_matrix((data, np.arange(data.size), [0, data.size]))
    records = while_unchanged((k for k in range(4)), mapped_files([X]))
    assert next(records) == 0
    grow(path)
    with pytest.raises(s.FitError, match=CHANGED):
        next(records)


def test_nothing_is_said_where_nothing_changes(path):
    mapped = np.load(path, mmap_mode="r+")
    mapped[3] = 5  # written before, and maybe not yet on disk
    records = while_unchanged((k for k in range(4)), mapped_files([mapped]))
    assert list(records) == [0, 1, 2, 3]
    assert list(while_unchanged((k for k in "ab"), {})) == ["a", "b"]


def test_the_error_of_a_worker_gives_way_to_its_cause(path):
    def dying():
        yield 0
        grow(path)
        raise s.FitError("A worker process died")

    records = while_unchanged(dying(), mapped_files([np.load(path, mmap_mode="r")]))
    assert next(records) == 0
    with pytest.raises(s.FitError, match=CHANGED):
        next(records)


class Overwrites(Busy):
    def fit(self, X, y):
        overwrite(self.seconds)
        self.classes_ = np.unique(y)
        return self


def test_a_comparison_ends_at_the_first_record_after_it(path):
    models = {"dummy": DummyClassifier(), "overwrites": Overwrites(path)}
    X = np.load(path, mmap_mode="r")
    with pytest.raises(s.FitError, match=CHANGED) as caught:
        s.compare_estimators(models, X, np.arange(40) % 2)
    assert "1 of 40 fits were finished (dummy 1, overwrites 0)" in " ".join(caught.value.__notes__)


CV = s.RepeatedSubsampleSplit(10, random_state=0)
OPTIONS = {"scoring": outside_pools}


def compare(**options):
    return s.compare_estimators(PAIR, X, Y, cv=CV, **OPTIONS | options).scores.values


def study(**options):
    options |= OPTIONS
    return s.simulate(line, {"A": Mean()}, ["resampled_t"], n_data_sets=6, **options).estimates


@pytest.mark.processes
@pytest.mark.parametrize("call", [compare, study])
@pytest.mark.parametrize(
    ("context", "options"),
    [
        (partial(parallel_config, n_jobs=2), {}),
        (partial(parallel_backend, n_jobs=2), {}),
        (parallel_config, {"n_jobs": 2, "verbose": 1}),
    ],
    ids=["config", "backend", "jobs of the call"],
)
def test_other_backends_are_replaced_with_one_warning(call, context, options, capsys):
    expected = call()
    said = "loky backend is used instead"
    with context("multiprocessing"), pytest.warns(UserWarning, match=said) as caught:
        values = call(**options)
    assert [warning.filename for warning in caught] == [__file__]
    np.testing.assert_array_equal(values, expected)
    assert (capsys.readouterr().err != "") == ("verbose" in options)


@pytest.mark.filterwarnings("ignore:.*loky backend is used instead")
@pytest.mark.parametrize("context", [parallel_config, parallel_backend])
def test_jobs_and_the_innermost_context_count_for_the_call_and_after_it(context):
    with context("multiprocessing", n_jobs=3):
        assert [find_workers(n) for n in (None, 2)] == [(3, False, None), (2, False, 2)]
        with context("threading", n_jobs=2):
            assert find_workers(None) == (2, True, None)
        with parallel_config(n_jobs=4):
            assert find_workers(None).n == 4
    with parallel_config("threading", n_jobs=2), context("multiprocessing", n_jobs=3):
        assert find_workers(None) == (3, False, None)


@pytest.mark.processes
def test_a_backend_that_builds_on_multiprocessing_keeps_its_own():
    with parallel_config(backend=Own(nesting_level=0), n_jobs=2):
        values = compare(scoring="accuracy")
        with pytest.raises(s.FitError, match=r"scored in .*PoolWorker"):
            compare()
    np.testing.assert_array_equal(values, compare(scoring="accuracy"))


class Own(MultiprocessingBackend):
    """Joblib's backend under another name."""


class Elsewhere(ThreadingBackend):
    """As another package registers it."""


class Unreachable(Elsewhere):
    def configure(self, *args, **options):
        raise OSError("no node answers")


def test_a_registered_backend_gives_the_same_scores_and_its_own_errors(monkeypatch):
    monkeypatch.setitem(REGISTERED, "elsewhere", Elsewhere)
    monkeypatch.setitem(REGISTERED, "unreachable", Unreachable)
    expected = s.cross_val_score(PAIR, X, Y, cv=10).values
    with parallel_config("elsewhere", n_jobs=2):
        np.testing.assert_array_equal(s.cross_val_score(PAIR, X, Y, cv=10).values, expected)
    with parallel_config("unreachable", n_jobs=2), pytest.raises(OSError, match="no node answers"):
        s.cross_val_score(PAIR, X, Y, cv=10)


def threads_of_pools():
    """Return how many threads BLAS and OpenMP use."""
    return {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()}


@pytest.mark.usefixtures("no_warning_is_an_error")
def test_overlapping_calls_limit_the_threads_of_blas_until_the_last_has_ended():
    begun = {"first": Event(), "second": Event()}
    free = {"first": Event(), "second": Event()}

    class Waits(DummyClassifier):
        def __init__(self, name="first"):
            super().__init__()
            self.name = name

        def fit(self, X, y):
            begun[self.name].set()
            free[self.name].wait(600)
            return super().fit(X, y)

    def call(name):
        with parallel_config("threading", n_jobs=max(2, cpu_count())):
            s.cross_val_score(Waits(name), X, Y, cv=4)

    before = threads_of_pools()
    threads = {name: Thread(target=call, args=(name,)) for name in begun}
    for name, thread in threads.items():
        thread.start()
        begun[name].wait(600)
    free["first"].set()
    threads["first"].join(600)
    assert set(threads_of_pools().values()) == {1}
    free["second"].set()
    threads["second"].join(600)
    assert threads_of_pools() == before


def test_arrays_of_dates_are_no_mapped_files():
    assert mapped_files([np.array(["2020-02-02"], dtype="datetime64[D]"), Y, None]) == {}
