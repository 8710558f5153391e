"""Run a slow study until somebody kills it; see test_store.py."""

import sys

from skcvstats import simulate
from skcvstats.simulation import _study
from tests.simulation.studies import Mean, slow_line

STUDY = {"estimators": {"A": Mean()}, "procedures": ["resampled_t"], "n_data_sets": 40}

if __name__ == "__main__":
    _study._PART = 0.1  # seconds between two parts on disk
    print("started", flush=True)
    simulate(slow_line, **STUDY, path=sys.argv[1], n_jobs=int(sys.argv[2]))
