"""The measured points as a page: cost against size, and the efficiency at two jobs."""

import csv
from itertools import pairwise

from .curves import N_FITS

HEAD = """\
Load
====

What a call costs against its size: one run each, every point in its own process, on 2 cores. Growth
is the factor of the time over the factor of the size: 1 means in proportion. At 2 jobs the time
includes the start of the workers, except in the last table, where workers are warm.
``python -m benchmarks.load points.csv`` makes this page. Why curves bend: `README <README.rst>`_.
"""


def page(path):
    """Return the page.

    Parameters
    ----------
    path : Path
        The CSV file of the points.
    """
    points = {}
    with path.open(newline="") as file:
        for curve, size, n_jobs, seconds, _, peak in csv.reader(file):
            points[curve, int(n_jobs), int(size)] = float(seconds), float(peak)
    parts = [HEAD]
    for curve in dict.fromkeys(curve for curve, _, _ in points if not curve.startswith("trees")):
        for n_jobs in (1, 2):
            sizes = [size for name, jobs, size in points if (name, jobs) == (curve, n_jobs)]
            if sizes:
                rows = [(size, *points[curve, n_jobs, size]) for size in sorted(sizes)]
                parts.append(_curve(f"{curve}, {n_jobs} job{'s' * (n_jobs > 1)}", curve, rows))
    return "\n".join([*parts, _efficiency(points)])


def _curve(title, curve, rows):
    growth = [""] + [f"{(b[1] / a[1]) / (b[0] / a[0]):.2f}" for a, b in pairwise(rows)]
    cells = [
        [f"{size:,}", f"{seconds:.3g}", f"{1000 * seconds / size:.3g}", grown, f"{peak:.0f}"]
        for (size, seconds, peak), grown in zip(rows, growth, strict=True)
    ]
    return _table(title, [curve, "seconds", "ms for each", "growth", "peak, MB"], cells)


def _efficiency(points):
    """Return how 2 jobs compare with half of one job's time, and with joblib's bare loop."""
    cells = []
    for size in sorted(size for name, jobs, size in points if (name, jobs) == ("trees", 2)):
        try:
            one, two = (points["trees", n_jobs, size][0] for n_jobs in (1, 2))
            bare_one, bare = (points["trees, bare loop", n_jobs, size][0] for n_jobs in (1, 2))
        except KeyError:
            continue
        milliseconds = 1000 * bare_one / N_FITS
        cells.append(
            [f"{size:,}", f"{milliseconds:.0f}", f"{one / two / 2:.2f}", f"{bare / two:.2f}"]
        )
    head = [
        "trees",
        "ms a fit",
        "of twice the speed at 1 job",
        "of joblib's bare loop (wanted: .85)",
    ]
    return _table(f"Efficiency at 2 jobs, {N_FITS} fits of forests", head, cells)


def _table(title, head, rows):
    lines = [title, "-" * len(title), "", ".. list-table::", "   :header-rows: 1", ""]
    for row in [head, *rows]:
        lines += [f"   {'*' if k == 0 else ' '} - {cell}" for k, cell in enumerate(row)]
    return "\n".join([*lines, ""])
