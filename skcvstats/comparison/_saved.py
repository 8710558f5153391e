"""Results as JSON text, which is read back, and as flat dicts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from .._utils._checks import check_flag
from .._utils._documents import DocumentError, Format, Made
from .._utils._plain import Known, to_plain
from .._utils._shared_arguments import check_level
from .._utils._text import check_printable, flat_dict, is_constant, only_evidence
from ..scores import CLASSES_OF_SCORES, CVScores, Note, as_notes
from ..stats import METHODS, Inference, Procedure, get_procedure, is_own
from ._comparison import Dropped, check_reference
from ._pairs import PairTests, check_adjustment, check_margin, make_pair_tests

_FORMAT = Format(
    "skcvstats.ComparisonResult",
    3,
    holds="a ComparisonResult. Pass what ComparisonResult.to_json returned",
    remedy="compare again",
)


@dataclass(frozen=True, kw_only=True)
class SavedTests:
    """The tests of a metric as they are saved; they are computed again from the scores."""

    procedure: Procedure | str  # one from outside this package as it is written
    scores: CVScores
    auxiliary: CVScores | None
    chosen_from: CVScores | None
    first: np.ndarray
    second: np.ndarray
    notes: tuple[Note, ...]
    margin: tuple[float, float] | None
    margin_afterwards: bool

    def __post_init__(self) -> None:
        """Check what comes from a file."""
        if not CVScores._checked(self.scores).labels:
            raise ValueError("scores without the names of their estimators")
        for scores in (self.auxiliary, self.chosen_from):
            if scores is not None:
                CVScores._checked(scores)


def result_to_json(result: Any) -> str:
    """Return JSON text with the scores and the options of a ComparisonResult."""
    procedures = [tests.procedure for tests in result.tests_by_metric.values()]
    classes = _known_to(type(result), map(type, filter(is_own, procedures)))
    tests_by_metric = {}
    for metric, tests in result.tests_by_metric.items():
        saved = {field.name: getattr(tests, field.name) for field in fields(SavedTests)}
        if not is_own(tests.procedure):
            saved["procedure"] = repr(tests.procedure)
        tests_by_metric[metric] = SavedTests(**saved)
    record = replace(
        result,
        tests_by_metric=tests_by_metric,
        candidates=_plain_candidates(result.candidates, classes),
        slices=result._each_slice(attrgetter("scores_by_metric")),
    )
    return _FORMAT.write(record, classes)


def _known_to(kind: type, procedures: Iterable[type]) -> dict[str, type]:
    """Return the classes that a saved result may contain, by name."""
    records = {record.__name__: record for record in (kind, SavedTests, *procedures)}
    return {**CLASSES_OF_SCORES, **records}


def _plain_candidates(
    candidates: Mapping[str, Mapping[str, Any]], known: Known
) -> dict[str, Mapping[str, Any]]:
    """Return the candidates whose parameters can be saved."""
    kept = {}
    for name, params in candidates.items():
        with suppress(TypeError):
            to_plain(params, known)
            kept[name] = params
    return kept


def result_from_json(
    kind: type[Made],
    text: str | bytes,
    method: str | Procedure | None,
    max_bytes: int,
    on_test_sets: Iterable[type],
) -> Made:
    """Read what `result_to_json` wrote, and compute the ComparisonResult again."""
    procedure = None if method is None else get_procedure(method)
    classes = _known_to(kind, [*METHODS.values(), *on_test_sets])
    compute = partial(_computed, procedure)
    result: Made = _FORMAT.read(text, classes, compute, max_bytes=max_bytes)
    return result


def _computed(given_procedure: Procedure | None, record: Any) -> Any:
    """Return the result of a record that was read, with its tests."""
    level = check_level(record.confidence_level)
    first_tests = _check_tests_by_metric(record)
    if given_procedure is not None and not _is_procedure(given_procedure, first_tests):
        raise DocumentError(
            f"method={given_procedure!r}, but the result was made by {first_tests.procedure}. Pass "
            "that one, or leave method out for a procedure of skcvstats."
        )
    whole = replace(
        record,
        confidence_level=level,
        tests_by_metric={
            metric: _tests_again(saved, record, level, given_procedure)
            for metric, saved in record.tests_by_metric.items()
        },
        dropped=tuple(_dropped_again(*entry) for entry in record.dropped),
        warned=as_notes(record.warned, "warned"),
        candidates={name: dict(params) for name, params in record.candidates.items()},
        slices={},
    )
    for tests in whole.tests_by_metric.values():
        # These raise an error here where what texts say is damaged.
        tests.inference.describe()
        tests.joint.own_scores.describe()
    return replace(whole, slices=record._each_slice(partial(_slice_again, whole)))


def _check_tests_by_metric(record: Any) -> SavedTests:
    """Return the tests of the first metric, after checking those of all of them."""
    metrics = list(record.tests_by_metric)
    check_printable(metrics, "metrics")
    all_tests = list(record.tests_by_metric.values())
    first_tests: SavedTests = all_tests[0]
    labels = {saved.scores.labels for saved in all_tests}
    if not record.dropped and len(labels) > 1:
        raise ValueError("the metrics are not those of the same estimators")
    check_reference(record.reference, first_tests.scores.labels)
    return first_tests


def _slice_again(whole: Any, scores_by_metric: Mapping[str, CVScores]) -> Any:
    """Return the result of a slice from its scores, after checking them."""
    labels = {name: CVScores._checked(scores).labels for name, scores in scores_by_metric.items()}
    if labels != {name: tests.scores.labels for name, tests in whole.tests_by_metric.items()}:
        raise ValueError(f"a slice of {labels}")
    return whole._slice(scores_by_metric)


def _dropped_again(*texts: Any) -> Dropped:
    """Return what was left out of a result, after checking it."""
    if not all(isinstance(text, (str, type(None))) for text in texts):
        raise TypeError(f"dropped contains {texts!r}")
    return Dropped(*texts)


def _is_procedure(procedure: Procedure, saved: SavedTests) -> bool:
    """Return whether a procedure is that of saved tests."""
    return saved.procedure in (procedure, repr(procedure))


def _tests_again(
    saved: SavedTests, record: Any, level: float, given_procedure: Procedure | None
) -> PairTests:
    """Compute the tests of a metric again from saved numbers."""
    procedure = saved.procedure
    if given_procedure is not None and _is_procedure(given_procedure, saved):
        procedure = given_procedure
    if isinstance(procedure, str):
        raise DocumentError(
            f"The result was made by {procedure}, which is no procedure of this skcvstats, and "
            "JSON contains no code. Pass it: ComparisonResult.from_json(text, method=...)."
        )
    scores = saved.scores
    margin = saved.margin
    if margin is not None:
        margin = check_margin(margin, procedure, level, metrics=[scores.metric])
    return make_pair_tests(
        procedure,
        scores,
        saved.auxiliary,
        _pairs(saved.first, saved.second, len(scores.labels)),
        adjustment=check_adjustment(record.adjustment, procedure),
        notes=as_notes(saved.notes),
        margin=margin,
        margin_afterwards=check_flag("margin_afterwards", saved.margin_afterwards),
        chosen_from=saved.chosen_from,
        in_order=record.reference is not None,
        confidence_level=level,
    )


def _pairs(first: Any, second: Any, n_estimators: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of the estimators of each pair, none of them twice."""
    low, high = np.sort([first, second], axis=0)
    are_known = (low >= 0) & (low < high) & (high < n_estimators)
    keys = low * n_estimators + high
    are_integers = keys.dtype.kind == "i"
    if not are_integers or not are_known.all() or np.unique(keys).shape != keys.shape:
        raise ValueError(f"pairs that are not of these {n_estimators} estimators")
    return np.array(first, dtype=int), np.array(second, dtype=int)


# The path of names, and the quantities.
_Part = tuple[Sequence[str], dict[str, Any]]

_OF_ESTIMATORS = ("score", "standard_error", "low", "high")
# Keys about a margin exist only if there is a margin.
_OF_COMPARISONS = (
    *("difference", "standard_error", "low", "high"),
    *("margin_low", "margin_high", "low_margin", "high_margin"),
    *("pvalue", "pvalue_adjusted", "pvalue_error"),
    *("pvalue_not_worse", "pvalue_not_better", "pvalue_equivalent", "outcome"),
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
    for metric, inference in result.inferences.items():
        parts.append(((metric,), _facts(inference)))
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
    for row in result.to_frame(full=True).to_dict("records"):
        numbers = {name: row[name] for name in _OF_COMPARISONS if name in row}
        yield (metric, f"{row['estimator']} - {row['versus']}"), numbers
