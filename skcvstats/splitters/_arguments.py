"""Check the data and the cv of a call, and make the splitter that a procedure requests."""

import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sized
from contextlib import suppress
from itertools import islice
from typing import Any

import numpy as np
from sklearn.model_selection import (
    GroupKFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    TimeSeriesSplit,
    check_cv,
)
from sklearn.utils import check_random_state, indexable
from sklearn.utils.multiclass import type_of_target

from .._utils._arrays import (
    as_array,
    as_given,
    as_labels,
    check_labelled,
    check_unmasked,
    one_output,
)
from .._utils._checks import brief, is_integer, is_list_of_length, is_several, n_rows, one_line
from ..exceptions import SplitDesignError
from ..scores import DesignRequest
from ..stats import Reason
from ._split import (
    HalfSplitPairs,
    LazySplitter,
    RepeatedSubsampleSplit,
    RepeatedTwoFold,
    check_length,
    count_of,
    encode_labels,
)

# What draws this many splits, and does not state its number, is taken to be endless.
_ENDLESS = 100_000


def check_row_order(X: Any, y: Any, groups: Any) -> None:
    """Raise ValueError if y or groups seem to have the rows of X in another order."""
    check_index("y", y, X)
    check_index("groups", groups, X)


def check_data(X: Any, y: Any, groups: Any) -> tuple[Any, Any, Any]:
    """Return X, y and groups as indexable data of one length; other packages' arrays as NumPy's."""
    given = X, y, groups
    X, y, groups = map(_as_numpy, given)
    if n_rows(X) < 2:
        raise ValueError(f"X has n_samples={n_rows(X)} rows; pass data with at least two.")
    check_length("y", y, X)
    check_length("groups", groups, X)
    check_row_order(*given)
    check_unmasked("X", X)
    check_unmasked("y", y)
    if groups is not None:
        as_labels("groups", groups)
        check_labelled("groups", as_given(groups))
    if isinstance(y, (list, tuple)):
        as_array("y", y)
    return tuple(indexable(X, y, groups))


def check_index(name: str, data: Any, X: Any) -> None:
    """Raise ValueError if a frame seems to have the rows of X in another order, or other ones."""
    x_index: Any = getattr(X, "index", None)
    index: Any = getattr(data, "index", None)
    if not hasattr(x_index, "equals") or not hasattr(index, "equals") or x_index.equals(index):
        return
    numbers = np.arange(len(index))
    of_an_array = np.array_equal(x_index, numbers) or np.array_equal(index, numbers)
    if of_an_array and set(x_index).isdisjoint(index):
        return
    raise ValueError(
        f"X and {name} have different indexes, and rows are paired by position. If {name} is in "
        f"X's row order, pass {name}.to_numpy(); if not, {name}.loc[X.index]."
    )


def _as_numpy(part: Any) -> Any:
    """Return another package's array as one of NumPy; frames and lists as they are."""
    protocol = "__array_namespace__" if hasattr(part, "shape") else "__array__"
    if isinstance(part, np.ndarray) or not hasattr(part, protocol):
        return part
    return np.asarray(part)


def make_splitter(
    request: DesignRequest,
    random_state: Any,
    data: tuple[Any, Any, Any] = (None, None, None),
    *,
    classifier: bool = False,
) -> Any:
    """Return the splitter for the splits that a procedure requests."""
    X, y, groups = data
    stratified = False
    if classifier:
        strata = strata_of(request, y, groups)
        stratified = strata is not None and is_stratified(request, n_rows(X), strata[1])
    if request.kind == "folds":
        reason = too_few_for(request, X, groups)
        if reason is not None:
            raise SplitDesignError(str(reason))
        kind: Any = RepeatedKFold
        if stratified:
            kind = RepeatedStratifiedKFold
        if groups is not None:
            kind = RepeatedGroupKFold
        return kind(
            n_splits=request.n_folds, n_repeats=request.n_repeats, random_state=random_state
        )
    if request.kind == "time":
        return TimeSeriesSplit(request.n_splits)
    if request.kind == "two_fold":
        return RepeatedTwoFold(request.n_pairs, random_state=random_state)
    if request.kind == "half_pairs":
        return HalfSplitPairs(
            request.n_pairs,
            request.n_splits,
            test_size=request.test_size,
            random_state=random_state,
        )
    return RepeatedSubsampleSplit(
        request.n_splits,
        n_replicates=request.n_replicates,
        test_size=request.test_size,
        stratify=stratified,
        random_state=random_state,
    )


def strata_of(request: DesignRequest, y: Any, groups: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the classes, and the rows of each, by which requested splits are to be stratified."""
    is_wanted = request.kind == "folds" or request.stratify
    labels = one_output(y)
    if not is_wanted or groups is not None or labels is None:  # groups have no single class
        return None
    if type_of_target(labels) not in ("binary", "multiclass"):
        return None
    return np.unique(y, return_counts=True)


def is_stratified(request: DesignRequest, n: int, counts: np.ndarray) -> bool:
    """Return whether splits of n rows can be stratified, by the rules of scikit-learn."""
    if request.kind == "folds":
        return bool(counts.max() >= request.n_folds)
    n_test = n_tested(request, n)
    return bool(counts.min() > 1 and min(n_test, n - n_test) >= len(counts))


def n_tested(request: DesignRequest, n: int) -> int:
    """Return how many of n rows each of the requested splits tests on."""
    return count_of(request.test_size, n, math.ceil)


def too_few_for(request: DesignRequest, X: Any, groups: Any) -> Reason | None:
    """Return why the data are too few for the folds of a request, or None."""
    if request.kind != "folds":
        return None
    least = 2 * request.n_folds
    if groups is None:
        unit = "rows"
        n_units = n_rows(X)
    else:
        unit = "groups"
        n_units = int(encode_labels("groups", groups).max()) + 1
    if n_units >= least:
        return None
    values = {"n_folds": request.n_folds, "unit": unit, "least": least, "n_units": n_units}
    return Reason("few units", values)


class RepeatedGroupKFold(GroupKFold):
    """Folds of as many whole groups each, drawn again for each repeat, as `RepeatedKFold` does."""

    def __init__(self, *, n_splits: int = 5, n_repeats: int = 10, random_state: Any = None) -> None:
        super().__init__(n_splits, shuffle=True, random_state=random_state)
        self.n_repeats = n_repeats

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the training rows and the test rows of each fold, repeat after repeat."""
        codes = encode_labels("groups", groups)
        stream = check_random_state(self.random_state)
        for _ in range(self.n_repeats):
            folds = GroupKFold(self.n_splits, shuffle=True, random_state=stream)
            yield from folds.split(X, y, codes)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.n_repeats * int(self.n_splits)


def to_splitter(cv: Any, y: Any, *, classifier: bool, name: str = "cv") -> Any:
    """Return `cv`, the argument `name`, as the splitter that `check_cv` makes of it."""
    wanted = (
        "an integer of at least 2, a splitter such as RepeatedSubsampleSplit(), or a list of "
        "(train, test) pairs of row numbers"
    )
    if isinstance(cv, type):
        raise ValueError(f"{name}={cv.__name__} is a class: pass {cv.__name__}(...).")
    if isinstance(cv, (bytes, bytearray)):  # whose split parts a text
        raise ValueError(f"{name}={brief(cv)} must be None, {wanted}.")
    if is_several(cv) and not hasattr(cv, "split"):
        cv = _read_pairs(cv, name, wanted)
    try:
        return check_cv(cv, y, classifier=classifier)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}={brief(cv)} must be None, {wanted}.") from error


def _read_pairs(pairs: Iterable[Any], name: str, wanted: str) -> list[Any]:
    """Return (train, test) pairs as a list, or raise an error for anything else."""
    read = list(islice(pairs, _ENDLESS + 1))
    if len(read) > _ENDLESS:
        raise ValueError(
            f"{name} yields more than {_ENDLESS} pairs; pass {wanted}. A generator must end."
        )
    for k, pair in enumerate(read):
        if not is_list_of_length(pair, 2):
            raise ValueError(
                f"{name} item {k} is {brief(pair)}, not a (train, test) pair; pass {wanted}."
            )
    return read


def check_splits(splits: Any, n_splits: int) -> list[int]:
    """Return the numbers of the splits of a part, in ascending order."""
    numbers = list(splits) if is_several(splits) else [splits]
    wanted = (
        f"splits={brief(numbers)} must be numbers of the {n_splits} splits, from 0 to "
        f"{n_splits - 1}, each once, such as range(0, {max(1, n_splits // 2)})."
    )
    if isinstance(splits, Mapping) or not all(map(is_integer, numbers)):
        raise TypeError(wanted)
    if not 0 < len(numbers) == len(set(numbers) & set(range(n_splits))):
        raise SplitDesignError(wanted)
    return sorted(map(int, numbers))


def draw_splits(cv: Any, X: Any, y: Any, split_params: Mapping[str, Any]) -> Any:
    """Return the splits that a splitter draws: of ours `LazySplits`, else pairs as they come."""
    if getattr(cv.split, "__func__", None) is LazySplitter.split:  # which was not overridden
        return cv.lazy_split(X, y, **split_params)
    return _draw_pairs(cv, X, y, split_params)


_WANTED = "pairs of training and test row numbers, one for each split"


def _draw_pairs(
    cv: Any, X: Any, y: Any, split_params: Mapping[str, Any]
) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of a splitter; an error says what is wrong with them, and where."""
    name = one_line(cv)
    most = _ENDLESS
    n_drawn = 0
    try:
        drawn = cv.split(X, y, **split_params)
        if not isinstance(drawn, Iterable):
            raise TypeError(
                f"{name}.split returned {one_line(drawn)}; it must return or yield {_WANTED}."
            )
        with suppress(Exception):  # a splitter need not say how many it draws
            most = int(cv.get_n_splits(X, y, **split_params))
        for sides in drawn:
            if n_drawn >= most:
                raise SplitDesignError(
                    f"{name} has drawn more than {n_drawn} splits: more than its get_n_splits "
                    "says, or it does not end. Fix the splitter, or pass a list of the splits "
                    "that are meant."
                )
            if not isinstance(sides, Sized) or len(sides) != 2:
                raise TypeError(
                    f"{name}.split yielded {textwrap.shorten(repr(sides), 60)} as split "
                    f"{n_drawn}; it must yield {_WANTED}."
                )
            n_drawn += 1
            yield tuple(sides)  # type: ignore[misc, arg-type]
    except Exception as error:
        error.add_note(f"skcvstats: {name} raised this at split {n_drawn}, before the first fit")
        if "'groups' parameter should not be None" in str(error):
            raise ValueError(
                f"The 'groups' parameter should not be None. {name} needs groups; pass groups=, "
                "one entry for each row."
            ) from error
        raise
