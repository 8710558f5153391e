"""Warnings that point at the user's line, however deep in the package they arise."""

from __future__ import annotations

import sys
import warnings
from types import FrameType


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn at the first caller outside this package.

    Parameters
    ----------
    message : str
        A full sentence.
    category : type of Warning
        Its class.
    """
    level = 1
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("skcvstats"):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
