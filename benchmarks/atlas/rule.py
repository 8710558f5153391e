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

For each metric that is no mean over rows (tiers 8 to 10, stratified) the row t-test is taken by
``method="auto"`` if its mean size is at most .08 for single scores, .05 for differences and .065
for equal learners, and below that of the corrected t-test on 15 random tenths; and, where it is
above .05, at most .01 above that of the corrected t-test on the same folds. One thing was added
after the first numbers were seen: only cells are judged whose true value is known to a fortieth of
the interval's length. Over all cells R2 and differences in RMSE fail, by linear models and networks
on diamonds, whose true values rest on a few data sets; the corrected t-test fails there as often.

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
# Of metrics that are no means over rows: by kind the tiers and the highest mean size.
OF_ANY_METRIC = {
    "single scores": ((8, 9), 0.08),
    "differences": ((8, 9), 0.05),
    "equal learners": ((10,), 0.065),
}
_ABOVE_SAME_FOLDS = 0.01
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


def judge_any_metric(table, *, of_all=False):
    """Return by metric and kind the mean sizes of three procedures, and whether the rule holds.

    Parameters
    ----------
    table : DataFrame
    of_all : bool, default=False
        Whether cells are judged whose true value is not known by the row t-test's intervals.

    Returns
    -------
    DataFrame
        With the columns "metric", "what", "size", "tenths", "same_folds" and "holds"; empty where
        nothing is computed.
    """
    found = []
    for what, (tiers, most) in OF_ANY_METRIC.items():
        cells = table[table["tier"].isin(tiers)]
        is_single = cells["kind"] == "single"
        cells = cells[is_single if what == "single scores" else ~is_single]
        of_row_t = cells[cells["procedure"] == ROW_T].set_index(CELL)
        known = of_row_t.index[of_all | (40 * of_row_t["truth_error"] <= of_row_t["mean_length"])]
        cells = cells[pd.MultiIndex.from_frame(cells[CELL]).isin(known)]
        sizes = (cells["missed_95"] / cells["data_sets"]).groupby(
            [cells["metric"], cells["procedure"]]
        )
        mean = sizes.mean().unstack().reindex(columns=[ROW_T, TENTHS, SAME_FOLDS]).dropna()
        for metric, (size, tenths, same) in mean.iterrows():
            is_near = size <= LEVEL or size <= same + _ABOVE_SAME_FOLDS
            holds = bool(size <= most and size < tenths and is_near)
            found.append((metric, what, size, tenths, same, holds))
    return pd.DataFrame(found, columns=["metric", "what", "size", "tenths", "same_folds", "holds"])
