"""InputError: for arguments and files that cannot be used."""

from __future__ import annotations

from .._utils._text import visible


class InputError(ValueError):
    """A mistake in the arguments or in a file, reported in one line."""


def in_one_line(error: BaseException) -> str:
    """Return the message of an error as one printable line."""
    said = error.args[0] if isinstance(error, KeyError) and error.args else error
    return visible(" ".join(str(said).split())) or type(error).__name__
