"""How many rows a test set needs, before there are any data."""

from math import ceil, inf, sqrt
from typing import Any, NamedTuple

from scipy.special import ndtri

from .._utils._checks import brief, check_finite_number, is_list_of_length
from .._utils._shared_arguments import alpha_of, check_level
from .._utils._text import counted, format_number, format_percent, wrapped
from ._power import MOST_PLANNED, PlannedTest, fewest

_ROUNDING = 1e-12  # of 1 - agreement and of a difference of accuracies


class TestSetPlan(NamedTuple):
    """How many rows a test set needs; `print` says for what, and what is assumed."""

    n_rows: int
    detectable: dict[int, float]  # by a number of rows
    text: str

    def __str__(self) -> str:
        return wrapped(self.text)


def plan_test_set(
    *,
    accuracy: tuple[float, float] | None = None,
    agreement: float | None = None,
    sd_of_difference: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
) -> TestSetPlan:
    """Plan how many rows a test set needs to compare two fitted models, before there are data.

    Give either `accuracy` and `agreement`, or `sd_of_difference` and `difference`.

    Parameters
    ----------
    accuracy : pair of float, default=None
        The accuracies that the two models are expected to have, such as ``(0.80, 0.83)``.
    agreement : float, default=None
        The share of rows on which both models are right or both are wrong, such as 0.9. The more
        two models agree, the fewer rows are needed.
    sd_of_difference : float, default=None
        For any metric that is a mean over rows: the standard deviation over rows of the difference
        of the two models' scores, from similar data or a pilot study.
    difference : float, default=None
        With `sd_of_difference`: the true difference of the mean scores to be shown.
    power : float, default=0.8
        How often the difference is to be shown.
    {shared: level}

    Returns
    -------
    namedtuple
        ``n_rows``; ``detectable``, the difference that half as many rows, these, and twice as many
        show with this power, by the number of rows, and inf where none is; and ``text``, which
        `print` shows.

    Raises
    ------
    ValueError
        If a number is missing or impossible, the two models do not differ, or they differ by more
        than the share of rows on which they disagree.

    See Also
    --------
    plan_n_rows : Plans further rows, from the result of a test on the rows so far.

    Notes
    -----
    With accuracies p1 and p2, d = p2 - p1 and psi = 1 - agreement, the share of rows on which
    exactly one of the two is right, McNemar's test without correction needs about
    n = (z_{alpha/2} sqrt(psi) + z_power sqrt(psi - d^2))^2 / d^2 rows [1]_, where z_q is the
    standard normal quantile above which lies q. In simulations of plans for a power of .8
    it has .80 to .83, and McNemar's exact test .76 to .80, mostly .77. The formula is coarse where
    exactly one is right on fewer than about 20 rows: .87 with 11 such rows.

    From a standard deviation the plan is that of the paired t-test, by the noncentral t
    distribution: the fewest rows with the power. Both tests are two-sided.

    References
    ----------
    .. [1] R. J. Connor, "Sample Size for Testing Differences in Proportions for the Paired-Sample
       Design", Biometrics 43, 1987.

    Examples
    --------
    >>> from skcvstats.stats import plan_test_set
    >>> print(plan_test_set(accuracy=(0.80, 0.83), agreement=0.9))
    870 rows show a difference in accuracy of 0.03 (0.8 against 0.83) with power 0.8, if both are
    right or both are wrong on 90 % of the rows (McNemar's test, 5 % level).
    Half as many, 435 rows, show 0.0424; twice as many, 1740 rows, show 0.0212.
    >>> plan_test_set(sd_of_difference=0.4, difference=0.02).n_rows
    3142
    """
    level = check_level(confidence_level)
    test = PlannedTest.of(level, "two-sided", None, 1)
    wanted_power = test.check_power(power)
    _check_which(accuracy, agreement, sd_of_difference, difference)
    if accuracy is not None:
        low, high, shown, psi = _read_accuracies(accuracy, agreement)
        critical = ndtri(1 - test.alpha / 2)
        z_power = ndtri(wanted_power)
        root = critical * sqrt(psi) + z_power * sqrt(max(0.0, psi - shown**2))
        n_rows: float = ceil(root**2 / shown**2)
        what = f"a difference in accuracy of {format_number(shown)}"
        what += f" ({format_number(low)} against {format_number(high)})"
        assumed = f"both are right or both are wrong on {format_percent(1 - psi)} of the rows"
        name = "McNemar's test"

        def detectable(count: int) -> float:
            return _detectable_share(count, psi, critical, z_power)

    else:
        spread = _positive("sd_of_difference", sd_of_difference)
        shown = abs(check_finite_number("difference", difference))
        _positive("difference", shown)

        def reached(count: int) -> bool:
            return bool(test.power(shown, spread / sqrt(count), count - 1.0) >= wanted_power)

        n_rows = fewest(reached)
        what = f"a difference of {format_number(shown)}"
        assumed = f"row by row it has the standard deviation {format_number(spread)}"
        name = "paired t-test"

        def detectable(count: int) -> float:
            if count < 2:
                return inf
            error = spread / sqrt(count)
            return float(test.detectable_difference(wanted_power, error, count - 1.0))

    if n_rows > MOST_PLANNED:
        raise ValueError(
            f"More than {MOST_PLANNED} rows would be needed to show {what}. Plan for a larger "
            "difference."
        )
    rows = max(2, int(n_rows))
    half = ceil(rows / 2)
    twice = 2 * rows
    by_count = {half: detectable(half), rows: detectable(rows), twice: detectable(twice)}
    return TestSetPlan(rows, by_count, _text_of(what, assumed, name, power, level, by_count))


def _check_which(accuracy: Any, agreement: Any, spread: Any, difference: Any) -> None:
    """Raise ValueError unless one of the two pairs of numbers is given, and nothing else."""
    arguments = {
        "accuracy": accuracy,
        "agreement": agreement,
        "sd_of_difference": spread,
        "difference": difference,
    }
    passed = [name for name, value in arguments.items() if value is not None]
    if passed not in (["accuracy", "agreement"], ["sd_of_difference", "difference"]):
        raise ValueError(
            f"Got {passed}. Give either accuracy= and agreement=, such as "
            "accuracy=(0.80, 0.83) and agreement=0.9, or sd_of_difference= and difference=."
        )


def _read_accuracies(accuracy: Any, agreement: Any) -> tuple[float, float, float, float]:
    """Return two accuracies, their difference, and how often exactly one of two is right."""
    if not is_list_of_length(accuracy, 2):
        raise ValueError(
            f"accuracy={brief(accuracy)} must be a pair of numbers, such as (0.80, 0.83)."
        )
    first = _share("accuracy", accuracy[0])
    second = _share("accuracy", accuracy[1])
    psi = 1 - _share("agreement", agreement)
    shown = abs(second - first)
    if shown <= _ROUNDING:
        raise ValueError(
            f"accuracy={brief(accuracy)}: the two models do not differ, so no number of rows shows "
            "a difference. Give two accuracies that differ."
        )
    most = min(first + second, 2 - first - second)
    is_possible = shown - _ROUNDING <= psi <= most + _ROUNDING
    if not is_possible:
        raise ValueError(
            f"agreement={agreement!r}: models with accuracies of {format_number(first)} and "
            f"{format_number(second)} are both right or both wrong on {format_percent(1 - most)} "
            f"to {format_percent(1 - shown)} of the rows. Give an agreement of at least "
            f"{format_number(1 - most)} and at most {format_number(1 - shown)}."
        )
    return first, second, shown, psi


def _share(name: str, value: Any) -> float:
    """Return a number from 0 to 1 as a float."""
    share = check_finite_number(name, value)
    if not 0 <= share <= 1:
        raise ValueError(f"{name}={brief(value)} must be a share from 0 to 1, such as 0.8.")
    return share


def _positive(name: str, value: Any) -> float:
    """Return a number above 0 as a float."""
    number = check_finite_number(name, value)
    if number <= 0:
        raise ValueError(f"{name}={brief(value)} must be above 0.")
    return number


def _detectable_share(n_rows: int, psi: float, critical: float, z_power: float) -> float:
    """Return the difference of accuracies for which Connor's formula gives a number of rows."""
    inside = n_rows + z_power**2 - critical**2
    if inside < 0:
        return inf
    root = sqrt(n_rows) * critical + z_power * sqrt(inside)
    shown = float(sqrt(psi) * root / (n_rows + z_power**2))
    return shown if shown <= psi + _ROUNDING else inf


def _text_of(
    what: str,
    assumed: str,
    name: str,
    power: float,
    level: float,
    detectable: dict[int, float],
) -> str:
    half, rows, twice = detectable
    return (
        f"{counted(rows, 'row')} show {what} with power {power:g}, if {assumed} ({name}, "
        f"{format_percent(alpha_of(level))} level).\n"
        f"Half as many, {counted(half, 'row')}, show {_size(detectable[half])}; twice as many, "
        f"{counted(twice, 'row')}, show {_size(detectable[twice])}."
    )


def _size(difference: float) -> str:
    return "none" if difference == inf else format_number(difference)
