"""Running the study: jobs over data sets, kept on disk, and read again."""

import os
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import joblib
import numpy as np

from skcvstats.fitting import FitStore

from .problems import PROBLEMS
from .study import study

DATA_SETS_AT_ONCE = 20  # of a job: some seconds, and fewer than the remembered tree has room for


@dataclass(frozen=True)
class Chunk:
    """Data sets that a job does for some simulations, one after the other.

    Parameters
    ----------
    name : {"regression", "gaussians", "letters"}
    simulations : tuple of int
        The letters' six together, so that the tree is remembered.
    data_sets : tuple of int
    """

    name: str
    simulations: tuple[int, ...]
    data_sets: tuple[int, ...]

    def run(self, directory):
        """Compute what is not there yet, and return the processor time that it took.

        Parameters
        ----------
        directory : path-like
            Of the whole study's results.
        """
        started = time.process_time()
        with joblib.parallel_config("sequential"):  # the jobs are the pool's
            for simulation in self.simulations:
                path = place(directory, self.name, simulation)
                study(self.name, simulation, store=path, data_sets=self.data_sets)
        return time.process_time() - started


def place(directory, name, simulation):
    """Return the file of one simulation's results.

    Parameters
    ----------
    directory : path-like
    name : {"regression", "gaussians", "letters"}
    simulation : int
    """
    return Path(directory) / f"{name}-{simulation}.db"


def chunks(name, simulations, numbers):
    """Return the jobs of a problem.

    Parameters
    ----------
    name : {"regression", "gaussians", "letters"}
    simulations : sequence of int
    numbers : sequence of int
        The data sets.
    """
    together = [tuple(simulations)] if name == "letters" else [(one,) for one in simulations]
    return [
        Chunk(name, group, tuple(numbers[start : start + DATA_SETS_AT_ONCE]))
        for group in together
        for start in range(0, len(numbers), DATA_SETS_AT_ONCE)
    ]


def finished(directory, name, simulation):
    """Return how many data sets of a simulation there are.

    Parameters
    ----------
    directory : path-like
    name : {"regression", "gaussians", "letters"}
    simulation : int
    """
    path = place(directory, name, simulation)
    if not path.exists():
        return 0
    with closing(FitStore.existing(path)) as store:
        return sum(is_whole for *_, is_whole in store.entries())


def read(directory):
    """Return the results that a directory has, simulation by simulation.

    Parameters
    ----------
    directory : path-like
        Of the whole study's results.

    Returns
    -------
    dict of (str, int) to SimulationResult
        Of as many data sets as are finished: 0, 1, .... Those of them that an interrupted run left
        out are computed.
    """
    results = {}
    for name, simulations in PROBLEMS.items():
        for simulation in simulations:
            if n_data_sets := finished(directory, name, simulation):
                path = place(directory, name, simulation)
                found = study(name, simulation, store=path, data_sets=range(n_data_sets))
                results[name, simulation] = found
    return results


def run(name, directory, *, simulations=None, n_data_sets, n_jobs=1, say=print):
    """Run a problem's simulations, or go on with them.

    Parameters
    ----------
    name : {"regression", "gaussians", "letters"}
    directory : path-like
        For the results.
    simulations : sequence of int, default=None
        None is all.
    n_data_sets : int
        Of each simulation.
    n_jobs : int, default=1
    say : callable, default=print
        Told of the progress.

    Returns
    -------
    dict
        What it cost: ``part``, ``simulations``, ``data_sets`` computed, of all simulations
        together, ``n_jobs``, ``wall_seconds``, ``processor_seconds``, and the ``load`` of the
        machine, its average number of runnable processes.
    """
    simulations = list(PROBLEMS[name]) if simulations is None else list(simulations)
    Path(directory).mkdir(parents=True, exist_ok=True)
    for simulation in simulations:  # a store is made by one before several use it
        study(name, simulation, store=place(directory, name, simulation), data_sets=[0])
    n_left = sum(
        max(0, n_data_sets - finished(directory, name, simulation)) for simulation in simulations
    )
    jobs = chunks(name, simulations, range(n_data_sets))
    started, spent, loads = time.perf_counter(), 0.0, [os.getloadavg()[0]]
    pool = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    for done, seconds in enumerate(pool(joblib.delayed(Chunk.run)(job, directory) for job in jobs)):
        spent += seconds
        loads.append(os.getloadavg()[0])
        wall = time.perf_counter() - started
        say(f"{name}: {done + 1} of {len(jobs)} jobs, {wall:.0f} s, processor {spent:.0f} s")
    return {
        "part": name,
        "simulations": " ".join(map(str, simulations)),
        "data_sets": n_left,
        "n_jobs": n_jobs,
        "wall_seconds": round(time.perf_counter() - started, 1),
        "processor_seconds": round(spent, 1),
        "load": round(float(np.mean(loads)), 1),
    }
