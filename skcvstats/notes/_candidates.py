"""The notes on candidates of a search: on how they were chosen before they are compared."""

from collections.abc import Iterator

import numpy as np

from .._utils._checks import listed
from .._utils._metrics import shown_as
from .._utils._text import called, format_number
from ..comparison import CandidatesEvidence, winner_optimism
from ..exceptions import AnticonservativeWarning
from ..scores import Note
from ._registry import note


@note(
    "optimistic winner",
    title="Optimistic score of the best candidate",
    looks_for="The score of the best candidate of a search.",
    why="It is optimistic, because the candidate was chosen for it; the note says by how much.",
    remedy="Score the candidate on new rows, or nest the search.",
    looks_in=CandidatesEvidence,
)
def optimistic_winner(evidence: CandidatesEvidence) -> Iterator[Note]:
    scores = evidence.scores
    n_candidates = np.isfinite(scores.values).all(axis=1).sum()
    read = shown_as(scores.metric)
    side = "low" if read.is_loss else "high"
    how = (
        f"too {side}, as it was chosen for it; by how much is not known, as no other has all scores"
    )
    if n_candidates > 1:
        size = format_number(winner_optimism(scores), fewest=1)
        how = f"roughly {size} too {side}, for choosing the best of {n_candidates}"
    text = (
        f"the {read.name} of the best candidate is {how}; score it on new rows, or nest the search"
    )
    yield Note("optimistic winner", text, None)


@note(
    "left a race",
    title="Candidates that left a race",
    looks_for="Candidates that left a race before its end.",
    why="They are not compared, and p-values are not adjusted for the choice.",
    remedy="Read the race's own best_set(), with rule='evidence'.",
    looks_in=CandidatesEvidence,
)
def left_a_race(evidence: CandidatesEvidence) -> Iterator[Note]:
    if evidence.n_left and evidence.is_race:
        text = (
            "candidates that left the race are not compared, and p-values are adjusted for the "
            "comparisons that were made, not for the choice; the race's own best_set(), with "
            "rule='evidence', covers those that left"
        )
        yield Note("left a race", text, AnticonservativeWarning)


@note(
    "surviving candidates",
    title="Survivors of a halving search",
    looks_for="Candidates that a halving search kept to its last iteration.",
    why="They were chosen on rows of the same data, and p-values are not adjusted for that.",
    remedy="Compare the candidates of interest with compare_estimators.",
    looks_in=CandidatesEvidence,
)
def surviving_candidates(evidence: CandidatesEvidence) -> Iterator[Note]:
    if evidence.n_left and not evidence.is_race:
        text = (
            "the candidates are the survivors of a halving search, chosen in its earlier "
            "iterations on rows of the same data; p-values are adjusted for the comparisons that "
            "were made, not for the choice"
        )
        yield Note("surviving candidates", text, AnticonservativeWarning)


@note(
    "repeated candidates",
    title="Repeated candidates",
    looks_for="Candidates of a search with the same parameters.",
    why="They are one candidate, and count once.",
    remedy="Nothing; or leave them out of the grid.",
    looks_in=CandidatesEvidence,
)
def repeated_candidates(evidence: CandidatesEvidence) -> Iterator[Note]:
    if evidence.repeated:
        names = listed(map(called, evidence.repeated))
        text = f"{names}: the same parameters as another candidate, which counts once"
        yield Note("repeated candidates", text, None)


@note(
    "chosen candidates",
    title="Chosen candidates",
    looks_for="Candidates that were chosen on the same scores for the comparison.",
    why="P-values are adjusted for the comparisons that were made, not for the choice.",
    remedy="Compare all candidates, or score the chosen ones on new rows.",
    looks_in=CandidatesEvidence,
)
def chosen_candidates(evidence: CandidatesEvidence) -> Iterator[Note]:
    if evidence.n_best < evidence.n_candidates:
        others = " and the reference" if evidence.has_another_reference else ""
        text = (
            f"p-values are not adjusted for the choice of the {evidence.n_best} best of "
            f"{evidence.n_candidates} candidates{others} on these same scores; they are adjusted "
            "for the comparisons that were made"
        )
        yield Note("chosen candidates", text, AnticonservativeWarning)
