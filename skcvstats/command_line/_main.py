"""main: runs the command line and always returns an exit status."""

import contextlib
import os
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import Any

from .._utils._text import cut
from ._parser import (
    LONGEST,
    InputError,
    build_parser,
    complain,
    describe_error,
    in_lines,
    read_arguments,
    recorded,
)
from ._wording import error_in_options

ERROR = 2
# What a function has, and no command.
_NO_OPTION = re.compile(r"(, or pass|;) on_error='drop'[^.;]*|(?<=\.) on_error='drop'[^.]*\.")
_ARGUMENTS = {"seed": "random_state"}  # flags that are not named as what they give


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    if sys.stderr is None:  # closed; the next file opened would be 2, and get what is printed there
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
        os.set_inheritable(sys.stderr.fileno(), True)
    try:
        with recorded() as caught_warnings:
            status = _run(argv)
        complain(*in_lines(caught_warnings))  # an error is printed alone
        sys.stdout.flush()
    except SystemExit:  # argparse, after --help and --version
        return 0
    except BrokenPipeError:
        with contextlib.suppress(OSError, AttributeError, ValueError):  # no flush to it at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _failed("the reader of the output closed it")
    except BaseException as error:
        return _failed(*describe_error(error))
    return status


def _run(argv: Sequence[str] | None) -> int:
    options = read_arguments(argv)
    if options.command is None:
        build_parser().print_help()
        return ERROR
    fits: contextlib.AbstractContextManager[Any] = nullcontext()
    if options.command == "gate" and options.data is not None:  # it fits in a child process
        from ._child import FitsInChild

        fits = FitsInChild(sys.argv[1:] if argv is None else argv)
    with fits as options.fits:
        from . import _commands, _output  # slow to import; the child does it at the same time

        try:
            return _output.run(_commands.COMMANDS[options.command], options)
        except (ValueError, TypeError) as error:
            told = [_with_flags(mistake, options.passed) for mistake in describe_error(error)]
            raise InputError(*told) from error
        except SystemExit as error:  # whose status would be taken for the command's
            raise InputError(*describe_error(error)) from error


def _with_flags(message: str, passed: Iterable[str]) -> str:
    """Write arguments that an error names as the flags that gave them."""
    for argument in passed:
        flag = f"--{argument.replace('_', '-')}"
        name = _ARGUMENTS.get(argument, argument)
        message = re.sub(rf"(?<![\w(\[-])(?<!, )(?:--)?{name}=", f"{flag} ", message)
        if "_" in name:
            message = re.sub(rf"(?<![\w(-]){name}(?![\w=(])", flag, message)
    return error_in_options(_NO_OPTION.sub("", message))


def _failed(*mistakes: str) -> int:
    for mistake in mistakes:
        complain(f"skcvstats: {cut(mistake, LONGEST)}")
    return ERROR
