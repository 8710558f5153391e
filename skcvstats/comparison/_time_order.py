"""Splits in time order: no procedure is valid for them, so there are scores and no verdicts."""

from collections.abc import Iterable

from ..scores import Note

IN_TIME_ORDER = (
    "No procedure here is valid for splits in time order, so there are no intervals and no "
    "verdicts here, only scores. To compare forecasts use a test for time series, such as Diebold "
    "and Mariano's, on the losses of one long test period."
)


def in_time_order(notes: Iterable[Note]) -> bool:
    """Return whether no procedure is valid for a result, as its splits are in time order."""
    return any(note.code == "time order" for note in notes)


def refuse_in_time_order(notes: Iterable[Note]) -> None:
    """Raise ValueError where a verdict is asked for and no procedure is valid."""
    if in_time_order(notes):
        raise ValueError(f"{IN_TIME_ORDER} The scores: print(result), ranking() or to_frame().")
