"""An interrupted study in threads: it returns at once, and nothing more is begun."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_interrupted_threads_finish_their_data_sets_and_begin_no_other():
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.simulation.interrupted", "6"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    try:
        for _ in range(2):  # both threads are busy
            assert process.stdout.readline() == "started\n"
        time.sleep(0.5)
        os.kill(process.pid, signal.SIGINT)
        interrupted = time.perf_counter()
        note = process.stdout.readline()
        waited = time.perf_counter() - interrupted
        n_begun, begun_at_last, n_ended, n_threads = map(int, process.stdout.readline().split())
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert re.search(
        r"of 60 data sets were finished.*; 2 data sets are still running in worker threads", note
    )
    assert waited < 3  # wanted is one second; the machine may be busy
    assert begun_at_last == n_ended == n_begun
    assert n_threads == 1
