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

# A job in .ci tries a scikit-learn that is newer than the newest tested: with its closed forms.
if os.environ.get("SKCVSTATS_ANY_SKLEARN"):
    from skcvstats.fitting import _fast_paths

    _fast_paths.NEWEST_TESTED = (10**6, 0)


# What a simulation or a page runs counts as untested, and takes three times as long under coverage.
def pytest_collection_modifyitems(config, items):
    if config.pluginmanager.hasplugin("_cov"):
        for item in items:
            if item.get_closest_marker("calibration") or item.path.suffix == ".rst":
                item.add_marker("no_cover")


GOLDEN = Path(__file__).parent / "golden"


def golden_cases(name):
    """Read the cases of a golden file."""
    return json.loads((GOLDEN / f"{name}.json").read_text())["cases"]
