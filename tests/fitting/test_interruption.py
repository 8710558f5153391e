"""Interrupted fits and workers that die: a clear error at once, and no process left busy."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
import types
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from pickle import PicklingError

import pytest

from skcvstats import FitError
from skcvstats.fitting._run import ThreadWatch
from skcvstats.fitting._workers import explained
from tests.fitting.estimators import Busy, Locked
from tests.processes import end, start

ROOT = Path(__file__).parents[2]


class TestThreadWatch:
    def test_nothing_begins_after_the_end_and_what_runs_is_counted(self):
        begun, free = [], threading.Event()

        def tasks():
            for k in range(5):
                begun.append(k)
                free.wait(20)
                yield k

        with ThreadWatch() as watch:
            threads = [
                threading.Thread(target=lambda: list(watch.watched(tasks()))) for _ in range(2)
            ]
            for thread in threads:
                thread.start()
            while len(begun) < 2:
                time.sleep(0.01)
        said = "; 2 fits are still running in worker threads and will stop at their end"
        assert watch.note == said
        free.set()
        for thread in threads:
            thread.join(20)
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


needs_proc = pytest.mark.skipif(
    not Path("/proc").exists(), reason="needs /proc to see what is still busy"
)


@contextmanager
def running(module, *arguments):
    """Run a module of this folder; it and all its processes are ended in any case."""
    process = start(["-m", f"tests.fitting.{module}", *arguments], stdout=subprocess.PIPE, cwd=ROOT)
    guard = threading.Timer(60, os.killpg, (process.pid, signal.SIGKILL))
    guard.start()
    try:
        yield process
    finally:
        guard.cancel()
        end(process)


def interrupt(process):
    """Interrupt a comparison whose first fit is done; return its note."""
    assert process.stdout.readline() == "started\n"
    time.sleep(0.25)
    os.kill(process.pid, signal.SIGINT)
    return process.stdout.readline()


def assert_says_what_is_done(note):
    done = re.search(r"skcvstats: (\d+) of 40 fits were finished \(quick (\d+), slow 0\)", note)
    assert 1 <= int(done[1]) == int(done[2])


@pytest.mark.faults
@needs_proc
@pytest.mark.parametrize(
    "arguments",
    [("loky", "1"), ("loky", "2"), ("multiprocessing", "2", "nested")],
    ids=["one worker", "two workers", "nested"],
)
def test_interrupt_ends_soon_and_leaves_nobody_busy(arguments):
    backend, n_jobs, *options = arguments
    with running("interrupted", backend, n_jobs, "60", "", *options) as process:
        sent = time.perf_counter()
        note = interrupt(process)
        waited = time.perf_counter() - sent
        busy = float(process.stdout.readline())
    assert_says_what_is_done(note)
    assert "running" not in note
    assert busy < 0.1
    assert waited < 40  # it did not wait for the slow fit, which takes a minute


@pytest.mark.faults
@needs_proc
@pytest.mark.parametrize("options", [(), ("nested",)])  # a search is of five fits
def test_interrupted_threads_finish_their_fits_and_begin_no_other(options, tmp_path):
    free = tmp_path / "free"
    with running("interrupted", "threading", "2", "40", free, *options) as process:
        note = interrupt(process)  # the call ends while threads are busy
        n_begun = int(process.stdout.readline())
        free.touch()
        begun_at_last, ended_at_last, n_threads = map(int, process.stdout.readline().split())
    assert_says_what_is_done(note)
    said = r"; (\d) fits? (is|are) still running in worker threads and will stop at"
    n_running = re.search(said, note)
    assert int(n_running[1]) in (1, 2)
    n_begun += 4 * int(n_running[1]) if "nested" in options else 0
    assert begun_at_last == ended_at_last <= n_begun
    assert n_threads == 1


@pytest.mark.faults
@needs_proc
def test_an_interrupted_interpreter_exits_whatever_threads_do():
    with running("interrupted", "threading", "2", "50", "", "exit") as process:
        note = interrupt(process)
        process.wait(20)  # the fits would take longer
        assert process.returncode == -signal.SIGINT
    assert "2 fits are still running" in note


TERMINATED = (
    "A worker process was unexpectedly terminated.\n\nThe exit codes of the workers are {%s}"
)
SENT = {"busy": Busy(), "locked": Locked(), "lambda": lambda x: x}


@pytest.mark.parametrize(
    ("said", "cause", "wanted"),
    [
        ("SIGKILL(-9)", "", r"died, as it was killed \(SIGKILL\), most often .* lack of memory"),
        ("SIGSEGV(-11)", "", r"died, by a crash in compiled code \(SIGSEGV\)"),
        ("SIGTERM(-15), SIGABRT(-6)", "", r"died, by a crash in compiled code \(SIGABRT\)"),
        ("SIGBUS(-7)", "", r"died, as data .* from a file were no longer there \(SIGBUS\)"),
        ("EXIT(1), SIGTERM(-15)", "", r"died, as its own code ended it \(exit code 1\)"),
        ("SIGTERM(-15)", "", r"died, as another program ended it \(SIGTERM\)"),
        ("UNKNOWN(255)", "", "died, most often for lack of memory or by a crash in compiled code"),
        ("un-serialize", "No module named 'mine'", "not load what it was sent: .*'mine'"),
        ("", "OSError: [Errno 28] No space left",
         r"not be written .*: OSError: \[Errno 28\] No sp"),
        ("", "PermissionError: denied: '/x'", "not be written .*: PermissionError: denied"),
        ("", "ValueError: mmap length is greater than file size", "not be written .*: ValueError"),
        ("", "TypeError: cannot pickle this estimator", "'locked' cannot be pickled, .*: Type"),
        ("", "TypeError: cannot pickle a lock", "What the fits need cannot be pickled, .* a lock"),
    ],
)  # fmt: skip
def test_what_is_said_of_workers(said, cause, wanted):
    error = BrokenProcessPool(TERMINATED % said) if said else PicklingError("Could not pickle it")
    if cause:
        error.__cause__ = Exception(
            f'\n"""\nTraceback (most recent call last):\n  ...\n{cause}\n"""'
        )
    found = explained(error, SENT)
    assert isinstance(found, FitError)
    assert re.search(wanted, str(found))


@pytest.mark.parametrize(
    ("source", "is_told"),
    [
        ("compare_estimators(models, X, y)", True),
        ("if __name__ == '__main__':\n    compare_estimators(models, X, y)", False),
    ],
)
def test_a_script_is_told_of_its_guard_if_it_has_none(source, is_told, tmp_path, monkeypatch):
    (tmp_path / "script.py").write_text(source)
    main = types.ModuleType("__main__")
    main.__file__ = str(tmp_path / "script.py")
    monkeypatch.setitem(sys.modules, "__main__", main)
    error = explained(BrokenProcessPool(TERMINATED % "EXIT(1)"), {})
    assert ("put the call in script.py under if __name__ == '__main__'" in str(error)) == is_told
    monkeypatch.setitem(sys.modules, "__main__", types.ModuleType("__main__"))  # as in a notebook
    assert "__main__" not in str(explained(BrokenProcessPool(TERMINATED % "EXIT(1)"), {}))
