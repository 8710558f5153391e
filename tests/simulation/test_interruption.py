"""An interrupted study in threads: it returns at once, and nothing more is begun."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import needs_posix
from tests.processes import end, start

ROOT = Path(__file__).parents[2]


@pytest.mark.faults
@needs_posix
def test_interrupted_threads_finish_their_data_sets_and_begin_no_other(tmp_path):
    free = tmp_path / "free"
    process = start(["-m", "tests.simulation.interrupted", free], stdout=subprocess.PIPE, cwd=ROOT)
    try:
        for _ in range(2):  # both threads are busy
            assert process.stdout.readline() == "started\n"
        time.sleep(0.2)
        os.kill(process.pid, signal.SIGINT)
        note = process.stdout.readline()  # the call ends while they are busy
        free.touch()
        n_begun, begun_at_last, n_ended, n_threads = map(int, process.stdout.readline().split())
    finally:
        end(process)
    assert re.search(
        r"of 60 data sets were finished.*; 2 data sets are still running in worker threads", note
    )
    assert begun_at_last == n_ended == n_begun
    assert n_threads == 1
