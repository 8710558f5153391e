"""What holds for tests and doctests alike, however few of them are run."""

import os
import signal

import pytest

# Before NumPy is imported: on small data BLAS threads cost ten times what they save.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# No window opens where a page draws.
os.environ.setdefault("MPLBACKEND", "agg")

# A shell lets what it runs in the background ignore interrupts, and so would all processes that
# tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark the page that starts a cluster, and take pages first: one is a test that takes long."""
    for item in items:
        if item.path.name == "many_machines.rst":
            item.add_marker("processes")
    items.sort(key=lambda item: item.path.suffix != ".rst")
