"""Fit the estimators of a gate in a child process, from which only complete scores come back.

Notes
-----
An estimator can do anything to the process that it runs in: print a verdict, end it with the status
of one, crash it. So the process that decides runs no code of an estimator. The child imports,
makes, fits and scores the estimators; what they print goes to standard error. It answers once, with
JSON: the scores, or what went wrong. If no complete answer comes, nothing is decided.

The child is spawned, which all systems can do, before the parent imports what it needs, so that
both import at the same time. It waits with the fits until the parent has checked all arguments.
"""

import json
import os
import signal
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from ._main import complain, in_lines, recorded, said_of
from ._parser import InputError

if TYPE_CHECKING:
    from ..comparison import ComparisonResult

# Seconds for a child to end by itself, or to answer after an interrupt: Ctrl-C reaches it as well.
_GRACE = 5
_CRASHES = ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV")


class FitsInChild:
    """A child process that makes the result of a gate; leaving the context ends it."""

    def __init__(self, options: Namespace) -> None:
        context = get_context("spawn")
        self._pipe, self._end = context.Pipe()
        self._child = context.Process(target=_answer, args=(self._end, options))

    def __enter__(self) -> "FitsInChild":
        self._child.start()
        self._end.close()
        return self

    def __exit__(self, kind: type[BaseException] | None, *raised: Any) -> None:
        if kind is None:
            self._exit_code()
        self._child.kill()
        self._child.join()
        self._pipe.close()

    def result(self) -> "ComparisonResult":
        """Let the child fit, and return the result of its scores."""
        from ..comparison import ComparisonResult

        with suppress(OSError):  # it has ended, which is told below
            self._pipe.send_bytes(b"fit")
        try:
            with _sigterm_as_interrupt():
                answer = self._received()
        except KeyboardInterrupt:
            answer = self._received(_GRACE)
            if answer is None or "error" not in answer:  # where it says how many fits were done
                raise
        if answer is None:
            raise InputError(_how_it_ended(self._exit_code()))
        if "error" in answer:
            raise InputError(answer["error"])
        for line in answer["warnings"]:
            complain(line)
        scores = answer["scores"]
        return ComparisonResult.from_json(scores, max_bytes=len(scores))

    def _received(self, seconds: float | None = None) -> dict[str, Any] | None:
        """Return the answer of the child, or None if it ended or closed the pipe without one."""
        # What the child forked may hold the pipe open, so its end is waited for as well.
        wait([self._pipe, self._child.sentinel], seconds)
        with suppress(EOFError, OSError, ValueError):
            if self._pipe.poll():
                return dict(json.loads(self._pipe.recv_bytes()))
        return None

    def _exit_code(self) -> int | None:
        """Return the exit code of the child, or None if it does not end."""
        until = time.monotonic() + _GRACE
        # `join` takes a child that closed all its files for one that has ended.
        while self._child.exitcode is None and time.monotonic() < until:
            time.sleep(0.01)
        return self._child.exitcode


def _answer(pipe: Connection, options: Namespace) -> None:
    """In the child: make the result, and send it or what went wrong."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _print_to_standard_error()
        from ._gate import fit_both

        pipe.recv_bytes()
        with recorded() as warned:
            scores = fit_both(options).to_json()
        answer = {"scores": scores, "warnings": in_lines(warned)}
    except BaseException as error:  # an estimator may raise anything
        answer = {"error": said_of(error)}
    with suppress(OSError):  # an estimator closed it, and the parent knows
        pipe.send_bytes(json.dumps(answer).encode())


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None, "this is the child"
    parent.join()
    os._exit(2)


def _print_to_standard_error() -> None:
    """Send standard output there, also that of compiled code and of further processes."""
    try:
        os.dup2(2, 1)
    except OSError:  # it is closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with suppress(AttributeError):  # without standard output it is None
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]


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
    names = {number.value: number.name for number in signal.Signals}
    name = "" if code is None else names.get(-code, f"signal {-code}")
    if code is None or code >= 0:
        how = "closed its pipe" if code is None else f"ended with the status {code}"
        remedy = "An estimator or a metric must not call os._exit, or close files of others"
    elif name in _CRASHES:
        how = f"crashed in compiled code ({name})"
        remedy = "Update what crashes; python -X faulthandler -m skcvstats shows where"
    elif name == "SIGKILL":
        how = "was killed (SIGKILL), most often by the system for lack of memory"
        remedy = "Use fewer --n-jobs, or a machine with more memory"
    else:
        how = f"was ended by another program ({name})"
        remedy = "Run it again"
    return f"The process that fits the estimators {how}, without scores. {remedy}."
