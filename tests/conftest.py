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


# Tests take up to three times as long under coverage. Other tests cover what these run, but for
# about 100 of 33,000 branches.
_UNCOUNTED = (
    "tests/nadeau_bengio",
    "tests/command_line/test_fuzz.py",
    "tests/command_line/test_transcript.py",
    "tests/comparison/test_json.py",
    "tests/comparison/test_max_t",
    "tests/comparison/test_printed.py",
    "tests/comparison/test_simultaneous.py",
    "tests/fitting/closed_forms/test_against_refits.py",
    "tests/fitting/closed_forms/test_limits.py",
    "tests/fitting/closed_forms/test_scores.py",
    "tests/fitting/closed_forms/test_searches.py",
    "tests/fitting/test_against_cross_validate.py",
    "tests/fitting/test_data_in_workers.py",
    "tests/fitting/test_workers.py",
    "tests/hostile/test_stores.py",
    "tests/model_selection/test_notes_on_all_roads.py",
    "tests/model_selection/test_procedures.py",
    "tests/model_selection/test_refit.py",
    "tests/plotting/test_page.py",
    "tests/plotting/test_room.py",
    "tests/splitters/test_in_sklearn.py",
    "tests/stats/test_against_others.py",
    "tests/stats/test_degenerate.py",
    "tests/stats/test_posterior.py",
    "tests/stats/test_power.py",
    "tests/test_benchmarks.py",
    "tests/test_docstrings.py",
    "tests/test_load.py",
    "tests/test_tukey_over_folds.py",
)


def pytest_collection_modifyitems(items):
    """Coverage does not count simulations, pages, and tests of what others cover."""
    for item in items:
        uncounted = item.nodeid.startswith(_UNCOUNTED) or item.path.suffix == ".rst"
        if uncounted or item.get_closest_marker("calibration"):
            item.add_marker("no_cover")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give all tests of a file to one worker: what they share is made once."""
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)


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
