"""What a comparison knows, for the functions that look for notes on it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..scores import CVScores, Facts, MissingEvidenceError
from ..stats import Procedure

if TYPE_CHECKING:
    from ._comparison import Dropped
    from ._pairs import PairTests


class ComparisonEvidence:
    """What is known of the comparisons in one metric."""

    def __init__(self, tests: "PairTests") -> None:
        self.tests = tests

    @property
    def margin(self) -> tuple[float, float]:
        """The margin by which there are verdicts."""
        if self.tests.margin is None or not len(self.tests):
            raise MissingEvidenceError("margin")
        return self.tests.margin


class ComparedEvidence(Facts):
    """What is known of the estimators that are compared in one metric, and of their reference."""

    procedure: Procedure
    labels: Sequence[str]
    reference: str | None
    scores: CVScores  # unknown before the fits
    of_search: bool = False  # whether these are candidates of a search
    dropped: Sequence["Dropped"] = ()


class CandidatesEvidence(Facts):
    """What is known of the candidates of a search."""

    scores: CVScores
    is_race: bool
    n_left: int  # before the end of a race or of a halving search
    repeated: Sequence[str]  # those with the parameters of another
    n_candidates: int
    n_best: int  # of them, that are compared
    has_another_reference: bool = False  # which is not among the best


class SlicesEvidence(Facts):
    """What is known of the slices of rows that are compared."""

    small: Sequence[str]  # those with few rows, or that cannot be compared
