"""Scores that do not suit their metric's name or each other, or tell less than they could."""

from typing import TYPE_CHECKING

import numpy as np

from .._utils._metrics import METRICS, known_of, metric_called
from ._folds import FEWEST_FOLDS
from ._notes import Note

if TYPE_CHECKING:
    from ._scores import CVScores

# With more splits in folds, the row t-test's intervals are not shorter than the corrected t-test's.
_FEW_SPLITS = 15
# How many times as large a score in percent is, if no model is twice as good as another.
_PERCENT = 50, 200


def _above(values: np.ndarray, limit: float) -> np.ndarray:
    """Whether values are above a limit, by more than rounding."""
    return values > limit + 1e-9 * np.nan_to_num(np.abs(values), posinf=0.0).max() + 1e-12


def is_reversed(metric: str, values: np.ndarray) -> bool:
    """Whether scores have the sign of losses, by the name of their metric."""
    known, above = known_of(metric), _above(values, 0.0)
    if known.sign < 0 or known.high <= 0:
        return bool(above.any())
    several = values.shape[-1] > 1  # the mean of losses of either sign has either sign
    return known.sign > 0 and metric.startswith("neg_") and several and bool(above.all())


def refuse_losses(metric: str, values: np.ndarray, remedy: str) -> None:
    """Raise ValueError for values that, by the name of the metric, are losses and not scores."""
    known = known_of(metric)
    if (known.sign < 0 or known.high <= 0) and is_reversed(metric, values):
        what = "a loss" if known.sign < 0 else "a negated loss"
        raise ValueError(
            f"{metric!r} is the name of {what}, and these scores reach {np.nanmax(values):.4g}, so "
            f"the worst would be taken for the best. {remedy}"
        )


def reversed_notes(metric: str, values: np.ndarray) -> tuple[Note, ...]:
    """Return a note if these scores, by their name and sign, seem to be losses."""
    if not is_reversed(metric, values):
        return ()
    text = (
        f"{metric} is taken as a score, greater is better, but its name is that of a "
        f"{'loss' if known_of(metric).sign < 0 else 'negated loss'} and it is above 0: if these "
        "are losses, the order is reversed"
    )
    return (Note("loss as score", text, None),)


def value_notes(*parts: "CVScores") -> tuple[Note, ...]:
    """Return what the values of scores in one metric make doubtful; nothing of differences."""
    if any(part.paired for part in parts):
        return ()
    metric = parts[0].metric
    values = np.concatenate([part.values.reshape(-1, part.shape[-1]) for part in parts])
    means = np.ma.masked_invalid(values).mean(axis=-1).filled(np.nan)
    sign, low, high = known_of(metric)
    notes = reversed_notes(metric, values)
    if notes:
        return notes if len(values) > 1 or high <= 0 else ()
    if _may_be_percent(means) and (high <= 1 or np.isinf([low, high]).all()):
        text = (
            f"some scores in {metric} are about 100 times as large as others: are they in percent? "
            "then divide them by 100"
        )
        return (Note("scores of two scales", text, None),)
    if sign < 0 or not (_above(means, high) | _above(-means, -low)).any():
        return ()
    text = (
        f"some scores are outside of the range of {metric}, {low:g} to {high:g}: are they in "
        "percent? then divide them by 100, and a margin too"
    )
    return (Note("scores out of range", text, None),)


def means_of_folds(scores: "CVScores") -> tuple[Note, ...]:
    """Return a note if the scores of rows, which finished scores of folds lack, would tell more."""
    design = scores.design
    known = METRICS.get(scores.metric) or METRICS.get(metric_called(scores.metric) or "")
    is_area = known is METRICS["roc_auc"] and design.unit == "rows"
    has_rows = known is None or known.is_row_mean or is_area
    whole = sum(design.n_train) + sum(design.n_test) == design.n_splits * design.n_samples
    few = design.shape[-1] < FEWEST_FOLDS or min(design.n_test) < 2
    if "fold" not in design.levels or few or not (whole and has_rows) or scores.row_scores:
        return ()
    length = "shorter intervals, which" if design.n_splits <= _FEW_SPLITS else "intervals that"
    how = ' with method="row_t"' if is_area else ""
    text = (
        "only the means of folds are known; "
        f"{'' if known else 'if the metric is a mean over rows, '}the scores of the rows would "
        f"give {length} vary less from one data set to another: compare_estimators and "
        f"cross_val_inference keep them{how}"
    )
    return (Note("means of folds", text, None),)


def _may_be_percent(means: np.ndarray) -> bool:
    """Whether some scores seem to be in percent, and others not."""
    percent, share = means[means > 1], means[(means > 0) & (means <= 1)]
    if not percent.size or not share.size or percent.max() > 100:
        return False
    return bool(_PERCENT[0] <= np.median(percent) / np.median(share) <= _PERCENT[1])
