"""The procedures by name; the room above registers them here."""

from __future__ import annotations

from typing import Any

from .._utils import check_option, import_core

# Registered by `skcvstats.stats` when it is imported: name -> class.
METHODS: dict[str, Any] = {}
# The same for procedures for fitted models on one test set, which do not apply to splits.
TEST_SET_METHODS: dict[str, Any] = {}


def find_method(method: Any) -> Any:
    """Return the procedure of that name with its defaults; an instance is returned as it is."""
    if isinstance(method, type):
        raise TypeError(f"method={method.__name__} is a class: pass {method.__name__}().")
    if not isinstance(method, str):
        if not hasattr(method, "run"):
            raise TypeError(
                f"method={method!r} must be the name of a procedure, such as "
                "'corrected_resampled_t', or a procedure such as CorrectedResampledTTest()."
            )
        return method
    if not METHODS:
        import_core()
    return METHODS[check_option("method", method, sorted(METHODS))]()
