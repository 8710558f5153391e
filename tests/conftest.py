"""Fixtures and helpers that several test modules share."""

import os

# Before NumPy is imported: on small data BLAS threads cost ten times what they save.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import json
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples every time and no time limit, so that a failure is the change's and can be
# reproduced.
settings.register_profile("reproducible", derandomize=True, deadline=None)
settings.load_profile("reproducible")

# A job in .ci runs a scikit-learn newer than the newest tested one, also with closed forms.
if os.environ.get("SKCVSTATS_ANY_SKLEARN"):
    from skcvstats.fitting import _fast_paths

    _fast_paths.NEWEST_TESTED = (10**6, 0)

# Windows has neither named pipes nor sessions of processes nor most signals.
_POSIX = hasattr(os, "mkfifo")
needs_posix = pytest.mark.skipif(not _POSIX, reason="needs pipes and signals as of POSIX")
collect_ignore = [] if _POSIX else ["faults", "test_preloaded.py"]

GOLDEN = Path(__file__).parent / "golden"


def golden_cases(name):
    """Read the cases of a golden file."""
    return json.loads((GOLDEN / f"{name}.json").read_text())["cases"]


# Tests take up to three times as long under coverage. Other tests cover the code that these run.
_UNCOUNTED = (
    "tests/nadeau_bengio",
    "tests/test_benchmarks.py",
    "tests/test_tukey_over_folds.py",
    "tests/command_line/test_fuzz.py",
    "tests/command_line/test_transcript.py",
    "tests/plotting/test_page.py",
    "tests/plotting/test_room.py",
)


def pytest_collection_modifyitems(items):
    """Coverage does not count simulations, pages, benchmarks, and tests that cover a whole room."""
    for item in items:
        uncounted = item.nodeid.startswith(_UNCOUNTED) or item.path.suffix == ".rst"
        if uncounted or item.get_closest_marker("calibration"):
            item.add_marker("no_cover")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    """Set up tests that are not counted also without coverage, as pytest-cov does not do this."""
    coverage = sys.modules.get("coverage")
    running = coverage and item.get_closest_marker("no_cover") and coverage.Coverage.current()
    if not running:
        return (yield)
    running.stop()
    try:
        return (yield)
    finally:
        running.start()
