"""compare_losses: compares models by losses of single test rows that were computed elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._utils._arrays import as_numbers
from .._utils._checks import distinct, listed
from .._utils._text import counted
from ..comparison import ComparisonPlan, ComparisonResult
from ..scores import CVScores
from ..stats import get_procedure
from ._alignment import align_rows
from ._clustered_mean import mean_scores
from ._clustered_t import ClusteredTTest


def compare_losses(
    losses: Mapping[str, Any] | ArrayLike,
    *,
    metric: str = "loss",
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    variance: str = "jackknife",
    reference: str | None = None,
    alternative: str = "two-sided",
    margin: Any = None,
    adjustment: str = "auto",
    confidence_level: float = 0.95,
) -> ComparisonResult:
    """Compare fitted models by their losses on the rows of one test set.

    The answer is about the models as they were fitted, on rows like these.

    Parameters
    ----------
    losses : mapping, frame or array-like
        The loss of each model on each test row, smaller is better:

        - a mapping from each name to an array or series of one loss for each row, or to a list of
          such arrays where a model was run several times, whose losses are averaged row by row;
        - a frame whose columns are the models and whose rows are the test rows;
        - an array of shape (n_models, n_rows).
    metric : str, default="loss"
        What the losses are; minus its mean, ``neg_`` and this name, is the score of a model.
    groups : array-like of shape (n_rows,), default=None
        The group of each row, such as its patient, site or prompt, if rows of one group depend on
        each other.
    sample_weight : array-like of shape (n_rows,), default=None
        Weights of the rows; only their ratios matter.
    variance : {"jackknife", "sandwich"}, default="jackknife"
        How the variance of a mean is estimated from the groups: ``"jackknife"`` leaves out one at
        a time, ``"sandwich"`` is the usual cluster-robust estimate, which is too small where
        groups are very unequal.
    reference : str, default=None
        The name of the model to compare the others with, ``"best"`` for the one with the lowest
        mean loss, or None for all pairs.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Of the difference of scores: of all pairs the earlier minus the later, else each minus the
        reference. ``"greater"``: the first has the lower expected loss.
    margin : float or pair of float, default=None
        The largest difference that does not matter, in the unit of the loss, chosen beforehand:
        from -margin to margin, or the two bounds low < 0 < high. See `compare_scores`.
    adjustment : {"auto", "max_t", "holm", "bonferroni", "hochberg", "bh", "by", "none"}, \
            default="auto"
        How to adjust for the number of comparisons; ``"auto"`` is ``"max_t"``.
    confidence_level : float, default=0.95
        At which the result is reported.

    Returns
    -------
    ComparisonResult
        The verdicts and the table. The estimate of a against b is minus the difference of their
        mean losses, so positive speaks for a.

    Raises
    ------
    PairingError
        If the numbers of rows differ, or series and frames are not of the same rows.
    ValueError
        If a loss is missing, there is one group only, or weights are negative.

    Warns
    -----
    SplitDesignWarning
        If there are few groups, or very unequal ones.

    See Also
    --------
    compare_predictions : From predictions, by any metric.
    compare_scores : From scores on several splits, about learning algorithms.
    skcvstats.stats.clustered_mean : The numbers on plain arrays.

    Notes
    -----
    See `ClusteredTTest`. Without groups it is the paired t-test over rows.

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats import compare_losses
    >>> generator = np.random.default_rng(0)
    >>> patients = np.repeat(np.arange(40), 5)
    >>> difficulty = generator.normal(size=40)[patients]
    >>> losses = {
    ...     "small": (1.5 + difficulty + generator.normal(size=200)) ** 2,
    ...     "large": (1.0 + difficulty + generator.normal(size=200)) ** 2,
    ... }
    >>> result = compare_losses(losses, metric="squared_error", groups=patients)
    >>> result[0].test.n_test, result[0].test.df
    (200, 39.0)
    """
    by_name, more = read_losses(losses, groups=groups, sample_weight=sample_weight)
    if len(by_name) < 2:
        raise ValueError(
            f"Losses of one model only, {listed(by_name)}: give those of at least two, or use "
            "skcvstats.stats.clustered_mean for one."
        )
    test = get_procedure(ClusteredTTest(variance=variance, alternative=alternative))
    plan = ComparisonPlan(test, reference, adjustment, tuple(by_name), confidence_level, margin)
    name = f"neg_{metric}"
    scores = mean_scores(
        np.stack([-row for row in by_name.values()]),
        labels=tuple(by_name),
        metric=name,
        provenance={"scoring": f"losses made elsewhere ({metric})"},
        **more,
    )
    return plan.run({name: scores})


def read_losses(losses: Any, **more: Any) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Return the losses of each model, and further arrays for the rows, in one order."""
    named = _by_name(losses)
    runs = {name: _runs(part) for name, part in named.items()}
    parts = {
        f"the losses of {name!r}{f', run {k}' if len(arrays) > 1 else ''}": array
        for name, arrays in runs.items()
        for k, array in enumerate(arrays)
    }
    aligned = align_rows({**parts, **more})
    rows = {what: _numbers(what, aligned[what]) for what in parts}
    found = {}
    of_runs = iter(rows.values())
    for name, arrays in runs.items():
        own = [next(of_runs) for _ in arrays]
        found[name] = own[0] if len(own) == 1 else np.mean(own, axis=0)
    return found, {name: aligned[name] for name in more}


def _by_name(losses: Any) -> dict[str, Any]:
    """Return what was given for each model."""
    if isinstance(losses, CVScores):
        raise TypeError(
            "compare_losses takes losses of single test rows, got CVScores of splits. Use "
            "compare_scores."
        )
    if isinstance(losses, Mapping):
        named = dict(zip(distinct(losses, "names"), losses.values(), strict=True))
    elif hasattr(losses, "columns"):
        names = distinct(losses.columns, "columns")
        named = {name: losses.iloc[:, k] for k, name in enumerate(names)}
    else:
        array = _numbers("losses", losses, ndim=2)
        named = {f"estimator {k}": row for k, row in enumerate(array)}
    if not named:
        raise ValueError("No losses given; give those of at least two models.")
    return named


def _runs(part: Any) -> list[Any]:
    """Return the runs of a model: a list of arrays, or the one array itself."""
    several = isinstance(part, Sequence) and not isinstance(part, str) and len(part) > 0
    return list(part) if several and all(np.ndim(run) == 1 for run in part) else [part]


def _numbers(what: str, values: Any, ndim: int = 1) -> np.ndarray:
    """Return losses as an array of finite numbers."""
    try:
        array = as_numbers("they", values)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"Expected numbers for {what}, one loss for each test row: {error}."
        ) from error
    if array.ndim == 2 and ndim == 1 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != ndim:
        wanted = "(n_rows,)" if ndim == 1 else "(n_models, n_rows)"
        raise ValueError(
            f"Shape {array.shape} of {what}; expected {wanted}. Pass a mapping from each name to "
            "one loss for each test row, or to a list of such arrays for repeated runs."
        )
    missing = ~np.isfinite(array)
    if missing.any():
        where = ", ".join(map(str, np.argwhere(missing)[0].tolist()))
        raise ValueError(
            f"{counted(int(missing.sum()), 'value')} of {what} missing or not finite (the first "
            f"at {where}). Compute them, or leave out those rows for all models."
        )
    return array
