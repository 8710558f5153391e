"""The workers of a call: how many there are, how they end, and the errors when they die."""

from __future__ import annotations

import builtins
import multiprocessing
import os
import pickle
import re
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import get_ident
from typing import Any, TypeVar

import psutil

from .._utils._checks import listed
from .._utils._text import counted
from ..exceptions import FitError

T = TypeVar("T")


def as_it_travels(error: BaseException, text: str = "") -> BaseException:
    """Return an exception that can be sent to another process, a FitError for one that cannot."""
    # It would look like a dead worker there. Raise it outside the except block, else it has a
    # context.
    trace = error.__traceback__
    try:
        # Libraries may also send tracebacks, which fails if they are deep.
        pickle.loads(pickle.dumps(error.with_traceback(None)))  # our own bytes  # nosec B301
    except Exception:
        text = text or "".join(traceback.format_exception(error.with_traceback(trace)))
    else:
        return error.with_traceback(trace)
    return FitError(f"{type(error).__name__}: {error}\n{text}")


def as_kept(error: BaseException) -> Any:
    """Return an exception for a record that is sent, with its traceback as a note."""
    text = "".join(traceback.format_exception(error))
    kept = as_it_travels(error, text)
    if kept is error:
        kept.add_note(f"skcvstats: its traceback in the worker:\n{text.rstrip()}")
    # Libraries may send these too, which fails if they are deep.
    kept.__traceback__ = kept.__cause__ = kept.__context__ = None
    return kept


def end_with_parent() -> None:
    """End this worker process within a second after its parent's death; its tasks call this."""
    # joblib's workers outlive a killed parent for minutes, and keep their copy of the data. Linux
    # could send a signal, but sends it when the thread ends that started the worker. A worker that
    # has had no task yet does not check: joblib ends it after 300 idle seconds.
    parent = multiprocessing.parent_process()
    if parent is not None:
        _watch(os.getpid(), parent.pid or 0)


@cache
def _watch(own: int, parent: int) -> None:  # once in each process, those that are forked included
    def watch() -> None:
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(parent)
            while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class ThreadWatch:
    """Within the context threads may begin tasks; afterwards they only finish running ones."""

    # Python has no safe way to end a thread. joblib drops the tasks that none has taken yet.

    def __init__(self, task: str = "fit") -> None:
        self._task = task
        self._running: set[int] = set()  # threads
        self._has_ended = False

    def __enter__(self) -> ThreadWatch:
        self._has_ended = False
        return self

    def __exit__(self, *exception: Any) -> None:
        self._has_ended = True

    def watched(self, results: Iterator[T]) -> Iterator[T]:
        """Yield the results of tasks, and begin no task after the context has ended."""
        while True:
            self._running.add(get_ident())  # before the look, so that whoever goes on is counted
            try:
                if self._has_ended:
                    return
                result = next(results)
            except StopIteration:
                return
            finally:
                self._running.discard(get_ident())
            yield result

    @property
    def note(self) -> str:
        """The text to add to the message of an interrupt: how many tasks are still running."""
        n = len(self._running)
        if n == 0:
            return ""
        are, them = ("is", "itself") if n == 1 else ("are", "themselves")
        running = f"{counted(n, self._task)} {are} still running in worker threads"
        return f"; {running} and will end by {them}"


_ELSEWHERE = "joblib.parallel_config(backend='threading') or n_jobs=1"
_OWN_CODE = (
    "as its own code ended it ({code}); what it printed says why. Do not call sys.exit or os._exit "
    "in an estimator or metric; n_jobs=1 shows where it happens{unguarded}"
)
# The meaning of exit codes of dead workers, in the order in which they are looked up: workers that
# are ended because another one died may add a SIGTERM.
_CAUSES = {
    "SIGBUS": (
        "as data that it had mapped from a file were no longer there (SIGBUS): the file was "
        "truncated, or the disk is full. Leave the file alone while it is in use, or load the data "
        "into memory"
    ),
    "SIGSEGV|SIGABRT|SIGILL|SIGFPE": (
        "by a crash in compiled code ({code}). Leave out or update what crashes; n_jobs=1 and "
        "python -X faulthandler show where it happens"
    ),
    "SIGKILL": (
        "as it was killed (SIGKILL), most often by the system for lack of memory. Use fewer jobs, "
        f"{_ELSEWHERE}"
    ),
    r"EXIT\([1-9]\d*\)": _OWN_CODE,
    "SIGTERM": "as another program ended it (SIGTERM). Run it again",
    r"EXIT\(0\)": _OWN_CODE,
}
_UNKNOWN = (
    "most often for lack of memory or by a crash in compiled code. Use fewer jobs, "
    f"{_ELSEWHERE}, which shows where it happens"
)


def explained(error: Exception, sent: Mapping[str, Any]) -> FitError:
    """Return the error to raise if workers died, or if tasks could not be sent to them."""
    # joblib keeps the cause as the text of a traceback
    lines = str(error.__cause__ or error).strip().strip('"').strip().splitlines()
    cause = lines[-1].rstrip(".") if lines else type(error).__name__
    kind = getattr(builtins, cause.partition(":")[0], None)
    # A file that was written only in part is shorter than the array to map from it.
    is_short = cause.startswith("ValueError: mmap length is greater than file size")
    if is_short or (isinstance(kind, type) and issubclass(kind, OSError)):
        return FitError(
            f"The data could not be written for worker processes: {cause}. joblib puts them into "
            "its temporary folder: temp_folder of joblib.parallel_config, else the environment "
            "variable JOBLIB_TEMP_FOLDER, else /dev/shm where there is room, else "
            f"{tempfile.gettempdir()}. Make room there or name another folder; "
            f"{_ELSEWHERE} needs none."
        )
    if not isinstance(error, BrokenProcessPool):
        named = _not_pickled(sent, cause)
        what = f"{listed(named)} cannot" if named else "What the fits need cannot"
        return FitError(
            f"{what} be pickled, which is how it reaches worker processes: {cause}. Use "
            f"{_ELSEWHERE}, which need no pickle."
        )
    if "un-serialize" in str(error):
        return FitError(
            f"A worker process could not load what it was sent: {cause}. Make sure that it can "
            f"import the modules of all estimators and metrics, or use {_ELSEWHERE}."
        )
    for pattern, why in _CAUSES.items():
        if found := re.search(pattern, str(error)):
            code = found[0].replace("EXIT(", "exit code ").rstrip(")")
            died = why.format(code=code, unguarded=_unguarded())
            return FitError(f"A worker process died, {died}.")
    return FitError(f"A worker process died, {_UNKNOWN}.")


def _not_pickled(sent: Mapping[str, Any], cause: str) -> list[str]:
    """Return the contents that pickle refuses for the same reason; it refuses more than joblib."""
    failed = []
    for name, value in sent.items():
        try:
            pickle.dumps(value)
        except Exception as error:
            if str(error) in cause:
                failed.append(name)
    return failed


def _unguarded() -> str:
    """Return advice for scripts that workers may have run from the top."""
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    try:
        is_guarded = path is None or "__main__" in Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        is_guarded = True
    if is_guarded:
        return ""
    return (
        f". Or put the call in {Path(path).name} under if __name__ == '__main__':, as workers "  # type: ignore[arg-type]
        "started by spawn or forkserver run the script from its top"
    )
