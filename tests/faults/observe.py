"""Run a case in its own process, and observe what it prints and what it leaves behind."""

import os
import queue
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tests.faults.cases import CASES, touched
from tests.faults.surroundings import surroundings
from tests.processes import start

# Seconds after which a case counts as hanging, and in which whatever it started is to be gone.
PATIENCE, GRACE = 300, 60
SHARED = Path("/dev/shm")


class Observed(NamedTuple):
    """The outcome of a case."""

    outcome: str  # what it printed in the end, or how it ended
    seconds: float  # from the fault to the end of the call; without a signal, the whole call
    gone: float  # seconds from the end of the process to that of all that it started
    orphans: int  # processes that it started and that are still there
    left: tuple[str, ...]  # files in temporary folders


class Child:
    """A process whose output is read as it arrives, and which is ended in any case."""

    def __init__(self, command, options):
        # Others that were killed may have left some under the number that this process gets.
        self.shared_before = shared_files()
        self.process = start(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options)
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put((time.perf_counter(), line.rstrip("\n")))
        self._lines.put((time.perf_counter(), None))

    def line(self, wanted=""):
        """Return the time of the next line with this start, and the line; None at the end."""
        limit = time.perf_counter() + PATIENCE
        while True:
            try:
                when, line = self._lines.get(timeout=max(0.1, limit - time.perf_counter()))
            except queue.Empty:
                return time.perf_counter(), None
            if line is None or line.startswith(wanted):
                return when, line

    def wait(self, seconds):
        """Let some time pass, less if the process ends."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)

    def send(self, number, *, to_group):
        """Send a signal; return when."""
        (os.killpg if to_group else os.kill)(self.process.pid, number)
        return time.perf_counter()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join(PATIENCE)
        self.process.stdout.close()


def observe(name, backend, folder):
    """Run a case under a backend, in an empty folder."""
    case = CASES[name]
    mapped = folder / "X.npy"
    command = ["-m", "tests.faults.child", name, backend, str(mapped)]
    with (
        surroundings(case.surroundings, folder) as (options, temporary),
        Child(command, options) as child,
    ):
        child.line("ready")
        since = None
        if case.signal is not None:
            child.line("begun")
            since = child.send(case.signal, to_group=case.to_group)
        if case.touch is not None:
            child.line("begun")
            case.touch(mapped)
            Path(touched(mapped)).touch()
        outcome, seconds = _end_of(child, since)
        ended = time.perf_counter()
        orphans, left = remains(child, temporary)
        return Observed(outcome, seconds, time.perf_counter() - ended, orphans, left)


def _end_of(child, since):
    """Return how it ended, and the seconds since the signal, or those that it counted itself."""
    while True:
        when, line = child.line()
        if line is None:
            break
        seconds, _, outcome = line.partition(" ")
        if outcome and outcome != "begun":
            child.process.wait(PATIENCE)
            return outcome, float(seconds) if since is None else when - since
    try:
        code = child.process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        return f"hangs after {PATIENCE} s", float(PATIENCE)
    how = f"by {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
    return f"ended {how}", 0.0 if since is None else time.perf_counter() - since


def remains(child, temporary):
    """Return what is left of a child's processes and files, once they have had time to go."""
    limit = time.perf_counter() + GRACE
    while True:
        orphans, left = living(child.process.pid), left_files(child, temporary)
        if (orphans == 0 and not left) or time.perf_counter() > limit:
            return orphans, left
        time.sleep(0.05)


def living(session):
    """Return how many processes of a session are still there."""
    count = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            count += int(fields[3]) == session and fields[0] not in "ZX"
    return count


def left_files(child, temporary):
    """Return what a child left in its temporary folder and in shared memory."""
    pid = child.process.pid
    shared = shared_files(f"*[-_]{pid}[-_]*") - child.shared_before
    return tuple(sorted(shared)) + tuple(path.name for path in temporary.iterdir())


def shared_files(pattern="*"):
    """Return the names in shared memory."""
    return {path.name for path in SHARED.glob(pattern)} if SHARED.exists() else set()
