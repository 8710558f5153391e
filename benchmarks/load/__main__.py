"""Measure what a call costs against its size, each point in a process of its own.

Usage: ``python -m benchmarks.load FILE.csv > benchmarks/load.rst``. Points go to the file as
they come; those that are there are not measured again. With three arguments, a curve, a size and a
number of jobs, it measures that point and prints its row.
"""

import csv
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from .._timing import seconds
from ..bench_memory import peak_mb
from .curves import CURVES
from .page import page

ROOT = Path(__file__).parents[2]


def point(curve, size, n_jobs):
    """Return the seconds of a call, the first one's, and the peak of memory in MB."""
    make, _, _, repeat = CURVES[curve]
    call = make(size, n_jobs)
    first = []
    peak = peak_mb(lambda: first.append(seconds(call)))
    again = [seconds(call) for _ in range(repeat - 1)]
    return median(again or first), first[0], peak


def measure(path):
    """Measure the points that the file lacks."""
    path.touch()
    with path.open(newline="") as file:
        done = {tuple(row[:3]) for row in csv.reader(file)}
    for curve, (_, sizes, jobs, _) in CURVES.items():
        for size in sizes:
            for n_jobs in jobs:
                key = (curve, str(size), str(n_jobs))
                if key not in done:
                    _measure_one(path, key)


def _measure_one(path, key):
    print(*key, file=sys.stderr, flush=True)
    finished = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", *key],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        start_new_session=True,  # its memory is that of the whole group
    )
    with path.open("a") as file:
        file.write(finished.stdout)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        measure(Path(sys.argv[1]))
        print(page(Path(sys.argv[1])))
    else:
        curve, size, n_jobs = sys.argv[1:]
        values = point(curve, int(size), int(n_jobs))
        csv.writer(sys.stdout).writerow([curve, size, n_jobs, *(f"{x:.4g}" for x in values)])
