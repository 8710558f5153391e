"""The result of a procedure as columns of a table, and as a flat dict."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils._text import flat_dict, only_evidence
from ..scores import codes


def columns_of(inference: Any, confidence_level: float | None) -> dict[str, Any]:
    """Return the columns of ``inference.to_frame``."""
    low, high = np.nan, np.nan
    if inference.has_interval:
        low, high = inference.confidence_interval(confidence_level)
    return {
        "metric": inference.metric,
        "estimate": inference.estimate,
        "standard_error": inference.standard_error,
        "low": low,
        "high": high,
        "statistic": inference.statistic,
        "df": np.nan if isinstance(inference.df, tuple) else inference.df,
        "pvalue": inference.pvalue,
        "n_train": inference.n_train,
        "n_test": inference.n_test,
        "n_splits": inference.n_splits,
    }


def inference_dict(inference: Any, confidence_level: float) -> dict[str, Any]:
    """Return one test as a flat dict; see ``Inference.to_dict``."""
    if np.size(inference.estimate) != 1 or np.ndim(inference.estimate):
        raise ValueError(
            f"to_dict() is of one test, and this is an array of {np.size(inference.estimate)}. Use "
            "to_frame(), or take(row).to_dict() for one of them."
        )
    numbers = only_evidence(columns_of(inference, confidence_level), inference.undetermined)
    if not inference.asked:
        numbers |= {"statistic": None, "df": None, "pvalue": None}
    facts = {
        "method": inference.method,
        "label": inference.label,
        **numbers,
        "n_samples": inference.n_samples,
        "unit": inference.unit,
        "confidence_level": confidence_level,
        "notes": codes(inference.notes),
    }
    return flat_dict([((), facts)])
