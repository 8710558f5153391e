"""What is said of one estimator or difference, or of an array of them."""

from typing import Any

import numpy as np

from .._utils._metrics import shown_as
from .._utils._shared_arguments import alpha_of
from .._utils._text import cut, format_interval, format_number, format_pvalue
from ..scores import shown_ends
from ..stats import UNNAMED_ESTIMATE, CVTestResult, Inference
from ._document import Paragraph, Section
from ._methods import Methods
from ._parts import parts
from ._runs import said_of_runs
from ._sentences import and_more, cut_said, intervals_of, over_folds_of, some_metrics, test_table

_MOST_TESTS = 20
_WIDEST_LABEL = 203  # of a difference: two names


class PartsOfTest(Methods):
    """What is said of a test."""

    def __init__(self, result: Inference) -> None:
        super().__init__(result)
        self.test = result
        self.metrics = (result.metric,)
        self.scores = result.scores
        self.auxiliary = result.auxiliary
        self.names = tuple({result.label} - {UNNAMED_ESTIMATE})

    def at_level(self, level: float | None) -> Any:
        shape = np.shape(self.result.pvalue)
        if shape:
            raise ValueError(
                f"This result contains tests of shape {shape}; a report is about one. For several "
                "estimators use compare_estimators or compare_scores."
            )
        return super().at_level(level)

    def printed(self) -> list[Section]:
        test = self.test
        said = test.describe()
        if not np.ndim(test.estimate):
            finding = f": {said.finding}" if said.finding else ""
            how = f"by the {test.title}{said.joined}{said.sizes}{finding}."
            found = f"{_estimated(test)} for {said.subject}, {how}"
            below = [*over_folds_of(test, brief=True), *said_of_runs(test), *self.cut_intervals()]
            return [Section(paragraphs=[found, *below])]
        left = np.size(test.estimate) - _MOST_TESTS
        more: list[Paragraph] = [*and_more(left, "see to_frame()")]
        return [
            Section(paragraphs=[f"{test.title}, {said.sizes}"]),
            Section(table=test_table(test, _MOST_TESTS), points=more),
        ]

    def details(self) -> list[Section]:
        if np.ndim(self.test.estimate):
            return []
        return [Section(table=test_table(self.test, 1))]

    def cut_intervals(self) -> list[str]:
        return cut_said(intervals_of([self.test]))

    def subject(self) -> str:
        return " of ".join([some_metrics(self.metrics), *map(cut, self.names)])

    def found(self, most_rows: int) -> list[Section]:
        test = self.test
        asked = ""
        if test.undetermined:
            asked = ", which is undetermined"
        elif test.asked:
            pvalue = format_pvalue(test.pvalue, test.describe().smallest_pvalue)
            asked = f", p {pvalue}{self.against_null()}"
        said = [*self.own_words(), f"{_estimated(test)}{asked}."]
        said += [*over_folds_of(test, brief=False), *said_of_runs(test)]
        return [Section("Answer", paragraphs=[*said], facts=precision_of(test), leads=True)]

    def own_words(self) -> list[str]:
        """Return what the test shows, of a procedure that alone knows it."""
        return [f"{self.test.claim(alpha_of(self.test.confidence_level)).words}."]

    def against_null(self) -> str:
        """Say which value was tested; empty where there is none."""
        return ""


class PartsOfCVTest(PartsOfTest):
    """What is said of a test with a null value: the estimate and its interval say it all."""

    def own_words(self) -> list[str]:
        return []

    def against_null(self) -> str:
        null = shown_as(self.test.metric, self.test.paired).number(self.result.null_value)
        return f" against {format_number(null)}"


parts.register(Inference, PartsOfTest)
parts.register(CVTestResult, PartsOfCVTest)


def precision_of(test: Inference) -> list[tuple[str, str]]:
    """Return the standard error and the statistic, if the procedure has them."""
    facts = []
    law = test.describe().law
    if test.has_interval:
        facts.append(("std. error", format_number(test.standard_error)))
    if test.asked and law and not test.undetermined:
        facts.append((law, format_number(test.statistic)))
    return facts


def _estimated(test: Any) -> str:
    """Say what was estimated, and how sure it is."""
    sure = ""
    read = shown_as(test.metric, test.paired)
    if test.has_interval and not test.undetermined:
        ends = shown_ends(test.scores, *test.confidence_interval())
        sure = f" ({format_interval(*read.ends(*ends), test.confidence_level)})"
    label = cut(test.label, _WIDEST_LABEL)
    metric = shown_as(test.metric)
    what = f"{metric.name}{'' if test.label == UNNAMED_ESTIMATE else f' of {label}'}"
    if test.paired:
        names = cut(test.estimator), cut(test.versus)
        label = metric.difference(*names) if metric.is_loss else label
        what = f"difference in {metric.name}, {label},"
    estimate = format_number(read.number(test.estimate))
    return f"The expected {what} is estimated as {estimate}{sure}"
