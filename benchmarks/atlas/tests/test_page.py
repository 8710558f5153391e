"""The page is built from the table: what it names, packs and says."""

import base64
import gzip
import json
import re

import numpy as np
import pandas as pd
import pytest

from benchmarks.atlas import page
from benchmarks.atlas.procedures import COMPARATOR, ROW_T


def row(procedure, missed, length, **others):
    """Return a row of the table, of 100 data sets."""
    of = {"setting": "tier 1, gauss, 100 rows", "tier": 1, "population": "gauss", "n_rows": 100}
    of |= {"kept_apart": False, "metric": "accuracy", "a": "tree", "b": "", "kind": "single"}
    of |= {"procedure": procedure, "fits": 20, "drawn": 100, "data_sets": 100}
    of |= {"missed_95": missed, "missed_90": 2 * missed, "length": length, "mean_length": length}
    of |= {"variance_ratio": 1.26, "power_2": 40.5, "repeated": 100, "flips": 12.5}
    return {**of, **others}


@pytest.fixture
def table():
    """Three procedures on two metrics, and a baseline that is short and misses little."""
    rows = [
        row(procedure, missed, length, metric=metric)
        for metric in ("accuracy", "log loss")
        for procedure, missed, length in (
            (ROW_T, 5, 0.8),
            (COMPARATOR, 4, 1.0),
            ("5x2 F", 9, 0.5),
            ("usual t, 20 tenths", 5, 0.4),
            ("row t, 4x5, no guard", 5, 0.7),
        )
    ]
    return pd.DataFrame(rows)


def test_the_shortest_that_holds_is_named(table):
    found = page.best(page.by_kind(page.ordinary(table)), ["learners", "n_rows"])
    assert found[["learners", "n_rows", "procedure"]].to_numpy().tolist() == [["tree", 100, ROW_T]]
    assert found["length"][0] == pytest.approx(0.8)


def test_where_none_holds_the_nearest_is_named(table):
    table["missed_95"] += 10
    (found,) = (
        page.best(page.ordinary(table), ["metric"]).query("metric == 'log loss'").to_records()
    )
    assert (found["procedure"], found["holds"]) == (COMPARATOR, False)
    assert "none holds; nearest: corrected t, 20 tenths" in page.answer(table)


def test_a_procedure_must_be_there_for_most_cells(table):
    some = table[(table["procedure"] != ROW_T) | (table["metric"] == "accuracy")]
    (found,) = page.best(page.by_kind(page.ordinary(some)), ["learners"])["procedure"]
    assert found == COMPARATOR


def test_pairs_count_for_both_kinds(table):
    pairs = page.by_kind(page.ordinary(table.assign(b="10-NN", kind="different")))
    assert pairs.groupby("learners").size().to_dict() == {"neighbours": 10, "tree": 10}


def test_what_is_not_complete_decides_nothing(table):
    text = page.answer(table)
    assert "It is not decided" in text
    assert "misses in 5.0 % of data sets" in text
    words = page.state(table)
    assert "2 cells of 100 to 100 data sets" in words
    assert "of those that were kept apart" in words


def test_the_packed_table_is_the_table(table):
    html = page.cells(table)
    known = json.loads(re.search(r'id="atlas-names">(.*?)</script>', html)[1])
    packed = re.search(r'id="atlas-numbers">(.*?)</script>', html)[1]
    numbers = np.frombuffer(gzip.decompress(base64.b64decode(packed)), np.uint8)
    low, high = numbers.reshape(2, 16, known["rows"]).astype(int)
    values = low + 256 * high
    assert [known["names"]["procedure"][k] for k in values[5]] == table["procedure"].tolist()
    assert known["names"]["where"] == ["gauss, 100 rows"]
    assert values[8].tolist() == table["missed_95"].tolist()
    assert values[11].tolist() == (100 * table["length"]).round().astype(int).tolist()
    assert set(values[12]) == {13}
    assert set(values[14]) == {12}
    table.loc[3, "length"] = np.nan
    assert page.cells(table) != html


def test_pictures_name_the_worst_cells(table):
    table.loc[5, "missed_95"] = 23
    found = page.pictures(table)
    assert "Worst for the row t-test: tree, log loss, gauss, 100 rows: 77.0 % of 100" in found
    assert found.count("<figure>") == 1
    assert 'aria-label="tree, single scores: coverage against length"' in found


def test_the_page_of_the_repository_is_below_its_size():
    assert sum(len(page.part(name)) for name in page.PARTS) < 900_000
