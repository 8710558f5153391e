"""Plan: what to compute for a study with data sets of one size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any

import numpy as np

from .._utils._checks import n_rows, one_line
from ..exceptions import SplitDesignError
from ..scores import SplitDesign
from ..splitters import make_splitter
from ..stats import Procedure
from ._families import Family, Request, make_families, make_request
from ._spec import StudiedProcedure, Study

_PAIRS = ("pair", "half", "split")
# The numbers that are kept for each procedure and hypothesis on a data set; nan if there is none.
KEPT = ("estimate", "standard_error", "scale", "df", "pvalue")
# Any two splits are alike, and any two pairs of splits.
_EXCHANGEABLE = (("split",), ("replicate", "split"), ("fold",))


@dataclass(frozen=True)
class PlannedProcedure:
    """A procedure and where its scores come from."""

    label: str
    test: Procedure
    design: SplitDesign
    family: int
    positions: np.ndarray
    auxiliary: SplitDesign | None
    auxiliary_family: int | None
    auxiliary_positions: np.ndarray | None


@dataclass(frozen=True)
class MeasuredDesign:
    """Splits whose scores are kept for their moments."""

    design: SplitDesign
    family: int
    positions: np.ndarray

    @property
    def of_pairs(self) -> bool:
        """Whether differences of half-samples are kept."""
        return self.design.levels == _PAIRS

    @property
    def n_kept(self) -> int:
        """How many numbers are kept for each estimator."""
        return self.design.shape[0] if self.of_pairs else self.design.n_splits


@dataclass(frozen=True)
class Plan:
    """What to compute for a study."""

    study: Study
    n_rows: int
    families: tuple[Family, ...]
    procedures: tuple[PlannedProcedure, ...]
    measured: tuple[MeasuredDesign, ...]

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of what is kept: the pivots, then the numbers of each measured design."""
        n_estimators = len(self.study.estimators)
        pivots = (len(self.procedures), len(self.study.hypotheses), len(KEPT))
        return [pivots, *((n_estimators, measured.n_kept) for measured in self.measured)]

    @property
    def n_values(self) -> int:
        """How many numbers are kept in all."""
        return sum(int(np.prod(shape)) for shape in self.shapes)

    def unpack(self, values: np.ndarray) -> list[np.ndarray]:
        """Return the arrays that were kept for some data sets."""
        stops = np.cumsum([0, *(int(np.prod(shape)) for shape in self.shapes)])
        return [
            values[:, start:stop].reshape(len(values), *shape)
            for shape, (start, stop) in zip(self.shapes, pairwise(stops), strict=True)
        ]


def make_plan(study: Study, X: Any, y: Any) -> Plan:
    """Make the plan of a study for data sets with as many rows as this one."""
    asked = [_ask(procedure, X, y) for procedure in study.procedures]
    designs = [make_request(cv, X, y) for cv in study.designs]
    for design in designs:
        _require_moments(design)
    requests, losses_of = list(designs), [0] * len(designs)
    for studied, (main, auxiliary) in zip(study.procedures, asked, strict=True):
        requests += [main] if auxiliary is None else [main, auxiliary]
        n_losses = main.design.n_splits if studied.test.needs_losses else 0
        losses_of += [n_losses] if auxiliary is None else [n_losses, 0]
    families = make_families(requests, losses_of)
    for family in families:
        if not family.is_ours:
            _require_repeatable(family, X, y)
    at = {family.key: k for k, family in enumerate(families)}
    return Plan(
        study=study,
        n_rows=n_rows(X),
        families=tuple(families),
        procedures=tuple(
            _place(studied, main, auxiliary, families, at)
            for studied, (main, auxiliary) in zip(study.procedures, asked, strict=True)
        ),
        measured=tuple(_measured(families, requests, at)),
    )


def _require_moments(request: Request) -> None:
    """Raise an error if these splits have no moments to keep."""
    if request.design.levels not in (*_EXCHANGEABLE, _PAIRS):
        raise SplitDesignError(
            f"designs: the splits of {one_line(request.cv)}, arranged as "
            f"{' x '.join(request.design.levels)}, have no single correlation to be measured. Give "
            "RepeatedSubsampleSplit() or HalfSplitPairs() there, and these to a procedure."
        )


def _require_repeatable(family: Family, X: Any, y: Any) -> None:
    """Raise an error if another package's splitter does not draw the same splits with a seed."""
    drawn, again = (chain(*family.splits(X, y, seed=0)) for _ in range(2))
    if not all(map(np.array_equal, drawn, again)):
        raise SplitDesignError(
            f"{one_line(family.cv)} draws other splits at each call, also with the same "
            "random_state, so that the study could not be repeated. Use a splitter that draws from "
            "its random_state only."
        )


def _ask(studied: StudiedProcedure, X: Any, y: Any) -> tuple[Request, Request | None]:
    """Return the requests of a procedure, after checking that it can use the splits."""
    test = studied.test
    try:
        main = make_request(studied.cv, X, y)
        test.require(main.design)
        asked = test.auxiliary_request(main.design)
        cv = studied.auxiliary or (None if asked is None else make_splitter(asked, None))
        auxiliary = None if cv is None else make_request(cv, X, y)
        # The splits may be drawn inside a part of the rows: the data are the same here.
        whole = replace(main.design, n_samples=n_rows(X))
        test.require_auxiliary(whole, None if auxiliary is None else auxiliary.design)
    except SplitDesignError as error:
        error.add_note(f"skcvstats: procedure {studied.label!r}, data sets of {n_rows(X)} rows")
        raise
    return main, auxiliary


def _place(
    studied: StudiedProcedure,
    main: Request,
    auxiliary: Request | None,
    families: list[Family],
    at: dict[str, int],
) -> PlannedProcedure:
    family = at[main.key]
    other = None if auxiliary is None else at[auxiliary.key]
    return PlannedProcedure(
        label=studied.label,
        test=studied.test,
        design=main.design,
        family=family,
        positions=families[family].positions(main.shape),
        auxiliary=None if auxiliary is None else auxiliary.design,
        auxiliary_family=other,
        auxiliary_positions=(
            None if auxiliary is None else families[at[auxiliary.key]].positions(auxiliary.shape)
        ),
    )


def _measured(
    families: list[Family], requests: list[Request], at: dict[str, int]
) -> Iterator[MeasuredDesign]:
    """Yield each family of exchangeable splits once, and each arrangement of half-samples."""
    for k, family in enumerate(families):
        found = family.design
        if found.levels in _EXCHANGEABLE:
            n_splits = len(family.wanted)
            n_train, n_test = found.n_train, found.n_test
            if family.is_ours:  # a member of the family may have fewer splits
                n_train, n_test = n_train[:1] * n_splits, n_test[:1] * n_splits
            design = SplitDesign(n_samples=found.n_samples, n_train=n_train, n_test=n_test)
            yield MeasuredDesign(design, k, np.arange(n_splits))
    pairs = {
        (request.key, request.shape): request
        for request in requests
        if request.design.levels == _PAIRS
    }
    for request in pairs.values():
        family = families[at[request.key]]
        yield MeasuredDesign(request.design, at[request.key], family.positions(request.shape))
