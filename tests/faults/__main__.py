"""Print the table of faults: each case under each backend, in a process of its own.

Usage: ``python -m tests.faults [part of a case's name]``; all of them take ten minutes.
"""

import re
import sys
import tempfile
from pathlib import Path

from tests.faults.cases import BACKENDS, CASES
from tests.faults.observe import observe
from tests.faults.surroundings import CannotBeMade


def row(name, backend):
    """Return a row of the table."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            seen = observe(name, backend, Path(folder))
        except CannotBeMade as error:
            return [name, backend, f"not run: {error}", "", "", ""]
    verdict = "" if re.search(CASES[name].wants(backend), seen.outcome) else "NOT AS WANTED: "
    return [
        name,
        backend,
        verdict + seen.outcome,
        f"{seen.seconds:.1f}",
        str(seen.orphans),
        ", ".join(seen.left) or "0",
    ]


if __name__ == "__main__":
    chosen = sys.argv[1] if len(sys.argv) > 1 else ""
    print("case", "backend", "outcome", "seconds", "orphans", "files left", sep=" | ")
    for name in CASES:
        for backend in BACKENDS:
            if chosen in name:
                print(*row(name, backend), sep=" | ", flush=True)
