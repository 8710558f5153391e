"""The gate: its exit status on real data, from data and from saved scores."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skcvstats import (
    ComparisonResult,
    ConservativeZTest,
    CVScores,
    DegenerateScoresWarning,
    RepeatedSubsampleSplit,
    SplitDesign,
    SplitDesignWarning,
    compare_estimators,
    compare_losses,
    compare_scores,
)
from skcvstats.command_line import main
from skcvstats.command_line._commands import RULES, decide
from skcvstats.scores import Note
from skcvstats.stats import KINDS
from tests.cheap import NearestMean

HOLDS, CONTRARY, ERROR, NEITHER = 0, 1, 2, 3
MORE = "worse than logistic in accuracy by more than 0."
OPEN = "UNDECIDED: equivalence of tree and logistic in accuracy within"
# On the breast cancer data with the default splits; logistic - tree is 0.020 to 0.087 (95 %).
DECISIONS = [
    ("tree", "logistic", "better", HOLDS, "PASS: logistic scores significantly higher than tree"),
    ("logistic", "tree", "better", CONTRARY, "FAIL: tree scores significantly lower than logistic"),
    ("logistic", "knn", "better", NEITHER, "UNDECIDED"),
    ("tree", "logistic", "not-worse --margin 0.01", HOLDS, "PASS"),
    ("logistic", "tree", "not-worse --margin 0.01", CONTRARY, f"FAIL: tree is {MORE}01 ("),
    ("logistic", "tree", "not-worse --margin 0.05", NEITHER, f"UNDECIDED: tree could be {MORE}05"),
    ("logistic", "knn", "equivalent --margin 0.05", HOLDS, "PASS"),
    ("tree", "logistic", "equivalent --margin 0.01", CONTRARY, "FAIL"),
    ("logistic", "tree", "equivalent --margin 0.05", NEITHER, OPEN),
    ("logistic", "tree", "not-worse", ERROR, ""),
]


def sides(champion, challenger, *rule):
    """Return who is compared, and the rule with its margin."""
    return ("--champion", champion, "--challenger", challenger, "--rule", *rule)


@pytest.fixture(scope="module")
def saved(breast_cancer):
    """The scores of three estimators in a file."""
    path = breast_cancer.parent / "scores.json"
    options = ["--data", str(breast_cancer), "--target", "target", "--save-scores", str(path)]
    assert main(["compare", *options, "--estimators", "logistic", "tree", "knn"]) == 0
    return path


@pytest.mark.parametrize(("champion", "challenger", "rule", "status", "said"), DECISIONS)
def test_exit_status_and_sentence(run, saved, champion, challenger, rule, status, said):
    names = sides(champion, challenger, *rule.split())
    found, out, error = run("gate", "--scores", saved, *names)
    assert found == status
    assert (out if status != ERROR else error).count("\n") == 1
    assert out.startswith(said)
    lengths = [len(number.strip("0.").replace(".", "")) for number in re.findall(r"\d+\.\d+", out)]
    assert max(lengths, default=0) <= 4
    assert status != HOLDS or "equivalence" not in error


def test_the_first_of_several_saved_metrics_decides(run, tmp_path):
    values = np.stack([np.arange(12.0) % 3, np.arange(12.0) % 4 + 5])
    known = {"design": SplitDesign.from_sizes(90, 10, n_splits=12), "labels": ("a", "b")}
    signs = {"up": 1, "down": -1}
    scores = {m: CVScores(values=sign * values, metric=m, **known) for m, sign in signs.items()}
    path, names = tmp_path / "two.json", sides("a", "b", "better")
    for order, status in ((("up", "down"), HOLDS), (("down", "up"), CONTRARY)):
        path.write_text(compare_scores({name: scores[name] for name in order}).to_json())
        found, _, error = run("gate", "--scores", path, *names)
        assert found == status
        assert f"note: {order[0]} decides, the first of the saved metrics" in error
        found, _, error = run("gate", "--scores", path, *names, "--scoring", order[1])
        assert (found, "decides" in error) == (HOLDS + CONTRARY - status, False)


def test_some_notes_are_only_in_json(run, tmp_path):
    seeds = Note("fixed seeds", "predictions may depend on random_state", None)
    known = {"labels": ("a", "b"), "notes": (seeds, "rows are from 2020")}
    design = SplitDesign.from_sizes(90, 10, n_splits=12)
    scores = CVScores(values=[np.arange(12.0) % 3, np.arange(12.0) % 4], design=design, **known)
    path, names = tmp_path / "scores.json", sides("a", "b", "better")
    path.write_text(compare_scores(scores).to_json())
    _, out, error = run("gate", "--scores", path, *names)
    assert "note: rows are from 2020" in error
    assert "random_state" not in out + error
    _, out, _ = run("gate", "--scores", path, *names, "--json")
    assert str(seeds) in json.loads(out)["notes"]


@pytest.mark.processes
@pytest.mark.parametrize("k", [0, 4])
def test_exit_status_from_data(run, breast_cancer, tmp_path, k):
    """It is that from saved scores, and so is all else that the gate says."""
    data = ("--data", breast_cancer, "--target", "target", "--n-splits", 8)
    champion, challenger, rule, status, _ = DECISIONS[k]
    names = sides(champion, challenger, *rule.split())
    found, out, error = run("gate", *data, *names)
    assert found == status
    assert out.startswith({HOLDS: "PASS", CONTRARY: "FAIL", NEITHER: "UNDECIDED"}[status])
    scores = tmp_path / "scores.json"
    run("compare", *data, "--estimators", champion, challenger, "--save-scores", scores)
    again = run("gate", "--scores", scores, *names)
    assert again[:2] == (found, out)
    assert again[2] in error  # where saved scores have fewer notes


@pytest.mark.parametrize("margin", [0.005, 0.02, 0.04, 0.09])
def test_rules_are_what_the_intervals_say(run, saved, margin):
    """Each rule by its definition: where the ends of the intervals lie."""
    for champion, challenger in [("logistic", "tree"), ("knn", "tree"), ("tree", "knn")]:
        for rule in ("not-worse", "equivalent"):
            options = sides(champion, challenger, rule, "--margin", margin)
            status, out, _ = run("gate", "--scores", saved, *options, "--json")
            told = json.loads(out)
            low, high = told["interval"]
            inner_low, inner_high = told["margin_interval"]
            not_worse, worse = inner_low > -margin, high < -margin
            holds = not_worse if rule == "not-worse" else not_worse and inner_high < margin
            contrary = worse if rule == "not-worse" else worse or low > margin
            assert status == told["exit_status"] == (0 if holds else 1 if contrary else 3)


@pytest.mark.parametrize("rule", ["not-worse", "equivalent"])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_interval_that_is_printed_decided(run, tmp_path, rule, seed):
    """Margins between the ends of both intervals: one lies beyond the margin, and one does not."""
    noise = np.random.default_rng(seed).normal(0, 0.02, 15)
    scores = {"old": 0.8 + noise, "new": 0.8 + noise[::-1] - 0.04 * (-1) ** seed}
    design = SplitDesign.from_sizes(90, 10, n_splits=15)
    result = compare_scores(scores, design=design, metric="accuracy", reference="old")
    path = tmp_path / "scores.json"
    path.write_text(result.to_json())
    test = result[0].test
    ends = np.abs([test.confidence_interval(level) for level in (0.9, 0.95)]).ravel()
    margins = [*(np.sort(ends)[1:] + np.sort(ends)[:-1]) / 2, ends.min() / 2, 2 * ends.max()]
    levels = {}
    for margin in margins:
        status, out, _ = run(
            "gate", "--scores", path, *sides("old", "new", rule, "--margin", margin)
        )
        level, low, high = re.search(r"(\d+) % \w+ \w+ (\S+) to (\S+),", out).groups()
        bounds = test.confidence_interval(int(level) / 100)
        assert [float(low), float(high)] == pytest.approx(list(bounds), rel=0.01)
        is_above = float(low) > -margin
        is_within = is_above and (rule == "not-worse" or float(high) < margin)
        is_beyond = float(high) < -margin or (rule == "equivalent" and float(low) > margin)
        assert status == {"PASS": 0, "FAIL": 1, "UNDECIDED": 3}[out.split(":")[0]]
        assert (status == 0, status == 1) == (is_within, is_beyond)
        levels.setdefault(status, set()).add(level)
    assert levels[0] == {"90"}
    assert levels.get(1, {"95"}) == {"95"}
    if (rule, seed) != ("not-worse", 1):  # which always passes
        assert levels[3] == {"90", "95"}


def test_two_with_the_same_scores_are_undecided_without_numbers(run, tmp_path):
    values = np.tile(np.arange(12.0) % 3, (2, 1))
    design = SplitDesign.from_sizes(90, 10, n_splits=12)
    path = tmp_path / "same.json"
    scores = CVScores(values=values, metric="accuracy", design=design, labels=("a", "b"))
    with pytest.warns(DegenerateScoresWarning):
        path.write_text(compare_scores(scores).to_json())
    options = sides("a", "b", "equivalent", "--margin", 0.1, "--json")
    told = json.loads(run("gate", "--scores", path, *options)[1])
    assert (told["exit_status"], told["outcome"], told["difference"]) == (3, "undetermined", 0)
    assert told["interval"] is told["margin_interval"] is told["pvalue"] is None


def test_every_claim_has_its_status():
    directions = {"better": 0, "not-worse": 0, "equivalent": 1}
    for rule in RULES:
        assert decide(rule, "above by more") == directions[rule]
        assert decide(rule, "below by more") == 1
        assert decide(rule, "not shown") == decide(rule, "undetermined") == 3
        assert {decide(rule, kind) for kind in KINDS} == {0, 1, 3}
    assert decide("not-worse", "below by less") == decide("equivalent", "below by less") == 0
    assert decide("better", "equivalent") == decide("not-worse", "below") == 3


def test_of_many_estimators_the_two_are_compared_alone(run, saved):
    names = sides("tree", "logistic", "better")
    told = json.loads(run("gate", "--scores", saved, *names, "--json")[1])
    result = ComparisonResult.from_json(saved.read_text())
    (pair,) = [p for p in result if {p.estimator, p.versus} == {"tree", "logistic"}]
    assert told["pvalue"] == pytest.approx(pair.test.pvalue, rel=1e-12)
    assert told["pvalue"] < pair.pvalue_adjusted


@pytest.mark.parametrize("rule", ["not-worse", "equivalent"])
def test_what_is_given_goes_before_what_is_saved(run, saved, tmp_path, rule):
    """The difference is 0.02 to 0.09: worse by more than 0.01, hardly by more than 0.2."""
    path = tmp_path / "scores.json"
    command = ("gate", "--scores", path, *sides("logistic", "tree", rule), "--json")
    for held, given, status in [(0.01, 0.2, HOLDS), (0.2, 0.01, CONTRARY)]:
        result = ComparisonResult.from_json(saved.read_text()).with_margin(held)
        path.write_text(result.with_confidence(0.8).to_json())
        found, out, _ = run(*command, "--margin", given, "--confidence-level", 0.9)
        told = json.loads(out)
        assert (found, told["margin"], told["confidence_level"]) == (status, [-given, given], 0.9)
        told = json.loads(run(*command)[1])
        assert (told["margin"], told["confidence_level"]) == ([-held, held], 0.95)


@pytest.mark.parametrize("saved_level", [0.5, 0.68, 0.999])
@pytest.mark.parametrize("source", ["splits", "test set"])
def test_the_level_of_a_record_does_not_matter(run, tmp_path, source, saved_level):
    """The p-values are Nadeau and Bengio's by their formula, and SciPy's of paired losses."""
    rng = np.random.default_rng(0)
    signs = rng.permutation(np.resize([1.0, -1.0], 80))
    if source == "splits":
        design = SplitDesign.from_sizes(90, 10, n_splits=12)
        values = np.stack([np.zeros(12), 0.5 + 0.62 * np.resize([1, -1], 12)])
        result = compare_scores(
            CVScores(values=values, metric="accuracy", design=design, labels=("a", "b"))
        )
        error = values[1].std(ddof=1) * np.sqrt(1 / 12 + 10 / 90)
        pvalue = 2 * stats.t.sf(abs(values[1].mean()) / error, 11)
    else:
        worse = rng.normal(9, 1, 80)
        losses = {"a": worse, "b": worse - 0.3 + 1.4 * signs}
        result = compare_losses(losses, metric="cost")
        pvalue = stats.ttest_rel(losses["a"], losses["b"]).pvalue
    path = tmp_path / "scores.json"
    path.write_text(result.with_confidence(saved_level).to_json())
    for level, status in [((), NEITHER), (("--confidence-level", 0.8), HOLDS)]:
        found, out, _ = run("gate", "--scores", path, *sides("a", "b", "better"), "--json", *level)
        told = json.loads(out)
        assert told["pvalue"] == pytest.approx(pvalue, rel=1e-9)
        assert 0.05 < pvalue < 0.2
        assert (found, told["confidence_level"]) == (status, level[1] if level else 0.95)


@pytest.mark.parametrize("rule", ["better", "not-worse --margin 0.01", "equivalent --margin 0.2"])
def test_saved_auxiliary_scores_give_the_variance(run, tmp_path, rule):
    """The p-values are the report's: mean over the root of (1/2M) sum (mu_m - mu_m^c)^2."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = (X.sum(axis=1) + rng.normal(size=120) > 0).astype(int)
    models = {"old": NearestMean(1), "new": NearestMean(3), "middle": NearestMean(2)}
    with pytest.warns(SplitDesignWarning, match="Only 2 pairs"):
        result = compare_estimators(
            models,
            X,
            y,
            method=ConservativeZTest(n_pairs=2),
            cv=RepeatedSubsampleSplit(6, random_state=0),
        )
    path = tmp_path / "scores.json"
    path.write_text(result.to_json())
    (tests,) = result.tests_by_metric.values()
    difference = np.mean(tests.scores["new"].values - tests.scores["old"].values)
    of_pairs = tests.auxiliary["new"].values - tests.auxiliary["old"].values
    halves = of_pairs.reshape(2, 2, 6).mean(axis=2)
    error = np.sqrt(np.mean(np.square(halves[:, 0] - halves[:, 1])) / 2)
    status, out, _ = run(
        "gate",
        "--scores",
        path,
        *sides("old", "new", *rule.split()),
        "--json",
        "--scoring",
        "accuracy",
    )
    told = json.loads(out)
    assert told["difference"] == pytest.approx(difference, rel=1e-9)
    assert told["pvalue"] == pytest.approx(2 * stats.norm.sf(abs(difference) / error), rel=1e-9)
    low, high = difference + stats.norm.ppf([0.025, 0.975]) * error
    assert told["interval"] == pytest.approx([low, high], rel=1e-9)
    (pair,) = [p for p in result if {p.estimator, p.versus} == {"old", "new"}]
    assert told["pvalue"] == pytest.approx(pair.test.pvalue, rel=1e-9)
    assert (difference > 0, status) == (True, HOLDS)


def test_models_that_predict_the_same_are_undecided(run, tmp_path):
    spec, scores = "again=sklearn.tree.DecisionTreeClassifier(random_state=0)", tmp_path / "s.json"
    run("compare", "--data", "iris", "--estimators", "tree", spec, "--save-scores", scores)
    for rule in (["not-worse", "--margin", "0.1"], ["equivalent", "--margin", "0.1"], ["better"]):
        status, out, _ = run("gate", "--scores", scores, *sides("tree", "again", *rule))
        said = "the estimated variance of the difference in accuracy is 0, so no "
        said += "conclusion can be drawn"
        assert (status, out) == (NEITHER, f"UNDECIDED: {said} (difference 0)\n")


@pytest.fixture
def sliced(tmp_path):
    """Predictions of two models: equal in one language, one of them better in the other."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 800)
    language = np.repeat(["de", "en"], 400)
    shares = {"old": 0.8, "same": 0.8, "mixed": np.where(language == "en", 0.97, 0.6), "new": 0.95}
    models = {name: np.where(rng.random(800) < of, y, 1 - y) for name, of in shares.items()}
    path = tmp_path / "sliced.csv"
    pd.DataFrame({"y": y, "language": language, **models}).to_csv(path, index=False)
    return path


WORSE = "worse than old in accuracy by more than 0."
COULD = "could be worse than old in accuracy by more"
SLICES = [
    ("new", "better", HOLDS, f"PASS: new is not {WORSE}05 in any"),
    ("new", "not-worse", HOLDS, f"PASS: new is not {WORSE}"),
    ("mixed", "not-worse", CONTRARY, f"FAIL: mixed is {WORSE}"),
    ("same", "not-worse", NEITHER, f"UNDECIDED: same {COULD}"),
]
BY = ("--target", "y", "--scoring", "accuracy", "--by", "language")


@pytest.mark.parametrize(("challenger", "rule", "status", "said"), SLICES)
def test_by_slices(run, sliced, challenger, rule, status, said):
    """The whole and all slices must pass."""
    options = ("--predictions", sliced, *BY, *sides("old", challenger, rule), "--margin", 0.05)
    found, out, _ = run("gate", *options)
    assert found == status
    whole, of_slices = out.splitlines()
    assert of_slices.startswith(said)
    assert whole.startswith("PASS" if challenger != "same" else "")
    found, out, _ = run("gate", *options, "--json")
    assert found == json.loads(out)["exit_status"] == status
    assert [row["slice"] for row in json.loads(out)["slices"]] == ["de", "en"]


def test_slices_of_the_predictions_command(run, sliced):
    status, out, _ = run("predictions", sliced, *BY)
    assert status == 0
    assert "Slices with a significant difference in accuracy (of 2" in out
    status, out, _ = run("predictions", sliced, *BY, "--json")
    assert len(json.loads(out)["slices"]) == 12


def test_missing_rows(run, sliced, tmp_path):
    """Empty cells of a model are an error, or left out and said."""
    table = pd.read_csv(sliced)
    both = table.copy()
    both.loc[:119, ["old", "new"]] = np.nan
    table.loc[:119, "new"] = np.nan
    table.loc[799, "old"] = np.nan
    path = tmp_path / "lacking.csv"
    both.to_csv(path, index=False)
    gate = ("gate", "--predictions", path, *BY[:-2], *sides("old", "new", "better"))
    status, _, error = run(*gate)
    assert status == ERROR
    assert "rows 1, 2, 3 and 117 more below the header); remove these rows, or pass" in error
    assert "--missing-rows drop." in error
    status, _, error = run(*gate, "--missing-rows", "drop")
    assert status == HOLDS
    assert "680 of 800 rows are compared" in error
    status, out, _ = run(*gate, "--missing-rows", "drop", "--json")
    assert "Coverage: old 85 %, new 85 %. old lacks 120 rows" in " ".join(json.loads(out)["notes"])
    table.to_csv(path, index=False)
    models = ("--models", "old", "new", "--missing-rows", "drop", "--positive", "1")
    status, out, _ = run("predictions", path, *BY[:-2], *models)
    assert status == 0
    assert "Coverage: new 85 %, old 99.88 %" in " ".join(out.split())


def labelled_rows(n_rows, rng, **columns):
    """Labels, and two models of which the new one is right more often."""
    y = rng.integers(0, 2, n_rows)
    right = {"old": rng.random(n_rows) < 0.7, "new": rng.random(n_rows) < 0.9}
    models = {name: np.where(is_right, y, 1 - y) for name, is_right in right.items()}
    return pd.DataFrame({"y": y, **columns, **models})


def limited(kind, rng):
    """Return a test set, its metric, why a gate is undecided, and options that resolve it."""
    pass_groups = "pass --groups patient if rows of one value may be alike, or --drop patient if"
    groups, drop = ("--groups", "patient"), ("--drop", "patient")
    if kind == "ids":
        table = labelled_rows(400, rng, patient=np.repeat(np.arange(10), 40))
        return table, "accuracy", f"'patient' has 10 values in 400 rows; {pass_groups}", groups
    if kind == "pairs of ids":
        table = labelled_rows(400, rng, patient=np.tile(np.arange(200) + 1000, 2))
        return table, "accuracy", f"'patient' has 200 values in 400 rows; {pass_groups}", drop
    if kind == "names of unequal counts":
        names = [f"P{k}" for k in np.arange(400) // 7 % 50]
        table = labelled_rows(400, rng, patient=names)
        return table, "accuracy", f"'patient' has 50 values in 400 rows; {pass_groups}", groups
    if kind == "copies":
        table = labelled_rows(200, rng)
        table[["old", "new"]] = 0.2 + 0.5 * table[["old", "new"]] + 0.1 * rng.random((200, 2))
        table = pd.concat([table.assign(patient=range(200))] * 2)
        why = "another one in y and in all predictions; pass --groups with"
        return table, "roc_auc", why, groups
    table = labelled_rows(400, rng, patient=np.arange(400) // 20)
    is_wrong = np.repeat(rng.random(20) < 0.5, 20)
    table["old"] = np.where(is_wrong, 1 - table["y"], table["y"])
    return table, "accuracy", "adjacent rows are correlated (0.954, 400 rows); pass --", groups


@pytest.mark.parametrize(
    "kind", ["ids", "pairs of ids", "names of unequal counts", "copies", "order"]
)
def test_rows_that_repeat_or_follow_each_other_leave_a_gate_undecided(run, tmp_path, kind):
    table, metric, why, remedy = limited(kind, np.random.default_rng(1))
    if kind in ("copies", "order"):  # the column would be noted first
        table, told = table.drop(columns="patient"), table
    path, scores = tmp_path / "test.csv", tmp_path / "scores.json"
    table.to_csv(path, index=False)
    options = ("--target", "y", "--scoring", metric)
    rule = sides("old", "new", "better")
    status, out, error = run("gate", "--predictions", path, *options, *rule)
    assert status == NEITHER
    assert out.startswith("UNDECIDED: ")
    assert why in out
    assert out.count("\n") == 1
    assert out.removeprefix("UNDECIDED: ").strip() not in error
    told_json = json.loads(run("gate", "--predictions", path, *options, *rule, "--json")[1])
    assert (told_json["decision"], told_json["exit_status"]) == ("not shown", NEITHER)
    models = ("--models", "old", "new", "--save-scores", scores)
    assert run("predictions", path, *options, *models)[0] == 0
    assert run("gate", "--scores", scores, *rule)[:2] == (NEITHER, out)
    if kind in ("copies", "order"):
        told.to_csv(path, index=False)
    status, out, _ = run("gate", "--predictions", path, *options, *rule, *remedy)
    assert (status, out[:5]) == (HOLDS, "PASS:")


@pytest.mark.parametrize("kind", ["subjects", "copies"])
def test_rows_that_repeat_leave_a_gate_on_data_undecided(run, tmp_path, kind):
    """In one process, so from saved scores."""
    rng = np.random.default_rng(0)
    patients = np.repeat(np.arange(30), 4)
    table = pd.DataFrame({"x": rng.normal(size=120), "z": rng.normal(size=120)})
    table["y"] = (table["x"] + rng.normal(0, 0.3, 120) > 0).astype(int)
    if kind == "subjects":
        table["patient_id"] = patients
        why = "pass --groups COLUMN, or --drop COLUMN if its values are not of subjects"
    else:
        table = pd.concat([table] * 2)
        why = "pass --groups with a column that has one value for a row and its copies"
    path, scores = tmp_path / "data.csv", tmp_path / "scores.json"
    table.to_csv(path, index=False)
    models = ("--estimators", "tree", "logistic", "--save-scores", scores)
    assert run("compare", "--data", path, "--target", "y", *models)[0] == 0
    status, out, _ = run("gate", "--scores", scores, *sides("tree", "logistic", "better"))
    assert status == NEITHER
    assert why in out


@pytest.mark.parametrize("model", ["old", "new"])
@pytest.mark.parametrize("written", ["numbers", "texts", "probabilities"])
def test_a_model_gains_nothing_by_its_gaps_in_a_gate(run, sliced, tmp_path, model, written):
    """Without its errors each model would be right everywhere."""
    table = pd.read_csv(sliced)
    table.loc[table[model] != table["y"], model] = np.nan
    n_gaps = table[model].isna().sum()
    metric = "accuracy"
    if written == "texts":
        names = ["y", "old", "new"]
        table[names] = table[names].astype(object).replace({0.0: "no", 1.0: "yes"})
    if written == "probabilities":
        metric = "roc_auc"
        table[["old", "new"]] = table[["old", "new"]] * 0.8 + 0.1 + np.arange(800)[:, None] / 1e5
    path, scores = tmp_path / "gaps.csv", tmp_path / "scores.json"
    table.to_csv(path, index=False)
    options = ("--target", "y", "--scoring", metric, "--missing-rows", "drop")
    rule = sides("old", "new", "better")
    status, out, error = run("gate", "--predictions", path, *options, *rule)
    assert (status, out) == (ERROR, "")
    assert f"{model} has no prediction in {n_gaps} rows of 800 where" in error
    models = ("--models", "old", "new", "--save-scores", scores)
    assert run("predictions", path, *options, *models)[0] == 0
    status, out, error = run("gate", "--scores", scores, *rule)
    assert (status, out) == (ERROR, "")
    assert "leave out rows that a model lacks, and a gate does not decide without them" in error
