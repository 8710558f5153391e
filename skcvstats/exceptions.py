"""Errors and warnings of skcvstats, named for what went wrong."""

from collections.abc import Mapping
from typing import Any

__all__ = [
    "AnticonservativeWarning",
    "DegenerateScoresWarning",
    "FitError",
    "PairingError",
    "SplitDesignError",
    "SplitDesignWarning",
]


class SplitDesignError(ValueError):
    """The splits do not suit the request, or their sizes are not known."""


class PairingError(ValueError):
    """Two sets of scores were not measured on the same splits of the same data."""


class FitError(ValueError):
    """A score that the inference needs is missing or not finite, or its square is out of range.

    Parameters
    ----------
    message : str
        What happened: the estimator, the split and the cause.
    scores : mapping of str to CVScores, default=None
        By metric, all finished scores, missing ones as NaN, so that hours of fits are not
        lost: ``error.scores["accuracy"].dropna()`` drops the failed splits for all estimators.
    auxiliary : mapping of str to CVScores, default=None
        The same for the auxiliary splits of a procedure that has them.
    """

    def __init__(
        self,
        message: str,
        scores: Mapping[str, Any] | None = None,
        auxiliary: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.scores: dict[str, Any] = dict(scores or {})
        self.auxiliary: dict[str, Any] = dict(auxiliary or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self),), self.__dict__  # with the notes


class SplitDesignWarning(UserWarning):
    """The splits admit the inference, but make it weak or doubtful."""


class AnticonservativeWarning(UserWarning):
    """The procedure rejects true null hypotheses more often than its level says."""


class DegenerateScoresWarning(UserWarning):
    """The scores do not vary, so they carry no evidence about the variance."""
