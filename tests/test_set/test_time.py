"""Fitted models on one period: rows in time order, by `time=` or by the dates of an index."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from skcvstats import ComparisonResult, SplitDesignError, compare_losses, compare_predictions
from skcvstats.stats import plan_n_rows
from tests.stats.oracles import check_in_time

RNG = np.random.default_rng(7)
N = 80
DATES = pd.date_range("2023-01-02", periods=N, freq="W")
Y = np.cumsum(RNG.normal(size=N))
FORECASTS = pd.DataFrame({"a": Y + RNG.normal(size=N), "b": Y + 1.5 * RNG.normal(size=N)})
SQUARES = FORECASTS.sub(Y, axis=0) ** 2
DATED = {"y": pd.Series(Y, index=DATES), "forecasts": FORECASTS.set_index(DATES)}
SQUARED = "neg_mean_squared_error"
D = SQUARES["b"] - SQUARES["a"]  # of the scores of a, minus those of b
MIXED = RNG.permutation(N)


def shuffled(time):
    mixed = {name: FORECASTS[name].to_numpy()[MIXED] for name in FORECASTS}
    return compare_predictions(Y[MIXED], mixed, scoring=SQUARED, time=time, reference="b")


HOW = {"scoring": SQUARED, "reference": "b"}
COMPARED = {
    "dates": lambda: compare_predictions(Y, FORECASTS, time=DATES, **HOW),
    "numbers": lambda: compare_predictions(Y, FORECASTS, time=np.arange(N) * 0.5, **HOW),
    "mixed rows": lambda: shuffled(DATES[MIXED]),
    "mixed rows, time zone": lambda: shuffled(DATES[MIXED].tz_localize("Europe/Paris")),
    "mixed rows, plain dates": lambda: shuffled([day.date() for day in DATES[MIXED]]),
    "mixed rows, objects": lambda: shuffled(MIXED.astype(object)),
    "mixed rows, durations": lambda: shuffled((DATES - DATES[0])[MIXED]),
    "index": lambda: compare_predictions(DATED["y"], DATED["forecasts"], **HOW),
    "losses": lambda: compare_losses(SQUARES, time=DATES, reference="b"),
    "index of losses": lambda: compare_losses(SQUARES.set_index(DATES), reference="b"),
}


@pytest.mark.parametrize("compare", COMPARED.values(), ids=COMPARED)
def test_against_the_papers(compare):
    result = compare()
    check_in_time(result.tests[0], D)
    assert result.tests[0].method == "diebold_mariano"
    printed = " ".join(str(result).split())
    assert "these predictions, in the tested period." in printed
    assert "luck" not in printed  # as the models are as they are


def test_an_index_of_dates_is_noted():
    codes = {name: {note.code for note in COMPARED[name]().notes} for name in ("dates", "index")}
    assert codes == {"dates": set(), "index": {"dates"}}
    arrays = compare_predictions(Y, FORECASTS, scoring=SQUARED)
    assert arrays.tests[0].method == "clustered_t"


def test_rows_of_one_time_are_averaged():
    times = np.sort(RNG.integers(30, size=N))
    result = compare_losses(SQUARES, time=times, reference="b")
    check_in_time(result.tests[0], D.groupby(times).mean())
    assert result.tests[0].n_times == len(set(times)) < N
    assert "tested period, each time counting once." in " ".join(str(result).split())


def test_an_area_is_that_of_the_period():
    labels, p = (Y > 0).astype(int), {"a": FORECASTS["a"], "b": RNG.normal(size=N)}
    result = compare_predictions(labels, p, scoring="roc_auc", time=DATES, reference="b")
    area = roc_auc_score(labels, p["a"]) - roc_auc_score(labels, p["b"])
    assert result.tests[0].estimate == pytest.approx(area)
    assert result.tests[0].method == "diebold_mariano"


def test_runs_are_averaged_and_slices_tested():
    runs = {"a": [FORECASTS["a"].to_numpy(), FORECASTS["b"].to_numpy()], "b": FORECASTS["b"]}
    half = np.arange(N) // (N // 2)
    result = compare_predictions(Y, runs, scoring=SQUARED, time=DATES, by=half, reference="b")
    check_in_time(result.tests[0], D / 2)
    second = result.by_slice().set_index("slice").loc["1"]
    assert second["difference"] == pytest.approx(np.mean(D[half == 1]) / 2)
    how = {"scoring": SQUARED, "by": np.arange(N) % 5 // 4}
    notes = compare_predictions(DATED["y"], DATED["forecasts"], **how).notes
    (note,) = (str(note) for note in notes if note.code == "small slices")
    assert "1 (not compared: method='diebold_mariano'" in note


def test_saved_loaded_and_without_a_plan():
    result = COMPARED["index"]()
    again = ComparisonResult.from_json(result.to_json())
    assert str(again) == str(result)
    assert again.tests[0].n_times == N
    with pytest.raises(TypeError, match="of a row t-test"):
        plan_n_rows(result.tests[0], difference=0.1)


@pytest.mark.parametrize(("options", "error", "said"), [
    ({"time": DATES, "groups": np.arange(N) // 2}, SplitDesignError, "does not accept groups"),
    ({"time": DATES, "sample_weight": np.ones(N)}, SplitDesignError, "groups or weights"),
    ({"time": np.arange(N) // 5}, SplitDesignError, "20 tested times or more.* are 16"),
    ({"time": DATES[:9]}, ValueError, "9 rows in time and 80 in y_true"),
    ({"time": DATES.strftime("%d.%m.%Y")}, TypeError, "contains '08.01.2023'; .*to_datetime"),
    ({"time": DATES.where(np.arange(N) > 0)}, ValueError, "time of rows has missing or"),
    ({"time": np.where(np.arange(N), DATES.year, np.inf)}, ValueError, "or infinite entries"),
    ({"time": [*DATES.date[1:], True]}, TypeError, "time of rows contains True"),
    ({"time": DATES, "scoring": "neg_max_error"}, ValueError, "Choose another metric"),
    ({"time": DATES, "method": "clustered_t"}, ValueError, "time= says that they may"),
    ({"method": "diebold_mariano"}, ValueError, "needs time="),
])  # fmt: skip
def test_times_that_allow_no_test_are_refused(options, error, said):
    with pytest.raises(error, match=said):
        compare_predictions(Y, FORECASTS, **{"scoring": SQUARED, **options})


def test_a_metric_that_was_not_measured_is_noted():
    median = compare_predictions(Y, FORECASTS, scoring="neg_median_absolute_error", time=DATES)
    assert "metric not measured" in {note.code for note in median.notes}
    assert median.tests[0].method == "diebold_mariano"


def test_dates_of_an_index_that_do_not_do_change_nothing():
    for more in ({"groups": np.arange(N) // 2}, {"sample_weight": np.ones(N)}):
        dated = compare_predictions(DATED["y"], DATED["forecasts"], scoring=SQUARED, **more)
        plain = compare_predictions(Y, FORECASTS, scoring=SQUARED, **more)
        assert tuple(dated.tests[0]) == tuple(plain.tests[0])
