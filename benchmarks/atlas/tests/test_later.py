"""The procedure that came later: the same data sets and folds, a formula, and its place."""

import gzip

import numpy as np
import pandas as pd
import pytest
from scipy import stats as laws

from benchmarks.atlas import cells, figures, later, procedures, running, simulation
from benchmarks.atlas.procedures import CAREFUL, COMPARATOR, ROW_T

RANDOM = {"tree", "tree, depth 3", "forest", "boosting", "SVM", "network"}


def setting_of(tier, population, n_rows=None):
    every = [one for one in cells.settings() if (one.tier, one.population) == (tier, population)]
    return next(one for one in every if n_rows in (None, one.n_rows) and not one.is_kept)


@pytest.mark.parametrize(
    "setting",
    [
        setting_of(1, "plane", 40),
        setting_of(1, "gauss", 100),
        setting_of(8, "gauss", 100),
        setting_of(10, "equal columns, numbers"),
    ],
    ids=lambda one: one.name,
)
def test_the_folds_and_the_answers_are_those_of_the_whole(setting):
    """Learners that draw nothing give the same answers, whatever else is fitted."""
    entries = [*procedures.BY_DESIGN[setting.design]]
    whole, _ = simulation.answer(setting, 3)
    found = simulation.answer_of_folds(setting, 3, later.NAMES)
    targets = simulation.ordered_targets(setting)
    fixed = np.array([not t.learners & RANDOM for t in targets])
    assert fixed.any()
    for k, name in enumerate(later.NAMES):
        expected = whole[entries.index(name), :4]
        np.testing.assert_allclose(
            found[k, :4][:, fixed], expected[:, fixed], rtol=1e-9, atol=1e-12
        )
    assert np.isnan(found[:, 4:]).all()


def test_the_careful_choice_is_its_formula():
    """By SPEC's 10.1 with a = 1 and five folds: 2 v + w, where the guard does not act."""
    setting = setting_of(1, "plane", 100)
    ((targets, rows, _),) = simulation.scores_of(setting, 0, ("folds of 5", 4))
    values, _ = rows.by_rows("folds of 5", slice(4))
    n = values.shape[2]
    mean = values.mean(axis=1)
    v = mean.var(axis=1, ddof=1) / n
    w = np.square(values - mean[:, None]).sum(axis=(1, 2)) / (3 * n**2)
    (row_t, careful) = simulation.answer_of_folds(setting, 0, later.NAMES)
    bare = np.isclose(row_t[1], np.sqrt(1.5 * v + 0.5 * w), rtol=1e-9)
    assert bare.mean() > 0.5
    np.testing.assert_allclose(careful[1][bare], np.sqrt(2 * v + w)[bare], rtol=1e-9)
    np.testing.assert_allclose(careful[0], mean.mean(axis=1), rtol=1e-12)
    np.testing.assert_allclose(careful[2], careful[1] * laws.t.isf(0.025, n - 1), rtol=1e-12)
    assert len(targets) == len(mean)


@pytest.fixture
def made():
    """Answers on four data sets, and the rows of the table that they are judged by."""
    setting = setting_of(1, "plane", 40)
    targets = simulation.ordered_targets(setting)
    answers = np.full((4, 2, 6, len(targets)), np.nan)
    answers[:, :, 0] = np.array([0.0, 1.0, 2.0, 3.0])[:, None, None]
    answers[:, 0, 1:4], answers[:, 1, 1:4] = 0.5, 0.75
    rows = [
        {"setting": setting.name, "procedure": name, "metric": t.metric, "a": t.a, "b": t.b}
        | {"truth": 0.6, "truth_error": 0.01, "length": 0.8, "length_error": 0.002}
        | {"standard_error": 0.4, "tier": 1, "drawn": 1000}
        for t in targets
        for name in (ROW_T, COMPARATOR)
    ]
    return setting, answers, pd.DataFrame(rows)


def test_misses_are_counted_at_the_true_value_of_the_table(made):
    """By hand: |0 - .6| and |1 - .6| are at most .75, |2 - .6| and |3 - .6| are not."""
    setting, answers, stored = made
    found = later.rows_of(setting, answers, stored)
    assert len(found) == len(setting.targets)
    assert {*found["procedure"]} == {CAREFUL}
    for name, value in (("missed_95", 2), ("data_sets", 4), ("drawn", 4), ("fits", 20)):
        assert {*found[name]} == {value}
    assert {*found["truth"]} == {0.6}
    np.testing.assert_allclose(found["length"], 0.8 * 0.75 / 0.5)
    # At twice .4 above or below: of eight, those farther than .75 from .6 +- .8.
    values = np.array([0.0, 1.0, 2.0, 3.0])
    power = sum(((values - 0.6 + 0.8) > 0.75) | 0) / 2 + sum((0.8 - values + 0.6) > 0.75) / 2
    assert {*found["power_2"]} == {power}
    assert list(found.columns) == figures.COLUMNS


def test_cells_that_the_table_lacks_are_left_out(made):
    setting, answers, stored = made
    first = stored.iloc[0][["metric", "a", "b"]]
    some = stored[~(stored[["metric", "a", "b"]] == first).all(axis=1)]
    assert len(later.rows_of(setting, answers, some)) == len(setting.targets) - 1
    answers[0, :, 0, 3] = np.nan  # of four data sets three are fewer than nine tenths
    assert len(later.rows_of(setting, answers, some)) == len(setting.targets) - 2


def test_rows_are_put_in_place_of_those_that_are_there(made, tmp_path, monkeypatch):
    setting, answers, stored = made
    monkeypatch.setattr(running, "TABLE", tmp_path / "atlas.csv.gz")
    monkeypatch.setattr(later, "FOLDER", tmp_path)
    monkeypatch.setattr(later, "COMPARED", tmp_path / "later.csv")
    every = stored.reindex(columns=figures.COLUMNS).assign(fits=20, data_sets=1000)
    other = every.assign(setting="tier 1, another, 40 rows")
    texts = [",".join(figures.COLUMNS) + "\n"]
    texts += [some.to_csv(index=False, header=False) for some in (every, other)]
    running.TABLE.write_bytes(b"".join(gzip.compress(text.encode()) for text in texts))
    for start, n in ((0, 2), (2, 2)):
        monkeypatch.setattr(later, "_ROUND", 2)
        np.savez(later._file(setting, start), answers=answers[start : start + n])
    for _ in range(2):  # put there, and put in their place
        later.add([setting])
        text = gzip.decompress(running.TABLE.read_bytes()).decode()
        of_both = [line for line in text.splitlines(keepends=True) if f'"{CAREFUL}"' not in line]
        assert "".join(of_both) == "".join(texts)
        table = running.read()
        own = table[table["procedure"] == CAREFUL]
        assert len(own) == len(setting.targets)
        assert {*own["data_sets"]} == {4}
        assert {*own["setting"]} == {setting.name}
    # By hand: half of .5 misses of the estimates 0 to 3 at .6 all but 1, that of .75 two of four.
    both = pd.read_csv(later.COMPARED)
    assert both[[ROW_T, CAREFUL]].to_numpy().tolist() == [[0.75, 0.5]] * len(both)
    assert {*both["of"]} == {"means over rows"}


def test_rounds_go_over_all_settings_and_stop(tmp_path, monkeypatch):
    settings, said = [setting_of(1, "plane", 40), setting_of(10, "equal columns, numbers")], []
    monkeypatch.setattr(later, "FOLDER", tmp_path / "later")
    monkeypatch.setattr(later, "_answers", lambda setting, numbers: np.zeros(len(numbers)))
    monkeypatch.setattr(running, "STOP", tmp_path / "stop")
    most = pd.DataFrame({"setting": [one.name for one in settings], "data_sets": [20, 10]})
    monkeypatch.setattr(running, "COSTS", tmp_path / "costs.csv")
    most.to_csv(running.COSTS, index=False)
    later.run(settings, minutes=0, say=said.append)
    assert said == ["0 data sets of each setting are there"]
    with pytest.raises(SystemExit, match="have no data sets"):
        later.add(settings)
    later.run(settings, say=said.append)
    assert len([*later.FOLDER.iterdir()]) == 3


def test_the_table_has_the_procedure_in_every_cell_of_its_tiers():
    table = running.read()
    table = table[table["tier"].isin(later.TIERS)]
    keys = ["setting", "metric", "a", "b"]
    cells_of = {
        name: table[table["procedure"] == name].set_index(keys) for name in (ROW_T, CAREFUL)
    }
    assert {*cells_of[CAREFUL].index} <= {*cells_of[ROW_T].index}
    assert len(cells_of[CAREFUL]) > 0.99 * len(cells_of[ROW_T])
    both = pd.merge(
        cells_of[ROW_T],
        cells_of[CAREFUL],
        left_index=True,
        right_index=True,
        suffixes=("", "_careful"),
    )
    assert (both["length_careful"] > both["length"])[both["length"] > 0].mean() > 0.99
    assert (both["truth"] == both["truth_careful"]).all()
    assert both["drawn_careful"].nunique() == 1
