"""What is known of splits, for the functions that look for notes on them."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .._utils._checks import n_rows
from ..fitting import SplitObserver
from ..scores import MissingEvidenceError, SplitDesign
from ._near_rows import NearRows
from ._shared_rows import SharedRows
from ._split_sums import SplitSums
from ._strata import are_stratified, stratifies
from ._target import classes_of, is_sorted


class SplitsWatch:
    """Watches a walk over splits; of rows in `X`, test rows that equal training rows too."""

    def __init__(self, cv: Any, X: Any, y: Any, groups: Any, n: int | None = None) -> None:
        self.y = y
        self.are_grouped = groups is not None
        self.is_stratified = stratifies(cv)  # None where the kind of the splitter does not show it
        self.classes = None
        if self.is_stratified is None:
            self.classes = classes_of(y)
        n_used = n_rows(X) if n is None else n
        self.sums = SplitSums(n_used, groups, keeps_tests=self.classes is not None)
        self.shared_rows = None if X is None else SharedRows(X, y)
        self.near_rows = NearRows(X, y)

    @property
    def observers(self) -> Sequence[SplitObserver]:
        """Who sees each split."""
        if self.shared_rows is None:
            return [self.sums]
        return [self.sums, self.shared_rows, self.near_rows]


class SplitsEvidence:
    """What is known of a design and of the walk over its splits, if that was watched."""

    def __init__(
        self,
        design: SplitDesign,
        watch: SplitsWatch | None,
        *,
        are_requested: bool = False,
        are_redrawn: bool = True,
    ) -> None:
        self.design = design
        self.are_requested = are_requested  # by a procedure, where no splitter was given
        self.are_redrawn = are_redrawn  # by a second draw
        self._watch = watch

    @property
    def watch(self) -> SplitsWatch:
        if self._watch is None:
            raise MissingEvidenceError("watch")
        return self._watch

    @property
    def near_rows(self) -> NearRows | None:
        return getattr(self._watch, "near_rows", None)

    @property
    def sums(self) -> SplitSums:
        """The sums over the splits, which are not made of splits of ours."""
        if self.watch.sums.n_splits == 0:
            raise MissingEvidenceError("sums")
        return self.watch.sums

    @cached_property
    def n_rows(self) -> int:
        """The number of rows that the splits were drawn from."""
        if self.design.unit == "rows":
            return self.design.n_samples
        return self.sums.n_rows

    @property
    def are_stratified(self) -> bool:
        """Whether the splits are stratified, by the kind of their splitter or by their rows."""
        watch = self.watch
        sums = self.sums
        if watch.classes is None or watch.classes.size < sums.n_rows:
            return bool(watch.is_stratified)
        if self.design.unit == "groups":  # whole groups have no single class
            return False
        return are_stratified(sums.tests, np.flatnonzero(sums.used), watch.classes)

    @property
    def is_target_sorted(self) -> bool:
        return is_sorted(self.watch.y)
