"""The parts of the documentation's page of the atlas, as HTML from the table of results alone.

`PARTS` are what the directive ``.. atlas::`` of the documentation may name.
"""

import base64
import gzip
import json
from html import escape

import numpy as np
import pandas as pd

from . import later, rule, running
from .learners import KINDS
from .pictures import SHOWN, pictures
from .procedures import CAREFUL, COMPARATOR, ROW_T, SAME_FOLDS
from .summaries import MOST_FITS, best, by_kind, means, planned, with_sizes, without_baselines

_MISSING = "<small>not computed yet</small>"
_NONE = 65535
_TIERS = {
    1: "fast learners",
    2: "forests, boosting, SVM, networks",
    3: "procedures of hundreds of fits",
    4: "5000 rows",
    5: "families of learners",
    6: "groups",
    7: "what breaks procedures",
    8: "metrics that are no means over rows",
    9: "the same, forests, boosting, SVM, networks",
    10: "learners that are equal",
    11: "neighbours on columns that are alike",
}


def state(table):
    """Return how much of the work is done, tier by tier, and what follows for the numbers."""
    known = running.progress(table)
    parts = [(name, known[known["tier"] == tier]) for tier, name in _TIERS.items()]
    rows = [
        f'<tr><th scope="row">{tier}: {name}</th>{_done(part[~part["is_kept"]])}'
        f"{_done(part[part['is_kept']])}</tr>"
        for tier, (name, part) in zip(_TIERS, parts, strict=True)
    ]
    head = "<th>Tier</th><th>Computed</th><th>Computed of what is kept apart</th>"
    cells = table.drop_duplicates(["setting", "metric", "a", "b", "kind"])
    return (
        f"<p>{_words_of_state(known)} The table has {len(cells)} cells; a cell is a metric"
        " of a learner, or of a pair, on a population, with a number of rows."
        f"{_of_later(table)}</p>"
        f"{_wrapped(head, ''.join(rows), 'What is computed')}"
    )


def _of_later(table):
    """Return on how many data sets the procedure is measured that came later."""
    counts = table[(table["procedure"] == CAREFUL) & table["tier"].isin(later.TIERS)]["drawn"]
    if counts.empty:
        return ""
    low, high = counts.min(), counts.max()
    number = str(low) if low == high else f"{low} to {high}"
    tiers = ", ".join(map(str, later.TIERS[:-1]))
    return (
        f" {CAREFUL} came later. In tiers {tiers} and {later.TIERS[-1]} it is measured on the first"
        f" {number} data sets of each setting, on the same folds, and its length is that of {ROW_T}"
        f" times the ratio of both on these.{_both_on_the_same()}"
    )


def _both_on_the_same():
    """Return how often the row t-test and what came later miss on the same data sets."""
    if not later.COMPARED.is_file():
        return ""
    parts = [
        f"{row['of']}, {row['what']} {100 * row[ROW_T]:.1f} / {100 * row[CAREFUL]:.1f} %"
        for row in pd.read_csv(later.COMPARED).to_dict("records")
    ]
    return f" Misses of both on the same data sets, {ROW_T} first: {'; '.join(parts)}."


def _words_of_state(known):
    """Return in words what is done, and what single cells can say."""
    if (known["drawn"] >= known["data_sets"]).all():
        return "All of it is computed."
    share = _work(known, "drawn") / _work(known, "data_sets")
    low, high = np.quantile(known["drawn"][known["drawn"] > 0], [0, 1]).astype(int)
    wide = 196 * np.sqrt(rule.LEVEL * (1 - rule.LEVEL) / low)
    return (
        f"<strong>This is a first part: {_percent(share)} of the work is done.</strong> Settings"
        f" that are computed have {low} to {high} data sets. With {low}, the share of misses of one"
        f" cell has an error of {wide:.0f} points (95 %): single cells say little, means over cells"
        " say more. What is missing is named below."
    )


def _work(known, name):
    return (known["seconds"] * known[name]).sum()


def _done(part):
    """Return a cell of the table of what is computed."""
    if part.empty:
        return "<td></td>"
    share, there = _work(part, "drawn") / _work(part, "data_sets"), (part["drawn"] > 0).sum()
    if share >= 1:
        return f"<td>all {len(part)} settings</td>"
    return f"<td>{_percent(share)} (begun: {there} of {len(part)} settings)</td>"


def _percent(share):
    return f"{100 * share:.1f} %"


def _wrapped(head, body, label):
    head = head.replace("<th>", '<th scope="col">')
    return (
        f'<div class="atlas-wide" tabindex="0" role="region" aria-label="{escape(label)}">'
        f'<table class="table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _grid(texts, rows, columns, corner, label):
    """Return an HTML table of `texts`, by pairs of `rows` and `columns`."""
    head = "".join(f"<th>{escape(str(column))}</th>" for column in columns)
    body = [
        f'<tr><th scope="row">{escape(str(row))}</th>'
        + "".join(f"<td>{texts.get((row, column), '')}</td>" for column in columns)
        + "</tr>"
        for row in rows
    ]
    return _wrapped(f"<th>{corner}</th>{head}", "".join(body), label)


def _figures(row):
    """Return the misses with their error, and the relative length, in short."""
    length = f", {row['length']:.2f}" if np.isfinite(row["length"]) else ""
    return f"{100 * row['size']:.1f} ± {100 * row['error']:.1f} %{length}"


def answer(table):
    """Return which procedure is for what: kinds of learners, rows, metrics; then the default."""
    cells = with_sizes(table)
    of_rows = by_kind(cells[cells["metric"] != "AUC"])
    found = {
        what: best(of_rows[of_rows["what"] == what], ["learners", "n_rows"])
        for what in ("differences", "single scores")
    }
    parts = [_in_short(found), _LEGEND]
    for what, some in found.items():
        parts += [f"<h3>{what.capitalize()}</h3>", _by_learners(some, what)]
    every = planned("metric", "what")
    named = _named(best(cells, ["metric", "what"]), ["metric", "what"], every)
    texts = dict.fromkeys(every, _MISSING) | named
    metrics = sorted({metric for metric, _ in texts})
    by_metric = _grid(texts, metrics, [*found], "Metric", "By metric")
    parts += ["<h3>By metric</h3>", by_metric, _reasons(of_rows, found), _of_diamonds(cells)]
    return "".join([*parts, _of_rule(table)])


_LEGEND = (
    "<p>Each field names the procedure with the shortest intervals among those of at most"
    f" {MOST_FITS} fits that miss the true value in at most {_percent(rule.HIGH)} of data sets,"
    " averaged over cells (5 % are wanted). Below its name: how often it misses, with one standard"
    " error, and its length relative to the corrected t-test on 20 random 90/10 splits. Where it"
    " has no figures in some settings, their number follows: AUC needs both classes in every test"
    " set."
    " A question mark: with two standard errors more it would miss too often. The errors are"
    " upper bounds of the simulation's, and say nothing about other populations. The tables by"
    " learner are over all metrics that are per-row averages.</p>"
)


def _in_short(found):
    """Return which procedure is named most often."""
    fields = pd.concat(found.values())
    held = fields["procedure"][fields["holds"]]
    if held.empty:
        return ""
    most = held.mode()[0]
    return (
        f"<p><strong>In short: {most}.</strong> It is named in {(held == most).sum()} of the"
        f" {len(fields)} fields of the two tables by learner; in {len(fields) - len(held)} of them"
        f" no procedure holds. 4x5 are 5 folds that are drawn 4 times, 20 tenths are 20"
        " random splits that train on 90 % of the rows and test on 10 %; row t is the row t-test,"
        " corrected t the corrected resampled t-test.</p>"
    )


def _reasons(cells, found):
    """Return for each field where none holds the data that are most to blame."""
    lines = []
    for what, fields in found.items():
        for row in fields[~fields["holds"]].to_dict("records"):
            own = cells[(cells["what"] == what) & (cells["procedure"] == row["procedure"])]
            own = own[(own["learners"] == row["learners"]) & (own["n_rows"] == row["n_rows"])]
            of = own["population"].str.partition(",")[0]
            worst = (own["size"] - rule.LEVEL).groupby(of).sum().idxmax()
            means_of = own["size"].groupby(of == worst).mean()
            without = f"; elsewhere {_percent(means_of[False])}" if False in means_of else ""
            lines.append(
                f"<li>{what.capitalize()}, {row['learners']}, {row['n_rows']} rows: on {worst}"
                f" {row['procedure']} misses {_percent(means_of[True])}{without}.</li>"
            )
    head = "<p>Where none holds, most misses are on one data set:</p>"
    return f"{head}<ul>{''.join(lines)}</ul>" if lines else ""


def _of_diamonds(cells):
    """Return how much the row t-test misses in the table whose squares are of a few rows."""
    errors = cells[(cells["procedure"] == ROW_T) & cells["metric"].str.endswith(" error")]
    errors = errors.assign(of=errors["population"].str.startswith("diamonds"))
    mean = errors.groupby(["metric", "of", "what"])["size"].mean().unstack()
    if len(mean) < 4 or mean.isna().any(axis=None):
        return ""

    def missed(metric, is_diamonds):
        known = mean.loc[metric, is_diamonds]
        return f"{_percent(known['differences'])} / {_percent(known['single scores'])}"

    return (
        "<p>A few rows of diamonds have impossible sizes, and can make most of a linear"
        f" model's squared errors. There {ROW_T} misses {missed('squared error', True)}"
        " (differences / single scores) with squared errors, and only"
        f" {missed('absolute error', True)} with absolute ones; elsewhere, with squared errors,"
        f" {missed('squared error', False)}. Look at your largest errors before you take their"
        " squares.</p>"
    )


def _by_learners(found, what):
    """Return the table of kinds of learners by rows."""
    known = planned("learners", "n_rows", "what")
    every = {(kind, n): count for (kind, n, of), count in known.items() if of == what}
    texts = dict.fromkeys(every, _MISSING) | _named(found, ["learners", "n_rows"], every)
    texts = {(kind, f"{n} rows"): text for (kind, n), text in texts.items()}
    columns = [f"{n} rows" for n in sorted({n for _, n in every})]
    kinds = [kind for kind in KINDS if any(kind == one for one, _ in every)]
    return _grid(texts, kinds, columns, "Learners", what.capitalize())


def _named(found, unit, every):
    """Return what `best` gives as texts, by `unit`, of `every` planned number of settings."""
    texts = {}
    for row in found.to_dict("records"):
        held = "" if row["holds"] else "none holds; nearest: "
        doubt = "" if row["is_sure"] or not row["holds"] else "?"
        key = tuple(row[name] for name in unit)
        count = row["n_settings"]
        part = f"; {count} of {every[key]} settings" if count < every.get(key, 0) else ""
        figures = f"<br><small>{_figures(row)}{part}</small>"
        texts[key] = f"{held}{row['procedure']}{doubt}{figures}"
    return texts


def _of_rule(table):
    """Return what the rule says of the default; nothing before all that it needs is computed."""
    cells = with_sizes(table, {1, 2})
    cells = cells[cells["metric"] != "AUC"]
    sentences = []
    for what, some in cells.groupby("what"):
        mean = means(some, ["procedure"]).set_index("procedure")
        figures = [
            f"{name}: {_figures(mean.loc[name])}"
            for name in (ROW_T, COMPARATOR, SAME_FOLDS)
            if name in mean.index
        ]
        sentences.append(f"<li>{what.capitalize()}: {'; '.join(figures)}.</li>")
    return (
        "<h3>The default</h3><p>Whether the row t-test is the default follows from a rule that was"
        " written down before what was kept apart was looked at. Misses and relative lengths of"
        " tiers 1 and 2, for metrics that are means over rows:</p>"
        f"<ul>{''.join(sentences)}</ul>{_verdict(table)}"
    )


def _verdict(table):
    """Return the rule's answers, by part, and what follows."""
    known = running.progress(table)
    needed = known[known["tier"].isin([1, 2])]
    if (needed["drawn"] == 0).any():
        return (
            "<p>Nothing follows from them yet: the rule needs all cells of these tiers, those that"
            " are kept apart too. The default stays.</p>"
        )
    so_far, share = "", _work(needed, "drawn") / _work(needed, "data_sets")
    if (needed["drawn"] < needed["data_sets"]).any():
        so_far = (
            f"<p>All cells of these tiers are begun, and {_percent(share)} of their work is done;"
            " with all of it the rule will be applied again.</p>"
        )
    judged, verdicts, lines = rule.judge(table), rule.verdicts(table), []
    for (what, where), found in judged.items():
        held = [
            f"({part}) {'holds' if found[f'({part})'] else 'fails'}" for part in ("i", "ii", "iii")
        ]
        lines.append(f"<li>{what.capitalize()}, {where}: {', '.join(held)}.</li>")
    for what, found in verdicts.items():
        row, groups = (found[name] for name in ("row t", "row t with groups"))
        taken = "the row t-test" if row else "the corrected resampled t-test"
        lines.append(
            f"<li><strong>{what.capitalize()}: {taken}</strong>; with groups {_taken(groups)}.</li>"
        )
    folds = [what for what, found in verdicts.items() if found["folds"]]
    change = len(folds) == len(verdicts)
    lines.append(
        "<li>The corrected resampled t-test on 4x5 folds is better than on random 90/10 splits, by"
        f" the same rule, for {' and for '.join(folds) or 'neither'}: its default splits"
        f" {'become those' if change else 'stay, as the rule wants both'}.</li>"
    )
    return f"{so_far}<p>By the rule's parts, and what follows:</p><ul>{''.join(lines)}</ul>"


def _taken(is_row_t):
    if is_row_t is None:
        return "not decided, as tier 6 is not computed"
    return "too" if is_row_t else "the corrected resampled t-test"


def further(table):
    """Return the means of tiers 3, 5, 6, 7 and 11, which stand apart from ordinary cells."""
    known = running.progress(table).set_index("tier")
    parts = []
    for tier, title, words, label in (
        (6, "Groups", "", lambda one: one["population"].str.rpartition(", ")[0]),
        (7, "What breaks procedures", "", _breaking),
        (
            *(11, "Neighbours on columns that are alike"),
            "The true difference is exactly 0: of copies of the columns with noise of their own,"
            " and of three sets of four columns (equal columns).",
            lambda one: one["a"].str.partition("~")[0] + ", " + one["metric"] + _on(one),
        ),
        (3, "Hundreds of fits", "", lambda one: one["n_rows"].astype(str) + " rows"),
        (
            *(5, "Families of exchangeable learners"),
            "Misses are data sets with any false claim among all pairs, or whose best set leaves"
            " out a given learner.",
            _family,
        ),
    ):
        cells = with_sizes(table, {tier})
        parts.append(f"<h3>{title}</h3>")
        if cells.empty:
            parts.append(f"<p>{_MISSING}</p>")
            continue
        if (known.loc[[tier], "drawn"] == 0).any():
            words += " Some of it is not computed yet."
        if words:
            parts.append(f"<p>{words}</p>")
        cells["row"] = label(cells)
        if tier not in (5, 11):
            cells["row"] += ", " + cells["what"]
        parts.append(_compared(cells, tier, title))
    return "".join(parts)


def by_metric(table):
    """Return how often the intervals of each metric miss, by three procedures, over all cells."""
    found = rule.judge_by_metric(table)
    if found.empty:
        return f"<p>{_MISSING}</p>"
    is_mean = found["metric"] == found["of"]
    parts = [_of_all_cells(found, is_mean)]
    for of, some in found[~is_mean].groupby("of"):
        every = found[is_mean & (found["of"] == of)].assign(metric="all of them")
        rows = [*some["metric"].drop_duplicates(), "all of them"]
        texts = {
            (row["metric"], row["what"]): _three(row)
            for row in pd.concat([some, every]).to_dict("records")
        }
        parts += [
            f"<h3>{of.capitalize()}</h3>",
            _grid(texts, rows, [*rule.HIGHEST], "Metric", of.capitalize()),
        ]
    return "".join([*parts, _high(table, found[~is_mean]), _worst_of_any_metric(table)])


def _of_all_cells(found, is_mean):
    """Return what the numbers are, and whether the rule holds for all metrics and for each."""
    fails = {
        where: "; ".join(
            f"{row['metric']}, {row['what']}: {_three(row)}"
            for row in some[~some["holds"]].to_dict("records")
        )
        for where, some in (("all", found[is_mean]), ("each", found[~is_mean]))
    }
    of_all = f"fails ({fails['all']})" if fails["all"] else "holds"
    of_each = f"it fails for {fails['each']}" if fails["each"] else "it holds for each"
    return (
        f"<p><strong>In short: in the mean over all cells the rule {of_all}; metric by metric"
        f" {of_each}.</strong> It wants, for single scores, differences and equal learners, that"
        " the row t-test misses no more than the corrected t-test on 15 random tenths, and at most"
        " a point more than that on the same folds. Each field says how often 95 % intervals miss,"
        " by the row t-test on 4x5 folds / by the corrected t-test on the same folds / by the"
        " corrected t-test on 15 random tenths. Of equal learners the true difference is exactly"
        " 0.</p>"
    )


def _three(row):
    """Return the misses of the three procedures in short."""
    return " / ".join(f"{100 * row[name]:.1f}" for name in ("size", "same_folds", "tenths")) + " %"


def _high(table, found):
    """Return where the row t-test misses often, and which procedures miss least there."""
    cells = rule.of_metrics(table[without_baselines(table)])
    mean = means(cells, ["metric", "what", "procedure"]).set_index(["metric", "what"])
    lines = []
    for row in found[found["is_high"]].to_dict("records"):
        here = mean.loc[[(row["metric"], row["what"])]].set_index("procedure")
        here = here[here["n_cells"] >= 0.9 * here["n_cells"].max()]
        others = here.drop(index=ROW_T).nsmallest(3, "size").to_dict("index")
        best = "; ".join(f"{name} {_figures(one)}" for name, one in others.items())
        lines.append(
            f"<li>{row['metric']}, {row['what']}: {_figures(here.loc[ROW_T])}. The least of the"
            f" others: {best}.</li>"
        )
    if not lines:
        return ""
    return (
        "<p>Here the row t-test misses more than 8 % of single scores or 5 % of differences"
        " (misses, with their error, and relative length). Nothing in the package is better there,"
        f" unless its intervals are longer:</p><ul>{''.join(lines)}</ul>"
    )


def _worst_of_any_metric(table):
    """Return the worst cells of the row t-test, one of a metric and population."""
    cells = with_sizes(table[table["procedure"] == ROW_T], {8, 9, 10})
    cells = cells.sort_values("size", ascending=False, kind="stable")
    cells = cells.drop_duplicates(["metric", "population"]).head(8)
    lines = [
        f"<li>{escape(row['metric'])}, {escape(row['a'])}"
        f"{' - ' * bool(row['b'])}{escape(row['b'])}, {escape(row['population'])},"
        f" {row['n_rows']} rows: {_percent(row['size'])}.</li>"
        for row in cells.to_dict("records")
    ]
    return (
        "<p>The worst cells of the row t-test, one of each metric and population. No procedure sees"
        f" what happens there:</p><ul>{''.join(lines)}</ul>"
    )


def _breaking(cells):
    """Return the population, and on the plane, which has several ways to fail, also which."""
    both = cells["a"] + ", " + cells["b"]
    ways = [both.str.contains(word) for word in ("diverging", "tuned")]
    kinds = np.select(ways, [", fits that diverge", ", tuned learners"], ", linear and lasso")
    return cells["population"] + np.where(cells["population"] == "plane", kinds, "")


def _on(cells):
    """Return whether learners see copies, or columns of their own."""
    return np.where(cells["a"].str.contains("columns"), ", equal columns", ", noisy copies")


def _family(cells):
    """Return the size of the families, their learner, and what is counted."""
    parts = cells["kind"].str.partition(", ")
    return parts[0] + " of " + cells["a"] + ", " + parts[2]


def _compared(cells, tier, title):
    """Return the misses and lengths of procedures side by side."""
    mean = means(cells, ["row", "procedure"])
    texts = {(row["row"], row["procedure"]): _figures(row) for row in mean.to_dict("records")}
    there = {name for _, name in texts}
    columns = [name for name in SHOWN if name in there]
    if tier == 3:
        columns = sorted(there, key=lambda name: (name not in SHOWN, name))
    return _grid(texts, sorted({row for row, _ in texts}), columns, "Cells", title)


def every(table):
    """Return the table of all cells: packed numbers, for the script that shows them."""
    names, codes = {}, []
    table = table.sort_values(
        ["tier", "n_rows", "population", "a", "b", "metric", "fits", "procedure"], kind="stable"
    )
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
        again,
        100 * table["length"],
        100 * table["length_error"],
        100 * table["variance_ratio"],
        100 * table["variance_ratio_error"],
        100 * table["power_2"] / n,
        100 * table["power_3"] / n,
        100 * table["flips"] / again,
        table["fits"],
        100 * table["truth_error"] / table["mean_length"],
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


PARTS = {one.__name__: one for one in (state, answer, by_metric, pictures, further, every)}


def part(name):
    """Return a part of the page from the table of the repository."""
    table = running.read()
    if not len(table):
        return "<p>Nothing has been computed yet.</p>"
    return PARTS[name](table).replace(" tenths", " 90/10 splits")  # as readers call them
