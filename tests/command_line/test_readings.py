"""How a table of rows is read: what people write for numbers, dates and missing values."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from skcvstats.command_line import InputError
from tests.command_line.messy_customers import N_ROWS, write_customers
from tests.command_line.tables import read

NBSP = "\u00a0"
NARROW = "\u202f"
NAN = np.nan


def day(text):
    """Return a day as a number of days since 1970."""
    return (np.datetime64(text) - np.datetime64("1970-01-01")) / np.timedelta64(1, "D")


@pytest.fixture
def table(tmp_path):
    """Write columns of cells, repeated to a number of rows, beside a column of integers and y."""

    def table(columns, *options, n=40, separator=",", encoding="utf-8", **further):
        cells = {name: (values * n)[:n] for name, values in columns.items()}
        frame = pd.DataFrame({**cells, "z": np.arange(n) % 7, "y": ["p", "q"] * (n // 2)})
        path = tmp_path / "table.csv"
        frame.to_csv(path, index=False, sep=separator, encoding=encoding)
        return read(path, *options, **further)

    return table


def read_one(table, cells, *options, **further):
    return table({"x": list(cells)}, *options, **further)


def check_values(column, expected):
    np.testing.assert_allclose(column[: len(expected)], expected, rtol=1e-14)


# Cells, what separates fields, options, and the values of the cells.
NUMBERS = [
    (["3,5", "1.234,56", "7"], ";", "", [3.5, 1234.56, 7]),
    (["3,5", "0,25"], ",", "", [3.5, 0.25]),
    (["1.234.567", "999"], ";", "", [1234567, 999]),
    (["1 234,5", f"2{NBSP}345,25", f"7{NARROW}000"], ";", "", [1234.5, 2345.25, 7000]),
    (["1,234.50", "0.5"], ",", "", [1234.5, 0.5]),
    (["1,234,567", "999"], ",", "", [1234567, 999]),
    (["1.234", "2.345"], ",", "", [1.234, 2.345]),
    (["1.234", "2.345"], ";", "", [1.234, 2.345]),
    (["1.234", "2.345"], ";", "--thousands .", [1234, 2345]),
    (["1.234", "2.345"], ";", "--decimal ,", [1234, 2345]),
    (["1,234", "2,345"], ";", "", [1.234, 2.345]),
    (["1,234", "2,345"], ",", "--decimal ,", [1.234, 2.345]),
    (["1,234", "2,345"], ",", "--thousands ,", [1234, 2345]),
    (["1,234", "2,345"], ",", "--decimal .", [1234, 2345]),
    (["CHF 5'000", "CHF 1\u2019000.50", "7"], ",", "", [5000, 1000.5, 7]),
    (["$5", "-$5", "($5)", "$1,000.25", "8"], ",", "", [5, -5, -5, 1000.25, 8]),
    (["5,00 €", "1.000,00 €", "-3 €"], ";", "", [5, 1000, -3]),
    (["45%", "45 %", f"1.5{NBSP}%", "-5%"], ",", "", [0.45, 0.45, 0.015, -0.05]),
    (["(5.00)", "7.00"], ",", "", [-5, 7]),
    (["1e5", "?", "2E-1"], ",", "", [1e5, NAN, 0.2]),
    (["+5", "\u22125", "?"], ",", "", [5, -5, NAN]),
    (["00123", "?", "456"], ",", "", [123, NAN, 456]),
    ([" 5", "6 ", "?"], ",", "", [5, 6, NAN]),
    (["5", "-999", "3"], ",", "--missing -999", [5, NAN, 3]),
    (["5", "k. A.", "3"], ",", "--missing", [5, NAN, 3]),
]


@pytest.mark.parametrize(("cells", "separator", "options", "values"), NUMBERS)
def test_numbers(table, cells, separator, options, values):
    given = ["--missing", "k. A."] if options == "--missing" else options.split()
    data = read_one(table, cells, *given, separator=separator)
    check_values(data.X["x"], values)
    assert len(data.read) <= 2


# Cells that are no numbers, and stay as they are.
TEXTS = [
    *(["0x10", "5"], ["٣", "5"], ["12:30", "13:00"], ["31.01.12", "01.02.12"], ["1.2.3", "1.2.4"]),
    *(["(1)", "(2)"], ["45 %", "45"], ["1,00,000", "2"], ["5 apples", "6"]),
    *(["none", "unknown", "a"], ["?", "-", "a"], ["?", "-"], ["12345678901234567890", "?"]),
    (["2012-02-30", "2012-02-31"]),
    (["31/01/2012", "01/31/2012"]),
]


def test_other_cells_stay_text(table):
    data = table({str(place): cells for place, cells in enumerate(TEXTS)})
    for place, cells in enumerate(TEXTS):
        assert data.X[str(place)][: len(cells)].tolist() == cells
    done = [column.done for column in data.table.columns]
    told = [text for text in done if text]
    assert all(text.startswith(("text, with cells such as ", "text, as some")) for text in told)
    assert "'0x10', '5'" in told[0]


@pytest.mark.parametrize(
    ("cells", "are_codes"),
    [
        (["01234", "10115", "20095"], True),
        (["01234", "?", "10115"], True),
        (["01", "12", ""], True),
        (["01234", "115"], False),
        (["0", "1"], False),
        (["0.5", "1.5"], False),
    ],
)
def test_digits_of_one_length_with_a_leading_zero_are_categories(table, cells, are_codes):
    data = read_one(table, cells)
    if are_codes:
        missing = [cell or NAN for cell in cells]
        assert data.X["x"][: len(cells)].tolist() == pytest.approx(missing, nan_ok=True)
        assert data.read == ("Read: x: codes with leading zeros, not numbers.",)
    else:
        check_values(data.X["x"], [float(cell) for cell in cells])


def test_percentages_beside_other_numbers_are_told(table):
    data = read_one(table, ["80%", "0.59", "84%"])
    told = "Read: x: text, as some cells have % and others not, such as '80%', '0.59'."
    assert data.read == (told,)


@pytest.mark.parametrize("count", [lambda k: k + 1, lambda k: 39 - k])
def test_a_column_that_numbers_the_rows_does_so_before_some_are_left_out(tmp_path, count):
    path = tmp_path / "table.csv"
    rows = [f"{count(k)},{k % 7},{'' if k % 9 == 4 else 'pq'[k % 2]}" for k in range(40)]
    path.write_text("\n".join(["number,z,y", *rows]))
    data = read(path, "--drop-missing-target")
    assert list(data.X) == ["z"]
    assert len(data.X) == 36
    assert [use.done for use in data.uses if use.name == "number"] == ["counter"]


def test_all_labels_that_differ_in_case_or_blanks_are_named(table):
    data = read_one(table, ["Yes", "yes", "No", "no ", "maybe"])
    assert "'x' has 'No', 'no ', 'Yes', 'yes' as different labels" in data.done


def test_numbers_with_the_other_decimal_sign_are_told(table):
    told = "Read: x: text, with cells such as '3,5'; '0,25' (see --missing, --decimal)."
    assert read_one(table, ["3,5", "0,25"], "--decimal", ".").read == (told,)
    data = read_one(table, ["3,5", "0,25"], "--decimal", ".", "--as-text", "x")
    assert data.read == ()


def test_what_is_told_as_categories_is_not_said_again(table):
    data = read_one(table, [*map(str, range(20, 89)), "90+"], n=140)
    assert data.read == ("Read: x: categories, as 2 cells are not numbers: '90+'.",)
    assert not any("text" in done for done in data.done)


@pytest.mark.parametrize(
    ("name", "cells", "is_part"),
    [
        ("fold", ["0", "1", "2"], True),
        ("split", ["train", "test"], True),
        ("scaffold", ["0", "1", "2"], False),
        ("fold", ["0.5", "1.5"], False),
    ],
)
def test_a_feature_that_seems_to_number_folds_is_asked_about(table, name, cells, is_part):
    done = " ".join(table({name: cells}).done)
    assert (f"--drop {name}?" in done) == is_part
    assert name in table({name: cells}).X


def test_among_categories_what_pandas_calls_missing_is_missing(table):
    assert read_one(table, ["None", "none", "a"]).X["x"][:3].tolist() == [NAN, "none", "a"]


DATES = [
    (["2012-01-31", "2012-02-01"], "", ["2012-01-31", "2012-02-01"]),
    (["2012-01-31T10:00:00+01:00", "2012-02-01"], "", ["2012-01-31T09", "2012-02-01"]),
    (["31.01.2012", "1.2.2012"], "", ["2012-01-31", "2012-02-01"]),
    (["01/31/2012", "02/01/2012"], "", ["2012-01-31", "2012-02-01"]),
    (["31/01/2012", "01/02/2012", "-"], "", ["2012-01-31", "2012-02-01"]),
    (["01/02/2012", "03/04/2012"], "--dayfirst", ["2012-02-01", "2012-04-03"]),
    (["01/02/2012", "03/04/2012"], "--monthfirst", ["2012-01-02", "2012-03-04"]),
    (["01/01/2012", "02/02/2012"], "", ["2012-01-01", "2012-02-02"]),
    (["2012/01/31", "2012/2/1"], "", ["2012-01-31", "2012-02-01"]),
    (["Jan 31, 2012", "May 1, 2012"], "", ["2012-01-31", "2012-05-01"]),
    (["31 January 2012", "1 May 2012"], "", ["2012-01-31", "2012-05-01"]),
    (["2012-01-31", "31.01.2012", "Feb 1, 2012"], "", [*["2012-01-31"] * 2, "2012-02-01"]),
    (["31.01.2012 10:00", "1.2.2012 10:00:30"], "", ["2012-01-31T10", "2012-02-01T10:00:30"]),
    (["1/31/2012 1:05 PM", "2/1/2012 12:05 AM"], "", ["2012-01-31T13:05", "2012-02-01T00:05"]),
]


@pytest.mark.parametrize("option", ["", "--dayfirst", "--monthfirst"])
def test_dates_are_days_since_1970(table, option):
    columns = {f"{cells}": cells for cells, needed, _ in DATES if needed == option}
    data = table(columns, *option.split())
    assert data.dates == list(columns)
    for cells, needed, days in DATES:
        if needed == option:
            check_values(data.X[f"{cells}"], list(map(day, days)))


# The name of a column, its whole numbers, and whether they are dates.
NAMED = [
    ("date", [20230101, 20230228], True),
    ("start_Day", [20230101, 20230228], True),
    ("date", [20230101, 20230230], False),
    ("date", [18991231, 20230101], False),
    ("customer", [20230101, 20230228], False),
    ("update", [20230101, 20230228], False),
    ("timestamp", [1400000000, 1400086400], True),
    ("time", [600, 700], False),
    ("amount", [1400000000, 1400086400], False),
]


@pytest.mark.parametrize(("name", "values", "are_dates"), NAMED)
def test_whole_numbers_are_dates_by_their_name(table, name, values, are_dates):
    data = table({name: [*values, values[0]]})
    assert data.dates == [name] * are_dates
    expected = values
    if are_dates and values[0] < 1e9:
        expected = [
            day(f"{value}"[:4] + "-" + f"{value}"[4:6] + "-" + f"{value}"[6:]) for value in values
        ]
    elif are_dates:
        expected = [value / 86400 for value in values]
    check_values(data.X[name], expected)


def test_a_comma_in_one_column_makes_thousands_of_the_points_of_another(table):
    columns = {"price": ["3,5", "1,25"], "people": ["1.234", "12.500"], "year": ["2012", "2013"]}
    data = table(columns, separator=";")
    check_values(data.X["people"], [1234, 12500])
    check_values(data.X["year"], [2012, 2013])
    (told,) = data.read
    assert told == "Read: separator ';'; decimal comma; people: '.' between thousands."


def test_a_point_in_one_column_makes_thousands_of_the_commas_of_another(table):
    data = table({"share": ["0.9978", "0.5"], "people": ["1,234", "999"]})
    check_values(data.X["people"], [1234, 999])


def test_a_file_with_both_signs_needs_an_option(table):
    columns = {"price": ["3,5", "1,25"], "width": ["12.5", "1.5"]}
    with pytest.raises(InputError, match=r"'price' .*'width' .*pass --decimal , or --decimal \. "):
        table(columns, separator=";")
    data = table(columns, "--decimal", ",", separator=";")
    check_values(data.X["price"], [3.5, 1.25])
    check_values(data.X["width"], [12.5, 1.5])
    data = table(columns, "--decimal", ".", separator=";")
    check_values(data.X["width"], [12.5, 1.5])
    assert data.X["price"][0] == "3,5"


ALMOST = [f"{k / 3:.2f}" for k in range(1, 60)]
# Cells, options, and what the error says.
REFUSED = [
    (["1,234", "2,345"], "", "'1,234'.*pass --decimal , or --thousands , for the file"),
    (["1,234", "2,345"], "--decimal , --thousands ,", "are both ','"),
    (["$5", "€7"], "", "in '\\$', '€'; convert them into one currency, or pass --as-text x or"),
    ([*ALMOST, "abc"], "", "but not in 'abc' .line 61.*--as-text x .*--missing=abc .*--drop x"),
    ([*ALMOST, "<0.1"], "", "numbers in 59 of 60 cells, but not in '<0.1' .line 61.*'<0.1' if"),
    ([*ALMOST, "1 000,5"], "", "but not in '1 000,5' .line 61"),
    ([*ALMOST, "5%"], "", "but not in '5%' .line 61"),
    ([f"{k % 28 + 1}.03.2012" for k in range(59)] + ["31.02.2012"], "", "dates in 59 of 60 cells"),
    (["01/02/2012", "03/04/2012"], "", "whether the day or the month is first; pass --dayfirst"),
    (["01/31/2012"], "--dayfirst --monthfirst", "exclude each other"),
]


@pytest.mark.parametrize(("cells", "options", "said"), REFUSED)
def test_what_is_not_clear_is_refused(table, cells, options, said):
    with pytest.raises(InputError, match=said):
        read_one(table, cells, *options.split(), n=len(cells) + len(cells) % 2)


def test_three_of_the_other_cells_are_shown_and_each_remedy_works(table):
    cells = [*map(str, range(100)), "a", "b", "c", "d"]
    with pytest.raises(InputError, match=r"'a' \(line 102\), 'b' .*, 'c' .* and 1 more"):
        read_one(table, cells, n=104)
    as_text = read_one(table, cells * 5, "--as-text", "x", n=520)
    assert as_text.X["x"][:104].tolist() == cells
    missing = read_one(table, cells, "--missing", *"abcd", n=104)
    check_values(missing.X["x"], [*range(100), *[NAN] * 4])
    assert "x" not in read_one(table, cells, "--drop", "x", n=104).X


def test_lines_are_those_of_the_file(tmp_path):
    rows = [f'"two\nlines",{k / 4},{k % 2}' for k in range(30)]
    path = tmp_path / "lines.csv"
    path.write_text("\n".join(["\n", "note,x,y", *rows[:20], "", "one,n.a. yet,1", *rows]))
    with pytest.raises(InputError, match=r"'n.a. yet' \(line 45\)"):
        read(path)
    lines = path.read_text().split("\n")
    assert lines[44] == "one,n.a. yet,1"


def test_few_numbers_and_another_cell_are_categories(table):
    data = read_one(table, [*["0", "1", "2"] * 13, "3+"])
    assert data.X["x"].unique().tolist() == ["0", "1", "2", "3+"]
    assert data.read == ("Read: x: categories, as 1 cell is not a number: '3+'.",)


TOKENS = ["?", "-", "--", ".", "N/A", "missing", "UNKNOWN", "None", "null", "#N/A", "#DIV/0!", " "]


@pytest.mark.parametrize("cells", [["1", "2"], ["30.01.2012", "31.01.2012"]])
def test_tokens_are_missing_among_numbers_and_dates(table, cells):
    data = table({token: [*cells, token] for token in TOKENS})
    assert data.X[TOKENS].isna().sum().tolist() == [13] * len(TOKENS)
    assert len(data.read) <= 2
    assert max(map(len, data.read)) <= 100


def test_tokens_are_counted(table):
    data = table({"spend": ["1.5", "2", "?"], "age": ["1", "2", "3", "-", "4"]})
    said = "13 cells '?' in spend and 8 '-' in age are read as missing."
    assert data.read == (said,)
    assert [column.missing for column in data.table.columns[:2]] == [{"?": 13}, {"-": 8}]


class TestTarget:
    def test_a_token_among_numbers_is_an_error(self, tmp_path):
        rows = [f"{k % 5},{'?' if k in (7, 9) else k % 2}" for k in range(40)]
        path = tmp_path / "target.csv"
        path.write_text("\n".join(["x,y", *rows]))
        with pytest.raises(InputError, match=r"missing in 2 of 40 rows: '\?' \(line 9\), '\?' "):
            read(path)
        left = read(path, "--drop-missing-target")
        path.write_text("\n".join(["x,y", *rows[:7], rows[8], *rows[10:]]))
        clean = read(path)
        pd.testing.assert_series_equal(left.y, clean.y)
        pd.testing.assert_frame_equal(left.X, clean.X)
        assert "2 rows without a target left out" in left.read[0]

    def test_a_data_set_with_a_name_has_a_target_in_all_rows(self):
        data = read("iris", "--drop-missing-target", target=None)
        assert data.target == "target"
        np.testing.assert_array_equal(data.y, load_iris().target)

    def test_signs_are_classes(self, tmp_path):
        path = tmp_path / "credit.csv"
        path.write_text("\n".join(["x,y", *(f"{k % 5},{'+-'[k % 2]}" for k in range(40))]))
        assert set(read(path).y) == {"+", "-"}


@pytest.mark.parametrize("command", ["compare", "gate"])
def test_what_is_named_is_missing_in_every_column_for_every_command(table, command):
    cells = {"spend": [*ALMOST, "?"], "plan": ["?", "a", "b"], "since": ["?", "2012-01-31"]}
    data = table(cells, "--missing", "?", command=command, n=60)
    assert data.X.isna().sum().tolist()[:3] == [1, 20, 30]
    said = "1 cell '?' in spend, 20 '?' in plan and 30 '?' in since are read as missing."
    assert data.read[-1] == said
    del cells["spend"], cells["since"]
    assert table(cells, command=command).X["plan"][:3].tolist() == ["?", "a", "b"]


class TestGate:
    """Nothing that nobody confirmed is left out or turned into categories where a gate decides."""

    @pytest.mark.parametrize("cell", ["?", "-", "--", " unknown", " "])
    def test_tokens(self, table, cell):
        cells = [*ALMOST, cell]
        with pytest.raises(InputError, match=r"pass --missing=.*, or --as-text x or --drop x"):
            read_one(table, cells, command="gate", n=60)
        data = read_one(table, cells, f"--missing={cell.strip()}", command="gate", n=60)
        check_values(data.X["x"], [*map(float, ALMOST), NAN])
        assert "x" not in read_one(table, cells, "--drop", "x", command="gate", n=60).X

    def test_those_of_pandas(self, table):
        check_values(read_one(table, ["5", "NA", ""], command="gate").X["x"], [5, NAN, NAN])

    @pytest.mark.parametrize("cell", ["1 000.5.1", "5%", "30.11.2023", "12a", "3+"])
    @pytest.mark.parametrize("share", [0.5, 0.98])
    def test_texts_that_are_mostly_numbers(self, table, cell, share):
        n_cells = round(100 * share)
        cells = [*map(str, range(n_cells)), *[cell] * (100 - n_cells)]
        with pytest.raises(InputError, match=r"--as-text x.*--drop x"):
            read_one(table, cells, command="gate", n=100)
        data = read_one(table, cells, "--as-text", "x", "--keep", "x", command="gate", n=100)
        assert data.X["x"].tolist() == cells

    def test_texts_that_are_mostly_texts(self, table):
        assert read_one(table, ["5", "a", "b"], command="gate").X["x"].tolist()[:2] == ["5", "a"]


class TestFiles:
    """Files as people have them, each with its right reading."""

    def test_german(self, tmp_path):
        path = tmp_path / "umsatz.csv"
        rows = [f"1.{k:03},{k % 100:02};{k % 28 + 1}.11.2023;{k % 2}" for k in range(100, 160)]
        path.write_text("\n".join(["Umsatz;Seit;y", *rows]), encoding="utf-8-sig")
        data = read(path)
        check_values(data.X["Umsatz"], [1000 + k + (k % 100) / 100 for k in range(100, 160)])
        check_values(data.X["Seit"], [day(f"2023-11-{k % 28 + 1:02}") for k in range(100, 160)])

    def test_french(self, tmp_path):
        path = tmp_path / "ventes.csv"
        rows = [f"{k}{NBSP}234,5;{k % 28 + 1:02}/11/2023;{k % 2}" for k in range(1, 61)]
        path.write_text("\n".join(["Prix unité;Date;y", *rows]), encoding="latin-1")
        data = read(path, "--encoding", "latin-1")
        check_values(data.X["Prix unité"], [1000 * k + 234.5 for k in range(1, 61)])
        check_values(data.X["Date"], [day(f"2023-11-{k % 28 + 1:02}") for k in range(1, 61)])

    def test_american(self, tmp_path):
        path = tmp_path / "sales.csv"
        rows = [f'"${k},234.50",{k}%,11/{k % 28 + 1:02}/2023,{k % 2}' for k in range(1, 61)]
        path.write_text("\n".join(["price,share,sold,y", *rows]))
        data = read(path)
        check_values(data.X["price"], [1000 * k + 234.5 for k in range(1, 61)])
        check_values(data.X["share"], [k / 100 for k in range(1, 61)])
        check_values(data.X["sold"], [day(f"2023-11-{k % 28 + 1:02}") for k in range(1, 61)])

    @pytest.mark.slow
    def test_an_export_of_predictions_from_excel(self, run, tmp_path):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 60)
        models = {name: (y + rng.normal(size=60)).round(3) for name in ("old", "new")}
        frame = pd.DataFrame({"y": y, **models})
        asked = ("--target", "y", "--scoring", "roc_auc", "--json")
        said = []
        for options in ({}, {"sep": ";", "decimal": ",", "encoding": "utf-8-sig"}):
            path = tmp_path / "test.csv"
            frame.to_csv(path, index=False, **options)
            status, out, _ = run("predictions", path, *asked)
            assert status == 0
            said.append(json.loads(out)["comparisons"])
        assert said[0] == said[1]
        out = run("predictions", path, *asked[:-1])[1]
        assert out.startswith("Read: separator ';'; decimal comma.\n")

    @pytest.mark.parametrize("is_label", [False, True])
    def test_a_cell_without_a_prediction_is_refused_and_may_be_named(self, run, tmp_path, is_label):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 60)
        frame = pd.DataFrame({"y": y, "id": np.arange(60), "day": ["a", "b", "c+"] * 20})
        for name in ("old", "new", "third"):
            scores = y + rng.normal(size=60)
            frame[name] = scores > 0.5 if is_label else scores.round(3)
            frame[name] = frame[name].astype(int if is_label else float).astype(object)
        frame.loc[7, "old"] = "?"
        path = tmp_path / "test.csv"
        frame.to_csv(path, index=False)
        metric = ("--target", "y", "--scoring", "accuracy" if is_label else "roc_auc")
        status, _, said = run("predictions", path, *metric)
        assert status == 2
        assert "'old' has numbers, but also '?' (row 8 below the header)" in said
        remedy = ("--missing", "?", "--missing-rows", "drop", "--models", "old", "new")
        assert run("predictions", path, *metric, *remedy)[0] == 0

    @pytest.mark.parametrize("separator", [";", "\t", "|"])
    def test_separators(self, table, separator):
        data = table({"x": ["1.5", "2"]}, separator=separator)
        assert data.read == (f"Read: separator {separator!r}.",)
        data = table({"x": ["1.5"]}, "--separator", separator, separator=separator)
        assert data.read == (f"Read: separator {separator!r}.",)

    def test_the_first_line_may_name_the_separator(self, tmp_path):
        path = tmp_path / "excel.csv"
        rows = [f"{k},5;{k % 2}" for k in range(40)]
        path.write_text("\n".join(["sep=;", "x;y", *rows]))
        data = read(path)
        check_values(data.X["x"], [k + 0.5 for k in range(40)])
        path.write_text(path.read_text().replace("7,5;1", "7,5;"))
        with pytest.raises(InputError, match=r"\(line 10\)"):
            read(path)

    def test_two_separators_that_fit_are_refused(self, tmp_path):
        path = tmp_path / "two.csv"
        path.write_text("a;b,c;y\n" + "1;2,5;3\n4;5,5;6\n" * 10)
        with pytest.raises(InputError, match="of the separators ','; ';'; pass one of them, such"):
            read(path)


class TestGoodData:
    """Files that are read as pandas reads them."""

    def test_wine_quality(self, table):
        data = table({"density": ["0.9978", "0.998"], "sugar": ["1.234", "2.5"]}, separator=";")
        check_values(data.X["density"], [0.9978, 0.998])
        check_values(data.X["sugar"], [1.234, 2.5])

    def test_coordinates(self, table):
        data = table({"lat": ["48.137", "48.152"], "lon": ["11.575", "-0.127"], "note": ["a", "b"]})
        check_values(data.X["lat"], [48.137, 48.152])
        check_values(data.X["lon"], [11.575, -0.127])

    def test_ages(self, table):
        cells = [*map(str, range(20, 90)), "90+"] * 4
        assert read_one(table, cells, n=284).X["x"].tolist() == cells

    def test_codes_as_text(self, table):
        house = [*map(str, range(1, 40)), "12a"] * 4
        assert read_one(table, house, "--as-text", "x", n=160).X["x"].tolist() == house
        codes = ["250.00", "250", "V45", "001.1"]
        assert read_one(table, codes, "--as-text", "x").X["x"].tolist()[:4] == codes
        codes = ["250.00", "250", "001.1"]
        assert read_one(table, codes, "--as-text", "x").X["x"].tolist()[:3] == codes

    def test_customer_numbers(self, table):
        data = read_one(table, ["20230101", "20230102", "12345678"])
        assert data.X["x"].tolist()[:3] == [20230101, 20230102, 12345678]


def test_customers_are_read_as_their_clean_twin(tmp_path):
    messy, clean = write_customers(tmp_path)
    asked = ("--groups", "customer_id")
    read_messy = read(messy, *asked, target="churned")
    read_clean = read(clean, *asked, target="churned")
    pd.testing.assert_frame_equal(read_messy.X, read_clean.X, check_exact=True)
    np.testing.assert_array_equal(read_messy.groups, read_clean.groups)
    assert read_messy.read == (
        "Read: since: dates, day first.",
        "75 cells '?' in monthly_spend and 31 '-' in tenure_months are read as missing.",
    )
    assert len(read_messy.y) == N_ROWS


@pytest.mark.slow
def test_the_answer_on_customers_is_that_on_their_clean_twin(run, tmp_path):
    messy, clean = write_customers(tmp_path)
    asked = ("--groups", "customer_id")
    asked += ("--target", "churned", "--estimators", "tree", "knn", "--n-splits", 2)
    said = [run("compare", "--data", path, *asked)[1] for path in (messy, clean)]
    first, second, *answer = said[0].splitlines()
    assert first.startswith("Read: ")
    assert second.endswith(" are read as missing.")
    assert answer == said[1].splitlines()
    assert len(said[0].splitlines()) <= 24
