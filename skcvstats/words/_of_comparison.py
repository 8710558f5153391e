"""What is said of a comparison: the answer and the tables of a report, and how they were made."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from .._utils._metrics import shown_as
from .._utils._text import as_sentence, cut, first_of, format_percent
from ..comparison import Comparison, ComparisonResult, parts_of_adjusted
from ..scores import UNVERIFIED_PAIRING, Note, with_shown_ends
from ..stats import ADJUSTMENTS, UNDETERMINED, CVTestResult, within
from ._document import Citation, Paragraph, Picture, Section, parts_of
from ._methods import Methods, Words, tested, together
from ._of_inference import precision_of
from ._parts import Parts, parts
from ._print import of_two, print_of
from ._runs import said_of_runs
from ._sentences import (
    MOST_NAMED,
    answer_of,
    answer_of_two,
    by_title,
    counted_names,
    cut_said,
    difference_table,
    differences_of,
    direction_of,
    intervals_of_families,
    of_primary,
    open_of,
    over_folds_of,
    pvalue_cell,
    ranking_of,
    some_metrics,
)
from ._slices import slices_of


class PartsOfComparison(Methods):
    """What is said of a comparison, in all metrics."""

    def __init__(self, result: ComparisonResult) -> None:
        super().__init__(result)
        tests = result.tests_by_metric[result.metrics[0]]
        self.test = tests.example
        self.names = result.names
        self.metrics = result.metrics
        self.scores = tests.scores
        self.auxiliary = next(iter(result.auxiliary_by_metric.values()), None)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes, but for that on what the sentences name as undetermined."""
        return tuple(note for note in super().notes if note.code != UNDETERMINED.code)

    def printed(self) -> list[Section]:
        return print_of(self.result)

    def cut_intervals(self) -> list[str]:
        return cut_said(intervals_of_families(self.result))

    def subject(self) -> str:
        metrics = some_metrics(self.metrics, most=len(self.metrics))
        who = " and ".join(map(cut, self.names))
        if len(self.names) > 2:
            who = counted_names(self.result)
        return f"{metrics} of {who}"

    @cached_property
    def rankings(self) -> dict[str, Any]:
        """The ranking in each metric that has more than one pair."""
        return {
            metric: with_shown_ends(self.result[metric].ranking(), tests.scores)
            for metric, tests in self.result.tests_by_metric.items()
            if not tests.alone
        }

    def found(self, most_rows: int) -> list[Section]:
        result = self.result
        answers = list[Paragraph]()
        sections = list[Section]()
        level = 2
        for metric in self.metrics:
            if len(self.metrics) > 1:
                level = 3
                sections.append(Section(shown_as(metric).name))
            answer, tables = self._found_in(metric, level, most_rows)
            answers.append(answer)
            sections += tables
        sections += slices_of(result, brief=False, level=level)
        answers += of_primary(result)
        return [Section("Answer", paragraphs=answers, leads=True), *sections]

    def _found_in(self, metric: str, level: int, most_rows: int) -> tuple[str, list[Section]]:
        """Return the answer in one metric, and what it rests on."""
        result = self.result[metric]
        ranked = self.rankings.get(metric)
        if ranked is None:
            (pair,) = result
            answer = answer_of_two(pair)
            sections = [_difference(pair, level)]
        else:
            answer = answer_of(result, ranked)
            example = result.tests_by_metric[metric].example
            sections = ranking_of(result, ranked, level, most_rows)
            sections += differences_of(result, level, most_rows)
            sections[-1].paragraphs.extend(said_of_runs(example, f" {cut(example.label)}"))
        return answer, [*sections, *open_of(result, level)]

    def limitations(self) -> list[Paragraph]:
        """List them once; one of some comparisons or metrics names them."""
        owners: dict[Paragraph, list[str]] = {}
        for metric in self.metrics:
            for point in self.limits(self._notes_in(metric)):
                owners.setdefault(point, []).append(shown_as(metric).name)
        points = list[Paragraph]()
        for point, metrics in owners.items():
            if len(metrics) < len(self.metrics):
                point = (f"{', '.join(metrics)}: ", *parts_of(point))
            points.append(point)
        return points

    def _notes_in(self, metric: str) -> Iterator[Note]:
        """Yield the notes in one metric; of two models the answer says what is undetermined."""
        tests = self.result.tests_by_metric[metric]
        pairs = tests.names[tests.kinds == "undetermined"]
        named = first_of([" - ".join(map(cut, pair)) for pair in pairs], MOST_NAMED)
        for note in self.result[metric].notes:
            if note.code != UNDETERMINED.code:
                yield note
            elif not tests.alone:
                yield replace(note, text=f"{named}: {UNDETERMINED}")

    @property
    def provenances(self) -> list[Mapping[str, Any]]:
        tests = self.result.tests_by_metric.values()
        return [of_metric.scores.provenance for of_metric in tests]

    def compared_by(self) -> Iterator[tuple[str, str]]:
        result = self.result
        tests = result.tests_by_metric.values()
        yield "procedure", together(of_metric.inference.procedure for of_metric in tests)
        adjusted = ["adjustment"] * (result.n_adjusted > 1)
        options = ("reference", *adjusted, "margin", "confidence_level")
        yield "comparisons", ", ".join(f"{name}={getattr(result, name)!r}" for name in options)

    def taken_to_be_same(self) -> str:
        verified = self.scores is None or UNVERIFIED_PAIRING not in self.test.scores.notes
        return f", {'' if verified else 'taken to be '}the same for all"

    def tested(self) -> list[Words]:
        """Say how it was tested, for each metric if these have procedures of their own."""
        result = self.result
        by_procedure = by_title(result)
        said = []
        for metrics in by_procedure.values():
            part = result[metrics[0]]
            start = f"For {some_metrics(metrics, 'metrics', len(metrics))}: "
            if len(by_procedure) == 1:
                part = result
                start = ""
            test = part.tests_by_metric[metrics[0]].example
            said.append((start, *tested(test, _compared(part, test), _reference_law(test, part))))
        return said

    def adjusted(self) -> Words:
        result = self.result
        if result.n_adjusted <= 1:
            return ()
        adjustment = ADJUSTMENTS[result.adjustment]
        how, not_intervals, _ = parts_of_adjusted(result)
        how = as_sentence(how).removesuffix(".").replace(" are adjusted", " were adjusted")
        cited = [Citation((source,)) for source in filter(None, [adjustment.source])]
        together = ""
        if adjustment.has_intervals and self.test.has_interval:
            of_one = " of a metric" if len(self.metrics) > 1 else ""
            together = f", so that all intervals{of_one} cover at once"
        return (f" {how}", *cited, f"{not_intervals}{together}.")

    def decided(self) -> list[Words]:
        return [_margin(self.result), _ranked(list(self.rankings.values()))]


class PartsOfPair(Parts):
    """What is said of one comparison."""

    def printed(self) -> list[Section]:
        return of_two([self.result])


parts.register(ComparisonResult, PartsOfComparison)
parts.register(Comparison, PartsOfPair)


def _difference(pair: Comparison, level: int) -> Section:
    """Return the numbers of two estimators."""
    read = shown_as(pair.metric)
    words = f"The difference in {read.name} with its interval."
    picture = Picture("differences", pair.metric, words)
    numbers = Section("Difference", level, difference_table([pair]), picture)
    numbers.paragraphs.extend(direction_of([pair.metric]))
    numbers.paragraphs.extend(over_folds_of(pair.test, brief=False))
    numbers.paragraphs.extend(said_of_runs(pair.test))
    numbers.paragraphs.extend(_posterior(pair))
    numbers.facts.extend(precision_of(pair.test))
    return numbers


def _posterior(pair: Comparison) -> list[Paragraph]:
    """Return the posterior probabilities with regard to the margin, for two estimators."""
    test = pair.test
    if pair.margin is None or not isinstance(test, CVTestResult):
        return []
    if not test.has_posterior or test.undetermined:
        return []
    smallest = test.describe().smallest_pvalue
    worse, equivalent, better = (
        pvalue_cell(share, smallest).text for share in test.probabilities(pair.margin)
    )
    said = (
        f"Posterior probabilities, which are not a test: worse {worse}, equivalent {equivalent}, "
        f"better {better}"
    )
    return [(said, Citation(("corani2015",)), ".")]


def _compared(result: ComparisonResult, test: Any) -> str:
    """Say what was tested."""
    of_units = {"test rows": "row by row", test.unit: f"on the same {test.unit}"}
    by = of_units.get(test.varies_over, "split by split")
    if test.method in ("jackknife_t", "bootstrap"):  # of a metric without scores of rows
        by = "on the same rows"
    if len(result) == len(result.metrics):
        return f"The difference, {by}, was tested"
    if result.reference is None:
        return f"The differences of all pairs, {by}, were tested"
    versus = {str(name) for tests in result.tests_by_metric.values() for name in tests.names[:, 1]}
    if len(versus) > 1:
        name = "the one with the highest score in each metric"
    else:
        best = ", which has the highest score," if result.reference == "best" else ""
        name = f"{versus.pop()}{best}"
    return f"The differences, {by}, from {name} were tested"


def _reference_law(test: Any, result: ComparisonResult) -> str:
    """Name the distribution that statistics were referred to; empty if there is none."""
    law = str(test.describe().reference_law)
    dfs = [tests.inference.df for tests in result.tests_by_metric.values()]
    if isinstance(test, CVTestResult) and any(np.unique(df).size > 1 for df in dfs):
        return "Student's t distribution with degrees of freedom of its own"
    is_together = result.n_adjusted > 1 and result.adjustment == "max_t"
    if is_together and law == "the normal distribution":
        law += " for each alone, and to a simulated one with tails as of Student's t for all"
    return law


def _margin(result: ComparisonResult) -> Words:
    """Say how it was decided whether differences matter."""
    if result.margin is None or not len(result):
        return ()
    bounds = (tests.each_bounds for tests in result.tests_by_metric.values())
    turned = any(np.any(each != result.margin) for each in bounds)
    order = ", of an earlier estimator minus a later one," if turned else ""
    start = f"Differences {within(result.margin)}{order} do not matter. "
    alternative = result.tests[0].alternative
    read = ", with p-values adjusted as a family of their own"
    if result.n_adjusted == 1 or result.adjustment == "none":
        level = format_percent(1 - 2 * result.comparisons[0].alpha)
        read = f", read from {level} intervals" if alternative == "two-sided" else ""
    elif ADJUSTMENTS[result.adjustment].has_intervals:
        read = ", read from the same intervals"
    goeman = Citation(("goeman2010",))
    if alternative != "two-sided":
        what = "Non-inferiority" if alternative == "greater" else "Non-superiority"
        return (f"{start}{what} was tested at the bound", goeman, f"{read}.")
    return (
        f"{start}Equivalence was tested by two one-sided tests",
        Citation(("schuirmann1987",)),
        f"{read}, together with superiority and inferiority",
        goeman,
        ".",
    )


def _ranked(rankings: Sequence[Any]) -> Words:
    """Say how the columns of the rankings were made."""
    best = any(rows["could_be_best"].notna().any() for rows in rankings)
    said = ""
    if any(rows["low"].notna().any() for rows in rankings):
        said = f"The intervals of scores were not adjusted.{' ' if best else ''}"
    if not best:
        return (said,)
    return (
        f"{said}An estimator could be the best unless another is shown to be better, in one-sided "
        "comparisons adjusted for their number",
        Citation(("gupta1965", "hsu1984")),
        ".",
    )
