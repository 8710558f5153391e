"""HeldOutTest: base of the tests of fitted models on one test set; answers and score intervals.

Notes
-----
Whatever the metric, an estimate has components: sums over groups, structural components of an ROC
curve, or bootstrap replicates. The components of a difference of two models are the differences of
their components. So a procedure only computes a variance from components; the rest is here.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from .._utils._arrays import Floats
from .._utils._checks import ConfidenceInterval
from .._utils._text import counted
from ..exceptions import SplitDesignError
from ..scores import Components, CVScores, Note, SplitDesign
from ..stats import (
    UNDETERMINED,
    CVTestResult,
    Description,
    Inference,
    LocationTest,
    Pivot,
    Root,
    Sample,
    plain,
    student_quantile,
    tail_probability,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HeldOutResult(CVTestResult):
    """A `CVTestResult` about fitted models; `n_train` is nan, as it does not matter."""

    __test__: ClassVar[bool] = False  # the name would make pytest collect it
    _fixed_models: ClassVar[str] = "these fitted models, on rows like these"
    _shown: ClassVar[tuple[str, ...]] = (
        *CVTestResult._shown,
        *("null_value", "alternative", "correction"),
    )

    @property
    def title(self) -> str:
        """The name in words of the test, which depends on the test set."""
        return str(self._words().pop("title", self.origin.procedure.title))

    def _words(self) -> dict[str, Any]:
        """Return the words that depend on the test set: phrases of `describe`, and the title."""
        return dict(self.origin.procedure._words(self.origin.scores.components))

    def to_frame(self, confidence_level: float | None = None) -> "pd.DataFrame":
        frame = super().to_frame(confidence_level).drop(columns=["n_train", "n_splits"])
        if self.scores is not None and len(self.scores.labels) == len(frame):
            frame.insert(1, "estimator", list(self.scores.labels))
        return frame

    def describe(self) -> Description:
        words = self._words()
        words.pop("title", None)
        said = replace(super().describe(), varies_over="test rows", **words)
        return replace(said, sizes=f"{counted(int(self.n_test), 'test row')}{said.basis}")

    __repr__ = Inference.__repr__


# After this many bisections of an interval of length 2, its ends are neighbouring numbers.
_N_BISECTIONS = 64


def score_interval(
    statistic_at: Callable[[np.ndarray], np.ndarray],
    lowest: np.ndarray,
    df: Any,
    confidence_level: float,
    alternative: str,
) -> ConfidenceInterval:
    """Return the values from `lowest` to 1 that a statistic, which falls in them, accepts."""
    tails = 2 if alternative == "two-sided" else 1
    critical = -np.asarray(student_quantile(df, (1 - confidence_level) / tails))
    ends = [np.full_like(lowest, -np.inf), np.full_like(lowest, np.inf)]
    for k, target in enumerate((critical, -critical)):
        if alternative == ("less", "greater")[k]:
            continue
        low, high = lowest, np.ones_like(lowest)
        for _ in range(_N_BISECTIONS):
            middle = (low + high) / 2
            statistic = statistic_at(middle)
            # nan at a difference of 0 without discordant rows, where it passes through 0
            above = np.where(np.isnan(statistic), target < 0, statistic > target)
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        ends[k] = np.where(low == lowest, lowest, (low + high) / 2)
    return ConfidenceInterval(*map(plain, ends))


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoreTestResult(HeldOutResult):
    """Base of the answers of score tests: the interval holds the values that are not rejected."""

    @abstractmethod
    def statistic_at(self, value: Any) -> np.ndarray:
        """Return the statistic of a true value.

        Parameters
        ----------
        value : float or ndarray
            The value under test, or one for each estimate.

        Returns
        -------
        ndarray
            The greater the value, the lower.
        """

    @property
    def undetermined(self) -> Any:
        """Never: where rows are all alike, the interval says how sure that is."""
        none = np.zeros(np.shape(self.estimate), dtype=bool)
        return none if none.ndim else False

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        level = self._level(confidence_level)
        lowest = np.full(np.shape(self.estimate), -1.0 if self.paired else 0.0)
        return score_interval(self.statistic_at, lowest, self.df, level, self.alternative)

    def against(self, null_value: Any, alternative: str) -> Self:
        statistic = self.statistic_at(null_value)
        pvalue = tail_probability(statistic, self.df, alternative)
        return replace(
            self,
            statistic=plain(statistic),
            pvalue=plain(np.where(np.isnan(statistic), 1.0, pvalue)),
            null_value=null_value,
            alternative=alternative,
            notes=tuple(note for note in self.notes if note.code != UNDETERMINED.code),
        )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class WilsonResult(ScoreTestResult):
    """The answer about the accuracy of one classifier on independent rows."""

    def statistic_at(self, value: Any) -> np.ndarray:
        return score_statistic(self.estimate, value, value * np.subtract(1, value) / self.n_test)

    def _words(self) -> dict[str, Any]:
        return {
            "title": "Wilson score test",
            "explanation": "the square root of accuracy times error rate divided by the number of "
            "rows; the interval and p take that at the value under test",
            "assumption": "it assumes that the rows are independent",
            "sources": ("wilson1927",),
        }


def score_statistic(estimate: Any, value: Any, variance: Any) -> np.ndarray:
    """Return a distance in standard errors: infinite where the variance is 0, nan for none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = (np.asarray(estimate) - value) / np.sqrt(np.maximum(variance, 0.0))
        return found


def held_out_scores(
    estimates: np.ndarray, components: Components, magnitude: np.ndarray, n_rows: int, **given: Any
) -> CVScores:
    given["design"] = SplitDesign.of_test_set(n_rows, given.pop("y_digest", None))
    given["labels"] = tuple(given.get("labels", ()))
    values = estimates[:, np.newaxis]
    return CVScores(values=values, magnitude=magnitude, components=components, **given)


@dataclass(frozen=True, kw_only=True)
class HeldOutTest(LocationTest):
    """Base of the procedures for fitted models on one test set."""

    __test__: ClassVar[bool] = False

    fixed: ClassVar[bool] = True
    _any_magnitude: ClassVar[bool] = True
    # The components that it can read, and the class of its results on differences.
    kind: ClassVar[str]
    answers: ClassVar[type[HeldOutResult]] = HeldOutResult

    @abstractmethod
    def _variances(self, components: Components, scale: np.ndarray) -> np.ndarray:
        """Return the variance of each estimate, 0 where it is rounding of scores of this scale."""

    @abstractmethod
    def _freedom(self, components: Components) -> tuple[float, int]:
        """Return the degrees of freedom of a statistic, and those of the covariance of all."""

    @abstractmethod
    def _words(self, components: Components) -> dict[str, Any]:
        """Return what is said of an answer on this test set, such as its title and ``basis``."""

    def _score_test(self, components: Components) -> type[Any] | None:
        """Return the class of results of a score test; None if the statistic is the pivot's."""
        return None

    def _details(self, components: Components, estimates: np.ndarray) -> dict[str, Any]:
        return {}

    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        if not design.on_test_set:
            raise SplitDesignError(
                f"The {self.title} is for fitted models on one test set: use compare_predictions "
                'or compare_losses. For scores on splits use method="corrected_resampled_t".'
            )

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[Note, ...]:
        return ()

    def sample(self, scores: CVScores) -> Sample:
        if scores.components is None or scores.components.kind != self.kind:
            raise ValueError(
                f"The {self.title} cannot be computed from these scores of {scores.metric!r}: they "
                "do not hold what the single rows contribute to it. Compare the predictions again, "
                f"compare_predictions(..., method={self.name!r})."
            )
        return super().sample(scores)

    def pivot(self, sample: Any, auxiliary: Any = None) -> Pivot:
        components, shape = sample.scores.components, sample.values.shape[:-1]
        exponent = int(components.facts.get("exponent", 0))
        largest = np.ldexp(sample.largest, exponent)
        errors = np.sqrt(self._variances(components, np.reshape(largest, -1))).reshape(shape)
        errors = np.ldexp(errors, -exponent)
        return Pivot(sample.values[..., 0], errors, self._freedom(components)[0], sample.largest)

    def infer(self, sample: Any, auxiliary: Any = None, *, null_value: Any = None) -> HeldOutResult:
        found = super().infer(sample, null_value=null_value)
        components = sample.scores.components
        answer = self._score_test(components) or self.answers
        details = self._details(components, sample.values[..., 0])
        inference: HeldOutResult = answer(**vars(found), **details)
        if answer is self.answers:
            return inference
        return inference.against(inference.null_value, inference.alternative)

    def _covariance(self, components: Components) -> np.ndarray | None:
        """Return the covariance of all models, with any eigenvalues; None if there is none."""
        return None

    def root(self, sample: Any, auxiliary: Any = None) -> Root | None:
        components = sample.scores.components
        if (covariance := self._covariance(components)) is None:
            return None
        eigenvalues, vectors = np.linalg.eigh(covariance)
        values = vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
        return Root(values, self._freedom(components)[1])
