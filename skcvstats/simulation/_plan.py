"""Study and Plan: the checked arguments of a simulation, the splits it needs, what is kept."""

import copy
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, pairwise
from typing import Any

import joblib
import numpy as np
from sklearn.base import is_classifier

from .._utils._checks import n_rows, one_line
from .._utils._shared_arguments import check_optional_alternative
from ..exceptions import SplitDesignError
from ..fitting import FitRecord, Workload, plan_splits
from ..model_selection import HalfSplitPairs, RepeatedSubsampleSplit, RepeatedTwoFold
from ..scores import SplitDesign
from ..splitters import make_splitter, to_splitter
from ..stats import Procedure, get_procedure, require_auxiliary


@dataclass(frozen=True, kw_only=True)
class StudiedProcedure:
    """A procedure and the splits that it is given on every data set of a study.

    Parameters
    ----------
    test : str or Procedure
        The procedure: one of `get_procedure_names()`, or an instance with its own options. Its null
        value does not matter: a study uses a grid of them.
    cv : None, int, splitter or iterable of splits, default=None
        The splits of the estimate; None is what the procedure asks for. A splitter's
        `random_state` must be None, as the study seeds it for each data set.
    auxiliary : splitter, default=None
        The auxiliary splits of a procedure that has them; None is what the procedure asks for.
    label : str, default=None
        What results call it; None is the procedure's name.
    alternative : {"two-sided", "less", "greater"}, default=None
        Where the true value lies if not at the null value; None is that of the procedure.
    design, auxiliary_design : SplitDesign, default=None
        The splits of the estimate and the auxiliary ones, which a study sets in its result.

    {See Also: simulate}

    Examples
    --------
    >>> from skcvstats import HalfSplitPairs, RepeatedSubsampleSplit
    >>> from skcvstats.simulation import StudiedProcedure
    >>> one = StudiedProcedure(
    ...     test="conservative_z",
    ...     cv=RepeatedSubsampleSplit(15, test_size=0.5),
    ...     auxiliary=HalfSplitPairs(10, 15, test_size=0.1),
    ...     label="conservative Z at n/2",
    ... )
    >>> one.test
    ConservativeZTest(null_value=0.0, alternative='two-sided', n_pairs=10)
    """

    test: Procedure
    cv: Any = None
    auxiliary: Any = None
    label: str = None  # type: ignore[assignment]  # made from test, as the alternative
    alternative: str = None  # type: ignore[assignment]
    design: SplitDesign = None  # type: ignore[assignment]  # of a result
    auxiliary_design: SplitDesign | None = None

    def __post_init__(self) -> None:
        check_optional_alternative(self.alternative)
        test = get_procedure(self.test)
        label = test.name if self.label is None else self.label
        if not isinstance(label, str) or not label:
            raise TypeError(f"label={label!r} must be a non-empty string.")
        arguments = {"cv": self.cv, "auxiliary": self.auxiliary}
        splitters = {
            name: check_splitter(name, part) for name, part in arguments.items() if part is not None
        }
        alternative = test.alternative
        if self.alternative is not None:  # of a result, where losses turn it round
            alternative = self.alternative
        values = {"test": test, "label": label, "alternative": alternative, **splitters}
        for name, value in values.items():
            object.__setattr__(self, name, value)


def check_splitter(name: str, cv: Any) -> Any:
    """Return a splitter that a study can seed, or raise an error that says why it cannot."""
    cv = to_splitter(cv, None, classifier=False, name=name)
    if getattr(cv, "random_state", None) is not None:
        raise ValueError(
            f"{name}={one_line(cv)} has its own random_state, so that all data sets would share "
            "their splits. Leave it out: a study seeds the splits of each data set."
        )
    return cv


@dataclass(frozen=True, kw_only=True)
class Study:
    """What is simulated: the arguments of `simulate`, checked."""

    generator: Callable[..., Any]
    estimators: Mapping[str, Any]
    procedures: tuple[StudiedProcedure, ...]
    designs: tuple[Any, ...]
    random_state: int
    fresh_seeds: bool
    records: Callable[..., Iterable[FitRecord]] | None
    work: Workload

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """The names of the estimators and, with two, their difference."""
        names = tuple(self.estimators)
        return (*names, *map("-".join, pairwise(names)))

    @property
    def metric_name(self) -> str:
        return self.work.metrics[0].name

    @property
    def content(self) -> tuple[Any, ...]:
        """What identifies the study in a store, besides its first data set."""
        return (
            self.estimators,
            self.metric_name,
            self.generator,
            [(studied.test, studied.cv, studied.auxiliary) for studied in self.procedures],
            self.designs,
            self.work.metrics[0].given,
            self.random_state,
            self.records,
            self.fresh_seeds,
        )

    def seed(self, *key: int) -> int:
        """Return the `random_state` of all splitters on a data set, or of an estimator in a fit."""
        return int(np.random.SeedSequence(self.random_state, spawn_key=key).generate_state(1)[0])


@dataclass(frozen=True)
class Request:
    """The splits that one splitter requests, of a family of splitters that share theirs."""

    cv: Any
    design: SplitDesign
    key: str  # of the family
    seed_key: str  # the same with every version of the splitter
    shape: tuple[int, ...]
    n_row_splits: int = 0  # the scores of rows are kept for the first ones
    positions: np.ndarray = None  # type: ignore[assignment]  # among the splits of the family

    def numbers_in(self, shape: tuple[int, ...]) -> np.ndarray:
        """Return the numbers of the splits among those of a family of this shape."""
        numbers = np.arange(np.prod(shape)).reshape(shape)
        return numbers[tuple(map(slice, self.shape))].ravel()


def make_request(cv: Any, X: Any, y: Any) -> Request:
    """Return the request of a splitter for data of this size."""
    if not _is_ours(cv):
        drawn = SplitDesign.from_any_draw(cv, X, y)
        # Without what is specific to the first data set.
        facts = ("n_samples", "n_train", "n_test", "levels", "shape", "source")
        design = SplitDesign(**{name: getattr(drawn, name) for name in facts})
        sizes = (type(cv).__name__, design.n_samples, design.n_train, design.n_test)
        content = str(id(cv))  # by which it shares its splits with no other
        with suppress(Exception):  # of what cannot be pickled
            content = joblib.hash(cv)
        return Request(cv, design, content, str(sizes), (design.n_splits,))
    lazy = cv.lazy_split(X, y)
    design = SplitDesign(**lazy.facts() | {"seed": None}, source=one_line(cv))
    shape = (len(lazy),) if type(cv) is RepeatedSubsampleSplit else lazy.shape
    sizes = (lazy.n_samples, lazy.n_train, lazy.n_test, cv.stratify)
    key = f"{type(cv).__name__}{sizes}"
    return Request(cv, design, key, key, shape)


def _is_ours(cv: Any) -> bool:
    """Return whether a splitter is one of ours that draws as its class does."""
    ours = (RepeatedSubsampleSplit, HalfSplitPairs, RepeatedTwoFold)
    return type(cv) in ours and not {"split", "lazy_split"} & vars(cv).keys()


@dataclass(frozen=True, kw_only=True)
class Family(Request):
    """The request of splits that several share, and which of them are needed."""

    wanted: np.ndarray

    def splits(self, X: Any, y: Any, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
        """Draw the needed splits of one data set."""
        cv = copy.copy(self.cv)
        if hasattr(cv, "random_state"):
            cv.random_state = seed
        if _is_ours(cv):  # as many as the family has
            return list(replace(cv.lazy_split(X, y), shape=self.shape).take(self.wanted))
        planned = plan_splits(cv, X, y, {})
        design = planned.design
        if _arrangement(design) != _arrangement(self.design):
            raise SplitDesignError(
                f"{one_line(cv)} gives splits of other sizes here than on the first data set, or "
                f"arranged in another way ({design.levels} {design.shape}, and there "
                f"{self.design.levels} {self.design.shape}). A study needs the same on all, as "
                "RepeatedSubsampleSplit gives them."
            )
        return [split[:2] for split in planned.splits.take(self.wanted.tolist())]


def _arrangement(design: SplitDesign) -> tuple[Any, ...]:
    """Return what is the same in the splits of all data sets."""
    return design.levels, design.shape, design.n_train, design.n_test


def make_families(requests: Sequence[Request]) -> dict[str, Family]:
    """Join requests that can share their splits, by their key."""
    by_key = defaultdict[str, list[Request]](list)
    for request in requests:
        by_key[request.key].append(request)
    families = {}
    for key, members in by_key.items():
        shape = tuple(np.max([request.shape for request in members], axis=0).tolist())
        wanted = np.unique(np.concatenate([request.numbers_in(shape) for request in members]))
        n_row_splits = max(request.n_row_splits for request in members)
        facts = vars(members[0]) | {"shape": shape, "n_row_splits": n_row_splits}
        families[key] = Family(**facts, wanted=wanted)
    return families


_PAIRS = ("pair", "half", "split")
# The numbers that are kept for each procedure and hypothesis on a data set; nan if there is none.
KEPT = ("estimates", "standard_errors", "scales", "dfs", "pvalues")
# Any two splits are alike, and any two pairs of splits.
_EXCHANGEABLE = (("split",), ("replicate", "split"), ("fold",))


@dataclass(frozen=True)
class Plan:
    """What to compute for a study."""

    study: Study
    n_rows: int
    families: dict[str, Family]
    places: list[tuple[Request, Request | None]]  # the main and auxiliary splits of procedures
    measured: tuple[Request, ...]  # splits whose scores are kept for their moments

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of what is kept: the pivots, then the numbers of each measured design."""
        n_estimators = len(self.study.estimators)
        pivots = (len(self.places), len(self.study.hypotheses), len(KEPT))
        return [pivots, *((n_estimators, measured.design.shape[0]) for measured in self.measured)]


def make_plan(study: Study, X: Any, y: Any) -> Plan:
    """Make the plan of a study for data sets with as many rows as this one."""
    asked = [_ask(procedure, study, X, y) for procedure in study.procedures]
    designs = [make_request(cv, X, y) for cv in study.designs]
    for request in designs:
        if request.design.levels not in (*_EXCHANGEABLE, _PAIRS):
            raise SplitDesignError(
                f"designs: the splits of {one_line(request.cv)}, arranged as "
                f"{' x '.join(request.design.levels)}, have no single correlation to be measured. "
                "Give RepeatedSubsampleSplit() or HalfSplitPairs() there, and these to a procedure."
            )
    requests = [*designs, *filter(None, chain.from_iterable(asked))]
    families = make_families(requests)
    for family in families.values():
        _check_repeatable(family, X, y)

    def place(request: Request) -> Request:
        family = families[request.key]
        positions = np.searchsorted(family.wanted, request.numbers_in(family.shape))
        return replace(request, positions=positions)

    places = [(place(main), other and place(other)) for main, other in asked]
    # The scores of each family of exchangeable splits are kept once, and those of pairs.
    measured = [
        _measured(family) for family in families.values() if family.design.levels in _EXCHANGEABLE
    ]
    pairs = {
        (request.key, request.shape): place(request)
        for request in requests
        if request.design.levels == _PAIRS
    }
    return Plan(study, n_rows(X), families, places, (*measured, *pairs.values()))


def _check_repeatable(family: Family, X: Any, y: Any) -> None:
    """Raise SplitDesignError if a splitter draws other splits from one random_state."""
    drawn = chain(*family.splits(X, y, seed=0))
    again = chain(*family.splits(X, y, seed=0))
    if not all(map(np.array_equal, drawn, again)):
        raise SplitDesignError(
            f"{one_line(family.cv)} draws other splits at each call with one random_state, so "
            "the study could not be repeated. Use one that draws from its random_state only."
        )


def _measured(family: Family) -> Request:
    """Return the request of all splits of a family, whose scores are kept for their moments."""
    # The design of ours may have fewer splits, of one size.
    design_of_family = family.design
    n_splits = len(family.wanted)
    design = SplitDesign(
        n_samples=design_of_family.n_samples,
        n_train=np.resize(design_of_family.n_train, n_splits),  # type: ignore[arg-type]
        n_test=np.resize(design_of_family.n_test, n_splits),  # type: ignore[arg-type]
    )
    return replace(family, design=design, positions=np.arange(n_splits))


def _ask(studied: StudiedProcedure, study: Study, X: Any, y: Any) -> tuple[Request, Request | None]:
    """Return the requests of a procedure, after checking that it can use the splits."""
    test = studied.test
    classifier = all(map(is_classifier, study.estimators.values()))
    draw = partial(make_splitter, data=(X, y, None), random_state=None, classifier=classifier)
    try:
        main = make_request(studied.cv or draw(test.request), X, y)
        test.require(main.design)
        asked = test.auxiliary_request(main.design)
        cv = studied.auxiliary
        if cv is None and asked is not None:
            cv = draw(asked)
        auxiliary = None
        auxiliary_design = None
        if cv is not None:
            auxiliary = make_request(cv, X, y)
            auxiliary_design = auxiliary.design
        # The splits may be drawn inside a part of the rows: the data are the same here.
        whole = replace(main.design, n_samples=n_rows(X))
        require_auxiliary(test, whole, auxiliary_design)
    except SplitDesignError as error:
        error.add_note(f"skcvstats: procedure {studied.label!r}, data sets of {n_rows(X)} rows")
        raise
    if test.needs_rows:
        main = replace(main, n_row_splits=main.design.n_splits)
    return main, auxiliary
