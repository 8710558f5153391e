"""The atlas is drawn, cut, run in pieces, stopped, continued, and checked against its table."""

from functools import cache

import joblib
import numpy as np
import pandas as pd
import pytest

from benchmarks.atlas import __main__ as command
from benchmarks.atlas import cells, figures, populations, running, simulation

answer_once = cache(simulation.answer)  # other processes answer again, and give the same table


@pytest.fixture
def atlas(tmp_path, monkeypatch):
    """Point the atlas to a folder of its own, with small settings, computed once, and no lot."""
    monkeypatch.setattr(simulation, "answer", answer_once)
    for name in ("TABLE", "COSTS", "STOP"):
        monkeypatch.setattr(running, name, tmp_path / getattr(running, name).name)
    monkeypatch.setattr(running, "CACHE", tmp_path)
    monkeypatch.setattr(running, "_PIECE", 4)
    kept = {"populations": ["skewed"], "learners": ["1-NN"]}
    settings = [
        one
        for one in cells.settings(kept)
        if one.population in ("plane", "skewed") and one.n_rows == 40 and one.tier == 1
    ]
    cost = {"seconds": 0.05, "data_sets": 12, "first": 6}
    costs = [{"setting": one.name, **cost} for one in settings]
    pd.DataFrame(costs).to_csv(running.COSTS, index=False)
    monkeypatch.setattr(cells, "settings", lambda: settings)
    return settings


def test_the_lot_is_the_one_that_was_drawn():
    assert cells.draw_lot() == cells.kept_apart()
    of = [populations.ALL[name].is_real for name in cells.kept_apart()["populations"]]
    assert of == [True, True, False, False]


def test_what_is_kept_apart_comes_last_and_shares_no_cell():
    settings, kept = cells.settings(), cells.kept_apart()
    flags = [one.is_kept for one in settings]
    assert flags == sorted(flags)
    assert len({one.name for one in settings}) == len(settings)
    for one in settings:
        for target in one.targets if one.tier < 8 else ():  # of other metrics all count
            apart = one.population in kept["populations"] or target.learners & {*kept["learners"]}
            assert bool(apart) == one.is_kept
    targets = [t for one in settings if one.tier == 2 for t in one.targets]
    assert {t.kind for t in targets} == {"single", "different", "dummy", "null"}


def test_it_stops_and_goes_on(atlas, monkeypatch):
    said = []
    assert command.main(["--minutes", "0"]) == 1
    running.STOP.touch()
    assert not running.run(atlas[:1], say=said.append)
    assert said == ["stopped"]
    running.STOP.unlink()
    assert running.run(atlas[:1], say=said.append)
    assert "hours of a core" in said[-1]
    once = running.TABLE.read_bytes()
    running.run(atlas[:1])
    assert running.TABLE.read_bytes() == once
    running.run(atlas)
    assert running.drawn().to_dict() == {one.name: 12 for one in atlas}


@pytest.mark.parametrize("where", ["processes", "cluster"])
def test_elsewhere_it_gives_the_same_table(atlas, monkeypatch, tmp_path, where):
    """What workers compute is written here: those of a cluster may have another disk."""
    running.run(atlas[:1])
    expected = running.TABLE.read_bytes()
    running.TABLE.unlink()
    monkeypatch.setattr(running, "CACHE", tmp_path / "empty")
    if where == "processes":
        assert running.run(atlas[:1], n_jobs=2)
    else:
        distributed = pytest.importorskip("distributed")
        # One thread, as two would share what is done with warnings.
        one = {"processes": False, "n_workers": 1, "threads_per_worker": 1}
        with (
            distributed.Client(**one, dashboard_address=":0"),
            joblib.parallel_config("dask"),
        ):
            assert running.run(atlas[:1], n_jobs=-1)
    assert running.TABLE.read_bytes() == expected


def test_passes_go_over_all_before_any_has_more(atlas):
    costs = pd.read_csv(running.COSTS).set_index("setting").assign(data_sets=20, first=6)
    found = [
        (setting.name, *map(int, (n.start, n.stop))) for setting, n in running.passes(atlas, costs)
    ]
    names = [one.name for one in atlas]
    expected = [(name, *part) for part in ((0, 6), (6, 12), (12, 20)) for name in names]
    assert found == expected


def test_misses_are_counted_again_at_the_true_value_as_it_is_known_at_last(atlas):
    setting = next(one for one in atlas if one.population == "plane")
    costs = pd.read_csv(running.COSTS).assign(first=8)
    costs.to_csv(running.COSTS, index=False)
    assert running.run([setting])
    whole = figures.table_of(setting, *running._answers(setting, range(12)))
    names = ["missed_95", "truth", "length", "flips"]
    np.testing.assert_allclose(running.read()[names], whole[names], rtol=1e-3)


def test_parts_are_pooled_to_nearly_what_the_whole_gives(atlas):
    """Counts were taken at the true value as each part knows it; what is known is alike."""
    setting = next(one for one in atlas if one.population == "plane")
    whole = figures.table_of(setting, *running._answers(setting, range(60)))
    for numbers in (range(40), range(40, 60)):
        running.add(setting, numbers, running._answers(setting, numbers))
    keys = ["procedure", "metric", "a", "b"]
    both = running.read().merge(whole, on=keys, suffixes=("", "_whole"))
    assert len(both) == len(whole) == len(running.read())
    assert (both["drawn"] == 60).all()
    for name in ("data_sets", "undetermined", "repeated"):
        assert (both[name] == both[f"{name}_whole"]).all()
    assert (both["missed_95"] - both["missed_95_whole"]).abs().mean() < 0.5
    for name, off in (("mean_length", 1e-3), ("length", 2e-3), ("standard_error", 0.1)):
        np.testing.assert_allclose(both[name], both[f"{name}_whole"], rtol=off)
    np.testing.assert_allclose(both["variance_ratio"], both["variance_ratio_whole"], rtol=0.2)
    null = both["kind"] == "null"
    assert (both["truth"][null] == 0).all()
    apart = (both["truth"] - both["truth_whole"]).abs()[~null] / both["truth_error_whole"][~null]
    assert apart.max() < 1.5
    np.testing.assert_allclose(
        both["truth_error"][~null], both["truth_error_whole"][~null], rtol=0.5
    )


def test_the_rule_is_said(atlas, capsys):
    command.main(["--tiers", "1"])
    command.main(["--rule"])
    assert "What would follow; tiers 1 and 2 are not complete" in capsys.readouterr().out
    command.main(["--kept-apart"])
    command.main(["--rule"])
    assert '\nWhat follows: {\n "differences": {\n  "row t": ' in capsys.readouterr().out


def test_what_is_kept_apart_waits_for_the_others(atlas):
    with pytest.raises(SystemExit, match="computed last"):
        command.main(["--kept-apart"])
    assert command.main([]) == 0
    assert not running.read()["kept_apart"].any()
    assert command.main(["--kept-apart"]) == 0
    assert running.read()["kept_apart"].any()


def test_quick_finds_what_differs(atlas, monkeypatch):
    pd.read_csv(running.COSTS).assign(first=12).to_csv(running.COSTS, index=False)
    running.run(atlas)
    monkeypatch.setattr(running, "_QUICK_ROWS", 40)
    assert running.quick(n_data_sets=12) == []
    table = pd.read_csv(running.TABLE)
    table.loc[5, "truth"] += 1
    table.to_csv(running.TABLE, index=False)
    (found,) = running.quick(n_data_sets=12)
    assert table.loc[5, "procedure"] in found
    table.loc[5, "truth"] -= 1
    table["missed_95"] = table["missed_95"].mask(table["procedure"] == "holdout", 12)
    table.to_csv(running.TABLE, index=False)
    found = running.quick(n_data_sets=12)
    assert found
    assert all("holdout" in one for one in found)


def test_cells_are_cut_by_their_cost(monkeypatch):
    monkeypatch.setattr(running, "_MOST_HOURS", 1.0)
    costs = pd.DataFrame({"setting": list("abc"), "seconds": [1.0, 8.0, 4.0], "data_sets": 1000})
    found = running.cut(costs)
    assert (found["seconds"] * found["data_sets"]).sum() <= 3600
    assert found["data_sets"].tolist() == [1000, 125, 250]
    with pytest.raises(ValueError, match="leave some out"):
        running.cut(costs.assign(seconds=30.0, data_sets=150))


def test_the_first_pass_is_within_its_hours():
    """Four times the cost has half of the data sets, rounded down to pieces."""
    costs = pd.DataFrame(
        {"seconds": [0.1, 0.4, 9.0, 0.01, 0.4], "data_sets": [9999] * 3 + [60, 9999]}
    )
    costs["is_kept"] = [False, False, False, False, True]
    found = running.first(costs)
    spent = (found * costs["seconds"])[~costs["is_kept"]].sum() / 3600
    assert 0.95 * running._FIRST_HOURS < spent <= running._FIRST_HOURS
    assert found[0] == pytest.approx(2 * found[1], rel=0.03)
    assert found[4] == found[1]
    assert found[3] == 60


@pytest.mark.calibration
@pytest.mark.skipif(not running.TABLE.is_file(), reason="nothing has been computed yet")
def test_stored_numbers_are_found_again():
    assert running.quick(print, n_settings=1) == []
