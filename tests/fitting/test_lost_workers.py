"""Each cause of a lost worker or task has its own message."""

import re
import sys
import types
from concurrent.futures.process import BrokenProcessPool
from pickle import PicklingError

import pytest

from skcvstats import FitError
from skcvstats.fitting._workers import explained
from tests.fitting.estimators import Busy, Locked

TERMINATED = (
    "A worker process was unexpectedly terminated.\n\nThe exit codes of the workers are {%s}"
)
SENT = {"busy": Busy(), "locked": Locked(), "lambda": lambda x: x}


@pytest.mark.parametrize(
    ("codes", "wanted"),
    [
        ("SIGKILL(-9)", r"killed \(SIGKILL\), most often by the system for lack of memory"),
        ("SIGSEGV(-11)", r"crash in compiled code \(SIGSEGV\)"),
        ("SIGTERM(-15), SIGABRT(-6)", r"crash in compiled code \(SIGABRT\)"),
        ("SIGBUS(-7)", r"mapped from a file were no longer there \(SIGBUS\)"),
        ("EXIT(1), SIGTERM(-15)", r"its own code ended it \(exit code 1\)"),
        ("SIGTERM(-15)", r"another program ended it \(SIGTERM\)"),
        ("UNKNOWN(255)", "most often for lack of memory or by a crash in compiled code"),
    ],
)
def test_a_dead_worker(codes, wanted):
    error = explained(BrokenProcessPool(TERMINATED % codes), {})
    assert isinstance(error, FitError)
    assert re.search(f"^A worker process died, .*{wanted}", str(error))


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


@pytest.mark.parametrize(
    ("cause", "wanted"),
    [
        ("OSError: [Errno 28] No space left on device", "could not be written"),
        ("PermissionError: [Errno 13] Permission denied: '/x'", "could not be written"),
        ("ValueError: mmap length is greater than file size", "could not be written"),
        ("TypeError: cannot pickle this estimator", "'locked' cannot be pickled"),
        ("TypeError: cannot pickle '_thread.lock' object", "What the fits need cannot be pickled"),
    ],
)
def test_a_task_that_was_not_sent(cause, wanted):
    error = PicklingError("Could not pickle the task to send it to the workers.")
    error.__cause__ = Exception(f'\n"""\nTraceback (most recent call last):\n  ...\n{cause}\n"""')
    assert re.search(f"{wanted}.*{re.escape(cause)}", str(explained(error, SENT)))


def test_a_task_that_was_not_read():
    error = BrokenProcessPool("A task has failed to un-serialize. Please ensure ...")
    error.__cause__ = Exception("ModuleNotFoundError: No module named 'mine'")
    assert re.search("could not load what it was sent: .*'mine'", str(explained(error, SENT)))
