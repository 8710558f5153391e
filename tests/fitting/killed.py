"""Kill a comparison at random moments, resume it each time, and count the fits that were lost."""

import contextlib
import os
import random
import signal
import sys
import tempfile
import time
import warnings
from pathlib import Path

import psutil

from skcvstats.fitting import FitStore

from .traced import counts, scores

DONE, FAILED, OTHER, BROKEN = range(4)


def run(folder, sizes, n_jobs, expected):
    """Start the comparison in a process of its own, and return its number."""
    pid = os.fork()
    if pid:
        return pid
    status = BROKEN
    try:
        os.setsid()
        warnings.simplefilter("ignore")
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), sys.stderr.fileno())
        found = scores(folder / "trace", **sizes, n_jobs=n_jobs, store=folder / "fits.db")
        status = DONE if found == expected else OTHER
    except ValueError:  # a worker died
        status = FAILED
    finally:
        os._exit(status)


def status_of(pid):
    """Return the exit status of a process that has ended, or None."""
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def kill_group(pid):
    """Kill a process and all that it has started."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def kill_worker(pid):
    """Kill one of the workers of a process, and return whether it had any."""
    workers = [one for one in psutil.Process(pid).children() if is_worker(one)]
    for worker in random.sample(workers, min(1, len(workers))):
        with contextlib.suppress(psutil.NoSuchProcess):  # it has ended since
            worker.kill()
    return bool(workers)


def is_worker(process):
    """Whether a child is one of joblib's workers: no tracker, and not about to go."""
    try:
        # In tests it is a copy with its parent's command line, and a name of 15 letters.
        return "resource_track" not in " ".join([process.name(), *process.cmdline()])
    except psutil.NoSuchProcess:
        return False


def one_run(folder, sizes, who, n_jobs, expected, longest):
    """Run until the end or a kill, and return the exit status, "killed" after a kill."""
    begun = counts(folder / "trace")[0]
    pid = run(folder, sizes, n_jobs, expected)
    try:
        return outcome(pid, folder, begun, who, longest)
    except BaseException:  # also an interrupt: it stands in a session of its own
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            kill_group(pid)
        raise


def outcome(pid, folder, begun, who, longest):
    """Let a process work for a while, kill what is to be killed, and return as `one_run` does."""
    while counts(folder / "trace")[0] == begun:  # starting is not what is measured
        if (status := status_of(pid)) is not None:
            return status
        time.sleep(0.002)
    end = time.monotonic() + random.uniform(0, longest)
    while time.monotonic() < end:
        if (status := status_of(pid)) is not None:
            return status
        time.sleep(0.001)
    if who != "a worker" or not kill_worker(pid):
        kill_group(pid)
        return "killed"
    while (status := status_of(pid)) is None:
        time.sleep(0.002)
    if status == FAILED:
        kill_group_of_dead(pid)
        return "killed"
    return status


def kill_group_of_dead(pid):
    """Kill what a process that has ended may have left."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def killed(who, n_jobs, n_kills, n_splits, n_rows, longest, seed=0):
    """Return the outcome of a number of kills of one kind.

    Returns
    -------
    dict
        How many ``kills`` there were, how many comparisons were ``finished``, how many of these
        had ``other_bits``, how many fits were ``needed``, how many more were ``begun`` and
        ``done``, and how many were not in the store when something was killed, so ``lost``.
    """
    random.seed(seed)
    sizes = {"n_splits": n_splits, "n_rows": n_rows}
    names = ["kills", "finished", "other_bits", "needed", "begun", "done", "lost"]
    found, lost = dict.fromkeys(names, 0), 0
    with tempfile.TemporaryDirectory() as name:
        reference = Path(name) / "reference"
        expected = scores(reference, **sizes)
        while found["kills"] < n_kills:
            folder = Path(name) / f"comparison {found['finished']}"
            folder.mkdir(exist_ok=True)
            status = one_run(folder, sizes, who, n_jobs, expected, longest)
            if status == BROKEN:
                raise RuntimeError("the comparison ended with an error of its own")
            found["kills"] += status == "killed"
            if status == "killed":
                lost = counts(folder / "trace")[0] - n_stored(folder)
                if found["kills"] < n_kills:
                    continue
                os.waitpid(pid := run(folder, sizes, n_jobs, expected), 0)  # to its end
                kill_group_of_dead(pid)
                status = DONE if resumed(folder, sizes, expected) else OTHER
            begun, done = counts(folder / "trace")
            found["finished"] += 1
            found["other_bits"] += status != DONE
            found["needed"] += 2 * n_splits
            found["begun"] += begun - 2 * n_splits
            found["done"] += done - 2 * n_splits
            found["lost"], lost = found["lost"] + lost, 0
    return found


def n_stored(folder):
    """Return how many fits are in the store."""
    with contextlib.closing(FitStore(folder / "fits.db")) as store:
        return len(list(store.entries()))


def resumed(folder, sizes, expected):
    """Whether the store alone gives the same bits."""
    before = counts(folder / "trace")
    same = scores(folder / "trace", **sizes, store=folder / "fits.db") == expected
    return same and counts(folder / "trace") == before
