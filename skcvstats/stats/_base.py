"""LocationTest: what all procedures share, and how they are found by name."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._design import DesignRequest, SplitDesign
from .._results import CVTestResult
from .._scores import CVScores
from .._validation import ALTERNATIVES, check_finite_number, check_option
from .._warn import warn_user
from ..exceptions import DegenerateScoresWarning
from ._diagnostics import design_notes
from ._location import Pivot, interval, plain, refer

Scores = CVScores | Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class LocationTest(ABC):
    """Base of the procedures: a test of an expected score, or of a difference of two.

    A procedure is a file with a subclass, whose `_pivot` turns scores into an estimate, its
    standard error and its degrees of freedom, and a function on arrays.

    Parameters
    ----------
    null_value : float, default=0.0
        The value under test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the true value lies if not at the null value.
    """

    null_value: float = 0.0
    alternative: str = "two-sided"

    name: ClassVar[str]
    title: ClassVar[str]
    request: ClassVar[DesignRequest]

    def __post_init__(self) -> None:
        check_option("alternative", self.alternative, ALTERNATIVES)
        object.__setattr__(self, "null_value", check_finite_number("null_value", self.null_value))

    @abstractmethod
    def require(self, design: SplitDesign) -> None:
        """Raise SplitDesignError unless the splits can serve this procedure.

        Parameters
        ----------
        design : SplitDesign
            The splits.
        """

    @abstractmethod
    def _pivot(
        self, values: np.ndarray, design: SplitDesign, magnitude: np.ndarray | None
    ) -> Pivot:
        """Reduce complete scores of shape (..., n_splits) to the pivot."""

    def __call__(self, scores: Scores, other: Scores | None = None) -> CVTestResult:
        """Test the expected score, or the expected difference ``scores - other``.

        Parameters
        ----------
        scores : CVScores or dict
            The scores, or what `cross_validate(..., return_indices=True)` returned.
        other : CVScores or dict, default=None
            The scores to compare with, on the same splits.

        Returns
        -------
        CVTestResult
            The test and its interval.

        Raises
        ------
        PairingError
            If the two were measured on different splits or metrics.
        SplitDesignError
            If the splits cannot serve the procedure.
        FitError
            If a score is missing or not finite.
        """
        sample = as_scores(scores)
        sample.check_complete()
        if other is not None:
            against = as_scores(other)
            against.check_complete()
            sample = sample - against
        self.require(sample.design)
        pivot = self._pivot(sample.values, sample.design, sample.magnitude)
        return self._result(pivot, sample.design, self.null_value, sample)

    def _on_array(self, x: Any, design: SplitDesign, null_value: Any, axis: int) -> CVTestResult:
        """Test arrays of scores; `null_value` may have their leading shape."""
        self.require(design)
        null_value = np.asarray(null_value, dtype=float)[()]
        shape = np.delete(np.shape(x), axis)
        if np.ndim(null_value) and np.shape(null_value) != tuple(shape):
            raise ValueError(
                f"null_value has shape {np.shape(null_value)}; pass a number, or an array of the "
                f"shape of x without its splits, {tuple(map(int, shape))}."
            )
        if not np.isfinite(null_value).all():
            raise ValueError(
                f"null_value={null_value} is under test, so it must be a finite number."
            )
        values = np.moveaxis(x, axis, -1)
        pivot = self._pivot(values, design, None)
        if not np.isfinite(pivot.estimate).all():
            where = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
            raise ValueError(
                f"x has a score that is {values[where]} (at {where}, splits last). Mend its "
                "cause, or leave that split out for all estimators."
            )
        return self._result(pivot, design, null_value, None)

    def _result(
        self, pivot: Pivot, design: SplitDesign, null_value: Any, scores: CVScores | None
    ) -> CVTestResult:
        statistic, pvalue = refer(pivot, null_value, self.alternative)
        if np.any(pivot.standard_error == 0):
            what = "The scores" if scores is None else f"{scores.label}: the scores"
            warn_user(
                f"{what} do not vary over the splits: p is 1 if the estimate equals the null "
                "value and 0 otherwise by definition, and neither is evidence. Use more test rows "
                "or a finer metric.",
                DegenerateScoresWarning,
            )
        notes = design_notes(design)
        facts: dict[str, Any] = {"notes": notes}
        if scores is not None:
            notes = tuple(dict.fromkeys((*scores.notes, *notes)))
            facts = {
                "metric": scores.metric,
                "notes": notes,
                "label": scores.label,
                "provenance": scores.provenance,
            }
        return CVTestResult(
            statistic=plain(statistic),
            pvalue=plain(pvalue),
            df=float(pivot.df),
            estimate=plain(pivot.estimate),
            standard_error=plain(pivot.standard_error),
            null_value=null_value,
            alternative=self.alternative,
            n_train=design.train_size,
            n_test=design.test_size,
            n_samples=design.n_samples,
            n_splits=design.n_splits,
            correction=pivot.correction,
            method=self.name,
            _interval=interval,
            title=self.title,
            unit=design.unit,
            **facts,
        )


def as_real(x: Any) -> np.ndarray:
    """Return `x` as an array of floats, or say why it is not one."""
    array = np.ma.asanyarray(x) if isinstance(x, np.ma.MaskedArray) else np.asarray(x)
    if isinstance(array, np.ma.MaskedArray) or array.dtype.kind not in "biuf":
        raise ValueError(
            f"x must hold real numbers, one for each split; got {type(x).__name__} of dtype "
            f"{array.dtype}. Leave out masked splits for all estimators."
        )
    return array.astype(float, copy=False)


def as_scores(scores: Scores) -> CVScores:
    """Return `scores` as CVScores, or say what to pass instead."""
    if isinstance(scores, CVScores):
        return scores
    if isinstance(scores, Mapping):
        return CVScores.from_cv_results(scores)
    raise TypeError(
        f"Expected CVScores or the dict of cross_validate(..., return_indices=True), got "
        f"{type(scores).__name__}. A bare array has lost the sizes of its splits: use the "
        "procedure's function, which asks for them."
    )


def _tests() -> dict[str, type[LocationTest]]:
    package = sys.modules[__package__]
    members = [getattr(package, name) for name in package.__all__]
    return {
        member.name: member
        for member in members
        if isinstance(member, type) and issubclass(member, LocationTest) and hasattr(member, "name")
    }


def get_test_names() -> list[str]:
    """Return the names that ``method=`` accepts.

    Returns
    -------
    list of str
        In alphabetical order.

    Examples
    --------
    >>> from skcvstats import get_test_names
    >>> "corrected_resampled_t" in get_test_names()
    True
    """
    return sorted(_tests())


def get_test(method: str | LocationTest, **options: Any) -> LocationTest:
    """Return the procedure of that name.

    Parameters
    ----------
    method : str or LocationTest
        One of `get_test_names()`; a procedure is returned as it is.
    **options : object
        Its options, such as ``alternative="greater"``; None leaves the default. A procedure that
        is given must have the same.

    Returns
    -------
    LocationTest
        To be called on scores.

    Examples
    --------
    >>> from skcvstats import get_test
    >>> get_test("corrected_resampled_t", alternative="greater")
    CorrectedResampledTTest(null_value=0.0, alternative='greater')
    """
    if isinstance(method, type):
        raise TypeError(f"method={method.__name__} is a class: pass {method.__name__}().")
    asked = {name: value for name, value in options.items() if value is not None}
    if not isinstance(method, LocationTest):
        tests = _tests()
        return tests[check_option("method", method, sorted(tests))](**asked)
    for name, value in asked.items():
        if getattr(method, name) != value:
            raise ValueError(f"{name}={value!r}, but {method!r} has its own; give it only there.")
    return method
