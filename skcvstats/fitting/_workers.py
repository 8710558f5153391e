"""The workers that joblib gives a call: how many, and whether they are threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from joblib import effective_n_jobs, parallel_config
from joblib.parallel import MultiprocessingBackend, get_active_backend

from .._utils import warn_user
from ._dask import active_cluster, cluster_jobs


class Workers(NamedTuple):
    """What works on the tasks of a call.

    Parameters
    ----------
    n : int
        How many.
    are_threads : bool
        Whether they share the memory of this process.
    n_jobs : int or None
        What was asked of joblib for them.
    """

    n: int
    are_threads: bool
    n_jobs: int | None


ALONE = Workers(1, False, 1)


def find_workers(n_jobs: int | None) -> Workers:
    """Return the workers that joblib's settings give, and warn where they are redirected.

    Parameters
    ----------
    n_jobs : int or None
        As joblib's.
    """
    if n_jobs != 1 and (cluster := active_cluster()) is not None:
        # Not 1, which stands for this process: a cluster of one worker is to do the work.
        return Workers(max(2, cluster_jobs(cluster)), False, n_jobs)
    is_legacy = _is_legacy()
    with redirected():
        n = effective_n_jobs(n_jobs)
        are_threads = bool(getattr(get_active_backend()[0], "supports_sharedmem", False))
    if is_legacy and n > 1:
        warn_user(
            "joblib's multiprocessing backend waits forever for a worker process that dies, so "
            "its loky backend is used instead. The results are the same; choose "
            "parallel_config(backend='loky') to get no warning.",
            UserWarning,
        )
    return Workers(n, are_threads, n_jobs)


@contextmanager
def redirected() -> Iterator[None]:
    """Put loky in the place of joblib's legacy multiprocessing backend, if that is the active one.

    All other settings stay, the number of jobs among them. Enter it where a pool is made, not
    around a `yield`: the setting holds for the whole thread.
    """
    if not _is_legacy():
        yield
        return
    with parallel_config("loky"):
        yield


def _is_legacy() -> bool:
    # By exact type: backends of others are built on this one, such as Ray's.
    return type(get_active_backend()[0]) is MultiprocessingBackend
