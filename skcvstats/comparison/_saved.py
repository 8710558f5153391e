"""Results as JSON text, which is read back, and as flat dicts."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass, replace
from typing import Any

import numpy as np

from .._utils._checks import is_integer
from .._utils._documents import DocumentError, Format, Made
from .._utils._shared_arguments import check_level
from .._utils._text import check_printable, flat_dict, is_constant, only_evidence, plain_json
from ..scores import CVScores, Note, as_notes
from ..stats import METHODS, OUTCOMES, Inference, Procedure, check_bounds, get_procedure
from ._comparison import Dropped, check_reference
from ._pairs import MARGIN_AFTERWARDS, PairTests, check_adjustment, make_pair_tests

_FORMAT = Format(
    "skcvstats.ComparisonResult",
    2,
    holds="a ComparisonResult. Pass what ComparisonResult.to_json returned",
    remedy="compare again",
)

_NO_OPTIONS = ("tests_by_metric", "candidates", "slices")


def result_to_json(result: Any) -> str:
    """Return JSON text with the tests and the options of a ComparisonResult."""
    tests_by_metric: Mapping[str, PairTests] = result.tests_by_metric
    procedure = next(iter(tests_by_metric.values())).procedure
    names = (field.name for field in fields(result) if field.name not in _NO_OPTIONS)
    tests = {
        metric: {
            "scores": tests.scores.to_json(),
            "auxiliary": None if tests.auxiliary is None else tests.auxiliary.to_json(),
            "first": tests.first.tolist(),
            "second": tests.second.tolist(),
            "margin": None if tests.margin is None else list(tests.margin),
            "notes": [note.to_dict() for note in _saved_notes(tests)],
            "chosen_from": None if tests.chosen_from is None else tests.chosen_from.to_json(),
            **({} if tests.procedure == procedure else {"procedure": _described(tests.procedure)}),
        }
        for metric, tests in tests_by_metric.items()
    }
    content = {
        "procedure": _described(procedure),
        "options": {name: as_plain(getattr(result, name)) for name in names},
        "metrics": list(tests),
        "tests": tests,
        "candidates": {
            name: found for name, of in result.candidates.items() if (found := _params(of))
        },
        "slices": {name: of and result_to_json(of) for name, of in result.slices.items()},
    }
    return _FORMAT.write(content)


def _saved_notes(tests: PairTests) -> list[Note]:
    """Return the notes that the scores of the comparisons do not show again."""
    afterwards = [note for note in tests.found_notes if note.code == MARGIN_AFTERWARDS]
    return [*tests.notes, *afterwards]


def result_from_json(
    make: Callable[..., Made], text: str | bytes, method: str | Procedure | None, max_bytes: int
) -> Made:
    """Read what `result_to_json` wrote, and compute the ComparisonResult again."""
    given = None if method is None else get_procedure(method)

    def read(content: Mapping[str, Any]) -> Any:
        whole: Any = make(**_decode(content, given, max_bytes))
        for tests in whole.tests_by_metric.values():
            tests.inference.describe()  # raises an error here where what texts say is damaged
        slices: dict[str, Any] = dict(content.get("slices", {}))
        for name, of in slices.items():
            part: Any = of and result_from_json(make, of, method, max_bytes=max_bytes)
            slices[name] = part and whole._slice(part.scores_by_metric)
        return replace(whole, slices=slices) if slices else whole

    made: Made = _FORMAT.read(text, read, max_bytes=max_bytes)
    return made


def _decode(content: Mapping[str, Any], given: Procedure | None, max_bytes: int) -> dict[str, Any]:
    procedure = _procedure_of(content["procedure"], given)
    options = {name: from_plain(value) for name, value in content["options"].items()}
    options["confidence_level"] = check_level(options["confidence_level"])
    options["warned"] = as_notes(options["warned"], "warned")
    options["dropped"] = tuple(Dropped(*entry) for entry in options["dropped"])
    tests_by_metric = {
        metric: _tests_again(content["tests"][metric], procedure, options, max_bytes)
        for metric in content["metrics"]
    }
    check_printable(list(tests_by_metric), "metrics")
    labels = {tests.scores.labels for tests in tests_by_metric.values()}
    if len(tests_by_metric) < 1 or (not options["dropped"] and len(labels) > 1):
        raise ValueError("the metrics are not those of the same estimators")
    check_reference(options["reference"], next(iter(tests_by_metric.values())).scores.labels)
    candidates = {
        name: {key: from_plain(value) for key, value in params.items()}
        for name, params in content.get("candidates", {}).items()
    }
    return {"tests_by_metric": tests_by_metric, "candidates": candidates, **options}


def _params(params: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the parameters of a candidate for JSON; None if it would not give them back."""
    try:
        plain = json.loads(json.dumps(plain_json(dict(params))))
        return plain if {key: from_plain(value) for key, value in plain.items()} == params else None
    except (KeyError, TypeError, ValueError):
        return None


def as_plain(value: Any) -> Any:
    """Return a field of a result in JSON types: tuples as lists, notes as objects."""
    if isinstance(value, Note):
        return value.to_dict()
    return [as_plain(part) for part in value] if isinstance(value, tuple) else value


def from_plain(value: Any) -> Any:
    """Return what `as_plain` was given."""
    if isinstance(value, dict):
        return Note.from_dict(value)
    return tuple(from_plain(part) for part in value) if isinstance(value, list) else value


def _tests_again(
    saved: Mapping[str, Any], procedure: Procedure, options: Mapping[str, Any], max_bytes: int
) -> PairTests:
    def read(name: str) -> CVScores | None:
        text = saved[name]
        return None if text is None else CVScores.from_json(text, max_bytes=max_bytes)

    if "procedure" in saved:  # of this metric alone
        procedure = _procedure_of(saved["procedure"], None)
    margin = saved["margin"]
    notes = [Note.from_dict(note) for note in saved["notes"]]
    scores = CVScores.from_json(saved["scores"], max_bytes=max_bytes)
    return make_pair_tests(
        procedure,
        scores,
        read("auxiliary"),
        _pairs(saved["first"], saved["second"], len(scores.labels)),
        adjustment=check_adjustment(options["adjustment"], procedure),
        notes=tuple(note for note in notes if note.code != MARGIN_AFTERWARDS),
        margin_afterwards=any(note.code == MARGIN_AFTERWARDS for note in notes),
        margin=None if margin is None else check_bounds(tuple(margin), metrics=[scores.metric]),
        chosen_from=read("chosen_from"),
        in_order=options["reference"] is not None,
        confidence_level=options["confidence_level"],
    )


def _pairs(first: Any, second: Any, n_estimators: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of the estimators of each pair, none of them twice."""
    pairs = [tuple(sorted(pair)) for pair in zip(first, second, strict=True)]
    known = all(is_integer(k) and 0 <= k < n_estimators for pair in pairs for k in pair)
    distinct = all(a != b for a, b in pairs) and len(set(pairs)) == len(pairs)
    if not known or not distinct:
        raise ValueError(f"pairs that are not of these {n_estimators} estimators")
    return np.array(first, dtype=int), np.array(second, dtype=int)


def _known() -> dict[str, Callable[..., Procedure]]:
    """Return the procedures of this package by name."""
    from ..test_set import ON_TEST_SETS

    return {**METHODS, **ON_TEST_SETS}


def _described(procedure: Procedure) -> dict[str, Any]:
    """Return a procedure as plain data, with its options only if it is from this package."""
    own = _known().get(procedure.name) is type(procedure) and is_dataclass(procedure)
    return {
        "name": procedure.name,
        "written": repr(procedure),
        "options": asdict(procedure) if own else None,  # type: ignore[call-overload]
    }


def _procedure_of(saved: Mapping[str, Any], given: Procedure | None) -> Procedure:
    """Return the procedure of a saved result, or the given one, which must be the same."""
    name = saved["name"]
    written = saved["written"]
    if given is None:
        if saved["options"] is None or name not in _known():
            raise DocumentError(
                f"The result was made by {written}, which is no procedure of this skcvstats, and "
                "JSON holds no code. Pass it: ComparisonResult.from_json(text, method=...)."
            )
        return _known()[name](**saved["options"])
    if (given.name, repr(given)) != (name, written):
        raise DocumentError(
            f"method={given!r}, but the result was made by {written}. Pass that one, or leave "
            "method out for a procedure of skcvstats."
        )
    return given


# The path of names, and the quantities.
_Part = tuple[Sequence[str], dict[str, Any]]

_OF_ESTIMATORS = ("score", "standard_error", "low", "high")
# Keys about a margin exist only if there is a margin.
_OF_COMPARISONS = (
    *("difference", "standard_error", "low", "high"),
    *("margin_low", "margin_high", "low_margin", "high_margin"),
    *("pvalue", "pvalue_adjusted", "pvalue_error"),
    *("pvalue_not_worse", "pvalue_not_better", "pvalue_equivalent"),
)


def comparison_dict(result: Any) -> dict[str, Any]:
    """Return a comparison as a flat dict; see `ComparisonResult.to_dict`."""
    low, high = result.margin or (None, None)
    facts = {
        "confidence_level": result.confidence_level,
        "reference": result.reference,
        "adjustment": result.adjustment,
        "margin_low": low,
        "margin_high": high,
        "notes": result._codes,
    }
    parts: list[_Part] = [((), facts)]
    for metric in result.metrics:
        of_metric = result[metric]
        parts.append(((metric,), _facts(of_metric.tests_by_metric[metric].example)))
        wanted = (*_OF_ESTIMATORS, "pvalue_best", "could_be_best")
        parts += _estimators(metric, of_metric.ranking(), wanted)
        parts += _comparisons(metric, of_metric)
    return flat_dict(parts)


def estimates_dict(result: Any) -> dict[str, Any]:
    """Return estimates as a flat dict; see `ScoreEstimates.to_dict`."""
    facts = {"confidence_level": result.confidence_level, "notes": result._codes}
    parts: list[_Part] = [((), facts)]
    for metric, found in result.inferences.items():
        parts.append(((metric,), _facts(found)))
        wanted = (*_OF_ESTIMATORS, "pvalue")
        parts += _estimators(metric, result[metric].to_frame(), wanted)
    return flat_dict(parts)


def _facts(test: Inference) -> dict[str, Any]:
    """Return the sizes behind the scores of a metric, and the procedure."""
    names = ("method", "n_splits", "n_train", "n_test", "n_samples", "unit")
    return {name: getattr(test, name) for name in names}


def _estimators(metric: str, frame: Any, wanted: Sequence[str]) -> Iterator[_Part]:
    """Return each row of a ranking, without the interval and p-value of constant scores."""
    for row in frame.to_dict("records"):
        numbers = {str(name): row[name] for name in wanted}
        yield (metric, row["estimator"]), only_evidence(numbers, is_constant(row))


def _comparisons(metric: str, result: Any) -> Iterator[_Part]:
    """Return each difference, with what is shown of it."""
    (tests,) = result.tests_by_metric.values()
    for k, row in enumerate(result.to_frame().to_dict("records")):
        numbers = {name: row[name] for name in _OF_COMPARISONS if name in row}
        outcome = OUTCOMES[str(tests.kinds[k])]
        yield (metric, f"{row['estimator']} - {row['versus']}"), {**numbers, "outcome": outcome}
