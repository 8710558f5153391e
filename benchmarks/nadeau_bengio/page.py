"""The page of the comparison, made from a run's tables: reStructuredText."""

import os
from pathlib import Path

import pandas as pd

from . import evidence
from ._rules import FAILS, HOLDS, IN_PART
from .analytic import expected_errors
from .comparison import FARTHEST, KEY, combined_distances, shortcomings
from .figures import FIGURES, Figure
from .page_text import COST, EXPLANATION, INTRODUCTION, MEASURES, OVERLAP, READING, REVISION, rules
from .plots import describe, significant_rate
from .problems import REGRESSION
from .rates import section_curves
from .study import label

DISTORTIONS = "w = 1, 5, 10, 17.25, 25, 2048"
_TITLES = {
    2: "Table 2: regression",
    3: "Table 3: two Gaussian classes",
    4: f"Table 4: letters, {DISTORTIONS}",
}
_SECTIONS = {
    "5.1": "Section 5.1: the procedures, aimed at n/2 rows",
    "5.2": "Section 5.2: the number of splits J, at (9n/10, n/10)",
    "5.3": "Section 5.3: the number of half-sample pairs M, at (9n/10, n/10), J = 15",
}


def page_of(directory, place):
    """Return the page.

    Parameters
    ----------
    directory : path-like
        With what a run has written.
    place : path-like
        The folder of the page, for its links to the figures.
    """
    directory = Path(directory)
    found = evidence.read(directory)
    parts = [
        INTRODUCTION.format(data_sets=_data_sets(found.tables)),
        _summary(directory, found),
        READING,
        _misses(directory, found.tables),
        *(_table(found.tables, number) for number in _TITLES),
        _closed_forms(found.tables),
        _findings(directory),
        *(_sizes(found, section) for section in _SECTIONS),
        _figures(found, Path(os.path.relpath(directory, place))),
        _cost(directory),
    ]
    return "\n".join(part for part in parts if part)


def _data_sets(tables):
    numbers = tables.groupby(["table", "simulation"])["n_datasets"].first()
    if numbers.nunique() == 1:
        return f"{numbers.iloc[0]} data sets each"
    few = ", ".join(
        f"{number} in simulation {simulation} of table {table}"
        for (table, simulation), number in numbers.items()
        if number < numbers.max()
    )
    return f"{numbers.max()} data sets each, but {few}"


def _summary(directory, found):
    tables = found.tables
    distinct = tables[tables["distinct"]]
    combined = combined_distances(tables)
    same_sign = int((combined["same_sign"] > 1).sum())
    faults = shortcomings(pd.read_csv(directory / "tables.csv", keep_default_na=False))
    verdict = f"Not met: {'; '.join(faults)}." if faults else "All criteria are met."
    text = OVERLAP.format(
        n_distinct=len(distinct),
        overlap=int(distinct["overlap"].sum()),
        share=100 * distinct["overlap"].mean(),
        farthest=distinct["distance"].abs().max(),
        limit=FARTHEST,
        together=combined["distance"].abs().max(),
        same_sign=same_sign,
        n_quantities=len(combined),
        miss="misses" if same_sign == 1 else "miss",
        verdict=verdict,
    )
    findings = evidence.read_by_section(directory / "findings.csv")
    counted = _counted(findings["outcome"].value_counts())
    measures = MEASURES.format(n_printed=len(tables), n_distinct=len(distinct))
    return f"{_heading('Does it agree?')}{text}{counted}\n{measures}"


def _counted(counts):
    """Say how many of the report's statements have which outcome."""
    failed = counts.get(FAILS, 0)
    not_run = f"; {counts['not run']} were not run" if "not run" in counts else ""
    return (
        f"\nOf {counts.sum()} statements of the report about its tables and figures "
        f"{counts.get(HOLDS, 0)} hold here, {counts.get(IN_PART, 0)} hold in part and "
        f"{failed} {'does' if failed == 1 else 'do'} not hold{not_run}.\n"
    )


def _heading(title):
    return f"{title}\n{'-' * len(title)}\n\n"


def _rows(header, rows, widths=None):
    """Return a list-table; a cell is a text or a list of lines."""
    lines = [".. list-table::", "   :header-rows: 1"]
    if widths:
        lines.append(f"   :widths: {' '.join(map(str, widths))}")
    lines.append("")
    for row in [header, *rows]:
        for k, cell in enumerate(row):
            texts = [cell] if isinstance(cell, str) else [f"| {line}" for line in cell]
            for j, text in enumerate(texts):
                start = "   " + ("* " if k == 0 and j == 0 else "  ") + ("- " if j == 0 else "  ")
                lines.append(f"{start}{text}".rstrip())
    return "\n".join(lines) + "\n"


def _name(quantity, algorithm, where):
    return f"{quantity} of {algorithm}{', ' + where if where else ''}"


def _interval(low, high):
    digits = 2 if abs(high) > 20 else 4
    return f"[{low:.{digits}f}, {high:.{digits}f}]"


def _misses(directory, tables):
    misses = tables[tables["distinct"] & ~tables["overlap"]]
    text = _heading("The intervals that miss each other")
    if misses.empty:
        return f"{text}None.\n"
    combined = combined_distances(tables).set_index(["table", "quantity", "algorithm", "design"])
    explanations = read_explanations(directory)
    rows = []
    for row in misses.itertuples():
        key = (row.table, row.quantity, row.algorithm, row.design)
        alike = (tables[["table", "quantity", "algorithm", "design"]] == list(key)).all(axis=1)
        others = tables[alike & (tables["simulation"] != row.simulation)]
        beside = ", ".join(f"{value:+.1f}" for value in others["distance"])
        rows.append(
            (
                f"{row.table}, simulation {row.simulation}",
                _name(*key[1:]),
                f"[{_plain(row.printed_low)}, {_plain(row.printed_high)}]",
                _interval(row.low, row.high),
                f"{row.distance:+.1f}",
                f"{beside}; together {combined['distance'][key]:+.1f}",
                explanations.get((row.table, row.simulation, *key[1:]), "not explained"),
            )
        )
    others = "in its other simulations"
    header = ("table", "quantity", "printed", "ours", "distance", others, "explanation")
    return f"{text}{EXPLANATION}\n{_rows(header, rows, (2, 3, 3, 3, 1, 3, 6))}"


def read_explanations(directory):
    """Return what is known of the intervals that miss each other, by `comparison.KEY`.

    Parameters
    ----------
    directory : path-like
        Its ``explanations.csv``, which is written by hand, has the columns of `comparison.KEY`
        and ``explanation``.
    """
    path = Path(directory) / "explanations.csv"
    if not path.is_file():
        return {}
    frame = pd.read_csv(path, keep_default_na=False)
    keys = frame[KEY].itertuples(index=False, name=None)
    return dict(zip(keys, frame["explanation"], strict=True))


def _table(tables, number):
    rows = tables[tables["table"] == number]
    if rows.empty:
        return ""
    lines = []
    keys = ["quantity", "algorithm", "design"]
    for key, group in rows.groupby(keys, sort=False):
        alike = number == 4 and key[1] == "A"
        cells = [
            (
                f"[{_plain(row.printed_low)}, {_plain(row.printed_high)}]",
                _interval(row.low, row.high),
                f"{row.distance:+.1f}" + ("" if row.overlap else " **apart**"),
            )
            for row in group.itertuples()
            if not alike or row.simulation == group["simulation"].min()
        ]
        cells += ["as simulation 1"] * (len(group) - len(cells))
        lines.append((_name(*key), *cells))
    simulations = [f"simulation {number}" for number in sorted(rows["simulation"].unique())]
    text = (
        f"{_heading(_TITLES[number])}Printed interval, ours, and the distance of the midpoints in "
        "standard errors (positive: ours is greater).\n\n"
    )
    return text + _rows(("", *simulations), lines)


def _plain(number):
    return f"{number:.6f}".rstrip("0").rstrip(".")


def _closed_forms(tables):
    rows = tables[(tables["table"] == 2) & (tables["quantity"] == "mu")]
    if rows.empty:
        return ""
    lines = []
    for row in rows.itertuples():
        problem = REGRESSION[row.simulation]
        part = 0.5 if row.design == "n/2" else 0.9
        truth = expected_errors(problem, round(part * problem.n_samples))[row.algorithm]
        lines.append(
            (
                f"{row.simulation}",
                _name("mu", row.algorithm, row.design),
                f"{truth:.5g}" if abs(truth) > 1e-12 else "0",
                f"[{_plain(row.printed_low)}, {_plain(row.printed_high)}]",
                _interval(row.low, row.high) + (" covers" if row.low <= truth <= row.high else ""),
            )
        )
    text = _heading("Equations 18 and 19: the errors in closed form")
    return text + _rows(("simulation", "quantity", "value", "printed interval", "ours"), lines)


def _findings(directory):
    findings = evidence.read_by_section(directory / "findings.csv")
    rows = [(row.section, row.statement, row.numbers, row.outcome) for row in findings.itertuples()]
    text = _heading("What the report found, and whether it holds") + rules() + "\n"
    text += _rows(("section", "statement", "here", "outcome"), rows, (1, 6, 8, 2))
    remarks = directory / "remarks.rst"  # written by hand, about these results
    if remarks.is_file():
        text += f"\n{remarks.read_text()}"
    return f"{text}\n{REVISION}"


def _sizes(found, section):
    rows = found.sizes[found.sizes["section"] == section]
    rows = rows[rows["section"] == section]
    if rows.empty:
        return ""
    curves = section_curves()[section]
    whole = Figure("", (), tuple(curves))
    there = [curve for curve in curves if label(curve) in set(rows["curve"])]
    lines = []
    for (name, simulation, hypothesis), group in rows.groupby(evidence.PANEL, sort=False):
        by_curve = group.set_index("curve")
        cells = []
        for curve in there:
            if label(curve) in by_curve.index:
                one = by_curve.loc[label(curve)]
                cells.append(f"{100 * one['size']:.1f}{'*' * bool(one['liberal'])}")
            else:
                cells.append("")
        lines.append((f"{name} {simulation}, {hypothesis}", *cells))
    numbers = sorted(rows["n_datasets"].unique())
    bounds = "; ".join(
        f"more than {round(significant_rate(n) * n)} rejections of {n}" for n in numbers
    )
    text = (
        f"{_heading(_SECTIONS[section])}How often the true value is rejected at level 10 %, in %. "
        f"An asterisk: significantly more than 10 % (one-sided, at 5 %: {bounds}). "
        "``sizes.csv`` has the binomial intervals and the true values.\n\n"
    )
    return text + _rows(("", *(describe(curve, whole) for curve in there)), lines)


def _figures(found, folder):
    text = _heading("Figures")
    text += (
        "Rejection rates at level 10 % over mu0. Grey lines: the level, the rate that is "
        "significantly above it (dotted), and the true value. The numbers are in the CSV files "
        "beside the figures.\n"
    )
    for name in FIGURES:
        if name not in found.figures:
            continue
        figure = FIGURES[name]
        path = (folder / "figures" / f"figure-{name}.svg").as_posix()
        text += f"\n.. figure:: {path}\n\n   {_caption(name, figure)}\n"
    return text


def _caption(name, figure):
    title = "Figure 1 of the NIPS paper" if name == "nips-1" else f"Figure {name}"
    if not isinstance(figure, Figure):
        return f"{title}: true power curves and their surrogates, letters."
    problems = {panel.problem for panel in figure.panels}
    hypotheses = sorted({panel.hypothesis for panel in figure.panels})
    return f"{title}: {', '.join(problems)}, {' and '.join(hypotheses)}."


def _cost(directory):
    path = directory / "timings.csv"
    if not path.is_file():
        return ""
    spent = pd.read_csv(path)
    rows = [tuple(map(str, row)) for row in spent.itertuples(index=False)]
    return f"{_heading('What it cost')}{COST}\n{_rows(list(spent.columns), rows)}"
