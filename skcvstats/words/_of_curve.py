"""What is said of a learning curve: what more rows brought, and where curves cross."""

from typing import Any

from .._utils._metrics import shown_as
from .._utils._text import (
    as_sentence,
    counted,
    cut,
    format_ends,
    format_number,
    format_percent,
    format_size,
)
from ..model_selection import LearningCurveResult
from ..scores import shown_ends
from ._document import Cell, Citation, Section, Table
from ._methods import METHODS, Methods
from ._parts import parts
from ._sentences import POWER, as_read, as_table, detectable_of, direction_of, which_is_better

_ABOUT = 0.02  # ratios of sizes that are rounded to rows


class PartsOfCurve(Methods):
    """What is said of a learning curve."""

    auxiliary = None

    def __init__(self, result: LearningCurveResult) -> None:
        super().__init__(result)
        self.test = result.of_gains.example
        self.names = result.names
        self.metrics = (result.metric,)
        self.scores = result.scores

    def at_level(self, level: float | None) -> LearningCurveResult:
        if level is not None:
            raise ValueError("A curve is reported at its own level; leave confidence_level out.")
        curve: LearningCurveResult = self.result
        return curve

    def printed(self) -> list[Section]:
        return [*self.found(0), Section(paragraphs=[self._how_made()])]

    def subject(self) -> str:
        who = " and ".join(map(cut, self.names))
        if len(self.names) > 2:
            who = counted(len(self.names), "estimator")
        return f"learning curve of {who} in {shown_as(self.result.metric).name}"

    def found(self, most_rows: int) -> list[Section]:
        result = self.result
        gains = [said_of_gain(result, e) for e in range(len(result.names))]
        sections = [
            Section("Answer", paragraphs=[*gains], leads=True),
            Section("Scores and gains", table=_table_of_curve(result)),
        ]
        if crossing := _rows_of_crossing(result):
            table = as_table(crossing, n_names=1)
            said = direction_of([result.metric])
            sections.append(Section("Curves that cross", table=table, paragraphs=[*said]))
        return sections

    def methods(self) -> list[Section]:
        described = self.test.describe()
        made = (self._how_made(), Citation(described.sources))
        return [Section(METHODS, paragraphs=[made, as_sentence(described.assumption)])]

    def _how_made(self) -> str:
        result = self.result
        test = self.test
        design = result.scores.design
        better = which_is_better([result.metric])
        return (
            f"{shown_as(result.metric).name}, {better}: {test.title}, "
            f"{test.describe().splits} of {design.n_samples} {result.unit}, with parts of their "
            f"training sets of {format_size(design.train_size)}. No conclusion about other sizes. "
            "Intervals are simultaneous: those of all scores, those of all gains from the next "
            "smaller size, and those of all differences."
        )


parts.register(LearningCurveResult, PartsOfCurve)


def _table_of_curve(result: LearningCurveResult) -> Table:
    """Return a row for each score, with its gain."""
    interval = f"{format_percent(result.confidence_level)} interval"
    rows = [
        {
            "": cut(row["estimator"]),
            f"training {result.unit}": Cell(format_size(row["n_train"]), (row["n_train"],)),
            "score": row["score"],
            interval: (row["low"], row["high"]),
            "gain": row["gain"],
            f"{interval} of it": (row["gain_low"], row["gain_high"]),
        }
        for row in as_read(result.to_frame(), result.metric).to_dict("records")
    ]
    return as_table(rows, n_names=1)


def _rows_of_crossing(result: LearningCurveResult) -> list[dict[str, Any]]:
    """Return a row for each difference of estimators whose order changes with the size."""
    if result.of_differences is None:
        return []
    interval = f"{format_percent(result.confidence_level)} interval"
    frame = result.differences()
    of_pair = frame.groupby(["estimator", "versus"])["difference"]
    changes_sign = (of_pair.transform("min") < 0) & (of_pair.transform("max") > 0)
    return [
        {
            "curves that cross": f"{cut(row['estimator'])} - {cut(row['versus'])}",
            f"training {result.unit}": Cell(format_size(row["n_train"]), (row["n_train"],)),
            "difference": row["difference"],
            interval: (row["low"], row["high"]),
        }
        for row in frame[changes_sign].to_dict("records")
    ]


def said_of_gain(result: LearningCurveResult, e: int) -> str:
    """Say what the last step in training size brought an estimator, or would have shown."""
    n_sizes = len(result.sizes)
    unit = result.unit
    read = shown_as(result.metric)
    comparison = result.gains[e * (n_sizes - 1) + n_sizes - 2]
    before, after = map(format_size, result.sizes[-2:])
    by = result.sizes[-1] / result.sizes[-2]
    step = f"going from {before} to {after} {unit}"
    if abs(by - 2) < _ABOUT:
        step = f"doubling the {unit} from {before} to {after}"
    name = cut(result.names[e])
    kind = comparison.claim.kind
    if kind in ("above", "below"):
        estimate = comparison.test.estimate
        ends = shown_ends(comparison.test.scores, *comparison.confidence_interval())
        how = "raised" if (kind == "above") != read.is_loss else "lowered"
        numbers = f"{format_number(abs(estimate))} ({format_ends(*sorted(map(abs, ends)))})"
        return f"{name}: {step} {how} {read.name} by {numbers}."
    if kind == "undetermined":
        return (
            f"{name}: undetermined, as the scores do not vary between {before} and {after} {unit}."
        )
    least = detectable_of(comparison)
    found = f"no significant change in {read.name} by {step}"
    would = f"a gain of {least} or more would have been significant, with power {POWER}"
    return f"{name}: {found}; {would}."
