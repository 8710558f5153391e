"""Report the result of a command: write the files, then print text or JSON."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from ._errors import InputError
from ._json import result_as_json
from ._preparation import how_prepared

if TYPE_CHECKING:
    import argparse

    from ..comparison import ComparisonResult
    from ._output import OutputFiles


def tell(result: ComparisonResult, options: argparse.Namespace, files: OutputFiles) -> None:
    """Write the files, then print the result."""
    text = result_as_json(result) if options.json else _as_text(result)
    files.write(result)
    try:
        print(text)
    except UnicodeEncodeError as error:
        raise InputError(
            f"The output's encoding, {error.encoding}, lacks characters of the names; set "
            "PYTHONIOENCODING=utf-8."
        ) from error


def _as_text(result: ComparisonResult) -> str:
    done = how_prepared(result)
    lines = wrap(f"Data: {'; '.join(done)}.", 100, break_on_hyphens=False) if done else []
    return "\n".join([str(result), *lines])
