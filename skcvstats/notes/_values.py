"""Notes on values of scores that do not suit the name of their metric, or each other."""

from collections.abc import Iterator

import numpy as np

from .._utils._metrics import AT_TIMES_0, BEST_OF_SOME, CALLED, known_of
from ..scores import Note, RepeatedScores, ScoresOfMetric, are_losses, find_notes
from ._registry import FURTHER_SEARCHES, note
from ._values_evidence import (
    LossesAsScores,
    ScoresOfTwoScales,
    ScoresOutOfRange,
    ValuesEvidence,
    notes_on_rows,
)

_LOSS_AS_SCORE = "loss as score"
_FEWEST_RIGHT = 50  # rows without an error that are hardly luck
_FEWEST_TESTED = 10  # rows of a test set on which a score of 0 hardly is
_FAR_FROM_0 = 0.3  # where the next scores are
_BY_CHANCE = 1e-4
_STEADY = 6  # standard deviations that the other scores are from 0
_FEWEST_SPLITS = 3  # that have a median
_BEYOND = 1e8  # times the median
_NO_ERROR = 1e-6  # a median below it may be that of a perfect model, whose log loss is nearly 0
_ALIKE = 3  # times as large may scores of one sign be as those of the other


def _on_values(found: ScoresOfMetric) -> tuple[Note, ...]:
    """Return what the values of scores in one metric make doubtful; nothing of differences."""
    if any(part.paired for part in found.parts):
        return ()
    evidence = ValuesEvidence(found.parts)
    doubt = evidence.doubt_scale()
    if doubt is not None:
        return find_notes(doubt)
    notes = find_notes(evidence)
    design = evidence.design
    if design.digests is None and design.levels == ("repeat", "fold"):  # only stated
        repeats = evidence.values.reshape(-1, *design.shape)
        notes += find_notes(RepeatedScores(np.moveaxis(repeats, 1, 0), "folds"))
    return notes


FURTHER_SEARCHES[ScoresOfMetric] = _on_values


def on_losses(metric: str, rows: np.ndarray) -> tuple[Note, ...]:
    """Return a note if scores of rows, by the name of their metric and sign, seem to be losses."""
    if not are_losses(metric, rows):
        return ()
    return (_note_on_losses(metric),)


@note(
    _LOSS_AS_SCORE,
    title="Loss as score",
    looks_for="Scores above 0 in a metric whose name is that of a loss, or of a negated one.",
    why="The worst model would be taken for the best.",
    remedy="Negate losses once, or pass greater_is_better=False.",
    looks_in=LossesAsScores,
)
def loss_as_score(evidence: LossesAsScores) -> Iterator[Note]:
    scores = evidence.values
    has_order = len(scores.values) > 1
    if has_order or known_of(scores.metric).high <= 0:
        yield _note_on_losses(scores.directed_by)


def _note_on_losses(metric: str) -> Note:
    kind = "loss" if known_of(metric).sign < 0 else "negated loss"
    text = (
        f"{metric} is taken as a score, greater is better, but its name is that of a {kind} and it "
        "is above 0: if these are losses, the order is reversed"
    )
    return Note(_LOSS_AS_SCORE, text, None)


@note(
    "scores of two scales",
    title="Scores of two scales",
    looks_for="Scores of some models that are about 100 times as large as those of others.",
    why="Differences between percent and shares mean nothing.",
    remedy="Divide scores in percent by 100.",
    looks_in=ScoresOfTwoScales,
)
def scores_of_two_scales(evidence: ScoresOfTwoScales) -> Iterator[Note]:
    text = (
        f"some scores in {evidence.values.metric} are about 100 times as large as others: are they "
        "in percent? then divide them by 100"
    )
    yield Note("scores of two scales", text, None)


@note(
    "scores out of range",
    title="Scores out of range",
    looks_for="Scores that the metric, by its name, cannot have.",
    why="Such scores are of another scale, or of another metric than the name says.",
    remedy="Divide scores in percent by 100, and a margin too; or give the metric its own name.",
    looks_in=ScoresOutOfRange,
)
def scores_out_of_range(evidence: ScoresOutOfRange) -> Iterator[Note]:
    metric = evidence.values.metric
    _, low, high = known_of(metric)
    text = (
        f"some scores are outside of the range of {metric}, {low:g} to {high:g}: are they in "
        "percent? then divide them by 100, and a margin too"
    )
    yield Note("scores out of range", text, None)


@note(
    "largest error",
    title="Largest error",
    looks_for="Scores that are minus the largest error of a test set.",
    why="It is an estimate for test sets of this size only.",
    remedy="Use a metric that does not grow with the size of the test set.",
    looks_in=ValuesEvidence,
)
def largest_error(evidence: ValuesEvidence) -> Iterator[Note]:
    metric = evidence.measured
    if metric.removeprefix("neg_") == "max_error":
        text = f"{metric} grows with the size of the test set: this is its value for this size"
        yield Note("largest error", text, None)


@note(
    "minus a loss",
    title="Minus a loss",
    looks_for="Scores that are minus a loss, in a metric whose name does not tell it.",
    why="A higher score is a lower loss, which readers of the name do not expect.",
    remedy="Begin the name of the metric with neg_.",
    looks_in=ValuesEvidence,
)
def minus_a_loss(evidence: ValuesEvidence) -> Iterator[Note]:
    name = evidence.metric
    if not evidence.measured.startswith("neg_") or name.startswith("neg_"):
        return
    if known_of(name).sign != 0:
        return
    text = (
        f"scores in {name} are minus {evidence.measured.removeprefix('neg_')}, so a higher score "
        f"is a lower {name}; call it 'neg_{name}' to read it as a loss"
    )
    yield Note("minus a loss", text, None)


@note(
    "no errors",
    title="No errors",
    looks_for="Models whose scores are the best possible on every test set, of 50 rows or more.",
    why="Fitted models hardly ever make no error; the target is often among the columns.",
    remedy="Look for the target among the columns, and for test rows that models were trained on.",
    looks_in=ValuesEvidence,
)
def no_errors(evidence: ValuesEvidence) -> Iterator[Note]:
    values = evidence.values
    best = evidence.known.high
    if evidence.measured.startswith("neg_") and (values <= 0).all():
        best = 0.0  # also of losses that may be negative
    scale = best or np.abs([*values.flat, evidence.constant or 0.0]).max()
    is_right = (values >= best - 1e-9 * scale).all(axis=1)
    n_rows = min(evidence.design.n_samples, sum(evidence.design.n_test))
    is_usual = evidence.constant == evidence.known.high or BEST_OF_SOME.search(evidence.measured)
    if n_rows < _FEWEST_RIGHT or is_usual:
        return
    text = "perfect on every row; check for target leakage or training rows in the test set"
    yield from notes_on_rows(evidence, "no errors", is_right, text)


@note(
    "scores of 0",
    title="Scores of 0",
    looks_for="Scores of exactly 0 in some splits, while all others are far above 0.",
    why="They are more often failed fits than results, and make differences too large.",
    remedy="Look for fits that failed with error_score=0; of a rare class use larger test sets.",
    looks_in=ValuesEvidence,
)
def scores_of_0(evidence: ValuesEvidence) -> Iterator[Note]:
    is_zero = evidence.values == 0
    if not is_zero.any():
        return
    has_zeros = is_zero.any(axis=1)
    if not any(_is_hardly_chance(evidence, row) for row in evidence.values[has_zeros]):
        return
    text = "scores of exactly 0 in some splits"
    is_rare_class = AT_TIMES_0.search(evidence.measured)
    if "estimators" not in evidence.provenance:
        text += " (did fits fail there, with error_score=0?)"
    elif is_rare_class:  # fitted here, where no failed fit has a score
        text += ": the class is rare there; use larger test sets, or another metric"
    has_some = has_zeros & ~is_zero.all(axis=1)
    yield from notes_on_rows(evidence, "scores of 0", has_some, text)


def _is_hardly_chance(evidence: ValuesEvidence, row: np.ndarray) -> bool:
    """Return whether scores of 0 are hardly an ordinary result, by those of the other splits."""
    others = np.abs(row[row != 0])
    n_test = min(evidence.design.n_test)
    is_far = others.size and _FAR_FROM_0 <= others.min() < np.inf
    if n_test < _FEWEST_TESTED or not is_far:
        return False
    mean = others.mean()
    if max(1 - mean, 0.0) ** n_test > _BY_CHANCE:  # of a share of the rows
        return False
    if not AT_TIMES_0.search(evidence.measured):
        return True
    return bool(n_test >= _FEWEST_RIGHT and mean > _STEADY * others.std() > 0)


@note(
    "few rows carry all",
    title="A few rows carry all",
    looks_for="Scores of some splits that are beyond 1e8 times the median of all splits.",
    why="A few rows make up the mean then, such as those that are divided by a target of nearly 0.",
    remedy="Leave those rows out, or use a metric that does not divide by the target.",
    looks_in=ValuesEvidence,
    on_sound_data="Found in none of 34 data sets with three models and five metrics.",
)
def few_rows_carry_all(evidence: ValuesEvidence) -> Iterator[Note]:
    sizes = np.abs(evidence.values)
    if sizes.shape[1] < _FEWEST_SPLITS or not sizes.max() > _BEYOND * sizes.min():
        return
    medians = np.median(sizes, axis=1)
    least = _BEYOND * np.maximum(medians, _NO_ERROR)
    is_carried = (medians > 0) & (sizes.max(axis=1) > least)
    most = sizes[is_carried].max(initial=0)
    least = medians[is_carried].min(initial=np.inf)
    text = (
        f"up to {most:.4g} in some splits, and {least:.4g} in the median: a few rows carry all "
        "(are they divided by a target of nearly 0?)"
    )
    yield from notes_on_rows(evidence, "few rows carry all", is_carried, text)


@note(
    "no shares",
    title="No shares",
    looks_for="Accuracies that are no number of rows divided by the size of the test set.",
    why="Such scores were made in another way than the others, so they cannot be compared.",
    remedy="Look for averages, weights, or scores of other test rows among them.",
    looks_in=ValuesEvidence,
)
def no_shares(evidence: ValuesEvidence) -> Iterator[Note]:
    values = evidence.values
    design = evidence.design
    name = CALLED.get(evidence.measured, evidence.measured)
    if name != "accuracy" or design.unit != "rows" or values.shape[1] == 1:
        return
    are_shares = design._are_shares(values).all(axis=1)
    if not are_shares.any():
        return
    text = "not k/n_test as others are (averaged, weighted, or of other test rows?)"
    yield from notes_on_rows(evidence, "no shares", ~are_shares, text)


@note(
    "scores of two signs",
    title="Scores of two signs",
    looks_for="Scores of some models that are all below 0, as large as those of others above.",
    why="Where only some losses are negated, they are in opposite orders.",
    remedy="Negate losses of all models, or of none.",
    looks_in=ValuesEvidence,
)
def scores_of_two_signs(evidence: ValuesEvidence) -> Iterator[Note]:
    values = evidence.values
    _, low, high = evidence.known
    if low > -np.inf or high < np.inf or values.shape[1] == 1:
        return
    is_below = values.max(axis=1) < 0
    is_above = values.min(axis=1) > 0
    if not is_below.any() or not is_above.any():
        return
    size_below = np.median(np.median(np.abs(values[is_below]), axis=0))
    size_above = np.median(np.median(values[is_above], axis=0))
    if not 1 / _ALIKE < size_below / size_above < _ALIKE:
        return
    # As r2 may be: losses of both would rise together, so that one falls as the other rises.
    with np.errstate(invalid="ignore", divide="ignore"):
        rise_together = np.corrcoef(values[is_below][0], values[is_above][0])[0, 1] > 0.3
    if rise_together and values.max() <= 1:
        return
    text = "all below 0, those of others all above (are some of them negated losses?)"
    yield from notes_on_rows(evidence, "scores of two signs", is_below, text)
