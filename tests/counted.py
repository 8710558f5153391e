"""What coverage counts: the import of the package, and most of the tests, but no doctests.

While coverage runs, Python is two to three times as slow, pytest and its collection of the tests
included. So it runs in tests and fixtures only, and only where they cover what others do not.
"""

import importlib
import pkgutil
import sys
from contextlib import contextmanager

import pytest

# Other tests cover what these run, but for about 200 of 33,000 branches.
_UNCOUNTED = (
    *("README.rst", "doc/", "skcvstats/"),
    "tests/command_line/test_fuzz.py",
    "tests/command_line/test_gate.py",
    "tests/command_line/test_transcript.py",
    "tests/comparison/test_json.py",
    "tests/comparison/test_max_t",
    "tests/comparison/test_printed.py",
    "tests/comparison/test_simultaneous.py",
    "tests/fitting/test_against_cross_validate.py",
    "tests/fitting/test_data_in_workers.py",
    "tests/fitting/test_left_alone.py",
    "tests/fitting/test_splits.py",
    "tests/fitting/test_workers.py",
    "tests/hostile/test_stores.py",
    "tests/model_selection/test_notes_on_all_roads.py",
    "tests/model_selection/test_predictions_edges.py",
    "tests/model_selection/test_procedures.py",
    "tests/model_selection/test_refit.py",
    "tests/plotting/test_page.py",
    "tests/plotting/test_room.py",
    "tests/splitters/test_contract.py",
    "tests/splitters/test_draws.py",
    "tests/splitters/test_in_sklearn.py",
    "tests/stats/test_against_others.py",
    "tests/stats/test_degenerate.py",
    "tests/stats/test_oracles.py",
    "tests/stats/test_posterior.py",
    "tests/stats/test_power.py",
    "tests/test_docstrings.py",
)

_measuring = None


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Import the package, stop coverage, and collect."""
    global _measuring
    coverage = sys.modules.get("coverage")
    # Contexts of coverage can be switched only while it runs.
    if coverage and not session.config.getoption("cov_context", None):
        _measuring = coverage.Coverage.current()
    if _measuring:
        # The process that gives xdist's workers their tests runs none.
        if not session.config.pluginmanager.hasplugin("dsession"):
            _import_package()
        _measuring.stop()
    return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_fixture_setup(request):
    """Count what a fixture runs."""
    with _counted(request.node):
        return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item):
    """Count what a test runs."""
    with _counted(item):
        return (yield)


@contextmanager
def _counted(node):
    left = node.nodeid.startswith(_UNCOUNTED) or node.get_closest_marker("calibration")
    if not _measuring or left or _runs():
        yield
        return
    _measuring.start()
    try:
        yield
    finally:
        _measuring.stop()


def _runs():
    return type(_measuring).current() is _measuring


def _import_package():
    import skcvstats

    for name in skcvstats.__all__:
        getattr(skcvstats, name)
    for module in pkgutil.walk_packages(skcvstats.__path__, "skcvstats."):
        importlib.import_module(module.name)
