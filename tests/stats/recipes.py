"""How to make a valid random design and scores for each procedure: one recipe for each name.

The laws are tested on whatever `get_procedure_names()` lists, so a new one needs a recipe.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from skcvstats import CVScores, SplitDesign, get_procedure, stats
from skcvstats.scores import RowScores

# Two repeats of three folds of four rows, of which pairs are always together.
FOLDS = np.repeat([[0, 0, 1, 1, 2, 2], [0, 1, 1, 2, 2, 0]], 2, axis=1)
POOL = {"n_train": 70, "n_test": 20, "n_samples": 100}
ALTERNATIVES = ["two-sided", "less", "greater"]


def moved(scores, scale=1.0, shift=0.0):
    """Multiply scores, and those on auxiliary splits if there are any, and add to them."""
    return tuple(None if one is None else scale * one + shift for one in scores)


def shuffle(x, axis, rng):
    return rng.permuted(x, axis=axis)


def swap(x, first, second):
    """Exchange two splits, or two blocks of splits."""
    x = x.copy()
    x[..., [*first, *second]] = x[..., [*second, *first]]
    return x


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """A procedure with some options, and how to call it.

    `shape` is that of one data set's scores as the function on arrays takes them, `further` that
    of the scores on auxiliary splits. `harmless` and `harmful` are orders by what they exchange:
    functions of (x, further, rng) that return both in another order.
    """

    name: str
    function: Callable
    shape: tuple
    sizes: dict
    df: float
    options: dict = field(default_factory=dict)
    further: tuple = ()
    levels: tuple = ("split",)
    harmless: dict = field(default_factory=dict)
    harmful: dict = field(default_factory=dict)

    def draw(self, rng, *leading):
        """Draw scores, and those on auxiliary splits (None if there are none)."""
        x = rng.normal(size=(*leading, *self.shape))
        return x, rng.normal(size=(*leading, *self.further)) if self.further else None

    def run(self, x, further=None, **options):
        """Call the function."""
        arguments = (x,) if further is None else (x, further)
        return self.function(*arguments, **self.sizes, **self.options, **options)

    def test(self, **options):
        return get_procedure(self.name, **self.options, **options)

    def judge(self, x, further=None, **options):
        """Call the class."""
        main, further = self.scores(x, further)
        return self.test(**options)(main, auxiliary=further)

    def scores(self, x, further=None, magnitude=None):
        """Return the CVScores that the class takes for the same numbers."""
        leading = x.shape[: x.ndim - len(self.shape)]
        if self.name in ("holdout_t", "diebold_mariano"):
            n_test = x.shape[-1]
            rows = RowScores(x, np.arange(n_test), np.array([0, n_test]), magnitude)
            design = SplitDesign.of_test_set(n_test)
            if self.name == "holdout_t":
                design = SplitDesign.from_sizes(self.sizes["n_train"], n_test, n_splits=1)
            means = x.mean(axis=-1, keepdims=True)
            return CVScores(values=means, design=design, row_scores=rows, magnitude=magnitude), None
        if self.name == "row_t":
            tests = [np.flatnonzero(labels == fold) for labels in FOLDS for fold in range(3)]
            parts = [x[..., k // 3, test] for k, test in enumerate(tests)]
            rows = replace(RowScores.from_splits(parts, tests), magnitude=magnitude)
            laid_out = {"levels": ("repeat", "fold"), "shape": (2, 3)}
            design = SplitDesign.from_sizes(8, 4, n_splits=6, **laid_out)
            means = rows.means()
            return CVScores(values=means, design=design, row_scores=rows, magnitude=magnitude), None
        design = SplitDesign.from_sizes(
            **self.sizes, n_splits=math.prod(self.shape), levels=self.levels, shape=self.grid
        )
        flat = x.reshape((*leading, -1))
        main = CVScores(values=flat, design=design, magnitude=magnitude)
        if further is None:
            return main, None
        n_test = self.sizes["n_test"]
        halves = SplitDesign.from_sizes(
            self.sizes["n_samples"] // 2 - n_test,
            n_test,
            n_splits=math.prod(self.further),
            n_samples=self.sizes["n_samples"],
            levels=("pair", "half", "split"),
            shape=self.further,
        )
        flat = further.reshape((*leading, -1))
        return main, CVScores(values=flat, design=halves, magnitude=magnitude)

    @property
    def grid(self):
        return (5, 2) if self.levels == ("repeat", "fold") else self.shape


def of_main(change):
    """Return the change of the main scores alone."""
    return lambda x, further, rng: (change(x, rng), further)


SHUFFLED = of_main(lambda x, rng: shuffle(x, -1, rng))
_ALL = {"all": SHUFFLED}


def _on_splits(name, function):
    return Recipe(name=name, function=function, shape=(15,), sizes=POOL, df=14, harmless=_ALL)


def _holdout(df, **options):
    return Recipe(
        name="holdout_t",
        function=stats.holdout_ttest,
        shape=(25,),
        sizes={"n_train": 50},
        df=df,
        options=options,
        harmless=_ALL,
    )


def _five_by_two(variant, df):
    harmless = {
        "pairs 2 to 5": of_main(lambda x, rng: swap(x, (2, 3), (8, 9))),
        "the halves of pair 3": of_main(lambda x, rng: swap(x, (4,), (5,))),
    }
    harmful = {"pairs 1 and 2": of_main(lambda x, rng: swap(x, (0, 1), (2, 3)))}
    # t5's estimate is the mean of the first pair, that of the others its first half.
    first = of_main(lambda x, rng: swap(x, (0,), (1,)))
    (harmless if variant == "t5" else harmful)["the halves of pair 1"] = first
    return Recipe(
        name="five_by_two_cv_t",
        function=stats.five_by_two_cv_ttest,
        shape=(10,),
        sizes={"n_train": 50, "n_test": 50},
        df=df,
        options={"variant": variant},
        levels=("repeat", "fold"),
        harmless=harmless,
        harmful=harmful,
    )


def _on_replicates(name, function):
    def among_the_r(x, rng):
        return np.concatenate([x[..., :1, :], rng.permutation(x[..., 1:, :], axis=-2)], -2)

    return Recipe(
        name=name,
        function=function,
        shape=(9, 6),
        levels=("replicate", "split"),
        sizes=POOL,
        df=7,
        harmless={"within a replicate": SHUFFLED, "among the R": of_main(among_the_r)},
        harmful={"the first replicate": of_main(lambda x, rng: x[..., ::-1, :])},
    )


def _rows_of_a_repeat(x, rng):
    return np.concatenate([swap(x[..., :1, :], (0,), (5,)), x[..., 1:, :]], axis=-2)


RECIPES = {
    "corrected_resampled_t": _on_splits("corrected_resampled_t", stats.corrected_resampled_ttest),
    "resampled_t": _on_splits("resampled_t", stats.resampled_ttest),
    "resampled_t, fixed": Recipe(
        name="resampled_t",
        function=stats.resampled_ttest,
        shape=(12,),
        sizes={"n_train": 300, "n_test": 30, "n_samples": 660},
        df=11,
        options={"hypotheses": "fixed"},
        harmless=_ALL,
    ),
    "holdout_t": _holdout(np.inf),
    "holdout_t, t, fixed": _holdout(24, law="t", hypotheses="fixed"),
    "five_by_two_cv_t": _five_by_two("dietterich", 5),
    "five_by_two_cv_t, t4": _five_by_two("t4", 4),
    "five_by_two_cv_t, t5": _five_by_two("t5", 5),
    "conservative_z": Recipe(
        name="conservative_z",
        function=stats.conservative_ztest,
        shape=(15,),
        further=(6, 2, 4),
        sizes=POOL,
        df=np.inf,
        harmless={
            "the splits": SHUFFLED,
            "within a half": lambda x, further, rng: (x, shuffle(further, -1, rng)),
            "the halves": lambda x, further, rng: (x, further[..., ::-1, :]),
            "the pairs": lambda x, further, rng: (x, rng.permutation(further, axis=-3)),
        },
        harmful={"across halves": lambda x, of, rng: (x, of.swapaxes(-3, -2).reshape(of.shape))},
    ),
    "bootstrap_t": _on_replicates("bootstrap_t", stats.bootstrap_ttest),
    "corrected_bootstrap_t": _on_replicates(
        "corrected_bootstrap_t", stats.corrected_bootstrap_ttest
    ),
    "diebold_mariano": Recipe(
        name="diebold_mariano",
        function=stats.diebold_mariano_test,
        shape=(40,),
        sizes={},
        df=4,
        harmless={"backwards in time": of_main(lambda x, rng: x[..., ::-1])},
        harmful={"the times": SHUFFLED},
    ),
    "row_t": Recipe(
        name="row_t",
        function=stats.row_ttest,
        shape=FOLDS.shape,
        sizes={"n_folds": 3, "folds": FOLDS},
        df=FOLDS.shape[1] - 1,
        harmless={"pairs in the same folds": of_main(lambda x, rng: x[..., np.arange(12) ^ 1])},
        harmful={"two rows of a repeat": of_main(_rows_of_a_repeat)},
    ),
}
every = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
