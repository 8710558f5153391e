"""The slices of a test set: the pairs of the whole again, each slice with its own standard errors.

Notes
-----
Which differences in slices are shown is adjusted by Holm, over all pairs and slices of a metric: it
needs no joint distribution, and every slice has its own degrees of freedom. "No slice is worse by
more than the margin" is an intersection-union claim [1]_: it is false only if it is false in some
slice, so each slice is tested at the level, all must pass, and p is the largest of theirs. The
contrary, that some slice is worse by more, is a union: its p is the smallest, by Bonferroni.

References
----------
.. [1] R. L. Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling", Technometrics 24,
   1982.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._checks import alpha_of
from ..scores import CVScores
from ..stats import adjust_pvalues
from ._family import Unadjusted
from ._pairs import PairTests, make_pair_tests

if TYPE_CHECKING:
    import pandas as pd


def slice_of(whole: Any, scores_by_metric: Mapping[str, CVScores]) -> Any:
    """Return the result of a slice: the same pairs, in the same direction, by the same options."""
    tests = {
        metric: _like(whole.tests_by_metric[metric], of) for metric, of in scores_by_metric.items()
    }
    return replace(whole, tests_by_metric=tests, slices={}, warned=())


def _like(whole: PairTests, scores: CVScores) -> PairTests:
    made = make_pair_tests(
        whole.procedure,
        scores,
        None,
        (whole.first, whole.second),
        adjustment=whole.adjustment,
        notes=(),
        chosen_from=None,
        in_order=True,
        margin=whole.margin,
        confidence_level=whole.confidence_level,
    )
    return replace(made, better_first=whole.better_first)


def slice_frame(result: Any) -> pd.DataFrame:
    """Return one row for each pair in each slice; see `ComparisonResult.by_slice`."""
    import pandas as pd

    frames = []
    for metric in result.metrics:
        of_metric = []
        for name, part in result.slices.items():
            if part is None:
                continue
            tests = part.tests_by_metric[metric]
            frame, found = tests.to_frame(), tests.inference
            frame.insert(1, "slice", name)
            frame.insert(2, "n_test", int(tests.scores.design.test_size))
            frame["low"], frame["high"] = frame["low_unadjusted"], frame["high_unadjusted"]
            frame["pvalue"] = np.where(found.undetermined, 1.0, found.pvalue)
            if tests.margin is not None:
                alone = Unadjusted(len(tests)).margin_pvalues(found, tests.bounds)
                frame["pvalue_not_worse"] = alone.not_worse
                frame["pvalue_worse_by_more"] = alone.worse_by_more
            of_metric.append(frame)
        if of_metric:
            every = pd.concat(of_metric, ignore_index=True)
            every["pvalue_adjusted"] = adjust_pvalues(every["pvalue"], "holm")
            every["differs"] = every["pvalue_adjusted"] <= alpha_of(result.confidence_level)
            frames.append(every)
    columns = ["metric", "slice", "n_test", "estimator", "versus", "score", "score_versus"]
    columns += ["difference", "standard_error", "df", "low", "high", "pvalue", "pvalue_adjusted"]
    columns += ["differs"]
    if result.margin is not None:
        columns += ["pvalue_not_worse", "pvalue_worse_by_more"]
    if not frames:
        return pd.DataFrame(columns=columns)
    return pd.concat(frames, ignore_index=True)[columns]


def no_slice_worse(result: Any) -> pd.DataFrame:
    """Return one row for each pair; see `ComparisonResult.no_slice_worse`."""
    import pandas as pd

    every, n_slices, rows = slice_frame(result), len(result.slices), []
    alpha = alpha_of(result.confidence_level)
    for metric, tests in result.tests_by_metric.items():
        of_metric, claims = every[every["metric"] == metric], []
        for estimator, versus in tests.names:
            pair = of_metric[
                (of_metric["estimator"] == estimator) & (of_metric["versus"] == versus)
            ]
            found = pair["pvalue_not_worse"].astype(float).fillna(1.0).to_numpy()
            lacking = [name for name, part in result.slices.items() if part is None]
            worst = lacking[0] if lacking else pair["slice"].iloc[int(np.argmax(found))]
            contrary = pair["pvalue_worse_by_more"].astype(float).min()  # without nan
            claims.append(
                {
                    "metric": metric,
                    "estimator": estimator,
                    "versus": versus,
                    "slice": worst,
                    "pvalue": 1.0 if lacking else float(found.max()),
                    "pvalue_contrary": float(np.fmin(1.0, n_slices * contrary)),
                }
            )
        frame = pd.DataFrame(claims)
        adjusts = result.adjustment != "none"
        frame["pvalue_adjusted"] = adjust_pvalues(frame["pvalue"], "holm" if adjusts else "none")
        frame["shown"] = frame["pvalue_adjusted"] <= alpha
        rows.append(frame)
    return pd.concat(rows, ignore_index=True)
