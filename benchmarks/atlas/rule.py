"""The rule by which the default is chosen, written before what is kept apart is looked at.

The row t-test is compared with the corrected resampled t-test on 20 random tenths, over the cells
of tiers 1 and 2 whose metric is a mean over rows, separately for differences and for single scores:

(i) the mean of max(0, size - .05), and the share of cells whose one-sided 99 % lower limit of the
    size exceeds .075, are not above the comparator's: the upper 95 % limits of the excess, from a
    bootstrap over populations, are at most .005 and .02;
(ii) no class of learners x rows with at least five cells has a mean size above .075 and more than
    .02 above the comparator's; a difference counts in the classes of both of its learners;
(iii) the geometric mean of the length is at most .95 for differences and 1.00 for single scores;
(iv) in what was kept apart the point estimates of (i) to (iii) hold.

With groups the row t-test is taken only if the cells of tier 6 meet (ii) too, where a class is one
of learners x number of groups. If the corrected t-test on 4x5 folds is better than that on random
tenths by the same rule, over all metrics, its default splits become those: for differences and for
single scores, as the splits belong to the procedure.

Apart from that, ``method="auto"`` is judged on all cells: of means over rows (tiers 1 and 2), and
of other metrics (tiers 8 to 10, stratified). For single scores, differences and equal learners the
row t-test misses, in the mean, no more than the corrected t-test on 15 random tenths, and at most
.01 more than that on the same folds. It is shown for each metric, too. Where a metric's mean is
above .08 for single scores or .05 for differences, the page and README.rst say so.

The size is the share of data sets whose 95 % interval misses the true value. Data sets on which a
procedure is undetermined make no claim, and are no misses.
"""

import numpy as np
import pandas as pd
from scipy import stats as laws

from .cells import kinds_of
from .procedures import COMPARATOR, ROW_T, SAME_FOLDS, TENTHS

LEVEL, HIGH = 0.05, 0.075
_LIMITS = {"excess": 0.005, "share": 0.02}
_LONGEST = {"differences": 0.95, "single scores": 1.00}
_FEWEST_CELLS, _MOST_ABOVE = 5, 0.02
_N_RESAMPLES = 4000
# Metric by metric: what is judged, and the mean size above which it is said.
HIGHEST = {"single scores": 0.08, "differences": 0.05, "equal learners": np.inf}
_ABOVE_SAME_FOLDS = 0.01
OF_ROWS, OTHERS = "means over rows", "other metrics"
_OF_TIERS = {1: OF_ROWS, 2: OF_ROWS, 8: OTHERS, 9: OTHERS, 10: OTHERS}
CELL = ["tier", "population", "n_rows", "metric", "a", "b"]


def sizes_of(table, procedure=ROW_T, other=COMPARATOR, tiers=(1, 2), metrics=None):
    """Return one row for each cell, with what the rule needs of both procedures."""
    is_meant = table["metric"] != "AUC" if metrics is None else table["metric"].isin(metrics)
    known = table[table["tier"].isin(tiers) & is_meant].copy()
    known["size"] = known["missed_95"] / known["data_sets"]
    missed, n = known["missed_95"], known["data_sets"]
    lower = laws.beta.ppf(0.01, missed, n - missed + 1)
    known["is_high"] = np.where(missed > 0, lower, 0) > HIGH
    known["above"] = np.maximum(0, known["size"] - LEVEL)
    parts = [known[known["procedure"] == name] for name in (procedure, other)]
    columns = ["size", "above", "is_high", "mean_length"]
    first = parts[0][[*CELL, "kept_apart", "kind", *columns]]
    both = first.merge(parts[1][[*CELL, *columns]], on=CELL, suffixes=("", "_other"))
    both["length"] = both["mean_length"] / both["mean_length_other"]
    return both


def _excess(cells):
    """Return by how much both measures of (i) are above the comparator's."""
    return {
        "excess": float((cells["above"] - cells["above_other"]).mean()),
        "share": float((cells["is_high"].astype(float) - cells["is_high_other"]).mean()),
    }


def _upper_limits(cells):
    """Return the upper 95 % limits of both, from resampled populations."""
    cells = cells.assign(
        excess=cells["above"] - cells["above_other"],
        share=cells["is_high"].astype(float) - cells["is_high_other"],
    )
    by = cells.groupby("population")[["excess", "share"]].agg(["sum", "count"])
    rng = np.random.default_rng(0)
    rows = rng.integers(len(by), size=(_N_RESAMPLES, len(by)))
    return {
        name: float(
            np.quantile(
                by[name, "sum"].to_numpy()[rows].sum(1) / by[name, "count"].to_numpy()[rows].sum(1),
                0.95,
            )
        )
        for name in _LIMITS
    }


def _classes(cells):
    """Return the mean sizes by class of learners and number of rows, of five cells at least."""
    each = [
        {"kind": kind, "n_rows": row.n_rows, "size": row.size_, "other": row.size_other}
        for row in cells.rename(columns={"size": "size_"}).itertuples()
        for kind in kinds_of({name.partition("~")[0] for name in (row.a, row.b) if name})
    ]
    frame = (
        pd.DataFrame(each)
        .groupby(["kind", "n_rows"])
        .agg(size=("size", "mean"), other=("other", "mean"), n_cells=("size", "size"))
    )
    return frame[frame["n_cells"] >= _FEWEST_CELLS]


def _judge(cells, what, with_limits):
    """Return the figures of (i) to (iii) for some cells, and whether each holds."""
    sizes = {"size": cells["size"].mean(), "size_other": cells["size_other"].mean()}
    found = {"n_cells": len(cells), **sizes, **_excess(cells)}
    held = found
    if with_limits:
        held = _upper_limits(cells)
        found |= {f"{name}_limit": value for name, value in held.items()}
    found["(i)"] = all(held[name] <= limit for name, limit in _LIMITS.items())
    found |= _bad_classes(cells)
    lengths = cells["length"][(cells["length"] > 0) & np.isfinite(cells["length"])]
    found["length"] = float(np.exp(np.log(lengths).mean()))
    found["(iii)"] = found["length"] <= _LONGEST[what]
    found["holds"] = found["(i)"] and found["(ii)"] and found["(iii)"]
    return found


def judged(table):
    """Return what `judge` says of what could become a default; of "folds" over all metrics."""
    metrics = [*table["metric"].unique()]
    return {"row t": judge(table), "folds": judge(table, SAME_FOLDS, metrics=metrics)}


def verdicts(table):
    """Return what follows for the defaults: True, False, or None where cells are still missing.

    Returns
    -------
    dict of dict
        By "differences" and "single scores": "row t", "row t with groups" (both for
        ``method="auto"``) and "folds" (the splits of the corrected t-test).
    """
    parts, found = judged(table), {}
    for what in _LONGEST:
        of = {
            name: [part.get((what, where), {}).get("holds") for where in ("main", "kept apart")]
            for name, part in parts.items()
        }
        found[what] = {name: _all(held) for name, held in of.items()}
        in_groups = judge_groups(table).get(what, {}).get("(ii)")
        found[what]["row t with groups"] = _all([found[what]["row t"], in_groups])
    return found


def _all(held):
    """Return False if one is False, else None if one is not known."""
    return False if False in held else None if None in held else True


def judge_groups(table, procedure=ROW_T, other=COMPARATOR):
    """Return whether classes of learners x number of groups meet (ii), in the cells of tier 6."""
    cells, found = sizes_of(table, procedure, other, tiers=(6,)), {}
    cells = cells.assign(n_rows=cells["population"].str.extract(r"^(\d+)", expand=False))
    for what, is_single in (("differences", False), ("single scores", True)):
        some = cells[(cells["kind"] == "single") == is_single]
        if len(some):
            found[what] = {"n_cells": len(some), **_bad_classes(some, "groups")}
    return found


def _bad_classes(cells, unit="rows"):
    """Return the classes that do not meet (ii), and whether there is none."""
    classes = _classes(cells)
    bad = (classes["size"] > HIGH) & (classes["size"] > classes["other"] + _MOST_ABOVE)
    names = [f"{kind}, {n} {unit}" for kind, n in classes.index[bad]]
    return {"bad_classes": names, "(ii)": not names}


def judge(table, procedure=ROW_T, other=COMPARATOR, metrics=None):
    """Return what the rule says, by part of the cells.

    Parameters
    ----------
    table : DataFrame
    procedure, other : str
        ``procedures.SAME_FOLDS`` as procedure answers which splits the corrected t-test is to have.
    metrics : sequence of str, default=None
        None is all that are means over rows.

    Returns
    -------
    dict of dict
        By ``("differences" or "single scores", "main" or "kept apart")``.
    """
    cells = sizes_of(table, procedure, other, metrics=metrics)
    is_kept, found = cells["kept_apart"].astype(str) == "True", {}
    for what, is_single in (("differences", False), ("single scores", True)):
        for where, chosen in (("main", ~is_kept), ("kept apart", is_kept)):
            some = cells[chosen & ((cells["kind"] == "single") == is_single)]
            if len(some):
                found[what, where] = _judge(some, what, where == "main")
    return found


def of_metrics(table):
    """Return the cells that `judge_by_metric` judges, with their size, what they are and of what.

    Areas are other metrics; those of tiers 1 and 2 are on splits that are not stratified.
    """
    is_meant = table["tier"].isin(_OF_TIERS) & ((table["metric"] != "AUC") | (table["tier"] > 2))
    cells = table[is_meant]
    kinds = [cells["kind"] == "single", cells["kind"] == "null"]
    return cells.assign(
        of=cells["tier"].map(_OF_TIERS),
        what=np.select(kinds, ["single scores", "equal learners"], "differences"),
        size=cells["missed_95"] / cells["data_sets"],
    )


def judge_by_metric(table):
    """Return the mean sizes of three procedures, over all cells, and whether the rule holds.

    Parameters
    ----------
    table : DataFrame

    Returns
    -------
    DataFrame
        With the columns "of" (means over rows, or other metrics), "metric" (`OF_ROWS` or `OTHERS`
        for all of them), "what", "size", "tenths", "same_folds", "holds", and "is_high" where the
        page says so; empty where nothing is computed.
    """
    names = {ROW_T: "size", TENTHS: "tenths", SAME_FOLDS: "same_folds"}
    cells = of_metrics(table[table["procedure"].isin(names)])
    cells = pd.concat([cells.assign(metric=cells["of"]), cells])
    mean = cells.groupby(["of", "metric", "what", "procedure"])["size"].mean().unstack()
    mean = mean.reindex(columns=[*names]).rename(columns=names).dropna().reset_index()
    same = mean["size"] <= mean["same_folds"] + _ABOVE_SAME_FOLDS
    mean["holds"] = same & (mean["size"] <= mean["tenths"])
    mean["is_high"] = mean["size"] > mean["what"].map(HIGHEST)
    return mean.rename_axis(columns=None)
