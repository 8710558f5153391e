"""compare and report: ordinary files, what was done to them, and what is written."""

import argparse
import contextlib
import json
import os
import re
import sys
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from skcvstats.command_line import build_parser
from tests.command_line.conftest import saved
from tests.command_line.messy_customers import write_customers
from tests.command_line.tables import (
    as_one_and_zero,
    days_of,
    find_features,
    plain,
    positive_and_negative,
    prepare,
    read_typed,
)
from tests.conftest import needs_posix

FEW = ("--n-splits", "2")
CHURN = ("--target", "churned", "--estimators", "tree", "logistic", *FEW)


@pytest.fixture(scope="module")
def everything(run, churn, tmp_path_factory):
    """The comparison of the customers, with all files that it can write, and what it printed."""
    folder = tmp_path_factory.mktemp("written")
    files = [
        *("--csv", folder / "a.csv", "--report", folder / "b.html"),
        *("--save-scores", folder / "c.json", "--margin", "0.1", "--confidence-level", "0.9"),
    ]
    status, out, error = run("compare", "--data", churn, *CHURN, *files)
    assert (status, error) == (0, "")
    return folder, out


def scores_in(path):
    return s.ComparisonResult.from_json(path.read_text()).scores


# What was done to each column of the customers, as the table has it.
DONE = {
    "customer": ("left out", "over 95 % of the texts differ; --keep brings it back"),
    "row": ("left out", "its numbers number the rows; --keep brings it back"),
    "plan": ("category", "one-hot encoded, as 3 values of text (the 100 most frequent); 8 missing"),
    "since": ("date", "days since 1970"),
    "calls": ("number", ""),
    "spend": ("number", "14 missing values: replaced by the median of the training rows"),
    "site": ("category", "one-hot encoded, as 12 values of text (the 100 most frequent)"),
    "churned": ("target", ""),
}
USED = ["5 columns used: 2 numbers, 2 categories, 1 date; left out: customer (identifier), row"]
USED += ["(counter)"]


def test_a_file_with_everything_in_it(everything):
    folder, out = everything
    lines = out.splitlines()
    assert lines[-6:] == [
        *USED,
        "Data: 'site' has 12 values, 5 to 15 rows each: --groups site?",
        f"Wrote the table to {folder / 'a.csv'}.",
        f"Wrote the report to {folder / 'b.html'}.",
        f"Wrote the scores to {folder / 'c.json'}.",
    ]
    assert "one-hot" not in out


def test_what_was_done_to_each_column_is_one_table(run, everything, customers):
    """It is in the report, in JSON, and under --explain, also of saved scores."""
    folder, _ = everything
    told = run("report", folder / "c.json", "--explain")[1].splitlines()
    (head,) = [k for k, line in enumerate(told) if line.startswith("column ")]
    in_json = json.loads(run("report", folder / "c.json", "--json")[1])["columns"]
    page = re.sub("<[^>]*>", " ", (folder / "b.html").read_text())
    page = " ".join(page.split())
    assert len(in_json) == len(DONE)
    for name, row, line in zip(customers.columns, in_json, told[head + 1 :], strict=True):
        role, done = DONE[name]
        first = ", ".join(map(str, customers[name].dropna().head(3)))
        assert row["column"] == name
        assert (row["used as"], row["first values"]) == (role, first)
        assert row["what was done"].startswith(done)
        assert line.split()[0] == name
        assert line.endswith(first)
        assert f"{role} {row['what was done']}".strip() in " ".join(line.split())
        assert " ".join(f"{name} {role} {row['what was done']} {first}".split()) in page


@pytest.mark.parametrize(
    ("head", "options", "line"),
    [
        ("a", "", "1 column used: 1 number"),
        ("a,t", "", "2 columns used: 1 number, 1 category"),
        ("t,u", "--keep t", "2 columns used: 2 categories"),
        (
            *("a,g,note,day", "--groups g"),
            "2 columns used: 1 number, 1 date; left out: note (free text), g (groups)",
        ),
        (
            "a,e,id,n",
            "",
            "1 column used: 1 number; left out: e (empty), id (identifier), n (counter)",
        ),
        ("a,t,u", "--drop t u", "1 column used: 1 number; left out: t (--drop), u (--drop)"),
        ("t,a", "--drop t --keep a", "1 column used: 1 number; left out: t (--drop)"),
    ],
)
def test_the_line_below_the_answer(tmp_path, head, options, line):
    cells = {
        **{"a": "{k}.5", "t": "t{odd}", "u": "u{odd}", "g": "g{odd}", "note": "a note {k}"},
        **{"day": "2024-01-{k:02}", "e": "", "id": "C{k}", "n": "{k}"},
    }
    rows = [
        ",".join([cells[name] for name in head.split(",")]).format(k=k, odd=k % 2) + f",{k % 3}"
        for k in range(1, 25)
    ]
    path = tmp_path / "t.csv"
    path.write_text("\n".join([f"{head},y", *rows]))
    arguments = ["compare", "--data", str(path), "--target", "y", *options.split()]
    kept = prepare(build_parser().parse_args(arguments)).record(path)
    assert kept["used"][0].startswith(line)


def with_known(path, **known):
    """Save scores of which something is known."""
    scores = {"a": 0.01 * np.arange(10.0), "b": np.full(10, 0.5)}
    design = s.SplitDesign.from_sizes(90, 10, n_splits=10)
    of_all = s.CVScores(
        values=np.array([*scores.values()]), design=design, labels=[*scores], provenance=known
    )
    path.write_text(s.compare_scores(of_all).to_json())
    return path


def test_how_the_file_was_read_stands_before_the_answer(run, tmp_path):
    path = tmp_path / "scores.json"
    nothing = run("report", with_known(path))[1].splitlines()
    read = ["Read: separator ';' and decimal comma: a.", "3 cells '?' in a are read as missing."]
    assert run("report", with_known(path, read=read))[1].splitlines() == [*read, *nothing]


def test_the_lines_below_the_answer_are_two_however_much_is_left_out(run, tmp_path):
    used = "1 column used: 1 number; left out: " + ", ".join(
        f"column_{k} (empty)" for k in range(99)
    )
    lines = run("report", with_known(tmp_path / "scores.json", used=[used]))[1].splitlines()
    assert " ".join(lines[-2:]).startswith(used[:120])
    assert lines[-1].endswith(" ... (--explain)")
    assert max(map(len, lines)) <= 88


def test_several_metrics_are_those_of_the_function(run):
    metrics, options = ["accuracy", "roc_auc_ovr"], ("--estimators", "tree", "knn", "--json")
    out = run("compare", "--data", "iris", "--scoring", *metrics, *options)[1]
    tree, knn = DecisionTreeClassifier(random_state=0), KNeighborsClassifier()
    models = {"tree": tree, "knn": make_pipeline(StandardScaler(), knn)}
    X, y = datasets.load_iris(return_X_y=True)
    table = s.compare_estimators(models, X, y, scoring=metrics).to_frame()
    for told, ours in zip(json.loads(out)["comparisons"], table.itertuples(), strict=True):
        assert told["metric"] == ours.metric
        assert told["difference"] == pytest.approx(ours.difference, rel=1e-12)


def test_scores_are_those_of_a_pipeline_written_by_hand(everything, customers):
    ours = scores_in(everything[0] / "c.json")["tree"]
    X = customers.drop(columns=["customer", "row", "churned"])
    X["since"] = pd.to_datetime(X["since"]).map(pd.Timestamp.toordinal)
    X["plan"] = X["plan"].fillna("missing")
    columns = make_column_transformer(
        (SimpleImputer(strategy="median"), ["since", "calls", "spend"]),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), ["plan", "site"]),
    )
    tree = make_pipeline(columns, DecisionTreeClassifier(random_state=0))
    splits = s.RepeatedSubsampleSplit(2, test_size=0.1, random_state=0)
    by_hand = s.cross_val_score(tree, X, customers["churned"], cv=splits)
    np.testing.assert_array_equal(ours.values, by_hand.values)


def test_report_from_saved_scores_is_that_of_compare(run, everything, tmp_path):
    folder, told = everything
    status, out, error = run("report", folder / "c.json", "--report", tmp_path / "b.html")
    assert (status, error) == (0, "")
    assert out.split("Wrote")[0] == told.split("Wrote")[0]
    assert out.splitlines()[-1] == f"Wrote the report to {tmp_path / 'b.html'}."
    assert "10 % level" in out
    untimed = [
        [line for line in (at / "b.html").read_text().splitlines() if " in 4 fits" not in line]
        for at in (folder, tmp_path)
    ]
    assert untimed[0] == untimed[1]
    for ending in ("md", "tex", "txt"):
        file = tmp_path / f"report.{ending}"
        json.loads(run("report", folder / "c.json", "--json", "--report", file)[1])
        assert file.read_text().strip()
    gate = ("gate", "--scores", folder / "c.json", "--champion", "tree", "--challenger")
    assert "Wrote" not in run(*gate, "logistic", "--rule", "better", "--report", "/dev/null")[1]


@pytest.mark.slow
def test_an_option_may_name_its_values_one_by_one(run, churn):
    """No value is lost: otherwise a column that leaks the target would stay a feature."""
    data = ("compare", "--data", churn, "--target", "churned", "--n-splits", "2")
    together = "--drop site since --keep customer row --estimators tree knn"
    one_by_one = "--drop site --drop since --keep customer --keep row --estimators tree"
    found = run(*data, *one_by_one.split(), "--estimators", "knn")
    assert found == run(*data, *together.split())
    told = " ".join(found[1].split())
    used = "4 columns used: 3 numbers, 2 categories; left out: site (--drop), since (--drop)"
    assert used.replace("4", "5") in told or used in told


@pytest.mark.slow
def test_groups_stay_together(run, churn, customers, tmp_path):
    path = tmp_path / "scores.json"
    arguments = (*CHURN, "--groups", "site", "--test-size", "0.25", "--save-scores", path)
    status, out, _ = run("compare", "--data", churn, *arguments)
    assert status == 0
    design = scores_in(path).design
    assert (design.unit, design.n_samples) == ("groups", customers["site"].nunique())
    assert ", 120 rows, " in scores_in(path).provenance["table"][0]
    assert "'site'" not in out


def test_the_inflation_is_that_of_the_row_t_test(run):
    X, y = datasets.load_wine(return_X_y=True)
    models = {
        "tree": DecisionTreeClassifier(random_state=0),
        "shallow": DecisionTreeClassifier(max_depth=1, random_state=0),
    }
    careful = s.compare_estimators(models, X, y, method=s.RowTTest(inflation=1), random_state=0)
    shallow = "shallow=sklearn.tree.DecisionTreeClassifier(max_depth=1, random_state=0)"
    for method in ("auto", "row_t"):
        options = ("--estimators", "tree", shallow, "--json", "--method", method)
        asked = run("compare", "--data", "wine", *options, "--inflation", "1")
        (found,) = json.loads(asked[1])["comparisons"]
        wanted = careful.tests[0].standard_error
        assert found["standard_error"] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.slow
def test_complete_numbers_are_left_as_they_are(run, breast_cancer):
    options = ("--estimators", "tree", "knn", "--n-splits", "4", "--json")
    from_file = run("compare", "--data", breast_cancer, "--target", "target", *options)
    shipped = run("compare", *options)
    ours, theirs = json.loads(from_file[1]), json.loads(shipped[1])  # and nothing more
    assert ours["data"] == theirs["data"] == ["30 columns used: 30 numbers"]
    assert {row["what was done"] for row in ours["columns"]} == {""}
    assert ours["comparisons"][0]["difference"] == theirs["comparisons"][0]["difference"]


@pytest.mark.slow
@pytest.mark.parametrize("on_path", [True, False])
def test_the_first_command_ends_with_that_for_ones_own_file_which_runs(
    on_path, run, churn, tmp_path, monkeypatch
):
    if on_path:
        (tmp_path / "skcvstats").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    program = "skcvstats" if on_path else f"{os.path.relpath(sys.executable)} -m skcvstats"
    own = f"For your own file: {program} compare --data table.csv --target COLUMN"
    status, out, _ = run("compare", *FEW)
    assert status == 0
    assert out.splitlines()[-1] == own
    other = run("compare", "--data", "iris", "--reference", "knn", *FEW)[1]
    assert own not in other
    assert other.startswith("accuracy against knn: ")
    assert "result." not in other  # calls are for Python
    (tmp_path / "table.csv").write_text(churn.read_text())
    command = f"{own} --report report.txt".split("skcvstats ")[1].replace("COLUMN", "churned")
    with contextlib.chdir(tmp_path):
        status, out, _ = run(*command.split(), *FEW)
    assert status == 0
    assert out.splitlines()[-1] == "Wrote the report to report.txt."
    assert (tmp_path / "report.txt").exists()


def test_json_and_table_have_the_same_numbers(run, tmp_path):
    """Names that a spreadsheet would take for formulas are neutral in the table."""
    table = tmp_path / "table.csv"
    options = ("--estimators", "@SUM=tree", "+1=knn", "logistic", "--csv", table, "--json")
    told = json.loads(run("compare", "--data", "wine", "--n-splits", "4", *options)[1])
    frame = pd.read_csv(table)
    pvalues = [row["pvalue"] for row in told["comparisons"]]
    assert pvalues == pytest.approx(frame["pvalue"].tolist(), rel=1e-14)  # as pandas reads them
    assert {row["outcome"] for row in told["comparisons"]} <= {"higher", "lower", "not significant"}
    assert {*frame["estimator"], *frame["versus"]} == {"'@SUM", "'+1", "logistic"}


@needs_posix
def test_a_table_goes_into_a_pipe(run):
    reader, writer = os.pipe()
    status, out, error = run("compare", "--data", "iris", *FEW, "--csv", f"/dev/fd/{writer}")
    assert (status, error, "Wrote" in out) == (0, "", False)
    os.close(writer)
    with open(reader) as table:
        assert len(pd.read_csv(table)) == 3


def test_a_report_tells_what_was_warned_of(run, tmp_path):
    path, scores = tmp_path / "scores.json", {"a": np.arange(4.0), "b": np.ones(4)}
    with pytest.warns(s.SplitDesignWarning):
        result = s.compare_scores(scores, design=s.SplitDesign.from_sizes(90, 10, n_splits=4))
    path.write_text(result.to_json())
    _, out, _ = run("report", path)
    assert "\nOnly 4 splits" in out
    assert "result.notes" not in out


@needs_posix
def test_a_file_that_is_written_again_keeps_its_permissions(run, tmp_path):
    path, table = tmp_path / "scores.json", tmp_path / "table.csv"
    scores = {"a": 0.01 * np.arange(10.0), "b": np.full(10, 0.5)}
    design = s.SplitDesign.from_sizes(90, 10, n_splits=10)
    path.write_text(s.compare_scores(scores, design=design).to_json())
    table.touch()
    table.chmod(0o600)
    assert run("report", path, "--csv", table)[0] == 0
    assert table.stat().st_mode & 0o777 == 0o600
    assert len(pd.read_csv(table)) == 1


@pytest.mark.slow
def test_fresh_seeds_in_every_fit(run):
    data = ("--data", "wine", "--estimators", "tree", "knn", "--n-splits", "10")
    options = ("compare", *data, "--json")
    fresh = json.loads(run(*options, "--fresh-seeds", "--seed", "3")[1])
    knn = make_pipeline(StandardScaler(), KNeighborsClassifier())
    models = {"tree": DecisionTreeClassifier(), "knn": knn}
    X, y = datasets.load_wine(return_X_y=True)
    splits = {"cv": s.RepeatedSubsampleSplit(10, random_state=3), "random_state": 3}
    expected = s.compare_estimators(models, X, y, fresh_seeds=True, **splits)
    assert fresh["comparisons"][0]["difference"] == expected[0].test.estimate
    assert fresh["notes"][0].startswith("fresh seeds in every fit of 'tree'")
    chosen = "--method auto chose the corrected resampled t-test: the row t-test needs repeated k-"
    assert fresh["notes"][-1].startswith(chosen)  # as --n-splits draws random splits


def test_short_names_are_those_of_the_package(capsys):
    with pytest.raises(SystemExit):
        build_parser().parse_args(["compare", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    methods = re.search(r"--method METHOD one of ([a-z0-9_, ]+) \(", text)[1].split(", ")
    names = {name for name in s.get_procedure_names() if "bootstrap" not in name}
    assert methods == ["auto", *sorted(names)]
    data_sets = re.search(r"--data DATA one of ([a-z_, ]+), or a CSV", text)[1].split(", ")
    assert all(hasattr(datasets, f"load_{name}") for name in data_sets)


@pytest.mark.parametrize(
    ("written", "days"),
    [
        *(("1970-01-01", 0), ("1969-12-31", -1), ("2024-03-01", 19783), ("9999-12-31", 2932896)),
        ("1970-01-02 06:00", 1.25),
        ("1970-01-02T00:00:00+01:00", 1 - 1 / 24),
        ("1970-01-01T12:00:30.5Z", 0.5 + 30.5 / 86400),
    ],
)
def test_iso_dates_become_days(written, days):
    found = days_of(plain(pd.Series([written, None, written])))
    np.testing.assert_allclose(found, [days, np.nan, days], rtol=1e-12)


def test_dates_of_pandas_keep_parts_of_a_second():
    found = days_of(plain(pd.Series(pd.to_datetime(["1970-01-02 00:00:00.5", None]))))
    np.testing.assert_allclose(found, [1 + 0.5 / 86400, np.nan], rtol=1e-15)


def test_other_texts_are_no_dates():
    for written in ("2024-02-30", "30.02.2024", "2024-03", "20240301", "soon"):
        assert days_of(plain(pd.Series(["2024-03-01", written]))) is None


@pytest.mark.parametrize(
    ("values", "left_out"),
    [
        *(([3, 1, 2, 4], True), ([10, 11, 12, 13], True)),  # which number the rows
        *(([1, 2, 3, 5], False), ([1, 1, 2, 3], False), ([0.0, 1.0, 2.0, 3.0], False)),
        *(([f"t{min(k, n - 1)}" for k in range(100)], n > 95) for n in (95, 96, 100)),
    ],
)
def test_what_names_the_rows_is_no_feature(values, left_out):
    frame = pd.DataFrame({"x": values, "y": [0, 1, 0, 0] * (len(values) // 4)})
    assert ("x" not in find_features(frame)[0]) == left_out
    assert "x" in find_features(frame, ["x"])[0]


def test_columns_of_a_file_are_one_array(tmp_path):
    """Rows of many columns are taken at once; truth values are numbers."""
    frame = pd.DataFrame({"a": [0.1, 0.3], "b": [True, False], "y": [0, 1]})
    table = saved(frame, tmp_path / "t.csv")
    arguments = ["compare", "--data", str(table), "--target", "y"]
    X = prepare(build_parser().parse_args(arguments)).X
    assert X.to_numpy().dtype == float
    assert np.shares_memory(X.to_numpy(), X["a"].to_numpy())
    assert np.shares_memory(X.to_numpy(), X["b"].to_numpy())


def test_types_of_pandas():
    columns = {
        "integer": pd.array([1, None, 3], dtype="Int64"),
        "boolean": pd.array([True, None, False], dtype="boolean"),
        "object": [True, None, False],
        "category": pd.Categorical(["a", "b", "a"]),
        "text": pd.array(["a", None, "a"], dtype="string"),
        "date": pd.to_datetime(["1970-01-03", None, "1970-01-02"]),
        "duration": pd.to_timedelta([1, 2, 3], unit="h"),
        "nothing": [None, None, None],
    }
    options = build_parser().parse_args(["compare"], argparse.Namespace(passed=set()))
    table = read_typed(pd.DataFrame(columns), options)
    days = [column.name for column in table.columns if column.kind == "date"]
    features, uses = find_features(table.frame, days=days)
    assert [use.name for use in uses if use.role == "date"] == ["date"]
    numbers = features.drop(columns=["category", "text"])
    assert set(map(str, numbers.dtypes)) == {"float64"}
    np.testing.assert_allclose(numbers["date"], [2, np.nan, 1])
    np.testing.assert_allclose(numbers["duration"], np.array([1, 2, 3]) / 24)
    np.testing.assert_allclose(numbers["object"], [1, np.nan, 0])
    assert features["text"].tolist() == ["a", np.nan, "a"]
    missing = features.columns[features.isna().any()]
    assert missing.tolist() == ["integer", "boolean", "object", "text", "date"]
    assert uses[-1] == ("nothing", "left out", "empty")


def test_parquet(run, churn, customers, tmp_path):
    pytest.importorskip("pyarrow", reason="reads Parquet files")
    customers.to_parquet(tmp_path / "churn.parquet")
    found = run("compare", "--data", tmp_path / "churn.parquet", *CHURN)
    assert found[0] == 0
    assert found == run("compare", "--data", churn, *CHURN)


@pytest.mark.slow
def test_compressed_files_other_separators_and_encodings(run, customers, tmp_path):
    renamed = customers[["customer", "calls", "churned"]].rename(columns={"customer": "Straße"})
    plain = saved(renamed, tmp_path / "plain.csv")
    expected = run("compare", "--data", plain, *CHURN)
    assert (expected[0], "Straße (identifier)" in expected[1]) == (0, True)
    for module, ending in {"gzip": ".gz", "bz2": ".bz2", "lzma": ".xz"}.items():
        packed = plain.with_suffix(f".csv{ending}")
        packed.write_bytes(import_module(module).compress(plain.read_bytes()))
        assert run("compare", "--data", packed, *CHURN) == expected
    other = saved(renamed, tmp_path / "other.csv", sep=";", encoding="latin-1")
    options = (*CHURN, "--separator", ";", "--encoding", "latin-1")
    status, out, error = run("compare", "--data", other, *options)
    assert (status, out.removeprefix("Read: separator ';'.\n"), error) == expected


@pytest.mark.slow
@pytest.mark.parametrize("positive", ["yes", "no"])
def test_the_label_that_counts_as_positive(run, churn, customers, tmp_path, positive):
    path = tmp_path / "scores.json"
    options = (*CHURN, "--scoring", "f1", "--save-scores", path)
    status, out, _ = run("compare", "--data", churn, *options, "--positive", positive)
    assert status == 0
    assert f"labels as numbers, '{positive}' as 1" in " ".join(out.split())
    ours = scores_in(path)["tree"]
    numbers = customers.assign(churned=(customers["churned"] == positive) * 1)
    coded = saved(numbers, tmp_path / "coded.csv")
    assert run("compare", "--data", coded, *options)[0] == 0
    np.testing.assert_array_equal(ours.values, scores_in(path)["tree"].values)


def test_a_label_that_is_a_number_may_be_written_in_any_way():
    target = pd.Series([1.0, 2.0, 2.0], name="y")
    for written in ("2", "2.0"):
        classes = positive_and_negative(written, target)
        assert classes == (2.0, 1.0)
        assert as_one_and_zero(target, classes, "y").tolist() == [0, 1, 1]


@pytest.mark.slow
def test_texts_among_numbers_and_labels_written_in_two_ways_are_named(run, tmp_path):
    path = tmp_path / "odd.csv"
    rows = [f"{k if k % 10 else 'x'},{('Rome', 'rome', 'Oslo')[k % 3]},{k % 2}" for k in range(60)]
    path.write_text("\n".join(["income,city,y", *rows]))
    asked = ("compare", "--data", path, "--n-splits", 3, "--target", "y", "--estimators")
    out = " ".join(run(*asked, "knn", "tree")[1].split())
    assert out.startswith(
        "Read: income: text, with cells such as 'x', '1' (see --missing, --decimal)."
    )
    assert "'city' has 'Rome', 'rome' as different labels" in out
    assert "different labels" not in run(*asked, "knn", "tree", "--drop", "city")[1]
    path.write_text(path.read_text().replace(",0\n", ",0.0\n"))
    question = "'y' has the numbers 0 and 1 only: --task classification?"
    asked = (*asked, "knn", "tree", "--test-size", 0.2)
    assert question in " ".join(run(*asked)[1].split())
    assert "numbers 0 and 1" not in run(*asked, "--task", "classification")[1]


VILLAGES = np.repeat(np.arange(24), np.arange(24) % 9 + 2)  # of 2 to 10 rows
ROWS = np.random.default_rng(0).permutation(VILLAGES.size)


@pytest.mark.parametrize(
    ("villages", "is_asked"),
    [
        (VILLAGES, True),
        (VILLAGES.max() - VILLAGES, True),
        (7 * VILLAGES % 24, True),
        (VILLAGES[ROWS], False),  # as any count
        (np.char.add("v", VILLAGES.astype(str)), True),
        (np.char.add("v", VILLAGES[ROWS].astype(str)), True),
        (np.where(VILLAGES < 20, "town", np.char.add("v", VILLAGES.astype(str))), False),
        (np.array(["a", "b", "c"])[VILLAGES % 3], False),  # a category
        (np.arange(VILLAGES.size), False),
    ],
)
def test_groups_of_unequal_sizes_are_asked_about(run, tmp_path, villages, is_asked):
    rng = np.random.default_rng(0)
    yields = rng.normal(size=VILLAGES.size).round(3)
    frame = pd.DataFrame({"rain": rng.normal(size=yields.size), "place": villages, "yield": yields})
    table = str(saved(frame, tmp_path / "villages.csv"))
    done = prepare(
        build_parser().parse_args(["compare", "--data", table, "--target", "yield"])
    ).done
    question = "'place' has 24 values, 2 to 10 rows each: --groups place?"
    assert (question in done) is is_asked
    frame["model a"] = yields + 1
    frame["model b"] = yields - 2
    table = saved(frame.drop(columns="rain"), tmp_path / "predicted.csv")
    if is_asked and villages.dtype.kind == "U":
        arguments = ("predictions", table, "--target", "yield", "--scoring", "r2")
        assert "pass --groups place if rows" in " ".join(run(*arguments)[1].split())


@pytest.mark.slow
def test_a_column_like_subjects_is_asked_about_and_the_task_is_chosen(run, tmp_path):
    path = tmp_path / "children.csv"  # four ages of each of 24 children
    rows = [
        f"{20 + (7 * child) % 5 + age / 2},{age},S{child:02d},{'MF'[child % 2]}"
        for child in range(24)
        for age in (8, 10, 12, 14)
    ]
    path.write_text("\n".join(["distance,age,Subject,Sex", *rows]))
    asked = ("compare", "--data", path, "--n-splits", 3, "--estimators")
    grown = (*asked, "linear", "tree", "--target", "distance")
    out = " ".join(run(*grown)[1].split())
    assert "'Subject' has 24 values, 4 rows each: --groups Subject?" in out
    assert "rows each" not in run(*grown, "--groups", "Subject")[1]
    asked = (*asked, "knn", "tree")
    assert "accuracy" in run(*asked, "--target", "age")[1]
    assert "in R2" in run(*asked, "--target", "age", "--task", "regression")[1]
    assert "in accuracy" in run(*asked, "--target", "Sex", "--task", "classification")[1]
    status, _, error = run(*asked, "--target", "Sex", "--task", "regression")
    assert status == 2
    assert "--task regression needs a target of numbers, which 'Sex' is not" in error


def test_a_report_names_its_data_and_calls_nothing(run, breast_cancer, tmp_path):
    report = tmp_path / "report.md"
    models = [f"{k}=sklearn.neighbors.KNeighborsClassifier(n_neighbors={k})" for k in range(1, 12)]
    options = ("--data", breast_cancer, "--target", "target", "--n-splits", 3, "--report", report)
    run("compare", *options, "--estimators", *models, "--method", "corrected_resampled_t")
    text = report.read_text(encoding="utf-8").replace("\\", "")
    said = r"- \*\*data\*\*: breast_cancer.csv, target 'target', 569 rows, \d{4}-\d\d-\d\d"
    assert re.search(said, text)
    assert "more" in text
    assert not re.search(r"\b(ranking|best_set|to_frame)\(", text)


def test_a_learning_curve_tells_its_notes(run, churn):
    out = run("curve", "--data", churn, *CHURN[:3], "tree", "--n-splits", "3")[1]
    told = " ".join(out.split())
    assert " Only 3 splits: the variance is poorly estimated" in told
    assert "X has dates in the column 'since'" in told
    assert "result.notes" not in told


def test_a_learning_curve(run, tmp_path):
    written = {flag: tmp_path / f"curve.{flag}" for flag in ("csv", "txt")}
    options = ("--data", "iris", "--estimators", "knn", "--train-sizes", "0.3", "1", "--json")
    files = ("--csv", written["csv"], "--report", written["txt"])
    told = json.loads(run("curve", *options, *files)[1])
    X, y = datasets.load_iris(return_X_y=True)
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    scores = [model.fit(X[a], y[a]).score(X[b], y[b]) for a, b in folds.split(X, y)]
    assert told["curve"][1]["score"] == pytest.approx(np.mean(scores))
    assert [row["n_train"] for row in told["curve"]] == [36, 120]
    read = pd.read_csv(written["csv"])
    curve = pd.DataFrame(told["curve"])
    assert read.pop("gain_note").isna().all()
    assert set(curve.pop("gain_note").dropna()) == {""}
    pd.testing.assert_frame_equal(read, curve.fillna(np.nan))
    report = written["txt"].read_text()
    assert report.startswith("Evaluation report: learning curve of knn in accuracy")
    assert "iris, target 'target', 150 rows" in report
    status, _, error = run("curve", *options[:-3], "0.5", "60")
    assert (status, "shares outside 0 to 1" in error) == (2, True)
    status, _, error = run("curve", *options[:-3], "1e30")
    assert (status, f"--train-sizes [{int(1e30)}] must be two" in error) == (2, True)


@pytest.mark.parametrize(
    ("ending", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("PDF", b"%PDF")]
)
def test_the_picture_of_an_answer(run, tmp_path, ending, begins):
    """It is that of result.plot(), of each command with an answer."""
    path = tmp_path / f"a.{ending}"
    status, out, error = run("report", with_known(tmp_path / "scores.json"), "--plot", path)
    assert (status, error) == (0, "")
    assert out.splitlines()[-1] == f"Wrote the picture to {path}."
    assert path.read_bytes().startswith(begins)
    assert {file.name for file in tmp_path.iterdir()} == {"scores.json", f"a.{ending}"}


@pytest.mark.slow
def test_pictures_of_other_commands(run, tmp_path):
    saved(pd.DataFrame({"y": [0, 1] * 9, "a": [0, 1] * 9, "b": [0, 1, 1] * 6}), tmp_path / "t.csv")
    predicted = (tmp_path / "t.csv", "--target", "y", "--scoring", "accuracy", "f1")
    gate = ("--champion", "a", "--challenger", "b", "--rule", "better")
    few = ("--data", "iris", "--n-splits", "2", "--estimators", "tree")
    for k, arguments in enumerate(
        [
            ("curve", *few, "--train-sizes", "0.3", "1"),
            ("predictions", *predicted),
            ("gate", "--predictions", *predicted[:-1], *gate),
            ("compare", *few, "knn", "--json"),
        ]
    ):
        path = tmp_path / f"{k}.svg"
        assert run(*arguments, "--plot", path)[0] != 2
        assert b"</svg>" in path.read_bytes()


@pytest.fixture(params=["as written", "as pandas gives it"])
def workbook(request, tmp_path, monkeypatch, customers):
    """An Excel file of two sheets, or a file for which pandas gives such sheets."""
    path = tmp_path / "book.xlsx"
    if request.param == "as written":
        pytest.importorskip("openpyxl", reason="writes Excel files")
        with pd.ExcelWriter(path) as writer:
            customers.to_excel(writer, sheet_name="rows", index=False)
            customers.to_excel(writer, sheet_name="other", index=False)
        return path
    path.write_bytes(b"PK\x03\x04")
    cells = customers.astype(object).where(customers.notna(), np.nan)

    class Book:
        sheet_names = ("rows", "other")

        def __init__(self, file):
            assert file.read() == path.read_bytes()

        def parse(self, sheet, header, dtype):
            assert (header, dtype) == (None, object)
            return pd.DataFrame([list(cells.columns), *cells.to_numpy()], dtype=object)

    monkeypatch.setattr(pd, "ExcelFile", Book)
    return path


def test_a_sheet_of_an_excel_file_is_read_as_a_file(run, workbook, churn):
    told = run("compare", "--data", workbook, *CHURN, "--sheet", "rows", "--json")
    assert told == run("compare", "--data", churn, *CHURN, "--json")
    for sheet in ((), ("--sheet", "none")):
        status, _, error = run("compare", "--data", workbook, *CHURN, *sheet)
        assert status == 2
        assert "has the sheets 'rows', 'other'; pass the name of one as --sheet." in error


@pytest.mark.slow
def test_an_answer_on_a_messy_file_fits_on_a_screen(run, tmp_path):
    """With what was read in two lines, and the columns in one."""
    messy, _ = write_customers(tmp_path)
    status, out, error = run("compare", "--data", messy, "--target", "churned")
    lines = out.splitlines()
    assert (status, error, len(lines) <= 24) == (0, "", True)
    assert lines[1].startswith("75 cells '?' in monthly_spend and 31 '-' in tenure_months")
    assert lines[2].startswith("accuracy: ")
    assert lines[-1] == "5 columns used: 3 numbers, 1 category, 1 date"
