"""Max-t of many models and a bootstrap are interrupted."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from tests.processes import end, start


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to another process there")
@pytest.mark.parametrize("what", ["max_t", "bootstrap"])
def test_interrupt_leaves_at_once(what):
    """What would take an hour ends, though nobody else ends it within two minutes."""
    module = ["-m", "tests.comparison.interrupted", what]
    process = start(module, stdout=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"})
    guard = threading.Timer(120, process.kill)
    guard.start()
    try:
        assert process.stdout.readline() == "started\n"
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.read() == "interrupted\n"
        assert process.wait() == 0
    finally:
        guard.cancel()
        end(process)
