"""What the findings share: how a statement is written down, and words for numbers."""

from collections.abc import Callable
from dataclasses import dataclass

from ._rules import ALIKE, LEVEL, in_all

ALL = frozenset({"regression", "gaussians", "letters"})
EVEN_AT, THROWN_AT, USUAL_AT = "n/2,n/2", "n/2,n/10", "9n/10,n/10"
RHO_0 = {EVEN_AT: 1 / 2, THROWN_AT: 1 / 6, USUAL_AT: 1 / 10}


@dataclass(frozen=True)
class Finding:
    """A statement of the report.

    Parameters
    ----------
    section : str
        Where it stands.
    statement : str
        In the report's sense.
    check : callable
        Of the evidence, to our numbers in words and the outcome, by `_rules`.
    needs : frozenset of str
        The problems that it is about.
    """

    section: str
    statement: str
    check: Callable
    needs: frozenset[str]


def collector(findings):
    """Return a decorator that adds the check below it to a list.

    Parameters
    ----------
    findings : list of Finding
    """

    def finding(section, statement, needs=ALL):
        """Write down a statement of a section, about the problems that it needs."""

        def add(check):
            findings.append(Finding(section, statement, check, frozenset(needs)))
            return check

        return add

    return finding


def span(values):
    """Return the least and the greatest of some numbers, in words."""
    return f"{min(values):.3f} to {max(values):.3f}"


def count(flags):
    """Return how many of some flags are set, in words."""
    flags = list(flags)
    return f"{sum(map(bool, flags))} of {len(flags)}"


def names_of(keys):
    """Return the names of panels: their problem, simulation and hypothesis."""
    return "; ".join(f"{name} {simulation} {what}" for name, simulation, what in keys)


def verdicts(evidence, section, at, **configuration):
    """Return how rho stands to rho0, and the corrected resampled t to 10 %: -1, 0 or 1."""
    rho = evidence.rho(at)
    of_rho = (rho["low"] > RHO_0[at]).astype(int) - (rho["high"] < RHO_0[at]).astype(int)
    low, high = (
        evidence.size(section, "corrected_resampled_t", at, column=end, **configuration)
        for end in ("low", "high")
    )
    of_size = (low > LEVEL).astype(int) - (high < LEVEL).astype(int)
    return of_rho, of_size.reindex(of_rho.index)


def agreement(of_rho, of_size):
    """Say how often the two agree, and where their signs are opposite.

    Parameters
    ----------
    of_rho, of_size : Series
        As `verdicts` gives them.

    Returns
    -------
    text : str
    same : Series
        Whether they are the same.
    """
    contrary, same = of_rho * of_size < 0, of_rho == of_size
    text = f"same verdict in {count(same)} (significant at 5 %), opposite in {count(contrary)}"
    names = names_of(contrary.index[contrary])
    return (f"{text}: {names}" if names else text), same


def surrogates(evidence, figure, within=ALIKE):
    """Say how far true power curves and their surrogates are apart, and judge that they agree."""
    rows = evidence.figures[figure]
    columns = rows.columns[rows.columns.get_loc("true_value") + 1 :]
    keys = ["hypothesis", "simulation"]
    true, surrogate = (
        rows[rows["kind"] == kind].set_index(keys)[columns] for kind in ("true", "surrogate")
    )
    gaps = (true - surrogate).abs()
    of_curves = gaps.groupby(level="hypothesis").mean().to_numpy().ravel()
    text = (
        f"single rates {gaps.to_numpy().mean():.3f} apart on average, at most "
        f"{gaps.to_numpy().max():.3f}; curves {span(of_curves)}, within {100 * within:g} points in "
        f"{count(of_curves <= within)}"
    )
    return text, in_all(of_curves <= within)
