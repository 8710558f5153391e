"""Interrupted fits and workers that die: a clear error, and nobody left busy."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from skcvstats.fitting._interrupt import Stopped, ThreadStop
from tests.fitting.estimators import Busy
from tests.fitting.interrupted import living
from tests.fitting.work import X, Y

ROOT = Path(__file__).parents[2]


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
        [sys.executable, "-m", f"tests.fitting.{module}", *arguments],
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
