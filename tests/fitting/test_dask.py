"""A real Dask cluster: the same bits, data sent once, and a clear end of every problem."""

import multiprocessing
import os
import signal
import threading
import time
import warnings
from contextlib import closing, contextmanager
from functools import cache, partial

import numpy as np
import pytest
import sklearn
from joblib import parallel_config
from joblib.parallel import get_active_backend
from sklearn import config_context
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB

import skcvstats as s
from skcvstats.fitting._workers import _Call
from tests.conftest import ignoring, needs_posix
from tests.fitting import work
from tests.fitting.estimators import Asks, Awkward, Bottomless, Busy, Killer, NeedsConfig
from tests.fitting.work import CV, PAIR, X, Y, compare, two
from tests.processes import ROOT, run
from tests.simulation.studies import Mean, line, n_kept

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")
counted = pytest.importorskip("tests.fitting.counted")

# What the workers of several tests import.
PRELOADED = ["distributed.http.worker", "skcvstats.simulation", "tests.fitting.work"]
PRELOADED += ["sklearn.compose", "sklearn.ensemble", "sklearn.svm"]
# Fits with the same score on all splits, or on few splits, are what many of these tests are about.
pytestmark = [pytest.mark.processes, ignoring("DegenerateScores", "SplitDesign")]


@cache
def start_preloaded_server():
    """Start the server that Dask's workers are forks of; return how Dask is to start them."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return "spawn"
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    first = context.Process(target=os.getpid)  # from here on, Dask cannot preload other modules
    first.start()
    first.join()
    return "forkserver"


@contextmanager
def cluster_of(n_workers, protocol="tcp", preload=()):
    settings = {
        "distributed.worker.preload": [*preload],
        "distributed.worker.multiprocessing-method": start_preloaded_server(),
        # The memory manager takes away copies of workers that have nothing to do for a moment.
        "distributed.scheduler.active-memory-manager.start": False,
    }
    options = {"n_workers": n_workers, "threads_per_worker": 1, "dashboard_address": ":0"}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(**options, protocol=f"{protocol}://") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def client():
    """The client of a cluster of two processes."""
    with cluster_of(2) as client:
        yield client


@pytest.fixture(scope="class")
def counting():
    """The client of a cluster of two processes that count what they write."""
    with cluster_of(2, counted.PROTOCOL, [counted.__name__]) as client:
        yield client


@pytest.fixture
def small():
    """The client of a cluster of one process, to be spoilt."""
    with cluster_of(1) as client:
        yield client


def on(client, **options):
    """Let joblib use a cluster; its workers may take minutes to come back on a busy machine."""
    options = {"wait_for_workers_timeout": 600, **options}
    return parallel_config(backend="dask", client=client, **options)


def while_fitting(client, *do):
    """Do something in a thread once workers have more tasks, and time to begin them."""

    def tasks():
        return {task for of_worker in client.processing().values() for task in of_worker}

    before = tasks()

    def wait():
        while not tasks() - before:
            time.sleep(0.01)
        time.sleep(0.2)
        for does in do:
            does()

    threading.Thread(target=wait, daemon=True).start()


def nine_tasks():
    return [(sum, ([k, 1],), {}) for k in range(9)]


def rows_of_fits():
    metric, method = "neg_log_loss", s.HoldoutTTest(hypotheses="fixed")
    result = s.cross_val_inference(PAIR["tree"], X, Y, scoring=metric, method=method)
    return result.scores.row_scores.values


def bootstrap():
    predictions = {name: np.roll(Y, shift) for shift, name in enumerate("ab", start=1)}
    how = {"scoring": "f1_macro", "method": "bootstrap", "n_resamples": 2000}
    result = s.compare_predictions(Y, predictions, **how)
    return result.to_frame().select_dtypes("number").to_numpy()


class TestSameBits:
    """Whatever runs in workers gives the same numbers there."""

    @pytest.mark.parametrize(
        "call",
        [
            compare,
            lambda: s.cross_val_score(PAIR["tree"], X, Y, cv=CV).values,
            lambda: s.cross_val_inference(PAIR["tree"], X, Y, cv=CV).scores.values,
            lambda: s.simulate(line, {"A": Mean()}, ["resampled_t"], n_data_sets=8).estimates,
            lambda: compare(
                method="conservative_z", cv=s.RepeatedSubsampleSplit(2, random_state=0)
            ),
            rows_of_fits,
            bootstrap,
        ],
        ids=["compare", "score", "inference", "simulate", "pairs", "rows", "bootstrap"],
    )
    def test_of_each_door(self, client, call):
        expected = call()
        with on(client):
            values = call()
        np.testing.assert_array_equal(values, expected)

    def test_of_a_race(self, client):
        grid = {"min_samples_leaf": [1, 5, 20, 40, 60]}
        race = s.RacingSearchCV(PAIR["tree"], grid, cv=CV, scoring=["accuracy", "f1_macro"])
        race.set_params(refit="accuracy").fit(X, Y)
        expected = race.cv_results_
        assert expected["dropped_after"].max() > 0
        with on(client):
            found = race.fit(X, Y).cv_results_
        for key in (key for key in expected if not key.endswith("_time")):
            np.testing.assert_array_equal(found[key], expected[key])

    def test_of_models_with_jobs_of_their_own(self, client):
        nested = GridSearchCV(PAIR["tree"], {"max_depth": [1, 3]}, cv=2, n_jobs=2)
        cv = s.RepeatedSubsampleSplit(4, random_state=0)
        alone = clone(nested).set_params(n_jobs=1)
        expected = compare(two(alone, GaussianNB()), cv=cv)
        with on(client):
            values = compare(two(nested, GaussianNB()), cv=cv)
            jobs = s.cross_val_score(Asks(), X, Y, scoring=work.jobs_inside, cv=4)
        np.testing.assert_array_equal(values, expected)
        assert set(jobs) == {1}  # the cores are taken by the fits

    def test_of_a_call_from_a_task_of_the_cluster(self, client):
        values = client.submit(work.compare_in_a_task).result(600)
        np.testing.assert_array_equal(values, compare())


class TestWork:
    """Jobs, settings, progress."""

    def test_jobs_are_the_clusters(self, client):
        with on(client):
            assert [work.number_of_workers(n_jobs) for n_jobs in (None, 5, 1)] == [2, 2, 1]

    def test_a_cluster_of_one_does_the_work(self, small):
        with on(small):
            where = s.cross_val_score(DummyClassifier(), X, Y, scoring=work.process, cv=4)
        assert set(where) == set(small.run(os.getpid).values())

    def test_under_the_settings_of_the_caller(self, client):
        models = two(NeedsConfig(warn=True), GaussianNB())
        with config_context(assume_finite=True), on(client), warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(s.FitError, match="filters did not arrive"):
                compare(models)
            warnings.simplefilter("ignore")
            assert compare(models).shape == (2, 10)

    def test_progress_is_seen_before_the_end(self, client, capsys, tmp_path):
        with on(client):
            models = {"quick": Busy(), "slow": Busy(600, tmp_path / "seen")}
            times = []
            for record in work.records_of(models, X, Y, work.recipes(20), work.ALL_PAIRS):
                (tmp_path / "seen").touch()  # which the slow fits wait for
                times.append(record.fit_time)
            compare(verbose=1)
        assert len(times) == 40
        assert max(times) < 600
        assert "20/20" in capsys.readouterr().err

    def test_tasks_ahead(self, client):
        with on(client):
            given = ["all", "2*n_jobs", "n_jobs", "n_jobs * 3", "3", 3]
            for pre_dispatch, n_ahead in zip(given, [9, 4, 2, 6, 3, 3], strict=True):
                with closing(_Call(get_active_backend()[0], (), None)) as call:
                    assert call.start(iter(nine_tasks()), pre_dispatch) == n_ahead
        with on(client), pytest.raises(ValueError, match=r"pre_dispatch='n_jobs\*\*9' must be"):
            s.cross_val_score(PAIR["tree"], X, Y, pre_dispatch="n_jobs**9")


class TestBytes:
    """What crosses the wire: the data once for the scheduler and once for each worker."""

    def bytes_of(self, client, n_splits, scatter=False, **options):
        before = self.written(client)
        cv = s.RepeatedSubsampleSplit(n_splits, random_state=0)
        # joblib names what it scatters by its content, and Dask may still be forgetting that name.
        X, y = (part + n_splits for part in DATA_SENT)
        with on(client, scatter=[X, y] if scatter else []):
            models = two(GaussianNB(), DummyClassifier())
            result = s.compare_estimators(models, X, y, cv=cv, **options)
        assert result.scores.shape == (2, n_splits)
        return self.written(client) - before

    @staticmethod
    def written(client):
        return counted.written() + sum(client.run(counted.written).values())

    @pytest.mark.parametrize("kind", ["plain", "weights", "scattered"])
    def test_are_the_same_for_any_number_of_splits(self, counting, kind):
        data, target = DATA_SENT
        size = data.nbytes + target.nbytes
        options = {}
        if kind == "weights":
            options["params"] = {"sample_weight": np.linspace(1, 2, len(data))}
            size += 8 * len(data)
        if kind == "scattered":
            options["scatter"] = True
        few, many = (self.bytes_of(counting, n_splits, **options) for n_splits in (4, 24))
        assert 1.9 * size < min(few, many)  # they are counted
        assert max(few, many) < 3.5 * size


DATA_SENT = np.random.default_rng(0).normal(size=(5_000, 40)), np.arange(5_000) % 2


@pytest.mark.parametrize(
    ("model", "error", "says"),
    [
        (Awkward("lock"), s.FitError, "AwkwardError: spoilt"),
        (Awkward("two arguments"), s.FitError, "AwkwardError: spoilt"),
        (Bottomless(), RecursionError, "maximum recursion depth"),
    ],
    ids=["lock", "arguments", "recursion"],
)
def test_what_a_fit_raises_arrives(client, model, error, says):
    with on(client), pytest.raises(s.FitError, match=says) as caught:
        compare(two(GaussianNB(), model))
    cause = caught.value.__cause__
    assert type(cause) is error
    text = str(cause) + "".join(getattr(cause, "__notes__", ()))
    assert "estimator 'b', split" in text
    assert "estimators.py" in text  # the worker's traceback


@pytest.mark.faults
class TestLostWorkers:
    """A worker that dies costs its fit a second try."""

    @needs_posix
    @pytest.mark.parametrize("n_killed", [1, 2])
    def test_by_sigkill(self, n_killed, tmp_path):
        models, path = two(Busy(600, tmp_path / "killed"), GaussianNB()), tmp_path / "fits.db"
        expected = compare(two(Busy(), GaussianNB()))
        with cluster_of(2) as client:
            killed = list(client.run(os.getpid).values())[:n_killed]
            kill = [partial(os.kill, pid, signal.SIGKILL) for pid in killed]
            while_fitting(client, *kill, (tmp_path / "killed").touch)
            with on(client):
                values = compare(models, store=path)
            left = set(client.run(os.getpid).values())
        np.testing.assert_array_equal(values, expected)
        assert not left & set(killed)
        assert n_kept(path) == 20

    def test_by_each_try_of_a_fit(self, small):
        with on(small), pytest.raises(s.FitError, match="cluster died with the fit") as caught:
            s.cross_val_score(two(Killer(), GaussianNB()), X, Y, cv=CV, pre_dispatch=1)
        assert "'a' on split 0" in str(caught.value)
        assert "lack of memory or by a crash" in str(caught.value)
        assert "skcvstats: 0 of 20 fits were finished" in caught.value.__notes__[-1]


@pytest.mark.faults
class TestLostConnections:
    """A clear error, with what was finished."""

    def test_client_that_is_closed_meanwhile_and_before(self, client, tmp_path):
        says = "is lost: the client is closed. Start"
        with distributed.Client(client.scheduler.address, set_as_default=False) as other:
            while_fitting(other, other.close, (tmp_path / "closed").touch)
            with on(other), pytest.raises(s.FitError, match=says) as caught:
                compare(two(GaussianNB(), Busy(600, tmp_path / "closed")))
            assert "of 20 fits were finished (a" in caught.value.__notes__[-1]
            with on(other), pytest.raises(s.FitError, match=says):
                compare()

    def test_answers_that_came_before_the_client_was_closed(self, client):
        with distributed.Client(client.scheduler.address, set_as_default=False) as other, on(other):
            call = _Call(get_active_backend()[0], (), None)
            call.start(iter(nine_tasks()), "all")
            while call._finished.queue.qsize() < 9:
                time.sleep(0.01)
            other.close()
            assert sorted(call.answers()) == list(range(1, 10))

    def test_client_that_is_closed_before_all_tasks_are_submitted(self, client):
        says = "is lost: the client is closed. Start"
        with distributed.Client(client.scheduler.address, set_as_default=False) as other, on(other):
            call = _Call(get_active_backend()[0], (), None)
            call.start(iter(nine_tasks()), 1)
            other.close()
            with pytest.raises(s.FitError, match=says):
                call.start(iter(nine_tasks()), "all")
            other.status = "closing"  # as it is for a moment, if another thread closes it
            with pytest.raises(s.FitError, match=says):
                compare()
            other.status = "closed"

    def test_no_worker(self):
        says = r"no worker, .* for 0\.3 s.*wait_for_workers_timeout=60"
        with cluster_of(0) as empty, on(empty, wait_for_workers_timeout=0.3):
            with pytest.raises(s.FitError, match=says):
                compare()
            with pytest.raises(s.FitError, match=says):
                s.simulate(line, {"A": Mean()}, ["resampled_t"], n_data_sets=8)


@pytest.mark.parametrize(
    ("end", "seconds", "says"),
    [
        (lambda cluster: cluster.close(), 60, "connection to the Dask sch"),
        (lambda cluster: cluster.scale(0), 0.3, r"for 0\.3 s. Scale it up"),
    ],
    ids=["close", "scale"],
)
def test_what_a_cluster_that_ends_has_finished_is_in_the_store(
    small, client, tmp_path, capsys, end, seconds, says
):
    models, path = two(GaussianNB(), Busy(20, tmp_path / "ended")), tmp_path / "fits.db"

    def end_once_fits_are_kept():
        while not n_kept(path):
            time.sleep(0.01)
        backend.wait_for_workers_timeout = seconds
        end(small.cluster)

    with on(small):
        backend, _ = get_active_backend()
        while_fitting(small, end_once_fits_are_kept)
        with pytest.raises(s.FitError, match=says) as caught:
            compare(models, store=path)
    (tmp_path / "ended").touch()
    kept = n_kept(path)
    assert 0 < kept < 20
    assert f"skcvstats: {kept} of 20 fits were finished (a" in caught.value.__notes__[0]
    assert caught.value.__notes__[1].endswith(f"that were finished are kept in {path}")
    capsys.readouterr()
    with on(client):  # another cluster does the rest
        values = compare(models, store=path, verbose=1)
    assert f"{kept} of 20 fits found" in capsys.readouterr().err
    assert values.tobytes() == compare(two(GaussianNB(), Busy())).tobytes()
    again = compare(models, store=path, verbose=1)  # and this process finds them all
    assert "20 of 20 fits found" in capsys.readouterr().err
    assert again.tobytes() == values.tobytes()


def test_scores_of_other_versions_are_refused(client):
    client.run(work.set_version, "0.1")
    try:
        said = r"worker.* has {'scikit-learn': '0\.1'}, and this"
        with on(client), pytest.raises(s.FitError, match=said):
            compare()
    finally:
        client.run(work.set_version, sklearn.__version__)
    with on(client):
        compare()


@needs_posix
def test_interrupt_takes_the_tasks_from_the_cluster(client, tmp_path):
    before = client.run_on_scheduler(tasks_on)
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    while_fitting(client, partial(os.kill, os.getpid(), signal.SIGINT))
    try:
        with on(client), pytest.raises(KeyboardInterrupt) as caught:
            compare(two(GaussianNB(), Busy(600, tmp_path / "interrupted")))
        (tmp_path / "interrupted").touch()
        assert "of 20 fits were finished (a" in caught.value.__notes__[-1]
        wait_for_the_end_of_tasks(client, before)
    finally:
        signal.signal(signal.SIGINT, old)
    with on(client):
        np.testing.assert_array_equal(compare(), compare(n_jobs=1))


def test_interrupt_while_a_task_is_submitted(client, monkeypatch):
    before, submit = client.run_on_scheduler(tasks_on), client.submit

    def interrupted(*arguments, **options):
        future = submit(*arguments, **options)
        assert client.run_on_scheduler(tasks_on) - before
        raise KeyboardInterrupt(future.key)

    monkeypatch.setattr(client, "submit", interrupted)
    with on(client), pytest.raises(KeyboardInterrupt) as caught:
        compare()
    wait_for_the_end_of_tasks(client, before)
    assert caught.traceback[-1].name == "interrupted"  # which is held until here


def wait_for_the_end_of_tasks(client, before):
    limit = time.monotonic() + 60
    while client.run_on_scheduler(tasks_on) - before:
        assert time.monotonic() < limit
        time.sleep(0.05)


def tasks_on(dask_scheduler):
    return set(dask_scheduler.tasks)


def test_from_a_script_with_estimators_of_its_own(client):
    done = run(["-m", "tests.fitting.on_dask", client.scheduler.address], cwd=ROOT)
    assert done.stdout.splitlines() == [
        "To use Joblib with Dask first create a Dask Client",
        "True",
        "FitError: OwnError: not today",
    ], done.stderr
