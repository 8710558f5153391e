"""predictions: wide and long files, scores, and out-of-fold predictions, from a file."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skcvstats import compare_losses, compare_out_of_fold, compare_predictions
from tests.command_line.conftest import saved

N = 60
DRAWN = np.random.default_rng(0)
Y = DRAWN.integers(0, 2, N)
WORDS = np.array(["no", "yes"])
SITE = np.arange(N) // 2 + 100


def guesses(share):
    return WORDS[np.where(DRAWN.random(N) < share, Y, 1 - Y)]


WIDE = pd.DataFrame({"y": WORDS[Y], "a": guesses(0.9), "b": guesses(0.7), "site": SITE})
REPEATS = [
    WIDE.assign(a=guesses(0.9), b=guesses(0.7), fold=DRAWN.permutation(N) % 5, repeat=k)
    for k in (1, 2, 3)
]
LABELS = ("--target", "y", "--scoring", "accuracy")


def comparison(out):
    (found,) = json.loads(out)["comparisons"]
    return found


def check(run, file, options, wanted):
    """Check that the answer on a file is the wanted one, to the last digit."""
    status, out, error = run("predictions", file, *options, "--json")
    assert status == 0, error
    found = comparison(out)
    for name, value in wanted.to_frame(full=True).iloc[0].items():
        if name not in ("note", "adjusted_over"):
            assert found[name] == value, name


class TestFolds:
    """The answer is that of compare_out_of_fold."""

    @pytest.mark.parametrize("reordered", [False, True])
    def test_repeats(self, run, tmp_path, reordered):
        tables = [one.reset_index(names="row") for one in REPEATS]
        options = [*LABELS, "--drop", "row", "--folds", "fold", "--repeats", "repeat"]
        if reordered:  # the rows of later repeats stand in another order
            tables[1:] = [one.sample(frac=1, random_state=0) for one in tables[1:]]
            options[4:6] = ["--row-column", "row"]
        file = saved(pd.concat(tables), tmp_path / "folds.csv")
        made = {name: np.stack([one[name] for one in REPEATS]) for name in ("a", "b")}
        folds = np.stack([one["fold"] for one in REPEATS])
        wanted = compare_out_of_fold(WORDS[Y], made, folds=folds, scoring="accuracy")
        check(run, file, options, wanted)

    @pytest.mark.parametrize("is_long", [False, True])
    def test_one_repeat(self, run, tmp_path, is_long):
        table = REPEATS[0].drop(columns="repeat").reset_index(names="row")
        options = (*LABELS, "--folds", "fold")
        if is_long:
            ids = ["y", "site", "row", "fold"]
            table = table.melt(ids, var_name="model", value_name="label")
            options += ("--model-column", "model", "--row-column", "row")
            options += ("--prediction-column", "label")
        file = saved(table, tmp_path / "folds.csv")
        made = REPEATS[0][["a", "b"]]
        wanted = compare_out_of_fold(
            WORDS[Y], made, folds=REPEATS[0]["fold"].to_numpy(), scoring="accuracy"
        )
        check(run, file, options, wanted)
        _, out, _ = run("predictions", file, *options)
        assert "Paired test on rows of 5-fold cross-validation (row t-test, " in out
        told = " ".join(out.split())
        assert "as compare_out_of_fold does" in told
        assert "[one repeat]" in told

    def test_probabilities_and_groups(self, run, tmp_path):
        folds = (SITE - 100) % 5
        table = pd.DataFrame({"y": WORDS[Y], "site": SITE, "cv": folds})
        table["a"], table["b"] = DRAWN.random((2, N))
        options = ("--target", "y", "--scoring", "roc_auc", "--positive", "yes", "--folds", "cv")
        made = {name: table[name].to_numpy() for name in ("a", "b")}
        wanted = compare_out_of_fold(Y, made, folds=folds, groups=SITE, scoring="roc_auc")
        check(run, saved(table, tmp_path / "x.csv"), (*options, "--groups", "site"), wanted)

    def test_repeats_that_do_not_match(self, run, tmp_path):
        tables = [REPEATS[0], REPEATS[1].iloc[::-1]]
        file = saved(pd.concat(tables), tmp_path / "folds.csv")
        options = (*LABELS, "--folds", "fold", "--repeats", "repeat")
        status, _, error = run("predictions", file, *options)
        assert (status, "--row-column" in error) == (2, True)


@pytest.mark.parametrize(
    ("name", "column", "remedy"),
    [
        ("fold", np.arange(N) % 5, "--folds fold (and --repeats COLUMN"),
        ("Split_id", np.arange(N) % 3 + 1.0, "--folds Split_id"),
        ("cv", np.arange(N) % 2, "--folds cv"),
        ("repeat", np.arange(N) % 4, "--folds COLUMN --repeats repeat"),
        ("sample", np.arange(N) % 4, "--repeats sample"),
        ("seed", np.arange(N) % 4, "--repeats seed"),
        ("split", np.resize(["train", "test"], N), "pass the test rows only"),
    ],
)
@pytest.mark.parametrize("target", ["labels", pytest.param("numbers", marks=pytest.mark.slow)])
def test_what_is_no_model_is_refused(run, tmp_path, name, column, remedy, target):
    table = WIDE.assign(**{name: column})
    if target == "numbers":
        table = table.replace({"no": 0, "yes": 1}).infer_objects()
    file = saved(table, tmp_path / "x.csv")
    status, out, error = run("predictions", file, *LABELS)
    assert (status, out) == (2, "")
    assert repr(name) in error
    assert remedy in error
    if name in ("fold", "split"):
        assert run("predictions", file, *LABELS, "--models", "a", "b")[0] == 0
        assert run("predictions", file, *LABELS, "--drop", name)[0] == 0


def test_a_gate_refuses_folds_beside_the_predictions(run, tmp_path):
    file = saved(WIDE.assign(fold=np.arange(N) % 5), tmp_path / "x.csv")
    options = ("--predictions", file, *LABELS, "--champion", "b", "--challenger", "a")
    options += ("--rule", "better")
    status, _, error = run("gate", *options)
    assert (status, "--folds fold" in error, "--drop fold" in error) == (2, True, True)
    assert run("gate", *options, "--drop", "fold")[0] != 2
    status, _, error = run("gate", *options, "--folds", "fold")
    assert status != 2
    assert "shortens most intervals [one repeat]" in error


def test_one_model_is_asked_for_the_columns_of_a_long_file(run, tmp_path):
    file = saved(LONG.drop(columns="m"), tmp_path / "long.csv")
    status, _, error = run("predictions", file, *LABELS)
    assert (status, "pass --model-column" in error) == (2, True)


def test_folds_in_other_kinds_of_files_are_refused(run, tmp_path):
    table = SETS.drop(columns="data set").assign(fold=np.arange(12) % 6)
    options = ("--values", "--scoring", "accuracy")
    file = saved(table, tmp_path / "scores.csv")
    status, _, error = run("predictions", file, *options)
    assert (status, "compare_scores" in error, "--drop fold" in error) == (2, True, True)
    assert run("predictions", file, *options, "--drop", "fold")[0] == 0
    file = saved(LONG.assign(fold=np.resize(np.arange(5), 2 * N)), tmp_path / "long.csv")
    options = (*OF_LONG, "--prediction-column", "value", *LABELS)
    status, _, error = run("predictions", file, *options)
    assert (status, "pass --folds fold; else pass --drop fold" in error) == (2, True)
    assert run("predictions", file, *options, "--drop", "fold")[0] == 0


LONG = WIDE.assign(row=DRAWN.permutation(N)).melt(["y", "site", "row"], var_name="m")
OF_LONG = ("--model-column", "m", "--row-column", "row")


@pytest.mark.parametrize("metric", [pytest.param("accuracy", marks=pytest.mark.slow), "f1"])
def test_long_predictions(run, tmp_path, metric):
    lines = LONG.sort_values("row", kind="stable", key=lambda rows: rows.map(list(rows[:N]).index))
    options = (*OF_LONG, "--prediction-column", "value", "--target", "y", "--scoring", metric)
    options += ("--positive", "yes", "--groups", "site", "--margin", "0.1")
    made = {name: (WIDE[name] == "yes").astype(int).to_numpy() for name in ("a", "b")}
    wanted = compare_predictions(Y, made, scoring=metric, groups=SITE, margin=0.1)
    for k, table in enumerate((LONG, lines)):
        check(run, saved(table, tmp_path / f"{k}.csv"), options, wanted)
    asked = ("--champion", "b", "--challenger", "a", "--rule", "better")
    gate = ("gate", "--predictions", tmp_path / "0.csv", *options[:-2], *asked, "--json")
    assert json.loads(run(*gate)[1])["difference"] == wanted[0].test.estimate


EVALS = pd.DataFrame(
    [
        (f"q{k}", model, sample, DRAWN.random() < share)
        for k in range(40)
        for model, share in (("x", 0.8), ("z", 0.5))
        for sample in (0, 1)
    ],
    columns=["question", "model", "sample", "correct"],
)
OF_EVALS = ("--model-column", "model", "--row-column", "question")


@pytest.mark.parametrize(
    ("column", "direction"),
    [("correct", None), ("squared_error", None), ("grade", "greater"), ("price", "lower")],
)
def test_long_scores_of_several_runs(run, tmp_path, column, direction):
    table = EVALS.rename(columns={"correct": column}).astype({column: float})
    file = saved(table, tmp_path / "evals.csv")
    wide = {
        model: [part.loc[part["sample"] == k, column].to_numpy() for k in (0, 1)]
        for model, part in table.groupby("model")
    }
    options = (*OF_EVALS, "--score-column", column, "--run-column", "sample")
    is_greater = direction == "greater" or column == "correct"
    wanted = compare_losses(wide, metric=column, greater_is_better=is_greater)
    if direction:
        status, _, error = run("predictions", file, *options)
        assert status == 2
        assert f"Is a greater {column} better? Pass one of --greater-is-better" in error
        options += (f"--{direction}-is-better",)
    check(run, file, options, wanted)


def test_gaps_of_long_files(run, tmp_path):
    file = saved(EVALS[EVALS["sample"] == 0].drop(index=8), tmp_path / "gap.csv")
    options = (*OF_EVALS, "--score-column", "correct")
    status, _, error = run("predictions", file, *options)
    assert status == 2
    assert "'x' is missing in 1 of 40 rows" in error
    assert "--missing-rows drop" in error
    _, out, _ = run("predictions", file, *options, "--missing-rows", "drop")
    assert "39 of 40 rows are compared" in " ".join(out.split())


SETS = pd.DataFrame({"data set": [f"d{k}" for k in range(12)]})
SETS["rf"], SETS["svm"] = (DRAWN.random((2, 12)) * 0.3 + 0.6).round(3)


def test_scores_on_data_sets(run, tmp_path):
    file = saved(SETS, tmp_path / "sets.csv")
    options = ("--values", "--scoring", "accuracy", "--unit", "data sets")
    table = {name: SETS[name].to_numpy() for name in ("rf", "svm")}
    settings = {"metric": "accuracy", "greater_is_better": True, "unit": "data sets"}
    check(run, file, options, compare_losses(table, **settings))
    status, out, _ = run("predictions", file, *options)
    assert status == 0
    assert "on 12 data sets" in out
    assert "fitted" not in out
    p = stats.wilcoxon(table["rf"], table["svm"]).pvalue
    assert f"(p = {p:.3g})" in " ".join(out.split("signed-rank")[1].split())
    assert "no scores: 'data set'" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("", "needs --target and --scoring; one of scores, --values or --score-column"),
        ("--target y", "needs --target and --scoring"),
        ("--values --models site site2 --scoring neg_log_loss", "pass --lower-is-better, else"),
        ("--model-column y --row-column site --score-column site2", "runs apart, --run-column,"),
        ("--values --target y", "--values is for a file with a column of scores for each model"),
        ("--values --greater-is-better --lower-is-better", "--lower-is-better?"),
        ("--target y --scoring accuracy --unit tasks", "--unit is for scores; see --values"),
        ("--target y --scoring accuracy --greater-is-better", "--greater-is-better is for scores"),
        ("--target y --scoring accuracy --repeats site", "--repeats needs --folds"),
        ("--target y --scoring accuracy --folds site --time site", "--folds takes no --threshold"),
        ("--target y --scoring accuracy --folds fold", "'fold': not among the columns"),
        ("--model-column a", "a long file needs --model-column, --row-column, and --score-column"),
        ("--score-column a", "a long file needs --model-column"),
        ("--model-column a --row-column b --score-column b", "must be four columns"),
        ("--model-column a --row-column c --score-column b", "'c': not among the columns"),
        ("--model-column a --row-column site --score-column y --scoring r2", "nor --scoring"),
    ],
)
def test_options_that_do_not_go_together(run, tmp_path, options, message):
    file = saved(WIDE.assign(site2=SITE + 1), tmp_path / "x.csv")
    status, out, error = run("predictions", file, *options.split())
    assert (status, out) == (2, "")
    assert message in error
    assert error.count("\n") == 1
