"""Study: the checked arguments of a simulation, and the random numbers of each data set."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._utils._checks import (
    check_estimators,
    check_flag,
    distinct,
    is_integer,
    is_several,
    one_line,
)
from ..fitting import FitRecord, Workload, default_scoring, read_metrics, resolve_metrics
from ..splitters import make_splitter, to_splitter
from ..stats import Procedure, get_procedure

# The random streams of a data set.
DATA, SPLITS, ESTIMATORS = range(3)


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
    label: str = None  # type: ignore[assignment]  # made from test

    def __post_init__(self) -> None:
        test = get_procedure(self.test)
        cv = self.cv
        if cv is None and test.request.kind != "folds":  # those follow from the data
            cv = make_splitter(test.request, None)
        label = test.name if self.label is None else self.label
        if not isinstance(label, str) or not label:
            raise TypeError(f"label={label!r} must be a non-empty string.")
        given = {"cv": cv, "auxiliary": self.auxiliary}
        splitters = {
            name: check_splitter(name, part) for name, part in given.items() if part is not None
        }
        for name, value in {"test": test, "label": label, **splitters}.items():
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
    """What is simulated: arguments of `simulate`, which documents them, checked."""

    generator: Callable[..., Any]
    estimators: Mapping[str, Any]
    procedures: tuple[StudiedProcedure, ...]
    designs: tuple[Any, ...]
    metric: Any
    random_state: int
    reseed: bool
    records: Callable[..., Iterable[FitRecord]] | None
    work: Workload = field(init=False)

    def __post_init__(self) -> None:
        if not callable(self.generator):
            raise TypeError(
                f"generator={self.generator!r} must be a callable generator(random_state) that "
                "returns X and y of one data set."
            )
        if not is_integer(self.random_state) or self.random_state < 0:
            raise ValueError(
                f"random_state={self.random_state!r} must be an integer of at least 0: a study can "
                "be continued and repeated, data set by data set."
            )
        if self.records is not None and not callable(self.records):
            raise TypeError(
                f"records={self.records!r} must be None or a callable records(work, X, y, splits) "
                "that yields FitRecords."
            )
        if self.records is not None and self.reseed:
            raise ValueError(
                "records= makes its own fits, which reseed=True cannot seed. Leave one of them out."
            )
        estimators = _check_estimators(self.estimators)
        procedures, designs = _check_procedures(self.procedures), _check_designs(self.designs)
        if not procedures and not designs:
            raise ValueError(
                "procedures=() and designs=() leave nothing to study. Pass procedures=, such as "
                '["corrected_resampled_t"], or designs=, such as [RepeatedSubsampleSplit(25)].'
            )
        metric = default_scoring(estimators, of_rows=True) if self.metric is None else self.metric
        work = _make_work(metric, estimators, [it for it in procedures if it.test.needs_rows])
        checked = {
            "estimators": estimators,
            "procedures": procedures,
            "designs": designs,
            "metric": metric,
            "random_state": int(self.random_state),
            "reseed": check_flag("reseed", self.reseed),
            "work": work,
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """The names of the estimators and, with two, their difference."""
        names = tuple(self.estimators)
        return names if len(names) == 1 else (*names, f"{names[0]}-{names[1]}")

    @property
    def metric_name(self) -> str:
        return self.work.metrics[0].name

    def seed(self, *key: int) -> int:
        """Return the `random_state` of all splitters on a data set, or of an estimator in a fit."""
        return int(np.random.SeedSequence(self.random_state, spawn_key=key).generate_state(1)[0])


def _make_work(
    metric: Any, estimators: Mapping[str, Any], on_rows: Sequence[StudiedProcedure]
) -> Workload:
    """Return the fits and their metric, of rows too for procedures that work on them."""
    if not isinstance(metric, str) and not callable(metric):
        raise ValueError(f"scoring={metric!r} must be one metric's name or a callable.")
    (read,) = read_metrics(metric)
    suits = [
        studied.test.unsuitable("the metric", of_rows=read.of_rows) is None for studied in on_rows
    ]
    mute = [studied.label for studied, does in zip(on_rows, suits, strict=True) if not does]
    if mute:
        raise ValueError(
            f"{mute} work on the scores of the test rows, and {read.describe()} is not "
            'their mean. Give a metric that is, such as scoring="neg_mean_squared_error".'
        )
    if read.row_function and read.is_scorer and read.sign < 0:
        # by which it is known for a negated loss
        read = replace(read, name=f"neg_{read.row_function}", alone=False)
    metrics = resolve_metrics([read], estimators)
    return Workload.of(estimators, metrics, of_rows=bool(on_rows), error_score="raise")


def _check_designs(designs: Any) -> tuple[Any, ...]:
    if not is_several(designs):
        raise TypeError(
            f"designs={designs!r} must be a list of splitters, as [RepeatedSubsampleSplit(25)]."
        )
    return tuple(check_splitter("designs", cv) for cv in designs)


def _check_estimators(estimators: Any) -> dict[str, Any]:
    if not isinstance(estimators, Mapping) or len(estimators) not in (1, 2):
        raise TypeError(
            "estimators must be a dict of one or two, such as {'mean': DummyRegressor(), 'line': "
            f"LinearRegression()}}; got {estimators!r}."
        )
    for name, estimator in check_estimators(estimators, at_least=1).items():
        for key, value in estimator.get_params(deep=True).items():
            if isinstance(value, (np.random.RandomState, np.random.Generator)):
                raise ValueError(
                    f"{name!r} has {key}={value!r}, which cannot be compared with another when a "
                    "study is continued. Pass an integer for the same seed in every fit, or None "
                    "for a new one, which the study makes repeatable."
                )
    return dict(estimators)


def _check_procedures(procedures: Any) -> tuple[StudiedProcedure, ...]:
    if isinstance(procedures, (str, Procedure, StudiedProcedure)):
        procedures = [procedures]
    if not is_several(procedures):
        raise TypeError(
            f"procedures={procedures!r} must be a list of StudiedProcedures, procedures or names."
        )
    studied = tuple(
        procedure if isinstance(procedure, StudiedProcedure) else StudiedProcedure(test=procedure)
        for procedure in procedures
    )
    distinct((it.label for it in studied), "labels of procedures (StudiedProcedure(label=...))")
    return studied
