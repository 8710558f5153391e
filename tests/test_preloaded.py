"""Preloaded processes are as fresh ones, and what ends them is told."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.preloaded import end, run, start

ROOT = Path(__file__).parents[1]
SHOWN = """
import os, random, resource, signal, sys, tempfile, threading
main = sys.modules["__main__"]
spec = main.__spec__ and main.__spec__.name
print(__name__, getattr(main, "__file__", None), spec, vars(main) is globals())
print(sys.argv, sys.path[0], os.getcwd(), os.environ["HOME"], os.environ.get("NEW"))
print([signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)])
print(threading.active_count(), tempfile.gettempdir(), os.getsid(0) == os.getpid())
print(sorted(os.listdir("/proc/self/fd"))[:3], len(os.listdir("/proc/self/fd")))
print(resource.getrlimit(resource.RLIMIT_CORE), "ä", file=sys.stderr)
"""


def no_core():
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere they are fresh")
@pytest.mark.parametrize("how", ["script", "module", "code"])
def test_they_are_as_fresh_ones(how, tmp_path):
    (tmp_path / "shown.py").write_text(SHOWN)
    arguments = {"script": ["shown.py"], "module": ["-m", "shown"], "code": ["-c", SHOWN]}[how]
    options = {
        "cwd": tmp_path,
        "env": os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path), "NEW": "1"},
        "preexec_fn": no_core,
    }
    ours = run([*arguments, "a", "-b"], **options)
    theirs = subprocess.run(
        [sys.executable, *arguments, "a", "-b"],
        capture_output=True,
        text=True,
        start_new_session=True,
        **options,
    )
    assert ours.stdout.splitlines() == theirs.stdout.splitlines()
    assert (ours.stderr, ours.returncode) == (theirs.stderr, theirs.returncode)


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        ("raise SystemExit(3)", 3, ""),
        ("import sys; sys.exit('no')", 1, "no\n"),
        ("1 / 0", 1, "ZeroDivisionError"),
        ("import atexit; atexit.register(print, 'end')", 0, "end\n"),
        ("import os; os._exit(4)", 4, ""),
        ("raise KeyboardInterrupt", -signal.SIGINT, "KeyboardInterrupt"),
        ("import os; os.kill(os.getpid(), 9)", -signal.SIGKILL, ""),
    ],
)
def test_how_they_end_is_told(code, status, said):
    done = run(["-c", code])
    assert done.returncode == status
    assert said in done.stdout + done.stderr


def test_several_at_once_draw_numbers_of_their_own():
    code = "import random, numpy; print(random.random(), numpy.random.rand()); input()"
    processes = [start(["-c", code], stdout=subprocess.PIPE) for _ in range(3)]
    lines = [one.stdout.readline().split() for one in processes]
    for one in processes:
        one.wait(20)
        assert one.returncode == 1  # there is no input
        end(one)
    assert len({number for line in lines for number in line}) == 6


def test_one_that_runs_is_ended_with_what_it_started():
    code = "import os, time; os.fork(); os.write(1, b'%d\\n' % os.getpid()); time.sleep(60)"
    process = start(["-c", code], stdout=subprocess.PIPE)
    assert process.pid in {int(process.stdout.readline()) for _ in range(2)}
    assert process.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.01)
    with open(os.dup(process.stdout.fileno())) as output:
        end(process)
        assert output.read() == ""  # nobody has it open
    assert process.returncode == process.poll() == -signal.SIGKILL


WORKERS = """
import joblib, multiprocessing, os, sys

def seen(file):
    main = sys.modules["__main__"].__spec__.name.rpartition(".")[2]
    there = ["skcvstats.simulation" in sys.modules, os.path.exists(f"/proc/self/fd/{file}")]
    return (*there, main, sys.argv, multiprocessing.parent_process().pid == os.getppid())

if __name__ == "__main__":
    file = os.dup2(0, 99)
    with joblib.parallel_config("loky"):
        print(*joblib.Parallel(2)([joblib.delayed(seen)(file)]))
"""


def test_workers_may_be_copies_with_nothing_of_their_parent():
    done = run(["-c", WORKERS, "word"], forks=True)
    assert done.stdout == "(True, False, 'popen_loky_posix', ['-c', 'word'], True)\n", done.stderr
