"""Checks before the first fit that need no model, of problems that make all fits useless.

X is not checked: pipelines and boosters accept text, dates and missing values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._utils._checks import listed
from ._scoring import is_scorer

_TWO_CLASSES = {
    "f1": "f1_score",
    "precision": "precision_score",
    "recall": "recall_score",
    "jaccard": "jaccard_score",
    "average_precision": "average_precision_score",
}


def check_no_missing(y: Any, metrics: Mapping[str, Any]) -> None:
    """Raise ValueError if the target has missing entries."""
    own = any(callable(m) and not is_scorer(m) for m in metrics.values())
    if y is None or own or hasattr(y, "toarray"):
        return
    missing = _missing_rows(y)
    if missing.size:
        raise ValueError(
            f"y is missing (nan, None) in {missing.size} of {len(y)} rows, the first of them row "
            f"{missing[0]}. Leave those rows out of X and y, or fill them: no score can be "
            "computed there."
        )


def _missing_rows(y: Any) -> np.ndarray:
    try:
        values = np.asarray(y)
    except ValueError:  # rows of different lengths
        return np.array([], dtype=int)
    if values.dtype.kind in "fc":
        missing = np.isnan(values)
    elif values.dtype.kind in "mM":
        missing = np.isnat(values)
    elif values.dtype.kind == "O":
        import pandas as pd  # recognises nan, None, NaT and pandas' NA

        missing = np.asarray(pd.isna(values))
    else:
        return np.array([], dtype=int)
    return np.flatnonzero(missing.reshape(len(values), -1).any(axis=1))


def unknown_labels(
    metrics: Mapping[str, Any], y: Any, *, target: str = "y"
) -> dict[str, tuple[str, str]]:
    """Return the binary metrics that do not know the labels, with the fact and the remedy."""
    asked = {name: metric for name, metric in metrics.items() if _is_of_two_classes(metric)}
    if not asked or y is None or hasattr(y, "toarray"):
        return {}
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1 or labels.dtype.kind not in "biUSO":
        return {}
    try:
        classes = np.unique(labels).tolist()
    except TypeError:  # labels of different types
        return {}
    found = {name: _complaint(metric, classes, target) for name, metric in asked.items()}
    return {name: complaint for name, complaint in found.items() if complaint is not None}


def _is_of_two_classes(metric: Any) -> bool:
    return isinstance(metric, str) and metric in _TWO_CLASSES


def _complaint(metric: str, classes: Sequence[Any], target: str) -> tuple[str, str] | None:
    if len(classes) > 2 and metric != "average_precision":
        return (
            f"scoring={metric!r} is for two classes, and {target} has {len(classes)}: "
            f"{listed(classes)}",
            f"For more than two classes use an average, such as scoring='{metric}_macro'.",
        )
    if 1 in classes or len(classes) < 2:
        return None
    average, response = f"an averaged metric such as scoring='{metric}_macro', or ", ""
    if metric == "average_precision":
        average, response = "", ", response_method='predict_proba'"
    return (
        f"scoring={metric!r} takes 1 for the positive class, and {target} has the labels "
        f"{listed(classes)}: pos_label=1 is not a valid label",
        f"For labels other than 0 and 1 use {average}make_scorer({_TWO_CLASSES[metric]}, "
        f"pos_label={classes[-1]!r}{response}).",
    )
