"""Fit the estimators of a gate in a child process, from which only complete scores come back.

Notes
-----
An estimator can do anything to the process that it runs in: print a verdict, end it with the status
of one, crash it. So the process that decides runs no code of an estimator. The child imports,
makes, fits and scores the estimators; what they print goes to standard error. It answers once, with
JSON: the scores, or what went wrong. If no complete answer comes, nothing is decided.

The child starts before the parent imports what it needs, so that both import at the same time. It
waits with the fits until the parent has checked all arguments, and ends with the parent.
"""

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from subprocess import PIPE, Popen, TimeoutExpired  # nosec B404
from typing import TYPE_CHECKING, Any

from ._parser import InputError, complain, describe_error, in_lines, read_arguments, recorded

if TYPE_CHECKING:
    from ..comparison import ComparisonResult

_CODE = (
    "import json, sys; sys.path[:], argv = json.loads(sys.argv.pop()); "
    "from skcvstats.command_line._child import answer; answer(argv)"
)
_FIT = b"fit"
_CHECK = b"see"  # what is wrong with the rest of the call
# Seconds for the child to end by itself: after its answer, and after an interrupt or a closed pipe.
_TO_END = 60
_GRACE = 5
# What ended a child, by its signal, and what to do.
_CRASHES = ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV")
_CRASHED = (
    "crashed in compiled code ({})",
    "Update what crashes; PYTHONFAULTHANDLER=1 shows where",
)
_KILLED = (
    "was killed ({}), most often by the system for lack of memory",
    "Use a smaller --n-jobs, or a machine with more memory",
)
_ENDED = ("was ended by another program ({})", "Run it again")
_BY_SIGNAL = {**dict.fromkeys(_CRASHES, _CRASHED), "SIGKILL": _KILLED}
_MISUSED = "An estimator or a metric must not call os._exit, or close files of others"


class FitsInChild:
    """A child process that makes the result of a gate; leaving the context ends it."""

    def __init__(self, argv: Sequence[str]) -> None:
        # -P: a module of the working directory is not taken for one of Python.
        options = ["-P", *(f"-W{option}" for option in sys.warnoptions)]
        arguments = json.dumps([list(map(str, sys.path)), list(argv)])
        command = [sys.executable, *options, "-c", _CODE, arguments]
        # This Python, with the arguments that this program got.
        self._child = Popen(command, stdin=PIPE, stdout=PIPE, bufsize=0)  # nosec B603
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._requests = self._child.stdin
        self._answers = self._child.stdout
        self._line = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> "FitsInChild":
        return self

    def __exit__(self, kind: type[BaseException] | None, *raised: Any) -> None:
        if kind is None:
            self._exit_code(_TO_END)
        self._child.kill()
        self._child.wait()
        self._requests.close()
        self._reader.join(1)  # it goes on where something that was forked keeps the pipe open

    def result(self, *, is_right: bool = True) -> "ComparisonResult":
        """Let the child fit, or only check its part, and return the result of its scores."""
        from ..comparison import ComparisonResult

        try:
            with _sigterm_as_interrupt():
                with suppress(OSError):  # it has ended, which is reported below
                    self._requests.write(_FIT if is_right else _CHECK)
                answer = self._received()
        except KeyboardInterrupt:
            with suppress(ValueError):  # Windows sends it to the child itself, as terminals do
                self._child.send_signal(signal.SIGINT)
            self._exit_code(_GRACE)
            raise
        if answer is None:
            raise InputError(_how_it_ended(self._exit_code(_GRACE)))
        if "error" in answer:
            raise InputError(*filter(None, answer["error"]))
        complain(*answer["warnings"])
        scores = answer["scores"]
        return ComparisonResult.from_json(scores, max_bytes=len(scores))

    def _read(self) -> None:
        with self._answers, open(self._answers.fileno(), "rb", closefd=False) as answers:
            self._line = answers.readline()

    def _received(self) -> dict[str, Any] | None:
        """Return the answer of the child, or None if it ended or closed the pipe without one."""
        # What the child forked may keep the pipe open, so its end is looked for as well.
        while self._reader.is_alive() and self._child.poll() is None:
            self._reader.join(0.05)
        self._reader.join(_GRACE)
        with suppress(TypeError, ValueError):
            return dict(json.loads(self._line))
        return None

    def _exit_code(self, seconds: float) -> int | None:
        """Return the exit code of the child, or None if it does not end."""
        with suppress(TimeoutExpired):
            self._child.wait(seconds)
        return self._child.returncode


def answer(argv: Sequence[str]) -> None:
    """In the child: make the result, and send it or what went wrong, in one line."""
    requests, answers = _take_pipes()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt_once)
    try:
        from ._commands import fit_both

        request = os.read(requests, len(_FIT))
        if not request:
            return
        threading.Thread(target=_end_with_parent, args=(requests,), daemon=True).start()
        with recorded() as caught_warnings:
            options = read_arguments(argv)
            if request == _CHECK:
                options.mistakes.told.append("")  # that of the parent, so nothing is fitted
            scores = fit_both(options).to_json()
        content = {"scores": scores, "warnings": in_lines(caught_warnings)}
    except BaseException as error:  # an estimator may raise anything
        content = {"error": describe_error(error)}
    line = f"{json.dumps(content)}\n".encode()
    with suppress(OSError):  # an estimator closed it, and the parent knows
        while line:
            line = line[os.write(answers, line) :]


def _take_pipes() -> tuple[int, int]:
    """Return the pipes of requests and answers; standard output is now standard error."""
    nothing = os.open(os.devnull, os.O_RDWR)
    pipes = os.dup(0), os.dup(1)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    return pipes


def _interrupt_once(*_: Any) -> None:
    """Interrupt the fits; a second signal, of the terminal and of the parent, changes nothing."""
    # Not SIG_IGN: Python would complain of a signal that came just before.
    signal.signal(signal.SIGINT, lambda *_: None)
    raise KeyboardInterrupt


def _end_with_parent(requests: int) -> None:
    with suppress(OSError):  # an estimator closed it, so the parent ends this process
        os.read(requests, 1)
        os._exit(2)


@contextmanager
def _sigterm_as_interrupt() -> Iterator[None]:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt("SIGTERM")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _how_it_ended(code: int | None) -> str:
    """Say why there are no scores, by the exit code of the child, and what to do."""
    if code is None:
        ending = "closed its pipe, or wrote to it"
        remedy = _MISUSED
    elif code >= 0:
        ending = f"ended with the status {code}"
        remedy = _MISUSED
    else:
        names = {number.value: number.name for number in signal.Signals}
        name = names.get(-code, f"signal {-code}")
        ending, remedy = _BY_SIGNAL.get(name, _ENDED)
        ending = ending.format(name)
    return f"The process that fits the estimators {ending}, without scores. {remedy}."
