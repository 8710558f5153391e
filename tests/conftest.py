"""Fixtures and helpers that several test modules share."""

import gc
import importlib
import json
import os
import pkgutil
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import skcvstats

# Before they are imported: a helper's failed assertion shows its values, as a test's does.
pytest.register_assert_rewrite("tests.fitting.against_sklearn")

# The same examples every time and no time limit, so that a failure is the change's and can be
# reproduced.
options = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("reproducible", derandomize=True, max_examples=50, **options)
settings.load_profile("reproducible")

# Windows has neither named pipes nor sessions of processes nor most signals.
_POSIX = hasattr(os, "mkfifo")
needs_posix = pytest.mark.skipif(not _POSIX, reason="needs pipes and signals as of POSIX")

GOLDEN = Path(__file__).parent / "golden"


def every(n, cases):
    """Return parameters of a test: each n-th case, and the others marked as slow."""
    tuples = [case if isinstance(case, tuple) else (case,) for case in cases]
    slow = pytest.mark.slow
    return [pytest.param(*case, marks=[slow] * (k % n > 0)) for k, case in enumerate(tuples)]


def ignoring(*names):
    """Return a mark that ignores our warnings of these names, such as "SplitDesign"."""
    warnings = (f"ignore::skcvstats.exceptions.{name}Warning" for name in names)
    return pytest.mark.filterwarnings(*warnings)


def golden_cases(name):
    """Read the cases of a golden file."""
    return json.loads((GOLDEN / f"{name}.json").read_text())["cases"]


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Collect without coverage and the search for garbage, with which it takes twice as long."""
    counting = sys.modules.get("coverage") and sys.modules["coverage"].Coverage.current()
    if counting:
        # xdist gives workers their tests from a process that runs none
        if not session.config.pluginmanager.hasplugin("dsession"):
            for module in pkgutil.walk_packages(skcvstats.__path__, "skcvstats."):
                importlib.import_module(module.name)
        counting.stop()
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        if counting:
            counting.start()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Look for tests only: no docstring of the tests has examples, and looking takes a second."""
    return [found for found in (yield) if type(found) is pytest.Module]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give all tests of a file to one worker, in their order: what they share is made once."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False  # else long files of few tests would be the last
    return LoadFileScheduling(config, log)
