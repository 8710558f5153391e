"""Run a slow study until somebody kills it; see test_store.py."""

import sys

from skcvstats import simulate
from tests.simulation.studies import Mean, slow_line

STUDY = {"estimators": {"A": Mean()}, "procedures": ["resampled_t"], "n_data_sets": 40}

if __name__ == "__main__":
    print("started", flush=True)
    simulate(slow_line, **STUDY, store=sys.argv[1], n_jobs=int(sys.argv[2]))
