"""The notes on predictions and finished scores that were passed, and on scores over all rows."""

from collections.abc import Iterator

import numpy as np

from .._utils._metrics import shown_as
from .._utils._text import counted, cut, first_of, format_number, format_percent
from ..comparison import SlicesEvidence
from ..exceptions import SplitDesignWarning
from ..scores import Note
from ..stats import FAR_FROM_FOLDS, OVER_ALL_ROWS
from ._evidence import OverRowsEvidence, PassedEvidence
from ._registry import note

SECOND_LABEL = "second label"
_LOW_COVERAGE = 0.9
_MOST_COVERED = 10  # names in a note
_MOST_GAPS = 3  # models for which the scores of others on the missing rows are shown
_MOST_SLICES = 10
_MOST_NAMES = 6


@note(
    "negated",
    title="Negated losses",
    looks_for="Losses that were negated by greater_is_better=False.",
    why="The scores have another sign than those that were passed.",
    remedy="Nothing; it is a fact about the scores.",
    looks_in=PassedEvidence,
)
def negated_losses(evidence: PassedEvidence) -> Iterator[Note]:
    text = f"the scores are minus {evidence.negated_metric}, so that greater is better"
    yield Note("negated", text, None)


@note(
    "other order",
    title="Rows put in order",
    looks_for="Tables with the same index in another order.",
    why="Rows are compared by their index.",
    remedy="Nothing, if the index says which row is which.",
    looks_in=PassedEvidence,
)
def other_order(evidence: PassedEvidence) -> Iterator[Note]:
    if evidence.moved:
        moved = first_of(evidence.moved, 3)
        text = f"rows were put into the order of {evidence.in_order_of} by their index: {moved}"
        yield Note("other order", text, None)


@note(
    "missing rows",
    title="Missing rows",
    looks_for="Rows for which some model has no prediction, with missing_rows='drop'.",
    why="The answer says nothing about rows that some model lacks, and these are often the harder "
    "ones; a model that leaves out its errors then seems better than the truth.",
    remedy="Predict all rows with all models, or count a gap as a wrong answer.",
    looks_in=PassedEvidence,
)
def missing_rows(evidence: PassedEvidence) -> Iterator[Note]:
    n_lacking = {name: int(rows.sum()) for name, rows in evidence.lacking.items()}
    models = sorted(n_lacking, key=n_lacking.__getitem__, reverse=True)
    if n_lacking[models[0]] == 0:
        return
    n_rows = len(evidence.lacking[models[0]])
    coverage = {name: 1 - n_lacking[name] / n_rows for name in models}
    written = [f"{cut(name)} {format_percent(coverage[name])}" for name in models]
    gaps = [
        f"{cut(name)} lacks {counted(n_lacking[name], 'row')}{_scores_there(evidence, name)}"
        for name in models[:_MOST_GAPS]
        if n_lacking[name]
    ]
    text = (
        f"{evidence.n_kept} of {n_rows} rows are compared, those that all models have, and the "
        f"answer says nothing about the others. Coverage: {first_of(written, _MOST_COVERED)}. "
        f"{'; '.join(gaps)}"
    )
    category = SplitDesignWarning if coverage[models[0]] < _LOW_COVERAGE else None
    yield Note("missing rows", text, category)


def _scores_there(evidence: PassedEvidence, model: str) -> str:
    """Say in brackets how others score on the rows that a model lacks; empty if that is unknown."""
    kept = np.flatnonzero(~np.any([*evidence.lacking.values()], axis=0))
    scores = []
    for other in [name for name in evidence.lacking if name != model][:_MOST_GAPS]:
        rows = np.flatnonzero(evidence.lacking[model] & ~evidence.lacking[other])
        there = len(rows) and evidence.score_on(other, rows)
        if there:
            compared = evidence.score_on(other, kept)
            scores.append(f"{cut(other)} has {there}, and {compared} on the compared rows")
    return f" (there {'; '.join(scores)})" if scores else ""


@note(
    "unseen labels",
    title="Labels that the target has not",
    looks_for="Predicted labels of a class that a target of three or more classes has not.",
    why="A test set may lack a class. If the labels are names or numbers of another coding, they "
    "are all wrong.",
    remedy="Nothing if the class is real; else replace the labels by those of the target.",
    looks_in=PassedEvidence,
    on_sound_data="Not applicable: no model predicted such a label there.",
)
def unseen_labels(evidence: PassedEvidence) -> Iterator[Note]:
    unseen = {name: n_rows for name, n_rows in evidence.unseen.items() if n_rows}
    if unseen:
        counts = first_of([f"{cut(name)} in {n_rows}" for name, n_rows in unseen.items()], 3)
        text = f"labels that y_true has not count as wrong: {counts} rows"
        yield Note("unseen labels", text, None, about=tuple(unseen))


@note(
    SECOND_LABEL,
    title="Numbers of the second label",
    looks_for="One number for each row, and a target of two labels without 1, such as "
    "texts: the numbers are taken for those of the second of the sorted labels.",
    why="If they are probabilities of the first label, the answer is reversed.",
    remedy="Nothing if they are those of the label that the note names; else pass 1 minus them, or "
    "y_true == label as the target. On the command line, --positive names the label.",
    looks_in=PassedEvidence,
    on_sound_data="Not applicable: it tells a fact.",
)
def second_label(evidence: PassedEvidence) -> Iterator[Note]:
    if evidence.of_second:
        first, second = evidence.labels.tolist()
        text = (
            f"the numbers of {first_of([*map(cut, evidence.of_second)], 3)} are taken for those "
            f"of {second!r}, not of {first!r}"
        )
        yield Note(SECOND_LABEL, text, None)


@note(
    "small slices",
    title="Small slices",
    looks_for="Slices of a test set with too few rows.",
    why="They are too small to say anything.",
    remedy="Choose wider slices, or test on more rows.",
    looks_in=SlicesEvidence,
)
def small_slices(evidence: SlicesEvidence) -> Iterator[Note]:
    if evidence.small:
        slices = first_of(evidence.small, _MOST_SLICES)
        yield Note("small slices", f"slices too small to say anything: {slices}", None)


@note(
    "out of fold",
    title="Out-of-fold predictions",
    looks_for="Predictions that were passed as out of fold.",
    why="Whether each row was predicted by a model that had not seen its fold cannot be verified. "
    "Scores are too good if it was not, or if something was chosen on these folds.",
    remedy="Check how the predictions were made.",
    looks_in=PassedEvidence,
)
def out_of_fold(evidence: PassedEvidence) -> Iterator[Note]:
    if evidence.n_folds > 1:
        text = (
            "scores are too good if a model was trained on the fold that it predicts, or anything "
            "was chosen on these folds: neither is verified; chosen are, for example, rounds by "
            "early stopping or the weights of a stack"
        )
        yield Note("out of fold", text, None)


@note(
    OVER_ALL_ROWS,
    title="Scores over all rows",
    looks_for="A mean over folds that differs from the score over all out-of-fold rows.",
    why="The two are different numbers, and others may report the second.",
    remedy="Say which of the two you report.",
    looks_in=OverRowsEvidence,
)
def scores_over_rows(evidence: OverRowsEvidence) -> Iterator[Note]:
    over_rows = evidence.over_rows
    inference = evidence.inference
    distance = np.abs(over_rows - inference.estimate)
    is_far = (distance > FAR_FROM_FOLDS * np.asarray(inference.standard_error)).any()
    if not is_far:
        return
    read = shown_as(evidence.metric_name)
    named = zip(evidence.labels, read.number(over_rows), strict=True)
    each = [f"{format_number(number)} ({name})" for name, number in named]
    text = (
        f"{read.name} is the mean of the folds' scores, weighted by their rows; over all "
        f"out-of-fold rows it is {first_of(each, _MOST_NAMES)}"
    )
    yield Note(OVER_ALL_ROWS, text, None)
