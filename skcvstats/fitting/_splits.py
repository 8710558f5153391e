"""The splits to fit on, walked once: drawn, checked, and watched for what a note must say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from .._utils._arrays import digest_of, one_output
from .._utils._checks import is_integer, listed, n_rows, one_line
from ..exceptions import SplitDesignError
from ..scores import (
    Note,
    SharedRows,
    SplitDesign,
    SplitReader,
    draw_splits,
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
    """The splits of a call, by number, in any order and as often as needed; in a part numbers stay.

    Those of our splitters are recipes, from which a worker makes them. The row numbers of others
    are held, and sent to the workers that need them.
    """

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


@dataclass(frozen=True)
class PlannedSplits:
    """The splits of one splitter and their design, which has no digests of splits not made yet."""

    splits: Splits
    design: SplitDesign
    unseeded: bool = False

    @property
    def identity(self) -> str:
        """What identifies these splits among others of the same sizes, without making them."""
        for _, lazy in self.splits.recipes:
            return digest_of(repr(lazy.root)).hex()
        return str(self.design.digest)

    def tests(self) -> Iterator[np.ndarray]:
        """Make or take the test rows of each split."""
        if self.splits.held:
            return (split.test for split in self.splits.take(range(self.design.n_splits)))
        return (test for _, lazy in self.splits.recipes for _, test in lazy)


def plan_splits(
    cv: Any,
    X: Any,
    y: Any,
    split_params: Mapping[str, Any],
    *,
    may_overlap: bool = False,
    shares: bool = False,
    labels: LabelWatch | None = None,
) -> PlannedSplits:
    """Draw the splits and walk them once: ours stay recipes, those of other splitters are held."""
    # Recipes are made for shared rows and for the labels only where there may be something to say.
    about: dict[str, Any] = {"y_digest": target_digest(y), "source": one_line(cv)}
    shared = SharedRows(X, y) if shares else None
    drawn, unseeded = draw_splits(cv, X, y, split_params), False
    if isinstance(drawn, LazySplits):
        facts, unseeded, splits = drawn.facts(), drawn.seed is None, Splits.made_by(drawn)
        if shared is not None and not shared.are_enough(min(facts["n_test"])):
            shared = None
        if labels is not None and not labels.may_matter(facts):
            labels = None
        watches = [watch for watch in (labels, shared) if watch is not None]
        for sides in drawn if watches else ():
            for watch in watches:
                watch.add(*sides)
    else:
        # Drawn once, as a second draw may differ, and kept in the smallest type that fits: 1000
        # splits of 100,000 rows take 400 MB, half of the original.
        dtype, groups = np.min_scalar_type(n_rows(X)), split_params.get("groups")
        reader = SplitReader(n_rows(X), groups=groups, y=y, cv=cv, may_overlap=may_overlap)
        held: dict[int, Split] = {}
        watches = [watch for watch in (labels, shared) if watch is not None]
        for sides in drawn:
            train, test = reader.add(*sides)
            for watch in watches:
                watch.add(train, test)
            held[len(held)] = Split(train.astype(dtype), test.astype(dtype), reader.digests[-1])
        # Whether it draws others each time, as far as its parameters show.
        if hasattr(cv, "random_state") and getattr(cv, "shuffle", True):
            unseeded = not is_integer(cv.random_state)
        facts, splits = reader.facts(), Splits(held)
    if shared is not None:
        facts["notes"] = union(facts["notes"], shared.notes())
    return PlannedSplits(splits, SplitDesign._made(**facts | about), unseeded)


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


class LabelWatch:
    """Watches for sets without a class, where a metric is not defined, whatever is predicted."""

    # Metrics whose scores of rows depend on the probability of each class need all of them in
    # training, and areas two rows of each in a test set: those of them that are scored `of_rows`.
    # scikit-learn fills in 0.0 for f1 without a positive, and nan for roc_auc of a single class:
    # these are no measurements. The table `METRICS` has what each metric needs of a test set.

    def __init__(
        self,
        metrics: Iterable[Metric],
        y: Any,
        *,
        of_rows: Sequence[Metric] = (),
        only_folds: bool = False,
        kind: str = "",
    ) -> None:
        wanting = [metric for metric in metrics if metric.needs]
        self._kind, self._only_folds = kind, only_folds  # rows are not scored on other splits
        self._n_splits = self._n_untrained = self._n_scarce = 0
        self._trained = [metric for metric in of_rows if metric.is_of_classes]
        self._of_area = any(metric.is_area for metric in of_rows)
        self._needs: dict[Metric, str] = {}
        self._first: dict[Metric, np.ndarray] = {}  # the classes that the first such set lacks
        self._untrained: Any = None
        labels = _sortable(y) if wanting or self._trained or self._of_area else None
        self.is_needed = labels is not None
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
        self._n_bad = dict.fromkeys(self._needs, 0)

    def may_matter(self, facts: Mapping[str, Any]) -> bool:
        """Whether the sets of splits with these facts can lack what a metric needs."""
        if not self.is_needed:
            return False
        is_served = not self._only_folds or facts["levels"][-1] == "fold"
        if is_served and (self._trained or self._of_area):
            return True
        n_test = min(facts["n_test"])
        of_two, others = self._counts.max(), self._counts.sum() - self._counts.min()
        two = (needs in ("two classes", "two values") for needs in self._needs.values())
        return any(n_test <= (of_two if is_two else others) for is_two in two)

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """See the next split."""
        self._n_splits += 1
        if not self.is_needed:
            return
        held, n_classes = self._codes[test], len(self._classes)
        for metric, needs in self._needs.items():
            if needs == "positive":
                is_bad = not (held == self._names.index(metric.positive)).any()
            elif needs == "every class" and n_classes > 2:
                lacks = np.bincount(held, minlength=n_classes) == 0
                if is_bad := bool(lacks.any()):
                    self._first.setdefault(metric, self._classes[lacks])
            else:
                is_bad = bool((held == held[0]).all())
            self._n_bad[metric] += is_bad
        if self._of_area:
            self._n_scarce += int(np.bincount(held, minlength=2).min() < 2)
        if self._trained:
            lacks = np.bincount(self._codes[train], minlength=n_classes) == 0
            if lacks.any():
                self._n_untrained += 1
                if self._untrained is None:
                    self._untrained = self._classes[lacks]

    def undefined(self) -> list[Undefined]:
        """Return the metrics that are not defined on some test sets."""
        found, n = [], self._n_splits
        for metric, needs in self._needs.items():
            if not (n_bad := self._n_bad[metric]):
                continue
            holds = "one value of y only" if needs == "two values" else "one class only"
            if needs == "positive":
                holds = f"no {self._classes[self._names.index(metric.positive)].item()!r}"
            elif metric in self._first:
                lacking = listed(self._first[metric].tolist())
                holds = f"not all {len(self._classes)} classes (the first lacks {lacking})"
            verb = "hold" if n > 1 else "holds"
            sets = f"{self._kind}test set{'s' * (n > 1)}"
            fact = f"{n_bad} of {n} {sets} {verb} {holds}: {metric.called or metric.name} is not "
            named = isinstance(metric.given, str) and metric.needs != "two values"
            found.append(Undefined(metric.name, f"{fact}defined there", named))
        return found

    def untrained(self) -> dict[str, str]:
        """Return the metrics that need each class in training, and which a training set lacks."""
        n = self._n_untrained
        where = f"{n} of {self._n_splits} training sets {'lacks' if n == 1 else 'lack'} a class"
        return lacking_reasons(self._trained, where, self._untrained)

    def check_rows(self) -> None:
        """Raise SplitDesignError if a set lacks what the scores of rows need."""
        if n := self._n_scarce:
            most = min(5, int(self._counts.min()) // 2)
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
        for reason in self.untrained().values():
            raise SplitDesignError(reason)


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
