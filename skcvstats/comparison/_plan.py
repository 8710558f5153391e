"""ComparisonPlan: the options of a comparison, checked before anything is fitted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._utils._checks import check_level, listed
from .._utils._warn import carrying
from ..exceptions import FitError
from ..scores import CVScores, Note, union, warn_of
from ..stats import (
    CHOSEN_REFERENCE,
    Procedure,
    check_adjustment,
    check_complete,
    get_procedure,
    is_symmetric,
)
from ._joint import pointing_to_best_set
from ._missing import ByMetric, Dropped, leave_out, next_line
from ._pairs import check_margin, check_reference, make_pair_tests
from ._result import ComparisonResult

# Of compare_scores.
_DEFAULTS = {"reference": None, "adjustment": "auto", "margin": None, "confidence_level": 0.95}


@dataclass(frozen=True)
class ComparisonPlan:
    """The options of a comparison, checked before anything is fitted."""

    test: Procedure
    reference: str | None
    adjustment: str
    labels: tuple[str, ...]
    confidence_level: float = 0.95
    margin: Any = None
    metrics: tuple[str, ...] = ()
    all_pairs: bool = True  # without a reference; else none
    tests: Mapping[str, Procedure] = field(default_factory=dict)  # of metrics with one of their own
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        check_adjustment(self.adjustment, self.test)
        check_level(self.confidence_level)
        check_margin(self.margin, self.test, self.confidence_level, self.metrics)
        if len(self.labels) < 2:
            raise ValueError(
                "A comparison needs the labelled scores of at least two estimators, got labels "
                f"{list(self.labels)}. For one use cross_val_inference or .confidence_interval()."
            )
        check_reference(self.reference, self.labels)
        null_value = getattr(self.test, "null_value", 0.0)
        if self.reference is None and null_value != 0:
            raise ValueError(
                f"null_value={null_value!r} needs a reference: if all pairs are compared, the sign "
                "of a difference is arbitrary. Pass reference= with the name of an estimator; the "
                "null value is then for the other estimator minus the reference. Or, to ask which "
                f"estimators are equivalent or not worse, pass margin={abs(null_value)!r} instead."
            )

    def run(
        self,
        scores_by_metric: Mapping[str, CVScores],
        auxiliary_by_metric: Mapping[str, CVScores] | None = None,
        said: Iterable[Note] = (),
        notes_by_metric: Mapping[str, Iterable[Note]] | None = None,
        dropped: Sequence[Dropped] = (),
        on_error: str = "raise",
        chosen_from: Mapping[str, CVScores] | None = None,
    ) -> ComparisonResult:
        """Run the tests of every metric, and warn once about their limitations."""
        auxiliary = dict(auxiliary_by_metric or {})
        if on_error == "drop":
            left = leave_out(scores_by_metric, auxiliary, self.reference)
            scores_by_metric, auxiliary, further = left
            dropped = (*dropped, *further)
        else:
            self._check_complete(scores_by_metric, auxiliary)
        adjustment = check_adjustment(self.adjustment, self.test)
        tests = {}
        for metric, scores in scores_by_metric.items():
            test = self.tests.get(metric, self.test)
            of_metric = (notes_by_metric or {}).get(metric, ())
            lost = [x for x in dropped if x.estimator is None or x.metric in (None, metric)]
            tests[metric] = make_pair_tests(
                test,
                scores,
                auxiliary.get(metric),
                self._pairs(scores),
                adjustment=adjustment,
                notes=union(self.known_notes, of_metric, (entry.note for entry in lost)),
                margin=check_margin(self.margin, test, self.confidence_level, [metric]),
                chosen_from=(chosen_from or {}).get(metric),
                in_order=self.reference is not None,
                confidence_level=float(self.confidence_level),
            )
        with carrying(scores=dict(scores_by_metric), auxiliary=auxiliary):
            for of in tests.values():
                of.inference.warn_undetermined()
            found, known = union(*(of.all_notes for of in tests.values())), set(said)
            warn_of(note for note in found if note not in known)
        return ComparisonResult(
            tests_by_metric=tests,
            reference=self.reference,
            adjustment=adjustment.name,
            confidence_level=float(self.confidence_level),
            dropped=tuple(dropped),
            warned=tuple(note for note in found if note.category),
        )

    def without(self, failed: Mapping[str, str]) -> ComparisonPlan:
        """Return the plan for the estimators that are left; FitError if they are too few."""
        left, lost = tuple(x for x in self.labels if x not in failed), self.reference in failed
        if len(left) < 2 or lost:
            name = str(self.reference) if lost else next(iter(failed))
            which = f"the reference {name!r}" if lost else listed(failed)
            raise FitError(
                f"Without {which} nothing is left to compare: {failed[name]}. Fix the cause, or "
                "pass at least two other estimators and a reference among them."
            )
        return replace(self, labels=left)

    def _check_complete(self, scores: ByMetric, auxiliary: ByMetric) -> None:
        """Raise FitError at a missing score, with the line that continues without it."""
        try:
            check_complete(scores, auxiliary)
        except FitError as error:
            of_some: Any = self.test  # for some of the splits; a test of rows needs them all
            if of_some.needs_rows:
                same = {x: getattr(of_some, x, None) for x in ("null_value", "alternative")}
                of_some = get_procedure("corrected_resampled_t", **same)
            options, of_some_options = (self._options(test) for test in (self.test, of_some))
            line = next_line(
                scores, auxiliary, self.reference, options, of_some_options, of_some.title
            )
            raise FitError(f"{error} {line}".rstrip(), scores, auxiliary) from None

    def _options(self, test: Procedure) -> str:
        """Return the arguments of `compare_scores` besides the scores, as they are written."""
        given, plain = {}, False
        if test != get_procedure("corrected_resampled_t"):
            with suppress(ValueError):  # another's procedure has no name here
                plain = repr(test) == repr(get_procedure(test.name))
            given["method"] = repr(test.name if plain else test)
        for name, default in _DEFAULTS.items():
            written = repr(getattr(self, name))
            if written != repr(default):
                given[name] = written
        return "".join(f", {name}={value}" for name, value in given.items())

    @property
    def known_notes(self) -> tuple[Note, ...]:
        """The limitations of the comparisons that are known before the fits."""
        if self.reference != "best" or not self.favours_the_best:
            return self.notes
        return (*self.notes, pointing_to_best_set(CHOSEN_REFERENCE, self.test))

    @property
    def favours_the_best(self) -> bool:
        """Whether it matters that these scores chose the reference: not for two, two-sided."""
        return len(self.labels) > 2 or not is_symmetric(self.test)

    def _pairs(self, scores: CVScores) -> tuple[np.ndarray, np.ndarray]:
        """Return the two estimators of each comparison, by position."""
        n_estimators = len(scores.labels)
        if self.reference is None:
            return np.triu_indices(n_estimators if self.all_pairs else 0, k=1)
        if self.reference == "best":
            reference = int(np.argmax(scores.values.mean(axis=-1)))
        else:
            reference = scores.labels.index(self.reference)
        others = np.delete(np.arange(n_estimators), reference)
        return others, np.full(len(others), reference)
