"""Checks that return the reason why something cannot serve, as functions that raise it."""

from functools import wraps

from skcvstats.exceptions import SplitDesignError


def raising(check):
    """Return a check that raises the reason that it would return."""

    @wraps(check)
    def raise_reason(*args, **options):
        found = check(*args, **options)
        if isinstance(found, str):
            raise SplitDesignError(found)
        return found

    return raise_reason
