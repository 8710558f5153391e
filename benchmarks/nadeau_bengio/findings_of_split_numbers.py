"""What sections 5.2 and 5.3 say: the numbers of splits and of half-samples (figures 10 to 26)."""

import pandas as pd

from ._finding import (
    EVEN_AT,
    RHO_0,
    THROWN_AT,
    USUAL_AT,
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
    FAR,
    HALF,
    LEVEL,
    MODERATE,
    NEARLY,
    SIGNIFICANT,
    in_all,
    in_most,
    is_within,
    outcome,
    sometimes,
    together,
)
from .designs import USUAL
from .figures import Curve
from .study import label

SECOND_FIGURES = tuple(map(str, range(10, 18)))

FINDINGS = []
finding = collector(FINDINGS)


@finding("5.2", "The resampled t is very liberal, but less so than in section 5.1.")
def _(evidence):
    usual = evidence.size("5.2", "resampled_t", USUAL_AT)
    far = usual > FAR
    less = [usual < evidence.size("5.1", "resampled_t", at) for at in (EVEN_AT, THROWN_AT)]
    text = (
        f"sizes at J = 15 {span(usual)}, above 20 % in {count(far)}; smaller "
        f"than with (n/2,n/2) in {count(less[0])}, than with (n/2,n/10) in {count(less[1])}"
    )
    return text, together([in_all(far), *(in_all(flags) for flags in less)])


@finding(
    "5.2",
    "That is because rho(9n/10, n/10) is smaller than rho(n/2, n/10) and rho(n/2, n/2).",
)
def _(evidence):
    middle = {at: evidence.rho(at)[["low", "high"]].mean(axis=1) for at in RHO_0}
    smaller = [middle[USUAL_AT] < middle[at] for at in (THROWN_AT, EVEN_AT)]
    text = f"{count(smaller[0])} and {count(smaller[1])}"
    return text, together(in_all(flags) for flags in smaller)


def _by_n_splits(evidence, procedure):
    numbers = (5, 10, 15, 25)
    return pd.DataFrame({n: evidence.size("5.2", procedure, USUAL_AT, n_splits=n) for n in numbers})


@finding("5.2", "The resampled t is more liberal when J is large.")
def _(evidence):
    sizes = _by_n_splits(evidence, "resampled_t")
    grows = sizes[25] > sizes[5]
    means = ", ".join(f"{value:.3f} at J = {n}" for n, value in sizes.mean().items())
    return f"mean sizes {means}; J = 25 above J = 5 in {count(grows)}", in_all(grows)


@finding("5.2", "The conservative Z lives up to its name.")
def _(evidence):
    sizes = _by_n_splits(evidence, "conservative_z")
    liberal = pd.concat(
        evidence.size("5.2", "conservative_z", USUAL_AT, n_splits=n, column="liberal")
        for n in (5, 10, 15, 25)
    )
    text = (
        f"sizes {span(sizes.to_numpy().ravel())}, mean {sizes.to_numpy().mean():.3f}; "
        f"significantly above 10 % (at 5 %) in {count(liberal)}"
    )
    names = names_of(liberal.index[liberal].unique())
    return (f"{text}: {names}" if names else text), in_all(~liberal)


@finding(
    "5.2",
    "The corrected resampled t (the report's text says resampled t) is conservative or liberal as "
    "rho(9n/10, n/10) is below or above .1, and very close to 10 % otherwise.",
)
def _(evidence):
    # The text says the opposite of what the report shows everywhere else: see the page.
    text, same = agreement(*verdicts(evidence, "5.2", USUAL_AT))
    return f"J = 15: {text}", in_all(same)


@finding("5.2", "When it is liberal, that grows with J (figure 13).", {"gaussians"})
def _(evidence):
    sizes = _by_n_splits(evidence, "corrected_resampled_t").xs("gaussians", level="problem")
    sizes = sizes.xs("A", level="hypothesis")
    means = ", ".join(f"{value:.3f} at J = {n}" for n, value in sizes.mean().items())
    grows = sizes[25] > sizes[5]
    return f"mean sizes {means}; J = 25 above J = 5 in {count(grows)}", in_all(grows)


def _power_by_n_splits(evidence, procedure):
    """Return the mean rate over the grid in each panel, by J."""
    return pd.DataFrame(
        [
            {n: rows[label(Curve(procedure, USUAL, n_splits=n))].mean() for n in (5, 10, 15, 25)}
            for _, rows in evidence.panels(*SECOND_FIGURES)
        ]
    )


@finding("5.2", "The greater J, the greater the power.")
def _(evidence):
    texts, parts = [], []
    for procedure in ("resampled_t", "corrected_resampled_t", "conservative_z"):
        power = _power_by_n_splits(evidence, procedure)
        grows = (power.diff(axis=1).iloc[:, 1:] > 0).all(axis=1)
        means = ", ".join(f"{value:.3f}" for value in power.mean())
        texts.append(f"{procedure}: mean rates {means}, growing in {count(grows)} panels")
        parts.append(in_all(grows))
    return "; ".join(texts), together(parts)


def _share(evidence, start, stop):
    """Return which part of the gain of power from J = start to 25 comes by J = stop."""
    parts = {}
    for procedure in ("corrected_resampled_t", "conservative_z"):
        power = _power_by_n_splits(evidence, procedure).mean()
        parts[procedure] = (power[stop] - power[start]) / (power[25] - power[start])
    text = ", ".join(f"{100 * part:.0f} % ({name})" for name, part in parts.items())
    return text, together(outcome(is_within(part, HALF)) for part in parts.values())


@finding("5.2", "J from 5 to 10 brings about half the gain in power of J from 5 to 25.")
def _(evidence):
    return _share(evidence, 5, 10)


@finding("5.2", "J from 10 to 15 brings about half the gain in power of J from 10 to 25.")
def _(evidence):
    return _share(evidence, 10, 15)


@finding(
    "5.2",
    "The conservative Z and the corrected resampled t have equivalent powers: see figures 15 and "
    "17, where their sizes are about the same.",
    {"gaussians", "letters"},
)
def _(evidence):
    procedures = ("corrected_resampled_t", "conservative_z")
    pairs = [
        [rows[label(Curve(procedure, USUAL))] for procedure in procedures]
        for _, rows in evidence.panels("15", "17")
    ]
    gaps = [abs(first.mean() - second.mean()) for first, second in pairs]
    most = max((first - second).abs().max() for first, second in pairs)
    alike = [gap <= ALIKE for gap in gaps]
    text = (
        f"J = 15: mean rates over the grid are {span(gaps)} apart, up to 5 points in "
        f"{count(alike)}; single rates at most {most:.3f}"
    )
    return text, in_all(alike)


@finding("5.2", "Figure 18: true power curves and surrogates agree very well.", {"letters"})
def _(evidence):
    return surrogates(evidence, "18", NEARLY)


def _by_n_pairs(evidence):
    return pd.DataFrame(
        {m: evidence.size("5.3", "conservative_z", USUAL_AT, n_pairs=m) for m in (5, 10, 20)}
    )


@finding("5.3", "The conservative Z is more conservative when M is large.")
def _(evidence):
    sizes = _by_n_pairs(evidence)
    means = ", ".join(f"{value:.3f} at M = {m}" for m, value in sizes.mean().items())
    falls = sizes[20] < sizes[5]
    return f"mean sizes {means}; M = 20 below M = 5 in {count(falls)}", in_all(falls)


@finding("5.3", "M = 10 and M = 20 differ little; M = 5 and M = 10 more noticeably.")
def _(evidence):
    means = _by_n_pairs(evidence).mean()
    steps = means[5] - means[10], means[10] - means[20]
    text = f"mean sizes fall by {steps[0]:.3f} from M = 5 to 10, by {steps[1]:.3f} from 10 to 20"
    return text, together([outcome(steps[0] > steps[1]), outcome(abs(steps[1]) <= NEARLY)])


@finding("5.3", "With M = 5 the conservative Z is sometimes liberal, but barely so.")
def _(evidence):
    sizes = _by_n_pairs(evidence)[5]
    liberal = evidence.size("5.3", "conservative_z", USUAL_AT, n_pairs=5, column="liberal")
    text = (
        f"sizes {span(sizes)}; significantly above 10 % in {count(liberal)}, above 15 % in "
        f"{count(sizes > MODERATE[1])}"
    )
    return text, together([sometimes(liberal, SIGNIFICANT), in_all(sizes <= MODERATE[1])])


@finding("5.3", "With M = 10 it tends to be a little too conservative.")
def _(evidence):
    sizes = _by_n_pairs(evidence)[10]
    little = is_within(sizes, (MODERATE[0], LEVEL))
    text = f"sizes {span(sizes)}, mean {sizes.mean():.3f}; 5 to 10 % in {count(little)}"
    return text, in_most(little)
