"""The files that a command writes: checked before the first fit, never written in part."""

import argparse
import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from .._utils._documents import read_file
from .._utils._text import plain_json, visible
from ..comparison import ComparisonResult
from ..scores import Note, union
from ..stats import plan_n_rows
from ..words import evaluation_report
from ._parser import InputError, refused

_REPORTS = {".html": "to_html", ".md": "to_markdown", ".tex": "to_latex", ".txt": "__str__"}
_NEED_JINJA2 = (".html", ".tex")
# What texts point to, and where the command line has it.
_SHOWN_BY = {"by_slice()": "--json", "to_frame()": "--csv", "result.notes": "--json"}
_SHOWN_BY |= dict.fromkeys(("ranking()", "result.best_set()", "best_set()"), "--report")
_SHOWN_BY |= {
    "fresh_seeds=True": "--fresh-seeds",
    "cv=TimeSeriesSplit()": "--method diebold_mariano",
}


class Told(NamedTuple):
    """What a command printed, the result to write files of, the status, and a gate's decision."""

    text: str
    result: Any = None
    status: int = 0
    decision: str = ""


def tell(command: Callable[[argparse.Namespace], Told], options: argparse.Namespace) -> int:
    """Run a command, write the files that the options request, and print what it says."""
    files = _checked_files(options)
    told = command(options)
    contents = {
        path: _FILES[option][1](told.result, path, told.decision) for option, path in files.items()
    }
    for path, content in contents.items():
        _write_whole(path, content)
    last = [
        f"Wrote the {_FILES[option][0]} to {visible(str(path))}."
        for option, path in files.items()
        if path.is_file()  # not /dev/stdout
    ]
    if options.command == "compare" and "data" not in options.given:
        on_path = shutil.which("skcvstats") is not None
        program = "skcvstats" if on_path else f"{os.path.relpath(sys.executable)} -m skcvstats"
        last.append(f"For your own file: {program} compare --data table.csv --target COLUMN")
    try:
        print(told.text, *([] if getattr(options, "json", False) else last), sep="\n")
    except UnicodeEncodeError as error:
        raise InputError(
            f"The output's encoding, {error.encoding}, lacks characters of the names; set "
            "PYTHONIOENCODING=utf-8."
        ) from error
    return told.status


def verdict(result: ComparisonResult, options: argparse.Namespace) -> Told:
    """Return the verdict as text or JSON, and how many rows would show a difference."""
    difference = getattr(options, "plan", None)
    n_comparisons = 1 if result.adjustment == "none" else result.n_adjusted
    plans = [
        str(plan_n_rows(test, difference=difference, n_comparisons=n_comparisons))
        for test in (() if difference is None else result.tests)
        if test.standard_error > 0
    ]
    if not options.json:
        return Told("\n".join([as_text(result), *plans]), result)
    rows = result.to_frame().to_dict("records")
    for row, comparison in zip(rows, result, strict=True):
        row["outcome"] = comparison.outcome
        row["verdict"] = comparison.verdict()
    content = {
        "confidence_level": result.confidence_level,
        "margin": result.margin,
        "adjustment": result.adjustment,
        "comparisons": rows,
    }
    return Told(as_json(content, result, {"plan": plans} if plans else {}), result)


def as_text(result: Any) -> str:
    """Return a result as it is printed, and below what was done to its data."""
    done = how_prepared(result)
    lines = wrap(f"Data: {'; '.join(done)}.", 100, break_on_hyphens=False) if done else []
    return "\n".join([in_flags(str(result)), *lines])


def in_flags(said: str) -> str:
    """Replace what is called in Python by the options of the command line."""
    for call, option in _SHOWN_BY.items():
        said = said.replace(call, option)
    return said


def as_json(content: dict[str, Any], result: Any, last: Any = None) -> str:
    """Return JSON text with what there is to say of a result; null for numbers not finite."""
    content |= {"data": how_prepared(result), "notes": list(map(str, result.notes))}
    if getattr(result, "slices", None):
        content["slices"] = result.by_slice().to_dict("records")
    return json.dumps(plain_json(content | (last or {})), indent=2, allow_nan=False)


def _checked_files(options: argparse.Namespace) -> dict[str, Path]:
    """Return the files that the options request, by option."""
    wanted = {option: getattr(options, option[2:].replace("-", "_"), None) for option in _FILES}
    files = {option: path for option, path in wanted.items() if path is not None}
    taken = {
        Path(given).resolve(): f"--{option}"
        for option in ("data", "scores", "predictions")
        if (given := getattr(options, option, None))
    }
    for option, path in files.items():
        target = path.resolve()
        _check_writable(option, path, target)
        if target in taken and not _is_stream(path):  # such as /dev/stdout
            raise InputError(f"{option} {path} would overwrite {taken[target]}; name another file.")
        taken[target] = option
    if report := files.get("--report"):
        suffix = report.suffix.lower()
        if suffix not in _REPORTS:
            known = ", ".join(_REPORTS)
            raise InputError(f"--report {report}: the ending must be one of {known}.")
        if suffix in _NEED_JINJA2 and find_spec("jinja2") is None:
            raise InputError(
                f"--report {report} needs jinja2, which is not installed; run python -m pip "
                "install jinja2, or name a file that ends in .md or .txt."
            )
    return files


def _check_writable(option: str, path: Path, target: Path) -> None:
    """Raise an error if a file cannot be written; tries with a file beside it."""
    if target.is_dir():
        raise InputError(f"{option} {path} is a directory; name a file in it.")
    if not target.parent.is_dir():
        raise InputError(f"{option} {path}: there is no directory {str(path.parent)!r}.")
    if path.exists() and not os.access(path, os.W_OK):
        raise InputError(f"{option} {path} cannot be written: no permission.")
    if _is_stream(path):  # such as a pipe, which has no name
        return
    try:
        probe = _beside(target)
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        raise InputError(f"{option} {path} cannot be written: {error.strerror}.") from error


def _write_whole(path: Path, text: str) -> None:
    """Write a file so that readers see the old text or the new text, never a part."""
    if _is_stream(path):  # such as /dev/stdout
        path.write_text(text, encoding="utf-8")
        return
    target = path.resolve()
    beside = _beside(target)
    try:
        beside.write_text(text, encoding="utf-8")
        if target.exists():
            beside.chmod(target.stat().st_mode)
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)


def _is_stream(path: Path) -> bool:
    """Tell whether a path is of something that is written to, and not replaced."""
    return path.exists() and not path.is_file()


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name[:100]}.{os.getpid()}.part")


def _csv_text(result: ComparisonResult, *_: Any) -> str:
    frame = result.to_frame()
    for column in frame.columns.intersection(["metric", "estimator", "versus", "note"]):
        frame[column] = frame[column].map(_neutral)
    return frame.to_csv(index=False)


# With what formulas begin, also in full width.
_OF_FORMULAS = tuple("=+-@\t\r\uff1d\uff0b\uff0d\uff20")


def _neutral(text: str) -> str:
    """Return a text that a spreadsheet reads as one cell and not as a formula."""
    return f"'{visible(text)}" if text.startswith(_OF_FORMULAS) else visible(text)


def _report_text(result: ComparisonResult, path: Path, decision: str) -> str:
    report = replace(evaluation_report(result), decision=decision)
    return str(getattr(report, _REPORTS[path.suffix.lower()])())


# What an option writes, and its text.
_FILES: dict[str, tuple[str, Callable[[ComparisonResult, Path, str], str]]] = {
    "--csv": ("table", _csv_text),
    "--report": ("report", _report_text),
    "--save-scores": ("scores", lambda result, *_: result.to_json()),
}


def read_scores(name: str) -> ComparisonResult:
    """Read a result that ``compare --save-scores`` or ``ComparisonResult.to_json`` wrote."""
    with refused(f"{name} cannot be read", errors=OSError):
        text = read_file(name)
    with refused(name, errors=ValueError):  # without warnings, as notes are told here
        return replace(ComparisonResult.from_json(text), warned=())


def with_done(
    result: ComparisonResult, about: dict[str, list[str]], notes: Sequence[Note] = ()
) -> ComparisonResult:
    """Return the result with a record of its data and what was done to them; it warns no more."""
    tests = {}
    for metric, found in result.tests_by_metric.items():
        scores = replace(found.scores, provenance={**found.scores.provenance, **about})
        tests[metric] = replace(found, scores=scores, notes=union(found.notes, notes))
    return replace(result, tests_by_metric=tests, warned=())


def how_prepared(result: Any) -> list[str]:
    """Return what was done to the data of a result, in words."""
    of_metrics = getattr(result, "scores_by_metric", None) or {"": result.scores}
    scores = next(iter(of_metrics.values()))
    return list(map(str, scores.provenance.get("data") or []))
