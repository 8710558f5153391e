"""What a report is about and what was found: the answer, the ranking, the differences."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._checks import alpha_of
from .._utils._text import (
    counted,
    cut,
    first_of,
    format_number,
    format_percent,
    format_pvalue,
    sentence,
    visible,
)
from ..comparison import IN_TIME_ORDER, Comparison, ComparisonResult, ScoreEstimates
from ..model_selection import CHOSEN_METHOD, RacingSearchCV
from ..scores import CVScores, with_shown_ends
from ..stats import UNDETERMINED, UNNAMED_ESTIMATE, CVTestResult, Inference
from ._document import EMPTY, Cell, Citation, Paragraph, Picture, Section, Table
from ._sentences import SILENT, answer, expected, interval_of, left_out, of_single, words_of_pair
from ._slices import slice_sections
from ._tables import difference_cells, number_cell, pvalue_cell, score_table, scores_of, scores_only

if TYPE_CHECKING:
    import pandas as pd

MOST_WORDS = 40
_MOST_NAMED = 5
_POWER = 0.8
_NOT_LISTED = (UNDETERMINED.code, CHOSEN_METHOD)


@dataclass(frozen=True, eq=False)
class Findings:
    """What the comparisons of one metric show."""

    metric: str
    result: ComparisonResult

    @property
    def first(self) -> Comparison:
        """The first comparison: the procedure, the level and the margin are the same in all."""
        return self.result.comparisons[0]

    @property
    def alone(self) -> bool:
        """Whether there is only one comparison of two estimators; then there is no ranking."""
        return len(self.result) == 1 and len(self.ranking) == 2

    @cached_property
    def ranking(self) -> "pd.DataFrame":
        """One row for each estimator, best first."""
        scores = self.result.scores_by_metric[self.metric]
        return with_shown_ends(self.result.ranking(), scores)

    @property
    def tests(self) -> Any:
        """The tests of all comparisons."""
        return self.result.tests_by_metric[self.metric]

    def of_kind(self, kind: str) -> np.ndarray:
        """Return the positions of the comparisons whose claims are of a kind."""
        return np.flatnonzero(self.tests.kinds == kind)


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """A result with what its report needs, in the same form for a comparison and a single test."""

    result: Any
    test: Any = None  # None of a race only
    names: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    scores: CVScores | None = None
    auxiliary: CVScores | None = None

    @property
    def confidence_level(self) -> float:
        """Of the intervals; verdicts are at the level 1 minus it."""
        return self.result.confidence_level

    @property
    def comparison(self) -> ComparisonResult | None:
        """The result, if it is a comparison."""
        return self.result if isinstance(self.result, ComparisonResult) else None

    @property
    def in_time_order(self) -> bool:
        """Whether no procedure is valid for it."""
        return bool(self.result.in_time_order)

    @property
    def search(self) -> dict[str, str]:
        """Facts about the search whose candidates are compared; else empty."""
        provenance = {} if self.scores is None else self.scores.provenance
        return provenance.get("search") or {}

    @property
    def preparation(self) -> tuple[tuple[str, str], ...]:
        """What the command line did to the data before the fits, as a fact of the report."""
        done = [] if self.scores is None else self.scores.provenance.get("data") or []
        term = "data" if len(self.metrics) == 1 else "data, in all metrics"
        return ((term, "; ".join(map(str, done))),) if done else ()

    @cached_property
    def findings(self) -> tuple[Findings, ...]:
        """What was found in each metric, if the result is a comparison."""
        if self.comparison is None:
            return ()
        return tuple(Findings(metric, self.comparison[metric]) for metric in self.metrics)

    def notes(self) -> list[str]:
        """Return the limitations, each once; one of only some comparisons names them."""
        if self.comparison is None or self.in_time_order:
            return [sentence(str(note)) for note in self.result.notes if note.code != CHOSEN_METHOD]
        owners: dict[str, list[str]] = {}
        for findings in self.findings:
            for text in _notes(findings):
                owners.setdefault(text, []).append(findings.metric)
        return [
            text if len(metrics) == len(self.metrics) else f"{', '.join(metrics)}: {text}"
            for text, metrics in owners.items()
        ]


def _notes(findings: Findings) -> list[str]:
    """Return the notes of a metric as sentences; that on undetermined comparisons names them."""
    notes = findings.result.notes
    found = [sentence(str(note)) for note in notes if note.code not in _NOT_LISTED]
    which = findings.of_kind("undetermined")
    if not which.size or findings.alone:  # the answer already says it
        return found
    names = [" - ".join(map(cut, pair)) for pair in findings.tests.names[which]]
    return [f"{first_of(names, _MOST_NAMED)}: {UNDETERMINED}.", *found]


def gather(result: Any, confidence_level: float | None = None) -> Evidence:
    """Gather what a report needs from a result."""
    if isinstance(result, ScoreEstimates):
        raise TypeError(
            f"evaluation_report needs one of the {len(result.names)} estimators in one of the "
            f"{len(result.metrics)} metrics, such as result[{result.metrics[0]!r}]"
            f"[{result.names[0]!r}], or what compare_estimators returned."
        )
    if isinstance(result, RacingSearchCV):
        if confidence_level is not None or not hasattr(result, "cv_results_"):
            raise ValueError(
                "A race is reported once it is fitted, and at the level at which candidates left: "
                "call fit, and leave confidence_level out."
            )
        return Evidence(result=result)
    if not isinstance(result, (ComparisonResult, Inference)):
        raise TypeError(
            "evaluation_report needs what compare_estimators, compare_scores, cross_val_inference"
            f" or a test returned, got {type(result).__name__}. Scores are tested first, as by "
            "CorrectedResampledTTest()(scores); others say what they found when they are printed."
        )
    if confidence_level is not None:
        result = result.with_confidence(confidence_level)
    if isinstance(result, ComparisonResult):
        return Evidence(
            result=result,
            test=result.tests_by_metric[result.metrics[0]].example,
            names=result.names,
            metrics=result.metrics,
            scores=result.scores_by_metric[result.metrics[0]],
            auxiliary=next(iter(result.auxiliary_by_metric.values()), None),
        )
    if np.ndim(result.pvalue):
        raise ValueError(
            f"This result holds tests of shape {np.shape(result.pvalue)}; a report is about "
            "one. For several estimators use compare_estimators or compare_scores."
        )
    return Evidence(
        result=result,
        test=result,
        names=() if result.label == UNNAMED_ESTIMATE else (result.label,),
        metrics=(result.metric,),
        scores=result.scores,
        auxiliary=result.auxiliary,
    )


def found(evidence: Evidence, most_rows: int) -> list[Section]:
    """Say what was found: for each metric the answer, the ranking and the differences."""
    if evidence.in_time_order:
        said = Section(title="Answer", paragraphs=(IN_TIME_ORDER,), leads=True)
        return [said, Section(title="Scores", table=scores_only(scores_of(evidence.result)))]
    if evidence.comparison is None:
        return [_answer_of_one(evidence.test)]
    sections = []
    several = len(evidence.findings) > 1
    for findings in evidence.findings:
        title, level = (visible(findings.metric), 3) if several else ("Answer", 2)
        sections.append(Section(title=title, paragraphs=_answer(findings), leads=True))
        sections += [] if findings.alone else [_ranking(findings, level, most_rows)]
        if len(findings.result):
            sections += [_differences(findings, level, most_rows), *_not_shown(findings, level)]
            sections += slice_sections(findings.result, "Slices", level)
    return sections


def _answer(findings: Findings) -> tuple[str, ...]:
    """Say what was found in a metric, in a sentence with as many names as fit."""
    if findings.alone:
        return (f"{findings.first.claim.words}.",)
    for most_names in (3, 2, 1, 0):
        said = answer(findings.result, findings.ranking, most_names)
        if len(said.split()) <= MOST_WORDS:
            break
    return (f"{said[0].upper()}{said[1:]}",)


def _answer_of_one(test: Inference) -> Section:
    """Say what was found about one estimator, or about one set of differences."""
    said = []
    if not isinstance(test, CVTestResult):  # only such a procedure knows what its numbers show
        said.append(f"{test.claim(alpha_of(test.confidence_level)).words}.")
    sure = ", which is undetermined" if test.undetermined else interval_of(test)
    asked = ""
    if test.asked and not test.undetermined:
        null = getattr(test, "null_value", None) if isinstance(test, CVTestResult) else None
        against = "" if null is None else f" against {format_number(null)}"
        pvalue = format_pvalue(test.pvalue, test.describe().smallest_pvalue)
        asked = f", p {pvalue}{against}"
    number = format_number(test.estimate)
    said.append(f"The {expected(test)} is estimated as {number}{sure}{asked}.")
    return Section(title="Answer", paragraphs=tuple(said), facts=_precision(test), leads=True)


def _precision(test: Inference) -> tuple[tuple[str, str], ...]:
    """Return the standard error and the statistic, if the procedure has them."""
    facts = []
    law = test.describe().law
    if test.has_interval:
        facts.append(("std. error", format_number(test.standard_error)))
    if test.asked and law and not test.undetermined:
        facts.append((law, format_number(test.statistic)))
    return tuple(facts)


def _ranking(findings: Findings, level: int, most_rows: int) -> Section:
    """Rank the estimators of a metric."""
    ranked = findings.ranking
    table, left = score_table(
        ranked, findings.result.confidence_level, head="estimator", most_rows=most_rows
    )
    legend = [of_single(findings.result)] if ranked["low"].notna().any() else []
    words = f"The {findings.metric} of {counted(len(ranked), 'estimator')}, best first."
    return Section(
        title="Ranking",
        level=level,
        table=table,
        picture=Picture("ranking", findings.metric, words, " ".join(legend)),
        paragraphs=(
            *((f"And {left} more, see ranking().",) if left else ()),
            *filter(None, [left_out(findings.result, ranked)]),
        ),
    )


def _differences(findings: Findings, level: int, most_rows: int) -> Section:
    """Write the differences of a metric, the shown ones first."""
    last = sum(k * (findings.tests.kinds == kind) for k, kind in enumerate(SILENT, start=1))
    shown_first = np.argsort(last, kind="stable")  # the undetermined ones at the end
    comparisons = [findings.result[k] for k in shown_first[:most_rows]]
    alone = findings.alone
    n_more = len(findings.result) - len(comparisons)
    words = f"The difference in {findings.metric} with its interval."
    own_words = not alone and not isinstance(findings.first.test, CVTestResult)
    shown = [each for each in comparisons if each.outcome not in SILENT]
    return Section(
        title="Difference" if len(findings.result) == 1 else "Differences",
        level=level,
        table=Table.of([_cells(each, alone=alone) for each in comparisons], n_names=2),
        picture=Picture("differences", findings.metric, words) if alone else None,
        paragraphs=(
            *((f"And {n_more} more, in to_frame().",) if n_more else ()),
            *_posterior(findings),
        ),
        points=tuple(f"{each.claim.words}." for each in shown) if own_words else (),
        facts=_precision(findings.first.test) if alone else (),
    )


def _cells(comparison: Comparison, *, alone: bool) -> dict[str, Cell]:
    cells = {"estimator": Cell(cut(comparison.estimator)), "versus": Cell(cut(comparison.versus))}
    if alone:
        cells["score"] = number_cell(comparison.score)
        cells["score versus"] = number_cell(comparison.score_versus)
    cells |= difference_cells(comparison, alone=alone)
    if not alone and isinstance(comparison.test, CVTestResult):
        cells["shown"] = _shown(comparison)
    return cells


def _shown(comparison: Comparison) -> Cell:
    null, kind = getattr(comparison.test, "null_value", 0), comparison.outcome
    if kind == "not shown":
        return EMPTY
    if null != 0 and kind in ("above", "below"):  # above it is not yet better
        return Cell(f"{kind} {format_number(null)}")
    return Cell(words_of_pair(comparison).short)


def _posterior(findings: Findings) -> list[Paragraph]:
    """Return the posterior probabilities with regard to the margin, for two estimators."""
    test, margin = findings.first.test, findings.first.margin
    if not findings.alone or margin is None or not isinstance(test, CVTestResult):
        return []
    if not test.has_posterior or test.undetermined:
        return []
    smallest = test.describe().smallest_pvalue
    worse, equivalent, better = (
        pvalue_cell(share, smallest).text for share in test.probabilities(margin)
    )
    return [
        (
            f"Posterior probabilities, which are not a test: worse {worse}, equivalent "
            f"{equivalent}, better {better}",
            Citation(("corani2015",)),
            ".",
        )
    ]


def _not_shown(findings: Findings, level: int) -> tuple[Section, ...]:
    """Say what could not be shown, and which difference could have been."""
    left, said = findings.of_kind("not shown"), []
    if not left.size:
        return ()
    own = not isinstance(findings.first.test, CVTestResult)
    if len(findings.result) > 1:
        are, number = "is" if len(left) == 1 else "are", counted(len(left), "difference")
        said.append(f"{number} {are} not significant, which is no proof of equality.")
    if not own:
        said.append(_detectable(findings, left))
    title, paragraphs = "What could not be shown", (" ".join(said),)
    return (Section(title=title, level=level, paragraphs=paragraphs),) if said else ()


def _detectable(findings: Findings, left: np.ndarray) -> str:
    """Say which true differences would have been shown: the smallest and the largest of them."""
    tests = findings.tests
    errors = np.broadcast_to(tests.inference.standard_error, len(tests))[left]
    ends = [findings.result[left[k]] for k in (errors.argmin(), errors.argmax())]
    sizes = [
        format_number(each.detectable_difference(_POWER))
        + (f" ({cut(each.estimator)} - {cut(each.versus)})" if len(left) > 1 else "")
        for each in ends
    ]
    size = " to ".join(dict.fromkeys(sizes))
    null = getattr(ends[0].test, "null_value", 0)
    what = f"of {size}" if null == 0 else f"that is {size} away from {format_number(null)}"
    power = format_percent(_POWER)
    return f"A true difference {what} would have been shown with a power of {power}."
