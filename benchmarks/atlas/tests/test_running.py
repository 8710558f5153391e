"""The atlas is drawn, cut, run in pieces, stopped, continued, and checked against its table."""

import pandas as pd
import pytest

from benchmarks.atlas import __main__ as command
from benchmarks.atlas import cells, populations, running


@pytest.fixture
def atlas(tmp_path, monkeypatch):
    """Point the atlas to a folder of its own, with two small settings and no lot."""
    for name in ("TABLE", "COSTS", "STOP"):
        monkeypatch.setattr(running, name, tmp_path / getattr(running, name).name)
    monkeypatch.setattr(running, "CACHE", tmp_path)
    monkeypatch.setattr(running, "_PIECE_SECONDS", 0.2)
    kept = {"populations": ["skewed"], "learners": ["1-NN"]}
    settings = [
        one
        for one in cells.settings(kept)
        if one.population in ("plane", "skewed") and one.n_rows == 40 and one.tier == 1
    ]
    costs = [{"setting": one.name, "seconds": 0.05, "data_sets": 12} for one in settings]
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
        for target in one.targets:
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
    assert set(running.read()["setting"]) == {one.name for one in atlas}
    running.TABLE.unlink()  # from the pieces, in one go
    running.run(atlas)
    assert running.TABLE.read_bytes().startswith(once)


def test_what_is_kept_apart_waits_for_the_others(atlas):
    with pytest.raises(SystemExit, match="computed last"):
        command.main(["--kept-apart"])
    assert command.main([]) == 0
    assert not running.read()["kept_apart"].any()
    assert command.main(["--kept-apart"]) == 0
    assert running.read()["kept_apart"].any()


def test_quick_finds_what_differs(atlas, monkeypatch):
    running.run(atlas)
    monkeypatch.setattr(running, "_QUICK_ROWS", 40)
    assert running.quick(n_data_sets=12) == []
    table = pd.read_csv(running.TABLE)
    table.loc[5, "truth"] += 1
    table.to_csv(running.TABLE, index=False)
    (found,) = running.quick(n_data_sets=12)
    assert table.loc[5, "procedure"] in found


def test_cells_are_cut_by_their_cost(monkeypatch):
    monkeypatch.setattr(running, "_MOST_HOURS", 1.0)
    costs = pd.DataFrame({"setting": list("abc"), "seconds": [1.0, 8.0, 4.0], "data_sets": 1000})
    found = running.cut(costs, set())
    assert (found["seconds"] * found["data_sets"]).sum() <= 3600
    assert found["data_sets"].tolist() == [1000, 125, 250]
    with pytest.raises(ValueError, match="leave some out"):
        running.cut(costs, {"b"})


@pytest.mark.calibration
@pytest.mark.skipif(not running.TABLE.is_file(), reason="nothing has been computed yet")
def test_stored_numbers_are_found_again():
    assert running.quick(print) == []
