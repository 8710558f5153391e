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
from .designs import USUAL
from .figures import Curve
from .study import label

SECOND_FIGURES = tuple(map(str, range(10, 18)))

FINDINGS = []
finding = collector(FINDINGS)


@finding("5.2", "The resampled t is very liberal, but less so than in section 5.1.")
def _(evidence):
    usual = evidence.size("5.2", "resampled_t", USUAL_AT)
    liberal = evidence.size("5.2", "resampled_t", USUAL_AT, column="liberal")
    less = [usual < evidence.size("5.1", "resampled_t", at) for at in (EVEN_AT, THROWN_AT)]
    text = (
        f"sizes at J = 15 {span(usual)}, significantly above 10 % in {count(liberal)}; smaller "
        f"than with (n/2,n/2) in {count(less[0])}, than with (n/2,n/10) in {count(less[1])}"
    )
    return text, liberal.all() and all(one.mean() > 0.9 for one in less)


@finding(
    "5.2",
    "That is because rho(9n/10, n/10) is smaller than rho(n/2, n/10) and rho(n/2, n/2).",
)
def _(evidence):
    middle = {at: evidence.rho(at)[["low", "high"]].mean(axis=1) for at in RHO_0}
    smaller = [middle[USUAL_AT] < middle[at] for at in (THROWN_AT, EVEN_AT)]
    return f"{count(smaller[0])} and {count(smaller[1])}", all(one.all() for one in smaller)


def _by_n_splits(evidence, procedure):
    numbers = (5, 10, 15, 25)
    return pd.DataFrame({n: evidence.size("5.2", procedure, USUAL_AT, n_splits=n) for n in numbers})


@finding("5.2", "The resampled t is more liberal when J is large.")
def _(evidence):
    sizes = _by_n_splits(evidence, "resampled_t")
    grows = sizes[25] > sizes[5]
    means = ", ".join(f"{value:.3f} at J = {n}" for n, value in sizes.mean().items())
    return f"mean sizes {means}; J = 25 above J = 5 in {count(grows)}", grows.all()


@finding("5.2", "The conservative Z lives up to its name.")
def _(evidence):
    sizes = _by_n_splits(evidence, "conservative_z")
    liberal = pd.concat(
        evidence.size("5.2", "conservative_z", USUAL_AT, n_splits=n, column="liberal")
        for n in (5, 10, 15, 25)
    )
    text = (
        f"sizes {span(sizes.to_numpy().ravel())}, mean {sizes.to_numpy().mean():.3f}; "
        f"significantly above 10 % in {count(liberal)} (up to 5 % of them taken as holding)"
    )
    names = names_of(liberal.index[liberal].unique())
    return (f"{text}: {names}" if names else text), liberal.mean() <= 0.05


@finding(
    "5.2",
    "The corrected resampled t (the report's text says resampled t) is conservative or liberal as "
    "rho(9n/10, n/10) is below or above .1, and very close to 10 % otherwise.",
)
def _(evidence):
    # The text says the opposite of what the report shows everywhere else: see the page.
    text, contrary, mostly = agreement(*verdicts(evidence, "5.2", USUAL_AT))
    return f"J = 15: {text}", mostly and not contrary.any()


@finding("5.2", "When it is liberal, that grows with J (figure 13).", {"gaussians"})
def _(evidence):
    sizes = _by_n_splits(evidence, "corrected_resampled_t").xs("gaussians", level="problem")
    sizes = sizes.xs("A", level="hypothesis")
    means = ", ".join(f"{value:.3f} at J = {n}" for n, value in sizes.mean().items())
    grows = sizes[25] > sizes[5]
    return f"mean sizes {means}; J = 25 above J = 5 in {count(grows)}", grows.mean() > 0.5


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
    texts, holds = [], []
    for procedure in ("resampled_t", "corrected_resampled_t", "conservative_z"):
        power = _power_by_n_splits(evidence, procedure)
        grows = (power.diff(axis=1).iloc[:, 1:] > 0).all(axis=1)
        means = ", ".join(f"{value:.3f}" for value in power.mean())
        texts.append(f"{procedure}: mean rates {means}, growing in {count(grows)} panels")
        holds.append(grows.mean() > 0.9)
    return "; ".join(texts), all(holds)


def _share(evidence, start, stop):
    """Return which part of the gain of power from J = start to 25 comes by J = stop."""
    parts = {}
    for procedure in ("corrected_resampled_t", "conservative_z"):
        power = _power_by_n_splits(evidence, procedure).mean()
        parts[procedure] = (power[stop] - power[start]) / (power[25] - power[start])
    text = ", ".join(f"{100 * part:.0f} % ({name})" for name, part in parts.items())
    return f"{text} (40 to 75 % taken as half)", all(0.4 <= one <= 0.75 for one in parts.values())


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
    pairs = [
        [rows[label(Curve(one, USUAL))] for one in ("corrected_resampled_t", "conservative_z")]
        for _, rows in evidence.panels("15", "17")
    ]
    gaps = [abs(first.mean() - second.mean()) for first, second in pairs]
    most = max((first - second).abs().max() for first, second in pairs)
    text = (
        f"J = 15: mean rates over the grid are {span(gaps)} apart, single rates at most "
        f"{most:.3f} (means within .03 taken as equivalent)"
    )
    return text, max(gaps) <= 0.03


@finding("5.2", "Figure 18: true power curves and surrogates agree very well.", {"letters"})
def _(evidence):
    return surrogates(evidence, "18", 0.04)


def _by_n_pairs(evidence):
    return pd.DataFrame(
        {m: evidence.size("5.3", "conservative_z", USUAL_AT, n_pairs=m) for m in (5, 10, 20)}
    )


@finding("5.3", "The conservative Z is more conservative when M is large.")
def _(evidence):
    sizes = _by_n_pairs(evidence)
    means = ", ".join(f"{value:.3f} at M = {m}" for m, value in sizes.mean().items())
    falls = sizes[20] < sizes[5]
    return f"mean sizes {means}; M = 20 below M = 5 in {count(falls)}", falls.mean() > 0.9


@finding("5.3", "M = 10 and M = 20 differ little; M = 5 and M = 10 more noticeably.")
def _(evidence):
    means = _by_n_pairs(evidence).mean()
    steps = means[5] - means[10], means[10] - means[20]
    text = f"mean sizes fall by {steps[0]:.3f} from M = 5 to 10, by {steps[1]:.3f} from 10 to 20"
    return text, steps[0] > steps[1] and abs(steps[1]) < 0.02


@finding("5.3", "With M = 5 the conservative Z is sometimes liberal, but barely so.")
def _(evidence):
    sizes = _by_n_pairs(evidence)[5]
    liberal = evidence.size("5.3", "conservative_z", USUAL_AT, n_pairs=5, column="liberal")
    text = (
        f"sizes {span(sizes)}; significantly above 10 % in {count(liberal)} (up to 15 % taken "
        "as barely)"
    )
    return text, liberal.any() and sizes.max() <= 0.15


@finding("5.3", "With M = 10 it tends to be a little too conservative.")
def _(evidence):
    sizes = _by_n_pairs(evidence)[10]
    return f"sizes {span(sizes)}, mean {sizes.mean():.3f}", 0.04 < sizes.mean() < 0.1
