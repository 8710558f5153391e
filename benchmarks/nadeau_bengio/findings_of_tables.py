"""What section 5 says of tables 2, 3 and 4."""

import numpy as np
from scipy import stats

from skcvstats.theory import variance_ratio

from ._finding import RHO_0, THROWN_AT, USUAL_AT, collector, count, span
from ._rules import (
    LEVEL,
    MODERATE,
    SIGNIFICANT,
    in_all,
    in_most,
    is_within,
    often,
    outcome,
    together,
)
from .analytic import expected_errors
from .problems import REGRESSION

FINDINGS = []
finding = collector(FINDINGS)


@finding(
    "5", "Table 2: the intervals for mu cover the values of formulas 18 and 19.", {"regression"}
)
def _(evidence):
    rows = evidence.tables
    rows = rows[(rows["table"] == 2) & (rows["quantity"] == "mu")]
    covered = []
    for row in rows.itertuples():
        n_samples = REGRESSION[row.simulation].n_samples
        n_train = n_samples // 2 if row.design == "n/2" else n_samples * 9 // 10
        truth = expected_errors(REGRESSION[row.simulation], n_train)[row.algorithm]
        covered.append(row.low <= truth <= row.high)
    by_chance = stats.binom.cdf(sum(covered), len(covered), 1 - SIGNIFICANT)
    text = f"{count(covered)} of ours do (95 % intervals; so few by chance: p = {by_chance:.2f})"
    return text, in_all(covered)


@finding("5", "mu may differ substantially between n/2 and 9n/10 rows, most evidently in table 4.")
def _(evidence):
    rows = evidence.tables
    rows = rows[(rows["quantity"] == "mu") & (rows["algorithm"] != "A-B") & rows["distinct"]]
    changes, apart = {2: [], 3: [], 4: []}, []
    for (table, _, _), pair in rows.groupby(["table", "simulation", "algorithm"]):
        pair = pair.set_index("design")
        middle = (pair["low"] + pair["high"]) / 2
        changes[table].append(abs(middle["9n/10"] / middle["n/2"] - 1))
        if table == 4:
            apart.append(pair["high"]["9n/10"] < pair["low"]["n/2"])
    largest = {table: max(found) for table, found in changes.items()}
    text = f"table 4: {count(apart)} pairs of intervals are apart; largest change " + ", ".join(
        f"{100 * change:.1f} % in table {table}" for table, change in largest.items()
    )
    return text, together([outcome(any(apart)), outcome(max(largest, key=largest.get) == 4)])


def _contain(rows, rho_0, low="low", high="high"):
    return (rows[low] <= rho_0) & (rho_0 <= rows[high])


@finding("5", "Often the intervals for rho contain rho0 = n2/(n1+n2) (where n2 = n/10).")
def _(evidence):
    ours, printed = [], []
    for at in (THROWN_AT, USUAL_AT):
        rows = evidence.rho(at)
        ours += list(_contain(rows, RHO_0[at]))
        printed += list(_contain(rows, RHO_0[at], "printed_low", "printed_high"))
    return f"{count(ours)}; of the printed ones {count(printed)}", often(ours)


def _size_at(rho, rho_0):
    """Return the size of the corrected resampled t with 15 splits, were the scores Gaussian."""
    ratio = variance_ratio(
        "corrected_resampled_t",
        s1=1,
        s2=max(rho, 0),
        n_splits=15,
        n_test=10,
        n_samples=round(10 / rho_0),
    )
    return 2 * stats.t.sf(stats.t.isf(LEVEL / 2, 14) / np.sqrt(ratio), 14)


@finding("5", "Where they do not, rho0 is usually reasonably close to rho (where n2 = n/10).")
def _(evidence):
    errors, sizes = [], []
    for at in (THROWN_AT, USUAL_AT):
        rows = evidence.rho(at)
        rows = rows[~_contain(rows, RHO_0[at])]
        middle = (rows["low"] + rows["high"]) / 2
        errors += list(abs(middle - RHO_0[at]) / RHO_0[at])
        sizes += [_size_at(rho, RHO_0[at]) for rho in middle]
    if not errors:
        return "all of them do", in_most([])
    close = [is_within(size, MODERATE) for size in sizes]
    text = (
        f"rho differs from rho0 by {100 * np.median(errors):.0f} % at the median and at most "
        f"{100 * max(errors):.0f} %; at that rho the corrected resampled t would have a size of "
        f"5 to 15 % (J = 15, Gaussian scores) in {count(close)}"
    )
    return text, in_most(close)


@finding("5", "In comparisons rho0 is not smaller than rho of A-B (where n2 = n/10).")
def _(evidence):
    above = []
    for at in (THROWN_AT, USUAL_AT):
        rows = evidence.rho(at)
        rows = rows[rows.index.get_level_values("hypothesis") == "A-B"]
        above += list(rows["low"] > RHO_0[at])
    by_chance = stats.binom.sf(sum(above) - 1, len(above), SIGNIFICANT / 2)
    text = (
        f"{count(above)} intervals of rho of A-B lie above rho0 (95 % intervals; so many by "
        f"chance: p = {by_chance:.2f})"
    )
    return text, in_all(not flag for flag in above)


# With r below this, a variance estimate from M = 10 pairs has most of its variance from the number
# of pairs, (1 - r)/M, and less from r, which no number of pairs takes away.
_SMALL_R = 1 / (10 + 1)


@finding("5", "r is fairly small, except for A-B in the regression problem.")
def _(evidence):
    rows = evidence.tables
    rows = rows[(rows["quantity"] == "r") & rows["distinct"]]
    middle = (rows["low"] + rows["high"]) / 2
    special = (rows["table"] == 2) & (rows["algorithm"] == "A-B")
    text = (
        f"A-B in the regression {span(middle[special])}, all others {span(middle[~special])}; "
        f"small (below {_SMALL_R:.3f}, where it makes less than half of the variance's variance "
        f"at M = 10) in {count(middle[special] < _SMALL_R)} and "
        f"{count(middle[~special] < _SMALL_R)}"
    )
    parts = [in_all(middle[~special] < _SMALL_R), in_all(middle[special] >= _SMALL_R)]
    return text, together(parts)
