"""Tasks on a Dask cluster, submitted by the client that joblib's dask backend holds.

Notes
-----
Which cluster, how many jobs it has, what it was sent before and how to submit is joblib's. Its own
loop over the results (of joblib 1.6) waits for ever for a task that Dask gives up, as one that ends
each worker it is tried on; it does not send the data again if the only copy was on a worker that
died; it ends with the same error for a client, a scheduler and workers that are gone; and it leaves
the tasks of an interrupted call on the cluster. So the tasks are submitted here.

What the tasks have in common is sent once, to one worker, and workers get it from each other when
they need it. Answers come as bytes, so that the client's own thread never unpickles what it may
not be able to. Only modules of this package are named to the scheduler.
"""

from __future__ import annotations

import pickle
import platform
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from importlib.metadata import version
from inspect import unwrap
from itertools import islice
from math import prod
from typing import Any
from uuid import uuid4

import numpy as np
import sklearn
from joblib import parallel_config
from sklearn import config_context, get_config

from ..exceptions import FitError
from ._workers import as_kept

# Seconds between looks for results, as joblib's, and between looks at the cluster.
_POLL, _LOOK = 0.01, 1.0
# How often data are sent, the first time included, when workers die with them.
_MOST_SENDINGS = 3
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
    except TimeoutError as error:
        raise _no_worker(backend) from error
    except Exception as error:
        raise _gone(backend.client, error) from error
    if n_jobs == 0:
        raise _no_worker(backend)
    return n_jobs


def versions() -> dict[str, str]:
    """Return the versions on which scores depend."""
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
        "skcvstats": version("skcvstats"),
    }


def _gone(client: Any, cause: object = "") -> FitError:
    if client.status not in _ALIVE:
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


def on_worker(function: Callable[..., Any], setting: tuple[Any, ...], *arguments: Any) -> bytes:
    """Run a task on a worker, as set in the process that submits it."""
    config, filters, ours = setting
    try:
        for name, theirs in versions().items():
            if theirs != ours[name]:
                raise FitError(
                    f"A worker of the Dask cluster on {platform.node()} has {name} {theirs}, and "
                    f"this process {ours[name]}. Start the Dask scheduler and its workers in its "
                    "environment, so that all scores are of one software."
                )
        # The workers' cores are taken.
        with config_context(**config), warnings.catch_warnings(), parallel_config("sequential"):
            warnings.filters[:] = filters  # type: ignore[index]
            return pickle.dumps((function(*arguments), None), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:
        raised = error
    return pickle.dumps((None, as_kept(raised)), pickle.HIGHEST_PROTOCOL)


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
        while call.start(waiting, pre_dispatch):
            for answer in call.answers():
                yield answer
                call.start(waiting, pre_dispatch)


def most_ahead(pre_dispatch: int | str, n_jobs: int) -> int | None:
    """Return how many tasks may be on a cluster at a time, None for all."""
    factors = [factor.strip() for factor in str(pre_dispatch).split("*")]
    if factors == ["all"]:
        return None
    return prod(n_jobs if factor == "n_jobs" else int(factor) for factor in factors)


class _Call:
    """The tasks of one call that are on a cluster."""

    def __init__(self, backend: Any, shared: Sequence[Any], describe: Callable[..., str]) -> None:
        from distributed import as_completed

        self._n_jobs = cluster_jobs(backend)
        self._backend, self._client = backend, backend.client
        self._describe = describe
        self._setting = get_config(), list(warnings.filters), versions()
        self._shared = [value for value in (self._setting, *shared) if value is not None]
        self._sent: dict[int, Any] = {}
        self._n_sendings = 0
        # Those that are submitted and not answered, with the sending whose data they work on.
        self._open: dict[Any, tuple[Callable[..., Any], Sequence[Any], int]] = {}
        self._finished = as_completed(
            [], loop=self._client.loop, with_results=True, raise_errors=False
        )

    def start(self, waiting: Iterator[Any], pre_dispatch: int | str) -> int:
        """Submit tasks until enough are on the cluster; return how many these are."""
        most = most_ahead(pre_dispatch, self._n_jobs)
        room = None if most is None else max(0, most - len(self._open))
        for function, arguments, named in islice(waiting, room):
            self._submit(partial(unwrap(function), **named), arguments)
        return len(self._open)

    def _submit(self, function: Any, arguments: Sequence[Any]) -> None:
        if not self._sent:
            self._send()
        setting, *sent = (self._sent.get(id(value), value) for value in (self._setting, *arguments))
        key = f"{function.func.__name__}-{uuid4().hex}"
        options = self._backend.submit_kwargs
        future = self._client.submit(on_worker, function, setting, *sent, key=key, **options)
        self._open[future] = function, arguments, self._n_sendings
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
        """Wait for answers, yield what there are, and submit again what was lost with its data."""
        looked_at = time.monotonic()
        while not (batch := self._finished.next_batch(block=False)):
            time.sleep(_POLL)
            if time.monotonic() - looked_at > _LOOK:
                # Tasks may be lost without a word, and workers come and go.
                status = {future: future.status for future in self._open}
                if batch := [pair for pair in status.items() if pair[1] in ("cancelled", "lost")]:
                    break
                self._n_jobs = cluster_jobs(self._backend)
                looked_at = time.monotonic()
        # Those that are finished first, as another may end the call. Their futures may say that
        # they are cancelled by now.
        for future, data in sorted(batch, key=lambda found: not isinstance(found[1], bytes)):
            if future not in self._open:  # seen by a look before
                continue
            function, arguments, sending = self._open.pop(future)
            status = future.status
            future.release()
            if isinstance(data, bytes):
                answer, error = pickle.loads(data)  # of our own workers, which Dask trusts as far  # nosec B301
                if error is not None:
                    raise error
                yield answer
            elif status == "error":
                what, why = self._describe(*arguments), data[1]
                if type(why).__name__ == "KilledWorker":
                    raise FitError(_DIED.format(what=what)) from why
                raise FitError(
                    f"The Dask cluster could not run {what}: {type(why).__name__}: {why}. The "
                    "scheduler and its workers need the packages and files of this process; "
                    "client.get_versions(check=True) compares them, client.upload_file() sends a "
                    "file."
                ) from why
            elif self._client.status != "running":
                raise _gone(self._client, data)
            else:
                if sending == self._n_sendings:
                    if sending >= _MOST_SENDINGS:
                        what = f"{self._describe(*arguments)} and the data, {sending} times"
                        raise FitError(_DIED.format(what=what))
                    self._sent = {}
                self._submit(function, arguments)

    def close(self) -> None:
        """Take from the cluster what is left on it of this call."""
        scattered = [self._sent.get(id(value)) for value in self._shared]
        there = self._backend.data_futures.values()
        for future in (*self._open, *(future for future in scattered if future not in there)):
            if future is not None:
                future.release()
        self._finished.clear()
