"""The splits to fit on, walked once: drawn, checked, and watched for what a note must say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, Protocol

import numpy as np

from .._utils._arrays import digest_of, one_output
from .._utils._checks import is_integer, listed, n_rows, one_line
from ..exceptions import SplitDesignError
from ..scores import (
    Note,
    SharedRows,
    SplitDesign,
    SplitReader,
    drawn_splits,
    lazy_split_of,
    split_digest,
    target_digest,
    union,
)
from ..splitters import LazySplits
from ._metrics import AREA, Metric


class Split(NamedTuple):
    """One split, with its fingerprint."""

    train: np.ndarray
    test: np.ndarray
    digest: str


@dataclass(frozen=True)
class Splits:
    """The splits of a call, by number, in any order and as often as needed."""

    held: Mapping[int, Split]
    recipes: tuple[tuple[range, LazySplits], ...] = ()  # each with its numbers

    @classmethod
    def of(cls, pairs: Iterable[tuple[np.ndarray, np.ndarray]]) -> Splits:
        """Hold pairs of training and test rows, which need no fingerprint."""
        return cls({k: Split(train, test, "") for k, (train, test) in enumerate(pairs)})

    @classmethod
    def made_by(cls, lazy: LazySplits) -> Splits:
        """Make the splits of one of our splitters when they are needed."""
        return cls({}, ((range(len(lazy)), lazy),))

    def __len__(self) -> int:
        return len(self.held) + sum(len(numbers) for numbers, _ in self.recipes)

    def then(self, other: Splits) -> Splits:
        """Return these splits and others, whose numbers continue those of these."""
        n = len(self)
        held = {**self.held, **{n + k: split for k, split in other.held.items()}}
        further = ((range(n + its.start, n + its.stop), lazy) for its, lazy in other.recipes)
        return Splits(held, (*self.recipes, *further))

    def part(self, numbers: Sequence[int]) -> Splits:
        """Return what a worker needs for these splits."""
        return Splits({k: self.held[k] for k in numbers if k in self.held}, self.recipes)

    def take(self, numbers: Iterable[int]) -> Iterator[Split]:
        """Make or return these splits, with row numbers of NumPy's index type."""
        made = self.recipes
        for recipe, group in groupby(numbers, lambda k: next((r for r in made if k in r[0]), None)):
            if recipe is not None:
                its, lazy = recipe
                for train, test in lazy.take(k - its.start for k in group):
                    yield Split(train, test, split_digest(train, test))
                continue
            for k in group:
                train, test, digest = self.held[k]
                train, test = (rows.astype(np.intp, copy=False) for rows in (train, test))
                yield Split(train, test, digest)


class Watch(Protocol):
    """Sees each split once, for what its own method says afterwards."""

    def may_matter(self, facts: Mapping[str, Any]) -> bool:
        """Whether there may be something to say of splits with these facts."""

    def add(self, train: np.ndarray, test: np.ndarray) -> Any:
        """See the next split."""


@dataclass(frozen=True)
class PlannedSplits:
    """The splits of one splitter and the facts of their design."""

    splits: Splits
    facts: Mapping[str, Any]
    unseeded: bool = False

    def design(self, digests: Sequence[str] | None = None) -> SplitDesign:
        """Return the design, with the digests of the fitted splits if given."""
        known = {} if digests is None else {"digests": tuple(digests)}
        return SplitDesign._made(**{**self.facts, **known})

    @property
    def identity(self) -> str:
        """What identifies these splits among others of the same sizes, without making them."""
        for _, lazy in self.splits.recipes:
            return digest_of(repr(lazy.root)).hex()
        return str(self.design().digest)

    def tests(self) -> Iterator[np.ndarray]:
        """Make or take the test rows of each split."""
        if self.splits.held:
            return (split.test for split in self.splits.take(range(len(self.splits))))
        return (test for _, lazy in self.splits.recipes for _, test in lazy)


def plan_splits(
    cv: Any,
    X: Any,
    y: Any,
    split_params: Mapping[str, Any],
    *,
    may_overlap: bool = False,
    shares: bool = False,
    watches: Sequence[Watch] = (),
) -> PlannedSplits:
    """Draw the splits and walk them once: ours stay recipes, those of other splitters are held."""
    # Recipes are made for shared rows and for the watches only where there may be something to say.
    about: dict[str, Any] = {"y_digest": target_digest(y), "source": one_line(cv)}
    shared = SharedRows(X, y) if shares else None
    make_lazy = lazy_split_of(cv)
    if make_lazy is not None:
        lazy = make_lazy(X, y, **split_params)
        facts = {**lazy.facts(), **about}
        if shared is not None and not shared.are_enough(min(facts["n_test"])):
            shared = None
        seeing = [watch.add for watch in watches if watch.may_matter(facts)]
        seeing += [] if shared is None else [shared.add]
        for sides in lazy if seeing else ():
            for see in seeing:
                see(*sides)
        noted = () if shared is None else shared.notes()
        facts["notes"] = union(facts["notes"], noted)
        return PlannedSplits(Splits.made_by(lazy), facts, lazy.seed is None)
    # Drawn once, as a second draw may differ, and kept in the smallest type that fits: 1000 splits
    # of 100,000 rows take 400 MB, half of the original.
    dtype, groups = np.min_scalar_type(n_rows(X)), split_params.get("groups")
    reader = SplitReader(n_rows(X), groups=groups, y=y, cv=cv, may_overlap=may_overlap)
    held: dict[int, Split] = {}
    seeing = [watch.add for watch in watches] + ([] if shared is None else [shared.add])
    for sides in _drawn(cv, X, y, split_params):
        train, test = reader.add(*sides)
        for see in seeing:
            see(train, test)
        held[len(held)] = Split(train.astype(dtype), test.astype(dtype), reader.digests[-1])
    # Whether it draws others each time, as far as its parameters show.
    draws = hasattr(cv, "random_state") and getattr(cv, "shuffle", True)
    is_unseeded = bool(draws) and not is_integer(cv.random_state)
    facts = {**reader.facts(), **about}
    facts["notes"] = union(facts["notes"], () if shared is None else shared.notes())
    return PlannedSplits(Splits(held), facts, is_unseeded)


def _drawn(
    cv: Any, X: Any, y: Any, split_params: Mapping[str, Any]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the splits; an error says at which split it was raised, or that groups are needed."""
    n_drawn = 0
    try:
        for sides in drawn_splits(cv, X, y, split_params):
            n_drawn += 1
            yield sides
    except Exception as error:
        if n_drawn:
            error.add_note(
                f"skcvstats: {one_line(cv)} raised this at split {n_drawn}, before the first fit"
            )
        asked = "'groups' parameter should not be None" in str(error)
        if asked and isinstance(error, ValueError) and split_params.get("groups") is None:
            raise ValueError(
                f"The 'groups' parameter should not be None. {one_line(cv)} needs groups; pass "
                "groups=, one entry for each row."
            ) from error
        raise


@dataclass(frozen=True)
class Undefined:
    """A metric that is not defined on some test sets."""

    metric: str
    fact: str
    named: bool

    @property
    def note(self) -> Note:
        """The fact as a note on the scores of this metric."""
        return Note("undefined metric", f"{self.fact}; those scores are no measurements")


class UndefinedWatch:
    """Watches for test sets on which a metric is not defined, whatever the predictions."""

    # There scikit-learn returns a filler, such as 0.0 for f1 without a positive: no measurement.

    def __init__(self, metrics: Iterable[Metric], y: Any, kind: str = "") -> None:
        wanting = [metric for metric in metrics if metric.needs]
        labels = _sortable(y) if wanting else None
        self._kind, self._n_splits = kind, 0
        self._needs: dict[Metric, str] = {}
        self._bad: dict[Metric, int] = {}
        self._lacking: dict[Metric, np.ndarray] = {}  # the classes, of the first such test set
        if labels is None:
            return
        found = np.unique(labels, return_inverse=True, return_counts=True)
        self._classes, self._codes, self._counts = found
        self._names = list(map(str, self._classes))
        for metric in wanting:
            if metric.needs != "positive":
                self._needs[metric] = metric.needs
            elif metric.positive in self._names:  # else another problem: it knows no such label
                self._needs[metric] = "every class" if len(self._names) > 2 else "positive"
        self._bad = dict.fromkeys(self._needs, 0)

    def may_matter(self, facts: Mapping[str, Any]) -> bool:
        """Whether test sets of these sizes can lack what a metric needs."""
        two = [needs in ("two classes", "two values") for needs in self._needs.values()]
        counts = self._counts if two else np.zeros(1)
        most = (counts.max() if of_two else counts.sum() - counts.min() for of_two in two)
        return any(min(facts["n_test"]) <= n for n in most)

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """See the next split."""
        self._n_splits += 1
        held = self._codes[test] if self._needs else test
        for metric, needs in self._needs.items():
            if needs == "positive":
                is_bad = not (held == self._names.index(metric.positive)).any()
            elif needs == "every class" and len(self._classes) > 2:
                lacks = np.bincount(held, minlength=len(self._classes)) == 0
                if is_bad := bool(lacks.any()):
                    self._lacking.setdefault(metric, self._classes[lacks])
            else:
                is_bad = bool((held == held[0]).all())
            self._bad[metric] += is_bad

    def found(self) -> list[Undefined]:
        """Return the metrics that are not defined on some test sets."""
        found, n = [], self._n_splits
        for metric, n_bad in self._bad.items():
            if not n_bad:
                continue
            of_values = self._needs[metric] == "two values"
            holds = "one value of y only" if of_values else "one class only"
            if self._needs[metric] == "positive":
                at = self._names.index(metric.positive)
                holds = f"no {self._classes[at].item()!r}"
            elif metric in self._lacking:
                lacking = listed(self._lacking[metric].tolist())
                holds = f"not all {len(self._classes)} classes (the first lacks {lacking})"
            verb = "hold" if n > 1 else "holds"
            sets = f"{self._kind}test set{'s' * (n > 1)}"
            fact = f"{n_bad} of {n} {sets} {verb} {holds}: {metric.called or metric.name} is not "
            named = isinstance(metric.given, str) and metric.needs != "two values"
            found.append(Undefined(metric.name, f"{fact}defined there", named))
        return found


def _sortable(y: Any) -> np.ndarray | None:
    """Return a target with one output as an array that can be sorted, else None."""
    labels = one_output(y)
    if labels is None or labels.dtype.kind not in "biufUSO":
        return None
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        return None
    if labels.dtype.kind != "O":
        return labels
    return labels.astype(str) if all(isinstance(label, str) for label in labels) else None


def refuse(undefined: Sequence[Undefined], *, several: bool) -> None:
    """Raise SplitDesignError for metrics that were given by name."""
    named = [metric for metric in undefined if metric.named]
    if not named:
        return
    facts = ". ".join(metric.fact for metric in named)
    which = " and ".join(metric.metric for metric in named)
    remedy = (
        "Use larger test sets (test_size=), stratified ones "
        "(cv=RepeatedSubsampleSplit(stratify=True)) or, with groups, splits that are stratified "
        "within groups (such as StratifiedGroupKFold)"
    )
    drop = f"; on_error='drop' leaves {which} out" if several else ""
    raise SplitDesignError(f"{facts}. {remedy}{drop}.")


class ClassesWatch:
    """Watches for training sets that lack a class, and test sets with one row of it at most."""

    def __init__(self, metrics: Iterable[Metric], y: Any, *, only_folds: bool) -> None:
        self._metrics, self._only_folds = list(metrics), only_folds
        of_classes = any(metric.is_of_classes for metric in self._metrics)
        of_areas = any(metric.is_area for metric in self._metrics)
        labels = one_output(y) if of_classes or of_areas else None
        self._in_training = of_classes and labels is not None
        self._is_area = of_areas and labels is not None
        self._n_splits = self._n_lacking = self._n_scarce = 0
        self._first: Any = None
        if labels is not None:
            self._classes, self._codes = np.unique(labels, return_inverse=True)

    def may_matter(self, facts: Mapping[str, Any]) -> bool:
        """Whether these splits are to be watched."""
        is_served = not self._only_folds or facts["levels"][-1] == "fold"
        return is_served and (self._in_training or self._is_area)

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """See the next split."""
        self._n_splits += 1
        if self._in_training:
            lacks = np.bincount(self._codes[train], minlength=len(self._classes)) == 0
            if lacks.any():
                self._n_lacking += 1
                self._first = self._classes[lacks] if self._first is None else self._first
        if self._is_area:
            self._n_scarce += int(np.bincount(self._codes[test], minlength=2).min() < 2)

    def lacking(self) -> dict[str, str]:
        """Return the metrics that need each class in training, and which a training set lacks."""
        n = self._n_lacking
        where = f"{n} of {self._n_splits} training sets {'lacks' if n == 1 else 'lack'} a class"
        return lacking_reasons(self._metrics, where, self._first)

    def check(self) -> None:
        """Raise SplitDesignError if a set lacks what the scores of rows need."""
        if n := self._n_scarce:
            most = min(5, int(np.bincount(self._codes).min()) // 2)
            remedy = (
                f"Use stratified folds, {most} at most: RepeatedStratifiedKFold(n_splits={most}, "
                "n_repeats=4, random_state=0)."
            )
            if most < 3:
                remedy = "The rarer class has too few rows for that; use scoring='neg_log_loss'."
            raise SplitDesignError(
                f"{n} of {self._n_splits} test sets {'holds' if n == 1 else 'hold'} fewer than two "
                f"rows of a class, so {AREA} has no scores of rows there. {remedy}"
            )
        for reason in self.lacking().values():
            raise SplitDesignError(reason)


def lacking_reasons(metrics: Iterable[Metric], where: str, lacking: Any) -> dict[str, str]:
    """Return why metrics that need each class in training cannot serve, by their names."""
    if lacking is None:
        return {}
    said = f"{where} (the first {lacking.tolist()[0]!r}), so models have no probability"
    remedy = (
        "Use stratified folds, such as cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4, "
        "random_state=0), or leave out rows of classes that have so few."
    )
    needing = [metric.name for metric in metrics if metric.is_of_classes]
    return {name: f"{said} of it, which {name} needs. {remedy}" for name in needing}
