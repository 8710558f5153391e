"""Means over cells, and what of them can be said: the numbers behind the page of the atlas."""

from functools import cache

import numpy as np

from . import cells as plan
from . import rule

MOST_FITS = 20
ORDINARY = {1, 2, 4}  # tiers; 3 has costly procedures, 5 families, 6 groups, 7 what breaks
_BASELINES = "usual t|plain interval|no guard"  # what people do, and what shows why not
_MOST_MISSING = 0.1  # of the cells, where a procedure is to be named for them


def with_sizes(table, tiers=ORDINARY):
    """Return the cells of some tiers, with the share of data sets that miss the true value.

    A setting and what is kept apart of it have the same data sets, and are one setting here.
    """
    cells = table[table["tier"].isin(tiers) & (table["data_sets"] > 0)].copy()
    cells["setting"] = cells["setting"].str.removesuffix(plan.KEPT_APART)
    cells["size"] = cells["missed_95"] / cells["data_sets"]
    cells["what"] = np.where(cells["kind"] == "single", "single scores", "differences")
    return cells


def by_kind(cells):
    """Return the cells once for each kind of their learners."""
    pairs = [*zip(cells["a"], cells["b"], strict=True)]
    kinds = {
        pair: sorted(plan.kinds_of({name.partition("~")[0] for name in pair if name}))
        for pair in {*pairs}
    }
    return cells.assign(learners=[kinds[pair] for pair in pairs]).explode("learners")


def means(cells, unit):
    """Return by `unit` the mean share of misses, its Monte-Carlo error, and the mean length.

    Cells of a setting share data sets. The error is that of cells whose misses are always the same
    there, and is thus the largest possible; a share below 5 % counts as 5 % in it.
    """
    logs = np.log(cells["length"].where(cells["length"] > 0))
    cells = cells.assign(log=logs, one=1)
    of_setting = {"misses": ("size", "sum"), "n": ("data_sets", "min"), "n_cells": ("one", "sum")}
    by = cells.groupby([*unit, "setting"], as_index=False).agg(**of_setting)
    share = np.clip(by["misses"] / by["n_cells"], rule.LEVEL, 1 - rule.LEVEL)
    by["square"] = by["n_cells"] ** 2 * share * (1 - share) / by["n"]
    found = by.groupby(unit)[["misses", "square", "n_cells"]].sum()
    found["n_settings"] = by.groupby(unit).size()
    found["size"] = found["misses"] / found["n_cells"]
    found["error"] = np.sqrt(found["square"]) / found["n_cells"]
    found["length"] = np.exp(cells.groupby(unit)["log"].mean())
    return found.drop(columns=["misses", "square"]).reset_index()


def without_baselines(cells):
    """Return whether the cells are of a procedure of at most 20 fits that may be named."""
    return (cells["fits"] <= MOST_FITS) & ~cells["procedure"].str.contains(_BASELINES)


def best(cells, unit):
    """Return by `unit` the shortest procedure of at most 20 fits that holds, or the nearest.

    It holds if its interval misses in at most 7.5 % of data sets, in the mean over the cells, and
    is there for nine of ten of them; this `is_sure` if two errors more are not above that. What
    is there to show what goes wrong is never named.
    """
    mean = means(cells[without_baselines(cells)], [*unit, "procedure"])
    most = mean.groupby(unit)["n_cells"].transform("max")
    mean = mean[mean["n_cells"] >= (1 - _MOST_MISSING) * most]
    mean["holds"] = mean["size"] <= rule.HIGH
    mean["is_sure"] = mean["size"] + 2 * mean["error"] <= rule.HIGH
    mean["order"] = np.where(mean["holds"], mean["length"], mean["size"])
    mean = mean.sort_values(["holds", "order"], ascending=[False, True])
    return mean.groupby(unit, as_index=False).first()


@cache
def planned(*names):
    """Return in how many settings there are to be ordinary cells, by tuples of the named things.

    Names are "learners", "n_rows", "what" and "metric". Areas are only counted by metric, and
    learners only without areas.
    """
    found = {}
    for setting in plan.settings():
        for target in setting.targets if setting.tier in ORDINARY else ():
            one = {
                "n_rows": setting.n_rows,
                "what": "differences" if target.b else "single scores",
                "metric": target.metric,
            }
            for kind in plan.kinds_of(target.learners):
                if "metric" in names or target.metric != "AUC":
                    key = tuple((one | {"learners": kind})[name] for name in names)
                    found.setdefault(key, set()).add(setting.name.removesuffix(plan.KEPT_APART))
    return {key: len(settings) for key, settings in found.items()}
