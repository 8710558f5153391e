"""The slices of a test set: the pairs of the whole again, each slice with its own standard errors.

Notes
-----
Which differences in slices are shown is adjusted by Holm, over all pairs and slices of a metric: it
needs no joint distribution, and every slice has its own degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._checks import alpha_of
from ..scores import CVScores
from ..stats import ADJUSTMENTS, adjust_pvalues
from ._pairs import PairTests, make_pair_tests

if TYPE_CHECKING:
    import pandas as pd


def slice_of(whole: Any, scores_by_metric: Mapping[str, CVScores]) -> Any:
    """Return the result of a slice: the same pairs, in the same direction, each on its own."""
    tests = {
        metric: _like(whole.tests_by_metric[metric], of) for metric, of in scores_by_metric.items()
    }
    return replace(whole, tests_by_metric=tests, adjustment="none", slices={}, warned=())


def _like(whole: PairTests, scores: CVScores) -> PairTests:
    like: dict[str, Any] = {"margin": whole.margin, "confidence_level": whole.confidence_level}
    pairs, alone = (whole.first, whole.second), ADJUSTMENTS["none"]
    made = make_pair_tests(
        whole.procedure, scores, None, pairs, adjustment=alone, in_order=True, **like
    )
    return replace(made, better_first=whole.better_first)


def slice_frame(result: Any) -> pd.DataFrame:
    """Return one row for each pair in each slice; see `ComparisonResult.by_slice`."""
    import pandas as pd

    if not result.slices:
        raise ValueError(
            "This result has no slices. Pass by= to compare_predictions: the slice of each row."
        )
    frames = [
        _slice_rows(part.tests_by_metric[metric], name)
        for metric in result.metrics
        for name, part in result.slices.items()
        if part is not None
    ]
    frame = pd.concat(frames, ignore_index=True)
    adjusted = frame.groupby("metric")["pvalue"].transform(adjust_pvalues, "holm")
    frame["pvalue_adjusted"] = adjusted
    frame["differs"] = adjusted <= alpha_of(result.confidence_level)
    columns = ["metric", "slice", "n_test", "estimator", "versus", "score", "score_versus"]
    columns += ["difference", "standard_error", "df", "low", "high", "pvalue", "pvalue_adjusted"]
    columns += ["differs"]
    if result.margin is not None:
        columns += ["margin", "pvalue_not_worse", "pvalue_worse_by_more"]
    return frame[columns]


def _slice_rows(tests: PairTests, name: str) -> pd.DataFrame:
    frame = tests.to_frame().assign(
        slice=name, n_test=int(tests.scores.design.test_size), pvalue=tests.pvalues_adjusted
    )
    if tests.margin_pvalues is not None:
        frame["pvalue_worse_by_more"] = tests.margin_pvalues.worse_by_more
        frame["margin"] = -np.asarray(tests.bounds[0])
    return frame


def no_slice_worse(result: Any) -> pd.DataFrame:
    """Return one row for each pair; see `ComparisonResult.no_slice_worse`."""
    every = slice_frame(result)
    if result.margin is None:
        raise ValueError(
            "no_slice_worse() needs a margin, the largest difference that does not matter. "
            "Pass margin= to compare_predictions, or use result.with_margin(0.01)."
        )
    every = every.fillna({"pvalue_not_worse": 1.0, "pvalue_worse_by_more": 1.0})
    of_pairs = every.groupby(["metric", "estimator", "versus"], sort=False)
    rows = of_pairs["pvalue_not_worse"].idxmax()
    columns = ["metric", "estimator", "versus", "margin", "slice"]
    frame = every.loc[rows, columns].reset_index(drop=True)
    frame["pvalue"] = every.loc[rows, "pvalue_not_worse"].to_numpy()
    if lacking := [name for name, part in result.slices.items() if part is None]:
        frame = frame.assign(slice=lacking[0], pvalue=1.0)
    adjustment = "none" if result.adjustment == "none" else "holm"
    adjusted = frame.groupby("metric")["pvalue"].transform(adjust_pvalues, adjustment)
    contrary = of_pairs["pvalue_worse_by_more"].min().to_numpy() * len(result.slices)
    return frame.assign(
        pvalue_adjusted=adjusted,
        shown=adjusted <= alpha_of(result.confidence_level),
        pvalue_contrary=np.fmin(contrary, 1.0),
    )
