"""Warnings that point at the user's line, wherever in the package they are given."""

import sys
import warnings
from types import FrameType
from typing import Any

_OURS = ("skcvstats", "contextlib", "tqdm")


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first caller outside this package, and outside what runs its generators."""
    level = 1
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in _OURS:
        level = level + 1
        frame = frame.f_back
    warnings.warn(message, category, stacklevel=level)


def carry(warning: Warning, **measured: Any) -> None:
    """Attach what was measured to a warning that became an error, so that no fit is lost."""
    names = []
    for name, value in measured.items():
        setattr(warning, name, value)
        names.append(f".{name}")
    written = " and ".join(names)
    warning.add_note(f"skcvstats: all fits were finished; this warning's {written} hold them")
