"""ComparisonResult as JSON text: the scores and the procedure, from which it is computed again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np

from ..scores import (
    METHODS,
    TEST_SET_METHODS,
    CVScores,
    Note,
    read_document,
    reading,
    write_document,
)
from ..stats import Procedure, get_test
from ._adjustment import check_adjustment
from ._missing import Dropped
from ._pairs import PairTests, check_reference, make_pair_tests

FORMAT = "skcvstats.ComparisonResult"
VERSION = 2
_READ = (1, VERSION)


def result_to_json(tests_by_metric: Mapping[str, PairTests], options: Mapping[str, Any]) -> str:
    """Return JSON text of the tests and of the options of a ComparisonResult.

    Parameters
    ----------
    tests_by_metric : mapping of str to PairTests
        The scores, and what was compared with what.
    options : mapping
        The other fields of the result.
    """
    procedure = next(iter(tests_by_metric.values())).procedure
    tests = {
        metric: {
            "scores": tests.scores.to_json(),
            "auxiliary": None if tests.auxiliary is None else tests.auxiliary.to_json(),
            "first": tests.first.tolist(),
            "second": tests.second.tolist(),
            "margin": None if tests.margin is None else list(tests.margin),
            "notes": [note.to_dict() for note in tests.notes],
            "chosen_from": None if tests.chosen_from is None else tests.chosen_from.to_json(),
        }
        for metric, tests in tests_by_metric.items()
    }
    content = {
        "procedure": _described(procedure),
        "options": {name: as_plain(value) for name, value in options.items()},
        "metrics": list(tests),
        "tests": tests,
    }
    return write_document(FORMAT, VERSION, content)


def result_from_json(
    text: str | bytes, method: str | Procedure | None, *, source: str = "the text"
) -> dict[str, Any]:
    """Return the fields of the ComparisonResult that `result_to_json` wrote, computed again.

    Parameters
    ----------
    text : str or bytes
        JSON text.
    method : str, Procedure or None
        The procedure, where it is none of this package.
    source : str
        Where the text comes from, for the messages.
    """
    content = read_document(
        text,
        FORMAT,
        _READ,
        source=source,
        holds="a ComparisonResult. Pass what ComparisonResult.to_json returned",
        remedy="compare again",
    )
    with reading(source):
        made_by = {name: content["procedure"][name] for name in ("name", "written", "options")}
    procedure = _procedure_of(made_by, method, source)
    with reading(source):
        options = {name: from_plain(value) for name, value in content["options"].items()}
        tests_by_metric = {
            metric: _tests_again(content["tests"][metric], procedure, options["adjustment"])
            for metric in content["metrics"]
        }
        check_reference(options["reference"], next(iter(tests_by_metric.values())).scores.labels)
        dropped = tuple(Dropped(*entry) for entry in options["dropped"])
        return {"tests_by_metric": tests_by_metric, **options, "dropped": dropped}


def as_plain(value: Any) -> Any:
    """Return a field of a result as JSON has it: tuples as lists, notes as objects.

    Parameters
    ----------
    value : str, number, None, Note, or a tuple of these
        The field.
    """
    if isinstance(value, Note):
        return value.to_dict()
    return [as_plain(part) for part in value] if isinstance(value, tuple) else value


def from_plain(value: Any) -> Any:
    """Return what `as_plain` was given.

    Parameters
    ----------
    value : object
        Read from JSON.
    """
    if isinstance(value, dict):
        return Note.from_dict(value)
    return tuple(from_plain(part) for part in value) if isinstance(value, list) else value


def _tests_again(saved: Mapping[str, Any], procedure: Procedure, adjustment: str) -> PairTests:
    further, chosen_from = saved["auxiliary"], saved.get("chosen_from")
    margin = saved.get("margin")  # version 1 had no margins
    return make_pair_tests(
        procedure,
        CVScores.from_json(saved["scores"]),
        None if further is None else CVScores.from_json(further),
        (np.array(saved["first"], dtype=int), np.array(saved["second"], dtype=int)),
        check_adjustment(adjustment, procedure),
        tuple(Note.from_dict(note) for note in saved["notes"]),
        None if margin is None else (float(margin[0]), float(margin[1])),
        None if chosen_from is None else CVScores.from_json(chosen_from),
    )


def _known() -> dict[str, Any]:
    """Return the procedures of this package by name."""
    return {**METHODS, **TEST_SET_METHODS}


def _described(procedure: Procedure) -> dict[str, Any]:
    """Return a procedure as plain data: its options only where it is one of this package."""
    own = _known().get(procedure.name) is type(procedure) and is_dataclass(procedure)
    return {
        "name": procedure.name,
        "written": repr(procedure),
        "options": asdict(procedure) if own else None,  # type: ignore[call-overload]
    }


def _procedure_of(
    saved: Mapping[str, Any], method: str | Procedure | None, source: str
) -> Procedure:
    """Return the procedure of a saved result, or that given, which must be the same."""
    name, written = saved["name"], saved["written"]
    if method is None:
        if saved["options"] is None or name not in _known():
            raise ValueError(
                f"The result was made by {written}, which is no procedure of this skcvstats, and "
                "JSON does not hold the code of a procedure. Pass it: "
                "ComparisonResult.from_json(text, method=...)."
            )
        with reading(source):
            procedure: Procedure = _known()[name](**saved["options"])
            return procedure
    given = get_test(method)
    if (given.name, repr(given)) != (name, written):
        raise ValueError(
            f"method={given!r}, but the result was made by {written}. Pass that one, or leave "
            "method out for a procedure of skcvstats."
        )
    return given
