"""The notes on the fits themselves: those that warned, and random ones from a store."""

from collections.abc import Iterator

from .._utils._checks import listed, unseeded_parameters
from .._utils._text import cut
from .._utils._warn import warn_user
from ..scores import Note
from ._evidence import FitsEvidence
from ._registry import note


@note(
    "unseeded fits in a store",
    title="Fits without a seed from a store",
    looks_for="Fits from a store whose models have no random_state.",
    why="If they draw random numbers, new fits would give other scores.",
    remedy="Pass an integer random_state to the models.",
    looks_in=FitsEvidence,
)
def unseeded_fits_in_a_store(evidence: FitsEvidence) -> Iterator[Note]:
    if evidence.seed_of_fits is not None:
        return
    names = [name for name in evidence.from_store if unseeded_parameters(evidence.estimators[name])]
    if names:
        text = (
            f"fits of {listed(names)} come from the store and have no random_state: if they "
            "draw random numbers, new fits would give other scores"
        )
        yield Note("unseeded fits in a store", text, None)


@note(
    "warnings of fits",
    title="Warnings of fits",
    looks_for="Warnings that fits gave.",
    why="A fit that did not converge may score worse than the model could.",
    remedy="Follow the advice of the warning.",
    looks_in=FitsEvidence,
)
def warnings_of_fits(evidence: FitsEvidence) -> Iterator[Note]:
    for warning in evidence.warnings:
        line = warning.message.partition("\n")[0].rstrip(" .:")
        text = f"{warning.fits} warned: {cut(line)} ({warning.class_name})"
        yield Note("warnings of fits", text, None)


def give_warnings(evidence: FitsEvidence) -> None:
    """Give each warning of the fits once, with how many fits gave it."""
    for warning in evidence.warnings:
        warn_user(f"{warning.message} (in {warning.fits})", warning.category)
