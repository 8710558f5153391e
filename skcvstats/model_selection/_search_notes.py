"""Notes on candidates of a search: they were chosen on the same scores."""

from __future__ import annotations

from ..comparison import pointing_to_best_set
from ..exceptions import AnticonservativeWarning
from ..scores import CVScores, Note
from ..stats import Procedure

BEST_REFERENCE = Note(
    "best reference",
    "the reference is the best on these same scores: unless it was named before they were seen, "
    "it is favoured by chance and the p-values are too small",
    AnticonservativeWarning,
)
OPTIMISTIC_WINNER = Note(
    "optimistic winner",
    "the best candidate's own score is optimistic, because the candidate was chosen for it; score "
    "the candidate on new rows, or nest the search",
    None,
)
SURVIVORS = Note(
    "surviving candidates",
    "the candidates are the survivors of a halving search, chosen in its earlier iterations on "
    "rows of the same data; p-values are adjusted for the comparisons that were made, not for the "
    "choice",
    AnticonservativeWarning,
)


def selection_notes(n_candidates: int, n_taken: int, top: int | None) -> tuple[Note, ...]:
    """Return notes on the effect of choosing the `top` candidates of those with all scores."""
    if top is None or n_taken == n_candidates:
        return ()
    others = " and the reference" if n_taken > top else ""
    text = (
        f"only the {top} best of {n_candidates} candidates{others} are compared, chosen on these "
        "same scores; p-values are adjusted for the comparisons that were made, not for the choice"
    )
    return (Note("chosen candidates", text, AnticonservativeWarning),)


def reference_notes(scores: CVScores, reference: str | None, test: Procedure) -> tuple[Note, ...]:
    """Return a note if the named reference is the best candidate, as ``best_params_`` is."""
    if reference not in scores.labels:
        return ()
    means = scores.values.mean(axis=-1)
    if means[scores.labels.index(reference)] < means.max():
        return ()
    return (pointing_to_best_set(BEST_REFERENCE, test),)
