"""The splitter for a `cv` of the user, and for the splits that a procedure requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any

from sklearn.model_selection import check_cv

from .._utils._checks import brief, is_integer
from ..scores import ENDLESS, DesignRequest
from ._split import HalfSplitPairs, RepeatedSubsampleSplit, RepeatedTwoFold


def make_splitter(request: DesignRequest, random_state: Any) -> Any:
    """Return the splitter for the splits that a procedure requests.

    It is never stratified: halves must vary as samples do, including their class proportions.
    """
    sizes: dict[str, Any] = {"n_splits": request.n_splits, "test_size": request.test_size}
    makers = {
        "subsample": partial(RepeatedSubsampleSplit, n_replicates=request.n_replicates, **sizes),
        "half_pairs": partial(HalfSplitPairs, request.n_pairs, **sizes),
        "two_fold": partial(RepeatedTwoFold, request.n_pairs),
    }
    return makers[request.kind](random_state=random_state)


def to_splitter(cv: Any, y: Any, *, classifier: bool) -> Any:
    """Return `cv` as a splitter, as scikit-learn's `check_cv` makes it."""
    wanted = (
        "an integer of at least 2, a splitter such as RepeatedSubsampleSplit(), or a list of "
        "(train, test) pairs of row numbers"
    )
    known = cv is None or is_integer(cv) or hasattr(cv, "split") or isinstance(cv, Iterable)
    no_list = isinstance(cv, (type, str, bytes, Mapping)) or getattr(cv, "shape", None) == ()
    if not known or (no_list and not is_integer(cv)):
        raise ValueError(f"cv={cv!r} must be None, {wanted}.")
    if not hasattr(cv, "split") and not is_integer(cv) and cv is not None:
        cv = list(islice(cv, ENDLESS + 1))
        if len(cv) > ENDLESS:
            raise ValueError(
                f"cv yields more than {ENDLESS} pairs; pass {wanted}. A generator must end."
            )
        for k, pair in enumerate(cv):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise ValueError(
                    f"cv item {k} is {brief(pair)}, not a (train, test) pair; pass {wanted}."
                )
    return check_cv(cv, y, classifier=classifier)
