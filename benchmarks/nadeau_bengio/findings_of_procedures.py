"""What section 5.1 says: sizes and powers of the procedures, aimed at n/2 rows (figures 1 to 9)."""

import numpy as np
import pandas as pd

from ._finding import (
    EVEN_AT,
    THROWN_AT,
    agreement,
    collector,
    count,
    names_of,
    span,
    surrogates,
    verdicts,
)
from ._rules import (
    ALIKE,
    FAILS,
    FAR,
    LEVEL,
    MODERATE,
    NEARLY,
    SIGNIFICANT,
    STRINGENT,
    in_all,
    in_most,
    is_within,
    outcome,
    sometimes,
    together,
)
from .designs import EVEN, THROWN_AWAY
from .figures import Curve
from .study import label

FIRST_FIGURES = tuple(map(str, range(1, 9)))

FINDINGS = []
finding = collector(FINDINGS)


@finding("5.1", "The resampled t and the bootstrap are far from the nominal 10 %.")
def _(evidence):
    sizes = pd.concat(
        evidence.size("5.1", procedure, at)
        for procedure in ("resampled_t", "bootstrap_t")
        for at in (EVEN_AT, THROWN_AT)
    )
    return f"sizes {span(sizes)}, above 20 % in {count(sizes > FAR)}", in_all(sizes > FAR)


@finding("5.1", "Both are more liberal with n2 = n/2 than with n2 = n/10.")
def _(evidence):
    greater = []
    for procedure in ("resampled_t", "bootstrap_t"):
        even = evidence.size("5.1", procedure, EVEN_AT)
        thrown = evidence.size("5.1", procedure, THROWN_AT)
        greater += list(even > thrown)
    return f"{count(greater)} panels", in_all(greater)


@finding("5.1", "rho grows with n2.")
def _(evidence):
    even, thrown = evidence.rho(EVEN_AT), evidence.rho(THROWN_AT)
    greater = even["low"] + even["high"] > thrown["low"] + thrown["high"]
    apart = even["low"] > thrown["high"]
    text = f"rho(n/2,n/2) > rho(n/2,n/10) in {count(greater)}, intervals apart in {count(apart)}"
    return text, in_all(greater)


@finding(
    "5.1",
    "The corrected resampled t is liberal where rho > rho0, conservative where rho < rho0, and on "
    "target where they do not differ significantly; the exception is A-B in the regression "
    "(footnote 14).",
)
def _(evidence):
    texts, parts = [], []
    for at in (EVEN_AT, THROWN_AT):
        text, same = agreement(*verdicts(evidence, "5.1", at))
        others = same[[key[::2] != ("regression", "A-B") for key in same.index]]
        texts.append(f"({at}) {text}; but for the exception the same in {count(others)}")
        parts.append(in_all(others))
    return "; ".join(texts), together(parts)


@finding(
    "5.1", "Figure 1: the sizes of the corrected resampled t are close to 10 %.", {"regression"}
)
def _(evidence):
    sizes, low, high = (
        pd.concat(
            evidence.size("5.1", "corrected_resampled_t", at, column=column)
            for at in (EVEN_AT, THROWN_AT)
        )
        for column in ("size", "low", "high")
    )
    of_a = [key[::2] == ("regression", "A") for key in sizes.index]
    close = ((low <= STRINGENT[1]) & (high >= STRINGENT[0]))[of_a]
    text = f"sizes {span(sizes[of_a])}, intervals that reach 9 to 11 % in {count(close)}"
    return text, in_all(close)


@finding(
    "5.1",
    "Figures 4 and 7: the corrected resampled t is significantly liberal with n2 = n/10, and "
    "conservative with n2 = n/2.",
    {"gaussians", "letters"},
)
def _(evidence):
    chosen = [("gaussians", "A"), ("letters", "B")]
    thrown = evidence.size("5.1", "corrected_resampled_t", THROWN_AT)
    liberal = evidence.size("5.1", "corrected_resampled_t", THROWN_AT, column="liberal")
    even = evidence.size("5.1", "corrected_resampled_t", EVEN_AT)
    high = evidence.size("5.1", "corrected_resampled_t", EVEN_AT, column="high")
    keys = [key for key in thrown.index if key[::2] in chosen]
    text = (
        f"n2 = n/10: sizes {span(thrown[keys])}, significantly above 10 % in "
        f"{count(liberal[keys])}; n2 = n/2: {span(even[keys])}, significantly below in "
        f"{count(high[keys] < LEVEL)}"
    )
    return text, together([in_all(liberal[keys]), in_all(high[keys] < LEVEL)])


@finding(
    "5.1",
    "Figure 3: with n2 = n/10 the corrected resampled t is liberal in simulations 2 and 4 although "
    "rho of A-B is not above 1/6 (footnote 14).",
    {"regression"},
)
def _(evidence):
    keys = [("regression", simulation, "A-B") for simulation in (2, 4)]
    size = evidence.size("5.1", "corrected_resampled_t", THROWN_AT)[keys]
    liberal = evidence.size("5.1", "corrected_resampled_t", THROWN_AT, column="liberal")[keys]
    of_rho, _ = verdicts(evidence, "5.1", THROWN_AT)
    text = (
        f"sizes {size.iloc[0]:.3f} and {size.iloc[1]:.3f}, significantly above 10 % in "
        f"{count(liberal)}; rho above 1/6 in {count(of_rho[keys] > 0)}"
    )
    return text, together([in_all(liberal), in_all(of_rho[keys] <= 0)])


@finding(
    "5.1",
    "Figure 3: the curves, other than those of the holdout t and the 5x2 cv t, are asymmetric and "
    "bottom out before the true value (footnote 14).",
    {"regression"},
)
def _(evidence):
    before, shifts = [], []
    for _, rows in evidence.panels("3"):
        for procedure in ("resampled_t", "corrected_resampled_t"):
            for sizes in (EVEN, THROWN_AWAY):
                rates = rows[label(Curve(procedure, sizes))]
                # Where the lowest rates are, on average: a curve may be flat at its bottom.
                bottom = rows["null_value"][rates == rates.min()].mean()
                width = rows["null_value"].max() - rows["truth"].iloc[0]
                shifts.append((bottom - rows["truth"].iloc[0]) / width)
                before.append(shifts[-1] < 0)
    text = (
        f"lowest before the true value in {count(before)} curves of the resampled and the "
        f"corrected t, at {100 * np.mean(shifts):.0f} % of the half-width on average"
    )
    return text, in_all(before)


@finding("5.1", "The conservative Z with n2 = n/2 is too conservative.")
def _(evidence):
    sizes = evidence.size("5.1", "conservative_z", EVEN_AT)
    high = evidence.size("5.1", "conservative_z", EVEN_AT, column="high")
    below = high < LEVEL
    return f"sizes {span(sizes)}, significantly below 10 % in {count(below)}", in_all(below)


@finding(
    "5.1",
    "The conservative Z with n2 = n/10 is at times liberal, but barely so, and its size is never "
    "very far from 10 % (like 20 %).",
)
def _(evidence):
    sizes = evidence.size("5.1", "conservative_z", THROWN_AT)
    liberal = evidence.size("5.1", "conservative_z", THROWN_AT, column="liberal")
    text = (
        f"sizes {span(sizes)}; significantly above 10 % in {count(liberal)}, above 15 % in "
        f"{count(sizes > MODERATE[1])}"
    )
    parts = [sometimes(liberal, SIGNIFICANT), in_all(sizes <= MODERATE[1]), in_all(sizes < FAR)]
    return text, together(parts)


@finding("5.1", "That makes it the best procedure in terms of size.")
def _(evidence):
    cases = {
        "conservative Z": ("conservative_z", THROWN_AT),
        "conservative Z (n2 = n/2)": ("conservative_z", EVEN_AT),
        "corrected t": ("corrected_resampled_t", THROWN_AT),
        "corrected t (n2 = n/2)": ("corrected_resampled_t", EVEN_AT),
        "holdout t": ("holdout_t", EVEN_AT),
        "5x2 cv t": ("five_by_two_cv_t", EVEN_AT),
    }
    off = {name: abs(evidence.size("5.1", *case) - LEVEL) for name, case in cases.items()}
    text = "; ".join(
        f"{name} {off[name].mean():.3f} on average, at most {off[name].max():.3f}" for name in cases
    )
    best = [min(off, key=lambda name: off[name].mean()), min(off, key=lambda name: off[name].max())]
    parts = [outcome(name == "conservative Z") for name in best]
    return f"distance of the sizes from 10 %: {text}", together(parts)


@finding("5.1", "The holdout t and the 5x2 cv t are usually well behaved in size.")
def _(evidence):
    holdout, five_by_two = (
        evidence.size("5.1", procedure, EVEN_AT) for procedure in ("holdout_t", "five_by_two_cv_t")
    )
    well = [is_within(sizes, MODERATE) for sizes in (holdout, five_by_two)]
    text = (
        f"medians {holdout.median():.3f} and {five_by_two.median():.3f}; 5 to 15 % in "
        f"{count(well[0])} and {count(well[1])}"
    )
    return text, together(in_most(flags) for flags in well)


@finding("5.1", "They are sometimes fairly liberal, in some panels of figures 3, 4 and 6.")
def _(evidence):
    named = [("regression", "A-B"), ("gaussians", "A"), ("gaussians", "A-B")]
    texts, parts = [], []
    for title, procedure in (("holdout t", "holdout_t"), ("5x2 cv t", "five_by_two_cv_t")):
        sizes = evidence.size("5.1", procedure, EVEN_AT)
        is_named = np.array([key[::2] in named for key in sizes.index])
        liberal = sizes > MODERATE[1]
        others = sizes[~is_named & liberal]
        parts += [sometimes(liberal), outcome(liberal[is_named].any())]
        texts.append(
            f"{title} above 15 % in {count(liberal[is_named])} panels named (up to "
            f"{sizes[is_named].max():.3f}) and in {count(liberal[~is_named])} others"
            + (f" (up to {others.max():.3f}: {names_of(others.index)})" if len(others) else "")
        )
    return "; ".join(texts), together(parts)


_COMPARABLE = {
    "holdout t": Curve("holdout_t", EVEN),
    "5x2 cv t": Curve("five_by_two_cv_t", EVEN),
    "conservative Z": Curve("conservative_z", THROWN_AWAY),
    "corrected t": Curve("corrected_resampled_t", THROWN_AWAY),
}


_NOT_COMPARABLE = "no panel has all four sizes within 5 points"


def _at_truth(rows, column):
    return rows[column][(rows["null_value"] - rows["truth"]).abs().idxmin()]


def _mean_powers(evidence):
    """Return the mean rates over the grid of the four procedures, where sizes are comparable."""
    found = []
    for _, rows in evidence.panels(*FIRST_FIGURES):
        sizes = [_at_truth(rows, label(curve)) for curve in _COMPARABLE.values()]
        if max(sizes) - min(sizes) <= ALIKE:
            found.append({name: rows[label(curve)].mean() for name, curve in _COMPARABLE.items()})
    return pd.DataFrame(found)


@finding(
    "5.1",
    "Where sizes are comparable, the powers of the holdout t, the 5x2 cv t, and of the "
    "conservative Z and the corrected resampled t with 40 % thrown away are fairly similar.",
)
def _(evidence):
    powers = _mean_powers(evidence)
    if powers.empty:
        return _NOT_COMPARABLE, FAILS
    spread = powers.max(axis=1) - powers.min(axis=1)
    text = (
        f"mean rejection rates over the grid differ by {span(spread)} in the {len(powers)} "
        "panels whose four sizes are within 5 points, by up to 5 points in "
        f"{count(spread <= ALIKE)}"
    )
    return text, in_all(spread <= ALIKE)


@finding("5.1", "Among these the holdout t is the most powerful.")
def _(evidence):
    return _extremes(evidence, "most powerful", pd.DataFrame.idxmax, "holdout t")


@finding("5.1", "The 5x2 cv t is the least powerful.")
def _(evidence):
    return _extremes(evidence, "least powerful", pd.DataFrame.idxmin, "5x2 cv t")


def _extremes(evidence, words, extreme, expected):
    """Say which of the comparable procedures has the most or the least power in each panel."""
    powers = _mean_powers(evidence)
    if powers.empty:
        return _NOT_COMPARABLE, FAILS
    found = extreme(powers, axis=1)
    text = ", ".join(f"{name} in {number}" for name, number in found.value_counts().items())
    return f"{words}: {text} panels", in_all(found == expected)


@finding(
    "5.1",
    "Figure 1: the corrected resampled t with the full data has a size comparable to the others' "
    "and markedly more power.",
    {"regression"},
)
def _(evidence):
    gains = []
    for _, rows in evidence.panels("1"):
        full = label(Curve("corrected_resampled_t", EVEN))
        size = _at_truth(rows, full)
        others = [label(curve) for curve in _COMPARABLE.values()]
        near = [other for other in others if abs(_at_truth(rows, other) - size) <= ALIKE]
        gains += [rows[full].mean() - rows[other].mean() for other in near]
    if not gains:
        return _NOT_COMPARABLE, FAILS
    marked = [gain > ALIKE for gain in gains]
    text = f"its mean rate is greater by {span(gains)}, by more than 5 points in {count(marked)}"
    return f"{text} pairs of curves whose sizes are within 5 points", in_all(marked)


@finding(
    "5.1",
    "In the other figures the corrected resampled t and/or the conservative Z with the full data "
    "catch up, away from the null, with procedures of larger size.",
)
def _(evidence):
    caught = []
    procedures = ("corrected_resampled_t", "conservative_z")
    full = [label(Curve(procedure, EVEN)) for procedure in procedures]
    for _, rows in evidence.panels(*FIRST_FIGURES[1:]):
        others = [label(curve) for curve in _COMPARABLE.values()]
        size = max(_at_truth(rows, column) for column in full)
        larger = [other for other in others if _at_truth(rows, other) > size]
        if larger:
            far = rows[(rows[larger].mean(axis=1) > 0.8)]
            caught.append(far[full].max(axis=1).mean() >= far[larger].mean(axis=1).mean())
    if not caught:
        return "no procedure has a larger size", FAILS
    return f"{count(caught)} panels, where the others' mean power is above 80 %", in_all(caught)


@finding(
    "5.1",
    "The bootstrap nearly overlaps the resampled t, and the corrected bootstrap the corrected "
    "resampled t (figures 4 and 6).",
    {"gaussians"},
)
def _(evidence):
    gaps = {"bootstrap_t": [], "corrected_bootstrap_t": []}
    for _, rows in evidence.panels("4", "6"):
        for procedure, found in gaps.items():
            for sizes in (EVEN, THROWN_AWAY):
                twin = label(Curve(procedure.replace("bootstrap", "resampled"), sizes))
                found.append((rows[label(Curve(procedure, sizes))] - rows[twin]).abs())
    texts, parts = [], []
    for name, found in gaps.items():
        of_curves = np.array([gap.mean() for gap in found])
        most = max(gap.max() for gap in found)
        texts.append(
            f"{name.replace('_', ' ')}: {of_curves.mean():.3f} apart on average, at most "
            f"{most:.3f}; curves within 2.5 points in {count(of_curves <= NEARLY)}"
        )
        parts.append(in_all(of_curves <= NEARLY))
    return "; ".join(texts), together(parts)


@finding("5.1", "Figure 9: true power curves and surrogates agree relatively well.", {"letters"})
def _(evidence):
    return surrogates(evidence, "9")
