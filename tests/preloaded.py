"""Python processes that need not import everything first: copies of a server that has done so.

Scientific packages take a second and more to import, which most processes of the tests would only
wait for. Where the start of the interpreter is what is tested, `subprocess` is the means.
"""

import atexit
import functools
import gc
import itertools
import multiprocessing.util
import os
import pickle
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
import types
import warnings
from contextlib import suppress
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRELOADED = (
    *("numpy", "pandas", "scipy.stats", "sqlite3", "joblib", "joblib.externals.loky", "psutil"),
    *("sklearn.datasets", "sklearn.ensemble", "sklearn.linear_model", "sklearn.model_selection"),
    *("sklearn.naive_bayes", "sklearn.neighbors", "sklearn.pipeline", "sklearn.tree"),
    *("skcvstats.fitting", "skcvstats.model_selection"),
    *("skcvstats.simulation", "skcvstats.command_line", "skcvstats.words"),
)
LOKY = "joblib.externals.loky"
# For what skcvstats itself imports, and when.
OTHERS_ONLY = ("sklearn.model_selection",)


def start(arguments, *, preloaded=PRELOADED, forks=False, **options):
    """Start Python with these arguments, in a session of its own.

    Parameters
    ----------
    arguments : sequence of str
        ``-m`` and a module, or ``-c`` and code, or a script, and what follows.
    preloaded : tuple of str, default=PRELOADED
        The modules that are imported already.
    forks : bool, default=False
        Whether loky's workers, and its tracker, are copies of the process as well, so that they
        are there at once.
    **options
        `cwd`, `env`, `stdout`, `stderr` and `preexec_fn`, as for `subprocess.Popen`; pipes are
        read as text. The paths in `env` must be those of here.
    """
    if sys.platform != "linux":
        options["env"] = {**(options.get("env") or os.environ), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, *map(str, arguments)]
        return subprocess.Popen(command, text=True, start_new_session=True, **options)
    return Preloaded(arguments, server(preloaded), forks=forks, **options)


def run(arguments, *, timeout=120, check=False, **options):
    """Return what `subprocess.run` does of the process, with its output as text."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = start(arguments, stdout=out, stderr=err, **options)
        try:
            process.wait(timeout)
        finally:
            end(process)
        for file in (out, err):
            file.seek(0)
        done = subprocess.CompletedProcess(arguments, process.returncode, out.read(), err.read())
    assert not check or done.returncode == 0, done.stderr
    return done


def end(process):
    """End a process and all that it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


class Preloaded:
    """A process as of `subprocess.Popen`."""

    def __init__(
        self,
        arguments,
        server,
        *,
        cwd=None,
        env=None,
        stdin=None,
        stdout=None,
        stderr=None,
        **options,
    ):
        self.returncode = None
        request = options | {
            "arguments": list(map(str, arguments)),
            "cwd": str(cwd or os.getcwd()),
            "env": dict(os.environ if env is None else env),
        }
        self._answers, theirs = socket.socketpair()
        self.stdout, out = _opened(stdout, 1)
        self.stderr, err = _opened(stderr, out if stderr == subprocess.STDOUT else 2)
        given = [os.dup(stdin.fileno()) if stdin else os.open(os.devnull, os.O_RDONLY), out, err]
        socket.send_fds(server, [b"+"], [theirs.fileno(), *given])
        for file in given:
            os.close(file)
        theirs.close()
        self._answers.sendall(pickle.dumps(request))
        self._answers.shutdown(socket.SHUT_WR)
        self._lines = self._answers.makefile()
        self.pid = int(self._lines.readline())

    def kill(self):
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def poll(self):
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout=None):
        if self.returncode is None:
            if not select.select([self._answers], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a preloaded process", timeout)
            self.returncode = int(self._lines.readline())
            self._lines.close()
            self._answers.close()
        return self.returncode


def _opened(file, usual):
    """Return the end of a pipe that is read here, if any, and what the process writes to."""
    if file == subprocess.PIPE:
        mine, theirs = os.pipe()
        return open(mine), theirs
    if file == subprocess.DEVNULL:
        return None, os.open(os.devnull, os.O_WRONLY)
    return None, os.dup(usual if file in (None, subprocess.STDOUT) else file.fileno())


@functools.cache
def server(preloaded):
    """Start a server, which ends with this process; return the connection to it.

    It is itself a copy of the server that has imported `OTHERS_ONLY`.
    """
    mine, theirs = socket.socketpair()
    code = "import sys; from tests.preloaded import serve; serve(*sys.argv[1:])()"
    arguments = ["-c", code, *preloaded]
    options = {
        "stdin": theirs,
        "stdout": subprocess.DEVNULL,
        "cwd": ROOT,
        "env": os.environ | {"PYTHONPATH": str(ROOT)},
    }
    if preloaded == OTHERS_ONLY:
        command = [sys.executable, *arguments]
        process = subprocess.Popen(command, start_new_session=True, **options)
    else:
        process = Preloaded(arguments, server(OTHERS_ONLY), forks=False, **options)
    theirs.close()
    atexit.register(lambda: (mine.close(), process.wait()))
    return mine


def serve(*preloaded):
    """Copy this process for each request from stdin; in a copy, return what it is to do."""
    for name in preloaded:
        import_module(name)
    gc.collect()
    gc.freeze()
    requests = socket.socket(fileno=os.dup(0))
    while True:
        begun, files, *_ = socket.recv_fds(requests, 1, 4)
        if not begun:
            return sys.exit
        if os.fork() == 0:
            return keep(*files)
        for file in files:
            os.close(file)
        with suppress(ChildProcessError):  # those that have ended
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def keep(answers, *files):
    """Start the process that was asked for, and tell of its beginning and end."""
    request = pickle.loads(b"".join(iter(lambda: os.read(answers, 65536), b"")))
    pid = os.fork()
    if pid == 0:
        return prepared(files, **request)
    for file in files:
        os.close(file)
    with suppress(BrokenPipeError):  # nobody waits for it
        os.write(answers, b"%d\n" % pid)
        os.write(answers, b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    os._exit(0)


def prepared(files, arguments, cwd, env, forks, preexec_fn=None):
    """Make this process as a fresh one would be; return what runs its program."""
    os.setsid()
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    tempfile.tempdir = None
    import_module("numpy").random.seed()
    if forks:
        start_copies()
    if preexec_fn is not None:
        preexec_fn()
    return program(arguments)


def program(arguments):
    """Return what runs the program that Python is given by these arguments."""
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    if arguments[0] == "-m":
        sys.path[0], sys.argv = os.getcwd(), arguments[1:]
        return lambda: runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    if arguments[0] == "-c":
        sys.path[0], sys.argv = "", ["-c", *arguments[2:]]
        return lambda: exec(arguments[1], vars(main))
    sys.argv = arguments
    script = main.__file__ = os.path.abspath(arguments[0])
    sys.path[0] = os.path.dirname(script)
    return lambda: exec(compile(Path(script).read_bytes(), script, "exec"), vars(main))


def start_copies():
    """Have multiprocessing and loky copy this process where they would start an interpreter."""
    filters = warnings.filters[:]

    def fork_exec(command, files, env=None):
        pid = os.fork()
        if pid:
            return pid
        status = 1
        try:
            kept = [*sorted({0, 1, 2, *map(int, files)}), os.sysconf("SC_OPEN_MAX")]
            for file, following in itertools.pairwise(kept):
                os.closerange(file + 1, following)
            os.environ.update(env or {})
            signal.signal(signal.SIGINT, signal.default_int_handler)
            warnings.filters[:] = filters
            # Neither the parent's pool nor its trackers are those of a fresh process.
            sys.modules.pop(f"{LOKY}.backend.popen_loky_posix", None)  # runpy would warn
            import_module(f"{LOKY}.reusable_executor")._executor = None
            for tracker in ("multiprocessing", f"{LOKY}.backend"):
                import_module(f"{tracker}.resource_tracker")._resource_tracker._fd = None
            if "resource_tracker" in " ".join(command):  # its command line is the parent's
                Path("/proc/self/comm").write_text("resource_tracker")
            program(command[min(map(command.index, {"-c", "-m"} & set(command))) :])()
            status = 0
        except SystemExit as end:
            status = end.code or 0
        except BaseException:
            traceback.print_exc()
        finally:
            if not sys.stdout.closed:  # a tracker closes it
                sys.stdout.flush()
            os._exit(status)

    import_module(f"{LOKY}.backend.fork_exec").fork_exec = fork_exec
    multiprocessing.util.spawnv_passfds = lambda path, *arguments: fork_exec(*arguments)
