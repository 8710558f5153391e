"""The files that a command writes: checked before the first fit, never written in part."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._utils._checks import check_option
from .._utils._text import visible
from ._errors import InputError, in_one_line

if TYPE_CHECKING:
    import argparse

    from ..comparison import ComparisonResult

REPORTS = (".html", ".md", ".tex", ".txt")
_NEED_JINJA2 = (".html", ".tex")


class OutputFiles:
    """The files that the options request."""

    def __init__(self, options: argparse.Namespace) -> None:
        wanted = {
            "--csv": getattr(options, "csv", None),
            "--report": getattr(options, "report", None),
            "--save-scores": getattr(options, "save_scores", None),
        }
        self._wanted = {option: path for option, path in wanted.items() if path is not None}
        taken = {
            _absolute(given): option
            for option in ("data", "scores", "predictions")
            if (given := getattr(options, option, None))
        }
        for option, path in self._wanted.items():
            _check_writable(option, path)
            where = _absolute(path)
            if where in taken and path.is_file():
                raise InputError(f"{option} {path} would overwrite --{taken[where].lstrip('-')}.")
            if where in taken and not path.exists():
                raise InputError(f"{option} {path} is also {taken[where]}; name another file.")
            taken[where] = option
        if "--report" in self._wanted:
            _check_report(self._wanted["--report"])

    def write(self, result: ComparisonResult) -> None:
        """Write all of them."""
        makers: dict[str, Any] = {
            "--csv": _csv_text,
            "--report": _report_text,
            "--save-scores": lambda result, path: result.to_json(),
        }
        texts = {path: makers[option](result, path) for option, path in self._wanted.items()}
        for path, text in texts.items():
            write_whole(path, text)


def write_whole(path: Path, text: str) -> None:
    """Write a file so that readers see the old text or the new text, never a part."""
    target = path.resolve()
    if target.exists() and not target.is_file():  # such as /dev/stdout
        target.write_text(text, encoding="utf-8")
        return
    beside = _beside(target)
    try:
        beside.write_text(text, encoding="utf-8")
        if target.exists():
            beside.chmod(target.stat().st_mode)
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name[:100]}.{os.getpid()}.part")


def _absolute(path: Any) -> Path:
    try:
        return Path(path).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(f"{str(path)!r} is no path: {in_one_line(error)}.") from error


def _check_writable(option: str, path: Path) -> None:
    """Raise an error if a file cannot be written; tries with a file beside it."""
    target = _absolute(path)
    if target.is_dir():
        raise InputError(f"{option} {path} is a directory; name a file in it.")
    if not target.parent.is_dir():
        raise InputError(f"{option} {path}: there is no directory {str(path.parent)!r}.")
    if target.exists() and not os.access(target, os.W_OK):
        raise InputError(f"{option} {path} cannot be written: no permission.")
    if target.exists() and not target.is_file():
        return
    probe = _beside(target)
    try:
        probe.touch(exist_ok=False)
        probe.unlink()
    except OSError as error:
        raise InputError(f"{option} {path} cannot be written: {error.strerror}.") from error


def _check_report(path: Path) -> None:
    suffix = path.suffix.lower()
    check_option("--report with the ending", suffix, REPORTS)
    if suffix in _NEED_JINJA2 and find_spec("jinja2") is None:
        raise InputError(
            f"--report {path} needs jinja2, which is not installed; run python -m pip install "
            "jinja2, or name a file that ends in .md or .txt."
        )


def _csv_text(result: ComparisonResult, path: Path) -> str:
    frame = result.to_frame()
    for column in ("metric", "estimator", "versus", "note"):
        if column in frame:
            frame[column] = frame[column].map(_neutral)
    return frame.to_csv(index=False)


def _neutral(text: Any) -> Any:
    """Return a text that a spreadsheet reads as one cell and not as a formula."""
    if not isinstance(text, str):
        return text
    return f"'{visible(text)}" if text.startswith(tuple("=+-@\t\r")) else visible(text)


def _report_text(result: ComparisonResult, path: Path) -> str:
    from ..words import evaluation_report

    report = evaluation_report(result)
    suffix = path.suffix.lower()
    if suffix == ".txt":
        return f"{report}\n"
    if suffix == ".md":
        return report.to_markdown()
    return report.to_html() if suffix == ".html" else report.to_latex()
