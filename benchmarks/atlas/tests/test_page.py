"""The page is built from the table: what it names, packs and says, whatever the table holds."""

import base64
import gzip
import json
import re

import numpy as np
import pandas as pd
import pytest

from benchmarks.atlas import cells, page, running, summaries
from benchmarks.atlas.families import COUNTED
from benchmarks.atlas.procedures import BY_DESIGN, CAREFUL, COMPARATOR, ROW_T, SAME_FOLDS


def row(procedure, missed, length, **others):
    """Return a row of the table, of 100 data sets."""
    of = {"setting": "tier 1, gauss, 100 rows", "tier": 1, "population": "gauss", "n_rows": 100}
    of |= {"kept_apart": False, "metric": "accuracy", "a": "tree", "b": "", "kind": "single"}
    of |= {"procedure": procedure, "fits": 20, "drawn": 100, "data_sets": 100}
    of |= {"missed_95": missed, "missed_90": 2 * missed, "length": length, "mean_length": length}
    of |= {"variance_ratio": 1.26, "power_2": 40.5, "repeated": 100, "flips": 12.5}
    of |= {"power_3": 80, "length_error": 0.012, "variance_ratio_error": 0.08}
    return {**of, "truth_error": 0.01, **others}


@pytest.fixture
def table():
    """Three procedures on two metrics, and baselines that are short and miss little."""
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


def best(table, *unit):
    return summaries.best(summaries.by_kind(summaries.with_sizes(table)), [*unit])


def test_the_shortest_that_holds_is_named(table):
    found = best(table, "learners", "n_rows")
    assert found[["learners", "n_rows", "procedure"]].to_numpy().tolist() == [["tree", 100, ROW_T]]
    assert found["length"][0] == pytest.approx(0.8)


def test_where_none_holds_the_nearest_is_named(table):
    table["missed_95"] += 10
    (found,) = best(table, "metric").query("metric == 'log loss'").to_dict("records")
    assert (found["procedure"], found["holds"]) == (COMPARATOR, False)
    assert "none holds; nearest: corrected t, 20 tenths" in page.answer(table)


def test_in_short_the_procedure_that_is_named_most_often_is_named(table):
    assert "<strong>In short: row t, 4x5.</strong> It is named in 1 of the 1 fields" in page.answer(
        table
    )
    table["missed_95"] += 10
    assert "In short" not in page.answer(table)


def test_where_none_holds_the_data_to_blame_are_named(table):
    """Of 100 data sets 30 are missed on diamonds, 6 elsewhere: in the mean 18 %."""
    assert "most misses are on one" not in page.answer(table)
    some = table[table["procedure"] == ROW_T]
    bad = some.assign(population="diamonds, log", setting="other", missed_95=30)
    text = page.answer(pd.concat([some.assign(missed_95=6), bad]))
    words = "on diamonds row t, 4x5 misses 30.0 %; elsewhere 6.0 %.</li>"
    assert f"<li>Single scores, tree, 100 rows: {words}" in text


def test_a_procedure_must_be_there_for_most_cells(table):
    some = table[(table["procedure"] != ROW_T) | (table["metric"] == "accuracy")]
    (found,) = best(some, "learners")["procedure"]
    assert found == COMPARATOR


def test_pairs_count_for_both_kinds(table):
    pairs = summaries.by_kind(summaries.with_sizes(table.assign(b="10-NN", kind="different")))
    assert pairs.groupby("learners").size().to_dict() == {"neighbours": 10, "tree": 10}


def test_the_error_is_that_of_cells_that_share_their_data_sets(table):
    """Two settings of 100 and 400 data sets with 10 % of misses: by hand .5 sqrt(.09 / 80)."""
    other = table.assign(setting="other", data_sets=400, missed_95=40)
    both = pd.concat([table.assign(missed_95=10), other])
    found = summaries.means(summaries.with_sizes(both), ["procedure"])
    assert found["size"].tolist() == pytest.approx([0.1] * 5)
    assert found["error"].tolist() == pytest.approx([0.5 * np.sqrt(0.09 / 80)] * 5)
    assert found["n_cells"].tolist() == [4] * 5
    assert found["n_settings"].tolist() == [2] * 5


def test_what_is_kept_apart_of_a_setting_has_the_same_data_sets(table):
    some = table.assign(setting="tier 1, gauss, 100 rows", missed_95=10)
    kept = some.assign(setting="tier 1, gauss, 100 rows, kept apart", kept_apart=True)
    found = summaries.means(summaries.with_sizes(pd.concat([some, kept])), ["procedure"])
    assert found["error"].tolist() == pytest.approx([np.sqrt(0.09 / 100)] * 5)
    assert found["n_settings"].tolist() == [1] * 5
    # By hand: 9 populations of classes with 100 and 300 rows, 7 with 1000; 3 of tier 2 with both.
    assert summaries.planned("metric", "what")["AUC", "differences"] == 9 * 2 + 7 + 3 * 2


def test_what_few_rows_do_to_squared_errors_is_said(whole):
    is_diamonds = whole["population"].str.startswith("diamonds")
    rate = whole["missed_95"].mask(whole["metric"] == "squared error", 7)
    rate = rate.mask(is_diamonds & (whole["metric"] == "squared error"), 24)
    rate = rate.mask(is_diamonds & (whole["metric"] == "absolute error"), 6)
    text = page.answer(whole.assign(missed_95=rate))
    assert "misses 24.0 % / 24.0 % (differences / single scores) with squared errors" in text
    assert "only 6.0 % / 6.0 % with absolute ones; elsewhere, with squared errors, 7.0 %" in text
    assert "impossible sizes" not in page.answer(whole[~is_diamonds])


def test_what_is_not_sure_has_a_question_mark(table):
    assert "row t, 4x5?" in page.answer(table)  # 5 of 100
    many = table.assign(data_sets=10_000, missed_95=100 * table["missed_95"])
    assert "row t, 4x5<br><small>5.0 ± 0.2 %, 0.80; 1 of" in page.answer(many)


def test_what_is_not_computed_is_named(table, whole):
    for some in (table[:0], table, whole):
        text = page.answer(some) + page.further(some)
        assert ("not computed yet" in text) == (some is not whole)


@pytest.fixture(scope="module")
def whole():
    """A table that has all targets of all settings, with made-up numbers; not to be changed."""
    rows = []
    for one in cells.settings():
        common = {"setting": one.name, "tier": one.tier, "population": one.population}
        common |= {"n_rows": one.n_rows, "kept_apart": one.is_kept}
        names = [ROW_T, COMPARATOR] + [SAME_FOLDS] * (SAME_FOLDS in BY_DESIGN.get(one.design, ()))
        for target in one.targets:
            of = {"metric": target.metric, "a": target.a, "b": target.b, "kind": target.kind}
            rows += [row(name, 5, 0.9, **common, **of) for name in names]
        if one.design == "family":
            of = {"a": one.targets[0].a.partition("~")[0], "length": np.nan, "b": ""}
            rows += [
                row(name, 5, **{**common, **of, "kind": f"{len(one.targets)}, {what}"})
                for name in names
                for what in COUNTED
            ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("tier", [1, 2, 3, 4, 5, 6, 7, 11])
def test_any_tier_may_be_missing_or_alone(whole, tier):
    for some in (whole[whole["tier"] == tier], whole[whole["tier"] != tier]):
        text = "".join(make(some) for make in page.PARTS.values())
        assert "nan" not in re.sub(r'"atlas-numbers">[^<]*<', "", text)
        assert "first part" in text
        assert ("Nothing follows from them yet" in text) == (not {1, 2} <= {*some["tier"]})


def test_families_groups_and_what_breaks_stand_apart(whole):
    text = page.further(whole)
    for words in (
        "20 of tree, depth 3, any claim",
        "5 of logistic, best set",
        "40 unequal groups, differences",
        "3 % positives, single scores",
        "plane, fits that diverge, differences",
        "plane, tuned learners, single scores",
        "plane, linear and lasso, differences",
        "1-NN, accuracy, equal columns",
        "5-NN, squared error, noisy copies",
        "300 rows, differences",
    ):
        assert f'<th scope="row">{words}</th>' in text
    bad = whole.assign(missed_95=whole["missed_95"].mask(whole["tier"] == 6, 100))
    assert "100.0 ± " in page.further(bad)
    assert "100.0 ± " not in page.answer(bad)


@pytest.fixture(scope="module")
def complete(whole):
    """All data sets of all settings; the row t-test is shorter."""
    known = pd.read_csv(running.COSTS).set_index("setting")["data_sets"]
    shorter = whole["mean_length"].mask(whole["procedure"] == ROW_T, 0.8)
    return whole.assign(drawn=whole["setting"].map(known), mean_length=shorter)


def test_without_all_cells_nothing_is_decided(complete):
    some = complete[complete["setting"] != "tier 2, rings, 300 rows, kept apart"]
    text = page.answer(some)
    assert "Nothing follows from them yet" in text
    assert "(i) holds" not in text
    assert "first part" in page.state(some)


def test_with_a_part_of_all_cells_it_is_decided_so_far(complete):
    some = complete.assign(drawn=complete["drawn"] // 2)
    text = page.answer(some)
    assert "50.0 % of their work is done; with all of it the rule will be applied again" in text
    assert text.count("(i) holds, (ii) holds, (iii) holds") == 4
    assert "first part" in page.state(some)
    assert "will be applied again" not in page.answer(complete)


def test_what_is_complete_decides(complete):
    assert "first part" not in page.state(complete)
    assert "begun" not in page.state(complete)
    for some, words in ((complete, "too"), (complete[complete["tier"] != 6], "not decided")):
        text = page.answer(some)
        assert f"<strong>Differences: the row t-test</strong>; with groups {words}" in text
        assert text.count("(i) holds, (ii) holds, (iii) holds") == 4  # of two parts each


def test_the_splits_of_the_corrected_t_change_for_both_or_not_at_all(complete):
    assert "for single scores: its default splits stay" in page.answer(complete)
    shorter = complete["mean_length"].mask(complete["procedure"] == SAME_FOLDS, 0.8)
    text = page.answer(complete.assign(mean_length=shorter))
    assert "for differences and for single scores: its default splits become those" in text


def test_the_page_says_whether_what_was_kept_apart_agrees(complete):
    longer = complete["kept_apart"] & (complete["procedure"] == ROW_T)
    text = page.answer(complete.assign(mean_length=complete["mean_length"].mask(longer, 1.2)))
    assert "Differences, main: (i) holds, (ii) holds, (iii) holds" in text
    assert "Differences, kept apart: (i) holds, (ii) holds, (iii) fails" in text
    assert "<strong>Differences: the corrected resampled t-test</strong>" in text


def test_the_state_is_that_of_the_costs(table):
    text = page.state(table)
    costs = pd.read_csv(running.COSTS).set_index("setting")
    costs = costs.loc[costs.index.str.startswith("tier 1,") & ~costs.index.str.endswith("apart")]
    work = (costs["seconds"] * costs["data_sets"]).sum()
    done = 100 * costs.loc["tier 1, gauss, 100 rows", "seconds"]
    assert f"<td>{100 * done / work:.1f} % (begun: 1 of {len(costs)} settings)</td>" in text
    assert "The table has 2 cells;" in text


def test_it_is_said_on_how_many_data_sets_a_later_procedure_is_measured(table):
    assert "came later" not in page.state(table)
    some = table[table["procedure"] == ROW_T].assign(procedure=CAREFUL)
    text = page.state(pd.concat([table, some.assign(drawn=60)]))
    assert "is measured on the first 60 data sets of each setting" in text
    more = pd.concat([table, some.assign(drawn=[50, 60]), some.assign(tier=11, drawn=900)])
    assert "is measured on the first 50 to 60 data sets of each setting" in page.state(more)


def test_the_packed_table_is_the_table(table):
    html = page.every(table)
    known = json.loads(re.search(r'id="atlas-names">(.*?)</script>', html)[1])
    packed = re.search(r'id="atlas-numbers">(.*?)</script>', html)[1]
    numbers = np.frombuffer(gzip.decompress(base64.b64decode(packed)), np.uint8)
    low, high = numbers.reshape(2, 21, known["rows"]).astype(int)
    values = low + 256 * high
    expected = table.sort_values(["metric", "procedure"])
    names = [known["names"]["procedure"][k] for k in values[5]]
    assert names == expected["procedure"].tolist()
    assert known["names"]["where"] == ["gauss, 100 rows"]
    assert values[8].tolist() == expected["missed_95"].tolist()
    assert values[12].tolist() == (100 * expected["length"]).round().astype(int).tolist()
    for k, value in ((11, 100), (13, 1), (14, 126), (15, 8), (17, 80), (18, 12)):
        assert set(values[k]) == {value}
    assert values[20].tolist() == (1 / expected["length"]).round().astype(int).tolist()
    table.loc[3, "length"] = np.nan
    assert page.every(table) != html


def test_pictures_name_the_worst_cells(table):
    table.loc[5, "missed_95"] = 23
    found = page.pictures(table)
    words = "The row t-test covers least, of 2 cells: tree, log loss, gauss, 100 rows: 77 % ± 4;"
    assert words in found
    assert found.count("<figure>") == 1
    assert 'aria-label="tree, single scores: coverage against length"' in found
    table.loc[5, "truth_error"] = 1.0  # all cells count
    assert page.pictures(table) == found


def test_the_page_of_the_repository_is_below_its_size():
    assert sum(len(page.part(name)) for name in page.PARTS) < 1_000_000
    assert running.TABLE.stat().st_size < 5_000_000
