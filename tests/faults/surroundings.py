"""Where a case runs: its folders, its environment variables and its limits."""

import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
_MEGABYTE = 2**20


class CannotBeMadeError(Exception):
    """This machine, or this user, does not allow these surroundings."""


@contextmanager
def surroundings(kind, folder):
    """Yield what `tests.processes.start` needs besides the command, and the temporary folder.

    Parameters
    ----------
    kind : {"", "full", "limited", "missing", "homeless", "read-only"}
        What is wrong with them.
    folder : Path
        An empty one.
    """
    temporary, current = folder / "temporary", folder / "current"
    temporary.mkdir()
    current.mkdir()
    named = Path("/proc/missing") if kind == "missing" else temporary
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "JOBLIB_TEMP_FOLDER": str(named),
        "TMPDIR": str(named),
    }
    options = {"cwd": current, "env": environment}
    if kind == "homeless":
        del environment["HOME"]
    if kind == "limited":
        options["preexec_fn"] = _limit_files
    limited = {"full": (temporary, "size=1m"), "read-only": (current, "ro")}.get(kind)
    if limited is None:
        yield options, temporary
    else:
        with mounted(*limited):
            yield options, temporary


def _limit_files():
    import resource  # not there on Windows

    resource.setrlimit(resource.RLIMIT_FSIZE, (_MEGABYTE, _MEGABYTE))


@contextmanager
def mounted(path, options):
    """Mount a file system in memory; "size=1m" and "remount,ro" are such options."""
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise CannotBeMadeError("needs the right to mount a file system") from error
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)
