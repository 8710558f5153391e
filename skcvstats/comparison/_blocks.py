"""The content of a printed ComparisonResult, before it is text or HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from .._utils._checks import alpha_of
from .._utils._text import cut, format_ends, format_number, format_percent, format_pvalue, sentence
from ..scores import footnotes
from ..stats import UNDETERMINED, CVTestResult, invalid_first
from ._comparison import Comparison
from ._lines import (
    SILENT,
    WIDEST_NAME,
    counted_outcomes,
    difference_line,
    not_shown_line,
    some,
)

NOTHING = "-"
# A prompt shows at most this many rows.
MOST_ROWS = 12
ROWS_OF_MANY = 10
_MOST_LINES = 5
_MOST_NOTES = 6


@dataclass(frozen=True)
class Block:
    """The content about one metric, or about two estimators in all metrics."""

    answer: Sequence[str]
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    points: Sequence[str] = ()
    after: Sequence[str] = ()


@dataclass(frozen=True)
class Page:
    """The content of a printed result."""

    heading: Sequence[str]
    blocks: Sequence[Block]
    footing: Sequence[str]


def page_of(result: Any) -> Page:
    """Return the content of a printed comparison."""
    return Page(heading=_heading(result), blocks=_blocks(result), footing=_footing(result))


def _heading(result: Any) -> list[str]:
    """Return the title: what was compared, by which test, with which adjustment."""
    test = result.tests[0]
    how = f"{test.title} over {test.sizes()}"
    if result.n_adjusted > 1:
        metrics = some(result.metrics, "metrics")
        what = f"{metrics} of {len(result.names)} {_noun(result)}{_said_once(result)}"
        return [*invalid_first(result.notes), f"{what}: {how}; {result.adjusted()}."]
    return [*invalid_first(result.notes), sentence(how)]


def _blocks(result: Any) -> list[Block]:
    if result.n_adjusted == 1:
        return [_of_two(result)]
    return [_of_several(result[metric]) for metric in result.metrics]


def _footing(result: Any) -> list[str]:
    subject = result.tests[0].subject()
    lines = [f"Scores are those of {subject}; greater is better."]
    if result.n_adjusted > 1:
        caveat = (
            "; their intervals do not decide differences" if result.tests[0].has_interval else ""
        )
        lines = [f"Scores: {subject}, greater is better{caveat}."]
    # undetermined comparisons are named in their block
    notes = [note for note in result.notes if note.code != UNDETERMINED.code]
    notes = footnotes(notes, result.warned)
    if len(notes) > _MOST_NOTES:
        notes = [*notes[:_MOST_NOTES], f"{len(notes) - _MOST_NOTES} more notes in result.notes."]
    return [*lines, *notes]


def _of_two(result: Any) -> Block:
    """Return one sentence and one row for each metric."""
    comparisons = list(result)
    answer = [f"{comparison.claim.words}." for comparison in comparisons]
    cells = [{("", "metric"): each.metric, **_scores(each), **_row(each)} for each in comparisons]
    columns = list(dict.fromkeys(column for row in cells for column in row))
    columns = columns if len(result.metrics) > 1 else columns[1:]
    rows = [[row.get(column, NOTHING) for column in columns] for row in cells]
    return Block(answer=answer, columns=[head for _, head in columns], rows=rows)


def _scores(comparison: Comparison) -> dict[tuple[str, str], str]:
    """Return the two scores by estimator."""
    return {
        ("first", comparison.estimator): format_number(comparison.score, padded=True),
        ("second", comparison.versus): format_number(comparison.score_versus, padded=True),
    }


def _row(comparison: Comparison) -> dict[tuple[str, str], str]:
    """Return the cells of one difference, by the heads of their columns."""
    test = comparison.test
    level = comparison.confidence_level
    cells = {"difference": format_number(test.estimate, padded=True)}
    known = not test.undetermined
    if test.has_interval:
        ends = comparison.confidence_interval()
        apart = comparison.asked_of_ends
        written = format_ends(*ends, padded=True, apart=apart)
        cells[_interval_head(level)] = written if known else NOTHING
        if comparison.margin is not None and comparison.margin_interval() != ends:
            twice = _interval_head(1 - 2 * alpha_of(level))
            written = format_ends(*comparison.margin_interval(), padded=True, apart=apart)
            cells[twice] = written if known else NOTHING
    cells["p-value"] = _plain(comparison.pvalue_adjusted, comparison) if known else NOTHING
    if comparison.margin_pvalues is not None:
        what, pvalue = comparison.margin_question
        name = f"p {what}"
        cells[name] = NOTHING if np.isnan(pvalue) else _plain(pvalue, comparison)
    return {("", head): cell for head, cell in cells.items()}


def _of_several(result: Any) -> Block:
    """Return the ranking of one metric, and the differences that are shown."""
    ranked = result.ranking()
    comparisons = result.comparisons
    shown = (c for c in comparisons if c.outcome not in SILENT)
    named = list(islice(shown, _MOST_LINES))
    n_more = sum(1 for _ in shown)
    after = _letters_explained(result, ranked)
    last = not_shown_line(comparisons, n_more)
    columns, rows, left = ranking_table(result, ranked)
    return Block(
        answer=[f"{result.metrics[0]}: {_found(result, ranked, comparisons)}"],
        columns=columns,
        rows=rows,
        points=[*left, *(f"{difference_line(comparison)}." for comparison in named)],
        after=[" ".join(part for part in (last, after) if part)],
    )


def answer(result: Any, ranked: Any, most_names: int = 3) -> str:
    """Return what was found in a metric, in one sentence."""
    if len(ranked) == 2:
        return f"{result.comparisons[0].claim.words}."
    found = _found(result, ranked, result.comparisons, most_names)
    return f"{found[0].upper()}{found[1:]}"


def _found(result: Any, ranked: Any, comparisons: Sequence[Comparison], most_names: int = 3) -> str:
    """Say which estimators could be the best, and how the reference compares, in a sentence."""
    n_estimators = len(ranked)
    parts = []
    if ranked["could_be_best"].notna().all():
        best = ranked["estimator"][ranked["could_be_best"].astype(bool)].tolist()
        if len(best) == n_estimators:
            parts.append(f"any of the {n_estimators} {_noun(result)} could be the best")
        elif len(best) == 1:
            parts.append(f"only {cut(best[0], WIDEST_NAME)} could be the best")
        else:
            who = f": {some(best, 'best_set()', most_names)}" if most_names else ""
            of = f"{len(best)} of {n_estimators} {_noun(result)}"
            parts.append(f"{of} could be the best{who}")
    if result.reference is not None:
        parts.append(counted_outcomes(comparisons, comparisons[0].versus))
    if not parts:
        kinds = [comparison.outcome for comparison in comparisons]
        shown = [k for k, kind in enumerate(kinds) if kind not in SILENT]
        if {kinds[k] for k in shown} <= {"above", "below", "different"}:
            parts.append(f"{len(shown)} of {len(kinds)} differences shown")
        else:  # only such a procedure knows what it shows
            briefs = Counter(comparisons[k].claim.brief for k in shown)
            parts += [f"{n} of {len(kinds)} pairs {brief}" for brief, n in briefs.items()]
    return f"{'; '.join(parts)} ({format_percent(result.confidence_level)} confidence)."


def ranking_table(
    result: Any, ranked: Any, most_rows: int = ROWS_OF_MANY
) -> tuple[list[str], list[list[str]], list[str]]:
    """Return the head and the rows of the ranking, and a text about rows that are left out."""
    n_rows = len(ranked) if len(ranked) <= MOST_ROWS else most_rows
    columns = {"": [cut(str(name)) for name in ranked["estimator"]]}
    columns["score"] = [format_number(score, padded=True) for score in ranked["score"]]
    if ranked["low"].notna().any():
        ends = zip(ranked["low"], ranked["high"], strict=True)
        columns[_interval_head(result.confidence_level)] = [
            NOTHING if low == high else format_ends(low, high, padded=True) for low, high in ends
        ]
    if ranked["letters"].notna().all():
        columns["letters"] = ranked["letters"].tolist()
    if ranked["could_be_best"].notna().all():
        columns["could be best"] = ["yes" if best else "no" for best in ranked["could_be_best"]]
    rows = [list(row) for row in zip(*columns.values(), strict=True)][:n_rows]
    left = len(ranked) - len(rows)
    return list(columns), rows, [f"and {left} more, see ranking()"] if left else []


def _letters_explained(result: Any, ranked: Any) -> str:
    if ranked["letters"].notna().all():
        explained = "Estimators that share a letter are not shown to differ."
        first = set(ranked["letters"].iloc[0])
        left_out = ranked["letters"][ranked["could_be_best"].eq(False)]
        if any(first & set(letters) for letters in left_out):
            explained += " The best set asks fewer questions, so it can leave out one of them."
        return explained
    test = result.tests[0]
    lettered = result.reference is None and len(ranked) == len(result.scores.labels)
    if lettered and isinstance(test, CVTestResult) and test.alternative == "two-sided":
        return "There are no letters, as it would take more than 52."
    return ""


def _noun(result: Any) -> str:
    return "candidates" if _search(result) else "estimators"


def _said_once(result: Any) -> str:
    """Return the text about what the candidates of a search have in common."""
    return "".join(f" ({said})" for said in [_search(result).get("in common")] if said)


def _search(result: Any) -> dict[str, Any]:
    scores = next(iter(result.scores_by_metric.values()))
    found: dict[str, Any] = scores.provenance.get("search") or {}
    return found


def _interval_head(level: float) -> str:
    return f"{format_percent(level)} interval"


def _plain(pvalue: float, comparison: Comparison) -> str:
    return format_pvalue(pvalue, comparison.smallest_pvalue).removeprefix("= ")
