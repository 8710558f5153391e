"""`import skcvstats` against `import sklearn.model_selection`, in interpreters of their own."""

import subprocess
import sys
from pathlib import Path
from statistics import median

from ._timing import seconds

OURS, THEIRS = "import skcvstats", "import sklearn.model_selection"


def import_seconds(repeat=15):
    """Return the median times of both, taken by turns."""

    def run(code):
        subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[1], check=True)

    run(OURS)  # warm: files are read, bytecode is written
    pairs = [(seconds(lambda: run(OURS)), seconds(lambda: run(THEIRS))) for _ in range(repeat)]
    return median(ours for ours, _ in pairs), median(theirs for _, theirs in pairs)


class Import:
    """What the import of skcvstats costs; the interpreter's start counts on both sides."""

    timeout = 300

    def track_ratio(self):
        ours, theirs = import_seconds()
        return ours / theirs

    def track_seconds_more(self):
        ours, theirs = import_seconds()
        return ours - theirs


Import.track_ratio.unit = "x the import of sklearn.model_selection"
Import.track_seconds_more.unit = "s, at most .2"
