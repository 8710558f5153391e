"""The commands: a verdict on data, a test set or saved scores; a gate; what a store contains."""

import argparse
import math
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import TimeSeriesSplit

from .._utils._checks import check_option, distinct, listed
from .._utils._shared_arguments import check_level, check_n_jobs, check_seed, tails_of
from .._utils._text import counted, cut, format_pvalue
from ..comparison import (
    SMALL_MARGIN,
    Comparison,
    ComparisonResult,
    Numbers,
    ScoreEstimates,
    numbers_of,
)
from ..fitting import FitStore, Splits, read_metrics
from ..model_selection import (
    LearningCurveResult,
    compare_estimators,
    compare_scores,
    learning_curve_inference,
    methods_of,
)
from ..notes import Evidence
from ..scores import Note, SplitDesign, find_notes, shown_ends
from ..splitters import make_splitter
from ..stats import KINDS, LocationTest, RowTTest, plan_n_rows
from ..words import as_table, said_of_slices, sentence, table_lines
from ._columns import explained
from ._estimators import EstimatorString, find_estimator, parse_estimator
from ._ledger import ledger, look
from ._limits import limiting_notes, refuse_saved_gaps, why_undecided
from ._output import (
    Output,
    as_text,
    facts_of,
    first_scores,
    how_prepared,
    how_read,
    read_scores,
    verdict,
    with_record,
)
from ._parser import (
    CLASSIFIERS,
    DEFAULT,
    METHODS,
    REGRESSORS,
    SHORT_NAMES,
    InputError,
    Mistakes,
    complain,
    refused,
)
from ._plan import plan
from ._predicted import compare_columns, scoring_of
from ._table import Prepared, check_known, prepare
from ._wording import in_options

HOLDS = 0
CONTRARY = 1
NEITHER = 3
_DECISIONS = {
    HOLDS: ("holds", "PASS"),
    CONTRARY: ("contrary", "FAIL"),
    NEITHER: ("not shown", "UNDECIDED"),
}
# The claim that each rule wants, of challenger - champion.
RULES = {"not-worse": "not worse", "better": "above", "equivalent": "equivalent"}
_NEED_MARGIN = ("not-worse", "equivalent")
_DAY = 86400
_UNKNOWN = "?"  # shown in place of a damaged description of an estimator
_WIDEST = 60
_HEADS = ("data", "fits", "first", "last", "metric", "estimator")
_DAMAGED: Mapping[str, Any] = {
    "data": _UNKNOWN,
    "metrics": [_UNKNOWN],
    "estimator": _UNKNOWN,
}


def compare(options: argparse.Namespace) -> Output:
    """Compare estimators on data."""
    estimators, data = _read(options, options.estimators)
    result = fit_and_compare(estimators, data, options, options.reference)
    hints = []
    if "data" not in options.passed:
        on_path = shutil.which("skcvstats") is not None
        program = "skcvstats" if on_path else f"{os.path.relpath(sys.executable)} -m skcvstats"
        hints = [f"For your own file: {program} compare --data table.csv --target COLUMN"]
    return verdict(result, options, hints=hints)


def report(options: argparse.Namespace) -> Output:
    """Report saved scores as ``compare`` does, without the data."""
    result = _read_result(options)
    if options.margin is not None:
        result = result.with_margin(options.margin)
    return verdict(result, options)


def _read_result(options: argparse.Namespace) -> ComparisonResult:
    """Return the saved result, at the level of the options if there is one."""
    result = read_scores(options.scores)
    if "confidence_level" in options.passed:
        return result.with_confidence(options.confidence_level)
    return result


def predictions(options: argparse.Namespace) -> Output:
    """Compare fitted models by their predictions, and plan a test set."""
    result: Any = compare_columns(options, options.models, options.reference)
    if isinstance(result, ScoreEstimates):
        return Output(
            as_text(result, first_scores(result)), result, content=partial(_scores_in, result)
        )
    plans = []
    if options.plan is not None:
        n_comparisons = 1 if result.adjustment == "none" else result.n_adjusted
        plans = [
            plan_n_rows(test, difference=options.plan, n_comparisons=n_comparisons).text
            for test in result.tests
            if test.standard_error > 0
        ]
    return verdict(result, options, plans=plans)


def _scores_in(result: ScoreEstimates) -> dict[str, Any]:
    """Return what JSON has of the scores of one model."""
    return {
        "confidence_level": result.confidence_level,
        "scores": result.to_frame().to_dict("records"),
        **facts_of(result, first_scores(result)),
    }


def curve(options: argparse.Namespace) -> Output:
    """Measure the scores of estimators on more and more rows, and say what these bring."""
    estimators, data = _read(options, options.estimators)
    sizes = np.array(options.train_sizes or (0.25, 0.5, 1.0))
    train_sizes = sizes.tolist()
    if np.all((sizes > 1) & (sizes % 1 == 0)):  # numbers of rows, not shares
        train_sizes = list(map(int, train_sizes))
    how = _how_to_fit(options, data)
    if options.time is not None:  # a curve leaves out training rows at random
        groups = np.unique(data.X.index, return_inverse=True)[1]
        how |= {"groups": groups, "cv": _splitter(options)}
    result = learning_curve_inference(
        dict(estimators), data.X, data.y, train_sizes=train_sizes, **how
    )
    record, notes = _describe_data(options, data, result.scores.design)
    scores = replace(result.scores, provenance={**result.scores.provenance, **record})
    of_scores = result.of_scores.with_notes(notes)
    result = replace(result, scores=scores, of_scores=of_scores, warned=())
    text = as_text(result, scores, explain=options.explain)
    return Output(text, result, content=partial(_content_of_curve, result))


def _content_of_curve(result: LearningCurveResult) -> Mapping[str, Any]:
    """Return what JSON has of a learning curve."""
    content: dict[str, Any] = {
        "metric": result.metric,
        "unit": result.unit,
        "confidence_level": result.confidence_level,
        "curve": result.to_frame(full=True).to_dict("records"),
    }
    if result.of_differences is not None:
        content["differences"] = result.differences().to_dict("records")
    return content | facts_of(result, result.scores)


def _read(
    options: argparse.Namespace, texts: Sequence[str], *flags: str
) -> tuple[list[tuple[str, Any]], Prepared]:
    """Return the estimators that texts name and the data, or tell all that is wrong with a call."""
    mistakes = options.mistakes
    strings = []
    data: Any = None
    for text, flag in zip_longest(texts, flags, fillvalue="--estimators"):
        with mistakes.collected():
            strings.append(parse_estimator(text, flag))
    with mistakes.collected():
        data = prepare(options)
    _check_options(options)
    if data is None:
        _find_each(strings, CLASSIFIERS | REGRESSORS, "", mistakes)
        mistakes.refuse()
    estimators = _find_estimators(strings, data, mistakes)
    mistakes.refuse()
    return estimators, data


def _check_options(options: argparse.Namespace) -> None:
    """Collect what is wrong with the options of fits."""
    mistakes = options.mistakes
    with mistakes.collected():
        _method(options)
        _splitter(options)
    with mistakes.collected():
        check_level(options.confidence_level)
    with mistakes.collected():
        check_n_jobs(options.n_jobs)
    with mistakes.collected():
        check_seed(options.seed)
    for name in options.scoring:
        with mistakes.collected():
            read_metrics(name)


def fit_and_compare(
    estimators: list[tuple[str, Any]],
    data: Prepared,
    options: argparse.Namespace,
    reference: str | None,
) -> ComparisonResult:
    """Fit estimators on the splits and compare them."""
    if len(estimators) < 2:
        raise InputError("compare needs at least two models; name another one in --estimators.")
    result = compare_estimators(
        estimators,
        data.X,
        data.y,
        **_how_to_fit(options, data),
        reference=reference,
        margin=options.margin,
    )
    return with_record(result, *_describe_data(options, data, first_scores(result).design))


def _describe_data(
    options: argparse.Namespace, data: Prepared, design: SplitDesign
) -> tuple[dict[str, list[Any]], tuple[Note, ...]]:
    """Return what scores keep of their data, and the notes on dates, which are numbers in them."""
    notes: tuple[Note, ...] = ()
    if data.groups is None:
        dates = data.X[data.dates].apply(pd.to_datetime, unit="D")
        no_rows = Splits({})  # the rows of the splits are not kept
        evidence = Evidence(groups=None, design=design, splits=no_rows, tables={"X": dates})
        notes = find_notes(evidence)
    return data.record(options.data), notes


def _find_estimators(
    strings: list[EstimatorString], data: Prepared, mistakes: Mistakes
) -> list[tuple[str, Any]]:
    """Return the estimators that strings name, in pipelines that take the columns of the data."""
    strings = strings or list(map(parse_estimator, DEFAULT[data.task]))
    short = SHORT_NAMES[data.task]
    with mistakes.collected():
        distinct((parsed.name for parsed in strings), "estimators (write name=SPEC)")
    (other_task,) = SHORT_NAMES.keys() - {data.task}
    hint = f" The target was read as {data.task}; --task {other_task} changes that."
    found = _find_each(strings, short, hint, mistakes)
    return [(name, data.wrap(estimator)) for name, estimator in found]


def _find_each(
    strings: Sequence[EstimatorString], short: Mapping[str, str], hint: str, mistakes: Mistakes
) -> list[tuple[str, Any]]:
    """Return the estimators that strings name, and collect what is wrong with others."""
    found = []
    for parsed in strings:
        with mistakes.collected():
            found.append((parsed.name, find_estimator(parsed, short, hint)))
    return found


def _how_to_fit(options: argparse.Namespace, data: Prepared) -> dict[str, Any]:
    return {
        "groups": data.groups,
        "method": _method(options),
        "cv": _splitter(options) if options.time is None else _splits_over_time(options, data),
        "random_state": options.seed,
        "fresh_seeds": options.fresh_seeds,
        "confidence_level": options.confidence_level,
        "n_jobs": options.n_jobs,
        "verbose": int(options.verbose or sys.stderr.isatty()),
        "store": options.store,
        "scoring": scoring_of(options),
    }


def _method(options: argparse.Namespace) -> str | RowTTest:
    """Return the method by its name; the row t-test where an inflation was given."""
    method: str = check_option("method", options.method, METHODS)
    if options.inflation is None:
        return method
    if method not in ("auto", RowTTest.name):
        raise InputError(
            f"--inflation is an assumption of row_t and not of --method {method}; leave it out."
        )
    return RowTTest(inflation=options.inflation)


def _splitter(options: argparse.Namespace) -> Any:
    """Return the splitter of the sizes that were given; None draws what the method asks for."""
    if options.n_splits is None and options.test_size is None:
        return None
    method = methods_of(options.method).general
    request = method.request.with_sizes(
        f"The {method.title}", n_splits=options.n_splits, test_size=options.test_size
    )
    return make_splitter(request, options.seed)


def gate(options: argparse.Namespace) -> Output:
    """Decide by a rule whether a challenger may replace a champion, and say why in one line."""
    if options.ledger is not None:
        options.mistakes.refuse()  # before a look is spent
        return look(options)
    result = _compare_two(options)
    rule = options.rule
    comparison = result[0]
    status = decide(rule, comparison.claim.kind)
    lines = [f"{_DECISIONS[status][1]}: {_why(comparison, rule, status)}"]
    if result.slices:
        (claim,) = result.no_slice_worse().to_dict("records")
        slices_status = {"holds": HOLDS, "contrary": CONTRARY, "open": NEITHER}[claim["outcome"]]
        lines.append(f"{_DECISIONS[slices_status][1]}: {said_of_slices(claim)}")
        status = min(status, slices_status, key=(CONTRARY, NEITHER, HOLDS).index)
    limits = limiting_notes(result.notes)
    if limits:
        status = NEITHER
        lines = [f"{_DECISIONS[status][1]}: {why_undecided(note)}" for note in limits]
    why = "\n".join(lines)
    decision = f"{'. '.join(lines)}. This was decided by the rule {rule}."
    scores = first_scores(result)
    content = {
        "decision": _DECISIONS[status][0],
        "exit_status": status,
        "why": why,
        "rule": rule,
        **_numbers_of(comparison),
        **facts_of(result, scores),
    }
    if not options.json:
        for line in [*how_read(scores), *how_prepared(scores)]:
            complain(f"data: {line}")
        if options.explain:
            complain(*explained(scores.provenance))
        is_equivalence_open = (rule, status) == ("equivalent", NEITHER)
        _print_notes([note for note in result.notes if note not in limits], is_equivalence_open)
    return Output(why, result, status, decision, content=lambda: content)


def _print_notes(notes: Sequence[Note], is_equivalence_open: bool) -> None:
    """Print notes to standard error; that on a small margin only where it is about the outcome."""
    for note in notes:
        is_of_outcome = note.code != SMALL_MARGIN or is_equivalence_open
        if is_of_outcome and note.is_printed:
            complain(f"note: {in_options(str(note))}{note.code_in_brackets}")


def _splits_over_time(options: argparse.Namespace, data: Prepared) -> list[Any]:
    """Return splits of whole times, each tested by models that are trained on earlier ones."""
    if options.test_size is not None:
        raise InputError("--test-size is of random splits; leave it out with --time.")
    numbers = np.unique(data.X.index, return_inverse=True)[1]
    times = TimeSeriesSplit(options.n_splits or 5).split(np.unique(numbers))
    return [tuple(np.flatnonzero(np.isin(numbers, side)) for side in split) for split in times]


def _compare_two(options: argparse.Namespace) -> ComparisonResult:
    """Return the comparison of a champion and a challenger from the one source that is given."""
    sources = options.passed & _SOURCES.keys()
    if len(sources) != 1:
        needs = "takes only one" if sources else "needs one"
        raise InputError(f"gate {needs} of --data with --target, --scores and --predictions.")
    (source,) = sources
    compare_by_source, unused = _SOURCES[source]
    refused = sorted(options.passed.intersection(unused))
    if refused:
        raise InputError(
            f"gate --{source} does not accept --{refused[0].replace('_', '-')}; leave it out."
        )
    if options.champion == options.challenger:
        raise InputError(f"--champion and --challenger are both {options.champion!r}.")
    return compare_by_source(options)


def _numbers_of(comparison: Comparison) -> dict[str, Any]:
    """Return the numbers of a comparison for JSON."""
    numbers = {
        "metric": comparison.metric,
        "champion": comparison.versus,
        "challenger": comparison.estimator,
        "score_champion": comparison.score_versus,
        "score_challenger": comparison.score,
        "difference": comparison.test.estimate,
        "confidence_level": comparison.confidence_level,
        "interval": list(comparison.confidence_interval()),
        "margin": comparison.margin,
        "margin_interval": comparison.margin and list(comparison.margin_interval()),
        "pvalue": comparison.pvalue_adjusted,
        "outcome": comparison.outcome,
    }
    if comparison.test.undetermined:  # what is no evidence
        numbers |= dict.fromkeys(("interval", "margin_interval", "pvalue"))
    return numbers


def _why(comparison: Comparison, rule: str, status: int) -> str:
    """Say what is shown about the challenger by a rule, and the numbers that decide."""
    kind = RULES[rule]
    is_shown = status != NEITHER
    if rule in _NEED_MARGIN:
        numbers = _about_margin(comparison, rule, status)
    else:
        comparison = replace(comparison, margin=None, margin_pvalues=None)
        numbers = numbers_of(comparison)
    if status == CONTRARY or comparison.test.undetermined:
        kind = comparison.claim.kind
        is_shown = True
    return sentence(comparison, numbers=numbers, kind=kind, shown=is_shown)


def _about_margin(comparison: Comparison, rule: str, status: int) -> Numbers:
    """Return the interval and the p-value that decide about a margin."""
    asked = KINDS[RULES[rule]]
    question = asked.question
    if status == CONTRARY:
        asked = KINDS[comparison.claim.kind]
        question = ""
    test = comparison.test
    margin: Any = comparison.margin
    level = 1 - tails_of(test.alternative) * comparison.alpha
    ends = comparison.margin_interval()
    # If this interval lies beyond the margin, the decision is made, or open, by the longer one.
    if status != HOLDS and max(ends.low - margin[1], margin[0] - ends.high) > 0:
        level = comparison.confidence_level
        ends = comparison.confidence_interval()
    pvalue = getattr(comparison.margin_pvalues, asked.pvalue)
    written = format_pvalue(pvalue, test.describe().smallest_pvalue)
    intervals = [(shown_ends(test.scores, *ends), level)]
    return Numbers(intervals, [(question, written, pvalue)], (0.0, *margin), "")


def decide(rule: str, kind: str) -> int:
    """Return the exit status of a rule, given what is shown about challenger - champion."""
    wanted = KINDS[RULES[rule]]
    shown = KINDS[kind]
    if wanted.low <= shown.low <= shown.high <= wanted.high:
        return HOLDS
    if min(wanted.high, shown.high) <= max(wanted.low, shown.low):  # they have nothing in common
        return CONTRARY
    return NEITHER


def _from_data(options: argparse.Namespace) -> ComparisonResult:
    mistakes = options.mistakes
    with mistakes.collected():
        _check_margin(options.rule, options.margin)
    with mistakes.collected():
        method = check_option("method", options.method, METHODS)
        if not isinstance(methods_of(method).general, LocationTest):
            raise InputError(
                f"--method {method} has no direction, so it cannot decide; leave it out."
            )
    result: ComparisonResult = options.fits.result(is_right=not mistakes.told)
    return result


def fit_both(options: argparse.Namespace) -> ComparisonResult:
    """Find, fit and compare the champion and the challenger; runs in the child process."""
    texts = (options.champion, options.challenger)
    both, data = _read(options, texts, "--champion", "--challenger")
    return fit_and_compare(both, data, options, reference=both[0][0])


def _from_scores(options: argparse.Namespace) -> ComparisonResult:
    """Compare only these two at the gate's level, with the procedure of the saved result."""
    saved = read_scores(options.scores)
    (metric,) = options.scoring or saved.metrics[:1]
    check_option("--scoring", metric, saved.metrics)
    if len(saved.metrics) > 1 and not options.scoring:
        complain(f"note: {metric} decides, the first of the saved metrics {listed(saved.metrics)}")
    tests = saved.tests_by_metric[metric]
    names = (options.champion, options.challenger)
    check_known(names, tests.scores.labels, f"the models of {options.scores}")
    refuse_saved_gaps(options.scores, tests.scores.notes)
    if not hasattr(tests.procedure, "pivot"):
        raise InputError(
            f"The scores were compared by the {tests.procedure.title}, which has no direction."
        )
    margin = saved.margin if options.margin is None else options.margin
    _check_margin(options.rule, margin if options.rule in _NEED_MARGIN else options.margin)
    auxiliary: Any = tests.auxiliary
    if auxiliary is not None:
        auxiliary = {name: auxiliary[name] for name in names}
    result = compare_scores(
        {name: tests.scores[name] for name in names},
        method=tests.procedure,
        reference=options.champion,
        auxiliary=auxiliary,
        confidence_level=options.confidence_level,
        margin=margin,
    )
    return with_record(result, {}, limiting_notes(tests.all_notes))


def _from_predictions(options: argparse.Namespace) -> ComparisonResult:
    if options.by is None:
        _check_margin(options.rule, options.margin)
    elif options.margin is None:
        raise InputError(
            "--by needs --margin, the most by which the challenger may be worse in any slice."
        )
    models = [options.champion, options.challenger]
    result: Any = compare_columns(options, models, reference=options.champion)
    of_two: ComparisonResult = result
    return of_two


def _check_margin(rule: str, margin: Any) -> None:
    if (rule in _NEED_MARGIN) == (margin is None):
        raise InputError(
            f"--rule {rule}: not-worse and equivalent need --margin, the largest difference that "
            "does not matter, in the metric's unit; better takes none."
        )


# Where the scores come from: what compares them, and the options that have no use then.
_FITTING = (
    *("task", "keep", "drop_missing_target", "method", "inflation", "n_splits", "test_size"),
    *("seed", "fresh_seeds", "n_jobs", "store"),
)
_READING = (
    *("target", "positive", "groups", "drop", "separator", "encoding", "most_unpacked", "sheet"),
    *("as_text", "missing", "decimal", "thousands", "dayfirst", "monthfirst"),
)
_PREDICTED = (
    *("threshold", "by", "missing_rows", "folds", "repeats", "values", "unit"),
    *("model_column", "row_column", "score_column", "prediction_column", "run_column"),
    *("greater_is_better", "lower_is_better"),
)
_SOURCES: dict[str, tuple[Callable[[argparse.Namespace], ComparisonResult], tuple[str, ...]]] = {
    "data": (_from_data, (*_PREDICTED, "looks")),
    "scores": (_from_scores, (*_READING, *_FITTING, *_PREDICTED, "time", "looks")),
    "predictions": (_from_predictions, (*_FITTING, "looks")),
}


def store(options: argparse.Namespace) -> Output:
    """List the fits in a store, or remove those that were chosen and all damaged ones."""
    days = options.older_than
    if -math.inf < days < 0:
        raise InputError(f"--older-than {days:g}: give 0 days or more")
    selects = not options.passed.isdisjoint(("older_than", "data"))
    try:
        with (
            refused(f"{options.file!r} cannot be read", errors=OSError),
            closing(FitStore.existing(options.file, is_read=not options.prune)) as opened,
        ):
            facts = {model: whole or _DAMAGED for model, whole in opened.models()}
            columns = ["row", "model", "written", "size", "is_whole"]
            fits = pd.DataFrame(opened.entries(), columns=columns).astype({"is_whole": bool})
            fits["data"] = [facts.get(model, _DAMAGED)["data"] for model in fits["model"]]
            is_chosen = fits["data"].astype(str).str.startswith(options.data)
            is_chosen &= (time.time() - fits["written"]) / _DAY > days
            if not options.prune:
                return Output("\n".join(_lines_of(fits[is_chosen], facts)))
            is_chosen &= selects
            gone = fits[is_chosen | ~fits["is_whole"]]
            opened.remove(gone["row"].tolist())
    except sqlite3.Error as error:
        raise InputError(
            f"{options.file!r} cannot be used: {error}. {FitStore.remedy(error)}."
        ) from error
    return Output(
        f"{counted(len(gone), 'fit')} removed, {(~gone['is_whole']).sum()} of them damaged; "
        f"{len(fits) - len(gone)} kept."
    )


def _lines_of(fits: pd.DataFrame, facts: Mapping[int, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines that list the fits of a store."""
    whole = fits[fits["is_whole"]]
    models = fits["model"].unique().tolist()
    yield (
        f"{counted(len(whole), 'fit')} of {counted(len(models), 'estimator')} on "
        f"{counted(fits['data'].nunique(), 'data set')}, "
        f"{fits['size'].sum() / 1000:.1f} kB; {len(fits) - len(whole)} damaged."
    )
    if fits.empty:
        return
    n_whole = fits.groupby("model")["is_whole"].sum()
    days = whole["written"].map(_day_of).groupby(whole["model"]).agg(["min", "max"])
    days = days.reindex(models, fill_value=_UNKNOWN)
    rows = list[dict[str, str]]()
    for model in models:
        about = facts.get(model, _DAMAGED)
        estimator = cut(about["estimator"], _WIDEST)
        metrics = ", ".join(about["metrics"])
        first, last = days.loc[model]
        cells = (about["data"][:8], str(n_whole[model]), first, last, metrics, estimator)
        rows.append(dict(zip(_HEADS, cells, strict=True)))
    yield ""
    yield from table_lines(as_table(rows, n_names=len(_HEADS)))


def _day_of(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


COMMANDS: Mapping[str, Callable[[argparse.Namespace], Output]] = {
    "compare": compare,
    "curve": curve,
    "report": report,
    "predictions": predictions,
    "gate": gate,
    "store": store,
    "plan": plan,
    "ledger": ledger,
}
