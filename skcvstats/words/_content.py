"""content: what is said of a result, in brief for a prompt or in full for a report."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np

from .._utils._checks import one_line
from .._utils._metrics import shown_as
from .._utils._shared_arguments import alpha_of
from .._utils._text import (
    counted,
    cut,
    first_of,
    format_ends,
    format_interval,
    format_number,
    format_percent,
    format_pvalue,
    format_size,
    sentence,
    verb,
)
from ..comparison import Comparison, ComparisonResult, ScoreEstimates, parts_of_adjusted
from ..model_selection import LearningCurveResult, RacingSearchCV
from ..notes import CHOSEN_METHOD
from ..scores import CVScores, shown_ends, union, with_shown_ends
from ..stats import UNDETERMINED, UNNAMED_ESTIMATE, CorrectedResampledTTest, CVTestResult, Inference
from ._document import (
    Cell,
    Citation,
    Document,
    Paragraph,
    Picture,
    Section,
    Table,
    bibliography,
    noted,
    parts_of,
)
from ._methods import Evidence, evidence_of, methods, reproduction
from ._runs import said_of_runs
from ._sentences import (
    MOST_NAMED,
    MOST_ROWS,
    POWER,
    WIDEST_NAME,
    and_more,
    as_read,
    as_table,
    by_title,
    counted_names,
    cut_said,
    detectable_of,
    difference_table,
    differences_of,
    of_primary,
    of_single,
    on_test_set,
    open_of,
    over_folds_of,
    provenance_of,
    pvalue_cell,
    ranking_of,
    said_of_notes,
    score_table,
    search_of,
    some,
    some_metrics,
    test_table,
    which_is_better,
)
from ._slices import slices_of, slices_of_scores

_MOST_NOTES = 6
_MOST_TESTS = 20
# Rows on which two models disagree, and as if so many, where the answer counts them.
_FEW_APART = 20
_FEW_TELLING = 8
_WIDEST_LABEL = 203  # of a difference: two names
_ABOUT = 0.02  # ratios of sizes that are rounded to rows
_CALL = re.compile(r",? \((?:see|in) \w+\(\)\)|,? (?:see|in) \w+\(\)|; use pairs\(\)[^.]*")
_OF_RACES = ("nadeau1999", "nadeau2003", "dunn1961")


def content(
    result: Any,
    *,
    brief: bool,
    most_rows: int = MOST_ROWS,
    decision: str = "",
    reword: Callable[[str], str] = str,
) -> Document:
    """Return what is said of a result: in brief for a prompt, or all of it for a report.

    What is said in sentences is said in the words that `reword` returns.
    """
    if isinstance(result, RacingSearchCV):
        return _of_race(result, brief, most_rows)
    rankings: dict[str, Any] = {}
    if isinstance(result, LearningCurveResult):
        sections = _of_curve(result, brief)
    elif isinstance(result, Comparison):
        sections = _of_pairs([result], brief)
    elif isinstance(result, ComparisonResult):
        sections, rankings = _of_comparison(result, brief, most_rows)
    elif isinstance(result, ScoreEstimates):
        sections = _of_estimates(result)
    else:
        sections = _of_test(result, brief)
    if not brief:
        return _report(evidence_of(result, rankings), sections, decision, reword)
    return Document("", [_reworded(section, reword) for section in sections])


def _report(
    evidence: Evidence, sections: list[Section], decision: str, reword: Callable[[str], str]
) -> Document:
    """Return a report: what was found, its limitations, how it was made, and its sources."""
    known = provenance_of(evidence.scores)
    data = [*known.get("table", []), *known.get("read", [])]  # by the command line
    data += [*known.get("used", []), *known.get("data", [])]
    if data:
        sections[0].facts.append(("data", "; ".join(map(str, data))))
    if decision:
        sections[0].paragraphs.insert(0, decision)
    sections = [_reworded(section, _without_call) for section in sections]
    if isinstance(evidence.result, LearningCurveResult):
        how_made = sections.pop()
    else:
        how_made = methods(evidence)
    sections += [_limitations(evidence), how_made]
    if "columns" in known:
        table = as_table(list(map(dict, known["columns"])), n_names=4)
        sections.append(Section("Columns of the data", table=table))
    sections = [_reworded(section, reword) for section in sections]
    title = f"Evaluation report: {_what_is_reported(evidence)}"
    cited = dict.fromkeys(_sources_in(sections))
    return Document(title, sections, reproduction(evidence), bibliography(cited))


def _what_is_reported(evidence: Evidence) -> str:
    """Name the metrics and the estimators of a report."""
    is_curve = isinstance(evidence.result, LearningCurveResult)
    metrics = some_metrics(evidence.metrics, most=len(evidence.metrics))
    if not evidence.names:
        return metrics
    who = " and ".join(map(cut, evidence.names))
    if len(evidence.names) > 2 and is_curve:
        who = counted(len(evidence.names), "estimator")
    elif len(evidence.names) > 2:
        who = counted_names(evidence.result)
    return f"learning curve of {who} in {metrics}" if is_curve else f"{metrics} of {who}"


def _sources_in(sections: list[Section]) -> Iterator[str]:
    """Yield the sources that the paragraphs of sections cite."""
    for section in sections:
        for paragraph in section.paragraphs:
            for part in parts_of(paragraph):
                if isinstance(part, Citation):
                    yield from part.sources


def _reworded(section: Section, change: Callable[[str], str]) -> Section:
    """Return a section in whose sentences each text is changed."""
    changed = partial(_changed, change)
    paragraphs = list(map(changed, section.paragraphs))
    points = list(map(changed, section.points))
    picture = section.picture
    if picture is not None:
        picture = replace(picture, legend=change(picture.legend))
    return replace(section, paragraphs=paragraphs, points=points, picture=picture)


def _changed(change: Callable[[str], str], paragraph: Paragraph) -> Paragraph:
    if isinstance(paragraph, str):
        return change(paragraph)
    return tuple(change(part) if isinstance(part, str) else part for part in paragraph)


def _without_call(text: str) -> str:
    """Return a text of a report, whose readers may not know the methods of a result."""
    return _CALL.sub("", text)


def _with_answer_first(sections: list[Section]) -> list[Section]:
    """Return the sections of several metrics after one with the answers in all of them."""
    answers = list[Paragraph]()
    rest = list[Section]()
    for section in sections:
        if section.leads:
            answers += section.paragraphs
            section = replace(section, paragraphs=[], leads=False)
        rest.append(section)
    return [Section("Answer", paragraphs=answers, leads=True), *rest]


def _of_comparison(
    result: ComparisonResult, brief: bool, most_rows: int
) -> tuple[list[Section], dict[str, Any]]:
    """Return what each metric shows, and the rankings: None of metrics with one pair alone."""
    tests_by_metric = result.tests_by_metric
    is_several = len(tests_by_metric) > 1
    rankings: dict[str, Any] = {}
    sections: list[Section] = []
    if brief and all(tests.alone for tests in tests_by_metric.values()):
        sections = _of_pairs([tests.comparison(0) for tests in tests_by_metric.values()], brief)
    else:
        for metric in tests_by_metric:
            if is_several:
                part = result[metric]
                title = shown_as(metric).name
                level = 3
            else:
                part = result
                title = "Answer"
                level = 2
            of_metric, rankings[metric] = _of_metric(part, brief, title, level, most_rows)
            sections += of_metric
    if result.slices and len(result):
        for metric in tests_by_metric:
            sections += slices_of(result[metric], brief, 3 if is_several else 2)
    if brief:
        return _with_heading(result, sections), rankings
    if is_several:
        sections = _with_answer_first(sections)
    sections[0].paragraphs.extend(of_primary(result))
    return sections, rankings


def _of_metric(
    result: ComparisonResult, brief: bool, title: str, level: int, most_rows: int
) -> tuple[list[Section], Any]:
    """Return what one metric shows, and its ranking; None where it has one pair alone."""
    (tests,) = result.tests_by_metric.values()
    ranked = None
    if tests.alone:
        sections = _of_pairs([result.comparisons[0]], brief, title, level)
    else:
        ranked = with_shown_ends(result.ranking(), tests.scores)
        sections = ranking_of(result, ranked, brief, title, level, most_rows)
        sections += differences_of(result, ranked, brief, level, most_rows)
        example = tests.example
        sections[-1].paragraphs.extend(said_of_runs(example, f" {cut(example.label)}"))
    if not brief and len(tests):
        sections += open_of(result, level)
    return sections, ranked


def _with_heading(result: ComparisonResult, sections: list[Section]) -> list[Section]:
    """Return the sections of a print between a title, and what the scores are with the notes."""
    tests_by_metric = result.tests_by_metric
    first = next(iter(tests_by_metric.values()))
    description = first.inference.describe()
    is_alone = all(tests.alone for tests in tests_by_metric.values())
    tested = first.inference.title
    titles = by_title(result)
    if len(titles) > 1:
        tested = ", ".join(f"{title} for {some_metrics(names)}" for title, names in titles.items())
    better = which_is_better([*tests_by_metric], compared=is_alone)
    if is_alone:
        title = f"{tested[0].upper()}{tested[1:]}{description.joined}{description.sizes}."
        last = f"Scores are those of {description.subject}; {better}."
    else:
        adjusted = "".join(parts_of_adjusted(result)[:2])
        title = f"{_compared(result)}: {tested}{description.joined}{description.sizes}; {adjusted}."
        last = f"Scores: {description.subject}, {better}."
        if first.inference.has_interval:
            last += f" {of_single(result)}"
    # undetermined comparisons are named with their metric
    to_tell = [note for note in result.notes if note.code != UNDETERMINED.code]
    header, notes = said_of_notes(to_tell, result.warned)
    if len(notes) > _MOST_NOTES + 1:
        notes = [*notes[:_MOST_NOTES], f"{len(notes) - _MOST_NOTES} more notes in result.notes."]
    primary = of_primary(result) if len(tests_by_metric) > 1 else []
    end = Section(paragraphs=[last, *primary, *cut_said(result), *notes])
    return [Section(paragraphs=[title, *header]), *sections, end]


def _compared(result: ComparisonResult) -> str:
    """Name the metrics and the estimators that are compared."""
    tests = next(iter(result.tests_by_metric.values()))
    what = f"{some_metrics(result.tests_by_metric)} of {counted_names(result)}"
    common = search_of(tests.scores).get("in common")
    if common:
        what += f" ({common})"
    if tests.chosen_from is not None:
        n_others = len(tests.joint.estimates) - len(result.names)
        done = "compared" if len(result) else "to compare"
        what += f" ({done}: {some(result.names, 'result.names')}; {n_others} only ranked)"
    return what


def _of_pairs(
    pairs: list[Comparison], brief: bool, title: str = "Answer", level: int = 2
) -> list[Section]:
    """Return what is shown of two estimators, and the numbers: a row for each metric."""
    said: list[Any] = [f"{pair.claim.words}{_disagreement(pair.test)}." for pair in pairs]
    answered = Section(title, paragraphs=said, leads=True)
    table = difference_table(pairs, brief=brief)
    if brief:
        below = Section(table=table)
        for pair in pairs:
            what = f" for {shown_as(pair.metric).name}" if len(pairs) > 1 else ""
            below.paragraphs.extend(over_folds_of(pair.test, brief=True, what=what))
            below.paragraphs.extend(said_of_runs(pair.test, what))
        return [answered, below]
    words = f"The difference in {shown_as(pairs[0].metric).name} with its interval."
    numbers = Section("Difference", level, table, Picture("differences", pairs[0].metric, words))
    if shown_as(pairs[0].metric).is_loss:
        better = which_is_better([pairs[0].metric])
        numbers.paragraphs.append(f"{shown_as(pairs[0].metric).name}: {better}.")
    numbers.paragraphs.extend(over_folds_of(pairs[0].test, brief=False))
    numbers.paragraphs.extend(said_of_runs(pairs[0].test))
    numbers.paragraphs.extend(_posterior(pairs[0]))
    numbers.facts.extend(_precision(pairs[0].test))
    return [answered, numbers]


def _disagreement(test: Inference) -> str:
    """Say on how few rows two models are not equally right; empty where on many, or of losses."""
    if test.scores is None or not test.paired:
        return ""
    apart = _apart_on_rows(test.scores)
    if apart is None:
        return ""
    if not (np.square(apart) == np.abs(apart)).all():  # other than -1, 0 and 1
        return ""
    rows = np.arange(apart.size)
    if test.scores.row_scores is not None:
        rows = test.scores.row_scores.rows
    sums = np.bincount(rows, apart)[np.bincount(rows) > 0]
    n_apart = np.count_nonzero(np.bincount(rows, apart != 0))
    squares = np.square(sums - sums.mean())
    is_told_by_few = squares.sum() ** 2 < _FEW_TELLING * np.square(squares).sum()
    if n_apart == 0 or not (is_told_by_few or n_apart <= _FEW_APART):
        return ""
    unit = {"groups": "rows"}.get(test.unit, test.unit)
    return f"; the models disagree on {n_apart} of {len(sums)} {unit}"


def _apart_on_rows(scores: CVScores) -> np.ndarray | None:
    """Return the difference of two models in each row, if it is known."""
    if scores.row_scores is not None:
        return np.asarray(scores.row_scores.block())
    components = scores.components
    if components is None:
        return None
    if components.kind == "correct":
        return np.asarray(components.rows("correct")[0])
    facts = components.facts
    if components.kind != "means" or facts["grouped"] or facts["weighted"]:
        return None
    return np.asarray(np.round(components.rows("sums")[0] + scores.values.flat[0], 9))


def _posterior(pair: Comparison) -> list[Any]:
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


def _precision(test: Inference) -> list[tuple[str, str]]:
    """Return the standard error and the statistic, if the procedure has them."""
    facts = []
    law = test.describe().law
    if test.has_interval:
        facts.append(("std. error", format_number(test.standard_error)))
    if test.asked and law and not test.undetermined:
        facts.append((law, format_number(test.statistic)))
    return facts


def _estimated(test: Inference, brief: bool) -> str:
    """Say in a sentence what was estimated, and how sure it is; in brief also how."""
    said = test.describe()
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
    found = f"The expected {what} is estimated as {estimate}{sure}"
    if brief:
        finding = f": {said.finding}" if said.finding else ""
        return f"{found} for {said.subject}, by the {test.title}{said.joined}{said.sizes}{finding}."
    if test.undetermined:
        return f"{found}, which is undetermined."
    asked = ""
    if test.asked:
        null = test.null_value if isinstance(test, CVTestResult) else None
        against = "" if null is None else f" against {format_number(read.number(null))}"
        asked = f", p {format_pvalue(test.pvalue, said.smallest_pvalue)}{against}"
    return f"{found}{asked}."


def _of_test(test: Inference, brief: bool) -> list[Section]:
    """Return what was found about one estimator or difference, or about an array of them."""
    if not brief:
        said: list[Any] = [_estimated(test, brief), *over_folds_of(test, brief=brief)]
        said += said_of_runs(test)
        if not isinstance(test, CVTestResult):  # only such a procedure knows what it shows
            said.insert(0, f"{test.claim(alpha_of(test.confidence_level)).words}.")
        return [Section("Answer", paragraphs=said, facts=_precision(test), leads=True)]
    if not np.ndim(test.estimate):
        header, notes = said_of_notes(test.notes, test.warned)
        said = [_estimated(test, brief), *over_folds_of(test, brief=brief), *said_of_runs(test)]
        return [Section(paragraphs=[*said, *header, *cut_said(test), *notes])]
    left = np.size(test.estimate) - _MOST_TESTS
    return [
        Section(paragraphs=[f"{test.title}, {test.describe().sizes}"]),
        Section(
            table=test_table(test, _MOST_TESTS),
            paragraphs=[*and_more(left, "see to_frame()")],
        ),
    ]


def _of_estimates(result: ScoreEstimates) -> list[Section]:
    """Return the title, the scores in each metric, and what to know."""
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
    titles = some(dict.fromkeys(found.title for found in result.inferences.values()), "", 9, 200)
    title = f"{some_metrics(result.metrics, 'result.metrics')} of {who}: {titles}, {said.sizes}."
    last = f"Scores: {said.subject}, {which_is_better(result.metrics, compared=False)}."
    unadjusted = "; they are not adjusted" if len(frame) > 1 else ""
    asked = [of.take(0).describe().hypothesis for of in result.inferences.values() if of.asked]
    for null in dict.fromkeys(filter(None, asked)):
        last += f" p-values are {null}{unadjusted}."
    header, notes = said_of_notes(result.notes, result.warned)
    sections = [Section(paragraphs=[title, *header])]
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
    return [*sections, Section(paragraphs=[last, *cut_said(result), *notes])]


def _limitations(evidence: Evidence) -> Section:
    """List the limitations of a result once; one of some comparisons or metrics names them."""
    owners: dict[Paragraph, list[str]] = {}
    for metric in evidence.metrics:
        for point in _limitations_in(evidence, metric):
            owners.setdefault(point, []).append(shown_as(metric).name)
    points = list[Paragraph]()
    for point, metrics in owners.items():
        if len(metrics) < len(evidence.metrics):
            point = (f"{', '.join(metrics)}: ", *parts_of(point))
        points.append(point)
    if points:
        return Section("Limitations", points=points)
    what = "test set" if on_test_set(evidence.scores) else "splits"
    return Section("Limitations", paragraphs=[f"The {what} and the scores gave no warning."])


def _limitations_in(evidence: Evidence, metric: str) -> Iterator[Paragraph]:
    """Yield the limitations of a result in one metric."""
    comparison = evidence.comparison
    part = evidence.result if comparison is None else comparison[metric]
    names = tuple(f"{cut(name)}{end}" for name in evidence.names for end in " ,:")
    for note in part.notes:
        if note.code == CHOSEN_METHOD:  # the methods say it
            continue
        text = f"{note}." if str(note).startswith(names) else sentence(str(note))
        if comparison is not None and note.code == UNDETERMINED.code:
            if evidence.rankings[metric] is None:  # the answer already says it
                continue
            tests = comparison.tests_by_metric[metric]
            pairs = tests.names[tests.kinds == "undetermined"]
            named = [" - ".join(map(cut, pair)) for pair in pairs]
            text = f"{first_of(named, MOST_NAMED)}: {UNDETERMINED}."
        yield noted(text, note)


def _of_race(race: RacingSearchCV, brief: bool, most_rows: int) -> Document:
    """Return who was followed to the end, what that shows, and how candidates left."""
    said = " ".join(_said_of_race(race))
    if brief:
        return Document("", [Section(paragraphs=[said])])
    frame = race.to_frame()
    design = race.scores_.design
    ranked = as_read(frame.assign(low=np.nan, high=np.nan), race.scores_.metric)
    table, left = score_table(ranked, race.confidence_level, head="candidate", most_rows=most_rows)
    own = "A score is the mean over the splits on which the candidate was fitted."
    below: list[Any] = [*map(sentence, and_more(left, "see to_frame()")), own]
    test = CorrectedResampledTTest(alternative="less")
    notes = union(race.scores_.all_notes, test.notes(design))
    best = "The score of the best is optimistic, as it was chosen for it."
    sections = [
        Section("Answer", paragraphs=[said], leads=True),
        Section("Ranking", table=table, paragraphs=below),
        Section(
            "Limitations", points=[best, *(noted(sentence(str(note)), note) for note in notes)]
        ),
    ]
    if race.rule:
        level = "alpha/(2 L (C - 1))" if race.rule == "evidence" else "alpha/L"
        tested = (
            f"After each split from {race.min_splits} on but the last, candidates were compared "
            f"with the highest mean so far by the one-sided {test.title}",
            Citation(_OF_RACES),
            f". They left if p < {level}, with alpha = {1 - race.confidence_level:.3g}, L = "
            f"{race.n_splits_ - race.min_splits} looks and C = "
            f"{counted(len(frame), 'candidate')}. {sentence(test.describe(design).assumption)}",
        )
        sections.append(Section("Methods: how the numbers were made", paragraphs=[tested]))
    made = ("skcvstats", version("skcvstats"))
    facts = [("search", one_line(race)), ("splits", str(design.source)), made]
    title = f"Evaluation report: a race of {counted(len(frame), 'candidate')}"
    again = Section("How to reproduce this", facts=facts)
    return Document(title, sections, [again], bibliography(_OF_RACES))


def _said_of_race(race: RacingSearchCV) -> Iterator[str]:
    """Say how many were followed and what that saved, what is shown, and the highest mean."""
    frame = race.to_frame()
    claims = race.rule == "evidence"
    left = frame["dropped_after"].gt(0)
    whole = np.isfinite(frame["score"])
    n_all = len(frame)
    n_gone = int(left.sum())
    n_missing = int((~whole).sum())
    n_fits = n_all * race.n_splits_
    n_done = frame["n_splits_done"].sum()
    level = f"({format_percent(race.confidence_level)} confidence)"
    best = frame["estimator"][0]
    were = verb(n_all - n_gone, "was", "were")
    yield (
        f"{n_all - n_gone} of {counted(n_all, 'candidate')} {were} followed to the end; "
        f"{n_fits - n_done} of {n_fits} fits were saved."
    )
    if found := race.best_set() if claims else ():
        named = some(found, "best_set()")
        could = f"could be the best of all {level}"
        yield f"Only {named} {could}." if len(found) == 1 else f"{len(found)} {could}: {named}."
    if race.stopped_after_ is not None:
        shown = f"It is shown {level}" if claims else "The scores suggest, without a test,"
        yield (
            f"{shown} that no candidate is better than {cut(best)} by more than {race.margin:g}, "
            f"so the race ended after {race.stopped_after_} of {race.n_splits_} splits."
        )
    if whole[0]:
        read = shown_as(race.scores_.metric)
        score = format_number(read.number(frame["score"][0]))
        most = "highest"
        most = "lowest" if read.is_loss else most
        yield f"The {most} mean {read.name} at the end is {score}, of {cut(best)}."
    if (left & whole).any():
        yield f"No {'other ' if claims else ''}conclusion about eliminated candidates."
    if n_missing:
        yield f"Nothing is known about {counted(n_missing, 'candidate')} with missing scores."


def _of_curve(result: LearningCurveResult, brief: bool) -> list[Section]:
    """Return what more rows brought, the scores, where curves cross, and for a report how."""
    answer: list[Any] = [said_of_gain(result, e) for e in range(len(result.names))]
    scores = as_table(_rows_of_curve(result), n_names=1)
    crossing = _rows_of_crossing(result)
    test = result.of_gains.example
    design = result.scores.design
    better = which_is_better([result.metric], compared=bool(crossing))
    below = (
        f"{shown_as(result.metric).name}, {better}: {test.title}, "
        f"{test.describe().splits} of {design.n_samples} {result.unit}, with parts of their "
        f"training sets of {format_size(design.train_size)}. No conclusion about other sizes. "
        "Intervals are simultaneous: those of all scores, those of all gains from the next smaller "
        "size, and those of all differences."
    )
    if brief:
        sections = [Section(paragraphs=answer), Section(table=scores)]
        if crossing:
            sections.append(Section(paragraphs=["These curves cross:"], leads=True))
            sections.append(Section(table=as_table(crossing, n_names=1)))
        header, notes = said_of_notes(result.notes, result.warned)
        return [*sections, Section(paragraphs=[*header, below, *notes])]
    sections = [
        Section("Answer", paragraphs=answer, leads=True),
        Section("Scores and gains", table=scores),
    ]
    if crossing:
        sections.append(Section("Curves that cross", table=as_table(crossing, n_names=1)))
    described = test.describe()
    made: list[Any] = [(below, Citation(described.sources)), sentence(described.assumption)]
    return [*sections, Section("Methods: how the numbers were made", paragraphs=made)]


def _rows_of_curve(result: LearningCurveResult) -> list[dict[str, Any]]:
    """Return a row for each score, with its gain."""
    interval = f"{format_percent(result.confidence_level)} interval"
    return [
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


def _rows_of_crossing(result: LearningCurveResult) -> list[dict[str, Any]]:
    """Return a row for each difference of estimators whose order changes with the size."""
    if result.of_differences is None:
        return []
    interval = f"{format_percent(result.confidence_level)} interval"
    rows = []
    for (first, second), of_pair in result.differences().groupby(
        ["estimator", "versus"], sort=False
    ):
        if of_pair["difference"].min() >= 0 or of_pair["difference"].max() <= 0:
            continue
        for row in of_pair.to_dict("records"):
            rows.append(
                {
                    "": f"{cut(first)} - {cut(second)}",
                    f"training {result.unit}": Cell(format_size(row["n_train"]), (row["n_train"],)),
                    "difference": row["difference"],
                    interval: (row["low"], row["high"]),
                }
            )
    return rows


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
