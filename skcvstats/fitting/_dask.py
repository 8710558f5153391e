"""Tasks on a Dask cluster, submitted by the client that joblib's dask backend holds.

Notes
-----
joblib's own loop over Dask's results waits for ever for a task that Dask gives up: one that ends
each worker it is tried on, or whose exception cannot be restored. It waits for ever for workers,
leaves the tasks of an interrupted call on the cluster, and ends where the only copy of the data was
on a worker that died. So the tasks are submitted here.

What the tasks have in common is sent once, to one worker, and workers get it from each other when
they need it. Answers come as bytes, so that the client's own thread never unpickles what it may
not be able to. Only modules of this package are named to the scheduler.
"""

import pickle
import platform
import time
import traceback
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from importlib.metadata import version
from inspect import unwrap
from itertools import islice
from math import prod
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
import sklearn
from joblib import parallel_config
from sklearn import config_context, get_config

from ..exceptions import FitError
from ._workers import as_it_travels

# Seconds between looks for results, as joblib's, and between looks at the cluster.
_POLL, _LOOK = 0.01, 1.0
# How often data are sent, the first time included, when workers die with them.
_MOST_SENDINGS = 3

_DIED = (
    "Workers of the Dask cluster died with {what}, most often for lack of memory or by a crash in "
    "compiled code. Give them more memory or fewer threads, or call with n_jobs=1, which shows "
    "where it happens."
)


class Setting(NamedTuple):
    """What a task finds as it is in the process that submits it."""

    config: dict[str, Any]
    filters: list[Any]
    versions: dict[str, str]


def cluster_jobs(backend: Any) -> int:
    """Return how many tasks the workers of a cluster run at a time."""
    client = backend.client
    if client.status not in ("running", "connecting"):
        raise _gone(client)
    try:
        n_jobs = backend.effective_n_jobs(None)
        pythons = client.run_on_scheduler(_pythons)
    except TimeoutError as error:
        raise _no_worker(backend) from error
    except ImportError as error:
        raise FitError(
            f"The Dask scheduler does not have what this process has: {error}. Start scheduler "
            "and workers in the environment of this process."
        ) from error
    except Exception as error:
        raise _gone(client, error) from error
    if n_jobs == 0:
        raise _no_worker(backend)
    ours = versions()["Python"]
    if others := {where: theirs for where, theirs in pythons.items() if theirs != ours}:
        where, theirs = next(iter(others.items()))
        raise FitError(_differs(where, f"Python {theirs}", ours))
    return n_jobs


def _pythons(dask_scheduler: Any) -> dict[str, str]:
    """Return the versions of Python of a cluster; Dask calls it in the scheduler."""
    found = {"the scheduler": versions()["Python"]}
    for address, worker in dask_scheduler.workers.items():
        python = worker.versions["packages"]["python"].split(".")
        found[f"the worker {address}"] = ".".join(python[:2])
    return found


def versions() -> dict[str, str]:
    """Return the versions on which scores depend."""
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
        "skcvstats": version("skcvstats"),
    }


def _differs(where: str, theirs: str, ours: str) -> str:
    return (
        f"{where[0].upper()}{where[1:]} has {theirs}, and this process {ours}. Start the Dask "
        "scheduler and its workers in its environment, so that all scores are of one software."
    )


def _gone(client: Any, cause: object = "") -> FitError:
    if client.status not in ("running", "connecting"):
        cause = f"the client is {client.status}"
    address = getattr(client.scheduler, "address", "")
    return FitError(
        f"The connection to the Dask scheduler{f' at {address}' if address else ''} is lost: "
        f"{str(cause).rstrip('.')}. Start a cluster and a distributed.Client, and call again."
    )


def _no_worker(backend: Any) -> FitError:
    seconds = backend.wait_for_workers_timeout
    since = f", and none came within {seconds:g} s" if seconds else ""
    return FitError(
        f"The Dask cluster has no worker{since}. Scale it up, or have the call wait longer for its "
        "workers: joblib.parallel_config(backend='dask', wait_for_workers_timeout=60)."
    )


def on_worker(function: Callable[..., Any], setting: Setting, *arguments: Any) -> bytes:
    """Run a task on a worker."""
    try:
        for name, theirs in versions().items():
            if theirs != setting.versions[name]:
                where = f"a worker of the Dask cluster on {platform.node()}"
                raise FitError(_differs(where, f"{name} {theirs}", setting.versions[name]))
        with _as_set(setting), parallel_config("sequential"):  # the workers' cores are taken
            return pickle.dumps((function(*arguments), None, ""), pickle.HIGHEST_PROTOCOL)
    except BaseException as raised:
        error, text = raised, "".join(traceback.format_exception(raised))
    # Dask makes tracebacks travel with exceptions, which fails where they are deep.
    error.__traceback__ = error.__cause__ = error.__context__ = None
    return pickle.dumps((None, as_it_travels(error, text), text), pickle.HIGHEST_PROTOCOL)


@contextmanager
def _as_set(setting: Setting) -> Iterator[None]:
    with config_context(**setting.config), warnings.catch_warnings():
        warnings.filters[:] = setting.filters  # type: ignore[index]
        yield


class WorkerTraceback(Exception):  # noqa: N818, as it is no error of its own
    """Where on a worker an exception was raised, as text."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def answer_of(data: bytes) -> Any:
    """Return what a task returned, or raise what it raised."""
    answer, error, text = pickle.loads(data)  # of our own workers, which Dask trusts as far  # nosec B301
    if error is not None:
        raise error from WorkerTraceback(text)
    return answer


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
        n_jobs = cluster_jobs(backend)
        call.start(waiting, most_ahead(pre_dispatch, n_jobs))
        while call.open:
            for answer in call.answers():
                yield answer
                call.start(waiting, most_ahead(pre_dispatch, call.n_jobs or n_jobs))


def most_ahead(pre_dispatch: int | str, n_jobs: int) -> int | None:
    """Return how many tasks may be on a cluster at a time, None for all."""
    factors = [factor.strip() for factor in str(pre_dispatch).split("*")]
    if factors == ["all"]:
        return None
    return prod(n_jobs if factor == "n_jobs" else int(factor) for factor in factors)


class _Task(NamedTuple):
    """A task that is on a cluster, and the number of the sending whose data it works on."""

    function: Callable[..., Any]
    arguments: Sequence[Any]
    sending: int


class _Call:
    """The tasks of one call that are on a cluster."""

    def __init__(self, backend: Any, shared: Sequence[Any], describe: Callable[..., str]) -> None:
        from distributed import as_completed

        self._backend = backend
        self._client = backend.client
        self._describe = describe
        self._setting = Setting(get_config(), list(warnings.filters), versions())
        self._shared = [value for value in (self._setting, *shared) if value is not None]
        self._sent: dict[int, Any] = {}
        self._n_sendings = 0
        self.open: dict[Any, _Task] = {}  # those that are submitted and not answered
        self._finished = as_completed(
            [], loop=self._client.loop, with_results=True, raise_errors=False
        )
        self._deserted_at: float | None = None
        self.n_jobs = 0

    def start(self, waiting: Iterator[Any], most: int | None) -> None:
        """Submit tasks until so many are on the cluster."""
        room = None if most is None else max(0, most - len(self.open))
        for function, arguments, named in islice(waiting, room):
            self._submit(partial(unwrap(function), **named), arguments)

    def _submit(self, function: Any, arguments: Sequence[Any]) -> None:
        if not self._sent:
            self._send()
        setting, *sent = (self._sent.get(id(value), value) for value in (self._setting, *arguments))
        future = self._client.submit(
            on_worker,
            function,
            setting,
            *sent,
            key=f"{function.func.__name__}-{uuid4().hex}",
            **self._backend.submit_kwargs,
        )
        self.open[future] = _Task(function, arguments, self._n_sendings)
        self._finished.add(future)

    def _send(self) -> None:
        """Put what is shared on a worker, if parallel_config(scatter=...) has not."""
        there = self._backend.data_futures
        values = [value for value in self._shared if id(value) not in there]
        patience = self._backend.wait_for_workers_timeout or _LOOK
        while True:
            self._n_sendings += 1
            try:
                # Not by its hash, which takes as long as sending it.
                sent = self._client.scatter(values, hash=False, timeout=patience)
                break
            except TimeoutError as error:
                raise _no_worker(self._backend) from error
            except Exception as error:  # the scheduler's own, where the worker dies that gets it
                if self._client.status != "running" or self._n_sendings >= _MOST_SENDINGS:
                    raise _gone(self._client, error) from error
                time.sleep(_LOOK)
        self._sent = {**there, **dict(zip(map(id, values), sent, strict=True))}

    def answers(self) -> Iterator[Any]:
        """Wait for answers, and yield what there are."""
        looked_at = time.monotonic()
        while not (batch := self._finished.next_batch(block=False)):
            time.sleep(_POLL)
            if time.monotonic() - looked_at > _LOOK:
                if batch := self._look():
                    break
                looked_at = time.monotonic()
        # Those that are finished first, as another may end the call. Their futures may say that
        # they are cancelled by now.
        for future, answer in sorted(batch, key=lambda found: not isinstance(found[1], bytes)):
            task = self.open.pop(future, None)
            if task is None:  # seen by a look before
                continue
            status = future.status
            future.release()
            if isinstance(answer, bytes):
                yield answer_of(answer)
            elif status == "error":
                raise self._given_up(answer[1], task)
            else:
                self._repeat(task, answer)

    def _look(self) -> list[tuple[Any, Any]]:
        """Look after the cluster where nothing has come; return tasks lost without a word."""
        if self._client.status not in ("running", "connecting"):
            raise _gone(self._client)
        if lost := [future for future in self.open if future.status in ("cancelled", "lost")]:
            return [(future, future.status) for future in lost]
        try:
            self.n_jobs = sum(self._client.ncores().values())
        except Exception as error:
            raise _gone(self._client, error) from error
        now = time.monotonic()
        if self.n_jobs:
            self._deserted_at = None
        elif self._deserted_at is None:
            self._deserted_at = now
        elif now - self._deserted_at > (self._backend.wait_for_workers_timeout or 0):
            raise _no_worker(self._backend)
        return []

    def _given_up(self, error: Exception, task: _Task) -> FitError:
        """Return what to raise for a task that Dask does not try again."""
        what = self._describe(*task.arguments)
        if type(error).__name__ == "KilledWorker":
            lost = FitError(_DIED.format(what=what))
        else:
            lost = FitError(
                f"The Dask cluster could not run {what}: {type(error).__name__}: {error}. The "
                "scheduler and its workers need the packages and files of this process; "
                "client.get_versions(check=True) compares them, client.upload_file() sends a file."
            )
        lost.__cause__ = error
        return lost

    def _repeat(self, task: _Task, why: object) -> None:
        """Submit a task again that was lost with the data, which are sent again."""
        if self._client.status != "running":
            raise _gone(self._client, why)
        if task.sending == self._n_sendings:
            if self._n_sendings >= _MOST_SENDINGS:
                what = f"{self._describe(*task.arguments)} and the data, {self._n_sendings} times"
                raise FitError(_DIED.format(what=what))
            self._sent = {}
        self._submit(task.function, task.arguments)

    def close(self) -> None:
        """Take from the cluster what is left on it of this call."""
        scattered = [self._sent.get(id(value)) for value in self._shared]
        there = self._backend.data_futures.values()
        for future in (*self.open, *(future for future in scattered if future not in there)):
            if future is not None:
                future.release()
        self._finished.clear()
