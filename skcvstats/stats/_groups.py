"""Groups of unequal sizes: how many equal ones they are like, and their degrees of freedom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._utils._text import counted, format_number, format_percent
from ..scores import Note


def jackknife_df(sizes: np.ndarray, squares: np.ndarray | None = None) -> float:
    """Return Bell and McCaffrey's degrees of freedom of the variance of leaving one group out.

    `skcvstats.test_set.clustered_mean` has the reference.

    `sizes` are the sums W_g of the rows' weights, `squares` those q_g of their squares; None is
    rows without weights.

    Notes
    -----
    Without group g the mean moves by s_g/(W - W_g), where s_g is the sum of the rows' weighted
    deviations from the mean. For independent rows of one variance the covariances of these moves
    are proportional to

        M_gh = (q_g 1{g=h} - (W_g q_h + W_h q_g)/W + W_g W_h Q/W^2) / ((W - W_g)(W - W_h)),

    W and Q the sums of all W_g and q_g. The sum of squared moves has the mean and the variance of a
    multiple of a chi-squared variable with tr(M)^2/tr(M^2) degrees of freedom. M is a diagonal
    matrix D plus U C U' with U = (a, b), a_g = W_g/(W - W_g), b_g = q_g/(W - W_g) and C of rows
    (Q/W^2, -1/W) and (-1/W, 0), so both traces are sums over the groups. Equal groups have G - 1,
    two have 1.
    """
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
    """How many rows groups hold, or how much weight: groups of rows, or single weighted rows."""

    sizes: np.ndarray
    squares: np.ndarray | None = None
    unit: str = "group"
    of: str = "rows"

    def __str__(self) -> str:
        n, number = int(np.count_nonzero(self.sizes)), format_number(self.effective)
        held = f"{counted(n, self.unit)}{f' with {self.of}' if n < len(self.sizes) else ''}"
        if n == 1:
            return f"there is only {held}"
        return (
            f"the {held} tell "
            f"as much as {'one alone' if number == '1' else f'{number} equal ones'} (the largest "
            f"holds {format_percent(round(self.sizes.max() / self.sizes.sum(), 2))} of the "
            f"{self.of})"
        )

    @property
    def effective(self) -> float:
        """The number of equal groups whose mean varies as much as that of groups like these."""
        return float(self.sizes.sum() ** 2 / np.square(self.sizes).sum())

    @property
    def df(self) -> float:
        """The degrees of freedom of the jackknife's variance of a mean."""
        return jackknife_df(self.sizes, self.squares)

    def check(self) -> None:
        """Raise ValueError if these are like fewer than about two equal groups."""
        if self.effective < _FEWEST:
            raise ValueError(
                f"Too few or too unequal {self.unit}s: {self}, and with fewer than about 2 it "
                f"cannot be seen how {self.unit}s vary. Test on more {self.unit}s of like "
                f"{'size' if self.of == 'rows' else 'weight'}."
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
