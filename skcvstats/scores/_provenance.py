"""What the provenance of scores contains under the names that the package reads."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .._utils._checks import brief, is_finite, is_list_of


class Baseline(NamedTuple):
    """The score of a classifier that always predicts the most frequent class, on the same rows."""

    name: str
    score: float


def baseline_of(scores: Any) -> Baseline | None:
    """Return the baseline of the scores of classifiers, None where it is not known."""
    known = scores.provenance
    if not {"constant", "score of a constant"} <= known.keys():
        return None
    return Baseline(str(known["constant"]), known["score of a constant"])


def check_provenance(provenance: Mapping[str, Any]) -> None:
    """Raise TypeError for an entry of a type that cannot be read."""
    for name, (is_right, wanted) in _WANTED.items():
        if name in provenance and not is_right(provenance[name]):
            raise TypeError(f"provenance[{name!r}]={brief(provenance[name])} must be {wanted}.")


def _is_dict(value: Any) -> bool:
    return isinstance(value, Mapping)


def _has_texts(value: Any) -> bool:
    return _is_dict(value) and is_list_of([*value.values()], str)


def _has_lists_of_texts(value: Any) -> bool:
    return _is_dict(value) and all(is_list_of(texts, str) for texts in value.values())


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_WANTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(("versions", "estimators"), (_has_texts, "a dict of texts")),
    "unseeded": (_has_lists_of_texts, "a dict of lists of texts"),
    "score of a constant": (is_finite, "a finite number"),
    **dict.fromkeys(("search", "part"), (_is_dict, "a dict")),
    **dict.fromkeys(("columns", "data", "read", "table"), (_is_list, "a list")),
    **dict.fromkeys(("measured", "scoring"), (_is_text, "a text")),
}
