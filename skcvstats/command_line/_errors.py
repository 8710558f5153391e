"""What is said on standard error: mistakes, warnings and notes, each in one line."""

import contextlib
import sys
import warnings
from collections.abc import Iterable, Iterator

from .._utils._text import visible
from ..exceptions import AnticonservativeWarning, DegenerateScoresWarning, SplitDesignWarning

LONGEST = 2000
_NOTED = (AnticonservativeWarning, DegenerateScoresWarning, SplitDesignWarning)


class InputError(ValueError):
    """A mistake in the arguments or in a file, reported in one line."""


def in_one_line(error: BaseException) -> str:
    """Return the message of an error as one printable line."""
    said = error.args[0] if isinstance(error, KeyError) and error.args else error
    return visible(" ".join(str(said).split())) or type(error).__name__


@contextlib.contextmanager
def recorded() -> Iterator[list[warnings.WarningMessage]]:
    """Record warnings, but not those that are notes in the output."""
    with warnings.catch_warnings(record=True) as warned:
        for category in _NOTED:
            warnings.simplefilter("ignore", category)
        yield warned


def said_of(error: BaseException) -> str:
    """Return what is said of an error, in one line."""
    said = in_one_line(error)
    if isinstance(error, SystemExit):
        left = f"an estimator or a metric ended the program (SystemExit: {error.code})"
        return f"{left}; it must not call sys.exit"
    if isinstance(error, KeyboardInterrupt):
        return f"interrupted{'' if said == 'KeyboardInterrupt' else f': {said}'}"
    if isinstance(error, (ValueError, TypeError, OSError, ImportError)):
        return said
    return f"unexpected {type(error).__name__}: {said}"


def complain(line: str) -> None:
    """Write a line to standard error, if it can be written to."""
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


def in_lines(warned: Iterable[warnings.WarningMessage]) -> list[str]:
    """Return each warning once, without where it was given."""
    texts = ((w.category.__name__, visible(" ".join(str(w.message).split()))) for w in warned)
    return list(dict.fromkeys(f"skcvstats: {name}: {text[:LONGEST]}" for name, text in texts))
