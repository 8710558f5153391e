"""The workers of a call: tasks on a Dask cluster, and the errors when they die.

Notes
-----
On a Dask cluster joblib says which client it has, how many jobs, what was sent before and how to
submit. The loop over results of joblib 1.6 waits for ever for a task that ends each worker, does
not send data again that died with workers, does not say whether client, scheduler or workers are
gone, and leaves the tasks of an interrupted call on the cluster. So tasks are submitted here.

What these have in common is sent once, to one worker; workers get it from each other. Answers come
as bytes: the client's own thread might not be able to unpickle them.
"""

import builtins
import pickle
import platform
import re
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from inspect import unwrap
from itertools import islice
from math import prod
from typing import Any

from joblib import parallel_config
from sklearn import config_context, get_config

from .._utils._checks import listed
from .._utils._documents import versions
from .._utils._text import error_of
from .._utils._warn import CaughtWarnings
from ..exceptions import FitError


def as_it_travels(error: BaseException, *, noted: bool = False) -> Any:
    """Return an exception that can be sent from a worker; `noted` makes a note of its traceback."""
    # One that cannot would look like a dead worker; so a FitError has its text. Raise it outside
    # the except block, else it has a context.
    text = "".join(traceback.format_exception(error)).rstrip()
    trace = error.__traceback__
    try:
        pickle.loads(pickle.dumps(error.with_traceback(None)))  # our own bytes  # nosec B301
    except Exception:
        return FitError(f"{type(error).__name__}: {error}\n{text}")
    if noted:  # libraries may send what else shows it, which fails if it is deep
        error.add_note(f"skcvstats: its traceback in the worker:\n{text}")
        error.__cause__ = error.__context__ = trace = None
    return error.with_traceback(trace)


_ELSEWHERE = "joblib.parallel_config(backend='threading') or n_jobs=1"
_OWN_CODE = (
    "as its own code ended it ({code}); what it printed says why. Do not call sys.exit or os._exit "
    "in an estimator or metric; n_jobs=1 shows where it happens. Put the call of a script under "
    "if __name__ == '__main__':, as workers started by spawn or forkserver run it from its top"
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
_USUAL_CAUSE = (
    "most often for lack of memory or by a crash in compiled code. Use fewer jobs, "
    f"{_ELSEWHERE}, which shows where it happens"
)


def explained(error: Exception, sent: Mapping[str, Any]) -> FitError:
    """Return the error to raise if workers died, or if tasks could not be sent to them."""
    # joblib keeps the cause as the text of a traceback.
    text = str(error.__cause__ or error).strip().strip('"').strip()
    cause = error_of(text or type(error).__name__).rstrip(".")
    if _is_about_files(cause):
        return FitError(
            f"The data could not be written for worker processes: {cause}. joblib puts them into "
            "its temporary folder: temp_folder of joblib.parallel_config, else the environment "
            "variable JOBLIB_TEMP_FOLDER, else /dev/shm where there is room, else "
            f"{tempfile.gettempdir()}. Make room there or name another folder; "
            f"{_ELSEWHERE} needs none."
        )
    if not isinstance(error, BrokenProcessPool):
        names = _names_without_pickle(sent, cause)
        what = f"{listed(names)} cannot" if names else "What the fits need cannot"
        return FitError(
            f"{what} be pickled, which is how it reaches worker processes: {cause}. Use "
            f"{_ELSEWHERE}, which need no pickle."
        )
    if "un-serialize" in str(error):
        return FitError(
            f"A worker process could not load what it was sent: {cause}. Make sure that it can "
            f"import the modules of all estimators and metrics, or use {_ELSEWHERE}."
        )
    reason, code = _why_a_worker_died(str(error))
    return FitError(f"A worker process died, {reason.format(code=code)}.")


def _is_about_files(cause: str) -> bool:
    """Return whether the data could not be written, or only in part."""
    if cause.startswith("ValueError: mmap length is greater than file size"):
        return True
    kind = getattr(builtins, cause.partition(":")[0], None)
    return isinstance(kind, type) and issubclass(kind, OSError)


def _names_without_pickle(sent: Mapping[str, Any], cause: str) -> list[str]:
    """Return the names of what cannot be pickled, for the cause that joblib reported."""
    names = []
    for name, value in sent.items():
        try:
            pickle.dumps(value)
        except Exception as error:  # which joblib need not share
            if str(error) in cause:
                names.append(name)
    return names


def _why_a_worker_died(message: str) -> tuple[str, str]:
    """Return the sentence for the first exit code that is known, and this code."""
    for pattern, sentence in _CAUSES.items():
        match = re.search(pattern, message)
        if match:
            return sentence, match[0].replace("EXIT(", "exit code ").rstrip(")")
    return _USUAL_CAUSE, ""


# Seconds between looks for results, as joblib's, and between looks at the cluster.
_POLL = 0.01
_LOOK = 1.0
_MOST_SENDINGS = 3  # of the data, when workers die with them
_ALIVE = ("running", "connecting")
_DIED = (
    "Workers of the Dask cluster died with {what}, most often for lack of memory or by a crash in "
    "compiled code. Give them more memory or fewer threads, or call with n_jobs=1, which shows "
    "where it happens."
)


def cluster_jobs(backend: Any) -> int:
    """Return how many tasks the workers of a cluster run at a time; wait for some if needed."""
    if backend.client.status not in _ALIVE:
        raise _gone(backend.client)
    try:
        n_jobs = int(backend.effective_n_jobs(None))
    except TimeoutError:
        n_jobs = 0
    except Exception as error:
        raise _gone(backend.client, error) from error
    if not n_jobs:
        raise _no_worker(backend)
    return n_jobs


def _software() -> dict[str, str]:
    return {**versions(), "python": ".".join(platform.python_version_tuple()[:2])}


def _gone(client: Any, cause: object = "") -> FitError:
    if client.status not in _ALIVE:  # "closing" for a moment, if another thread closes it
        cause = f"the client is {client.status.replace('closing', 'closed')}"
    return FitError(
        f"The connection to the Dask scheduler is lost: {str(cause).rstrip('.')}. Start a cluster "
        "and a distributed.Client, and call again."
    )


def _no_worker(backend: Any) -> FitError:
    return FitError(
        "The Dask cluster has no worker, and the call waited for one for "
        f"{backend.wait_for_workers_timeout} s. Scale it up, or have the call wait longer for its "
        "workers: joblib.parallel_config(backend='dask', wait_for_workers_timeout=60)."
    )


def on_worker(function: Callable[..., Any], setting: tuple[Any, ...], *arguments: Any) -> bytes:
    """Run a task on a worker, as set in the process that submits it."""
    config, filters, wanted_versions = setting
    try:
        others = _software().items() - wanted_versions.items()
        if others:
            raise FitError(
                f"A worker of the Dask cluster on {platform.node()} has {dict(others)}, and this "
                f"process {wanted_versions}. Start the Dask scheduler and its workers in its "
                "environment, so that all scores are of one software."
            )
        # The workers' cores are taken.
        with config_context(**config), CaughtWarnings(), parallel_config("sequential"):
            warnings.filters[:] = filters  # type: ignore[index]
            return pickle.dumps((function(*arguments), None), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:
        return pickle.dumps((None, as_it_travels(error, noted=True)), pickle.HIGHEST_PROTOCOL)


def cluster_results(
    waiting: Iterator[Any],
    backend: Any,
    pre_dispatch: int | str,
    shared: Sequence[Any],
    describe: Callable[..., str],
) -> Generator[Any, None, None]:
    """Yield what tasks return as they finish."""
    # Where this is itself a task of the cluster, its place on the worker is free for the others.
    with backend.retrieval_context(), closing(_Call(backend, shared, describe)) as call:
        try:
            while call.start(waiting, pre_dispatch):
                for answer in call.answers():
                    yield answer
                    call.start(waiting, pre_dispatch)
        except KeyboardInterrupt as interrupt:
            # A task that was just being submitted is known to what was interrupted only, and stays
            # on the cluster as long as that is held, such as by sys.last_exc.
            traceback.clear_frames(interrupt.__traceback__)
            raise


class _Call:
    """The tasks of one call that are on a cluster."""

    def __init__(self, backend: Any, shared: Sequence[Any], describe: Callable[..., str]) -> None:
        from distributed import as_completed

        self._n_jobs = cluster_jobs(backend)
        self._backend = backend
        self._client = backend.client
        self._describe = describe
        self._setting = get_config(), list(warnings.filters), _software()
        scattered = backend.data_futures  # by parallel_config(scatter=...)
        self._shared = [value for value in (self._setting, *shared) if id(value) not in scattered]
        self._sent: dict[int, Any] = {}
        self._n_sendings = 0
        # Those that are submitted and not answered, with the sending whose data they work on.
        self._open: dict[Any, tuple[Callable[..., Any], Sequence[Any], int]] = {}
        loop = self._client.loop
        self._finished = as_completed([], loop=loop, with_results=True, raise_errors=False)

    def start(self, waiting: Iterator[Any], pre_dispatch: int | str) -> int:
        """Submit tasks until enough are on the cluster; return how many these are."""
        wanted = str(pre_dispatch).replace("n_jobs", str(self._n_jobs))
        most = prod(map(int, wanted.replace("all", str(sys.maxsize)).split("*")))
        room = max(0, most - len(self._open))
        for function, arguments, named in islice(waiting, room):
            self._submit(partial(unwrap(function), **named), arguments)
        return len(self._open)

    def _submit(self, function: Any, arguments: Sequence[Any]) -> None:
        self._send_shared()
        futures = {**self._backend.data_futures, **self._sent}
        setting, *sent = (futures.get(id(value), value) for value in (self._setting, *arguments))
        options = {"pure": False, **self._backend.submit_kwargs}
        try:
            future = self._client.submit(on_worker, function, setting, *sent, **options)
        except Exception as error:
            if self._client.status in _ALIVE:
                raise
            raise _gone(self._client, error) from error
        self._open[future] = (function, arguments, self._n_sendings)
        self._finished.add(future)

    def _send_shared(self) -> None:
        """Send what the tasks have in common, unless it is on the cluster."""
        while not self._sent:
            self._n_sendings += 1
            try:
                # Not by its hash, which takes as long as sending it.
                patience = self._backend.wait_for_workers_timeout or _LOOK
                sent = self._client.scatter(self._shared, hash=False, timeout=patience)
                self._sent = dict(zip(map(id, self._shared), sent, strict=True))
            except TimeoutError as error:
                raise _no_worker(self._backend) from error
            except Exception as error:  # the scheduler's own, where the worker dies that gets it
                if self._client.status != "running" or self._n_sendings >= _MOST_SENDINGS:
                    raise _gone(self._client, error) from error
                time.sleep(_LOOK)

    def answers(self) -> Iterator[Any]:
        """Wait for answers, yield what there are, and submit again what was lost with its data."""
        # Those that are finished first, as another may end the call. Their futures may say that
        # they are cancelled by now.
        batch = sorted(self._next_batch(), key=lambda entry: not isinstance(entry[1], bytes))
        for future, data in batch:
            if future not in self._open:  # seen by a look before
                continue
            function, arguments, sending = self._open.pop(future)
            future.release()
            if isinstance(data, bytes):
                answer, error = pickle.loads(data)  # of our own workers, which Dask trusts as far  # nosec B301
                if error is not None:
                    raise error
                yield answer
                continue
            self._check_lost(data, self._describe(*arguments), sending)
            if sending == self._n_sendings:
                self._sent = {}
            self._submit(function, arguments)

    def _next_batch(self) -> list[tuple[Any, Any]]:
        """Wait for tasks that are finished or lost; return their futures, and what is known."""
        looked_at = time.monotonic()
        while True:
            batch = self._finished.next_batch(block=False)
            if batch:
                return list(batch)
            time.sleep(_POLL)
            if time.monotonic() - looked_at <= _LOOK:
                continue
            # Tasks may be lost without a word, and workers come and go.
            lost = [
                (future, future.status)
                for future in self._open
                if future.status in ("cancelled", "lost")
            ]
            if lost:
                return lost
            self._n_jobs = cluster_jobs(self._backend)
            looked_at = time.monotonic()

    def _check_lost(self, data: Any, what: str, sending: int) -> None:
        """Raise FitError for a task that has failed, or was lost too often with its data."""
        if isinstance(data, tuple):  # the type, the exception and its traceback
            error = data[1]
            kind = type(error).__name__
            if kind == "KilledWorker":
                raise FitError(_DIED.format(what=what)) from error
            raise FitError(
                f"The Dask cluster could not run {what}: {kind}: {error}. The scheduler and its "
                "workers need the packages and files of this process; "
                "client.get_versions(check=True) compares them, client.upload_file() sends a "
                "file."
            ) from error
        if self._client.status != "running":
            raise _gone(self._client, data)
        if _MOST_SENDINGS <= sending == self._n_sendings:
            raise FitError(_DIED.format(what=f"{what} and the data, {sending} times"))

    def close(self) -> None:
        """Take from the cluster what is left on it of this call."""
        for future in (*self._open, *self._sent.values()):
            future.release()
        self._finished.clear()
