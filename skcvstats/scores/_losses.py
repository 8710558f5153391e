"""Scores that seem to be losses, by the name of their metric and by their signs."""

import re

import numpy as np

from .._utils._metrics import known_of

# A mean percentage error beyond this was divided by targets that are 0, or nearly 0.
_MOST_PERCENTAGE = 1e6
_PERCENTAGE = re.compile(r"(?i)(.*[^a-z])?(mape|(absolute[_ ]?)?percentage[_ ]?error)s?")


def are_losses(metric: str, values: np.ndarray) -> bool:
    """Return whether scores in a metric seem to be losses, for which smaller is better."""
    if _is_never_positive(metric):
        return bool(_are_positive(values).any())
    # Such a loss may have either sign, so only several scores that are all positive show it.
    if metric.startswith("neg_") and known_of(metric).sign > 0 and values.shape[-1] > 1:
        return bool(_are_positive(values).all())
    return False


def refuse_losses(metric: str, values: np.ndarray, remedy: str, *, loss: str = "") -> None:
    """Raise ValueError for scores that are losses by the name of their metric.

    Those of losses that were passed, and then negated, are called by the name of the `loss`.
    """
    if not _is_never_positive(metric) or not are_losses(metric, values):
        return
    most = np.nanmax(values)
    if loss:
        raise ValueError(
            f"{loss!r} is the name of a loss that is never below 0, and these fall to {-most:.4g}, "
            f"so the worst would be taken for the best. Pass them without the minus. {remedy}"
        )
    kind = "a loss" if known_of(metric).sign < 0 else "a negated loss"
    raise ValueError(
        f"{metric!r} is the name of {kind}, and these scores reach {most:.4g}, so the worst would "
        f"be taken for the best. {remedy}"
    )


def refuse_divided_by_zero(metric: str, values: np.ndarray) -> None:
    """Raise ValueError for percentage errors that were divided by a target of 0."""
    largest = np.nan_to_num(np.abs(values), posinf=np.inf).max(initial=0.0)
    if largest > _MOST_PERCENTAGE and _PERCENTAGE.fullmatch(metric):
        n_beyond = int(np.count_nonzero(np.abs(values) > _MOST_PERCENTAGE))
        raise ValueError(
            f"{n_beyond} of {np.size(values)} values in {metric!r} are beyond {_MOST_PERCENTAGE:g}"
            f", up to {largest:.4g}: they were divided by targets that are 0, or nearly 0. Leave "
            "those rows out and score again, or use another metric, such as "
            "neg_mean_absolute_error or d2_absolute_error_score."
        )


def _is_never_positive(metric: str) -> bool:
    """Return whether scores in a metric, by its name, are losses if they are above 0."""
    sign, _, high = known_of(metric)
    return sign < 0 or high <= 0


def _are_positive(values: np.ndarray) -> np.ndarray:
    """Mark values that are above 0 by more than rounding."""
    largest = np.nan_to_num(np.abs(values), posinf=0.0).max(initial=0.0)
    return np.asarray(values > 1e-9 * largest + 1e-12)
