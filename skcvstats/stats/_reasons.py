"""Reasons why a procedure is not taken: codes with values, whose sentences are made here."""

# Errors, which `words` does not write, and notes, which are made below it, print the same
# sentences, so that they are not in `words`.

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# What each code says. A procedure, also one from outside the package, explains in words of its own
# why metrics and splits do not suit it: these are then a value.
_SENTENCES = {
    "unsuitable metric": "{words}",
    "not measured": 'the {title} was not measured with {metric}; method="{name}" takes it',
    "too many units": (
        "without each of the {unit} in turn {metric} would be computed {n_calls:,} times"
    ),
    "unsuitable splits": "{words}",
    "unsuitable test sets": "{words}",
    "few units": (
        "{n_folds} folds of at least two {unit} need {least}; the data have {n_units}. Pass more "
        "data, or ask for fewer folds."
    ),
    "few units, each tested alone": (
        "{n_folds} folds of at least two {unit} need {least}; the data have {n_units}, so "
        "{splitter} tests on each of them once"
    ),
    "time order": "the splits are in time order",
    "undefined metric": "{words}",
    "unknown labels": "{words}",
    "no scores of rows": "split {split} of {estimator!r} has no scores of rows",
    "no scores without each unit": (
        "split {split} of {estimator!r} has no scores of rows, as {metric} is undefined there "
        "without one of them"
    ),
}
# Those whose sentences are whole, with what to do about splits or rows.
_WITH_REMEDY = ("unsuitable splits", "unsuitable test sets", "few units")


@dataclass(frozen=True)
class Reason:
    """Why a procedure is not taken: a code, and the values that its sentence names."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def has_remedy(self) -> bool:
        """Whether the sentence says what to do."""
        return self.code in _WITH_REMEDY

    def __str__(self) -> str:
        return _SENTENCES[self.code].format_map(self.values)

    @property
    def fact(self) -> str:
        """The sentence without its full stop."""
        return str(self).removesuffix(".")

    @property
    def clause(self) -> str:
        """The sentence as part of another one."""
        if self.has_remedy:
            return self.fact[0].lower() + self.fact[1:]
        return self.fact
