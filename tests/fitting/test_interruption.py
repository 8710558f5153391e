"""What is said of workers that die, and of threads that still run after an interrupt.

Both are done to real ones in benchmarks/faults.
"""

import re
import sys
import threading
import time
import types
from concurrent.futures.process import BrokenProcessPool
from pickle import PicklingError

import pytest

from skcvstats import FitError
from skcvstats.fitting._run import ThreadWatch
from skcvstats.fitting._workers import explained
from tests.fitting.estimators import Busy, Locked


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
