"""What the records of fits say was observed: the warnings, and the models that predict labels."""

import sys
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from .._utils._text import first_of
from ..fitting import LABEL_METRICS, WARNINGS, FitRecord

_MOST_ESTIMATORS = 3


class FitWarning(NamedTuple):
    """A warning that some fits gave."""

    message: str
    class_name: str
    category: type[Warning]
    fits: str  # number of fits and estimators that gave it


def read_warnings(records: Sequence[FitRecord], names: Sequence[str]) -> list[FitWarning]:
    """Return each kind of warning of the fits once, with the message of the first."""
    messages: dict[tuple[str, ...], str] = {}
    counts_of_kinds: dict[tuple[str, ...], Counter[int]] = {}
    for record in records:
        for *texts, message in record.observed.get(WARNINGS, ()):
            kind = tuple(texts)
            messages.setdefault(kind, message)
            counts_of_kinds.setdefault(kind, Counter())[record.estimator] += 1
    n_fits = Counter(record.estimator for record in records)
    warnings = []
    for (place, module, class_name), counts in counts_of_kinds.items():
        message = messages[place, module, class_name].strip()
        shares = [f"{n} of {n_fits[e]} fits of {names[e]}" for e, n in counts.items()]
        category = getattr(sys.modules.get(module), class_name, None)
        if not isinstance(category, type) or not issubclass(category, Warning):
            category = UserWarning
        warnings.append(
            FitWarning(message, class_name, category, first_of(shares, _MOST_ESTIMATORS))
        )
    return warnings


def read_models_of_labels(
    records: Sequence[FitRecord], names: Sequence[str]
) -> dict[str, list[str]]:
    """Return for each metric that needs more than labels the models that predict labels.

    A share, such as that of 5 neighbours, may have two values in some test sets by chance. Where
    rows have no scores of their own only the first fit is looked at.
    """
    models: dict[str, list[str]] = {}
    n_fits = Counter[int]()
    found: dict[tuple[str, int], list[int]] = {}
    for record in records:
        n_fits[record.estimator] += 1
        for metric in record.observed.get(LABEL_METRICS, ()):
            found.setdefault((metric, record.estimator), []).append(record.split)
    for (metric, e), splits in found.items():
        if 2 * len(splits) > n_fits[e] * (splits != [0]):
            models.setdefault(metric, []).append(names[e])
    return models
