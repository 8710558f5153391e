"""Fixtures and helpers that several test modules share."""

import os

# Before NumPy is imported: on small data BLAS threads cost ten times what they save.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import json
from pathlib import Path

from hypothesis import settings

# The same examples every time and no time limit, so that a failure is the change's and can be
# reproduced.
settings.register_profile("reproducible", derandomize=True, deadline=None)
settings.load_profile("reproducible")

GOLDEN = Path(__file__).parent / "golden"


def golden_cases(name):
    """Read the cases of a golden file."""
    return json.loads((GOLDEN / f"{name}.json").read_text())["cases"]
