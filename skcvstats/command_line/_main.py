"""main: runs the command line and always returns an exit status."""

import contextlib
import os
import re
import sys
import warnings
from argparse import Namespace
from collections.abc import Iterable, Sequence
from importlib import import_module

from .._utils._text import visible
from ..exceptions import AnticonservativeWarning, DegenerateScoresWarning, SplitDesignWarning
from ._parser import InputError, build_parser, in_one_line

ERROR = 2
_COMMANDS = {
    "compare": "._compare",
    "report": "._compare",
    "gate": "._gate",
    "predictions": "._compare",
    "store": "._store",
}
_LONGEST = 2000
_NOTED = (AnticonservativeWarning, DegenerateScoresWarning, SplitDesignWarning)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    try:
        with warnings.catch_warnings(record=True) as warned:
            for category in _NOTED:  # these are notes in the output
                warnings.simplefilter("ignore", category)
            status = _run(argv)
        for line in dict.fromkeys(map(_without_source, warned)):  # an error is printed alone
            _complain(line)
        sys.stdout.flush()
    except SystemExit as done:  # argparse, after --help and --version
        return done.code if isinstance(done.code, int) else ERROR
    except BrokenPipeError:
        _leave_standard_output()
        return _failed("the reader of the output closed it")
    except KeyboardInterrupt as stopped:
        said = in_one_line(stopped)
        return _failed(f"interrupted{'' if said == 'KeyboardInterrupt' else f': {said}'}")
    except (ValueError, TypeError, OSError, ImportError) as error:
        return _failed(in_one_line(error))
    except Exception as error:
        return _failed(f"unexpected {type(error).__name__}: {in_one_line(error)}")
    return status


_ARGUMENTS = {"seed": "random_state"}  # flags that are not named as what they give


def _run(argv: Sequence[str] | None) -> int:
    parser = build_parser()
    options = parser.parse_args(argv, Namespace(given=set()))
    if options.command is None:
        parser.print_help()
        return ERROR
    command = getattr(import_module(_COMMANDS[options.command], __package__), options.command)
    try:
        return command(options)
    except (ValueError, TypeError) as error:
        raise InputError(_with_flags(in_one_line(error), options.given)) from error
    except SystemExit as left:  # whose status would be taken for the command's
        raise InputError(
            f"an estimator or a metric ended the program (SystemExit: {left.code}); it must not "
            "call sys.exit"
        ) from left


def _with_flags(said: str, given: Iterable[str]) -> str:
    """Write arguments that an error names as the flags that gave them."""
    for argument in given:
        flag, name = f"--{argument.replace('_', '-')}", _ARGUMENTS.get(argument, argument)
        said = re.sub(rf"(?<![\w(\[-])(?<!, )(?:--)?{name}=", f"{flag} ", said)
        if "_" in name:
            said = re.sub(rf"(?<![\w(-]){name}(?![\w=(])", flag, said)
    return said.replace("cv=RepeatedSubsampleSplit(n_splits=15)", "--n-splits 15")


def _failed(said: str) -> int:
    short = said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."
    _complain(f"skcvstats: {short}")
    return ERROR


def _complain(line: str) -> None:
    """Write a line to standard error, if it is open."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        print(line, file=sys.stderr, flush=True)


def _leave_standard_output() -> None:
    """Keep Python from flushing to a closed pipe at exit."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _without_source(warning: warnings.WarningMessage) -> str:
    text = visible(" ".join(str(warning.message).split()))
    return f"skcvstats: {warning.category.__name__}: {text[:_LONGEST]}"
