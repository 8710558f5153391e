"""What is committed of the study: its tables against the printed ones, and the page of them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from benchmarks.nadeau_bengio import comparison, evidence, findings, page
from benchmarks.nadeau_bengio.figures import FIGURES
from benchmarks.nadeau_bengio.tables import printed_intervals

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "benchmarks" / "nadeau_bengio" / "results"
PAGE = ROOT / "doc" / "reproduction.rst"


@pytest.fixture(scope="module")
def committed():
    return pd.read_csv(RESULTS / "tables.csv", keep_default_na=False)


def test_every_printed_interval_has_its_row(committed):
    names = "table simulation quantity algorithm design printed_low printed_high low high"
    assert list(committed.columns) == [*names.split(), "n_datasets"]
    assert len(committed) == 252
    rows = {tuple(row[:5]): tuple(row[5:7]) for row in committed.itertuples(index=False, name=None)}
    assert rows == {comparison.key_of(one): (one.low, one.high) for one in printed_intervals()}
    assert set(committed["quantity"]) == {"mu", "rho", "r"}
    assert set(committed["algorithm"]) == {"A", "B", "A-B"}
    designs = committed.groupby("quantity")["design"].agg(set)
    assert designs["mu"] == {"n/2", "9n/10"}
    assert designs["rho"] == {"n/2,n/2", "n/2,n/10", "9n/10,n/10"}
    assert designs["r"] == {""}
    assert (committed["low"] < committed["high"]).all()


def test_reproduces_the_printed_intervals(committed):
    # Counted here from the columns alone, by another route than the page's.
    printed = {comparison.key_of(one): one.rounding for one in printed_intervals()}
    keys = committed[comparison.KEY].itertuples(index=False, name=None)
    rounding = np.array([printed[key] for key in keys])
    distinct = committed[(committed["algorithm"] != "A") | (committed["simulation"] < 2)].index
    distinct = distinct.union(committed.index[committed["table"] < 4])
    assert len(distinct) == 222
    overlap = (committed["low"] <= committed["printed_high"] + rounding) & (
        committed["high"] >= committed["printed_low"] - rounding
    )
    assert overlap[distinct].mean() >= 0.975
    ours = (committed["high"] - committed["low"]) / 2 / 1.96
    theirs = ((committed["printed_high"] - committed["printed_low"]) / 2 + rounding) / 1.96
    middles = committed[["low", "high"]].mean(axis=1)
    theirs_middles = committed[["printed_low", "printed_high"]].mean(axis=1)
    distance = (middles - theirs_middles) / np.hypot(ours, theirs)
    assert distance.abs().max() <= 4
    missed = committed.loc[distinct][~overlap[distinct]].assign(sign=np.sign(distance))
    names = ["table", "quantity", "algorithm", "design", "sign"]
    assert (missed.groupby(names).size() <= 1).all()


def test_nothing_is_short_of_the_criterion(committed):
    assert comparison.shortcomings(committed) == []


def test_every_miss_is_explained(committed):
    compared = comparison.compare(committed)
    missed = compared[compared["distinct"] & ~compared["overlap"]]
    keys = set(missed[comparison.KEY].itertuples(index=False, name=None))
    assert keys == set(page.read_explanations(RESULTS))


def test_figures_are_whole():
    found = evidence.read(RESULTS)
    assert set(found.figures) == set(FIGURES)
    for name in FIGURES:
        assert (RESULTS / "figures" / f"figure-{name}.svg").is_file()


def test_page_is_what_the_tables_make():
    assert page.page_of(RESULTS, PAGE.parent) == PAGE.read_text(), (
        "write it with: python -m benchmarks.nadeau_bengio page --page doc/reproduction.rst"
    )


def test_page_has_no_missing_part():
    text = PAGE.read_text()
    assert "not run" not in text
    assert "not explained" not in text


def test_findings_are_those_of_the_tables():
    found = findings.findings_frame(evidence.read(RESULTS))
    written = evidence.read_by_section(RESULTS / "findings.csv")
    pd.testing.assert_frame_equal(found, written, check_dtype=False)
    assert set(found["outcome"]) <= {"holds", "in part", "does not hold"}


def test_statements_are_counted():
    found = evidence.read_by_section(RESULTS / "findings.csv")
    text = " ".join(PAGE.read_text().split())
    counts = found["outcome"].value_counts()
    assert f"{counts['holds']} hold here, {counts['in part']} hold in part" in text


def test_every_finding_can_fail():
    # In a world where all is alike, or in one where all is at random and too liberal.
    found, rng = evidence.read(RESULTS), np.random.RandomState(1)
    failed = {}
    for centre, spread in ((0.1, 1e-6), (0.6, 0.3)):
        sizes = centre + spread * rng.uniform(-1, 1, len(found.sizes))
        middles = centre * 1.5 + spread * rng.uniform(-1, 1, len(found.tables)) - 0.2
        figures = {}
        for name, frame in found.figures.items():
            last = "null_value" if "null_value" in frame else "true_value"
            head = frame.columns[: frame.columns.get_loc(last) + 1]
            rest = frame.columns.difference(head, sort=False)
            rates = centre + spread * rng.uniform(-1, 1, (len(frame), len(rest)))
            figures[name] = frame[head].join(pd.DataFrame(rates, columns=rest))
        world = evidence.Evidence(
            found.tables.assign(low=middles - 1e-7, high=middles + 1e-7),
            found.sizes.assign(
                size=sizes, low=sizes - 0.01, high=sizes + 0.01, liberal=sizes > 0.2
            ),
            figures,
        )
        for row in findings.findings_frame(world).itertuples():
            failed.setdefault(row.statement, []).append(row.outcome != "holds")
    assert {statement for statement, flags in failed.items() if not any(flags)} == set()
