"""The process that fits for a gate: no fault of an estimator passes, and all it says arrives."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stdout, suppress

import psutil
import pytest

from skcvstats.command_line import main
from skcvstats.command_line._child import _end_with_parent
from tests import processes
from tests.command_line.test_process import QUICK
from tests.conftest import needs_posix

pytestmark = pytest.mark.processes

START = """
import atexit, os, signal, subprocess, sys, threading, time
from contextlib import suppress
from pathlib import Path
from sklearn.dummy import DummyClassifier

class Model(DummyClassifier):
    def fit(self, X, y):
        Path("began").touch()
        return super().fit(X, y)
"""
IN_FIT = f"""{START}
def write_everywhere():
    for k in range(3, 300):
        with suppress(OSError):
            if not os.path.isfile(f"/dev/fd/{{{{k}}}}"):
                os.write(k, b"PASS: not worse\\n")

class Faulty(Model):
    def fit(self, X, y):
        {{}}
        return super().fit(X, y)

model = Faulty()
"""
PASSES = 'print("PASS: not worse", flush=True); os._exit(0)'
# What an estimator does, and what is said of it.
IN_FITS = {
    "leaves with 0": (PASSES, "ended with the status 0, without scores. An estimator or a metric"),
    "sys.exit(0)": ("sys.exit(0)", "(SystemExit: 0); it must not call sys.exit"),
    "no Exception": ("raise type('Odd', (BaseException,), {})('a\\nb')", "unexpected Odd: a b"),
    "raises KeyboardInterrupt": ("raise KeyboardInterrupt", "interrupted"),
    "raises what cannot be told": (
        "raise type('Odd', (BaseException,), {'__str__': lambda self: os._exit(0)})",
        "ended with the status 0",
    ),
}
STAYS = "; time.sleep(60)"
ON_POSIX = {
    "SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", "was killed (SIGKILL), most often by the"),
    "SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM)", "ended by another program (SIGTERM)"),
    "SIGSEGV": ("os.kill(os.getpid(), signal.SIGSEGV)", "crashed in compiled code (SIGSEGV)"),
    "SIGINT": (f"os.kill(os.getpid(), signal.SIGINT){STAYS}", "interrupted"),
    "SIGINT to the parent": (f"os.kill(os.getppid(), signal.SIGINT){STAYS}", "interrupted"),
    "SIGTERM to the parent": (f"os.kill(os.getppid(), signal.SIGTERM){STAYS}", "interrupted: SIGT"),
    "closes its pipe": ("os.closerange(3, 300)", "without scores. An estimator or a metric must"),
    "closes it and stays": (f"os.closerange(3, 300){STAYS}", "closed its pipe, or wrote"),
    "leaves a fork behind, which contains the pipe": (
        "os.fork() or time.sleep(60); os.kill(os.getpid(), signal.SIGKILL)",
        "was killed (SIGKILL)",
    ),
    "writes into all that is open": ("write_everywhere()", "without scores"),
}
FAULTY = f"{START}\nclass Faulty(Model):\n    def {{}}\nmodel = Faulty()"
ELSEWHERE = {
    "when its file is run": f"{START}\n{PASSES}",
    "when it is made": f"{START}\nclass model(Model):\n    def __init__(self): {PASSES}",
    "when it is cloned": FAULTY.format(f"get_params(self, deep=True): {PASSES}"),
    "when it predicts": FAULTY.format(f"predict(self, X): {PASSES}"),
    "in a thread": f"{START}\ndef end():\n    time.sleep(0.2); {PASSES}\n"
    "threading.Thread(target=end, daemon=True).start()\n"
    + FAULTY.removeprefix(START).format("fit(self, X, y): time.sleep(60)"),
}
FAULTS = {
    **{f"{name} in fit": (IN_FIT.format(code), said) for name, (code, said) in IN_FITS.items()},
    **{name: (IN_FIT.format(code), said) for name, (code, said) in ON_POSIX.items()},
    **{name: (source, "ended with the status 0") for name, source in ELSEWHERE.items()},
}


def asked(folder, source, *further):
    """Return the arguments of a gate whose challenger is in a file."""
    names = ("--champion", "own.py:champion", "--challenger", "own.py:model", "--rule", "better")
    champion = "champion = DummyClassifier(strategy='uniform', random_state=0)"
    (folder / "own.py").write_text(f"{source}\n{champion}\n")
    return ["-m", "skcvstats", "gate", "--data", "iris", "--n-splits", "3", *names, *further]


@pytest.fixture
def gated(tmp_path, monkeypatch, capfd):
    """Run a gate whose challenger is in a file, here: its child is a process of its own."""

    def gated(source, *further):
        monkeypatch.chdir(tmp_path)
        status = main(asked(tmp_path, source, *further)[2:])
        return status, *capfd.readouterr()

    return gated


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_passes(tmp_path, fault, gated):
    if fault in ON_POSIX and sys.platform == "win32":
        pytest.skip("needs signals and files as of POSIX")
    source, said = FAULTS[fault]
    if "parent" in fault:
        told = processes.run(asked(tmp_path, source), cwd=tmp_path)
        status, out, err = told.returncode, told.stdout, told.stderr
    else:
        status, out, err = gated(source)
    assert (status, out) == (2, "")
    # The file runs once for each model, so two threads may print into one line.
    printed, last = err.rsplit("skcvstats: ", 1)
    assert not printed.replace("PASS: not worse", "").strip()
    assert said in last
    assert len(last.splitlines()) == 1


def test_no_fault_passes_with_two_jobs(gated):
    status, out, err = gated(IN_FIT.format(PASSES), "--n-jobs", "2")
    assert (status, out) == (2, "")
    # Processes that are killed with the fits may print before and after it.
    _, said = err.split("skcvstats: ")
    assert "call sys.exit" in said.splitlines()[0]
    assert "memory" not in said


KNN = ("--champion", "logistic", "--challenger", "knn", "--rule", "better")
PRINTS = """print("from Python"); os.write(1, b"from C\\n"); os.system("echo from a process")"""


@pytest.mark.parametrize("n_jobs", ["1", "2"])
def test_only_the_answer_is_on_standard_output(gated, n_jobs):
    status, out, err = gated(IN_FIT.format(PRINTS), "--json", "--verbose", "--n-jobs", n_jobs)
    assert json.loads(out)["exit_status"] == status != 2
    for line in ("from Python", "from C", "from a process"):
        assert err.count(line) == 3
    assert "/6" in err, "the progress of the fits"


@needs_posix
def test_prints_without_standard_error(tmp_path):
    arguments = [sys.executable, *asked(tmp_path, IN_FIT.format(PRINTS))]
    code = f"import os; os.close(2); os.execv({arguments[0]!r}, {arguments!r})"
    told = processes.run(["-c", code], cwd=tmp_path)
    assert told.returncode == 3
    assert told.stdout.startswith("UNDECIDED")
    assert told.stdout.count("\n") == 1


def test_notes_and_preparation_are_told(run, churn):
    """They reach the gate with the scores, as those of compare do."""
    data = ("--data", churn, "--target", "churned", "--n-splits", 2)
    told = json.loads(run("compare", *data, "--estimators", "logistic", "knn", "--json")[1])
    found = json.loads(run("gate", *data, *KNN, "--json")[1])
    for part in ("data", "columns", "notes"):
        assert found[part] == told[part] != []
    error = run("gate", *data, *KNN, "--explain")[2]
    assert "\ncustomer  left out  over 95 % of the texts differ" in error
    for line in found["data"]:
        assert f"data: {line}\n" in error


def test_report_and_store(run, breast_cancer, tmp_path):
    data = ("--data", breast_cancer, "--target", "target", "--n-splits", 3, *KNN)
    files = ("--report", tmp_path / "report.md", "--store", tmp_path / "fits")
    status, out, _ = run("gate", *data, *files)
    verdict, last = out.splitlines()
    report = (tmp_path / "report.md").read_text()
    assert report.startswith("# Evaluation report")
    assert f"{verdict}. This was decided by the rule better." in report
    assert last == f"Wrote the report to {tmp_path / 'report.md'}."
    again = run("gate", *data, *files[2:])
    assert again[:2] == (status, f"{verdict}\n")
    assert "6 fits" in run("store", tmp_path / "fits")[1]


def test_errors_of_the_fits_name_the_flag(run):
    unknown = (*KNN[:2], "--challenger", "nothing", *KNN[4:])
    assert "--challenger 'nothing'" in run("gate", "--data", "iris", *unknown)[2]
    assert "--seed -1 must be" in run("gate", "--data", "iris", *KNN, "--seed", "-1")[2]


def test_warnings_of_the_fits_are_told_once(tmp_path, gated):
    source = IN_FIT.format("import warnings; warnings.warn('odd\\nrows')")
    status, _, err = gated(source)
    assert status == 3
    assert err.count("skcvstats: UserWarning: odd rows (in 3 of 3 fits of model)\n") == 1
    told = processes.run(["-W", "error", *asked(tmp_path, source)], cwd=tmp_path)
    assert (told.returncode, told.stdout) == (2, "")
    assert "UserWarning: odd. Fix" in told.stderr  # the first of its two lines


def test_nothing_is_printed_if_the_pipe_is_closed_before_its_reader_begins():
    """Otherwise it would be a line beside the answer, and only sometimes."""
    assert _end_with_parent(-1) is None


def test_how_the_child_ends_after_the_scores_changes_nothing(gated):
    wanted = gated(f"{START}\nmodel = Model()")[:2]
    told = gated(f"{START}\natexit.register(lambda: os._exit(7))\nmodel = Model()")[:2]
    assert told == wanted != (2, "")


@needs_posix
def test_a_full_disk(run, tmp_path, monkeypatch, capfd):
    import resource

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # that of own.py would be cut, too
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    files, good = [tmp_path / "report.md", tmp_path / "table.csv"], f"{START}\nmodel = Model()"
    for file in files:
        file.write_text("as before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for call in (asked(tmp_path, good, "--report", files[0])[2:], [*QUICK, files[1]]):
        resource.setrlimit(resource.RLIMIT_FSIZE, (400, hard))
        try:
            status, out, error = run(*call)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert (status, out) == (2, "")
        assert "File too large" in error.splitlines()[-1]
    if os.path.exists("/dev/full"):
        with suppress(OSError), open("/dev/full", "w") as full, redirect_stdout(full):
            assert main(asked(tmp_path, good)[2:]) == 2  # closing it fails as well
        assert "No space left on device" in capfd.readouterr().err.splitlines()[-1]
    assert [file.read_text() for file in files] == ["as before"] * 2
    n_files = sum(file.is_file() for file in tmp_path.iterdir())
    assert n_files == 3 + (tmp_path / "began").exists()


@needs_posix
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL", "SIGTERM", "Ctrl-C"])
def test_no_orphan_is_left(tmp_path, name):
    """Whatever ends the gate while it fits, its child and workers end; Ctrl-C is sent to all."""
    source = IN_FIT.format("Path('began').touch(); time.sleep(60)")
    words = asked(tmp_path, source, "--n-jobs", "1" if name == "Ctrl-C" else "2")
    pipe = subprocess.PIPE
    process = processes.start(words, cwd=tmp_path, stdout=pipe, stderr=pipe)
    wait_for((tmp_path / "began").exists)
    below = psutil.Process(process.pid).children(recursive=True)
    sent = signal.SIGINT if name == "Ctrl-C" else getattr(signal, name)
    (os.killpg if name == "Ctrl-C" else os.kill)(process.pid, sent)
    status = process.wait(600)
    wait_for(lambda: not any(map(is_alive, below)))
    out, error = process.stdout.read(), process.stderr.read()
    processes.end(process)
    assert (status, out) == (-sent if name == "SIGKILL" else 2, "")
    if name != "SIGKILL":
        said = "interrupted: SIGTERM" if name == "SIGTERM" else "interrupted"
        assert f"skcvstats: {said}" in error.splitlines()
        assert "Traceback" not in error
    if name == "Ctrl-C":
        assert error == "skcvstats: interrupted\n"


def is_alive(process):
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_for(is_so):
    until = time.monotonic() + 600
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.parametrize("further", [("--margin", "1"), ("--report", "none/out.md")])
def test_nothing_is_fitted_before_the_arguments_are_checked(tmp_path, further, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert main(asked(tmp_path, IN_FIT.format("pass"), *further)[2:]) == 2
    out, error = capfd.readouterr()
    assert (out, error.count("\n")) == ("", 1)
    assert not (tmp_path / "began").exists()
