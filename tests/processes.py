"""Python processes that tests start, each in a session of its own: all it starts can be ended."""

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Numbers of jobs for tests of what is the same with any: two are workers.
JOBS = [1, pytest.param(2, marks=pytest.mark.processes)]
BACKENDS = ["threading", pytest.param("loky", marks=pytest.mark.processes)]


def start(arguments, **options):
    """Start Python with these arguments; `options` are those of `subprocess.Popen`."""
    options["env"] = {"PYTHONPATH": str(ROOT), **(options.get("env") or os.environ)}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.Popen(command, text=True, start_new_session=True, **options)


def run(arguments, *, timeout=600, check=False, **options):
    """Return what `subprocess.run` does of the process, with its output as text."""
    # Pipes would be waited for until all that the process has started ends.
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = start(arguments, stdout=out, stderr=err, **options)
        try:
            process.wait(timeout)
        finally:
            end(process)
        for file in (out, err):
            file.seek(0)
        done = subprocess.CompletedProcess(arguments, process.returncode, out.read(), err.read())
    assert not check or done.returncode == 0, done.stderr
    return done


def end(process):
    """End a process and all that it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
