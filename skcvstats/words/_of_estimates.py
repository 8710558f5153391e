"""What is said of the scores of several estimators, or in several metrics."""

from typing import Any

from .._utils._metrics import shown_as
from .._utils._text import counted, cut, format_number
from ..comparison import ScoreEstimates
from ..scores import with_shown_ends
from ..stats import Inference
from ._document import Section, Table
from ._parts import Parts, parts
from ._sentences import (
    WIDEST_NAME,
    and_more,
    as_read,
    cut_said,
    intervals_of,
    on_test_set,
    score_table,
    some,
    some_metrics,
    which_is_better,
)
from ._slices import slices_of_scores


class PartsOfEstimates(Parts):
    """What is said of scores."""

    def at_level(self, level: float | None) -> Any:
        result = self.result
        raise TypeError(
            "evaluation_report is about one estimator in one metric, and this result has "
            f"{counted(len(result.names), 'estimator')} in "
            f"{counted(len(result.metrics), 'metric')}. "
            f"Pass result[{result.metrics[0]!r}][{result.names[0]!r}], or report what "
            "compare_estimators returns, which tests the differences."
        )

    def printed(self) -> list[Section]:
        """Return the title, the scores in each metric, and what to know."""
        result = self.result
        first = next(iter(result.inferences.values()))
        said = first.describe()
        n_names = len(result.names)
        frame = result.to_frame()
        for metric, found in result.inferences.items():
            of_metric = frame["metric"] == metric
            frame[of_metric] = as_read(with_shown_ends(frame[of_metric], found.scores), metric)

        def table_of(rows: Any, found: Inference) -> tuple[Table, int]:
            smallest = found.describe().smallest_pvalue if found.asked else None
            return score_table(rows, result.confidence_level, smallest=smallest)

        who = cut(result.names[0], WIDEST_NAME) if n_names == 1 else f"{n_names} estimators"
        titles = dict.fromkeys(found.title for found in result.inferences.values())
        how = f"{some(titles, most=9, width=200)}, {said.sizes}"
        title = f"{some_metrics(result.metrics, 'result.metrics')} of {who}: {how}."
        last = f"Scores: {said.subject}, {which_is_better(result.metrics)}."
        unadjusted = "; they are not adjusted" if len(frame) > 1 else ""
        asked = [of.take(0).describe().hypothesis for of in result.inferences.values() if of.asked]
        for null in dict.fromkeys(filter(None, asked)):
            last += f" p-values are {null}{unadjusted}."
        sections = [Section(paragraphs=[title])]
        if n_names == 1:  # one row for each metric
            names = [shown_as(metric).name for metric in frame["metric"]]
            table, _ = table_of(frame.assign(estimator=names), first)
            sections.append(Section(table=table))
        else:
            door = "compare_predictions" if on_test_set(first.scores) else "compare_estimators"
            last += f" These intervals are for single scores; {door} compares models."
            for metric, found in result.inferences.items():
                rows = frame[frame["metric"] == metric].reset_index(drop=True)
                table, left = table_of(rows, found)
                best = cut(rows["estimator"][0], WIDEST_NAME)
                score = format_number(rows["score"][0])
                read = shown_as(metric)
                most = "the lowest" if read.is_loss else "the highest score"
                answered = f"{read.name}: {most} is {score}, of {best}."
                more: list[Any] = and_more(left, "see to_frame()")
                sections += [
                    Section(paragraphs=[answered], leads=True),
                    Section(table=table, paragraphs=more),
                ]
        sections += slices_of_scores(result)
        intervals = intervals_of(result.inferences.values(), result.confidence_level)
        return [*sections, Section(paragraphs=[last, *cut_said(intervals)])]


parts.register(ScoreEstimates, PartsOfEstimates)
