"""The commands: a verdict on data, a test set or saved scores; a gate; what a store holds."""

import argparse
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from .._utils._checks import check_option, distinct, listed
from .._utils._text import counted, cut, format_interval, format_number, format_pvalue, visible
from ..comparison import SMALL_MARGIN, Comparison, ComparisonResult
from ..fitting import FitStore, Splits
from ..model_selection import (
    compare_estimators,
    compare_scores,
    learning_curve_inference,
    methods_of,
)
from ..notes import Evidence
from ..scores import Note, SplitDesign, find_notes, shown_ends
from ..splitters import make_splitter
from ..stats import KINDS, LocationTest, words_of
from ..test_set import compare_predictions
from ..words import as_table, said_of_slices, table_lines
from ._estimators import EstimatorString, find_estimator, parse_estimator
from ._output import Told, as_json, as_text, how_prepared, in_flags, read_scores, verdict, with_done
from ._parser import DEFAULT, METHODS, SHORT_NAMES, InputError, complain
from ._table import (
    Prepared,
    as_one_and_zero,
    check_columns,
    check_positive_is_known,
    named_by,
    plain,
    prepare,
    read_table,
    record_of,
    times_of,
    whole_column,
)

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
_NEED_MARGIN = {"not-worse": "not worse", "equivalent": "equivalence"}  # and what p is of
_DAY = 86400
_UNKNOWN = "?"  # shown in place of a damaged description of an estimator
_WIDEST = 60
_HEADS = ("data", "fits", "first", "last", "metric", "estimator")


def compare(options: argparse.Namespace) -> Told:
    """Compare estimators on data."""
    strings, data = _read(options)
    scoring = options.scoring
    if scoring and len(scoring) == 1:
        (scoring,) = scoring
    return verdict(fit_and_compare(strings, data, options, scoring, options.reference), options)


def report(options: argparse.Namespace) -> Told:
    """Report saved scores as ``compare`` does, without the data."""
    result = read_scores(options.scores)
    if options.confidence_level is not None:
        result = result.with_confidence(options.confidence_level)
    if options.margin is not None:
        result = result.with_margin(options.margin)
    return verdict(result, options)


def predictions(options: argparse.Namespace) -> Told:
    """Compare fitted models by their predictions."""
    return verdict(compare_columns(options, options.models, options.reference), options)


def curve(options: argparse.Namespace) -> Told:
    """Measure the scores of estimators on more and more rows, and say what these bring."""
    strings, data = _read(options)
    sizes = options.train_sizes or [0.25, 0.5, 1.0]
    whole = all(size > 1 and size == int(size) for size in sizes)  # numbers of rows
    result = learning_curve_inference(
        dict(_found(strings, data)),
        data.X,
        data.y,
        train_sizes=[*map(int, sizes)] if whole else sizes,
        **_how_to_fit(options, data),
        scoring=options.scoring,
    )
    about, notes = _about(options, data, result.scores.design)
    scores = replace(result.scores, provenance={**result.scores.provenance, **about})
    of_scores = result.of_scores.with_notes(notes)
    result = replace(result, scores=scores, of_scores=of_scores, warned=())
    if not options.json:
        return Told(as_text(result), result)
    content: dict[str, Any] = {"metric": result.metric, "unit": result.unit}
    content["confidence_level"] = result.confidence_level
    content["curve"] = result.to_frame().to_dict("records")
    if result.of_differences is not None:
        content["differences"] = result.differences().to_dict("records")
    return Told(as_json(content, result), result)


def _read(options: argparse.Namespace) -> tuple[list[EstimatorString], Prepared]:
    """Return what the options say of the estimators, and the data."""
    given = options.estimators and list(map(parse_estimator, options.estimators))
    data = prepare(options)
    return given or list(map(parse_estimator, DEFAULT[data.is_regression])), data


def fit_and_compare(
    strings: list[EstimatorString],
    data: Prepared,
    options: argparse.Namespace,
    scoring: Any,
    reference: str | None,
) -> ComparisonResult:
    """Find the estimators, fit them on the splits and compare them."""
    found = _found(strings, data)
    if len(found) < 2:
        raise InputError("compare needs at least two models; name another one in --estimators.")
    result = compare_estimators(
        found,
        data.X,
        data.y,
        **_how_to_fit(options, data),
        scoring=scoring,
        reference=reference,
        margin=options.margin,
    )
    scores = next(iter(result.scores_by_metric.values()))
    return with_done(result, *_about(options, data, scores.design))


def _about(
    options: argparse.Namespace, data: Prepared, design: SplitDesign
) -> tuple[dict[str, list[str]], tuple[Note, ...]]:
    """Return what scores keep of their data, and the notes of dates, which are numbers in them."""
    noted: tuple[Note, ...] = ()
    if data.groups is None:
        dates = data.X[list(data.dates)].apply(pd.to_datetime, unit="D")
        no_rows = Splits({})  # the rows of the splits are not kept
        evidence = Evidence(groups=None, design=design, splits=no_rows, tables={"X": dates})
        noted = find_notes(evidence)
    return record_of(options.data, data.target, len(data.y), data.done), noted


def _found(strings: list[EstimatorString], data: Prepared) -> list[tuple[str, Any]]:
    """Return the estimators that strings name, in pipelines that take the columns of the data."""
    distinct((parsed.name for parsed in strings), "estimators (write name=SPEC)")
    task = "regression" if data.is_regression else "classification"
    (other_task,) = SHORT_NAMES.keys() - {task}
    short = SHORT_NAMES[task]
    others = SHORT_NAMES[other_task].keys() - short.keys()
    lost = [parsed.text for parsed in strings if parsed.path in others]
    if lost:
        raise InputError(
            f"{listed(lost)}: for {other_task}, but the target was read as {task}. Pass --task "
            f"{other_task}, or choose from {', '.join(short)}."
        )
    return [(parsed.name, data.wrap(find_estimator(parsed, short))) for parsed in strings]


def _how_to_fit(options: argparse.Namespace, data: Prepared) -> dict[str, Any]:
    return {
        "groups": data.groups,
        "method": check_option("method", options.method, METHODS),
        "cv": _splitter(options),
        "random_state": options.seed,
        "fresh_seeds": options.fresh_seeds,
        "confidence_level": _level(options),
        "n_jobs": options.n_jobs,
        "verbose": int(options.verbose or (sys.stderr is not None and sys.stderr.isatty())),
        "store": options.store,
    }


def _splitter(options: argparse.Namespace) -> Any:
    """Return the splitter of the sizes that were given; None draws what the method asks for."""
    if options.n_splits is None and options.test_size is None:
        return None
    method = methods_of(options.method).general
    request = method.request.with_sizes(
        f"The {method.title}", n_splits=options.n_splits, test_size=options.test_size
    )
    return make_splitter(request, options.seed)


def compare_columns(
    options: argparse.Namespace, models: list[str] | None, reference: str | None
) -> ComparisonResult:
    """Compare the models whose predictions are columns of a file."""
    file = options.predictions
    target = options.target
    table = read_table(file, options)
    named = [name for name in (options.groups, options.by, options.time) if name is not None]
    apart = [target, *(options.drop or []), *named]
    check_columns(table, file, [*apart, *(models or [])])
    if target in (options.groups, options.time):
        raise InputError(f"{target!r} is the target; name another column in --groups and --time.")
    y = whole_column(table[target])
    done: list[str] = []
    if not models:
        others = [name for name in table.columns if name not in apart]
        models, done = _find_models(table, others, y, options)
    if both := sorted(set(apart) & set(models)):
        raise InputError(
            f"{listed(both)} cannot be a model and also the target, groups or in --drop."
        )
    if len(models) < 2:
        but = f" ({done[0]})" if done else ""
        raise InputError(f"{file} has {counted(len(models), 'model')}, not two{but}.")
    predicted = _predicted_by(models, table, options.missing_rows)
    if options.positive is not None:
        (y, *columns), said = as_one_and_zero(options.positive, y, *predicted.values())
        predicted = dict(zip(predicted, columns, strict=True))
        done.append(said)
    check_positive_is_known(options.scoring, y)
    result = compare_predictions(
        np.asarray(y),
        {name: np.asarray(column.reindex(table.index)) for name, column in predicted.items()},
        scoring=options.scoring,
        threshold=options.threshold,
        groups=_labels_in(table, options.groups),
        by=_labels_in(table, options.by),
        time=None if options.time is None else times_of(table[options.time]),
        missing_rows=options.missing_rows,
        reference=reference,
        margin=options.margin,
        confidence_level=_level(options),
    )
    return with_done(result, record_of(file, target, len(table), done))


def _predicted_by(models: list[str], table: Any, missing_rows: str) -> dict[str, Any]:
    """Return the predictions of each model, of the rows that it has if missing ones are dropped."""
    predicted = {}
    for name in models:
        column = table[name]
        if missing_rows == "drop":
            column = column.dropna()
        predicted[name] = whole_column(column, remedy=", or pass --missing-rows drop")
    return predicted


def _labels_in(table: Any, name: str | None) -> np.ndarray | None:
    """Return a column without missing values; None if none is named."""
    return None if name is None else np.asarray(whole_column(table[name]))


def _find_models(
    table: Any, others: list[str], y: Any, options: argparse.Namespace
) -> tuple[list[str], list[str]]:
    """Return the columns that are predictions, and what is said of those that are not."""
    models = list[str]()
    left_out = dict[str, str]()
    for name in others:
        kind = named_by(plain(table[name]), y)
        if kind:
            left_out[name] = kind
        else:
            models.append(name)
    if not left_out:
        return models, []
    names = f"{listed(left_out)} (--models names the models)"
    done = [f"left out as they hold no predictions: {names}"]
    n_rows = len(table)
    for name, kind in left_out.items():
        n_values = table[name].nunique()
        if options.time is None and kind == "dates":
            said = f"has dates; pass --time {name} if rows near in time may be alike"
            done.append(f"{name!r} {said}")
        elif options.groups is None and kind != "texts" and n_values < 0.5 * n_rows:
            said = f"; pass --groups {name} if rows of one value may be alike"
            done.append(f"{name!r} has {n_values} values in {n_rows} rows{said}")
    return models, done


def _level(options: argparse.Namespace) -> float:
    return 0.95 if options.confidence_level is None else options.confidence_level


def gate(options: argparse.Namespace) -> Told:
    """Decide by a rule whether a challenger may replace a champion, and say why in one line."""
    result = _compared_by_source(options)
    rule = options.rule
    comparison = result[0]
    status = decide(rule, comparison.claim.kind)
    lines = [f"{_DECISIONS[status][1]}: {_why(comparison, rule, status)}"]
    if result.slices:
        (claim,) = result.no_slice_worse().to_dict("records")
        of_slices = NEITHER
        if claim["shown"]:
            of_slices = HOLDS
        elif claim["pvalue_contrary"] <= comparison.alpha:
            of_slices = CONTRARY
        lines.append(f"{_DECISIONS[of_slices][1]}: {said_of_slices(claim, result)}")
        status = min(status, of_slices, key=(CONTRARY, NEITHER, HOLDS).index)
    why = "\n".join(lines)
    said = f"{'. '.join(lines)}. This was decided by the rule {rule}."
    if options.json:
        content = {
            "decision": _DECISIONS[status][0],
            "exit_status": status,
            "why": why,
            "rule": rule,
            **_numbers_of(comparison),
        }
        return Told(as_json(content, result), result, status, said)
    for line in how_prepared(result):
        complain(f"data: {line}")
    for note in result.notes:
        is_of_outcome = note.code != SMALL_MARGIN or (rule, status) == ("equivalent", NEITHER)
        if is_of_outcome and note.is_printed:
            complain(in_flags(f"note: {note}{note.code_in_brackets}"))
    return Told(why, result, status, said)


def _compared_by_source(options: argparse.Namespace) -> ComparisonResult:
    """Return the comparison of a champion and a challenger from the one source that is given."""
    given = [name for name in _SOURCES if getattr(options, name) is not None]
    if len(given) != 1:
        raise InputError("gate needs one of --data with --target, --scores and --predictions.")
    compared_by, unused = _SOURCES[given[0]]
    for name in unused:
        if name in options.given:
            raise InputError(
                f"gate --{given[0]} does not accept --{name.replace('_', '-')}; leave it out."
            )
    if options.champion == options.challenger:
        raise InputError(f"--champion and --challenger are both {options.champion!r}.")
    return compared_by(options)


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
    """Say what is shown of the challenger with regard to a rule, and the numbers that decide."""
    test = comparison.test
    level = comparison.confidence_level
    low, high = comparison.margin or (0.0, 0.0)
    said = comparison.claim.kind
    margin = comparison.margin
    if status != CONTRARY and not test.undetermined:  # of what the rule wants
        said = RULES[rule]
        margin = margin if rule in _NEED_MARGIN else None
    names = cut(comparison.estimator), cut(comparison.versus)
    is_shown = status != NEITHER or test.undetermined
    words = words_of(said, names, test.metric, margin, shown=is_shown)
    numbers = [f"difference {format_number(test.estimate)}"]
    if not test.undetermined:
        ends = comparison.confidence_interval()
        pvalue = comparison.pvalue_adjusted
        what = ""
        if comparison.margin_pvalues is not None and rule in _NEED_MARGIN:
            field = KINDS[comparison.claim.kind].pvalue
            if status != CONTRARY:
                ends = comparison.margin_interval()
                level = 1 - 2 * comparison.alpha
                field = rule.replace("-", "_")
                what = f" for {_NEED_MARGIN[rule]}"
            pvalue = getattr(comparison.margin_pvalues, field)
        shown = shown_ends(test.scores, *ends)
        numbers.append(format_interval(*shown, level, apart=(0.0, low, high)))
        numbers.append(f"p {format_pvalue(pvalue, test.describe().smallest_pvalue)}{what}")
    return f"{words.long} ({', '.join(numbers)})"


def decide(rule: str, kind: str) -> int:
    """Return the exit status of a rule, given what is shown about challenger - champion."""
    wanted = KINDS[RULES[rule]]
    shown = KINDS[kind]
    if wanted.low <= shown.low and shown.high <= wanted.high:
        return HOLDS
    return CONTRARY if shown.high <= wanted.low or shown.low >= wanted.high else NEITHER


def _from_data(options: argparse.Namespace) -> ComparisonResult:
    _check_margin(options.rule, options.margin)
    method = check_option("method", options.method, METHODS)
    if not isinstance(methods_of(method).general, LocationTest):
        raise InputError(f"--method {method} has no direction, so it cannot decide; leave it out.")
    result: ComparisonResult = options.fits.result()
    return result


def fit_both(options: argparse.Namespace) -> ComparisonResult:
    """Find, fit and compare the champion and the challenger; runs in the child process."""
    flags = ("champion", "challenger")
    both = [parse_estimator(getattr(options, flag), f"--{flag}") for flag in flags]
    data = prepare(options)
    return fit_and_compare(both, data, options, options.scoring, reference=both[0].name)


def _from_scores(options: argparse.Namespace) -> ComparisonResult:
    """Compare only these two, with the procedure of the saved result."""
    saved = read_scores(options.scores)
    metric = options.scoring or saved.metrics[0]
    if metric not in saved.metrics:
        known = listed(saved.metrics)
        raise InputError(f"--scoring {metric!r} must be one of the saved metrics, {known}.")
    if options.scoring is None and len(saved.metrics) > 1:
        complain(f"note: {metric} decides, the first of the saved metrics {listed(saved.metrics)}")
    tests = saved.tests_by_metric[metric]
    names = (options.champion, options.challenger)
    if unknown := [name for name in names if name not in tests.scores.labels]:
        raise InputError(
            f"{listed(unknown)}: not among the models of {options.scores}, which are "
            f"{listed(tests.scores.labels, 20)}."
        )
    if not hasattr(tests.procedure, "pivot"):
        raise InputError(
            f"The scores were compared by the {tests.procedure.title}, which has no direction."
        )
    margin = saved.margin if options.margin is None else options.margin
    _check_margin(options.rule, margin if options.rule in _NEED_MARGIN else options.margin)
    return compare_scores(
        {name: tests.scores[name] for name in names},
        method=tests.procedure,
        reference=options.champion,
        auxiliary=tests.auxiliary and {name: tests.auxiliary[name] for name in names},
        confidence_level=options.confidence_level or saved.confidence_level,
        margin=margin,
    )


def _from_predictions(options: argparse.Namespace) -> ComparisonResult:
    if options.by is None:
        _check_margin(options.rule, options.margin)
    elif options.margin is None:
        raise InputError(
            "--by needs --margin, the most by which the challenger may be worse in any slice."
        )
    if options.target is None or options.scoring is None:
        raise InputError("gate --predictions needs --target and --scoring.")
    models = [options.champion, options.challenger]
    return compare_columns(options, models, reference=options.champion)


def _check_margin(rule: str, margin: Any) -> None:
    needs_margin = rule in _NEED_MARGIN
    if needs_margin == (margin is not None):
        return
    if needs_margin:
        raise InputError(
            f"--rule {rule} needs --margin, the largest difference that does not matter, in the "
            "metric's unit."
        )
    raise InputError(f"--rule {rule} takes no --margin; leave it out.")


# Where the scores come from: what compares them, and the options that have no use then.
_FITTING = (
    *("task", "keep", "method", "n_splits", "test_size", "seed", "fresh_seeds", "n_jobs", "store"),
)
_READING = ("target", "positive", "groups", "drop", "separator", "encoding")
_PREDICTED = ("threshold", "by", "time", "missing_rows")
_SOURCES: dict[str, tuple[Callable[[argparse.Namespace], ComparisonResult], tuple[str, ...]]] = {
    "data": (_from_data, _PREDICTED),
    "scores": (_from_scores, (*_READING, *_FITTING, *_PREDICTED)),
    "predictions": (_from_predictions, _FITTING),
}


def store(options: argparse.Namespace) -> Told:
    """List the fits in a store, or remove those that were chosen and all damaged ones."""
    days = options.older_than
    data = options.data
    if days is not None and days < 0:
        raise InputError(f"--older-than {days:g}: give 0 days or more")
    try:
        with closing(FitStore.existing(options.file)) as opened:
            facts = {model: found or {} for model, found in opened.models()}
            columns = ["row", "model", "written", "size", "is_whole"]
            fits = pd.DataFrame(opened.entries(), columns=columns).astype({"is_whole": bool})
            fits["data"] = [_data(facts.get(model, {})) for model in fits["model"]]
            is_chosen = fits["data"].astype(str).str.startswith(data or "")
            if days is not None:
                is_chosen &= (time.time() - fits["written"]) / _DAY > days
            if not options.prune:
                return Told("\n".join(_listed(fits[is_chosen], facts)))
            is_chosen &= days is not None or data is not None
            gone = fits[is_chosen | ~fits["is_whole"]]
            opened.remove(gone["row"].tolist())
    except OSError as error:
        raise InputError(f"{options.file!r} cannot be read: {error.strerror}.") from error
    except sqlite3.Error as error:
        what = "changed" if options.prune else "read"
        raise InputError(
            f"{options.file!r} cannot be {what}: {error}. {FitStore.remedy(error)}."
        ) from error
    return Told(
        f"{counted(len(gone), 'fit')} removed, {(~gone['is_whole']).sum()} of them damaged; "
        f"{len(fits) - len(gone)} kept."
    )


def _listed(fits: pd.DataFrame, facts: Mapping[int, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines that list the fits of a store."""
    whole = fits[fits["is_whole"]]
    yield (
        f"{counted(len(whole), 'fit')} of {counted(fits['model'].nunique(), 'estimator')} on "
        f"{counted(fits['data'].nunique(), 'data set')}, "
        f"{fits['size'].sum() / 1000:.1f} kB; {len(fits) - len(whole)} damaged."
    )
    if not len(fits):
        return
    rows: list[dict[str, str]] = []
    versions: dict[str, None] = {}
    for model in fits["model"].unique().tolist():
        about = facts.get(model, {})
        written = whole.loc[whole["model"] == model, "written"]
        ends = [written.min(), written.max()] if len(written) else []
        days = [time.strftime("%Y-%m-%d", time.gmtime(end)) for end in ends] or [_UNKNOWN] * 2
        metrics = about.get("metrics")
        of_packages = about.get("versions")
        metric = ", ".join(map(str, metrics)) if isinstance(metrics, list) else _UNKNOWN
        estimator = cut(str(about.get("estimator", _UNKNOWN)), _WIDEST)
        estimator += " (unseeded)" if about.get("unseeded") else ""
        data = _data(about)[:8]
        cells = (data, str(len(written)), *days, metric, estimator)
        rows.append(dict(zip(_HEADS, cells, strict=True)))
        packages = of_packages.items() if isinstance(of_packages, Mapping) else ()
        versions[", ".join(f"{name} {version}" for name, version in packages) or _UNKNOWN] = None
    yield ""
    yield from table_lines(as_table(rows, n_names=len(_HEADS)))
    yield ""
    yield from (f"Versions: {visible(said)}." for said in versions)


def _data(about: Mapping[str, Any]) -> str:
    """Return the digest of the data of an estimator, where it is not damaged."""
    found = about.get("data")
    return found if isinstance(found, str) else _UNKNOWN
