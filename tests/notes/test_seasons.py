"""Effects of the month that last, and few refits over time."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import TimeSeriesSplit

import skcvstats as s
from skcvstats.stats import diebold_mariano_test
from tests.comparison.made import codes

CODE = "effects of the month"
RNG = np.random.default_rng(0)


def series(n_times, lag, strength=0.8, n_series=1):
    """Return series whose values depend on those a number of times before."""
    values = RNG.normal(size=(n_series, n_times + 50 * lag))
    for t in range(lag, values.shape[1]):
        values[:, t] += strength * values[:, t - lag]
    return values[:, -n_times:]


MONTHS = pd.date_range("2010-01-31", periods=120, freq="ME")
QUARTERS = pd.date_range("1990-03-31", periods=120, freq="QE")
DAYS = pd.date_range("2020-01-01", periods=120)
SEASONAL = {12: series(120, 12)[0], 4: series(120, 4)[0]}
NOISE = RNG.normal(size=120)
TIMES = {
    "months": (MONTHS, 12, True),
    "first days": (pd.date_range("2010-01-01", periods=120, freq="MS"), 12, True),
    "periods": (MONTHS.to_period("M"), 12, True),
    "zone": (MONTHS.tz_localize("UTC"), 12, True),
    "quarters": (QUARTERS, 4, True),
    "days": (DAYS, 12, False),
    "noise": (MONTHS, 0, False),
}


def by_losses(times, effect):
    losses = {"a": pd.Series(effect, times), "b": pd.Series(NOISE / 9, times)}
    return s.compare_losses(losses, metric="loss")


def by_time(times, effect):
    return s.compare_losses({"a": effect, "b": NOISE / 9}, metric="loss", time=times)


def by_predictions(times, effect):
    y = pd.Series(0.0, times)
    predicted = {"a": effect + 9, "b": np.full(120, 9.0)}
    return s.compare_predictions(y, predicted, scoring="neg_mean_absolute_error")


def by_fits(times, effect):
    X = pd.DataFrame({"constant": np.ones(120)}, index=times)
    models = {"mean": DummyRegressor(), "far": DummyRegressor(strategy="constant", constant=-9)}
    return s.compare_estimators(
        models, X, effect, scoring="neg_mean_absolute_error", cv=TimeSeriesSplit(10, test_size=9)
    )


@pytest.mark.parametrize("road", [by_losses, by_time, by_predictions, by_fits])
@pytest.mark.parametrize("name", ["months", "quarters", "days", "noise"])
def test_each_road(road, name):
    times, lag, is_noted = TIMES[name]
    result = road(times, SEASONAL.get(lag, NOISE))
    assert (CODE in codes(result)) == is_noted


@pytest.mark.parametrize("name", TIMES)
def test_all_kinds_of_times(name):
    times, lag, is_noted = TIMES[name]
    result = by_time(times, SEASONAL.get(lag, NOISE))
    assert (CODE in codes(result)) == is_noted
    if is_noted:
        (text,) = [note.text for note in result.notes if note.code == CODE]
        found = []
        for values in (SEASONAL[lag], NOISE / 9, SEASONAL[lag] - NOISE / 9):
            far = values - values.mean()
            found.append(sum(far[t] * far[t - lag] for t in range(lag, 120)) / sum(far**2))
        assert f"at lag {lag}); these are 120 times" in text
        stated = float(text.partition("correlation ")[2].partition(" ")[0])
        assert stated == pytest.approx(max(found), abs=0.0006)


@pytest.mark.parametrize("form", [None, "%Y-%m-%d", "%m/%d/%Y"])
def test_times_in_a_column(form):
    dates = MONTHS if form is None else MONTHS.strftime(form)
    X = pd.DataFrame({"when": dates, "constant": np.ones(120)})
    models = {"mean": DummyRegressor(), "far": DummyRegressor(strategy="constant", constant=-9)}
    more = {"scoring": "neg_mean_absolute_error", "cv": TimeSeriesSplit(10, test_size=9)}
    assert CODE in codes(s.compare_estimators(models, X, SEASONAL[12], **more))
    assert CODE not in codes(s.compare_estimators(models, X, NOISE, **more))


def test_differences_alone_may_be_seasonal():
    """Of two models that share much noise."""
    shared = 9 * RNG.normal(size=120)
    losses = {"a": shared + SEASONAL[12], "b": shared}
    assert CODE in codes(s.compare_losses(losses, metric="loss", time=MONTHS))


@pytest.mark.parametrize(("lag", "low", "high"), [(12, 0.4, 0.6), (4, 0.2, 0.4)])
def test_what_it_warns_of(lag, low, high):
    """At the 5 % level, of 1,000 series of 120 times each; without effects 4 to 6 %."""
    rejected = diebold_mariano_test(series(120, lag, n_series=1000)).pvalue < 0.05
    assert low < rejected.mean() < high
    rejected = diebold_mariano_test(RNG.normal(size=(1000, 120))).pvalue < 0.05
    assert 0.03 < rejected.mean() < 0.07


@pytest.mark.parametrize(("n_splits", "is_noted"), [(3, True), (5, True), (9, True), (10, False)])
def test_few_refits(n_splits, is_noted):
    X = RNG.normal(size=(120, 1))
    models = {"line": LinearRegression(), "mean": DummyRegressor()}
    how = {"cv": TimeSeriesSplit(n_splits), "scoring": "neg_mean_absolute_error"}
    y = X[:, 0] + NOISE
    result = s.compare_estimators(models, X, y, **how)
    single = s.cross_val_inference(models["line"], X, y, **how)
    for found in (result, result[0], single):
        notes = [note.text for note in found.notes if note.code == "few refits"]
        assert len(notes) == is_noted
        assert all(f"only {n_splits} refits" in text for text in notes)
    assert "luck of these training rows is not in the interval" in " ".join(str(result).split())
    losses = {"a": NOISE**2, "b": NOISE**2 + 1 + X[:, 0]}
    assert "few refits" not in codes(s.compare_losses(losses, metric="loss", time=DAYS))
