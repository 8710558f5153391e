"""Dates in a table, however they are written or counted, and columns that only seem to be dates."""

from datetime import date, datetime, timedelta

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression

import skcvstats as s
from skcvstats.notes import Evidence
from skcvstats.scores import find_notes
from tests.calibration.sound_data import sound_data_sets

N = 400
DAYS = [date(2012, 1, 1) + timedelta(days=k) for k in range(N)]
MOMENTS = [datetime(2012, 1, 1, 6) + timedelta(hours=7 * k) for k in range(N)]
STAMPS = pd.DatetimeIndex(DAYS)
ROWS = np.random.default_rng(0).permutation(N)


def written(form):
    return [day.strftime(form) for day in DAYS]


SEEN = {
    "eight digits": ("date", [int(day) for day in written("%Y%m%d")]),
    "eight digits as floats": ("Sale_Date", [float(day) for day in written("%Y%m%d")]),
    "years and months": ("month", [int(month) for month in written("%Y%m")]),
    "ordinals": ("date", [day.toordinal() for day in DAYS]),
    "ordinals of days": ("day", [day.toordinal() for day in DAYS]),
    "days since 1970": ("orderDay", ((STAMPS - pd.Timestamp(0)) // pd.Timedelta(days=1)).tolist()),
    "days of a spreadsheet": ("date", (STAMPS - pd.Timestamp("1899-12-30")).days.tolist()),
    "numbered dates": ("date", list(range(N))),
    "seconds": ("timestamp", [int(pd.Timestamp(moment).timestamp()) for moment in MOMENTS]),
    "parts of seconds": ("time", [pd.Timestamp(each).timestamp() + 0.25 for each in MOMENTS]),
    "milliseconds": ("time", [1000 * int(pd.Timestamp(each).timestamp()) for each in MOMENTS]),
    "nanoseconds": ("created_time", pd.DatetimeIndex(MOMENTS).as_unit("ns").asi8.tolist()),
    "fractions of years": ("year", [2012 + k / 365.25 for k in range(N)]),
    "fractions of years as dates": ("date", [2012 + k / 365.25 for k in range(N)]),
    "slashes": ("when", written("%Y/%m/%d")),
    "American": ("when", written("%m/%d/%Y")),
    "British": ("when", written("%d/%m/%Y")),
    "German": ("when", written("%d.%m.%Y")),
    "named month": ("when", written("%b %d, %Y")),
    "whole name of the month": ("when", written("%d %B %Y")),
    "with a time of day": ("when", [moment.strftime("%m/%d/%Y %H:%M") for moment in MOMENTS]),
    "ISO": ("when", [day.isoformat() for day in DAYS]),
    "ISO with a zone": ("when", [f"{moment.isoformat()}+02:00" for moment in MOMENTS]),
    "months": ("when", written("%Y-%m")),
    "two digits of a year": ("when", written("%m/%d/%y")),
    "German with two digits of a year": ("when", written("%d.%m.%y")),
    "days of the week": ("when", written("%a, %d %b %Y")),
    "seconds of a record": ("createdAt", [int(pd.Timestamp(each).timestamp()) for each in MOMENTS]),
    "eight digits in German": ("Datum", [int(day) for day in written("%Y%m%d")]),
    "objects": ("when", DAYS),
    "stamps": ("when", STAMPS),
    "stamps with a zone": ("when", STAMPS.tz_localize("Europe/Paris")),
    "periods": ("when", STAMPS.to_period("D")),
    "categories": ("when", pd.Categorical(written("%d.%m.%Y"))),
}
NOT_SEEN = {
    "no name": ("amount", [int(day) for day in written("%Y%m%d")]),
    "days of a month": ("day", [day.day for day in DAYS]),
    "months of a year": ("month", [day.month for day in DAYS]),
    "whole years": ("year", [1990 + k % 30 for k in range(N)]),
    "durations": ("time", list(range(N))),
    "updates": ("updates", [20120101 + k % 28 for k in range(N)]),
    "birth": ("date_of_birth", written("%d.%m.%Y")),
    "codes": ("code", [f"{k:05d}-{k:04d}" for k in range(N)]),
    "versions": ("version", [f"1.{k}.2" for k in range(N)]),
    "one date": ("when", ["31.01.2012"] * N),
    "names": ("name", [f"May {k}" for k in range(N)]),
    "nothing": ("date", [np.nan] * N),
}


def codes(frame, **options):
    evidence = Evidence(groups=None, has_later_training_rows=True, tables={"X": frame}, **options)
    return [note.code for note in find_notes(evidence)]


@pytest.mark.parametrize("case", SEEN)
def test_dates_in_any_way_to_write_them(case):
    name, values = SEEN[case]
    frame = pd.DataFrame({"a": 1.0, name: pd.Series(values)})
    for rows in (np.arange(N), ROWS):
        assert codes(frame.iloc[rows]) == ["dates"]
    with_gaps = frame.iloc[ROWS].copy()
    with_gaps.loc[[0, 7], name] = None
    assert codes(with_gaps) == ["dates"]


@pytest.mark.parametrize("case", NOT_SEEN)
def test_what_only_seems_to_be_dates(case):
    name, values = NOT_SEEN[case]
    assert codes(pd.DataFrame({"a": 1.0, name: values})) == []


def test_sound_data_have_no_dates_among_their_columns():
    for data in sound_data_sets():
        if not isinstance(getattr(data.X, "index", None), pd.DatetimeIndex):
            assert "dates" not in codes(data.X)


def test_a_random_walk_in_shuffled_rows_is_noted():
    generator = np.random.default_rng(0)
    frame = pd.DataFrame({"date": SEEN["eight digits"][1], "x": generator.normal(size=N)})
    y = np.cumsum(generator.normal(size=N))
    models = {"line": LinearRegression(), "mean": DummyRegressor()}
    result = s.compare_estimators(models, frame.iloc[ROWS], y[ROWS])
    assert "dates" in [note.code for note in result.notes]
