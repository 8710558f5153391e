"""The measured points as a page: cost against size, and the efficiency at two jobs."""

import csv
from itertools import pairwise

HEAD = """\
Load
====

What a call costs against its size, one run each, every point in a process of its own. Growth is how
much the time grew by for the growth of the size: 1 is in proportion. ``python -m benchmarks.load``
makes this page. At 2 jobs the time includes the start of the workers, but for the last two tables,
which are of warm workers (the median of three calls after a first one).
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
    for curve in dict.fromkeys(curve for curve, _, _ in points):
        for n_jobs in (1, 2):
            sizes = [size for name, jobs, size in points if (name, jobs) == (curve, n_jobs)]
            if sizes:
                rows = [(size, *points[curve, n_jobs, size]) for size in sorted(sizes)]
                parts.append(_curve(f"{curve}, {n_jobs} job{'s' * (n_jobs > 1)}", curve, rows))
    parts.append(_efficiency(points))
    return "\n".join(parts)


def _curve(title, curve, rows):
    growth = [""] + [f"{(b[1] / a[1]) / (b[0] / a[0]):.2f}" for a, b in pairwise(rows)]
    cells = [
        [f"{size:,}", f"{seconds:.3g}", f"{1000 * seconds / size:.3g}", grown, f"{peak:.0f}"]
        for (size, seconds, peak), grown in zip(rows, growth, strict=True)
    ]
    return _table(title, [curve, "seconds", "ms for each", "growth", "peak, MB"], cells)


def _efficiency(points):
    """Return how the time at two jobs compares with half of one job's, and with joblib's own."""
    cells = []
    for size in sorted(size for name, jobs, size in points if (name, jobs) == ("ms a fit", 2)):
        try:
            one, two = (points["ms a fit", n_jobs, size][0] for n_jobs in (1, 2))
            bare = points["ms a fit, bare loop", 2, size][0]
        except KeyError:
            continue
        cells.append([f"{size:,}", f"{one / two / 2:.2f}", f"{bare / two:.2f}"])
    head = ["ms a fit", "of half the time at 1 job", "of joblib's bare loop (wanted: .85)"]
    return _table("Efficiency at 2 jobs", head, cells)


def _table(title, head, rows):
    lines = [title, "-" * len(title), "", ".. list-table::", "   :header-rows: 1", ""]
    for row in [head, *rows]:
        lines += [f"   {'*' if k == 0 else ' '} - {cell}" for k, cell in enumerate(row)]
    return "\n".join([*lines, ""])
