"""predictions: fitted models on one test set, from a file; gate and report of their scores."""

import importlib
import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcvstats import (
    ComparisonResult,
    compare_out_of_fold,
    compare_predictions,
    compare_scores,
    predictions_inference,
)
from skcvstats.exceptions import PairingError
from skcvstats.stats import plan_n_rows
from tests.command_line.conftest import saved
from tests.stats.oracles import diebold_mariano


@pytest.fixture(scope="module")
def predicted():
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
    models = {"logistic": make_pipeline(StandardScaler(), LogisticRegression())}
    for name, depth in (("tree", None), ("stump", 1)):
        models[name] = DecisionTreeClassifier(max_depth=depth, random_state=0)
    predictions = {name: it.fit(X_train, y_train).predict(X_test) for name, it in models.items()}
    return pd.DataFrame({"y": y_test, **predictions, "patient": np.arange(len(y_test)) // 2})


@pytest.fixture
def file(predicted, tmp_path):
    path = tmp_path / "test.csv"
    predicted.to_csv(path, index=False)
    return path


@pytest.mark.parametrize("text", [False, True])
def test_the_verdict_is_that_of_compare_predictions(run, file, predicted, text):
    names = ["logistic", "tree"]
    if text:
        texts = predicted.drop(columns="patient").replace({1: "benign", 0: "malignant"})
        texts.join(predicted["patient"]).to_csv(file, index=False)
    options = ("--target", "y", "--models", *names, "--scoring", "accuracy", "--groups", "patient")
    status, out, _ = run("predictions", file, *options, "--margin", "0.02", "--json")
    assert status == 0
    (told,) = json.loads(out)["comparisons"]
    settings = {"scoring": "accuracy", "groups": predicted["patient"], "margin": 0.02}
    wanted = compare_predictions(predicted["y"], predicted[names], **settings)
    assert told["pvalue"] == pytest.approx(wanted[0].test.pvalue, rel=1e-12)
    assert told["outcome"] == wanted[0].outcome
    options = ("--target", "y", "--scoring", "accuracy", "--drop", "patient", "--json")
    told = json.loads(run("predictions", file, *options)[1])["comparisons"]
    pairs = {frozenset((row["estimator"], row["versus"])) for row in told}
    assert pairs == {frozenset(pair) for pair in combinations(["logistic", "tree", "stump"], 2)}


@pytest.mark.parametrize("positive", ["benign", "malignant"])
def test_the_label_that_counts_as_positive(run, file, predicted, positive):
    names = ["logistic", "tree"]
    labels = predicted[["y", *names]].replace({1: "benign", 0: "malignant"})
    labels.assign(surely=positive).to_csv(file, index=False)
    options = ("--target", "y", "--models", *names, "--scoring", "f1", "--json")
    status, out, _ = run("predictions", file, *options, "--positive", positive)
    assert status == 0
    told = json.loads(out)
    wanted = [f1_score(labels["y"], labels[name], pos_label=positive) for name in names]
    (comparison,) = told["comparisons"]
    assert [comparison["score"], comparison["score_versus"]] == pytest.approx(wanted)
    assert told["data"][0].startswith(f"labels as numbers, '{positive}' as 1")
    asked = ("--champion", "tree", "--challenger", "logistic", "--rule", "better")
    gate = ("gate", "--predictions", file, *options[:2], *options[5:])
    _, out, _ = run(*gate, *asked, "--positive", positive)
    assert json.loads(out)["score_challenger"] == pytest.approx(wanted[0])


def test_truth_values_are_labels(run, file, predicted):
    labels = predicted[["y", "logistic", "tree"]].astype(bool)
    labels.to_csv(file, index=False)
    options = ("--target", "y", "--scoring", "accuracy", "--positive", "False", "--json")
    status, out, _ = run("predictions", file, *options)
    assert status == 0
    told = json.loads(out)
    assert told["data"][0].startswith("labels as numbers, False as 1, True as 0")
    wanted = [np.mean(labels["y"] == labels[name]) for name in ("logistic", "tree")]
    (comparison,) = told["comparisons"]
    found = [comparison["score"], comparison["score_versus"]]
    assert sorted(found) == pytest.approx(sorted(wanted))


def test_several_metrics_and_a_threshold(run, file, predicted):
    y, rng = predicted["y"], np.random.default_rng(0)
    p = {name: 0.3 * y + 0.7 * rng.random(len(y)) for name in "ab"}
    pd.DataFrame({"y": np.where(y == 1, "yes", "no"), **p}).to_csv(file, index=False)
    metrics = ["neg_log_loss", "accuracy", "roc_auc"]
    options = ("--target", "y", "--positive", "yes", "--scoring", *metrics, "--threshold", "0.3")
    told = json.loads(run("predictions", file, *options, "--json")[1])["comparisons"]
    cut = {name: (values >= 0.3).astype(int) for name, values in p.items()}
    for row, metric in zip(told, metrics, strict=True):
        given = cut if metric == "accuracy" else p
        wanted = compare_predictions(y, given, scoring=metric)[0]
        assert row["metric"] == metric
        assert row["pvalue"] == pytest.approx(wanted.test.pvalue, rel=1e-9)
        assert row["score"] == pytest.approx(wanted.score)
    _, out, _ = run("predictions", file, *options)
    said = "(paired t-test for log loss and accuracy, DeLong test for ROC AUC), about"
    assert said in " ".join(out.split())
    assert run("predictions", file, *options[:6])[0] == 0
    status, _, error = run("predictions", file, *options[:7])
    assert status == 2
    assert "--threshold 0.5" in error


@pytest.mark.parametrize(
    ("read_as", "scale", "shift"), [("logits", 8, -4), ("percent", 100, 0), ("log odds", 1, -0.2)]
)
def test_a_threshold_of_probabilities_for_other_values(run, file, predicted, read_as, scale, shift):
    rng = np.random.default_rng(0)
    values = {name: scale * rng.random(len(predicted)) + shift for name in "ab"}
    pd.DataFrame({"y": predicted["y"], **values}).to_csv(file, index=False)
    options = (file, "--target", "y", "--scoring", "accuracy", "--threshold")
    status, out, error = run("predictions", *options, "0.5")
    assert (status, out) == (2, "")
    assert "--threshold 0.5 is one of probabilities, and the predictions of 'a' reach" in error
    assert "are they logits, or percentages?" in error
    assert run("predictions", *options, "0")[0] == 0


@pytest.mark.parametrize("suffix", ["gz", "bz2", "xz"])
def test_a_compressed_file_is_unpacked_up_to_a_limit(run, file, tmp_path, suffix):
    module = importlib.import_module({"gz": "gzip", "bz2": "bz2", "xz": "lzma"}[suffix])
    content = file.read_bytes()
    path = tmp_path / f"test.csv.{suffix}"
    path.write_bytes(module.compress(content))
    options = ("--target", "y", "--scoring", "accuracy")
    wanted = run("predictions", file, *options)
    assert run("predictions", path, *options) == wanted
    for command, more in (("predictions", [path, *options]), ("compare", ["--data", path])):
        n_bytes = len(content) - 1
        command = (command, *more, "--most-unpacked", n_bytes / 1e9)
        status, out, error = run(*command)
        assert (status, out) == (2, "")
        assert "GB once it is unpacked. Pass --most-unpacked with a larger number" in error
    path.write_bytes(module.compress(bytes(10**7)))  # a few kB
    options = (*options, "--most-unpacked", 0.001)
    assert "has more than 0.001 GB once it is unpacked" in run("predictions", path, *options)[2]


def test_a_loop_of_links_cannot_be_read(run, tmp_path):
    loop, other = tmp_path / "loop.csv", tmp_path / "other.csv"
    loop.symlink_to(other)
    other.symlink_to(loop)
    rule = ("--champion", "a", "--challenger", "b", "--rule", "better")
    for command in (
        ("predictions", loop, "--target", "y", "--scoring", "accuracy"),
        ("compare", "--data", loop, "--target", "y"),
        ("report", loop),
        ("gate", "--scores", loop, *rule),
        ("store", loop),
        ("compare", "--data", "iris", "--csv", loop),
    ):
        status, out, error = run(*command)
        assert (status, out) == (2, "")
        assert "symbolic links" in error
        assert "There is no file" not in error


HEADERS = {
    "same": lambda names: names,
    "in another order": lambda names: names[::-1],
    "in capitals": lambda names: [name.upper() for name in names],
    "quoted": lambda names: [f'" {name}"' for name in names],
}


@pytest.mark.parametrize("kind", HEADERS)
@pytest.mark.parametrize("labels", ["0 and 1", "texts", "chances"])
def test_a_second_header_is_no_row(run, tmp_path, kind, labels):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.integers(0, 2, (80, 3)), columns=["y", "old", "new"])
    metric = "accuracy"
    if labels == "texts":
        table = table.replace({0: "old", 1: "new"})  # which are names of columns, too
    elif labels == "chances":
        metric = "roc_auc"
        table[["old", "new"]] = rng.random((80, 2))
    path = tmp_path / "joined.csv"
    text = table.to_csv(index=False)
    path.write_text(text)
    options = ("--target", "y", "--scoring", metric)
    rule = ("--champion", "old", "--challenger", "new", "--rule", "better")
    assert run("predictions", path, *options)[0] == 0
    lines = text.splitlines()
    lines.insert(50, ",".join(HEADERS[kind](list(table.columns))))
    path.write_text("\n".join(lines))
    why = "has a second header in line 51; remove it"
    for command in [("predictions", path), ("gate", "--predictions", path, *rule)]:
        status, out, error = run(*command, *options)
        assert (status, out) == (2, "")
        assert why in error
    status, out, error = run("compare", "--data", path, "--target", "y")
    assert (status, out, why in error) == (2, "", True)


@pytest.mark.parametrize("positive", ["yes", "no"])
def test_a_gate_with_a_threshold(run, file, predicted, positive):
    y = predicted["y"]
    table = pd.DataFrame({"y": np.where(y == 1, "yes", "no")})
    table["old"] = np.random.default_rng(0).random(len(y))
    table["new"] = 0.3 + 0.5 * (table["y"] == positive)
    table.to_csv(file, index=False)
    asked = ("--champion", "old", "--challenger", "new", "--rule", "better", "--json")
    options = ("--target", "y", "--scoring", "f1", "--positive", positive, "--threshold", "0.5")
    status, out, _ = run("gate", "--predictions", file, *options, *asked)
    assert (status, json.loads(out)["score_challenger"]) == (0, 1.0)
    status, _, error = run("gate", "--data", file, *options, *asked)
    assert (status, "not accept --threshold" in error) == (2, True)


@pytest.mark.parametrize("labels", [("bad", "good"), (1, 2)])
def test_numbers_of_one_of_two_labels_need_the_positive_one(run, tmp_path, labels):
    """Numbers of the first label: taken for those of the second, the better one seems worse."""
    rng = np.random.default_rng(0)
    is_first = rng.random(100) < 0.4
    table = pd.DataFrame({"y": np.where(is_first, *labels)})
    table["old"] = (0.1 * is_first + 0.9 * rng.random(100)).round(3)
    table["new"] = (0.5 * is_first + 0.5 * rng.random(100)).round(3)
    path = tmp_path / "of_first.csv"
    table.to_csv(path, index=False)
    asked = ("--champion", "old", "--challenger", "new", "--rule", "better")
    for metric, *more in [["roc_auc"], ["neg_log_loss"], ["accuracy", "--threshold", "0.5"]]:
        options = ("--target", "y", "--scoring", metric, *more)
        for command in [("predictions", path), ("gate", "--predictions", path, *asked)]:
            status, _, error = run(*command, *options)
            assert status == 2
            assert f"y has the labels {labels[0]!r}, {labels[1]!r}. Pass --positive with" in error
        assert run(*command, *options, "--positive", labels[0])[0] in (0, 3)
        assert run(*command, *options, "--positive", labels[1])[0] == 1
    status, out, _ = run("predictions", path, "--target", "y", "--scoring", "roc_auc", "--json",
                         "--positive", labels[0])  # fmt: skip
    (told,) = json.loads(out)["comparisons"]
    found = {told["estimator"]: told["score"], told["versus"]: told["score_versus"]}
    assert found == pytest.approx({n: roc_auc_score(is_first, table[n]) for n in ("old", "new")})


def test_probabilities_stay_as_they_are(run, file, predicted):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"y": np.where(predicted["y"] == 1, "yes", "no")})
    table["a"], table["b"] = rng.random((2, len(table)))
    table.to_csv(file, index=False)
    options = ("--target", "y", "--scoring", "roc_auc", "--positive", "no", "--json")
    (told,) = json.loads(run("predictions", file, *options)[1])["comparisons"]
    wanted = {name: roc_auc_score(table["y"] == "no", table[name]) for name in "ab"}
    found = {told["estimator"]: told["score"], told["versus"]: told["score_versus"]}
    assert found == pytest.approx(wanted)


def test_a_plan_of_rows(run, tmp_path):
    """Each comparison says how many rows a difference needs, at the level of the family."""
    y, *models = np.random.default_rng(0).integers(0, 2, size=(4, 200))
    path = tmp_path / "planned.csv"
    pd.DataFrame({"y": y, **dict(zip("abc", models, strict=True))}).to_csv(path, index=False)
    options = (path, "--target", "y", "--scoring", "accuracy", "--plan", 0.05)
    status, out, _ = run("predictions", *options)
    assert status == 0
    result = compare_predictions(y, dict(zip("abc", models, strict=True)), scoring="accuracy")
    made = [plan_n_rows(test, difference=0.05, n_comparisons=3) for test in result.tests]
    assert out.endswith("\n".join(["", *map(str, made), ""]))
    assert max(map(len, out.splitlines())) <= 88
    status, out, _ = run("predictions", *options, "--json")
    assert json.loads(out)["plan"] == [plan.text for plan in made]


IDENTIFIERS = {
    "numbers": np.arange(1001, 1201),
    "texts": [f"P{k:04d}" for k in range(200)],
    "dates": pd.date_range("2020-01-01", periods=200).astype(str),
    "subjects": np.repeat(np.arange(20), 10),
    "named subjects": [f"s{k}" for k in np.repeat(np.arange(20), 10)],
    "unequal subjects": np.minimum(np.arange(200) // 7, 25),
    "languages": ["de", "en"] * 100,
}


@pytest.mark.parametrize("name", IDENTIFIERS)
def test_identifiers_are_no_models(run, name, tmp_path):
    generator, path = np.random.default_rng(0), tmp_path / "test.csv"
    y = generator.integers(0, 2, 200)
    scores = {k: y + generator.normal(size=200) for k in ("logit", "forest")}
    table = pd.DataFrame({"patient": IDENTIFIERS[name], "y": y, **scores})
    table.to_csv(path, index=False)
    call = ["predictions", path, "--target", "y", "--scoring", "roc_auc"]
    out = run(*call)[1]
    said = "Data: left out as they contain no predictions: 'patient' (--models names the models)"
    assert said in " ".join(out.split())
    repeats, dated = "subjects" in name, name == "dates"
    assert out.count("patient") == 1 + 3 * repeats + 2 * dated
    assert ("pass --time patient if rows near" in " ".join(out.split())) == dated
    assert (" values in 200 rows; pass --groups patient" in " ".join(out.split())) == repeats
    if name == "numbers":  # named, they are taken
        status, out, _ = run(*call, "--models", "patient", "logit")
        assert (status, "patient" in out) == (0, True)
        table.drop(columns="forest").to_csv(path, index=False)
        err = run(*call)[2]
        assert "has 1 model, not two; left out as they contain no predictions: 'patient'" in err


def test_slices_of_one_model_of_folds_and_of_losses(run, tmp_path):
    """--by as by= of the doors; one model needs it, and takes no option of comparisons."""
    rng = np.random.default_rng(0)
    path = tmp_path / "test.csv"
    table = pd.DataFrame(rng.integers(0, 2, (60, 3)), columns=["y", "a", "b"])
    table.assign(region=np.arange(60) % 2, fold=np.arange(60) // 2 % 5).to_csv(path, index=False)
    call = ("predictions", path, "--target", "y", "--scoring", "accuracy", "--by", "region")
    options = {"scoring": "accuracy", "by": np.arange(60) % 2}
    status, out, _ = run(*call, "--models", "a", "--json")
    wanted = predictions_inference(table["y"], {"a": table["a"]}, **options).by_slice()
    assert status == 0
    told = json.loads(out)
    assert [row["difference_low"] for row in told["slices"]] == wanted["difference_low"].tolist()
    assert told["scores"][0]["score"] == pytest.approx((table["y"] == table["a"]).mean())
    out = run(*call, "--models", "a", "--csv", tmp_path / "out.csv")[1]
    assert "The farthest from the rest in accuracy is" in out
    for other in ("--margin=0.1", "--plan=0.1", "--report=r.md", "--missing-rows=drop"):
        assert "has 1 model, not two" in run(*call, "--models", "a", other)[2]
    told = json.loads(run(*call, "--models", "a", "b", "--folds", "fold", "--json")[1])
    folds = np.arange(60) // 2 % 5
    wanted = compare_out_of_fold(table["y"], table[["a", "b"]], folds=folds, **options).by_slice()
    assert [row["pvalue"] for row in told["slices"]] == wanted["pvalue"].tolist()
    assert told["slices_differ"][0]["n_slices"] == 2
    losses = ("predictions", path, "--values", "--models", "a", "b", "--lower-is-better")
    out = run(*losses, "--by", "region")[1]
    assert "depend significantly on the slice (p" in " ".join(out.split())


@pytest.mark.parametrize("name", ["fold", "Fold", "split", "cv", "iteration"])
def test_scores_of_numbered_folds_are_no_scores_of_test_rows(run, tmp_path, name):
    path = tmp_path / "folds.csv"
    ten = {name: np.arange(1, 11), "a": np.linspace(0.7, 0.8, 10), "b": np.linspace(0.6, 0.9, 10)}
    pd.DataFrame(ten).to_csv(path, index=False)
    options = ("predictions", path, "--values", "--scoring", "accuracy")
    status, _, told = run(*options)
    assert status == 2
    assert f"{name!r} seems to number folds or repeats" in told
    assert "compare_scores(..., design=SplitDesign.from_sizes(...))" in told
    assert f"--drop {name}" in told
    assert run(*options, "--drop", name)[0] == 0


def test_predictions_are_no_identifiers(run, tmp_path):
    path = tmp_path / "test.csv"
    counts = np.random.default_rng(0).poisson(9, size=(60, 2))
    table = pd.DataFrame(counts, columns=["a", "b"]).assign(y=counts[:, 0] + 1)
    labels = pd.DataFrame({"y": np.repeat(list("abc"), 4), "a": list("abc") * 4, "b": ["a"] * 12})
    for frame, metric in ((table, "neg_mean_squared_error"), (labels, "accuracy")):
        frame.to_csv(path, index=False)
        status, out, _ = run("predictions", path, "--target", "y", "--scoring", metric)
        assert status == 0
        assert "left out" not in out


def test_rows_in_time_order(run, tmp_path):
    rng, path = np.random.default_rng(51), tmp_path / "forecasts.csv"
    y, days = np.cumsum(rng.normal(size=70)), pd.date_range("2024-01-01", periods=70)
    table = pd.DataFrame({"y": y, "a": y + rng.normal(size=70), "b": y + rng.normal(size=70)})
    table.assign(day=days.strftime("%Y-%m-%d")).sample(frac=1, random_state=0).to_csv(path)
    error = "neg_mean_squared_error"
    options = ("--target", "y", "--models", "a", "b", "--scoring", error, "--time")
    (told,) = json.loads(run("predictions", path, *options, "day", "--json")[1])["comparisons"]
    sign = 1 if told["estimator"] == "a" else -1
    squares = np.square(table[["a", "b"]].sub(table["y"], axis=0))
    mean, standard_error, df = diebold_mariano(sign * (squares["b"] - squares["a"]))
    assert told["difference"] == pytest.approx(mean)
    assert told["pvalue"] == pytest.approx(2 * stats.t.sf(abs(mean) / standard_error, df))
    sides = ("--champion", "a", "--challenger", "b", "--rule", "better")
    of_gate = (*options[:2], *options[5:], "day", *sides, "--json")
    assert json.loads(run("gate", "--predictions", path, *of_gate)[1])["pvalue"] == told["pvalue"]
    table.assign(day=days.strftime("%d.%m.%Y")).to_csv(path)
    (german,) = json.loads(run("predictions", path, *options, "day", "--json")[1])["comparisons"]
    assert german["pvalue"] == told["pvalue"]
    table.assign(day=days.strftime("day %j")).to_csv(path)
    status, _, said = run("predictions", path, *options, "day")
    assert (status, said.partition("; ")[0]) == (2, "skcvstats: --time day contains 'day 001'")


MARGIN = ("--margin", "0.06")


def in_pairs(seed=0, n=400):
    """Labels of models that are right with known probabilities, in groups of two rows."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    shares = {"good": 0.95, "alike": 0.95, "fair": 0.9, "poor": 0.7}
    models = {name: np.where(rng.random(n) < share, y, 1 - y) for name, share in shares.items()}
    models["alike"] = np.where(rng.random(n) < 0.8, models["good"], models["alike"])
    return pd.DataFrame({"y": y, **models, "group": np.arange(n) // 2})


OTHERS = [pytest.param(metric, marks=pytest.mark.slow) for metric in ("f1", "roc_auc")]


@pytest.fixture(scope="module", params=["accuracy", *OTHERS])
def saved_files(request, run, tmp_path_factory):
    """A file of predictions, and the scores that were saved of it."""
    folder = tmp_path_factory.mktemp("predictions")
    path, scores = saved(in_pairs(), folder / "test.csv"), folder / "scores.json"
    options = ["--target", "y", "--scoring", request.param, "--groups", "group"]
    assert run("predictions", path, *options, "--save-scores", scores)[0] == 0
    return ("--predictions", path, *options), ("--scores", scores)


@pytest.mark.parametrize("rule", [["better"], ["not-worse", *MARGIN], ["equivalent", *MARGIN]])
def test_scores_and_predictions_have_the_same_numbers(run, saved_files, rule):
    names = ("--champion", "fair", "--challenger", "good", "--rule", *rule, "--json")
    first, second = (json.loads(run("gate", *source, *names)[1]) for source in saved_files)
    assert first.pop("pvalue") == pytest.approx(second.pop("pvalue"), rel=1e-12)
    assert first.pop("interval") == pytest.approx(second.pop("interval"), rel=1e-12)
    for told in (first, second):
        del told["why"], told["notes"]
    assert first == second


def test_report_tells_them_again(run, saved_files):
    (_, path, *options), (_, scores) = saved_files
    assert run("report", scores) == run("predictions", path, *options)


def test_scores_of_models_apart_are_joined():
    """compare_scores of single models of a test set, as the gate joins them."""
    data = in_pairs()
    models = {name: data[name] for name in ("good", "fair")}
    wanted = compare_predictions(data["y"], models, scoring="accuracy", groups=data["group"])
    method = wanted.tests_by_metric["accuracy"].procedure
    found = compare_scores({name: wanted.scores[name] for name in models}, method=method)
    assert found[0].test.pvalue == pytest.approx(wanted[0].test.pvalue, rel=1e-12)
    assert ComparisonResult.from_json(found.to_json())[0].test.pvalue == found[0].test.pvalue
    rows = compare_predictions(data["y"], models, scoring="accuracy")
    parts = {"good": rows.scores["good"], "fair": wanted.scores["fair"]}
    with pytest.raises(PairingError, match="measured on different test sets"):
        compare_scores(parts, method=method)
