"""Groups and weights of test rows: checked, counted, and how many equal groups they are like."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from .._utils._arrays import (
    as_array,
    as_numbers,
    check_labelled,
    classes_in,
    not_finite_in,
    weights_or_ones,
)
from .._utils._checks import listed
from .._utils._text import counted, format_number, format_percent, verb
from ..scores import Note
from ._arguments import few_notes

# With at least this many groups, a standard error by groups is reliable.
FEWEST_GROUPS = 10


@dataclass(frozen=True, eq=False)
class Groups:
    """The group of each test row."""

    codes: np.ndarray | None
    n_groups: int
    labels: Any = None

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sum over the rows of each group."""
        if self.codes is None:
            return values
        return np.bincount(self.codes, weights=values, minlength=self.n_groups)

    @cached_property
    def _order(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows in the order of their groups, and where each group starts."""
        codes = np.asarray(self.codes)
        ends = np.cumsum(np.bincount(codes, minlength=self.n_groups))
        return np.argsort(codes, kind="stable"), np.concatenate([[0], ends])

    def rows(self, groups: np.ndarray) -> np.ndarray:
        """Return the rows of some groups, which may be repeated, group after group."""
        if self.codes is None:
            return groups
        order, starts = self._order
        sizes = starts[groups + 1] - starts[groups]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        rows: np.ndarray = order[np.repeat(starts[groups], sizes) + within]
        return rows

    def sizes(self, weights: np.ndarray | None, n_rows: int) -> np.ndarray:
        """Return the number of rows of each group, or the sum of their weights."""
        return self.sums(weights_or_ones(weights, n_rows))


def read_groups(groups: Any, n_rows: int, weights: np.ndarray | None = None) -> Groups:
    """Return the numbered groups of the test rows."""
    if groups is None:
        units = Groups(None, n_rows)
        unit = "test row"
    else:
        units = Groups(*numbered(groups, n_rows))
        unit = "group"
    if np.count_nonzero(units.sizes(weights, n_rows)) < 2:
        condition = "" if weights is None else " with a weight above 0"
        raise ValueError(
            f"There is only 1 {unit}{condition}, so the variance between {unit}s cannot be "
            f"estimated. Test on at least 2 {unit}s, better 30."
        )
    return units


def one_each(name: str, values: np.ndarray, n_rows: int, what: str = "label") -> np.ndarray:
    """Return an array, or a column, with one label or weight for each test row."""
    if values.shape not in ((n_rows,), (n_rows, 1)):
        raise ValueError(
            f"{name} has shape {values.shape} for {n_rows} test rows; give one {what} for each."
        )
    return values.reshape(n_rows)


def check_present(what: str, values: np.ndarray) -> None:
    """Raise ValueError if values are missing or infinite."""
    wrong = not_finite_in(values)
    if wrong.any():
        places = np.argwhere(wrong)
        rows = np.unique(places[:, 0])
        first = tuple(places[0].tolist())
        n_wrong = len(places)
        raise ValueError(
            f"{counted(n_wrong, 'value')} of {what} {verb(n_wrong, 'is', 'are')} missing or not "
            f"finite (the first: {values[first]} at row {first[0]}; rows "
            f"{listed(rows.tolist(), 5)}). Fill them, or leave out those rows for all models, as "
            "dropna() does of one frame with all columns."
        )


def numbered(groups: Any, n_rows: int) -> tuple[np.ndarray, int, Any]:
    labels = one_each("groups", as_array("groups", groups), n_rows)
    check_labelled("groups", labels)
    distinct, codes = classes_in("groups", labels)
    return codes, len(distinct), distinct


def one_weight_each(sample_weight: Any, n_rows: int) -> np.ndarray:
    """Return the weights of the test rows as numbers, whether or not they can be used."""
    return one_each("sample_weight", as_numbers("sample_weight", sample_weight), n_rows, "weight")


def read_weights(sample_weight: Any, n_rows: int) -> np.ndarray | None:
    """Return the weights of the test rows, the largest 1; refuse some that cannot be used."""
    if sample_weight is None:
        return None
    weights = one_weight_each(sample_weight, n_rows)
    wrong = ~(weights >= 0) | np.isinf(weights)
    if wrong.any():
        first = int(np.argmax(wrong))
        n_wrong = int(wrong.sum())
        raise ValueError(
            f"sample_weight must be finite and at least 0, but {n_wrong} "
            f"{verb(n_wrong, 'is', 'are')} not (the first: row {first}, {weights[first]}). Give a "
            "row that should not count weight 0."
        )
    largest = float(weights.max())
    if largest == 0:
        raise ValueError(
            "All of sample_weight are 0, so nothing is measured. Weigh some rows positively."
        )
    return weights / largest


def few_groups(n_groups: int, held: str = "", *, fewest: int = FEWEST_GROUPS) -> tuple[Note, ...]:
    """Return a note on few groups, which show little."""
    why = (
        f"{held}: the variance between groups is poorly estimated and the test has little power; "
        f"test on at least {fewest} groups, better 30"
    )
    return few_notes(n_groups, "group", fewest, why)


def jackknife_df(sizes: np.ndarray, squares: np.ndarray | None = None) -> float:
    """Return Bell and McCaffrey's degrees of freedom of the variance of leaving one group out."""
    # `sizes` are the sums of the rows' weights, `squares` those of their squares;
    # doc/derivations.rst has the formula.
    squares = sizes if squares is None else squares
    total = sizes.sum()
    ab = np.stack([sizes, squares]) / (total - sizes)
    diagonal = squares / np.square(total - sizes)
    middle = np.array([[squares.sum() / total**2, -1 / total], [-1 / total, 0.0]])
    small = middle @ (ab @ ab.T)
    trace = diagonal.sum() + np.trace(small)
    mixed = np.trace(middle @ ((ab * diagonal) @ ab.T))
    df = float(trace**2 / (np.square(diagonal).sum() + 2 * mixed + np.trace(small @ small)))
    whole = round(df)
    return float(whole) if abs(df - whole) <= 1e-9 * whole else df


# Two that are almost equal show how groups vary, and tell as much as a little less than two.
_FEWEST = 1.9


@dataclass(frozen=True, eq=False)
class GroupSizes:
    """How many rows groups have, or how much weight: groups of rows, or single weighted rows."""

    sizes: np.ndarray
    squares: np.ndarray | None = None
    unit: str = "group"
    of: str = "rows"

    @classmethod
    def named(
        cls, sizes: np.ndarray, squares: np.ndarray | None, *, grouped: bool, weighted: bool
    ) -> Self:
        """Return sizes that know what they are of."""
        unit = "group" if grouped else "row"
        return cls(sizes, squares, unit, "weight" if weighted else "rows")

    def __str__(self) -> str:
        number = format_number(self.effective)
        if self.n_units == 1:
            return f"there is only {self.units}"
        return (
            f"the {self.units} have the effective number {number} (the largest contains "
            f"{format_percent(round(self.sizes.max() / self.sizes.sum(), 2))} of the {self.of})"
        )

    @property
    def n_units(self) -> int:
        """How many of them contain something."""
        return int(np.count_nonzero(self.sizes))

    @property
    def units(self) -> str:
        """Their number in words, such as "8 rows of class 1" or "8 groups with rows of class 1"."""
        number = counted(self.n_units, self.unit)
        if self.unit == "row" and self.of.startswith("rows"):
            return number + self.of.removeprefix("rows")
        return f"{number} with {self.of}" if self.n_units < len(self.sizes) else number

    @property
    def effective(self) -> float:
        """The number of equal groups whose mean varies as much as that of groups like these."""
        return float(self.sizes.sum() ** 2 / np.square(self.sizes).sum())

    @property
    def df(self) -> float:
        """The degrees of freedom of the jackknife's variance of a mean."""
        return jackknife_df(self.sizes, self.squares)

    def too_few(self) -> str | None:
        """Return that these are like fewer than about two equal groups, or None."""
        if self.effective >= _FEWEST:
            return None
        return (
            f"Too few or too unequal {self.unit}s: {self}; below about 2, the variance between "
            f"{self.unit}s cannot be estimated. Test on more {self.unit}s of like size or weight."
        )

    def notes(self) -> tuple[Note, ...]:
        """Return a note if these are like fewer than three equal groups, or leave df < 2."""
        if self.effective >= 3 and self.df >= 2:
            return ()
        text = (
            f"{self}: only large differences can be shown (degrees of freedom: "
            f"{format_number(self.df)})"
        )
        return (Note(f"effective {self.unit}s", text),)
