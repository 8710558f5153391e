"""InputError: what was given on the command line cannot be used."""

from __future__ import annotations


class InputError(ValueError):
    """A mistake in the arguments or in a file, to be said in one line."""


def in_one_line(error: BaseException) -> str:
    """Return the message of an error as one printable line.

    Parameters
    ----------
    error : BaseException
        Of any kind; a KeyError's message is not quoted once more.
    """
    said = error.args[0] if isinstance(error, KeyError) and error.args else error
    return printable(" ".join(str(said).split())) or type(error).__name__


def printable(text: str) -> str:
    """Return a text with its invisible characters written as escapes.

    Parameters
    ----------
    text : str
        Which may hold control characters, bidirectional marks or lone surrogates.
    """
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii")
        for c in text
    )
