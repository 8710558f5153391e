"""What users give as estimators: instances that can be fitted, each with a name."""

from collections.abc import Iterable, Mapping
from typing import Any

from ._checks import brief, is_several
from ._text import check_names


def check_estimators(estimators: Any, *, at_least: int = 2) -> dict[str, Any]:
    """Return the estimators by name; one alone, where one is enough, is called by its class."""
    if at_least == 1 and not isinstance(estimators, Mapping):
        _check_estimator("estimator", estimators)
        return {type(estimators).__name__: estimators}
    pairs = list(estimators.items() if isinstance(estimators, Mapping) else _pairs(estimators))
    for name, estimator in pairs:
        if not isinstance(name, str) or not name:
            raise TypeError(f"An estimator's name must be a non-empty string, got {name!r}.")
        _check_estimator(name, estimator)
    check_names([name for name, _ in pairs], "estimators")
    if not pairs and at_least < 2:
        raise ValueError("There are no estimators; pass at least one, by its name.")
    if len(pairs) < at_least:
        raise ValueError(
            f"A comparison needs at least two estimators, got {len(pairs)}. For a single one use "
            "cross_val_inference."
        )
    return dict(pairs)


def _pairs(estimators: Any) -> Iterable[tuple[str, Any]]:
    wanted = (
        'a dict such as {"logistic": LogisticRegression(), "forest": RandomForestClassifier()} '
        "or a list of (name, estimator) pairs"
    )
    wrong = f"estimators must be {wanted}, got {type(estimators).__name__}."
    if hasattr(estimators, "shape"):
        raise TypeError(f"{wrong} The estimators come first: compare_estimators(estimators, X, y).")
    if not is_several(estimators):
        raise TypeError(wrong)
    pairs = list(estimators)
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(f"estimators must be {wanted}; {brief(pair)} is no such pair.")
    return pairs


def _check_estimator(name: str, estimator: Any) -> None:
    """Raise TypeError unless `estimator` is an instance that can be fitted."""
    if isinstance(estimator, type):
        written = f"{estimator.__name__}()"
        raise TypeError(f"{name!r} is a class, not an instance: pass {written}.")
    if not hasattr(estimator, "fit"):
        raise TypeError(
            f"{name!r} is a {type(estimator).__name__}, which has no fit method; pass an estimator."
        )
