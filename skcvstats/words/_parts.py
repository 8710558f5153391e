"""Parts: what is said of a result; each type of result has one class, which `parts` returns."""

from collections.abc import Iterable, Iterator
from functools import singledispatch
from typing import Any

from .._utils._text import as_sentence, cut
from ..notes import CHOSEN_METHOD
from ..scores import CVScores, Note, union
from ._document import Paragraph, Section, noted


class Parts:
    """What is said of a result, each part made when it is asked for; formats write the parts.

    This class says nothing: its `at_level` refuses a result that has no reports.
    """

    names: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    scores: CVScores | None = None

    def __init__(self, result: Any) -> None:
        self.result = result

    def at_level(self, level: float | None) -> Any:
        """Return the result that is reported, at a level; None is its own."""
        raise TypeError(
            "evaluation_report needs what compare_estimators, compare_scores, cross_val_inference "
            f"or a test returned, got {type(self.result).__name__}. Pass such a result; of scores "
            "pass what a test of them returns, as CorrectedResampledTTest()(scores). Other results "
            "have no report, and say what they found when they are printed."
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes that a print may show."""
        return union(self.result.notes)

    def printed(self) -> list[Section]:
        """Return what is said at a prompt, but the notes."""
        return []

    def details(self) -> list[Section]:
        """Return what a notebook shows below the notes."""
        return []

    def subject(self) -> str:
        """Name what a report is about, for its title."""
        return ""

    def found(self, most_rows: int) -> list[Section]:
        """Return the first sections of a report: what was found, in tables of so many rows."""
        return []

    def limitations(self) -> list[Paragraph]:
        """Return what limits the answer."""
        return list(self.limits(self.result.notes))

    def limits(self, notes: Iterable[Note]) -> Iterator[Paragraph]:
        """Yield notes as sentences, without that on the method, which `methods` say."""
        names = tuple(f"{cut(name)}{end}" for name in self.names for end in " ,:")
        for note in notes:
            text = str(note)
            begins_with_name = text.startswith(names)
            if note.code != CHOSEN_METHOD:
                yield noted(f"{text}." if begins_with_name else as_sentence(text), note)

    def methods(self) -> list[Section]:
        """Say how the numbers were made."""
        return []

    def reproduction(self) -> list[Section]:
        """Say what is needed to make them again."""
        return []


@singledispatch
def parts(result: Any) -> Parts:
    """Return what is said of a result, by its type."""
    return Parts(result)
