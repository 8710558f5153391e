"""Scores that seem to be losses, by the name of their metric and by their signs."""

import numpy as np

from .._utils._metrics import known_of


def are_losses(metric: str, values: np.ndarray) -> bool:
    """Return whether scores in a metric seem to be losses, for which smaller is better."""
    sign, _, high = known_of(metric)
    is_never_positive = sign < 0 or high <= 0
    if not is_never_positive and not (sign > 0 and metric.startswith("neg_")):
        return False
    largest = np.nan_to_num(np.abs(values), posinf=0.0).max(initial=0.0)
    is_positive = values > 1e-9 * largest + 1e-12  # by more than rounding
    if is_never_positive:
        return bool(is_positive.any())
    # The mean of losses of either sign has either sign.
    return values.shape[-1] > 1 and bool(is_positive.all())


def refuse_losses(metric: str, values: np.ndarray, remedy: str) -> None:
    """Raise ValueError for scores that are losses by the name of their metric."""
    sign, _, high = known_of(metric)
    if (sign >= 0 and high > 0) or not are_losses(metric, values):
        return
    kind = "a loss" if sign < 0 else "a negated loss"
    raise ValueError(
        f"{metric!r} is the name of {kind}, and these scores reach {np.nanmax(values):.4g}, so "
        f"the worst would be taken for the best. {remedy}"
    )
