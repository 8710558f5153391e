"""What a command prints, and the files that it writes."""

import argparse
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple, TypeVar

from .._utils._documents import MAX_BYTES, is_stream, write_whole
from .._utils._text import WIDEST_LINE, plain_json, visible, wrapped
from ..comparison import ComparisonResult, ScoreEstimates
from ..plotting import picture_file
from ..scores import CVScores, Note, union
from ..stats import Inference
from ..words import evaluation_report, text_of
from ._columns import below_answer, explained
from ._files import check_writable, read_bytes, real_path
from ._parser import InputError, refused
from ._wording import all_in_options, in_options

Result = TypeVar("Result", ComparisonResult, ScoreEstimates)
_REPORTS = {".html": "to_html", ".md": "to_markdown", ".tex": "to_latex", ".txt": "__str__"}
# The endings of files, the package that writes each, and what to do where that is missing.
_SELF = "skcvstats"
_ENDINGS = {
    "--report": {".html": "jinja2", ".md": _SELF, ".tex": "jinja2", ".txt": _SELF},
    "--plot": dict.fromkeys((".png", ".svg", ".pdf"), "matplotlib"),
}
_OTHERWISE = {"jinja2": ", or name a file that ends in .md or .txt"}


class Output(NamedTuple):
    """What a command prints, and the result that its files are written from."""

    text: str
    result: Any = None
    status: int = 0
    decision: str = ""  # of a gate, for the report
    hints: Sequence[str] = ()  # printed last, not with JSON
    content: Callable[[], Mapping[str, Any]] = dict  # makes what is printed as JSON


def run(command: Callable[[argparse.Namespace], Output], options: argparse.Namespace) -> int:
    """Run a command, write the files that the options request, and print what it says."""
    files = _checked_files(options)
    with options.mistakes.collected():
        output = command(options)
    options.mistakes.refuse()
    # All contents are made before the first file is written.
    contents = {
        option: _FILES[option][1](output.result, path, output.decision)
        for option, path in files.items()
    }
    last = []
    for option, path in files.items():
        write_whole(path, contents[option])
        if not is_stream(path):
            last.append(f"Wrote the {_FILES[option][0]} to {visible(str(path))}.")
    lines = [output.text, *last, *output.hints]
    if options.json:  # null for numbers that are not finite
        lines = [json.dumps(plain_json(output.content()), indent=2, allow_nan=False)]
    try:
        print(*lines, sep="\n")
    except UnicodeEncodeError as error:
        raise InputError(
            f"The output's encoding, {error.encoding}, lacks characters of the names; set "
            "PYTHONIOENCODING=utf-8."
        ) from error
    return output.status


def verdict(
    result: ComparisonResult,
    options: argparse.Namespace,
    *,
    plans: Sequence[str] = (),
    hints: Sequence[str] = (),
) -> Output:
    """Return the verdict, and below it plans."""
    text = as_text(result, first_scores(result), explain=options.explain)
    content = partial(_content_of, result, plans)
    return Output("\n".join([text, *map(wrapped, plans)]), result, hints=hints, content=content)


def _content_of(result: ComparisonResult, plans: Sequence[str]) -> Mapping[str, Any]:
    """Return what JSON has of a verdict."""
    rows = result.to_frame(full=True).to_dict("records")
    for row, comparison in zip(rows, result, strict=True):
        row["verdict"] = comparison.verdict()
    content: dict[str, Any] = {
        "confidence_level": result.confidence_level,
        "margin": result.margin,
        "adjustment": result.adjustment,
        "comparisons": rows,
    }
    content |= facts_of(result, first_scores(result))
    if plans:
        content["plan"] = plans
    if result.slices:
        content["slices_differ"] = result.slices_differ().to_dict("records")
    return content


def as_text(result: Any, scores: CVScores, *, explain: bool = False) -> str:
    """Return a result as it is printed, between how its file was read and how it was used."""
    known = scores.provenance
    lines = [*how_read(scores), text_of(result, in_options), *below_answer(known)]
    doubts = "; ".join(map(str, known.get("data", ())))
    doubted = f"Data: {doubts}.".replace("?.", "?")
    lines += wrap(doubts and doubted, WIDEST_LINE, break_on_hyphens=False)
    if explain:
        lines += explained(known)
    return "\n".join(lines)


def facts_of(result: Any, scores: CVScores) -> dict[str, Any]:
    """Return what JSON has of any result: its data, its columns, its notes and its slices."""
    facts = {
        "data": [*how_read(scores), *how_prepared(scores)],
        "columns": scores.provenance.get("columns", []),
        "notes": all_in_options(result.notes),
    }
    if getattr(result, "slices", None):
        facts["slices"] = result.by_slice().to_dict("records")
    return facts


def _checked_files(options: argparse.Namespace) -> dict[str, Path]:
    """Return the files that the options request, by option."""
    values = vars(options)
    taken = {real_path(Path(values[name])): f"--{name}" for name in _READ if values.get(name)}
    files = {}
    for option in _FILES:
        path = values.get(option[2:].replace("-", "_"))
        if path is not None:
            with options.mistakes.collected():
                check_writable(option, path, taken)
                _check_ending(option, path)
            taken[real_path(path)] = option
            files[option] = path
    return files


def _check_ending(option: str, path: Path) -> None:
    """Raise an error for an ending that is not known, or needs a package that is not installed."""
    suffix = path.suffix.lower()
    packages = _ENDINGS.get(option, {suffix: _SELF})
    if suffix not in packages:
        raise InputError(f"{option} {path}: the ending must be one of {', '.join(packages)}.")
    package = packages[suffix]
    if find_spec(package) is None:
        raise InputError(
            f"{option} {path} needs {package}, which is not installed; run python -m pip install "
            f"{package}{_OTHERWISE.get(package, '')}."
        )


def _csv_text(result: ComparisonResult, *_: Any) -> bytes:
    frame = result.to_frame(full=True)
    names = frame.columns.intersection(["metric", "estimator", "versus", "note"])
    frame[names] = frame[names].map(_neutral)
    text: str = frame.to_csv(index=False)
    return text.encode()


# With what formulas begin, also in full width.
_OF_FORMULA = re.compile("\\A(?=[-=+@\t\r\uff1d\uff0b\uff0d\uff20])")


def _neutral(text: str) -> str:
    """Return a text that a spreadsheet reads as one cell and not as a formula."""
    return visible(_OF_FORMULA.sub("'", text))


def _report_text(result: ComparisonResult, path: Path, decision: str) -> bytes:
    report = replace(evaluation_report(result), decision=decision, reword=in_options)
    return str(getattr(report, _REPORTS[path.suffix.lower()])()).encode()


def _picture(result: Any, path: Path, _: str) -> bytes:
    """Draw the answer; of several metrics that in the first."""
    if isinstance(result, ComparisonResult):
        result = result[result.metrics[0]]
    return picture_file(result, None, path.suffix[1:].lower())


# What an option writes, and its content.
_FILES: dict[str, tuple[str, Callable[[ComparisonResult, Path, str], bytes]]] = {
    "--csv": ("table", _csv_text),
    "--report": ("report", _report_text),
    "--plot": ("picture", _picture),
    "--save-scores": ("scores", lambda result, *_: result.to_json().encode()),
}
# Options, or arguments, that name files to be read.
_READ = ("data", "scores", "predictions", "ledger")


def read_scores(name: str) -> ComparisonResult:
    """Read a result that ``compare --save-scores`` or ``ComparisonResult.to_json`` wrote."""
    text = read_bytes(name, MAX_BYTES)
    with refused(name, errors=ValueError):
        result = ComparisonResult.from_json(text)
    return replace(result, warned=())  # its notes are printed with it


def with_record(result: Result, record: dict[str, list[Any]], notes: Sequence[Note] = ()) -> Result:
    """Return a result with the record of its data and notes on them; it warns no more."""
    if isinstance(result, ScoreEstimates):
        return replace(result._each(partial(_of_record, record))._noted(notes), warned=())
    tests_by_metric = {}
    for metric, tests in result.tests_by_metric.items():
        scores = replace(tests.scores, provenance={**tests.scores.provenance, **record})
        tests_by_metric[metric] = replace(tests, scores=scores, notes=union(tests.notes, notes))
    return replace(result, tests_by_metric=tests_by_metric, warned=())


def _of_record(record: dict[str, list[Any]], inference: Inference) -> Inference:
    """Return an answer whose scores have the record of their data."""
    scores: Any = inference.scores
    scores = replace(scores, provenance={**scores.provenance, **record})
    return replace(inference, origin=replace(inference.origin, scores=scores))


def first_scores(result: ComparisonResult | ScoreEstimates) -> CVScores:
    """Return the scores in the first metric; those in others have the same record of the data."""
    scores: CVScores = next(iter(result.scores_by_metric.values()))
    return scores


def how_read(scores: CVScores) -> list[str]:
    """Return at most two lines on how the file of scores was read."""
    return list(map(str, scores.provenance.get("read", ())))


def how_prepared(scores: CVScores) -> list[str]:
    """Return what the columns of scores are used for, and what else was done to their data."""
    known = scores.provenance
    return list(map(str, [*known.get("used", ()), *known.get("data", ())]))
