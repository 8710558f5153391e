"""The settings of tiers 3 to 7: costly procedures, many rows, families, groups, what breaks.

Those of tier 11 too: nearest neighbours on columns that are alike.
"""

from itertools import combinations, product

from .any_metric import EQUAL
from .populations import ALL
from .populations_that_break import BREAKING, GROUPS

# Tier 3: one metric, a single score and two differences; 24 cells.
_AUXILIARY = {
    True: [("logistic", ""), ("logistic", "naive Bayes"), ("10-NN", "tree")],
    False: [("linear", ""), ("linear", "10-NN"), ("ridge", "tree")],
}
# Tier 4, of 5000 rows.
_MANY_ROWS = {
    True: [("LDA", ""), ("LDA", "naive Bayes"), ("network", ""), ("network", "LDA")],
    False: [("linear", ""), ("linear", "ridge"), ("network", ""), ("network", "linear")],
}
# Tier 5: each of these five and twenty times, on noisy copies of the columns.
_FAMILIES = {
    True: ["logistic", "10-NN", "tree, depth 3"],
    False: ["linear", "10-NN", "tree, depth 3"],
}
# Tier 6.
_GROUPED = {
    True: ["logistic", "naive Bayes", "10-NN", "tree, depth 3"],
    False: ["linear", "10-NN", "tree, depth 3", "ridge"],
}
# Tier 7: by population the design, numbers of rows and data sets, learners and further pairs.
_BREAKING = {
    "3 % positives": (
        *("quick", (300, 1000), 1000),
        *(["logistic", "LDA", "naive Bayes", "10-NN", "tree, depth 3"], []),
    ),
    "heavy tails": ("quick", (100, 300), 1000, ["linear", "10-NN", "tree"], []),
    "rows twice": ("quick", (100, 300), 500, ["logistic", "10-NN", "tree"], []),
    "wide": ("slow", (100,), 1000, ["linear", "ridge", "lasso"], [("linear~1", "linear~2")]),
    "selection": (
        *("slow", (100,), 500, ["selection", "ridge", "lasso"]),
        [("selection~1", "selection~2"), ("lasso", "lasso, stronger")],
    ),
    "plane": (
        *("slow", (100, 300), 300, ["diverging", "linear", "tuned ridge", "tuned lasso"]),
        [("diverging", "diverging~again"), ("lasso", "lasso, stronger")],
    ),
}
_NEIGHBOURS = ("1-NN", "5-NN")  # tier 11


def further_cells(targets):
    """Yield the tier, population, rows, design, data sets and targets of each setting.

    Parameters
    ----------
    targets : callable
        Given single learners, pairs, a population and a number of rows, it returns the targets.
    """
    for name in ("gauss", "satellite", "steps", "diamonds"):
        pairs = _AUXILIARY[ALL[name].is_classes]
        singles = [a for a, b in pairs if not b]
        for n_rows in (100, 300):
            every = targets(singles, [pair for pair in pairs if pair[1]], ALL[name], 0)
            wanted = [t for t in every if t.metric == every[0].metric]
            yield 3, ALL[name], n_rows, "auxiliary", 300, wanted
    for name in ("gauss", "plane", "shuttle", "diamonds"):
        pairs = _MANY_ROWS[ALL[name].is_classes]
        singles = [a for a, b in pairs if not b]
        every = targets(singles, [p for p in pairs if p[1]], ALL[name], 0)  # areas take long
        yield 4, ALL[name], 5000, "slow", 200, every
    for name in ("gauss", "plane"):
        for learner, members in product(_FAMILIES[ALL[name].is_classes], (5, 20)):
            every = targets([f"{learner}~{k + 1}" for k in range(members)], [], ALL[name], 0)
            wanted = [t for t in every if t.metric == every[0].metric]
            yield 5, ALL[name], 200, "family", 500, wanted
    for population in GROUPS.values():
        names = _GROUPED[population.is_classes]
        pairs = [(names[0], name) for name in names[1:]]
        pairs += [(f"{name}~1", f"{name}~2") for name in names[:3]]
        yield 6, population, 300, "groups", 600, targets(names, pairs, population, 0)
    for name, (design, rows, n_data_sets, learners, more) in _BREAKING.items():
        population = (ALL | BREAKING)[name]
        pairs = [(a, b) for k, a in enumerate(learners) for b in learners[k + 1 :]] + more
        for n_rows in rows:
            every = targets(learners, pairs, population, 0)
            yield 7, population, n_rows, design, n_data_sets, every


def neighbours_on_equal_columns(targets):
    """Yield the settings of tier 11 as `further_cells` does; areas are in tier 10."""
    for population in EQUAL.values():
        pairs = [
            (f"{name}~columns {a}", f"{name}~columns {b}")
            for name in _NEIGHBOURS
            for a, b in combinations((1, 2, 3), 2)
        ]
        every = targets([], pairs, population, 0)
        yield 11, population, 200, "slow", 1000, [t for t in every if t.metric != "AUC"]
    for population, n_rows in product(ALL.values(), (100, 300)):
        every = targets([], [(f"{name}~1", f"{name}~2") for name in _NEIGHBOURS], population, 0)
        yield 11, population, n_rows, "slow", 300, [t for t in every if t.metric != "AUC"]
