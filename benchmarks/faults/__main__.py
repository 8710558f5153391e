"""Run each case under each backend, in a process of its own, and print the table of faults.

Usage: ``python -m benchmarks.faults > benchmarks/faults.rst``. It takes six
minutes on a quiet machine.
"""

import re
import tempfile
from pathlib import Path

from benchmarks.faults.cases import BACKENDS, CASES
from benchmarks.faults.observe import observe
from benchmarks.faults.surroundings import CannotBeMadeError

COLUMNS = ("case", "backend", "outcome", "seconds", "gone after", "orphans", "files left")
HEAD = """\
Faults
======

Each case is a comparison of a good and a bad estimator on 6 splits. It runs in its own process,
under three of joblib's backends with two workers (one for ``sequential``). The multiprocessing
backend is not listed, because loky replaces it. ``python -m benchmarks.faults`` makes this table,
and ``benchmarks/faults`` tests it.

outcome
    The last line that was printed, with its notes.
seconds
    From the signal to the end of the call; without a signal, the whole call. With loky this
    includes the start of its workers. If the signal ends the parent, the seconds end when its
    workers have ended.
gone after
    Seconds from the end of the process until everything that it had started was gone.
orphans, files left
    Processes and files that remained.

Without worker processes, a crash in compiled code, a SIGKILL, or a file that is truncated while it
is mapped ends the interpreter, and nothing can report it.
"""


def row(name, backend):
    """Return a row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            seen = observe(name, backend, Path(folder))
        except CannotBeMadeError as error:
            return [name, backend, f"not run: {error}", "", "", "", ""]
    verdict = "" if re.search(CASES[name].wants(backend), seen.outcome) else "NOT AS WANTED: "
    return [
        name,
        backend,
        verdict + seen.outcome.replace(folder, "..."),
        f"{seen.seconds:.1f}",
        f"{seen.gone:.1f}",
        str(seen.orphans),
        ", ".join(seen.left) or "0",
    ]


def table():
    """Return all rows as a page."""
    lines = [HEAD, ".. list-table::", "   :header-rows: 1", ""]
    for cells in [COLUMNS, *(row(name, backend) for name in CASES for backend in BACKENDS)]:
        first, *others = (cell.replace("*", r"\*").replace("`", r"\`") for cell in cells)
        lines += [f"   * - {first}", *(f"     - {cell}" for cell in others)]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
