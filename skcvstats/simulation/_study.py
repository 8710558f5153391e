"""simulate: studies procedures on many data sets from a generator."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from importlib.metadata import version
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.parallel import delayed

from .._utils._arrays import check_path
from .._utils._checks import check_n_jobs, check_verbose, is_integer, one_line
from ..fitting import (
    ThreadWatch,
    Workers,
    as_it_travels,
    as_they_finish,
    end_with_parent,
    find_workers,
    limited_blas,
    with_progress,
)
from ._data_set import generate, run_data_set
from ._describe import data_digest
from ._plan import Plan, make_plan
from ._result import SimulationResult, result_of
from ._spec import make_study
from ._store import ResultStore

# Seconds of work in a chunk of data sets, and between two parts on disk.
_CHUNK, _PART = 0.3, 1.0
# Limit for one call, which holds its results in memory: at a millisecond each it takes a day.
_MOST = 10**8
# The largest number of a data set that a part on disk can store, an 8-byte integer.
_LARGEST = 2**63 - 1


def simulate(
    generator: Any,
    estimators: Any,
    procedures: Any = (),
    *,
    designs: Any = (),
    loss: Any = None,
    scoring: Any = None,
    n_data_sets: int = 1000,
    data_sets: Any = None,
    random_state: int = 0,
    records: Any = None,
    path: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> SimulationResult:
    """Simulate the size, power and coverage of procedures, and moments of the scores.

    Every data set is generated, split and fitted on once, and all procedures use these scores.
    Procedures that ask for splits of the same sizes share them: 5 splits are the first 5 of 25, 5
    pairs of half-samples the first 5 of 20. Of two estimators both and their difference are
    studied.

    Parameters
    ----------
    generator : callable
        ``generator(random_state)``, with a seeded RandomState, returns X and y of one data set;
        the same number of rows each time.
    estimators : dict of str to estimator
        One or two, by name.
    procedures : list of StudiedProcedure, Procedure or str, default=()
        What is studied; a name, or a procedure with options, gets the splits that it asks for.
    designs : list of splitters, default=()
        Further splits whose scores are measured for their moments only, such as
        ``RepeatedSubsampleSplit(25)``, or ``HalfSplitPairs(20)`` for r.
    loss : {"zero_one", "squared_error"} or callable, default=None
        ``loss(y_true, y_pred)`` to one number for each row; scores are minus its mean. None,
        without `scoring`, is zero-one for classifiers and squared error for regressors.
    scoring : str or callable, default=None
        One metric instead of a loss, greater is better; not for procedures that work on the loss
        of each test row.
    n_data_sets : int, default=1000
        Data sets 0 to n_data_sets - 1.
    data_sets : iterable of int, default=None
        These data sets instead.
    random_state : int, default=0
        The root of all random numbers.
    records : callable, default=None
        ``records(work, X, y, splits)`` yields the results of fits that it can compute without
        fitting, see Notes; all others are fitted.
    path : path-like, default=None
        A directory for the results. Data sets of the same study that it already has are not
        computed again; new ones are added about once a second. Functions and classes are identified
        by their names, and the generator by its first data set too: if the code behind a name
        changes, give another directory.
    n_jobs : int, default=None
        Number of jobs over the data sets, as in joblib; the results do not depend on it. The
        multiprocessing backend is replaced by loky, with a warning.
    verbose : int, default=0
        1 shows a progress bar of the data sets.

    Returns
    -------
    SimulationResult
        Of the data sets asked for.

    Raises
    ------
    SplitDesignError
        If splits do not suit a procedure, or do not fit the data.
    ValueError, TypeError
        For invalid arguments, data or results, and if `path` holds another study. Errors of the
        generator, an estimator or the loss are raised with the number of the data set; finished
        data sets stay in `path`.

    See Also
    --------
    StudiedProcedure : A procedure with splits of its own.
    SimulationResult : The result.

    Notes
    -----
    Data set i depends on `random_state` and i only, so that any can be computed alone, in any
    order, and more can be added. With R = `random_state` its generator gets
    ``RandomState(PCG64(SeedSequence(R, spawn_key=(i, 0))))``, and every splitter on it has as
    its own random_state ``SeedSequence(R, spawn_key=(i, 1)).generate_state(1)[0]``. An estimator's
    random_state of None becomes another seed for each fit; an integer stays what it is. What draws
    from NumPy's global random state is not under control.

    `records` is for estimators whose refits have a closed form. It is called once for each data set
    and each size of its splits. ``work.estimators`` are the estimators, their random_state of None
    replaced by a seed; ``work.scoring.row_loss`` is the loss and ``work.scoring.scorer`` the
    metric; ``splits.take(range(len(splits)))`` yields the splits, with ``train`` and ``test`` row
    numbers. It is to yield a `skcvstats.fitting.FitRecord` for each pair of an estimator and a
    split, both by number, that needs no fit: with the ``losses`` of the test rows, or with
    ``scores``, a dict of the one metric.

    All is computed with a single BLAS thread for each job.

    Examples
    --------
    Does the corrected resampled t-test keep its level?

    >>> from sklearn.dummy import DummyRegressor
    >>> from sklearn.linear_model import LinearRegression
    >>> from skcvstats.simulation import simulate
    >>> def line(random_state):
    ...     X = random_state.normal(size=(40, 1))
    ...     return X, X[:, 0] + random_state.normal(size=40)
    >>> result = simulate(
    ...     line,
    ...     {"mean": DummyRegressor(), "line": LinearRegression()},
    ...     ["resampled_t", "corrected_resampled_t"],
    ...     n_data_sets=100,
    ... )
    >>> result
    <SimulationResult: 100 data sets, 2 procedures, hypotheses mean, line, mean-line>
    >>> frame = result.size(alpha=0.1)
    >>> naive, corrected = frame[frame["hypothesis"] == "mean-line"]["rate"]
    >>> bool(corrected < naive)
    True
    """
    study = make_study(
        generator,
        estimators,
        procedures,
        designs=designs,
        loss=loss,
        scoring=scoring,
        random_state=random_state,
        records=records,
    )
    numbers = _numbers(n_data_sets, data_sets)
    check_n_jobs(n_jobs)
    check_verbose(verbose)
    if path is not None:
        _check_directory(path)
    with limited_blas(1):  # as for all others
        first = generate(study, 0)
    plan = make_plan(study, *first)
    identity = {**study.description(), "first data set": data_digest(*first)}
    store = ResultStore(path, identity, _versions(), plan.n_values)
    left = sorted(set(numbers) - store.numbers)
    _fill(store, plan, left, n_jobs, verbose)
    return result_of(plan, numbers, store.values(numbers))


def _numbers(n_data_sets: Any, data_sets: Any) -> list[int]:
    if data_sets is None:
        if not is_integer(n_data_sets) or not 1 <= n_data_sets <= _MOST:
            raise ValueError(
                f"n_data_sets={n_data_sets!r} must be an integer from 1 to {_MOST}, as the results "
                "of all are held in memory; data_sets=range(a, b) computes them part by part."
            )
        return list(range(int(n_data_sets)))
    numbers = list(islice(data_sets, _MOST + 1)) if isinstance(data_sets, Iterable) else []
    known = all(is_integer(number) and 0 <= number <= _LARGEST for number in numbers)
    if not 1 <= len(numbers) <= _MOST or not known:
        raise ValueError(
            f"data_sets={one_line(data_sets)} must be numbers of data sets, from 1 to {_MOST} of "
            f"them: integers from 0 to {_LARGEST}, such as range(100, 120)."
        )
    return sorted({int(number) for number in numbers})


def _check_directory(path: Any) -> None:
    """Raise an error, before anything is computed, if results cannot be stored there."""
    check_path("path", path)
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        pass  # the error of the store says that it is a file
    except OSError as error:
        raise ValueError(
            f"path={str(path)!r} cannot be made: {error.strerror}. Give a directory for the "
            "results."
        ) from error


@cache
def _versions() -> dict[str, str]:
    # Cached, because reading the metadata of a package takes milliseconds.
    return {name: version(name) for name in ("numpy", "scipy", "scikit-learn")}


def _fill(
    store: ResultStore, plan: Plan, left: Sequence[int], n_jobs: int | None, verbose: int
) -> None:
    """Compute the data sets that are not stored yet, and store each as it arrives."""
    fresh: dict[int, np.ndarray] = {}
    n_kept, kept_at = 0, time.perf_counter()

    def keep() -> None:
        nonlocal n_kept, kept_at
        some = dict(fresh)
        fresh.clear()  # not tried a second time, whatever happens
        store.add(some)
        n_kept, kept_at = n_kept + len(some), time.perf_counter()

    workers = find_workers(n_jobs if len(left) > 1 else 1)
    watch = ThreadWatch("data set")
    try:
        try:
            with closing(_results(plan, left, workers, watch)) as results:
                for number, values in with_progress(
                    results, len(left), verbose=verbose, doing="simulating", unit="data set"
                ):
                    fresh[number] = values
                    if time.perf_counter() - kept_at > _PART:
                        keep()
        finally:
            keep()
    except BaseException as error:
        where = "lost, as there is no path" if store.path is None else f"kept in {store.path}"
        error.add_note(
            f"skcvstats: {n_kept} of {len(left)} data sets were finished, and {where}{watch.note}"
        )
        raise


def _results(
    plan: Plan, numbers: Sequence[int], workers: Workers, watch: ThreadWatch
) -> Generator[tuple[int, np.ndarray], None, None]:
    """Yield each data set's number and values, in any order."""
    if workers.n == 1:
        with limited_blas(1):
            for number in numbers:
                yield number, run_data_set(plan, number)
        return
    chunks = _Chunks(numbers, workers.n)
    in_thread = watch if workers.are_threads else None
    tasks = (delayed(_run_chunk)(plan, chunk, in_thread) for chunk in chunks)
    chunks_done = as_they_finish(tasks, workers, "2*n_jobs", shared=(plan,), describe=_described)
    with closing(chunks_done) as results, watch:
        for found, seconds in results:
            chunks.learn(len(found), seconds)
            yield from found.items()


class _Chunks:
    """Divide data sets into chunks that are large enough to send; the last ones are small."""

    def __init__(self, numbers: Sequence[int], n_workers: int) -> None:
        self._left = deque(numbers)
        self._n_workers = n_workers
        self._n_done, self._seconds = 0, 0.0

    def learn(self, n_done: int, seconds: float) -> None:
        """Record how long a chunk took."""
        self._n_done += n_done
        self._seconds += seconds

    def __iter__(self) -> Iterator[list[int]]:
        while self._left:
            size = 1
            if self._n_done:
                worth = _CHUNK * self._n_done / max(self._seconds, 1e-9)
                size = ceil(min(worth, len(self._left) / (2 * self._n_workers)))
            yield [self._left.popleft() for _ in range(size)]


def _described(plan: Plan, numbers: Sequence[int], watch: ThreadWatch | None) -> str:
    return f"data set{'s' * (len(numbers) > 1)} {numbers[0]} to {numbers[-1]}"


def _run_chunk(
    plan: Plan, numbers: Sequence[int], watch: ThreadWatch | None
) -> tuple[Mapping[int, np.ndarray], float]:
    """Return the values of some data sets and the time they took."""
    if watch is None:
        end_with_parent()
    started = time.perf_counter()
    results = ((number, run_data_set(plan, number)) for number in numbers)
    with limited_blas(1):
        try:
            found = dict(results if watch is None else watch.watched(results))
        except Exception as error:
            if watch is not None:
                raise
            raised = error
        else:
            return found, time.perf_counter() - started
    raise as_it_travels(raised)
