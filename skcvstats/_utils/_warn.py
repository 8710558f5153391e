"""Warnings that point at the user's line, and what is heard of those of others.

All threads share one list of filters, and `warnings.catch_warnings` puts the list back that it
found. If two threads are inside it at a time, the filters of one can stay behind. So a thread that
changes filters for a short call lets no other one enter or leave meanwhile.
"""

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import RLock, get_ident
from types import FrameType
from typing import Any

_OURS = ("skcvstats", "contextlib", "tqdm")

FILTERS = RLock()
_is_quiet = ContextVar("is_quiet", default=False)


def _locked(method: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        with FILTERS:
            return method(*arguments)

    return call


class CaughtWarnings(warnings.catch_warnings):
    """`warnings.catch_warnings` for long calls: no filters of a short one are copied or kept."""

    __enter__ = _locked(warnings.catch_warnings.__enter__)
    __exit__ = _locked(warnings.catch_warnings.__exit__)


@contextmanager
def heard(category: type[Warning], ignored: str) -> Iterator[list[str]]:
    """Collect the messages of a category in a short call, and ignore others of some pattern.

    What other threads give meanwhile of the category is shown as ever.
    """
    messages: list[str] = []
    own_thread = get_ident()

    def show(message: Any, kind: type[Warning], *place: Any, **where: Any) -> None:
        if get_ident() == own_thread and issubclass(kind, category):
            messages.append(str(message))
        else:
            show_others(message, kind, *place, **where)

    with FILTERS, warnings.catch_warnings():
        show_others = warnings.showwarning
        warnings.filterwarnings("ignore", "" if _is_quiet.get() else ignored)
        warnings.simplefilter("always", category)
        warnings.showwarning = show  # type: ignore[assignment]
        yield messages


@contextmanager
def quiet() -> Iterator[None]:
    """Give no warnings to the user of this thread, by `warn_user` or of what is `heard`."""
    token = _is_quiet.set(True)
    try:
        yield
    finally:
        _is_quiet.reset(token)


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the first caller outside this package, and outside what runs its generators."""
    if _is_quiet.get():
        return
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
    warning.add_note(f"skcvstats: all fits were finished; this warning's {written} contain them")
