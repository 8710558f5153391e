"""False verdicts with a margin: on one comparison, and on any of a family."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchmarks.joint_inference import margins
from benchmarks.joint_inference.rates import LEVEL
from skcvstats import Comparison

from .settings import data_sets
from .test_joint import RESULTS

pytestmark = pytest.mark.calibration

N_ONE, N_SEVERAL = data_sets(160), data_sets(32)


def most(n_data_sets, rate=LEVEL):
    """Return how many false verdicts there may be."""
    return stats.binom.ppf(0.9995, n_data_sets, rate)


def expected_at_the_margin(margin, n_splits=15):
    """Return how often equal models are shown to be equivalent, and those at the margin.

    Numbers are of two one-sided t-tests with `n_splits` - 1 degrees of freedom, by quadrature over
    the standard error; the margin is in true standard errors.
    """
    df = n_splits - 1
    squares = (np.arange(20_000) + 0.5) / 20_000
    errors = np.sqrt(stats.chi2.ppf(squares, df) / df)
    reach = np.maximum(margin - stats.t.isf(LEVEL, df) * errors, 0)
    at_0 = stats.norm.cdf(reach) - stats.norm.cdf(-reach)
    at_bound = stats.norm.cdf(reach - margin) - stats.norm.cdf(-reach - margin)
    return at_0.mean(), at_bound.mean()


@pytest.mark.parametrize("margin", [min(margins.MARGINS), max(margins.MARGINS)])
def test_verdicts_on_one_comparison(margin):
    """None is false too often, and equivalence has its power and its size."""
    verdicts = {}
    for difference in (0, 0.5, 1):
        case = margins.one_comparison(margin, difference)
        false, verdicts[difference] = margins.count(case, N_ONE, 1)
        assert false <= most(N_ONE)
    # "equivalent" gives way to a difference that is shown, at the bound too
    kinds = ("equivalent", "above by less", "below by less")
    for difference, share in zip((0, 1), expected_at_the_margin(margin), strict=True):
        low, high = stats.binom.ppf([0.0005, 0.9995], N_ONE, share)
        assert low <= sum(verdicts[difference][kind] for kind in kinds) <= high


@pytest.mark.parametrize("margin", [2, 4])
@pytest.mark.parametrize("make", margins.FAMILIES.values(), ids=margins.FAMILIES)
def test_any_false_verdict_of_a_family(make, margin):
    false, _ = margins.count(make(margin), N_SEVERAL, 1)
    assert false <= most(N_SEVERAL)


def test_equivalence_at_another_level_is_seen(monkeypatch):
    read = Comparison.outcome.fget

    def faulty(self):
        low, high = self.margin_interval(1 - 2 * LEVEL)
        return "equivalent" if self.margin[0] < low < high < self.margin[1] else read(self)

    monkeypatch.setattr(Comparison, "outcome", property(faulty))
    false, _ = margins.count(margins.one_comparison(4, 1), 600, 1)
    assert false > most(600)


def test_counts_that_are_committed():
    counts = pd.read_csv(RESULTS / "margins.csv")
    assert len(counts) == len(list(margins.cases()))
    assert (counts["false_verdicts"] <= most(counts["n_data_sets"])).all()
    equal = counts[counts["difference"] == 0]
    for margin, equivalent, n in equal[["margin", "equivalent", "n_data_sets"]].to_numpy():
        power, _ = expected_at_the_margin(margin)
        assert equivalent <= stats.binom.ppf(0.9995, n, power) / n


@pytest.mark.parametrize(
    ("kind", "true", "false"),
    [
        ("above by more", 1.1, 1.0),
        ("below by more", -1.1, -1.0),
        ("above by less", 1.0, 1.1),
        ("below by less", -1.0, 0.0),
        ("above", 0.1, 0.0),
        ("below", -0.1, 0.0),
        ("equivalent", 1.0, 1.1),
        ("not worse", -1.0, -1.1),
        ("not better", 1.0, 1.1),
    ],
)
def test_which_verdicts_are_false(kind, true, false):
    assert not margins.is_false(kind, true, 1)
    assert margins.is_false(kind, false, 1)
