"""Run a slow study until somebody kills it; see test_store.py."""

import os
import sys

from skcvstats import simulate
from tests.simulation.studies import Mean, slow_line

STUDY = {"estimators": {"A": Mean()}, "procedures": ["resampled_t"], "n_data_sets": 40}


def slow_line_of_a_process(random_state):
    """The same, and a line that says in which process."""
    print("begun in", os.getpid(), flush=True)
    return slow_line(random_state)


if __name__ == "__main__":
    os.environ["QUICK"] = "3"  # the next one of each process waits to be killed
    print("started", flush=True)
    _, path, n_jobs, *shown = sys.argv
    generator = slow_line_of_a_process if shown else slow_line
    simulate(generator, **STUDY, store=path, n_jobs=int(n_jobs))
