"""The splits to fit on, walked once: drawn, checked, and watched for what a note must say."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple, Self

import numpy as np

from .._utils._arrays import OF_DATES, digest_of, one_output, order_of, split_digest, target_digest
from .._utils._checks import is_integer, listed, n_rows, one_line
from .._utils._metrics import FEWEST_ROWS, OF_VARIATION
from .._utils._text import counted
from ..exceptions import SplitDesignError
from ..scores import DesignRequest, Note, SharedRows, SplitDesign, SplitReader, union
from ..splitters import LazySplits, draw_splits, encode_labels
from ._metrics import Metric
from ._row_scores import constant_without

# On fewer rows of a test set metrics of the variation of y are still far from those of many rows.
_MANY_ROWS = 20
# Functions for which both of two classes need two rows or groups in a test set.
_OF_BOTH = ("balanced_accuracy_score", "roc_auc_score")
_OF_CLASSES = (
    "Use larger test sets (fewer folds, or test_size=), stratified ones "
    "(cv=RepeatedSubsampleSplit(stratify=True)) or, with groups, splits that are stratified "
    "within groups (such as StratifiedGroupKFold)"
)
_IN_ORDER = "Use longer test periods: fewer splits, or test_size= of TimeSeriesSplit"
_OF_TRAINING = (
    "Use stratified folds, such as cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4, "
    "random_state=0), or leave out rows of classes that have so few"
)
_OF_NUMBERS = (
    "Use larger test sets, by fewer folds or a larger test_size, or squared errors, "
    "scoring='neg_mean_squared_error'"
)


class Split(NamedTuple):
    """One split, with its fingerprint."""

    train: np.ndarray
    test: np.ndarray
    digest: str


class Bits(NamedTuple):
    """Many row numbers in ascending order, as a bit for each row of the data."""

    packed: np.ndarray


@dataclass(frozen=True)
class Splits:
    """The splits of a call, by number, in any order and as often as needed; in a part numbers stay.

    Those of our splitters are recipes, from which a worker makes them. The row numbers of others
    are held, and sent to the workers that need them.
    """

    held: Mapping[int, Any]  # Split, whose training rows may be Bits
    recipes: tuple[tuple[range, LazySplits], ...] = ()  # each with its numbers

    @classmethod
    def of(cls, pairs: Iterable[tuple[np.ndarray, np.ndarray]]) -> Self:
        """Hold pairs of training and test rows, which need no fingerprint."""
        return cls({k: Split(train, test, "") for k, (train, test) in enumerate(pairs)})

    def __len__(self) -> int:
        return len(self.held) + sum(len(numbers) for numbers, _ in self.recipes)

    def then(self, other: "Splits") -> "Splits":
        """Return these splits and others, whose numbers continue those of these."""
        n = len(self)
        held = {**self.held, **{n + k: split for k, split in other.held.items()}}
        further = ((range(n + its.start, n + its.stop), lazy) for its, lazy in other.recipes)
        return Splits(held, (*self.recipes, *further))

    def part(self, numbers: Sequence[int]) -> "Splits":
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
                if isinstance(train, Bits):
                    train = np.flatnonzero(np.unpackbits(train.packed))
                train, test = (rows.astype(np.intp, copy=False) for rows in (train, test))
                yield Split(train, test, digest)


@dataclass(frozen=True)
class PlannedSplits:
    """The splits of one splitter and their design, which has no digests of splits not made yet."""

    splits: Splits
    design: SplitDesign
    unseeded: bool = False
    in_order: bool = False  # whether they are in time order; of a single one its rows show it
    row_times: Any = None  # the number of each row's time, where the test is over time
    request: DesignRequest | None = None  # by which they were drawn, if no splitter was given

    @property
    def identity(self) -> str:
        """What identifies these splits among others of the same sizes, without making them."""
        for _, lazy in self.splits.recipes:
            return digest_of(repr(lazy.root)).hex()
        return str(self.design.digest)

    def times(self, X: Any) -> Any:
        """Return the number of each row's time, None for their order, or why they have none."""
        held, index = self.splits.held, getattr(X, "index", np.empty(0))
        ends = [(train.max(), test.min()) for train, test, _ in self.splits.take(held)]
        if not held or any(last >= first for last, first in ends):
            return (
                "These splits train on rows that come after their test rows, so they do not "
                "forecast. Use cv=TimeSeriesSplit()."
            )
        if type(index).__name__ not in OF_DATES:
            return None
        try:
            times = order_of("The index of X", index)
        except ValueError as error:
            return str(error)
        if (np.diff(times) < 0).any():
            return (
                "The dates in the index of X do not ascend, and these splits are in the order of "
                "rows. Sort X, and y with it: X = X.sort_index()."
            )
        for k, (last, first) in enumerate(ends):
            if times[last] == times[first]:
                return (
                    f"Split {k} tests on rows of {index[first]}, on which it trains too. Pass "
                    "splits that keep the rows of one date together."
                )
        return times

    def tests(self) -> Iterator[np.ndarray]:
        """Make or take the test rows of each split, in any type of integers."""
        if self.splits.held:
            return (split.test for split in self.splits.held.values())
        return (test for _, lazy in self.splits.recipes for _, test in lazy)


def plan_splits(
    cv: Any,
    X: Any,
    y: Any,
    split_params: Mapping[str, Any],
    *,
    may_overlap: bool = False,
    shares: bool = False,
    labels: "LabelWatch | None" = None,
) -> PlannedSplits:
    """Draw the splits and walk them once: ours stay recipes, those of other splitters are held."""
    # Recipes are made for shared rows and for the labels only where there is something to look for.
    about: dict[str, Any] = {"y_digest": target_digest(y), "source": one_line(cv)}
    shared = SharedRows(X, y, split_params.get("groups")) if shares else None
    drawn = draw_splits(cv, X, y, split_params)
    if isinstance(drawn, LazySplits):
        facts, splits = drawn.facts(), Splits({}, ((range(len(drawn)), drawn),))
        unseeded = drawn.seed is None
        if shared is not None and not shared.are_enough(min(facts["n_test"])):
            shared = None
        if labels is not None and not labels.is_needed:
            labels = None
        watches = [watch for watch in (labels, shared) if watch is not None]
        for sides in drawn if watches else ():
            for watch in watches:
                watch.add(*sides)
    else:
        # Drawn once, as a second draw may differ, and kept in little memory: 1000 shuffled splits
        # of 100,000 rows take 400 MB, half of the original; ten-fold ones take 50 MB.
        n, groups = n_rows(X), split_params.get("groups")
        reader = SplitReader(n, groups=groups, y=y, cv=cv, may_overlap=may_overlap)
        dtype = np.min_scalar_type(n)  # the smallest that fits
        held = dict[int, Split]()
        watches = [watch for watch in (labels, shared) if watch is not None]
        for sides in drawn:
            train, test = reader.add(*sides)
            for watch in watches:
                watch.add(train, test)
            small: Any = train.astype(dtype)
            if 8 * small.nbytes > n and (train[1:] > train[:-1]).all():
                marks = np.bincount(train, minlength=n).astype(bool)
                small = Bits(np.packbits(marks))
            held[len(held)] = Split(small, test.astype(dtype), reader.digests[-1])
        # Whether it draws others each time, as far as its parameters show.
        draws = hasattr(cv, "random_state") and getattr(cv, "shuffle", True)
        unseeded = draws and not is_integer(cv.random_state)
        facts, splits = reader.facts(), Splits(held)
    if shared is not None:
        facts["notes"] = union(facts["notes"], shared.notes())
    plan = PlannedSplits(splits, SplitDesign._made(**facts | about), unseeded)
    one = plan.design.n_splits == 1
    in_order = plan.design.in_time_order or (one and not isinstance(plan.times(X), str))
    return replace(plan, in_order=in_order)


@dataclass(frozen=True)
class Undefined:
    """A metric that is not defined on some test sets, or is nearly meaningless there."""

    metric: str
    fact: str
    remedy: str = _OF_CLASSES
    refused: bool = True
    is_few: bool = False  # whether there is little to say but that its test sets are small

    @property
    def note(self) -> Note:
        """The fact as a note on the scores of this metric."""
        if self.is_few:
            return Note("few test rows", f"{self.fact}; {self.remedy}", None)
        return Note("undefined metric", f"{self.fact}; those scores are meaningless")


class LabelWatch:
    """Watches for sets on which a metric is not defined, or has no scores of rows."""

    # Metrics that depend on the probability of each class need all of them in training. Those that
    # are computed again without each unit of a test set, a row or a group, need two units of a
    # class, or targets that differ without any unit: those of them that are scored `of_rows`.
    # scikit-learn fills in 0.0 for f1 without a positive, and nan for roc_auc of a single class:
    # these are meaningless. `METRICS` has what each needs of a test set.

    def __init__(
        self,
        metrics: Iterable[Metric],
        y: Any,
        *,
        of_rows: Sequence[Metric] = (),
        kind: str = "",
        groups: Any = None,
        weights: Mapping[str, Any] | None = None,
        trains: bool = True,
    ) -> None:
        metrics = list(metrics)
        # Of the metrics that take weights; rows without weight are as good as not there.
        arrays = {name: np.asarray(of) for name, of in (weights or {}).items()}
        self._counts_rows = {  # others are refused where they are used
            name: of > 0
            for name, of in arrays.items()
            if of.dtype.kind in "biuf" and of.shape == np.shape(y)[:1] and not of.all()
        }
        wanting = [metric for metric in metrics if metric.needs]
        self._kind = kind
        self._n_splits = 0
        self._fewest_tested = np.inf
        self._grouped, self._units = groups is not None, None
        of_variation = [metric for metric in metrics if metric.function_name in OF_VARIATION]
        self._sizes: dict[Metric, list[int]] = {metric: [] for metric in of_variation}
        self._trained = [metric for metric in metrics if trains and metric.is_of_classes]
        self._needs: dict[Metric, str] = {}
        self._first: dict[Metric, np.ndarray] = {}  # the classes that the first such set lacks
        # Of metrics without each unit the classes that need two of them; none: targets differ.
        self._doubled: dict[Metric, list[int]] = {}
        self._n_bad, self._n_single = Counter[Metric](), Counter[Metric]()  # test sets
        self._untrained: list[np.ndarray] = []  # the classes that each such training set lacks
        labels = sortable(y) if wanting or of_rows or self._trained else None
        self._has_labels = labels is not None
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
        for metric in of_rows:
            if metric.of_rows == "fold" and metric.needs == "two values":
                self._doubled[metric] = []
            elif len(self._names) == 2 and metric.function_name in _OF_BOTH:
                self._doubled[metric] = [0, 1]
            elif len(self._names) == 2 and metric.function_name == "average_precision_score":
                of = metric.positive in self._names
                self._doubled[metric] = [self._names.index(metric.positive) if of else 1]
        if self._doubled and groups is not None:
            self._units = encode_labels("groups", groups).astype(np.intp)

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self._needs or self._doubled or self._sizes or self._trained)

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """See the next split."""
        for metric, sizes in self._sizes.items():
            sizes.append(len(self._counted(metric, test)))
        self._n_splits += 1
        self._fewest_tested = min(self._fewest_tested, len(test))
        if not self._has_labels:
            return
        n_classes = len(self._classes)
        for metric, needs in self._needs.items():
            codes = self._codes[self._counted(metric, test)]
            held = np.bincount(codes, minlength=n_classes) > 0
            if needs == "positive":
                is_bad = not held[self._names.index(metric.positive)]
            else:
                is_bad = held.sum() < max(2, n_classes if needs == "every class" else 2)
            if is_bad:
                self._n_bad[metric] += 1
                self._first.setdefault(metric, self._classes[~held])
        for metric, classes in self._doubled.items():
            rows = self._counted(metric, test)
            held, units = self._codes[rows], None if self._units is None else self._units[rows]
            pairs = held if units is None else np.unique(units * n_classes + held) % n_classes
            if classes:
                counts = np.bincount(pairs, minlength=n_classes)
                self._n_single[metric] += bool(counts[classes].min() < 2)
            elif len(held):
                codes = None if units is None else np.unique(units, return_inverse=True)[1]
                n_units = len(held) if codes is None else int(codes.max()) + 1
                constant = constant_without(held[:, np.newaxis], codes, n_units)
                self._n_single[metric] += bool(constant.any())
        if self._trained:
            lacks = np.bincount(self._codes[train], minlength=n_classes) == 0
            if lacks.any():
                self._untrained.append(self._classes[lacks])

    def _counted(self, metric: Metric, test: np.ndarray) -> np.ndarray:
        """Return the rows of a test set that count in a metric."""
        counts = self._counts_rows.get(metric.name)
        return test if counts is None else test[counts[test]]

    def undefined(self) -> list[Undefined]:
        """Return the metrics that are not defined on some test sets, or on few rows only."""
        found, n = [], self._n_splits
        sets = f"{self._kind}test set{'s' * (n > 1)}"
        for metric, needs in self._needs.items():
            if not (n_bad := self._n_bad[metric]):
                continue
            holds = "one value of y only" if needs == "two values" else "one class only"
            if needs == "positive":
                holds = f"no {self._classes[self._names.index(metric.positive)].item()!r}"
            elif needs == "every class" and len(self._classes) > 2:
                lacking = listed(self._first[metric].tolist())
                holds = f"fewer than {len(self._classes)} classes (the first lacks {lacking})"
            holds += " in rows with a weight" if metric.name in self._counts_rows else ""
            verb = "hold" if n > 1 else "holds"
            fact = f"{n_bad} of {n} {sets} {verb} {holds}: {metric.called or metric.name} is not "
            remedy = _OF_NUMBERS if needs == "two values" else self._of_few(metric) or _OF_CLASSES
            if len(self._classes) == 1:
                remedy = "y is the same in all rows, so there is nothing to predict"
            # A scorer of one class is the user's own.
            refused = isinstance(metric.given, str) or needs in ("every class", "two values")
            found.append(Undefined(metric.name, f"{fact}defined there", remedy, refused))
        if n_bad := len(self._untrained):
            where = f"{n_bad} of {n} training sets {'lacks' if n_bad == 1 else 'lack'} a class"
            said = f"{where} (the first {self._untrained[0].tolist()[0]!r}), so models have no"
            for metric in self._trained:
                fact = f"{said} probability of it, which {metric.name} needs"
                found.append(Undefined(metric.name, fact, self._of_few(metric, 2) or _OF_TRAINING))
        known = {lacking.metric for lacking in found}
        for metric, sizes in self._sizes.items():
            fewest, what = min(sizes), metric.called or metric.name
            if metric.name in known or fewest >= _MANY_ROWS:
                continue
            if n_few := sum(size < FEWEST_ROWS for size in sizes):
                have = f"{n_few} of {n} {sets} {'has' if n == 1 else 'have'} fewer than"
                fact = f"{have} {FEWEST_ROWS} rows: {what} is nearly meaningless there"
                found.append(Undefined(metric.name, fact, _OF_NUMBERS))
            else:
                has = f"the smallest {self._kind}test set has {counted(fewest, 'row')}"
                fact = f"{has}: {what} of so few rows differs much from {what} of many"
                remedy = f"{_OF_NUMBERS[0].lower()}{_OF_NUMBERS[1:]}"
                found.append(Undefined(metric.name, fact, remedy, refused=False, is_few=True))
        return found

    def _of_few(self, metric: Metric, least: int = 0) -> str:
        """Return what to do about a class that even stratified test sets of this size can lack."""
        if self._grouped or self._counts_rows:
            return ""
        of_one = metric.needs == "positive" and metric.positive in self._names
        k = self._names.index(metric.positive) if of_one else int(self._counts.argmin())
        n, needed = int(self._counts[k]), least or len(self._codes) / self._fewest_tested
        if n >= needed:
            return ""
        has = f"Class {self._classes[k].item()!r} has {counted(n, 'row')}"
        if n > 1:
            return (
                f"{has}, too few for so small test sets: pass more rows of it, or cv="
                f"RepeatedStratifiedKFold(n_splits={n}, n_repeats=4, random_state=0)"
            )
        others = ", merge it with another class, or leave it out" if len(self._classes) > 2 else ""
        return f"{has}: pass more rows of it{others}"

    def without_rows(self, *, in_order: bool = False) -> dict[str, str]:
        """Return why metrics have no scores of rows on these splits."""
        reasons, unit = dict[str, str](), "row" if self._units is None else "group"
        for metric, classes in self._doubled.items():
            if not (n := self._n_single[metric]) or (not classes and self._n_bad[metric]):
                continue
            holds = f"{n} of {self._n_splits} test sets {'holds' if n == 1 else 'hold'}"
            said = f"so {metric.called or metric.name} has no scores of {unit}s there"
            if not classes:
                reasons[metric.name] = (
                    f"{holds} a single value of y without one {unit}, {said}. {_OF_NUMBERS}."
                )
                continue
            counts = self._counts
            if self._units is not None:
                pairs = np.unique(self._units * len(self._classes) + self._codes)
                counts = np.bincount(pairs % len(self._classes))
            most = min(5, int(counts[classes].min()) // 2)
            remedy = (
                f"Use stratified folds, {most} at most: RepeatedStratifiedKFold(n_splits={most}, "
                "n_repeats=4, random_state=0)."
            )
            if self._units is not None:
                remedy = (
                    f"Use stratified folds, {most} at most, as of StratifiedGroupKFold({most})."
                )
            if most < 3:
                rarer = "rarer" if len(classes) == 2 else "positive"
                other = "use scoring='neg_log_loss'."
                remedy = f"The {rarer} class has too few {unit}s for that; {other}"
            of = "a class"
            if metric.name in self._counts_rows:
                of, remedy = "a class with a weight", "Leave the rows without weight out."
            if in_order:
                remedy = f"{_IN_ORDER}."
            reasons[metric.name] = f"{holds} fewer than two {unit}s of {of}, {said}. {remedy}"
        return reasons

    def check_rows(self) -> None:
        """Raise SplitDesignError if a set lacks what the scores of rows need."""
        for reason in self.without_rows().values():
            raise SplitDesignError(reason)


def sortable(y: Any) -> np.ndarray | None:
    """Return a target with one output as an array that can be sorted, else None."""
    labels = one_output(y)
    if labels is None or labels.dtype.kind not in "biufUSO":
        return None
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        return None
    if labels.dtype.kind != "O":
        return labels
    return labels.astype(str) if all(isinstance(label, str) for label in labels) else None


def refuse(undefined: Sequence[Undefined], *, several: bool, in_order: bool = False) -> None:
    """Raise SplitDesignError for metrics that are not defined."""
    refused = [metric for metric in undefined if metric.refused]
    if not refused:
        return
    facts = ". ".join(metric.fact for metric in refused)
    which = " and ".join(metric.metric for metric in refused)
    drop = f"; on_error='drop' leaves {which} out" if several else ""
    remedy = _IN_ORDER if in_order else refused[0].remedy
    raise SplitDesignError(f"{facts}. {remedy}{drop}.")
