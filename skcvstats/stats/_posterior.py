"""The corrected t-test as a posterior distribution of the true difference."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtr

from .._utils._checks import listed
from .._utils._text import cut
from ._bounds import check_bounds
from ._inference import UNNAMED_ESTIMATE
from ._student import plain


class PosteriorProbabilities(NamedTuple):
    """Where the true difference lies, in probabilities that sum to 1.

    Parameters
    ----------
    worse : float or ndarray
        P(difference < low).
    equivalent : float or ndarray
        P(low <= difference <= high).
    better : float or ndarray
        P(difference > high).
    """

    worse: Any
    equivalent: Any
    better: Any


def posterior_probabilities(
    margin: Any, *, estimate: Any, standard_error: Any, df: Any
) -> PosteriorProbabilities:
    """Return the probabilities below, within and above bounds of Student's t distribution."""
    low, high = check_bounds(margin, zero=True)
    below = (low - np.asarray(estimate)) / standard_error
    above = (high - np.asarray(estimate)) / standard_error
    # Between the two bounds, from the tails on the side where their difference keeps its digits.
    mirrored = below + above > 0
    near = np.where(mirrored, -below, above)
    far = np.where(mirrored, -above, below)
    return PosteriorProbabilities(
        worse=plain(stdtr(df, below)),
        equivalent=plain(stdtr(df, near) - stdtr(df, far)),
        better=plain(stdtr(df, -above)),
    )


def check_posterior(result: Any) -> None:
    """Raise TypeError or ValueError unless a test has a posterior, and evidence for it."""
    if not result.has_posterior:
        raise TypeError(
            f"The {result.title or 'test'} has no posterior: only the corrected resampled t-test "
            "and the holdout t-test with Student's t distribution take their standard error "
            "from normal "
            'scores of known correlation. Use method="corrected_resampled_t", or, for fitted '
            'models, HoldoutTTest(law="t").'
        )
    undetermined = np.flatnonzero(result.undetermined)
    if len(undetermined):
        rows = f" (rows {listed(undetermined.tolist())})" if np.ndim(result.undetermined) else ""
        of = "" if result.label == UNNAMED_ESTIMATE else f" of {cut(result.label)}"
        raise ValueError(
            f"The posterior{of} is undetermined: the scores do not vary over the "
            f"{result.varies_over}{rows}, so there is no evidence of how sure the estimate is. "
            "Use more test rows or a finer metric."
        )
