"""What only the process that fits a model sees, as plain data that travels in its record.

A store keeps it, and the notes read it; nothing between them does. Under `WARNINGS` there is a list
of texts for each kind of warning: its place, the module and the name of its class, its message.
Under `LABEL_METRICS` there are the names of the metrics of more than labels that got labels.
"""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from .._utils._checks import is_list_of

WARNINGS = "warnings"
LABEL_METRICS = "label metrics"
_TEXTS_OF_A_WARNING = 4


def with_warnings(
    observed: Mapping[str, Any], caught: Sequence[warnings.WarningMessage]
) -> dict[str, Any]:
    """Add the warnings of a fit, of each kind the last one."""
    texts = {}
    for warning in caught:
        place = f"{warning.filename}:{warning.lineno}"
        kind = (place, warning.category.__module__, warning.category.__name__)
        texts[kind] = [*kind, str(warning.message)]
    return {**observed, WARNINGS: list(texts.values())}


def with_label_metric(observed: Mapping[str, Any], metric: str) -> Mapping[str, Any]:
    """Add a metric of more than labels that got labels."""
    return {**observed, LABEL_METRICS: [*observed.get(LABEL_METRICS, ()), metric]}


def is_observation(value: dict[str, Any]) -> bool:
    """Return whether what a store says was observed has the form that the notes read."""
    if not value.keys() <= {WARNINGS, LABEL_METRICS}:
        return False
    kinds = value.get(WARNINGS, [])
    metrics = value.get(LABEL_METRICS, [])
    if not is_list_of(metrics, str) or not is_list_of(kinds, list):
        return False
    return all(is_list_of(kind, str) and len(kind) == _TEXTS_OF_A_WARNING for kind in kinds)
