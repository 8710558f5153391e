"""The pictures of a report: within a page, or as files beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from .._utils._registry import ask
from ..comparison import ComparisonResult
from ._document import Picture

NO_PICTURE = "There is no picture here: matplotlib is not installed."
_UNSEEN = re.compile(r"(?:<metadata>.*?</metadata>|<!--.*?-->)\s*", re.S)
_ID = re.compile(r' id="([^"]*)"')
_REFERENCE = re.compile(r'(?:url\(#|href="#)([^)"]*)')


def inline_svg(result: ComparisonResult, picture: Picture) -> str:
    """Return a picture as an SVG element that a page may contain more than once."""
    try:
        drawn = ask("picture_file")(result[picture.metric], picture.kind, "html").decode()
    except ImportError:
        return ""
    drawn = _UNSEEN.sub("", drawn[drawn.index("<svg") :])
    used = set(_REFERENCE.findall(drawn))
    drawn = _ID.sub(lambda found: found[0] if found[1] in used else "", drawn)
    return drawn.replace("<svg", f'<svg role="img" aria-label="{escape(picture.words)}"', 1).strip()


def write_beside(
    result: ComparisonResult, pictures: Sequence[Picture], report: Path, file_format: str
) -> dict[Picture, str]:
    """Write pictures beside the file of a report."""
    stem = re.sub(r"[^\w.-]+", "-", report.stem, flags=re.A)
    names = {}
    for k, picture in enumerate(pictures):
        number = "" if len(pictures) == 1 else f"-{k + 1}"
        name = f"{stem}-{picture.kind}{number}.{file_format}"
        try:
            drawn = ask("picture_file")(result[picture.metric], picture.kind, file_format)
        except ImportError:
            names[picture] = ""
            continue
        report.with_name(name).write_bytes(drawn)
        names[picture] = name
    return names
