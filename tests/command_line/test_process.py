"""The command line as a process: full disks, interrupts, closed pipes, removed folders."""

import os
import signal
import subprocess
import sys

import pytest

from skcvstats.fitting import FitStore
from tests import processes
from tests.conftest import needs_posix

pytestmark = pytest.mark.processes
QUICK = ["compare", "--data", "iris", "--n-splits", "2", "--csv"]


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from skcvstats.command_line import main; main(['compare', '--help']);"
        "heavy = {'numpy', 'sklearn', 'pandas'} & set(sys.modules);"
        "print(sorted(heavy), file=sys.stderr)"
    )
    told = processes.run(["-c", code])
    assert (told.returncode, told.stderr) == (0, "[]\n")
    assert "usage" in told.stdout


@needs_posix
def test_interrupted(tmp_path):
    table = tmp_path / "table.csv"
    words = ["compare", "--n-splits", 2000, "--csv", table, "--verbose"]
    process = processes.start(
        ["-m", "skcvstats", *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    shown = process.stderr.read(150)  # more than one line
    assert "/6000" in shown, "fits are running"
    os.kill(process.pid, signal.SIGINT)
    error, out = process.stderr.read(), process.stdout.read()
    assert process.wait(600) == 2
    processes.end(process)
    assert out == ""
    assert error.splitlines()[-1].startswith("skcvstats: interrupted")
    assert "Traceback" not in error
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["compare --data iris --n-splits 2", "store {}/fits.db"])
def test_closed_pipe(tmp_path, command):
    FitStore(tmp_path / "fits.db").close()
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as out:
        words = ["-m", "skcvstats", *command.format(tmp_path).split()]
        process = processes.start(words, stdout=out, stderr=subprocess.PIPE)
    error = process.stderr.read()
    assert process.wait(600) == 2
    processes.end(process)
    assert error == "skcvstats: the reader of the output closed it\n"


REMOVES_ITS_FOLDER = """
import os, sys
from skcvstats.command_line import main
os.rmdir(os.getcwd())
sys.exit(main(sys.argv[1:]))
"""


@needs_posix
def test_removed_working_directory(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    while_it_runs = processes.run(["-c", REMOVES_ITS_FOLDER, *QUICK, "table.csv"], cwd=gone)
    gone.mkdir()
    script = f"cd {gone}; rmdir {gone}; exec {sys.executable} -P -m skcvstats compare --data n.csv"
    env = os.environ | {"PYTHONPATH": str(processes.ROOT)}
    from_the_start = subprocess.run(["sh", "-c", script], capture_output=True, text=True, env=env)
    for told in (while_it_runs, from_the_start):
        assert told.returncode == 2
        assert told.stderr.count("\n") == 1, told.stderr
