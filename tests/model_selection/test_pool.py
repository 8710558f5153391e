"""The pool: chunks, splits that are drawn again, interruption, workers that die."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager, suppress
from multiprocessing import active_children, get_context
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from joblib import cpu_count, effective_n_jobs, parallel_config
from joblib.parallel import MultiprocessingBackend, get_active_backend
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    ShuffleSplit,
    StratifiedShuffleSplit,
    check_cv,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from threadpoolctl import threadpool_info, threadpool_limits

from skcvstats import (
    FitError,
    RepeatedSubsampleSplit,
    SplitDesignError,
    compare_estimators,
    cross_val_score,
)
from skcvstats.model_selection import _execution, _splits
from skcvstats.model_selection._execution import FitRecord, Workload, fit_pairs
from skcvstats.model_selection._interrupt import Stopped, ThreadStop
from skcvstats.model_selection._pool import Chunker, run_fits
from skcvstats.model_selection._processes import limited_blas
from skcvstats.model_selection._scoring import Scoring
from skcvstats.model_selection._splits import HeldSplits, Recipes, ReplayedSplits, plan_splits
from skcvstats.model_selection._watched import context_of, run_watched
from tests.model_selection.estimators import (
    Asks,
    Awkward,
    Busy,
    Locked,
    NeedsConfig,
    flattened,
    without_a_column,
)
from tests.model_selection.interrupted import living

X, Y = load_iris(return_X_y=True)
PAIR = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
ROOT = Path(__file__).parents[2]


RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(X, columns=list("abcd"), index=RNG.permutation(150) + 1000)
FRAME["colour"] = np.array(["red", "green"])[RNG.integers(2, size=150)]
TEXTS = [" ".join(f"word{int(10 * x)}" for x in row) for row in X]
NUMBERS = np.column_stack([X[:, 0], X[:, 1] ** 2])
KERNEL = X @ X.T
mixed = make_column_transformer((OneHotEncoder(), ["colour"]), remainder=StandardScaler())
images = FunctionTransformer(flattened)
# By name: two estimators, data, target, metric.
DATA = {
    "fortran order": (GaussianNB(), SVC(), np.asfortranarray(X), Y, "accuracy"),
    "float32": (GaussianNB(), SVC(), X.astype(np.float32), Y, "accuracy"),
    "mixed frame": (
        make_pipeline(mixed, LogisticRegression()),
        make_pipeline(FunctionTransformer(without_a_column), GaussianNB()),
        FRAME,
        pd.Series(Y, index=FRAME.index).astype(str),
        "f1_macro",
    ),
    "sparse rows": (SVC(), LogisticRegression(max_iter=500), sp.csr_array(X), Y, "accuracy"),
    "sparse columns": (SVC(), LogisticRegression(max_iter=500), sp.csc_array(X), Y, "accuracy"),
    "texts": (
        make_pipeline(TfidfVectorizer(), LogisticRegression()),
        make_pipeline(CountVectorizer(), MultinomialNB()),
        TEXTS,
        Y,
        "accuracy",
    ),
    "kernel": (
        SVC(kernel="precomputed"),
        SVC(kernel="precomputed", C=0.01),
        KERNEL,
        Y,
        "accuracy",
    ),
    "three dimensions": (
        make_pipeline(images, GaussianNB()),
        make_pipeline(images, SVC()),
        X.reshape(150, 2, 2),
        Y,
        "accuracy",
    ),
    "several outputs": (Ridge(), DecisionTreeRegressor(random_state=0), X, NUMBERS, "r2"),
}


def records(n, seconds):
    return [FitRecord(0, k, {}, None, None, seconds, 0.0, None, "") for k in range(n)]


def two(a, b):
    return {"a": a, "b": b}


@pytest.fixture
def no_warning_is_an_error():
    """Keep scikit-learn's own `Parallel` from failing where threads use it at the same time.

    Each of its tasks sets the filters of warnings, which before Python 3.14 all threads share. One
    that finds them as another has emptied them warns that it has no configuration, which as an
    error is a failed fit. A filter placed before "error" is no help, as the threads also mix up
    the order of the filters.
    """
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.simplefilter("ignore")
        yield


class TestDataInWorkers:
    """The same scores in workers as without them, bit for bit."""

    cv = RepeatedSubsampleSplit(10, random_state=0)

    @pytest.mark.usefixtures("no_warning_is_an_error")
    @pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
    @pytest.mark.parametrize("kind", DATA)
    def test_of_every_kind(self, kind, backend):
        a, b, data, target, metric = DATA[kind]
        options = {"scoring": metric, "cv": self.cv}
        expected = compare_estimators(two(a, b), data, target, **options).scores.values
        with parallel_config(backend=backend, n_jobs=2):
            result = compare_estimators(two(a, b), data, target, **options)
        np.testing.assert_array_equal(result.scores.values, expected)

    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_mapped_from_a_file_and_too_large_to_send(self, tmp_path, n_jobs):
        rows = np.tile(X, (300, 1))  # 1.4 MB, past joblib's limit for sending
        np.save(tmp_path / "X.npy", rows)
        mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
        target = np.tile(Y, 300)
        # The second writes into its rows: workers must not share them.
        spoiling = make_pipeline(StandardScaler(copy=False), LogisticRegression(max_iter=500))
        models = two(spoiling, GaussianNB())
        expected = compare_estimators(models, rows, target, cv=self.cv).scores.values
        for data in (rows, mapped):
            result = compare_estimators(models, data, target, cv=self.cv, n_jobs=n_jobs)
            np.testing.assert_array_equal(result.scores.values, expected)
        np.testing.assert_array_equal(rows, np.tile(X, (300, 1)))

    @pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
    def test_under_the_configuration_of_the_caller(self, backend):
        models = two(NeedsConfig(), GaussianNB())
        with config_context(assume_finite=True), parallel_config(backend=backend, n_jobs=2):
            assert compare_estimators(models, X, Y, cv=self.cv).tests[0].n_splits == 10
        with pytest.raises(RuntimeError, match="did not arrive"):
            compare_estimators(models, X, Y, cv=self.cv, error_score="raise")


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
                chunker.learn(records(len(chunk), seconds))
        assert handed == self.pairs

    def test_slow_fits_go_one_by_one(self):
        chunker = Chunker(self.pairs, 2)
        chunker.learn(records(1, 5.0))
        assert {len(chunk) for chunk in chunker} == {1}

    def test_quick_fits_go_in_few_chunks_that_shrink(self):
        chunker = Chunker(self.pairs, 2)
        chunker.learn(records(1, 1e-3))
        sizes = [len(chunk) for chunk in chunker]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] == 15  # a quarter, for each of two workers twice
        assert len(sizes) <= 8

    def test_while_nothing_is_known_each_worker_gets_a_single_fit_first(self):
        chunks = iter(Chunker(self.pairs, 2))
        assert [len(next(chunks)) for _ in range(5)] == [1, 1, 1, 2, 4]


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


class TestThreadStop:
    def test_ends_a_fit_in_another_thread(self):
        ended = threading.Event()

        def work(stop):
            try:
                with stop.registered():
                    Busy(60).fit(X, Y)
            except Stopped:
                ended.set()

        with ThreadStop() as stop:
            thread = threading.Thread(target=work, args=(stop,))
            thread.start()
            time.sleep(0.2)
            assert not ended.is_set()
        assert ended.wait(2)
        thread.join(2)
        assert not thread.is_alive()

    def test_lets_no_fit_begin_after_the_end(self):
        with ThreadStop() as stop:
            pass
        with pytest.raises(Stopped), stop.registered():
            pass

    def test_leaves_threads_alone_that_are_done(self):
        with ThreadStop() as stop, stop.registered():
            pass
        assert sum(range(1000)) == 499_500


needs_proc = pytest.mark.skipif(
    not Path("/proc").exists(), reason="needs /proc to see what is still busy"
)


@contextmanager
def running(module, *arguments):
    """Run a module of this folder; it and all that it started are dead in the end, whatever."""
    process = subprocess.Popen(
        [sys.executable, "-m", f"tests.model_selection.{module}", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    guard = threading.Timer(60, os.killpg, (process.pid, signal.SIGKILL))
    guard.start()
    try:
        yield process
    finally:
        guard.cancel()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


@needs_proc
@pytest.mark.parametrize(
    "arguments",
    [
        ("loky", "1"),
        ("loky", "2"),
        ("threading", "2"),
        ("threading", "2", "nested"),
        ("multiprocessing", "2"),
        ("multiprocessing", "2", "nested"),
    ],
    ids=" ".join,
)
def test_interrupt_ends_soon_and_leaves_nobody_busy(arguments):
    with running("interrupted", *arguments) as process:
        assert process.stdout.readline() == "started\n"
        time.sleep(2)
        os.kill(process.pid, signal.SIGINT)
        interrupted = time.perf_counter()
        note = process.stdout.readline()
        waited = time.perf_counter() - interrupted
        busy = float(process.stdout.readline())
    done = re.search(r"skcvstats: (\d+) of 30 fits were finished \(quick (\d+), slow 0\)", note)
    assert done is not None
    assert 1 <= int(done[1]) == int(done[2])
    assert busy < 0.3
    assert waited < 30  # it did not wait for the slow fit, which takes a minute


@needs_proc
def test_no_worker_outlives_its_parent():
    with running("interrupted", "multiprocessing", "2") as process:
        assert process.stdout.readline() == "started\n"
        assert len(living(process.pid)) == 3
        process.kill()
        process.wait()
        for _ in range(100):
            if not living(process.pid):
                break
            time.sleep(0.2)
        assert living(process.pid) == []


@needs_proc
@pytest.mark.parametrize("how", ["exit", "busy", "idle"])
@pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
def test_a_worker_that_dies_is_one_clear_error(backend, how):
    with running("killed", backend, how) as process:
        error = process.stdout.readline()
        busy, n_left = process.stdout.readline().split()
    assert re.search(r"worker process died.*n_jobs=1", error)
    done = re.search(r"(\d) of 4 fits were finished \(quick \1, slow 0\)", error)
    assert int(done[1]) <= 2 if how == "exit" else int(done[1]) == 2
    assert float(busy) < 0.3
    assert n_left == "0"


@pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
@pytest.mark.parametrize("kind", ["two arguments", "lock"])
def test_an_exception_that_cannot_travel_arrives_as_text(kind, backend):
    models = {"bayes": GaussianNB(), "awkward": Awkward(kind)}
    with (
        parallel_config(backend=backend, n_jobs=2),
        pytest.raises(FitError, match=r"(?s)AwkwardError: spoilt.*estimator 'awkward', split"),
    ):
        compare_estimators(models, X, Y, error_score="raise")


def test_what_cannot_be_sent_to_processes_says_what_to_do():
    models = {"bayes": GaussianNB(), "locked": Locked()}
    with pytest.raises(Exception, match="pickle") as caught:
        compare_estimators(models, X, Y, n_jobs=2)
    assert "backend='threading'" in " ".join(caught.value.__notes__)


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_progress_is_seen_before_the_end(backend):
    seen = []
    with parallel_config(backend=backend, n_jobs=2):
        work = {"quick": Busy(), "slow": Busy(0.05)}
        pool = run_fits(workload(work), X, Y, recipes(20))
        for record in pool:
            seen.append((record.split, time.perf_counter()))
    assert len(seen) == 40
    assert seen[-1][1] - seen[0][1] > 0.2  # not all at once


def workload(models):
    return Workload(
        names=tuple(models),
        estimators=tuple(models.values()),
        scoring=Scoring(get_scorer("accuracy"), "accuracy", "'accuracy'"),
        fit_params=({},) * len(models),
        score_params={},
        error_score="raise",
    )


def recipes(n_splits):
    return Recipes(RepeatedSubsampleSplit(n_splits, random_state=0).lazy_split(X, Y))


@pytest.mark.usefixtures("no_warning_is_an_error")
class TestFitsInThreads:
    """What they would run in parallel runs in their own thread."""

    @pytest.mark.parametrize(
        "nested",
        [
            RandomForestClassifier(5, random_state=0, n_jobs=2),  # requires shared memory
            GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, n_jobs=2),
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

    @pytest.mark.parametrize("backend", ["threading", "multiprocessing"])
    def test_nothing_nested_gets_jobs_of_its_own(self, backend):
        with parallel_config(backend=backend, n_jobs=2):
            scores = cross_val_score(Asks(), X, Y, scoring=jobs_inside, cv=8)
        assert set(scores) == {1}

    def test_the_caller_and_the_fits_at_one_job_keep_their_jobs(self):
        with parallel_config(backend="threading", n_jobs=2):
            compare_estimators(PAIR, X, Y)
            assert effective_n_jobs() == 2
        with parallel_config(backend="threading"):
            assert set(cross_val_score(Asks(), X, Y, scoring=jobs_inside, cv=3)) == {2}


def jobs_inside(estimator, X, y):
    return estimator.n_jobs_inside_


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


def test_overlapping_limits_leave_none_behind():
    before = {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()}
    first, second = limited_blas(1), limited_blas(1)
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert all(pool["num_threads"] == 1 for pool in threadpool_info())
    second.__exit__(None, None, None)
    assert {pool["filepath"]: pool["num_threads"] for pool in threadpool_info()} == before


def test_threads_do_not_oversubscribe_the_cores():
    seen = []

    def spying(estimator, X, y):
        seen.append(max((pool["num_threads"] for pool in threadpool_info()), default=1))
        return 0.5 + 0.1 * np.random.default_rng(len(seen)).normal()

    with threadpool_limits(8), parallel_config(backend="threading", n_jobs=2):
        compare_estimators(PAIR, X, Y, scoring=spying)
        assert max(pool["num_threads"] for pool in threadpool_info()) == 8
    assert max(seen) <= max(1, cpu_count() // 2)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_progress_counts_every_fit_under_every_backend(backend, capsys):
    pytest.importorskip("tqdm")
    with parallel_config(backend=backend, n_jobs=2):
        compare_estimators(PAIR, X, Y, cv=RepeatedSubsampleSplit(20, random_state=0), verbose=1)
    assert "40/40" in capsys.readouterr().err
