"""Looks at one test set through a ledger: what `gate --ledger` prints, and its contents."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._utils._shared_arguments import alpha_of
from .._utils._text import counted, cut, format_number, verb, visible
from .._utils._warn import CaughtWarnings
from ..test_set import NOT_SHOWN, SHOWN, LedgerError, Look, LookLedger, read_ledger
from ..words import as_table, table_lines
from ._limits import limiting_notes, notes_on_columns
from ._output import Output
from ._parser import InputError
from ._table import check_columns, read_named, read_plainly, whole_column

_NOTHING_LEFT = 4
# All others would show more of the target than the answer, or errors that depend on it.
_TAKEN = {
    *("ledger", "looks", "predictions", "rule", "target", "scoring", "champion", "challenger"),
    *("groups", "drop", "separator", "encoding", "confidence_level"),
}
_NEEDED = {"predictions", "target", "scoring"}


def look(options: argparse.Namespace) -> Output:
    """Spend a look at a test set, and print nothing of the target but the answer."""
    if not options.passed >= _NEEDED or options.rule != "better":
        raise InputError(
            "gate --ledger needs --predictions and --rule better, with --target and --scoring."
        )
    refused = sorted(options.passed - _TAKEN)
    if refused:
        raise InputError(
            f"gate --ledger does not accept --{refused[0].replace('_', '-')}, as a look says PASS "
            "or NOT SHOWN and nothing else of the target; leave it out."
        )
    ledger = LookLedger(options.ledger, options.looks, alpha_of(options.confidence_level))
    names = options.target, options.champion, options.challenger
    table = read_plainly(options.predictions, options)
    check_columns(table, options.predictions, options.target, [*names[1:], options.groups])
    if len({*names[1:], options.groups}) < 3:
        raise InputError("--champion, --challenger and --groups must name different columns.")
    others = table.columns.difference([*names, options.groups, *options.drop])
    limits = limiting_notes(notes_on_columns(table[others], table[options.champion], options))
    if limits:
        raise InputError(f"{limits[0]}.")
    groups = read_named(table, options.groups)
    champion, challenger = (np.asarray(whole_column(table[name])) for name in names[1:])
    try:
        answer = ledger.test(
            _target(table[options.target]),
            {options.champion: champion},
            {options.challenger: challenger},
            scoring=options.scoring[0],
            groups=groups,
        )
    except LedgerError as error:
        answer = Look(0, False, 0.0, read_ledger(ledger.path).n_passed, 0)
        return Output(visible(str(error)), status=_NOTHING_LEFT, content=answer._asdict)
    return Output(_as_text(answer, options), status=1 - answer.passed, content=answer._asdict)


def _target(column: pd.Series) -> np.ndarray:
    """Return a target as numbers or texts; as it is, if something is wrong with its values."""
    with CaughtWarnings(action="ignore"):
        try:
            return np.asarray(whole_column(column))
        except Exception:  # which would say what is wrong
            return column.to_numpy()


def _as_text(answer: Look, options: argparse.Namespace) -> str:
    """Return the two lines that a look prints."""
    n_left = counted(answer.n_left, "look")
    left = f"{n_left} {verb(answer.n_left, 'is', 'are')} left."
    if answer.number == 0:
        names = f"{cut(options.challenger)} and {cut(options.champion)}"
        return (
            f"no look: {NOT_SHOWN}\n{names} predict the same on every row. "
            f"{answer.n_passed} passed so far. {left}"
        )
    word = SHOWN if answer.passed else NOT_SHOWN
    return (
        f"look {answer.number} of {options.looks}: {word}\n{answer.n_passed} passed so far; this "
        f"look was tested at the level {answer.level:.2g}. {left}"
    )


def ledger(options: argparse.Namespace) -> Output:
    """Print what was asked of a test set, and what is left."""
    record = read_ledger(Path(options.file))
    content = {
        "metric": record.metric,
        "level": record.level,
        "looks": record.looks,
        "n_passed": record.n_passed,
        "n_left": record.n_left,
        "asked": [entry._asdict() for entry in record.entries],
    }
    return Output("\n".join(_lines_of(options.file, record)), content=lambda: content)


def _lines_of(file: str, record: Any) -> Iterator[str]:
    """Yield the lines that list the looks in a ledger."""
    yield (
        f"{visible(file)}: {visible(record.metric)}, {counted(record.looks, 'look')} at the level "
        f"{format_number(record.level)} in all; {len(record.entries)} asked, {record.n_passed} "
        f"passed, {record.n_left} left."
    )
    rows = []
    for entry in record.entries:
        rows.append(
            {
                "look": str(entry.look),
                "time": entry.time,
                "champion": cut(entry.champion),
                "challenger": cut(entry.challenger),
                "level": f"{entry.level:.2g}",
                "answer": entry.answer,
            }
        )
    yield ""
    yield from table_lines(as_table(rows, n_names=6))
