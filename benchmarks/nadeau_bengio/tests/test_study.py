"""The chain from data sets to page, small; and what the study hands to the engine."""

import os
import sqlite3
from contextlib import closing
from fractions import Fraction
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest

from benchmarks.nadeau_bengio import __main__ as command
from benchmarks.nadeau_bengio import comparison, evidence, plots, rates, running, study
from benchmarks.nadeau_bengio.designs import EVEN, HALF_SAMPLE, THROWN_AWAY, USUAL
from benchmarks.nadeau_bengio.figures import FIGURES, Curve, Figure
from benchmarks.nadeau_bengio.problems import PROBLEMS, REGRESSION
from benchmarks.nadeau_bengio.remembered_tree import RememberedTree
from benchmarks.nadeau_bengio.trees import DevianceTree

if find_spec("matplotlib"):
    # Imported in this way, because its oldest version uses deprecated parts of newer packages.
    pytest.importorskip("matplotlib.pyplot")

needs_letters = pytest.mark.skipif(
    "SKCVSTATS_LETTER_DATA" not in os.environ, reason="SKCVSTATS_LETTER_DATA is not set"
)
N_DATA_SETS = 5


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The regression and one simulation of the Gaussians, run and written."""
    directory = tmp_path_factory.mktemp("study")
    said = []
    running.run("regression", directory, n_data_sets=N_DATA_SETS, say=said.append)
    running.run("gaussians", directory, simulations=[1], n_data_sets=N_DATA_SETS, say=said.append)
    assert len(said) == 5
    results = running.read(directory)
    output = directory / "output"
    formats = (".svg",) if find_spec("matplotlib") else ()
    command.write(results, output, formats, drawn=("4", "19"))
    return directory, results, output


def test_every_curve_is_studied(small):
    _, results, _ = small
    assert set(results) == {
        *(("regression", k) for k in range(1, 5)),
        ("gaussians", 1),
    }
    for (name, _), result in results.items():
        curves = {
            curve
            for figure in FIGURES.values()
            if isinstance(figure, Figure) and name in {panel.problem for panel in figure.panels}
            for curve in figure.curves
        }
        assert len(result.labels) == len(curves) == {"regression": 22, "gaussians": 26}[name]
        assert set(result.labels) == {study.label(curve) for curve in curves}
        assert result.n_data_sets == N_DATA_SETS
        assert result.direction == "loss"


def test_splits_have_the_sizes_of_the_report(small):
    _, results, _ = small
    procedures = {one.label: one for one in results["gaussians", 1].procedures}
    for curve in study.curves_of("gaussians"):
        one = procedures[study.label(curve)]
        n_train, n_test, pool = curve.sizes.of(200)
        assert (one.design.train_size, one.design.test_size) == (n_train, n_test)
        assert one.design.n_samples == pool
        if curve.procedure == "conservative_z":  # always of all rows
            assert one.auxiliary_design.shape == (curve.n_pairs, 2, curve.n_splits)
            assert (one.auxiliary_design.train_size, one.auxiliary_design.test_size) == (80, 20)
            assert one.auxiliary_design.n_samples == 200
    assert procedures["bootstrap_t n/2,n/10 J=15 R=15"].design.shape == (16, 15)
    assert procedures["holdout_t n/2,n/2 law=normal"].design.n_splits == 1


def test_moments_are_those_of_a_plain_loop():
    # Means over splits that are drawn and fitted here, one by one.
    result = study.study("regression", 2, data_sets=range(12))
    problem, n = REGRESSION[2], 200
    means = []
    for number in range(12):
        root = np.random.SeedSequence(study.root_of("regression", 2), spawn_key=(number, 0))
        X, y = problem(np.random.RandomState(np.random.PCG64(root)))
        split_seed = np.random.SeedSequence(
            study.root_of("regression", 2), spawn_key=(number, 1)
        ).generate_state(1)[0]
        cv = study.splitter(THROWN_AWAY, n, 25)
        cv.random_state = int(split_seed)
        for train, test in cv.split(X):
            slope, intercept = np.polyfit(X[train, 0], y[train], 1)
            a = np.mean((y[test] - y[train].mean()) ** 2)
            b = np.mean((y[test] - intercept - slope * X[test, 0]) ** 2)
            means.append((a, b, a - b))
    at = [(d.train_size, d.test_size, len(d.shape)) for d in result.designs].index((100, 20, 1))
    found = np.moveaxis(result.measurements[at][..., :25], 1, 2).reshape(-1, 3)
    np.testing.assert_allclose(found, means, rtol=1e-8)


def test_tables_have_the_rows_of_what_was_run(small):
    _, _, output = small
    tables = pd.read_csv(output / "tables.csv", keep_default_na=False)
    assert len(tables) == 72 + 18
    assert (tables["n_datasets"] == N_DATA_SETS).all()
    compared = comparison.compare(tables)
    # So few data sets give wide intervals, but normal ones, too short for second moments.
    means = compared["quantity"] == "mu"
    assert compared["overlap"][means].mean() > 0.95
    assert compared["overlap"][~means].mean() > 0.6


def test_sizes_and_curves_agree_at_the_truth(small):
    _, results, output = small
    sizes = pd.read_csv(output / "sizes.csv", dtype={"section": str})
    assert set(sizes["section"]) == {"5.1", "5.2", "5.3"}
    rows = pd.read_csv(output / "figures" / "figure-2.csv")
    for simulation, panel in rows.groupby("simulation"):
        at_truth = panel[np.isclose(panel["null_value"], panel["truth"], rtol=1e-5)]
        assert len(at_truth) == 1
        there = sizes[
            (sizes["section"] == "5.1")
            & (sizes["problem"] == "regression")
            & (sizes["simulation"] == simulation)
            & (sizes["hypothesis"] == "B")
        ].set_index("curve")["size"]
        for curve in FIGURES["2"].curves:
            name = study.label(curve)
            assert at_truth[name].iloc[0] == there[name]
    # By hand, from estimates and standard errors: the resampled t of one panel.
    result = results["regression", 1].take(["resampled_t n/2,n/2 J=15"])
    t = np.abs(result.estimates[:, 0, 0] - 1.01 * 98) / result.standard_errors[:, 0, 0]
    expected = np.mean(t > 1.7613101357748564)  # Student's 95 % quantile with 14 df
    found = sizes[(sizes["curve"] == result.labels[0]) & (sizes["problem"] == "regression")]
    assert found[found["simulation"] == 1].set_index("hypothesis")["size"]["A"] == expected


def test_grid_is_about_the_truth(small):
    _, results, output = small
    rows = pd.read_csv(output / "figures" / "figure-10.csv")
    assert len(rows) == 4 * rates.N_POINTS
    panel = rows[rows["simulation"] == 3]
    result = results["regression", 3].take([study.label(one) for one in FIGURES["10"].curves])
    reach = 4 * result.estimates[:, :, 0].std(axis=0, ddof=1).max()
    truth = 1801 / 1800 * 9.98
    np.testing.assert_allclose(panel["truth"], truth, rtol=1e-5)
    ends = panel["null_value"].min(), panel["null_value"].max()
    np.testing.assert_allclose(ends, (truth - reach, truth + reach), rtol=1e-5)


def test_figures_of_what_was_not_run_are_not_there(small):
    _, _, output = small
    there = {path.stem.removeprefix("figure-") for path in (output / "figures").glob("*.csv")}
    # The letters are missing; the Gaussians' figures have one panel of four.
    letters = {"7", "8", "9", "16", "17", "18", "25", "26", "nips-1"}
    assert there == set(FIGURES) - letters
    assert set(evidence.read(output).problems) == {"regression"}


def test_figures_are_drawn(small):
    pytest.importorskip("matplotlib", reason="the plots extra")
    _, _, output = small
    there = {path.stem for path in (output / "figures").glob("*.svg")}
    assert there == {"figure-4", "figure-19"}
    text = (output / "figures" / "figure-4.svg").read_text()
    assert "corrected bootstrap, n2 = n/10" in text
    assert text.count("gaussians, simulation") == 1
    frame = pd.read_csv(output / "figures" / "figure-19.csv")
    plots.draw(FIGURES["19"], frame, output / "again", formats=(".png", ".svg"))
    assert (output / "again.png").read_bytes()[:4] == b"\x89PNG"
    first = (output / "figures" / "figure-19.svg").read_bytes()
    assert (output / "again.svg").read_bytes() == first


def test_every_figure_has_its_curves(small):
    pytest.importorskip("matplotlib", reason="the plots extra")
    _, _, output = small
    for name, figure in FIGURES.items():
        table = output / "figures" / f"figure-{name}.csv"
        if table.exists():
            frame = pd.read_csv(table)
            curves = [study.label(curve) for curve in figure.curves]
            assert list(frame.columns[-len(curves) :]) == curves
            if name not in ("1", "5", "10", "14", "19"):
                continue
            canvas = plots.canvas_of(figure, frame)
            n_panels = len(frame.groupby(["problem", "simulation", "hypothesis"]))
            assert [len(ax.lines) - 3 for ax in canvas.axes] == n_panels * [len(figure.curves)]


def test_page_of_a_part(small):
    _, _, output = small
    assert command.main(["page", "--output", str(output)]) == 0
    text = (output / "reproduction.rst").read_text()
    assert f"{N_DATA_SETS} data sets each" in text
    assert "needs gaussians, letters" in text
    assert "figures/figure-1.svg" in text
    assert "figure-7.svg" not in text


def test_goes_on_where_it_stopped(small, tmp_path):
    directory, results, _ = small
    said = []
    cost = running.run("regression", directory, n_data_sets=N_DATA_SETS, say=said.append)
    assert cost["data_sets"] == 0
    again = study.study("regression", 1, data_sets=range(N_DATA_SETS))
    np.testing.assert_array_equal(again.estimates, results["regression", 1].estimates)


def test_simulations_are_independent_but_the_letters():
    roots = {(name, k): study.root_of(name, k) for name in PROBLEMS for k in PROBLEMS[name]}
    assert len({roots["letters", k] for k in PROBLEMS["letters"]}) == 1
    assert len(set(roots.values())) == 4 + 4 + 1


def test_first_data_sets():
    result = study.study("regression", 1, data_sets=range(4))
    first = rates.first_data_sets(result, 3)
    assert first.n_data_sets == 3
    np.testing.assert_array_equal(first.estimates, result.estimates[:3])
    assert all(len(one) == 3 for one in first.measurements)


@pytest.mark.parametrize(("n", "most"), [(1000, 116), (500, 61)])
def test_significant_rate(n, most):
    # As in the report.
    assert round(plots.significant_rate(n) * n) == most


def test_remembered_tree_gives_what_the_tree_gives():
    rng = np.random.RandomState(0)
    X = rng.randint(16, size=(90, 16)).astype(float)
    y = rng.choice(list("ABC"), size=90)
    cv = replace_seed(study.splitter(USUAL, 90, 4), 1)
    train, test = map(np.array, zip(*cv.split(X), strict=True))
    expected = DevianceTree().predict_splits(X, y, train, test)
    for _ in range(2):
        found = RememberedTree().predict_splits(X, y, train, test)
        np.testing.assert_array_equal(found, expected)
        found[:] = "Z"  # the memory keeps its own
    other = RememberedTree(min_samples_leaf=9).predict_splits(X, y, train, test)
    expected = DevianceTree(min_samples_leaf=9).predict_splits(X, y, train, test)
    np.testing.assert_array_equal(other, expected)
    # Another target is another question.
    shifted = np.roll(y, 1)
    found = RememberedTree().predict_splits(X, shifted, train, test)
    expected = DevianceTree().predict_splits(X, shifted, train, test)
    np.testing.assert_array_equal(found, expected)


def replace_seed(cv, seed):
    cv.random_state = seed
    return cv


def test_damaged_data_sets_are_computed_again(tmp_path):
    running.run("regression", tmp_path, simulations=[1], n_data_sets=3, say=lambda text: None)
    expected = running.read(tmp_path)["regression", 1]
    with closing(sqlite3.connect(running.place(tmp_path, "regression", 1))) as database, database:
        database.execute("UPDATE fits SET losses = zeroblob(8) WHERE rowid = 2")
    assert running.finished(tmp_path, "regression", 1) == 2
    running.run("regression", tmp_path, simulations=[1], n_data_sets=3, say=lambda text: None)
    assert running.finished(tmp_path, "regression", 1) == 3
    found = running.read(tmp_path)["regression", 1]
    np.testing.assert_array_equal(found.estimates, expected.estimates)


def test_design_is_written_as_in_the_report():
    assert study.design(USUAL) == "9n/10,n/10"
    assert study.design(EVEN) == "n/2,n/2"
    assert study.design(HALF_SAMPLE) == "2n/5,n/10"
    assert study.label(Curve("conservative_z", USUAL)) == "conservative_z 9n/10,n/10 J=15 M=10"
    assert HALF_SAMPLE.pool == Fraction(1, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["report", "--results", "nowhere"], "has no results"),
        (["page", "--output", "nowhere"], "has no tables.csv"),
        (["report", "--letters", "nowhere.data", "--results", "x"], "no such file"),
    ],
)
def test_command_says_what_is_wrong(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert command.main(arguments) == 1
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--results", "x", "--n-data-sets", "3"], "too few"),
        (["run", "--results", "x", "--parts", "digits"], "invalid choice"),
        (["run"], "--results"),
        ([], "command"),
    ],
)
def test_command_wants_its_arguments(arguments, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        command.main(arguments)
    assert message in capsys.readouterr().err


def test_shortcomings_are_named():
    tables = pd.read_csv(command.HERE / "results" / "tables.csv", keep_default_na=False)
    for at in (0, 1, 2):  # one quantity, three simulations of four, far above
        tables.loc[at, ["low", "high"]] = tables.loc[at, "printed_high"] * np.array([1.1, 1.2])
    faults = comparison.shortcomings(tables)
    assert "table 2, simulation 1: mu of A n/2 is " in faults[0]
    assert any("with the same sign in 3 of 4 simulations" in fault for fault in faults)
    tables["low"] = tables["high"] = 1e3
    assert "only 0 of 222 intervals overlap" in comparison.shortcomings(tables)


@needs_letters
def test_letters_share_data_sets_and_the_tree(tmp_path):
    said = []
    running.run("letters", tmp_path, n_data_sets=2, say=said.append)
    assert len(said) == 1
    results = running.read(tmp_path)
    assert set(results) == {("letters", k) for k in range(1, 7)}
    first = results["letters", 1]
    for result in results.values():
        np.testing.assert_array_equal(result.estimates[:, :, 0], first.estimates[:, :, 0])
    errors = [result.estimates[:, :, 1].mean() for result in results.values()]
    assert errors == sorted(errors)  # the weights distort the nearest neighbour more and more
    command.write(results, tmp_path / "output", formats=())
    tables = pd.read_csv(tmp_path / "output" / "tables.csv", keep_default_na=False)
    assert len(tables) == 108
    assert {"9", "18", "nips-1"} <= set(evidence.read(tmp_path / "output").figures)
