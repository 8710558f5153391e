"""The README's tables, from the results."""

from pathlib import Path

import numpy as np
import pandas as pd

from .measuring import GRID


def text(folder: Path) -> str:
    """Return a table for each search, and that of the elapsed seconds."""
    found = pd.read_csv(folder / "found.csv")
    parts = []
    for name, rows in found.groupby("search", sort=False):
        count = rows["repetition"].nunique()
        parts += [f"{name}, {count} repetitions:", _simple(_searches(rows))]
    elapsed = pd.read_csv(folder / "elapsed.csv")
    return "\n\n".join(
        [
            *parts,
            "Seconds in all:",
            _simple(_elapsed(elapsed)),
        ]
    )


def _searches(rows: pd.DataFrame) -> list[list[str]]:
    """Return the lines on one search: means over repetitions, against the whole search."""
    lines = [["way", "fits", "seconds", "fresh score", "difference", "same choice"]]
    by_way = rows.set_index(["way", "repetition"])
    whole = by_way.loc[GRID]
    for way in rows["way"].unique():
        one = by_way.loc[way]
        own = whole.loc[one.index]
        line = [way, f"{one['fits'].mean():.0f}", _percent(one["seconds"] / own["seconds"])]
        line.append(f"{100 * one['fresh'].mean():.2f}")
        if way == GRID:
            line += ["", ""]
        else:
            loss = 100 * (one["fresh"] - own["fresh"])
            error = loss.std() / np.sqrt(len(loss))
            line += [f"{loss.mean():+.2f} ({error:.2f})"]
            line += [_percent(one["candidate"] == own["candidate"])]
        lines.append(line)
    return lines


def _elapsed(rows: pd.DataFrame) -> list[list[str]]:
    """Return the lines on what searches take in all, in seconds; means."""
    lines = [["search", "way", "repetitions", "fits", "their seconds", "elapsed", "processor"]]
    for (name, way), one in rows.groupby(["search", "way"]):
        mean = one.mean(numeric_only=True)
        numbers = [f"{mean[column]:.2f}" for column in ("seconds", "elapsed", "processor")]
        lines.append([name, way, str(len(one)), f"{mean['fits']:.0f}", *numbers])
    return lines


def _percent(values: pd.Series) -> str:
    return f"{100 * values.mean():.0f} %"


def _simple(lines: list[list[str]]) -> str:
    """Return a table as reStructuredText has it."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rule = "  ".join("=" * width for width in widths)
    head, *body = (
        "  ".join(f"{cell:<{n}}" for cell, n in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
    return "\n".join([rule, head, rule, *body, rule])
