"""The candidates of a search: which of them are compared, and what they are called."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .._utils._checks import is_integer
from .._utils._text import counted
from ..exceptions import AnticonservativeWarning
from ..scores import Note
from ._missing import scores_of

_MOST_IN_PAIRS = 50


def check_top(top: Any) -> None:
    """Raise ValueError unless `top` is a number of candidates that can be compared."""
    if top is not None and (not is_integer(top) or top < 2):
        raise ValueError(f"top={top!r} must be an integer of at least 2, or None for all.")


def chosen_note(n_candidates: int, n_best: int, others: str = "") -> Note:
    """Return a note on the effect of choosing the best candidates for a comparison."""
    text = (
        f"only the {n_best} best of {n_candidates} candidates{others} are compared, chosen on "
        "these same scores; p-values are adjusted for the comparisons that were made, not for the "
        "choice"
    )
    return Note("chosen candidates", text, AnticonservativeWarning)


def matching_label(reference: Any, labels: Sequence[str]) -> Any:
    """Return the label of a candidate that is named only by its number or its parameters."""
    if not isinstance(reference, str) or reference in labels:
        return reference
    found = [label for label in labels if reference in label.split(" ", 1)]
    return found[0] if len(found) == 1 else reference


def compare_pairs(result: Any, top: int | None) -> Any:
    """Compare candidates by all pairs; see `ComparisonResult.pairs`."""
    from ._plan import ComparisonPlan  # it makes results

    check_top(top)
    tests = result.tests_by_metric[result.metrics[0]]
    names, n = tests.scores.labels, len(tests.scores.labels)
    if len(result):
        raise ValueError(
            f"This result has {counted(len(result), 'comparison')} already. pairs() is for what "
            "compare_candidates returns without reference=."
        )
    if top is None and tests.chosen_from is None and n > _MOST_IN_PAIRS:
        raise ValueError(
            f"{n} candidates have {n * (n - 1) // 2} pairs. Pass top=10 for the pairs of the "
            "ten best, or compare with one: compare_candidates(..., reference=...)."
        )
    kept = tuple(names[k] for k in sorted(tests.compared.best_first[:top]))
    by_metric, chosen = result.tests_by_metric, len(kept) < len(tests.joint.estimates)
    note = [chosen_note(len(tests.joint.estimates), len(kept))] if chosen else []
    options = (None, result.adjustment, kept, result.confidence_level, result.margin)
    compared = ComparisonPlan(tests.procedure, *options).run(
        {metric: scores_of(of.scores, kept) for metric, of in by_metric.items()},
        said=result.warned,
        notes_by_metric={metric: [*of.notes, *note] for metric, of in by_metric.items()},
        chosen_from={metric: of.joint.scores for metric, of in by_metric.items() if chosen},
    )
    return replace(compared, candidates=result.candidates)
