"""Several rows of one date in splits in time order: the date in a column, or as numbers."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.model_selection import TimeSeriesSplit

import skcvstats as s
from skcvstats.command_line import main
from skcvstats.stats import diebold_mariano_test
from tests.conftest import every

N_DAYS, N_ROWS = 48, 10
N = N_DAYS * N_ROWS
DAY = np.repeat(np.arange(N_DAYS), N_ROWS)
rng = np.random.default_rng(1)
DAYS = pd.Series(pd.Timestamp("2024-01-20") + pd.to_timedelta(DAY, unit="D"))
NUMBERS = pd.DataFrame({"a": rng.normal(size=N), "b": rng.normal(size=N_DAYS)[DAY]})
Y = rng.normal(size=N_DAYS)[DAY] + 0.3 * rng.normal(size=N)  # with a shock common to each day
CV = TimeSeriesSplit(5)  # tests on whole dates: 80 rows each
METRIC = "neg_mean_absolute_error"


class Column(RegressorMixin, BaseEstimator):
    """Predicts a column of numbers, times the mean of the target."""

    def __init__(self, name="a"):
        self.name = name

    def fit(self, X, y):
        self.mean_ = np.mean(y)
        return self

    def predict(self, X):
        return self.mean_ + np.asarray(X[self.name])


MODELS = {"a": Column("a"), "b": Column("b")}


def compare(X, cv=CV, **options):
    return s.compare_estimators(MODELS, X, Y, cv=cv, scoring=METRIC, **options)


def codes(result):
    return [note.code for note in result.notes]


def expected_pvalue():
    """Average the differences of each tested day, without any of the code for splits."""
    days = np.zeros(N_DAYS)
    for train, test in CV.split(NUMBERS):
        mean = Y[train].mean()
        errors = [np.abs(mean + NUMBERS[name] - Y) for name in MODELS]
        for row in test:
            days[DAY[row]] += (errors[1] - errors[0])[row] / N_ROWS
    return diebold_mariano_test(days[8:]).pvalue


WAYS = {
    "datetimes": DAYS,
    "with a zone": DAYS.dt.tz_localize("Europe/Paris"),
    "periods": DAYS.dt.to_period("D"),
    "objects": DAYS.dt.date.astype(object),
    "ISO": DAYS.dt.strftime("%Y-%m-%d"),
    "ISO with a time of day": DAYS.dt.strftime("%Y-%m-%dT12:00:00"),
    "German": DAYS.dt.strftime("%d.%m.%Y"),
    "American": DAYS.dt.strftime("%m/%d/%Y"),
    "British": DAYS.dt.strftime("%d/%m/%Y"),
    "named month": DAYS.dt.strftime("%b %d, %Y"),
    "categories": DAYS.dt.strftime("%Y/%m/%d").astype("category"),
}


@pytest.mark.parametrize("way", every(3, WAYS))
def test_a_column_of_dates_has_the_times(way):
    result = compare(NUMBERS.assign(when=WAYS[way]))
    test = result.tests[0]
    assert test.n_times == 40
    assert test.pvalue == pytest.approx(expected_pvalue(), rel=1e-10)
    (text,) = [note.text for note in result.notes if note.code == "times in a column"]
    assert text == "the times of the rows are those of X['when']: 48 in 480 rows"


def test_an_index_that_is_not_one_of_dates_alone():
    pairs = pd.MultiIndex.from_arrays([DAYS, np.arange(N) % N_ROWS], names=["day", "site"])
    written = pd.Index(WAYS["German"])
    for index, code in ((pairs, "X.index.get_level_values(0)"), (written, "get_level_values(0)")):
        result = compare(NUMBERS.set_axis(index))
        assert result.tests[0].pvalue == pytest.approx(expected_pvalue(), rel=1e-10)
        assert any(code in note.text for note in result.notes)
    dated = compare(NUMBERS.assign(when=DAYS, end=DAYS).set_axis(pd.DatetimeIndex(DAYS)))
    assert dated.tests[0].pvalue == pytest.approx(expected_pvalue(), rel=1e-10)
    assert "times in a column" not in codes(dated)


@pytest.mark.parametrize(
    "column",
    [
        DAYS.mask(np.arange(N) == 7),  # of rows that have one
        pd.Series(pd.Timestamp("2024-01-20"), range(N)),
        pd.Series([f"site {k}" for k in DAY]),
        DAYS.dt.strftime("born %Y"),
    ],
)
def test_columns_that_have_no_times(column):
    result = compare(NUMBERS.assign(other=column))
    assert result.tests[0].n_times == 400
    assert "times in a column" not in codes(result)
    assert compare(NUMBERS.assign(other=column, when=DAYS)).tests[0].n_times == 40


def test_dates_that_descend_are_noted_and_are_not_the_times():
    with pytest.warns(s.SplitDesignWarning, match="do not ascend"):
        result = compare(NUMBERS.assign(when=DAYS[::-1].to_numpy()))
    assert result.tests[0].n_times == 400


def test_two_columns_of_dates_are_refused():
    for other in (DAYS, DAYS + pd.Timedelta(days=3), WAYS["German"]):
        with pytest.raises(
            s.SplitDesignError, match=r"X\['when'\], X\['end'\] have dates that never"
        ):
            compare(NUMBERS.assign(when=DAYS, end=other))


@pytest.mark.parametrize(
    "way", every(3, ["datetimes", "with a zone", "categories", "German", "index"])
)
def test_splits_of_one_date_are_refused_with_a_recipe_that_works(way):
    X = NUMBERS.assign(when=WAYS.get(way, 0))
    if way == "index":
        X = NUMBERS.set_axis(pd.DatetimeIndex(DAYS))
    with pytest.raises(s.SplitDesignError, match="Split whole dates: days = ") as caught:
        compare(X, TimeSeriesSplit(6))
    assert "on which it trains too" in str(caught.value)
    days, cv, dates = re.search(
        r"days = (.*?); cv = (.*), with dates = (.*)\.", str(caught.value)
    ).groups()
    known = {"X": X, "numpy": np, "TimeSeriesSplit": TimeSeriesSplit}
    known["dates"] = eval(dates, known)
    known["days"] = eval(days, known)
    result = compare(X, eval(cv, known))
    assert result.tests[0].pvalue == pytest.approx(expected_pvalue(), rel=1e-10)


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
def test_groups_with_splits_in_time_order_name_the_recipe():
    for X in (NUMBERS, NUMBERS.assign(when=DAYS)):
        with pytest.raises(
            s.SplitDesignError, match=r"does not accept groups.* days = dates\.uniq"
        ):
            compare(X, groups=DAY)
    with pytest.raises(s.SplitDesignError, match=r"does not accept groups.* days = dates\.uniq"):
        s.cross_val_inference(Column(), NUMBERS, Y, cv=CV, groups=DAY, scoring=METRIC)


@pytest.mark.parametrize(
    "name", every(4, ["date", "time", "day", "week", "timestamp", "sale_date", "orderDay"])
)
def test_numbers_of_times_are_noted(name):
    for numbers in (DAY, 20240101.0 + DAY, 7 * DAY + 3):
        result = compare(NUMBERS.assign(**{name: numbers}))
        (text,) = [note.text for note in result.notes if note.code == "numbers of times"]
        assert "give X a DatetimeIndex" in text
        assert f"X[{name!r}]" in text
    with_dates = NUMBERS.assign(**{name: DAY}, when=DAYS)
    assert "numbers of times" not in codes(compare(with_dates))
    dated = NUMBERS.assign(**{name: DAY}).set_axis(pd.DatetimeIndex(DAYS))
    assert "numbers of times" not in codes(compare(dated))


def test_other_numbers_are_not_noted():
    others = {
        "date": np.arange(N),
        "day": DAY % 7,
        "count": DAY,
        "time": np.full(N, 3),
        "week": -DAY,
        "month": DAY // 7,  # rather one of the calendar
        "year": DAY // 9,
    }
    for name, numbers in others.items():
        assert "numbers of times" not in codes(compare(NUMBERS.assign(**{name: numbers})))
    folds = s.compare_estimators(MODELS, NUMBERS.assign(day=DAY), Y, cv=5, scoring=METRIC)
    assert "numbers of times" not in codes(folds)


def shuffled_days(folder):
    """Write the rows in another order; return arguments of commands."""
    order = np.random.default_rng(0).permutation(N)
    frame = NUMBERS.assign(when=WAYS["German"], day=DAY, y=Y.round(9)).iloc[order]
    frame.to_csv(folder / "days.csv", index=False)
    data = ["--data", str(folder / "days.csv"), "--target", "y", "--scoring", METRIC]
    return data, ["--estimators", "linear", "mean=sklearn.dummy.DummyRegressor"]


def test_the_command_line_takes_a_column_of_times(tmp_path, capsys):
    data, models = shuffled_days(tmp_path)
    main(["compare", *data, *models, "--time", "when", "--drop", "day"])
    printed = " ".join(capsys.readouterr().out.split())
    assert " at 40 times (Diebold-Mariano test, 240 training rows), " in printed
    assert "rows in the order of 'when', 48 times" in printed


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_other_commands_take_a_column_of_times(tmp_path, capsys):
    data, models = shuffled_days(tmp_path)
    main(["compare", *data, *models, "--time", "day", "--n-splits", "3", "--drop", "when"])
    printed = " ".join(capsys.readouterr().out.split())
    assert "rows of 3 splits at 36 times (Diebold-Mariano test, 240 training" in printed
    rule = ["--champion", "linear", "--challenger", models[2], "--rule", "better"]
    status = main(["gate", *data, *rule, "--time", "when", "--drop", "day"])
    assert status in (0, 1, 3)
    assert "only 40 times" in capsys.readouterr().err
    main(["curve", *data, *models, "--time", "when", "--drop", "day", "--train-sizes", "0.5", "1"])
    assert "38.4 groups" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--time", "when", "--groups", "day"], "--groups and --time"),
        (["--time", "when", "--test-size", "0.2"], "leave it out with --time"),
        (["--time", "moment"], "'moment': not among the columns"),
        (["--time", "y"], "'y' is the target; leave it out"),
        (["--time", "site"], "--time site contains 'a'; it needs dates"),
        (["--time", "when", "--method", "row_t"], "not valid for splits in time order"),
    ],
)
def test_the_command_line_says_what_is_wrong_with_times(options, message, tmp_path, capsys):
    NUMBERS.assign(when=DAYS, day=DAY, site="a", y=Y).to_csv(tmp_path / "days.csv", index=False)
    data = ["--data", str(tmp_path / "days.csv"), "--target", "y"]
    assert main(["compare", *data, "--estimators", "linear", "knn", *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.calibration
def test_the_size_with_a_shock_common_to_each_day():
    """Of 300 rows-of-a-day data sets without a difference, by rows and by days."""
    generator = np.random.default_rng(0)
    shocks = generator.normal(size=(2000, N_DAYS))
    noise = generator.normal(size=(2000, N_DAYS, 100)) * 3
    rows = shocks[..., None] + noise
    by_row = diebold_mariano_test(rows.reshape(2000, -1)).pvalue
    by_day = diebold_mariano_test(rows.mean(axis=-1)).pvalue
    assert np.mean(by_row < 0.05) > 0.15
    assert 0.035 < np.mean(by_day < 0.05) < 0.065
