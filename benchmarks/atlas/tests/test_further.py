"""The settings of tiers 3 to 7: each is computed once, and what is known of it holds."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.atlas import cells, families, figures, running, simulation
from benchmarks.atlas.any_metric import EQUAL
from benchmarks.atlas.populations import ALL, has_files
from benchmarks.atlas.populations_that_break import BREAKING, EVERY, GROUPS

ANY = ("gauss", "plane", *EQUAL)
SETTINGS = [one for one in cells.settings() if one.tier > 2]
# The smallest family of each population, as the large ones take long, and one that is large.
BY_SIZE = sorted(SETTINGS, key=lambda one: (one.tier == 5) * -len(one.targets))
ONE_OF_EACH = {(one.tier, one.population, one.is_kept): one for one in BY_SIZE if one.tier < 8}
ONE_OF_EACH["large"] = BY_SIZE[0]
ANYWHERE = [one for one in SETTINGS if one.tier > 7 and one.population in ANY]
ONE_OF_EACH |= {(one.tier, one.population): one for one in ANYWHERE}


@pytest.mark.parametrize(
    "setting",
    [one for one in ONE_OF_EACH.values() if one.n_rows < 5000],
    ids=lambda one: one.name,
)
def test_each_is_computed(setting):
    if EVERY[setting.population].is_real and not has_files():
        pytest.skip("SKCVSTATS_DATA names no folder with the real populations")
    answers, truths = running._answers(setting, range(2))
    makes = families if setting.design == "family" else figures
    table = makes.table_of(setting, answers, truths)
    assert table["missed_95"].between(0, 2).all()
    assert (table["setting"] == setting.name).all()
    assert table["procedure"].nunique() >= 2


def test_tiers_have_what_was_planned():
    assert sum(len(one.targets) for one in SETTINGS if one.tier == 3) == 24
    assert {len(one.targets) for one in SETTINGS if one.tier == 5} == {5, 20}
    names = {one.population for one in SETTINGS}
    assert names >= {*GROUPS} | {*BREAKING}
    assert len({one.name for one in cells.settings()}) == len(cells.settings())


def test_families_are_exchangeable_and_claims_are_counted():
    """Where one learner is made much worse, it is claimed and left out of the best set."""
    small = [one for one in SETTINGS if one.tier == 5 and len(one.targets) == 5]
    setting = next(one for one in small if one.targets[0].a == "linear~1")
    counts = np.mean([families.answer(setting, d)[0] for d in range(15)], axis=0)
    assert (counts < 0.5).all()
    worse = cells.Target(setting.targets[0].metric, "dummy", "", "single")
    changed = replace(setting, targets=(worse, *setting.targets[1:]))
    counts = np.mean([families.answer(changed, d)[0] for d in range(3)], axis=0)
    assert (counts == 1).all()


def test_rows_that_stand_there_twice():
    population = EVERY["rows twice"]
    X, y = population.draw(np.random.default_rng(0), 300)
    assert len(np.unique(X[:100], axis=0)) == 50
    assert len(np.unique(X, axis=0)) == 250
    setting = next(one for one in SETTINGS if one.population == "rows twice")
    table = figures.table_of(setting, *running._answers(setting, range(8)))
    _, truths = running._answers(setting, range(8))
    k = [t.a for t in simulation.ordered_targets(setting)].index("tree")
    row = table[(table["procedure"] == "row t, 4x5") & (table["a"] == "tree")].iloc[0]
    own, fresh = truths[:, simulation.sizes_of(setting).index("4/5"), :, k].mean(axis=0)
    assert row["truth"] == pytest.approx(fresh, rel=1e-3)
    assert own > fresh + 0.05  # a copy of the test row was trained on
    assert y.mean() == pytest.approx(0.5, abs=0.15)


@pytest.mark.parametrize("name", GROUPS)
def test_groups(name):
    codes = GROUPS[name].codes(300)
    sizes = np.bincount(codes)
    assert sizes.sum() == 300
    assert len(sizes) == int(name.split()[0])
    assert sizes.min() >= 1
    assert ("unequal" in name) == (sizes.max() > sizes.min() + 1)


@pytest.mark.skipif(not has_files(), reason="SKCVSTATS_DATA names no folder")
@pytest.mark.parametrize(
    "one", [one for one in ALL.values() if one.is_real], ids=lambda one: one.name
)
def test_pools_have_their_sizes(one):
    X, y = one.make()
    assert X.shape == one.pool
    assert set(y) == {0, 1} if one.is_classes else abs(y.mean()) < 1e-9
