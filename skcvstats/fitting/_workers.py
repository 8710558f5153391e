"""The workers that joblib provides for a call: how many, and whether they are threads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from joblib import effective_n_jobs, parallel_config
from joblib.parallel import MultiprocessingBackend, get_active_backend

from .._utils._warn import warn_user
from ._dask import active_cluster, cluster_jobs


class Workers(NamedTuple):
    """The workers of a call."""

    n: int
    are_threads: bool
    n_jobs: int | None


ALONE = Workers(1, False, 1)


def find_workers(n_jobs: int | None) -> Workers:
    """Return the workers from joblib's settings, and warn if they are redirected."""
    if n_jobs != 1 and (cluster := active_cluster()) is not None:
        # Not 1, which means this process: a cluster of one worker must do the work.
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
    """Replace joblib's legacy multiprocessing backend by loky, if it is the active one.

    All other settings stay the same, also the number of jobs. Enter it where a pool is made, not
    around a `yield`: the setting applies to the whole thread.
    """
    if not _is_legacy():
        yield
        return
    with parallel_config("loky"):
        yield


def _is_legacy() -> bool:
    # By exact type: other backends, such as Ray's, derive from this one.
    return type(get_active_backend()[0]) is MultiprocessingBackend
