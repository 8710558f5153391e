"""Errors about dead workers and tasks that could not be sent, which say how to continue."""

from __future__ import annotations

import builtins
import pickle
import re
import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from .._utils._checks import listed
from ..exceptions import FitError

_ELSEWHERE = "joblib.parallel_config(backend='threading') or n_jobs=1"
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
    r"EXIT\([1-9]\d*\)": (
        "as its own code ended it ({code}); what it printed says why. Do not call sys.exit or "
        "os._exit in an estimator or metric; n_jobs=1 shows where it happens{unguarded}"
    ),
    "SIGTERM": "as another program ended it (SIGTERM). Run it again",
}
_UNKNOWN = (
    "most often for lack of memory or by a crash in compiled code. Use fewer jobs, "
    f"{_ELSEWHERE}, which shows where it happens"
)


def explained(error: Exception, sent: Mapping[str, Any]) -> FitError:
    """Return the error to raise if workers died, or if tasks could not be sent to them."""
    cause = _last_line(error)
    if _is_of_files(cause):
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
    return FitError(f"A worker process died, {_why_died(str(error))}.")


def _last_line(error: Exception) -> str:
    """Return the cause of an error, which joblib keeps as the text of a traceback."""
    lines = str(error.__cause__ or error).strip().strip('"').strip().splitlines()
    return lines[-1].rstrip(".") if lines else type(error).__name__


def _is_of_files(cause: str) -> bool:
    kind = getattr(builtins, cause.partition(":")[0], None)
    # A file that was written only in part is shorter than the array to map from it.
    is_short = cause.startswith("ValueError: mmap length is greater than file size")
    return is_short or (isinstance(kind, type) and issubclass(kind, OSError))


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


def _why_died(said: str) -> str:
    for pattern, cause in _CAUSES.items():
        if found := re.search(pattern, said):
            code = found[0].replace("EXIT(", "exit code ").rstrip(")")
            return cause.format(code=code, unguarded=_unguarded())
    return _UNKNOWN


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
