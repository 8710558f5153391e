"""The parts of the documentation's page of the atlas, as HTML from the table of results alone.

`PARTS` are what the directive ``.. atlas::`` of the documentation may name.
"""

import base64
import gzip
import json
from html import escape

import numpy as np
import pandas as pd

from . import rule, running
from .cells import kinds_of
from .procedures import COMPARATOR, ROW_T, SAME_FOLDS

MOST_FITS = 20
_BASELINES = ("usual t", "plain interval", "no guard")  # what people do, and what shows why not
_MOST_MISSING = 0.1  # of the cells, where a procedure is to be named for them
_PROPER = {1, 2, 4, 6}  # tiers of ordinary cells; 3 has other procedures, 5 families, 7 what breaks
_SHOWN = {  # procedures of the pictures, and the colours of their dots
    ROW_T: "#1f77b4",
    SAME_FOLDS: "#d95f02",
    "usual t, 20 tenths": "#888888",
    COMPARATOR: "#1b9e77",
}
_WIDTH, _HEIGHT, _EDGE = 300, 190, 34
_LENGTHS, _COVERAGES = (0.4, 1.6), (0.6, 1.0)
_ONE_OR_BOTH = {"differences": False, "single scores": True}
_NONE = 65535


def _percent(share):
    return f"{100 * share:.1f} %"


def ordinary(table):
    """Return the cells of pairs and single scores of the ordinary tiers, with their coverage."""
    cells = table[table["tier"].isin(_PROPER) & (table["data_sets"] > 0)].copy()
    cells["size"] = cells["missed_95"] / cells["data_sets"]
    cells["is_single"] = cells["kind"] == "single"
    return cells


def by_kind(cells):
    """Return the cells once for each kind of their learners."""
    of = {}
    for a, b in set(zip(cells["a"], cells["b"], strict=True)):
        of[a, b] = sorted(kinds_of({name.partition("~")[0] for name in (a, b) if name}))
    pairs = zip(cells["a"], cells["b"], strict=True)
    return cells.assign(learners=[of[pair] for pair in pairs]).explode("learners")


def best(cells, unit):
    """Return by `unit` the shortest procedure of at most 20 fits that holds, or the nearest.

    It holds if its interval misses in at most 7.5 % of data sets, in the mean over the cells, and
    is there for nine of ten of them. What is there to show what goes wrong is never named.
    """
    is_baseline = cells["procedure"].str.contains("|".join(_BASELINES))
    cells = cells[(cells["fits"] <= MOST_FITS) & ~is_baseline]
    cells = cells.assign(length=np.log(cells["length"].where(cells["length"] > 0)))
    mean = cells.groupby([*unit, "procedure"], as_index=False).agg(
        size=("size", "mean"), length=("length", "mean"), n_cells=("size", "count")
    )
    mean["length"] = np.exp(mean["length"])
    most = mean.groupby(unit)["n_cells"].transform("max")
    mean = mean[mean["n_cells"] >= (1 - _MOST_MISSING) * most]
    mean["holds"] = mean["size"] <= rule.HIGH
    mean["order"] = np.where(mean["holds"], mean["length"], mean["size"])
    mean = mean.sort_values(["holds", "order"], ascending=[False, True])
    return mean.groupby(unit, as_index=False).first()


def _grid(found, row, column, corner):
    """Return an HTML table of what `best` gives, `row` by `column`."""
    columns = sorted(found[column].unique())
    head = "".join(f'<th scope="col">{escape(_named(column, name))}</th>' for name in columns)
    body = []
    for name, part in found.groupby(row, sort=True):
        part = part.set_index(column)
        cells = [_best_cell(part.loc[c]) if c in part.index else "" for c in columns]
        inner = "".join(f"<td>{cell}</td>" for cell in cells)
        body.append(f'<tr><th scope="row">{escape(_named(row, name))}</th>{inner}</tr>')
    return (
        f'<div class="atlas-wide" tabindex="0"><table class="table"><thead><tr><th scope="col">'
        f"{corner}</th>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def _named(column, name):
    if column == "is_single":
        return "single scores" if name else "differences"
    return f"{name} rows" if column == "n_rows" else str(name)


def _best_cell(row):
    held = "" if row["holds"] else "none holds; nearest: "
    figures = f"{_percent(row['size'])}, {row['length']:.2f}"
    return f"{held}{escape(row['procedure'])}<br><small>{figures}</small>"


def answer(table):
    """Return which procedure is for what: kinds of learners, rows, metrics."""
    cells = by_kind(ordinary(table))
    parts = [
        "<p>Of the procedures of at most 20 fits, each table names the one with the shortest"
        " intervals among those that miss the true value in at most"
        f" {_percent(rule.HIGH)} of data sets (wanted: 5 %), in the mean over cells. Below it: how"
        " often it misses, and its length relative to the corrected t-test on 20 random tenths."
        " Kinds of learners are of all metrics that are means over rows; areas under the curve"
        " stand by metric.</p>"
    ]
    cells = cells[(cells["tier"] != 6) & (cells["metric"] != "AUC")]  # areas: by metric
    for what, is_single in _ONE_OR_BOTH.items():
        some = cells[cells["is_single"] == is_single]
        found = best(some, ["learners", "n_rows"])
        parts += [f"<h3>{what.capitalize()}</h3>", _grid(found, "learners", "n_rows", "Learners")]
    found = best(ordinary(table), ["metric", "is_single"])
    parts += ["<h3>By metric</h3>", _grid(found, "metric", "is_single", "Metric")]
    return "".join(parts) + _of_rule(table)


def _of_rule(table):
    """Return what the rule says of the default, and how far that can be trusted yet."""
    judged, state = rule.judge(table), state_of(table)
    missing = [what for what in ("main", "kept apart") if state[what] < 1]
    sentences = []
    for what in _ONE_OR_BOTH:
        found = judged.get((what, "main"))
        if found is None:
            continue
        held = [
            f"({part}) {'holds' if found[f'({part})'] else 'does not hold'}"
            for part in ("i", "ii", "iii")
        ]
        sentences.append(
            f"<li>{what.capitalize()} ({found['n_cells']} cells): the row t-test misses in"
            f" {_percent(found['size'])} of data sets, the corrected t-test on 20 random tenths in"
            f" {_percent(found['size_other'])}; the length is {found['length']:.2f} of its length."
            f" Of the rule {', '.join(held)}.</li>"
        )
    last = (
        "<p>It is not decided: the first pass over "
        + " and ".join(
            {"main": "the cells", "kept apart": "what was kept apart"}[m] for m in missing
        )
        + " is not complete.</p>"
        if missing
        else f"<p>What follows: {escape(_verdict(rule.verdicts(table)))}</p>"
    )
    return f"<h3>The default</h3><ul>{''.join(sentences)}</ul>{last}"


def _verdict(found):
    """Return what the rule gives, in words."""
    words = {True: "the row t-test", False: "the corrected resampled t-test", None: "not decided"}
    return "; ".join(f"{what}: {words[one['row t']]}" for what, one in found.items()) + "."


def state_of(table):
    """Return the share of settings that are in the table, and the data sets of the cells."""
    there, wanted = set(table["setting"]), pd.read_csv(running.COSTS)["setting"]
    is_kept, is_there = wanted.str.endswith(", kept apart"), wanted.isin(there)
    found = {"main": is_there[~is_kept].mean(), "kept apart": is_there[is_kept].mean()}
    per_setting = table.groupby("setting")["drawn"].max()
    quantiles = per_setting.quantile([0, 0.5, 1]).astype(int).tolist() if len(there) else [0, 0, 0]
    return {**found, "data_sets": quantiles, "settings": len(there)}


def state(table):
    """Return how much has been computed, in words."""
    known = state_of(table)
    low, middle, high = known["data_sets"]
    n_cells = len(table.drop_duplicates(["setting", "metric", "a", "b", "kind"]))
    wide = 1.96 * np.sqrt(0.05 * 0.95 / max(middle, 1))
    return (
        f"<p>So far {_percent(known['main'])} of the settings are computed, and"
        f" {_percent(known['kept apart'])} of those that were kept apart: {n_cells} cells of {low}"
        f" to {high} data sets each, {middle} in the middle. With {middle} data sets the share of"
        f" misses of one cell has an error of {100 * wide:.0f} points (95 %), so that single"
        " cells say little; means over cells say much more.</p>"
    )


def pictures(table):
    """Return coverage against length, a panel for each kind of learner, and the worst cells."""
    cells = by_kind(ordinary(table))
    key = "".join(
        f'<span class="atlas-key"><i style="background:{colour}"></i>{escape(name)}</span>'
        for name, colour in _SHOWN.items()
    )
    parts = [f"<p>{key}</p>"]
    for what, is_single in _ONE_OR_BOTH.items():
        some = cells[cells["is_single"] == is_single]
        panels = [_panel(kind, part, what) for kind, part in some.groupby("learners")]
        parts.append(
            f'<h3>{what.capitalize()}</h3><div class="atlas-panels">{"".join(panels)}</div>'
        )
    return "".join(parts)


def _panel(kind, cells, what):
    """Return one panel: small dots are cells, large ones the mean of a procedure."""
    drawn, means = [], []
    for name, colour in _SHOWN.items():
        own = cells[(cells["procedure"] == name) & np.isfinite(cells["length"])]
        if own.empty:
            continue
        x, y = _places(own["length"], 1 - own["size"])
        if name != COMPARATOR:  # its length is 1
            dots = sorted({(int(a), int(b)) for a, b in zip(x, y, strict=True)})
            path = "".join(f"M{a} {b}h0" for a, b in dots)
            drawn.append(f'<path d="{path}" stroke="{colour}"/>')
        length = np.exp(np.log(own["length"].where(own["length"] > 0)).mean())
        (x,), (y,) = _places([length], [1 - own["size"].mean()])
        means.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="6" fill="{colour}"/>')
    title = f"{kind}, {what}: coverage against length"
    return (
        f'<figure><figcaption>{escape(kind)}</figcaption><svg viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' role="img" aria-label="{escape(title)}">{_axes()}<g class="atlas-dots">{"".join(drawn)}'
        f'</g><g class="atlas-means">{"".join(means)}</g></svg>{_worst(cells)}</figure>'
    )


def _places(lengths, coverages):
    """Return the places of points in a panel; what is outside stands on its edge."""
    found = []
    for values, (low, high), start, end in (
        (lengths, _LENGTHS, _EDGE, _WIDTH - 6),
        (coverages, _COVERAGES, _HEIGHT - _EDGE, 6),
    ):
        share = (np.clip(np.asarray(values, dtype=float), low, high) - low) / (high - low)
        found.append(np.round(start + share * (end - start)))
    return found


def _axes():
    """Return the frame of a panel, with the wanted coverage and the comparator's length."""
    xs, ys = [0.6, 0.8, 1.0, 1.2, 1.4], [0.6, 0.7, 0.8, 0.9, 1.0]
    (x, _), (_, y) = _places(xs, [0.6] * 5), _places([1] * 5, ys)
    marks = [
        f'<text x="{a:.0f}" y="{_HEIGHT - 20}" text-anchor="middle">{v:g}</text>'
        for a, v in zip(x, xs, strict=True)
    ]
    marks += [
        f'<text x="{_EDGE - 4}" y="{b + 4:.0f}" text-anchor="end">{100 * v:.0f}</text>'
        for b, v in zip(y, ys, strict=True)
    ]
    (one,), (wanted,) = _places([1.0], [0.95])
    lines = f"M{_EDGE} {wanted:.0f}H{_WIDTH - 6}M{one:.0f} 6V{_HEIGHT - _EDGE}"
    words, middle = "relative length; coverage in %", _WIDTH // 2
    label = f'<text x="{middle}" y="{_HEIGHT - 4}" text-anchor="middle">{words}</text>'
    return f'<path class="atlas-lines" d="{lines}"/>{"".join(marks)}{label}'


def _worst(cells):
    """Return the cells in which the row t-test misses most often."""
    own = cells[cells["procedure"] == ROW_T].nlargest(2, "size")
    names = [
        f"{row.a}{' against ' * bool(row.b)}{row.b}, {row.metric}, {row.population},"
        f" {row.n_rows} rows: {_percent(1 - row.size_)} of {row.data_sets:.0f}"
        for row in own.rename(columns={"size": "size_"}).itertuples()
    ]
    return f"<p><small>Worst for the row t-test: {escape('; '.join(names))}.</small></p>"


def cells(table):
    """Return the table of all cells: packed numbers, for the script that shows them."""
    names, codes = {}, []
    table = table.assign(
        where=table["population"].astype(str) + ", " + table["n_rows"].astype(str) + " rows",
    )
    for column in ("where", "metric", "a", "b", "kind", "procedure", "tier", "n_rows"):
        code, found = pd.factorize(table[column], sort=True)
        names[column] = [str(name) for name in found]
        codes.append(code)
    n, again = table["data_sets"], table["repeated"].replace(0, np.nan)
    for values in (
        table["missed_95"],
        table["missed_90"],
        n,
        100 * table["length"],
        10 * table["variance_ratio"],
        100 * table["power_2"] / n,
        100 * table["flips"] / again,
        table["fits"],
    ):
        values = np.asarray(values, dtype=float)
        codes.append(np.where(np.isfinite(values), np.minimum(np.round(values), 65534), _NONE))
    codes = np.stack(codes).astype(np.uint16)
    numbers = np.stack([codes & 255, codes >> 8]).astype(np.uint8).tobytes()  # packs better apart
    packed = base64.b64encode(gzip.compress(numbers, mtime=0)).decode()
    known = json.dumps({"names": names, "rows": len(table)}).replace("</", "<\\/")
    return (
        '<div id="atlas"><noscript>The table needs a browser with scripts.</noscript></div>'
        f'<script type="application/json" id="atlas-names">{known}</script>'
        f'<script type="text/plain" id="atlas-numbers">{packed}</script>'
        '<script src="_static/atlas.js" defer></script>'
    )


PARTS = {one.__name__: one for one in (answer, state, pictures, cells)}


def part(name):
    """Return a part of the page from the table of the repository."""
    table = running.read()
    return PARTS[name](table) if len(table) else "<p>Nothing has been computed yet.</p>"
