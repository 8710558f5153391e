"""What rooms above do for those below: each enters it here when it is imported.

The room is imported when it is first asked, so that nothing below imports what stands above.
"""

from importlib import import_module
from typing import Any

from ._checks import check_level

_ROOM_OF = {
    "text_of": "words",
    "html_of": "words",
    "verdict_of": "words",
    "sentences_of": "words",
    "adjusted": "words",
    "draw": "plotting",
    "picture_file": "plotting",
    "get_procedure": "stats",
    "test_set_procedures": "test_set",
}
_ENTERED: dict[str, Any] = {}


def enter(**things: Any) -> None:
    """Register what a room does for rooms below, by name."""
    _ENTERED.update(things)


class Printed:
    """Results whose words are written by a room above."""

    def __str__(self) -> str:
        return str(ask("text_of")(self))

    __repr__ = __str__  # because a prompt shows it

    def _repr_html_(self) -> str:
        return str(ask("html_of")(self))

    def _level(self: Any, confidence_level: float | None) -> float:
        """Return the level asked for, else that of the result."""
        return self.confidence_level if confidence_level is None else check_level(confidence_level)


def ask(name: str) -> Any:
    """Return what a room above has entered under this name."""
    if name not in _ENTERED:
        import_module(f"skcvstats.{_ROOM_OF[name]}")
    return _ENTERED[name]
