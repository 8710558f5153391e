"""The report's figures 1 to 26, and figure 1 of the NIPS paper, as specifications.

A panel shows how often procedures reject the hypothesis that an expected error is mu0, at level
.10, two-sided, over the data sets of a simulation, for many mu0. The images are lost, and with them
the values of mu0: see `Figure`.
"""

from dataclasses import dataclass, replace
from itertools import product

from .designs import EVEN, THROWN_AWAY, USUAL, Sizes

LEVEL = 0.1
N_DATA_SETS = 1000
GRID_HALF_WIDTH = 4


@dataclass(frozen=True)
class Curve:
    """One procedure in one configuration.

    Parameters
    ----------
    procedure : str
        As in ``method=`` of `compare_estimators`.
    sizes : Sizes
        Of the splits of the estimate. The conservative Z takes its variance from splits of
        `designs.HALF_SAMPLE` in the halves of all rows, whatever the sizes of its estimate.
    n_splits : int, default=15
        The report's J, of the half-samples too. The holdout t and the 5x2 cv t have their own.
    n_pairs : int, default=10
        The report's M, for the conservative Z.
    n_replicates : int, default=15
        The report's R, for the bootstraps.
    law : {"normal", "t"}, default="normal"
        Of the holdout t: the report's, or Student's with n_test - 1 degrees of freedom.
    """

    procedure: str
    sizes: Sizes
    n_splits: int = 15
    n_pairs: int = 10
    n_replicates: int = 15
    law: str = "normal"


@dataclass(frozen=True)
class Panel:
    """What one panel is about.

    Parameters
    ----------
    problem : {"regression", "gaussians", "letters"}
    simulation : int
        As in `problems.PROBLEMS`.
    hypothesis : {"A", "B", "A-B"}
    """

    problem: str
    simulation: int
    hypothesis: str


@dataclass(frozen=True)
class Figure:
    """Panels with the same curves over mu0.

    Parameters
    ----------
    label : str
    panels : tuple of Panel
    curves : tuple of Curve
        All estimate the error at one training size.
    n_data_sets : int, default=1000

    Notes
    -----
    The grid of mu0 of a panel is the true value within `GRID_HALF_WIDTH` standard deviations of its
    noisiest estimate, the true value included.
    """

    label: str
    panels: tuple[Panel, ...]
    curves: tuple[Curve, ...]
    n_data_sets: int = N_DATA_SETS


@dataclass(frozen=True)
class TruePower:
    """A panel of figures 9 and 18: a true power curve and its surrogate, for the letters.

    Parameters
    ----------
    hypothesis : {"B", "A-B"}
    null_value : float
        The true curve is the power about it in every simulation, drawn over their `true_values`.
    true_values : tuple of float
        Of simulations 1 to 6, as printed. The surrogate is the power about each of them in the one
        simulation `surrogate`.
    surrogate : int
        The simulation whose true value is `null_value`.
    """

    hypothesis: str
    null_value: float
    true_values: tuple[float, ...]
    surrogate: int


@dataclass(frozen=True)
class TruePowerFigure:
    """Figures 9 and 18.

    Parameters
    ----------
    label : str
    panels : tuple of TruePower
    curves : tuple of Curve
        Each is drawn twice. The report does not list them: they are those of its section.
    n_data_sets : int, default=1000
    """

    label: str
    panels: tuple[TruePower, ...]
    curves: tuple[Curve, ...]
    n_data_sets: int = N_DATA_SETS


def _choice_of_procedure(law="normal"):
    """Return the curves of section 5.1: procedures 1 and 3 have (n/2, n/2) only."""
    both = product(("resampled_t", "corrected_resampled_t", "conservative_z"), (EVEN, THROWN_AWAY))
    return (
        Curve("holdout_t", EVEN, law=law),
        Curve("five_by_two_cv_t", EVEN),
        *(Curve(procedure, sizes) for procedure, sizes in both),
    )


def _choice_of_n_splits(numbers=(5, 10, 15, 25)):
    """Return the curves of section 5.2."""
    procedures = ("resampled_t", "corrected_resampled_t", "conservative_z")
    return tuple(
        Curve(procedure, USUAL, n_splits=n_splits)
        for procedure, n_splits in product(procedures, numbers)
    )


def _choice_of_n_pairs():
    """Return the curves of section 5.3."""
    return tuple(Curve("conservative_z", USUAL, n_pairs=n_pairs) for n_pairs in (5, 10, 20))


def _panels(problem, hypothesis):
    simulations = range(1, 7) if problem == "letters" else range(1, 5)
    return tuple(Panel(problem, simulation, hypothesis) for simulation in simulations)


# The letters' A is the same for every weight; the report shows no figure of it.
_SUBJECTS = [
    *product(("regression", "gaussians"), ("A", "B", "A-B")),
    *product(("letters",), ("B", "A-B")),
]


def _series(first, curves):
    """Return the eight figures that a section has, one for each problem and hypothesis."""
    return {
        str(number): Figure(str(number), _panels(*subject), curves)
        for number, subject in enumerate(_SUBJECTS, start=first)
    }


def _with_bootstraps(figure):
    both = product(("bootstrap_t", "corrected_bootstrap_t"), (EVEN, THROWN_AWAY))
    return replace(figure, curves=figure.curves + tuple(Curve(*curve) for curve in both))


# Simulations 1 to 6, at 150 and at 270 rows.
_B_AT_150 = (0.541, 0.595, 0.634, 0.668, 0.692, 0.781)
_DIFFERENCE_AT_150 = (0.151, 0.098, 0.059, 0.025, 0.001, -0.088)
_B_AT_270 = (0.437, 0.499, 0.546, 0.589, 0.618, 0.732)
_DIFFERENCE_AT_270 = (0.151, 0.089, 0.042, -0.001, -0.031, -0.145)

_FIRST = _series(1, _choice_of_procedure())

# By label: "1" to "26", and "nips-1", which does not state its weight; 25 makes the two alike.
FIGURES = {
    **_FIRST,
    "4": _with_bootstraps(_FIRST["4"]),
    "6": _with_bootstraps(_FIRST["6"]),
    "9": TruePowerFigure(
        "9",
        (
            TruePower("B", 0.692, _B_AT_150, surrogate=5),
            TruePower("A-B", 0.001, _DIFFERENCE_AT_150, surrogate=5),
        ),
        tuple(curve for curve in _choice_of_procedure() if curve.sizes == EVEN),
    ),
    **_series(10, _choice_of_n_splits()),
    "18": TruePowerFigure(
        "18",
        (
            TruePower("B", 0.589, _B_AT_270, surrogate=4),
            TruePower("A-B", -0.001, _DIFFERENCE_AT_270, surrogate=4),
        ),
        _choice_of_n_splits((15,)),
    ),
    **_series(19, _choice_of_n_pairs()),
    "nips-1": Figure(
        "nips-1",
        (Panel("letters", 5, "A"), Panel("letters", 5, "A-B")),
        _choice_of_procedure(law="t"),
        n_data_sets=500,
    ),
}
