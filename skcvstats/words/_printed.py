"""What results print: text for a prompt, and HTML for a notebook; without jinja2."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from .._utils._text import (
    SMALLEST_PVALUE,
    bare_table_html,
    cut,
    format_number,
    scrolling,
    sentence,
    visible,
)
from ..comparison import IN_TIME_ORDER, Comparison, ComparisonResult, ScoreEstimates
from ..model_selection import RacingSearchCV
from ..scores import with_shown_ends
from ..stats import UNDETERMINED, Inference
from ._document import EMPTY, Cell, Section, Table
from ._race import sentences_of_race
from ._sentences import (
    WIDEST_NAME,
    adjusted,
    answer,
    counted_names,
    cut_said,
    difference_line,
    estimated,
    footnotes,
    left_out,
    not_named,
    of_single,
    on_test_set,
    search_of,
    shown_of,
    some,
    tested_by,
    verdict_of,
)
from ._slices import slice_sections
from ._tables import difference_cells, number_cell, pvalue_cell, score_table, scores_of, scores_only
from ._text import table_lines, to_print

_MOST_LINES = 5
_MOST_NOTES = 6
_MOST_TESTS = 20


def text_of(result: Any) -> str:
    """Return a result as text."""
    if isinstance(result, Inference) and not result.in_time_order:
        return "\n".join(_lines(result))
    if isinstance(result, Comparison):
        return f"{verdict_of(result)}."
    if isinstance(result, RacingSearchCV):
        return to_print([Section(paragraphs=(" ".join(sentences_of_race(result)),))])
    return to_print(_sections(result))


def html_of(result: Any) -> str:
    """Return a result as HTML that never widens the page around it."""
    return scrolling("".join(map(_html, _sections(result))))


def _html(section: Section) -> str:
    parts = []
    if section.table is not None:
        rows = ([cell.text for cell in row] for row in section.table.rows)
        parts.append(bare_table_html(section.table.columns, rows))
    if section.points:
        points = "".join(f"<li>{escape(visible(point))}</li>" for point in section.points)
        parts.append(f"<ul>{points}</ul>")
    parts += [f"<p>{escape(visible(str(said)))}</p>" for said in section.paragraphs if said]
    return "".join(parts)


def _sections(result: Any) -> list[Section]:
    if isinstance(result, Comparison):
        return _of_two([result])
    if result.in_time_order:
        return _in_time_order(result)
    if isinstance(result, ComparisonResult):
        return _of_comparison(result)
    if isinstance(result, ScoreEstimates):
        return _of_estimates(result)
    heading = _lines(result) if not np.ndim(result.estimate) else [_title(result), *_left(result)]
    return [Section(paragraphs=tuple(heading)), Section(table=_of_tests(result))]


def _lines(result: Inference) -> list[str]:
    """Return one test as a sentence and its notes, an array of tests as a table."""
    if np.ndim(result.estimate):
        return [_title(result), *table_lines(_of_tests(result)), *_left(result)]
    return [estimated(result), *cut_said(result), *footnotes(result.notes, result.warned)]


def _in_time_order(result: Any) -> list[Section]:
    """Return the scores, without anything that needs a valid procedure."""
    sets = scores_of(result)
    tests = list(result.inferences.values()) if isinstance(result, ScoreEstimates) else [result]
    test = tests[0]
    if isinstance(result, ComparisonResult):
        test = result.tests_by_metric[result.metrics[0]].example
    said = f"{some(sets, 'metrics')} over {test.describe().sizes}; greater is better."
    return [
        Section(paragraphs=(IN_TIME_ORDER,)),
        Section(
            table=scores_only(sets), paragraphs=(said, *footnotes(result.notes, result.warned))
        ),
    ]


def _title(result: Inference) -> str:
    return f"{result.title}, {result.describe().sizes}"


def _left(result: Inference) -> list[str]:
    """Say how many tests are not in the printed table."""
    left = np.size(result.estimate) - _MOST_TESTS
    return [f"and {left} more, see to_frame()"] if left > 0 else []


def _of_tests(result: Inference) -> Table:
    """Return the first tests without numbers that are no evidence."""
    frame = with_shown_ends(result.to_frame()[:_MOST_TESTS], result.scores)
    undetermined = np.broadcast_to(np.ravel(result.undetermined)[:_MOST_TESTS], len(frame))
    frame.loc[undetermined, ["low", "high", "statistic", "pvalue"]] = np.nan
    if not result.asked:
        frame = frame.drop(columns=["statistic", "df", "pvalue"])
    rows = [
        {str(name): _plain_cell(str(name), value) for name, value in row.items()}
        for row in frame.to_dict("records")
    ]
    n_names = sum(isinstance(value, str) for value in frame.iloc[0])
    return Table.of(rows, n_names=n_names)


def _plain_cell(name: str, value: Any) -> Cell:
    if isinstance(value, float) and np.isnan(value):
        return EMPTY
    if name == "pvalue":
        return pvalue_cell(value, SMALLEST_PVALUE)
    if name == "df":
        return Cell(f"{value:g}")
    return number_cell(value) if isinstance(value, float) else Cell(str(value))


def _of_comparison(result: ComparisonResult) -> list[Section]:
    """Return the title, the answer and the table of each metric, and what to know."""
    test = result.tests_by_metric[result.metrics[0]].example
    several = result.n_adjusted != 1
    said = test.describe()
    title = sentence(f"{tested_by(result)} over {said.sizes}")
    last = f"Scores are those of {said.subject}; greater is better."
    if several:
        common = search_of(result).get("in common")
        what = f"{some(result.metrics, 'metrics')} of {counted_names(result)}"
        what += f" ({common})" if common else ""
        title = f"{what}: {tested_by(result)} over {said.sizes}; {adjusted(result)}."
        last = f"Scores: {said.subject}, greater is better."
        last += f" {of_single(result)}" if test.has_interval else ""
    # undetermined comparisons are named with their metric
    to_tell = [note for note in result.notes if note.code != UNDETERMINED.code]
    notes = footnotes(to_tell, result.warned)
    if len(notes) > _MOST_NOTES + 1:
        notes = [*notes[:_MOST_NOTES], f"{len(notes) - _MOST_NOTES} more notes in result.notes."]
    found = (
        [_of_several(result[metric]) for metric in result.metrics]
        if several
        else [_of_two(result.comparisons)]
    )
    found += [slice_sections(result[metric]) for metric in result.metrics]
    return [
        Section(paragraphs=(title,)),
        *(section for of_metric in found for section in of_metric),
        Section(paragraphs=(last, *cut_said(result), *notes)),
    ]


def _of_two(comparisons: Sequence[Comparison]) -> list[Section]:
    """Return one sentence and one row for each metric, of the same two estimators."""
    cells = [difference_cells(comparison, alone=True) for comparison in comparisons]
    names = dict.fromkeys(name for each in comparisons for name in (each.estimator, each.versus))
    heads = dict.fromkeys(head for row in cells for head in row)
    rows, several = [], len(comparisons) > 1
    for comparison, row in zip(comparisons, cells, strict=True):
        metric = [Cell(comparison.metric)] if several else []
        scores = {
            comparison.estimator: number_cell(comparison.score),
            comparison.versus: number_cell(comparison.score_versus),
        }
        of_names = [scores.get(name, EMPTY) for name in names]
        rows.append((*metric, *of_names, *(row.get(head, EMPTY) for head in heads)))
    columns = (*(["metric"] if several else []), *names, *heads)
    table = Table(columns, tuple(rows), n_names=int(several))
    words = tuple(f"{comparison.claim.words}." for comparison in comparisons)
    return [Section(paragraphs=words), Section(table=table)]


def _of_several(result: ComparisonResult) -> list[Section]:
    """Return the ranking of one metric, and the differences that are shown."""
    ((metric, tests),) = result.tests_by_metric.items()
    ranked = with_shown_ends(result.ranking(), tests.scores)
    shown = shown_of(tests)
    lines = [f"{difference_line(result.comparisons[k])}." for k in shown[:_MOST_LINES]]
    named = not_named(result, len(shown[_MOST_LINES:])) if len(result) else ""
    last = " ".join(filter(None, [named, left_out(result, ranked)]))
    table, n_left = score_table(ranked, result.confidence_level)
    if n_left:
        lines.insert(0, f"and {n_left} more, see ranking()")
    return [
        Section(paragraphs=(f"{metric}: {answer(result, ranked)}",), leads=True),
        Section(table=table, points=tuple(lines), paragraphs=(last,)),
    ]


def _of_estimates(result: ScoreEstimates) -> list[Section]:
    """Return the title, the scores in each metric, and what to know."""
    first = next(iter(result.inferences.values()))
    said, n_names, frame = first.describe(), len(result.names), result.to_frame()
    for metric, found in result.inferences.items():
        of_metric = frame["metric"] == metric
        frame[of_metric] = with_shown_ends(frame[of_metric], found.scores)
    who = cut(result.names[0], WIDEST_NAME) if n_names == 1 else f"{n_names} estimators"
    titles = some(dict.fromkeys(found.title for found in result.inferences.values()), "", 9, 200)
    title = f"{some(result.metrics, 'result.metrics')} of {who}: {titles} over {said.sizes}."
    last = f"Scores: {said.subject}, greater is better."
    if n_names == 1:  # one row for each metric
        sections = [
            Section(table=_table_of(result, frame.assign(estimator=frame["metric"]), first)[0])
        ]
    else:
        door = "compare_predictions" if on_test_set(first.scores) else "compare_estimators"
        last += f" These intervals are for single scores; {door} compares models."
        sections = []
        for metric, found in result.inferences.items():
            rows = frame[frame["metric"] == metric].reset_index(drop=True)
            table, left = _table_of(result, rows, found)
            best, score = cut(rows["estimator"][0], WIDEST_NAME), format_number(rows["score"][0])
            sections += [
                Section(
                    paragraphs=(f"{metric}: the highest score is {score}, of {best}.",), leads=True
                ),
                Section(table=table, points=(f"and {left} more, see to_frame()",) if left else ()),
            ]
    return [
        Section(paragraphs=(title,)),
        *sections,
        Section(paragraphs=(last, *cut_said(result), *footnotes(result.notes, result.warned))),
    ]


def _table_of(result: ScoreEstimates, rows: Any, found: Inference) -> tuple[Table, int]:
    smallest = found.describe().smallest_pvalue if found.asked else None
    return score_table(rows, result.confidence_level, smallest=smallest)
