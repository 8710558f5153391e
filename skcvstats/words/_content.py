"""What is said of results: `printed` at a prompt, `content` in a report."""

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
    as_sentence,
    counted,
    cut,
    first_of,
    format_ends,
    format_interval,
    format_number,
    format_percent,
    format_pvalue,
    format_size,
    verb,
)
from ..comparison import CandidatesEvidence, Comparison, ComparisonResult, ScoreEstimates
from ..model_selection import LearningCurveResult, RacingSearchCV
from ..notes import CHOSEN_METHOD
from ..scores import Note, find_notes, shown_ends, union, with_shown_ends
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
from ._print import of_two, print_of
from ._runs import said_of_runs
from ._sentences import (
    MOST_NAMED,
    MOST_ROWS,
    POWER,
    WIDEST_NAME,
    and_more,
    as_read,
    as_table,
    counted_names,
    cut_said,
    detectable_of,
    difference_table,
    differences_of,
    disagreement_of,
    every_note_of,
    in_full,
    notes_of,
    of_primary,
    on_test_set,
    open_of,
    over_folds_of,
    provenance_of,
    pvalue_cell,
    ranking_of,
    score_table,
    some,
    some_metrics,
    test_table,
    which_is_better,
)
from ._slices import slices_of, slices_of_scores

_MOST_TESTS = 20
_WIDEST_LABEL = 203  # of a difference: two names
_ABOUT = 0.02  # ratios of sizes that are rounded to rows
_CALL = re.compile(r",? \((?:see|in) \w+\(\)\)|,? (?:see|in) \w+\(\)|; use pairs\(\)[^.]*")
_OF_RACES = ("nadeau1999", "nadeau2003", "dunn1961")


def printed(
    result: Any, *, reword: Callable[[str], str] = str, every_note: bool = False
) -> list[Section]:
    """Return what is said of a result at a prompt, with the notes that limit it, or all of them.

    What is said in sentences is said in the words that `reword` returns.
    """
    sections = _PRINTS.get(type(result), _print_of_test)(result)
    notes = every_note_of(result) if every_note else notes_of(result)
    return [_reworded(part, reword) for part in [*sections, Section(paragraphs=notes)]]


def content(
    result: Any,
    *,
    most_rows: int = MOST_ROWS,
    decision: str = "",
    reword: Callable[[str], str] = str,
) -> Document:
    """Return the report of a result, its sentences in the words that `reword` returns."""
    if isinstance(result, RacingSearchCV):
        return _report_of_race(result, most_rows)
    rankings: dict[str, Any] = {}
    if isinstance(result, LearningCurveResult):
        sections = [*_of_curve(result), _methods_of_curve(result)]
    elif isinstance(result, ComparisonResult):
        sections, rankings = _of_comparison(result, most_rows)
    else:
        sections = _of_test(result)
    return _report(evidence_of(result, rankings), sections, decision, reword)


def _report(
    evidence: Evidence, sections: list[Section], decision: str, reword: Callable[[str], str]
) -> Document:
    """Return a report: what was found, its limitations, how it was made, and its sources."""
    known = provenance_of(evidence.scores)
    data = [*known.get("table", []), *known.get("read", [])]  # by the command line
    data += [*known.get("used", []), *known.get("data", [])]
    if data:
        said = "; ".join(map(str, data)).replace(".; ", "; ")
        sections[0].facts.append(("data", said))
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
    result: ComparisonResult, most_rows: int
) -> tuple[list[Section], dict[str, Any]]:
    """Return what each metric shows, and the rankings: None of metrics with one pair alone."""
    tests_by_metric = result.tests_by_metric
    is_several = len(tests_by_metric) > 1
    rankings: dict[str, Any] = {}
    sections: list[Section] = []
    for metric in tests_by_metric:
        if is_several:
            part = result[metric]
            title = shown_as(metric).name
            level = 3
        else:
            part = result
            title = "Answer"
            level = 2
        of_metric, rankings[metric] = _of_metric(part, title, level, most_rows)
        sections += of_metric
    if result.slices and len(result):
        for metric in tests_by_metric:
            sections += slices_of(result[metric], brief=False, level=3 if is_several else 2)
    if is_several:
        sections = _with_answer_first(sections)
    sections[0].paragraphs.extend(of_primary(result))
    return sections, rankings


def _of_metric(
    result: ComparisonResult, title: str, level: int, most_rows: int
) -> tuple[list[Section], Any]:
    """Return what one metric shows, and its ranking; None where it has one pair alone."""
    (tests,) = result.tests_by_metric.values()
    ranked = None
    if tests.alone:
        sections = _of_pair(result.comparisons[0], title, level)
    else:
        ranked = with_shown_ends(result.ranking(), tests.scores)
        sections = ranking_of(result, ranked, title, level, most_rows)
        sections += differences_of(result, level, most_rows)
        example = tests.example
        sections[-1].paragraphs.extend(said_of_runs(example, f" {cut(example.label)}"))
    if len(tests):
        sections += open_of(result, level)
    return sections, ranked


def _of_pair(pair: Comparison, title: str = "Answer", level: int = 2) -> list[Section]:
    """Return what is shown of two estimators, and the numbers."""
    said: list[Any] = [f"{pair.claim.words}{disagreement_of(pair.test)}."]
    answered = Section(title, paragraphs=said, leads=True)
    read = shown_as(pair.metric)
    words = f"The difference in {read.name} with its interval."
    picture = Picture("differences", pair.metric, words)
    numbers = Section("Difference", level, difference_table([pair]), picture)
    if read.is_loss:
        numbers.paragraphs.append(f"{read.name}: {which_is_better([pair.metric])}.")
    numbers.paragraphs.extend(over_folds_of(pair.test, brief=False))
    numbers.paragraphs.extend(said_of_runs(pair.test))
    numbers.paragraphs.extend(_posterior(pair))
    numbers.facts.extend(_precision(pair.test))
    return [answered, numbers]


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


def _estimated(test: Inference) -> str:
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


def _print_of_test(test: Inference) -> list[Section]:
    """Return what was found about one estimator or difference, or about an array of them."""
    said = test.describe()
    if not np.ndim(test.estimate):
        finding = f": {said.finding}" if said.finding else ""
        how = f"by the {test.title}{said.joined}{said.sizes}{finding}."
        found = f"{_estimated(test)} for {said.subject}, {how}"
        below = [*over_folds_of(test, brief=True), *said_of_runs(test), *cut_said(test)]
        return [Section(paragraphs=[found, *below])]
    left = np.size(test.estimate) - _MOST_TESTS
    more: list[Any] = and_more(left, "see to_frame()")
    return [
        Section(paragraphs=[f"{test.title}, {said.sizes}"]),
        Section(table=test_table(test, _MOST_TESTS), points=more),
    ]


def _of_test(test: Inference) -> list[Section]:
    """Return the answer of a report about one estimator or difference."""
    found = _estimated(test)
    asked = ""
    if test.undetermined:
        asked = ", which is undetermined"
    elif test.asked:
        pvalue = format_pvalue(test.pvalue, test.describe().smallest_pvalue)
        asked = f", p {pvalue}{_against_null(test)}"
    said: list[Any] = [f"{found}{asked}.", *over_folds_of(test, brief=False)]
    said += said_of_runs(test)
    if not isinstance(test, CVTestResult):  # only such a procedure knows what it shows
        said.insert(0, f"{test.claim(alpha_of(test.confidence_level)).words}.")
    return [Section("Answer", paragraphs=said, facts=_precision(test), leads=True)]


def _against_null(test: Inference) -> str:
    """Say which value was tested; empty where there is none."""
    if not isinstance(test, CVTestResult):
        return ""
    null = shown_as(test.metric, test.paired).number(test.null_value)
    return f" against {format_number(null)}"


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
    return [*sections, Section(paragraphs=[last, *cut_said(result)])]


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
        text = f"{note}." if str(note).startswith(names) else as_sentence(str(note))
        if comparison is not None and note.code == UNDETERMINED.code:
            if evidence.rankings[metric] is None:  # the answer already says it
                continue
            tests = comparison.tests_by_metric[metric]
            pairs = tests.names[tests.kinds == "undetermined"]
            named = [" - ".join(map(cut, pair)) for pair in pairs]
            text = f"{first_of(named, MOST_NAMED)}: {UNDETERMINED}."
        yield noted(text, note)


def _print_of_race(race: RacingSearchCV) -> list[Section]:
    """Return who was followed to the end, what that shows, and how optimistic the best score is."""
    answer = " ".join(_said_of_race(race))
    return [Section(paragraphs=[answer, *in_full(_notes_on_winner(race))])]


def _notes_on_winner(race: RacingSearchCV) -> tuple[Note, ...]:
    """Return the note on how optimistic the best score of those at the end is."""
    return find_notes(CandidatesEvidence(scores=race.scores_))


def _report_of_race(race: RacingSearchCV, most_rows: int) -> Document:
    """Return who was followed to the end, what that shows, and how candidates left."""
    frame = race.to_frame()
    design = race.scores_.design
    ranked = as_read(frame.assign(low=np.nan, high=np.nan), race.scores_.metric)
    table, left = score_table(ranked, race.confidence_level, head="candidate", most_rows=most_rows)
    own = "A score is the mean over the splits on which the candidate was fitted."
    below: list[Any] = [*map(as_sentence, and_more(left, "see to_frame()")), own]
    test = CorrectedResampledTTest(alternative="less")
    notes = union(_notes_on_winner(race), race.scores_.all_notes, test.notes(design))
    sections = [
        Section("Answer", paragraphs=[" ".join(_said_of_race(race))], leads=True),
        Section("Ranking", table=table, paragraphs=below),
        Section("Limitations", points=[*in_full(notes)]),
    ]
    if race.rule:
        level = "alpha/(2 L (C - 1))" if race.rule == "evidence" else "alpha/L"
        tested = (
            f"After each split from {race.min_splits} on but the last, candidates were compared "
            f"with the highest mean so far by the one-sided {test.title}",
            Citation(_OF_RACES),
            f". They left if p < {level}, with alpha = {1 - race.confidence_level:.3g}, L = "
            f"{race.n_splits_ - race.min_splits} looks and C = "
            f"{counted(len(frame), 'candidate')}. {as_sentence(test.describe(design).assumption)}",
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


def _of_curve(result: LearningCurveResult) -> list[Section]:
    """Return what more rows brought, the scores, and where curves cross."""
    answer: list[Any] = [said_of_gain(result, e) for e in range(len(result.names))]
    scores = as_table(_rows_of_curve(result), n_names=1)
    sections = [
        Section("Answer", paragraphs=answer, leads=True),
        Section("Scores and gains", table=scores),
    ]
    if crossing := _rows_of_crossing(result):
        sections.append(Section("Curves that cross", table=as_table(crossing, n_names=1)))
    return sections


def _how_curve_was_made(result: LearningCurveResult) -> str:
    test = result.of_gains.example
    design = result.scores.design
    better = which_is_better([result.metric], compared=len(result.names) > 1)
    return (
        f"{shown_as(result.metric).name}, {better}: {test.title}, "
        f"{test.describe().splits} of {design.n_samples} {result.unit}, with parts of their "
        f"training sets of {format_size(design.train_size)}. No conclusion about other sizes. "
        "Intervals are simultaneous: those of all scores, those of all gains from the next smaller "
        "size, and those of all differences."
    )


def _methods_of_curve(result: LearningCurveResult) -> Section:
    described = result.of_gains.example.describe()
    made = (_how_curve_was_made(result), Citation(described.sources))
    paragraphs: list[Any] = [made, as_sentence(described.assumption)]
    return Section("Methods: how the numbers were made", paragraphs=paragraphs)


def _print_of_curve(result: LearningCurveResult) -> list[Section]:
    return [*_of_curve(result), Section(paragraphs=[_how_curve_was_made(result)])]


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
                    "curves that cross": f"{cut(first)} - {cut(second)}",
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


# What is printed, by the type of the result; tests are of many types.
_PRINTS: dict[type, Callable[[Any], list[Section]]] = {
    Comparison: lambda pair: of_two([pair]),
    ComparisonResult: print_of,
    LearningCurveResult: _print_of_curve,
    RacingSearchCV: _print_of_race,
    ScoreEstimates: _of_estimates,
}
