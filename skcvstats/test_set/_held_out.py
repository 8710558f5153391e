"""HeldOutTest: base of the tests of fitted models on one test set.

Notes
-----
Whatever the metric, an estimate has components: sums over groups, structural components of an ROC
curve, or bootstrap replicates. The components of a difference of two models are the differences of
their components. So a procedure only computes a variance from components; the rest is here.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .._utils._text import counted
from ..exceptions import SplitDesignError
from ..scores import Components, CVScores, Note, SplitDesign
from ..stats import CVTestResult, Description, Inference, LocationTest, Pivot, Root, Sample

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HeldOutResult(CVTestResult):
    """The answer about fitted models on one test set: a `CVTestResult` that speaks of these.

    See `CVTestResult` for its fields. `n_train` is nan: what the models were trained on is not
    known, and the answer does not depend on it. `to_frame` has the names of the models, and no
    training sizes.
    """

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


def held_out_scores(
    estimates: np.ndarray, components: Components, magnitude: np.ndarray, n_rows: int, **given: Any
) -> CVScores:
    """Return the scores of fitted models on one test set, with the components of each."""
    given["design"] = SplitDesign.of_test_set(n_rows, given.pop("y_digest", None))
    given["labels"] = tuple(given["labels"])
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
    def _df(self, components: Components) -> float:
        """Return the degrees of freedom of a statistic; inf for the normal distribution."""

    def _words(self, components: Components) -> dict[str, Any]:
        """Return what is said of an answer on this test set, such as its title and ``basis``."""
        return {}

    def _score_test(self, components: Components) -> type[Any] | None:
        """Return the class of results of a score test; None if the statistic is the pivot's."""
        return None

    def _details(self, components: Components, estimates: np.ndarray) -> dict[str, Any]:
        """Return further fields of the result."""
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
        return Pivot(sample.values[..., 0], errors, self._df(components), sample.largest)

    def infer(self, sample: Any, auxiliary: Any = None, *, null_value: Any = None) -> Any:
        found = super().infer(sample, null_value=null_value)
        components = sample.scores.components
        answer = self._score_test(components) or self.answers
        inference: Any = answer(**vars(found), **self._details(components, sample.values[..., 0]))
        if answer is self.answers:
            return inference
        return inference.against(inference.null_value, inference.alternative)


@dataclass(frozen=True, kw_only=True)
class JointHeldOutTest(HeldOutTest):
    """Base of tests with a joint covariance of the estimates, which max-t and the best set need."""

    @abstractmethod
    def _covariance(self, components: Components) -> np.ndarray:
        """Return the estimated covariance of all models; it may have negative eigenvalues."""

    @abstractmethod
    def _n_squares(self, components: Components) -> int:
        """Return how many independent squares the variance is estimated from."""

    def _df(self, components: Components) -> float:
        return self._n_squares(components)

    def root(self, sample: Any, auxiliary: Any = None) -> Root:
        components = sample.scores.components
        eigenvalues, vectors = np.linalg.eigh(self._covariance(components))
        values = vectors * np.sqrt(np.maximum(eigenvalues, 0.0))
        return Root(values, self._n_squares(components))
