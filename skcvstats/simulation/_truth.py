"""The true values of a study: as they are given, or as its measurements estimate them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .._utils._checks import check_finite_number, check_option
from .._utils._text import counted
from ..scores import SplitDesign

GIVEN = "given"


def check_truth(truth: Mapping[str, float] | None, hypotheses: Sequence[str]) -> dict[str, float]:
    """Return the true values that are given, by hypothesis, or say what is wrong with them."""
    if truth is None:
        return {}
    if not isinstance(truth, Mapping):
        raise TypeError(
            f"truth={truth!r} must be a dict from hypotheses, of {list(hypotheses)}, to "
            "their true values."
        )
    return {
        check_option("hypothesis", name, hypotheses): check_finite_number(name, value)
        for name, value in truth.items()
    }


def estimated_truth(
    n_train: float,
    designs: Sequence[SplitDesign],
    measurements: Sequence[np.ndarray],
    estimates: np.ndarray,
) -> tuple[tuple[float, float], str]:
    """Return the mean over all data sets with its standard error, and where it is from."""
    candidates = [
        (design.n_splits * design.test_size, values.mean(axis=1))
        for design, values in zip(designs, measurements, strict=True)
        if design.levels[0] != "pair" and design.train_size == n_train
    ]
    _, means = max(candidates, key=lambda found: found[0], default=(0, estimates))
    error = means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else np.nan
    source = f"mean of {counted(len(means), 'data set')}"
    return (float(means.mean()), float(error)), source
