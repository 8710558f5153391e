"""What calls with worker processes raise, while the tests keep their own workers."""

import pickle
import tempfile
from pathlib import Path

from tests.preloaded import run

CODE = """
import pickle
from pathlib import Path

function, arguments, options = pickle.loads(Path("call").read_bytes())
try:
    function(*arguments, **options)
except BaseException as error:
    Path("raised").write_bytes(pickle.dumps(error))
"""


def call_apart(function, *arguments, n_jobs, **options):
    """Call a function that raises an exception; with jobs, in a process whose workers are forks.

    An exception ends loky's workers, and those that the next test would start take seconds.
    """
    options["n_jobs"] = n_jobs
    if n_jobs == 1:
        return function(*arguments, **options)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "call").write_bytes(pickle.dumps((function, arguments, options)))
        run(["-c", CODE], cwd=folder, forks=True, check=True)
        raise pickle.loads(Path(folder, "raised").read_bytes())
