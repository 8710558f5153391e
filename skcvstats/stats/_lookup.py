"""The procedures by name, from the exports of `skcvstats.stats`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._utils._checks import brief, check_option
from .._utils._registry import enter
from ._procedure import Procedure

# The procedures on splits: name -> class.
METHODS: dict[str, type[Procedure]] = {}


def procedures_among(exports: Iterable[Any]) -> dict[str, type[Procedure]]:
    """Return the procedures among the exports of a room, by their names."""
    return {
        export.name: export
        for export in exports
        if isinstance(export, type) and issubclass(export, Procedure) and hasattr(export, "name")
    }


def get_procedure_names() -> list[str]:
    """Return the names that ``method=`` accepts.

    Returns
    -------
    list of str
        In alphabetical order.

    Examples
    --------
    >>> from skcvstats import get_procedure_names
    >>> "corrected_resampled_t" in get_procedure_names()
    True
    """
    return sorted(METHODS)


def get_procedure(method: str | Procedure, **options: Any) -> Procedure:
    """Return the procedure of that name.

    Parameters
    ----------
    method : str or Procedure
        One of `get_procedure_names()`; a procedure is returned as it is.
    **options : object
        Its options, such as ``alternative="greater"``; None leaves the default. A procedure that
        is given must have the same.

    Returns
    -------
    Procedure
        To be called on scores.

    Examples
    --------
    >>> from skcvstats import get_procedure
    >>> get_procedure("corrected_resampled_t", alternative="greater")
    CorrectedResampledTTest(null_value=0.0, alternative='greater')
    """
    if isinstance(method, type):
        raise TypeError(f"method={method.__name__} is a class: pass {method.__name__}().")
    asked = {name: value for name, value in options.items() if value is not None}
    if isinstance(method, Procedure):
        for name, value in asked.items():
            if _option(method, name) != value:
                raise ValueError(
                    f"{name}={value!r}, but {method!r} has its own; give it only there."
                )
        return method
    if not isinstance(method, str):
        raise TypeError(
            f"method={brief(method)} must be the name of a procedure, one of {sorted(METHODS)}, or "
            "a procedure such as CorrectedResampledTTest()."
        )
    procedure = METHODS[check_option("method", method, sorted(METHODS))]
    for name in asked:
        _option(procedure(), name)
    return procedure(**asked)


def _option(procedure: Procedure, name: str) -> Any:
    """Return an option of a procedure, or raise an error if it does not exist."""
    if hasattr(procedure, name):
        return getattr(procedure, name)
    raise ValueError(
        f"The {procedure.title} has no {name}: leave it out, or use a method that has, such as "
        'method="corrected_resampled_t".'
    )


enter(get_procedure=get_procedure)
