"""Which cells there are: populations, rows, learners, pairs and metrics, and what is kept apart."""

import json
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from . import populations
from .any_metric import cells_of_any_metric
from .further import further_cells, neighbours_on_equal_columns
from .learners import KINDS, PROBABILITIES

HERE = Path(__file__).parent
LOT = HERE / "results" / "kept_apart.json"
_SEED_OF_LOT = 20290101
_NEAR = ({"linear", "ridge"}, {"logistic", "LDA"}, {"9-NN", "10-NN"})
_QUICK = {
    True: ("logistic", "LDA", "naive Bayes", "1-NN", "10-NN", "tree", "tree, depth 3"),
    False: ("linear", "ridge", "lasso", "1-NN", "10-NN", "tree", "tree, depth 3"),
}
_CLOSED = ("linear", "LDA", "naive Bayes", "1-NN", "10-NN")  # at 40 and 1000 rows too
_SLOW = ("forest", "boosting", "SVM", "network")
_UNPENALISED = ("linear", "LDA")
KEPT_APART = ", kept apart"  # at the end of the names of settings
_ROWS_A_COLUMN = 4  # where there are fewer, fits without a penalty nearly interpolate: tier 7
_ROWS_FOR_AREAS = 100


@dataclass(frozen=True)
class Target:
    """What is estimated: the score of `a`, or its difference from that of `b`."""

    metric: str
    a: str
    b: str
    kind: str  # single, different, near, dummy or null

    @property
    def learners(self):
        """The names of the learners, without those of copies."""
        return {name.partition("~")[0] for name in (self.a, self.b) if name}


@dataclass(frozen=True)
class Setting:
    """Cells that share data sets and fits."""

    tier: int
    population: str
    n_rows: int
    design: str
    n_data_sets: int
    targets: tuple
    is_kept: bool

    @property
    def name(self):
        """The name, also of its file."""
        kept = KEPT_APART if self.is_kept else ""
        family = ""
        if self.design == "family":
            family = f", {len(self.targets)} of {self.targets[0].a.partition('~')[0]}"
        return f"tier {self.tier}, {self.population}, {self.n_rows} rows{family}{kept}"

    @property
    def learners(self):
        """The learners that are fitted."""
        return tuple(dict.fromkeys(name for t in self.targets for name in (t.a, t.b) if name))


def draw_lot():
    """Return two real and two generated populations, and two learners, drawn by lot."""
    rng = np.random.default_rng(_SEED_OF_LOT)
    every = populations.ALL.values()
    real = [one.name for one in every if one.is_real]
    made = [one.name for one in every if not one.is_real]
    learners = sorted({*_QUICK[True], *_QUICK[False], *_SLOW})
    return {
        "populations": [str(name) for part in (real, made) for name in rng.choice(part, 2, False)],
        "learners": [str(name) for name in rng.choice(learners, 2, False)],
    }


def kept_apart():
    """Return what the lot has drawn, from the file that was committed before any result."""
    return json.loads(LOT.read_text())


def metrics_of(learner, is_classes):
    """Return the metrics that a learner is measured by."""
    if not is_classes:
        return ("squared error", "absolute error")
    return ("accuracy", *PROBABILITIES.get(learner, ()))


def _kind(a, b):
    if b == "dummy":
        return "dummy"
    return "near" if {a, b} in _NEAR else "different"


def _targets(singles, pairs, population, n_rows):
    """Return the targets of learners and pairs in all their metrics."""
    found = []
    for a, b in [*((name, "") for name in singles), *pairs]:
        learners = [name.partition("~")[0] for name in (a, b) if name]
        kind = "single" if not b else "null" if "~" in b else _kind(a, b)
        for metric in metrics_of(learners[0], population.is_classes):
            shared = all(metric in metrics_of(name, population.is_classes) for name in learners)
            if shared and (metric != "AUC" or n_rows >= _ROWS_FOR_AREAS):
                found.append(Target(metric, a, b, kind))
    return found


def _quick_targets(population, n_rows):
    learners = _QUICK[population.is_classes]
    if n_rows not in (100, 300):
        learners = [name for name in learners if name in _CLOSED]
    few = n_rows < _ROWS_A_COLUMN * population.n_columns
    learners = [name for name in learners if not (few and name in _UNPENALISED)]
    pairs = [*combinations(learners, 2), ("10-NN", "9-NN")]
    pairs += [(name, "dummy") for name in learners if name not in ("LDA", "ridge", "1-NN", "tree")]
    copied = [name for name in learners if name not in ("LDA", "ridge", "lasso", "1-NN")]
    pairs += [(f"{name}~1", f"{name}~2") for name in copied if name != "tree, depth 3"]
    return _targets(learners, pairs, population, n_rows)


def _slow_targets(population, n_rows):
    usual = "logistic" if population.is_classes else "linear"
    pairs = [*combinations(_SLOW, 2), *((name, usual) for name in _SLOW), ("forest", "dummy")]
    pairs += [(name, f"{name}~again") for name in ("forest", "network")]
    return _targets(_SLOW, pairs, population, n_rows)


def _of_any_metric(population, n_rows):
    """Yield the tiers of metrics that are no means over rows, with learners and pairs."""
    few = n_rows < _ROWS_A_COLUMN * population.n_columns
    names = [it for it in _QUICK[population.is_classes] if not (few and it in _UNPENALISED)]
    yield 8, names, [*combinations(names, 2)]
    if population.name in _OF_SLOW:
        usual = "logistic" if population.is_classes else "linear"
        yield 9, _SLOW, [*combinations(_SLOW, 2), *((name, usual) for name in _SLOW)]


def _split(tier, population, n_rows, design, n_data_sets, targets, kept):
    """Yield the setting of what is not kept apart, then that of what is."""
    for is_kept in (False, True):
        of = population.name in kept["populations"]
        chosen = [t for t in targets if (of or bool(t.learners & {*kept["learners"]})) == is_kept]
        if chosen:
            arguments = (tier, population.name, n_rows, design, n_data_sets)
            yield Setting(*arguments, tuple(chosen), is_kept)


def settings(kept=None):
    """Return all settings, in the order in which they are run; what is kept apart comes last."""
    kept, found = kept or kept_apart(), []
    for population in populations.ALL.values():
        for n_rows in (100, 300, 40, 1000):
            if population.is_real and n_rows > 300 and population.finite_factor(n_rows) < 1:
                continue
            targets = _quick_targets(population, n_rows)
            found += _split(1, population, n_rows, "quick", 1000, targets, kept)
        if population.name in _OF_SLOW:
            for n_rows in (100, 300):
                targets = _slow_targets(population, n_rows)
                found += _split(2, population, n_rows, "slow", 200, targets, kept)
    for tier, population, n_rows, design, n_data_sets, targets in further_cells(_targets):
        found += _split(tier, population, n_rows, design, n_data_sets, targets, kept)
    for tier, population, *of_setting, targets in cells_of_any_metric(_of_any_metric, Target):
        found.append(Setting(tier, population.name, *of_setting, tuple(targets), is_kept=False))
    for tier, population, *of_setting, targets in neighbours_on_equal_columns(_targets):
        found.append(Setting(tier, population.name, *of_setting, tuple(targets), is_kept=False))
    rows, tiers = (
        (100, 300, 40, 1000, 200, 5000),
        (1, 2, 6, 3, 4, 5, 7, 8, 10, 9, 11),
    )  # what the rule needs first
    return sorted(
        found, key=lambda one: (one.is_kept, tiers.index(one.tier), rows.index(one.n_rows))
    )


def kinds_of(target_learners):
    """Return the kinds of learners, by which the rule judges."""
    return {kind for kind, names in KINDS.items() if target_learners & {*names}} - {"dummy"}


# Tier 2: as the learners are slow, six populations; two of them were kept apart by the lot.
_OF_SLOW = ("spam", "diamonds", "rings", "steps", "letters, halves", "friedman")
