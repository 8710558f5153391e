"""What rows and repeated runs bring to the variance, against two-way tables computed here."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import f, t

import skcvstats as s
from skcvstats.stats import spread_of_test
from skcvstats.test_set import ClusteredTTest

RNG = np.random.default_rng(0)
N, R = 120, 3
LEVEL = RNG.normal(size=N)
A = (LEVEL + RNG.normal(size=(R, N)) > 0).astype(float)
B = (LEVEL + 0.4 + RNG.normal(size=(R, N)) > 0).astype(float)
CORRECT = {"metric": "correct", "greater_is_better": True}


def mean_squares(table):
    """Return MSA, MSB and MSE of runs by units over the number of entries, one by one."""
    n_runs, n_units = table.shape
    mean = table.mean()
    of_units = sum(n_runs * (table[:, i].mean() - mean) ** 2 for i in range(n_units))
    of_runs = sum(n_units * (row.mean() - mean) ** 2 for row in table)
    total = ((table - mean) ** 2).sum()
    rest = total - of_units - of_runs
    dfs = n_units - 1, n_runs - 1, (n_units - 1) * (n_runs - 1)
    return np.array([of_units / dfs[0], of_runs / dfs[1], rest / dfs[2]]) / table.size


def check(test, table):
    found = spread_of_test(test)
    np.testing.assert_allclose(
        [found.units, found.runs, found.rest], mean_squares(table), rtol=1e-9
    )


def test_shares_are_those_of_the_two_way_table_and_are_printed():
    result = s.compare_losses({"a": A, "b": list(B)}, **CORRECT)
    table = B - A
    check(result.tests[0], table)
    units, runs, rest = mean_squares(table)
    of_rows = max(0.0, units - rest)
    of_runs = max(0.0, runs - rest) + rest
    shorter = 1 - np.sqrt((of_rows + rest / 2) / (of_rows + rest))
    of_both = of_rows + of_runs
    text = " ".join(str(result).split())
    assert (
        f"{100 * of_rows / of_both:.0f} % of the variance of the difference, "
        f"runs {100 * of_runs / of_both:.0f} %: "
        "twice the rows would shorten the interval by 29 %, twice the runs by "
        f"{100 * shorter:.0f} %."
    ) in text
    assert "Rows bring" in str(result)
    assert "rows bring" in str(s.evaluation_report(result)).lower()


def test_an_array_of_runs_is_a_list_of_runs():
    of_arrays = s.compare_losses({"a": A, "b": B}, **CORRECT)
    of_lists = s.compare_losses({"a": list(A), "b": list(B)}, **CORRECT)
    assert str(of_arrays) == str(of_lists)
    y = (LEVEL > 0).astype(int)
    both = {"a": A.astype(int), "b": B.astype(int)}
    of_arrays = s.compare_predictions(y, both, scoring="accuracy")
    of_lists = s.compare_predictions(
        y, {name: list(runs) for name, runs in both.items()}, scoring="accuracy"
    )
    assert str(of_arrays) == str(of_lists)
    with pytest.raises(ValueError, match=r"shape \(120, 3\).*one loss for each"):
        s.compare_losses({"a": A.T, "b": B.T}, **CORRECT)
    chances = np.stack([np.c_[1 - run, run] for run in 0.2 + 0.6 * A])
    runs = s.predictions_inference(y, chances, scoring="neg_log_loss")
    assert (
        runs.estimate == s.predictions_inference(y, list(chances), scoring="neg_log_loss").estimate
    )


@pytest.mark.parametrize("weighted", [False, True])
def test_with_unequal_groups_the_units_are_groups(weighted):
    groups = np.minimum(np.arange(N) // 5, 17)
    weights = np.where(np.arange(N) % 7, RNG.uniform(0.5, 2, N), 0.0) if weighted else np.ones(N)
    how = {"groups": groups, **CORRECT}
    if weighted:
        how["sample_weight"] = weights
    result = s.compare_losses({"a": A, "b": B}, **how)
    apart = (B - A) if result.tests[0].label.startswith("b") else A - B
    mean = (apart @ weights).mean() / weights.sum()
    units = np.unique(groups)
    table = np.empty((R, len(units)))
    for column, group in enumerate(units):
        inside = groups == group
        factor = (len(units) - 1) / (weights.sum() - weights[inside].sum())
        table[:, column] = mean + factor * ((apart - mean) * weights)[:, inside].sum(axis=1)
    check(result.tests[0], table)
    assert "Groups bring" in str(result)
    assert "twice the groups" in " ".join(str(result).split())


def f1_of(y, labels):
    return 2 * (y & labels).sum() / (y.sum() + labels.sum())


def auc_of(y, scores):
    """Return the share of pairs of a positive and a negative in the right order."""
    return (scores[y == 1][:, np.newaxis] > scores[y == 0]).mean()


@pytest.mark.parametrize("groups", [None, np.arange(N) // 4], ids=["rows", "groups"])
@pytest.mark.parametrize(("scoring", "function"), [("f1", f1_of), ("roc_auc", auc_of)])
def test_metrics_that_are_no_means_have_pseudo_values(scoring, function, groups):
    y = (LEVEL > 0.2).astype(int)
    runs = {"a": A, "b": B}
    if scoring == "roc_auc":
        runs = {name: part + RNG.normal(size=part.shape) for name, part in runs.items()}
    else:
        runs = {name: part.astype(int) for name, part in runs.items()}
    codes = np.arange(N) if groups is None else groups
    units = np.unique(codes)
    theta = {}
    for name, predictions in runs.items():
        theta[name] = np.array(
            [
                [
                    len(units) * function(y, run)
                    - (len(units) - 1) * function(y[codes != unit], run[codes != unit])
                    for unit in units
                ]
                for run in predictions
            ]
        )
    result = s.compare_predictions(y, runs, scoring=scoring, groups=groups)
    check(result.tests[0], theta["a"] - theta["b"])
    single = s.predictions_inference(y, runs["a"], scoring=scoring, groups=groups)
    check(single, theta["a"])
    assert "of the variance of the score, runs" in " ".join(str(single).split())


def test_nothing_is_said_of_one_run_or_of_numbers_that_differ():
    y = (LEVEL > 0).astype(int)
    for models in ({"a": A[0], "b": B[0]}, {"a": A, "b": B[:2]}, {"a": A, "b": B[0]}):
        result = s.compare_losses(models, **CORRECT)
        assert spread_of_test(result.tests[0]) is None
        assert "of the variance of" not in str(result)
        whole = {name: np.asarray(part).astype(int) for name, part in models.items()}
        assert "of the variance of" not in str(s.compare_predictions(y, whole, scoring="f1"))
    # A baseline that was run once stands beside models with runs.
    three = s.compare_losses({"a": A, "b": B, "base": A[0]}, **CORRECT)
    spreads = {test.label: spread_of_test(test) for test in three.tests}
    assert [label for label, spread in spreads.items() if spread is not None] == ["b - a"]
    # Runs that all give the same bring nothing.
    same = s.compare_losses({"a": [A[0]] * 3, "b": [B[0]] * 3}, **CORRECT)
    assert "runs 0 %: twice the rows would shorten the interval by 29 %, twice the runs by 0 %" in (
        " ".join(str(same).split())
    )
    assert "runs differ" not in {note.code for note in same.notes}


def test_several_models_have_the_line_of_the_first_pair():
    three = s.compare_losses({"a": A, "b": B, "c": A[:, ::-1]}, **CORRECT)
    (pair, *_) = three.comparisons
    which = f"of the variance of the difference {pair.estimator} - {pair.versus}, runs "
    assert which in " ".join(str(three).split())
    questions = s.compare_losses({"a": A, "b": B}, unit="questions", **CORRECT)
    assert "Questions bring" in str(questions)


def test_runs_that_differ_in_their_means_are_noted():
    moved = B + np.array([[0.0], [0.5], [-0.5]])
    result = s.compare_losses({"a": A, "b": moved}, **CORRECT)
    (note,) = (note for note in result.notes if note.code == "runs differ")
    _, runs, rest = mean_squares(moved - A)
    assert f.sf(runs / rest, R - 1, (N - 1) * (R - 1)) < 0.01
    by = t.ppf(0.975, R - 1) * np.sqrt(runs)
    assert f"would move the difference in accuracy by up to about {by:.3g} (95 %)" in note.text
    assert "more rows do not shorten that" in note.text
    assert "about these runs" in " ".join(str(result).split())
    unmoved = s.compare_losses({"a": A, "b": B}, **CORRECT)
    _, runs, rest = mean_squares(B - A)
    assert f.sf(runs / rest, R - 1, (N - 1) * (R - 1)) > 0.01
    assert "runs differ" not in {note.code for note in unmoved.notes}
    # Of several pairs it stays with the pairs that it is about.
    three = s.compare_losses({"a": A, "b": moved, "c": B[:, ::-1]}, **CORRECT)
    noted = {pair.test.label for pair in three if "runs differ" in {n.code for n in pair.notes}}
    assert all("b" in label.split(" - ") for label in noted)
    assert noted


def test_it_is_saved_and_older_records_load_without_it():
    result = s.compare_losses({"a": A, "b": B}, **CORRECT)
    again = type(result).from_json(result.to_json())
    assert str(again) == str(result)
    assert spread_of_test(again.tests[0]) == spread_of_test(result.tests[0])
    components = result.scores.components
    older = {"sums": components.arrays["sums"]}
    scores = replace(result.scores, components=replace(components, arrays=older))
    scores = s.CVScores.from_json(scores.to_json()).differences([1], [0])
    test = ClusteredTTest().run(scores).take(0)
    assert abs(test.statistic) == pytest.approx(abs(result.tests[0].statistic))
    assert "of the variance of" not in str(test)
    # Models that were measured apart can be subtracted, without it.
    apart = [
        s.predictions_inference(LEVEL, runs, scoring="neg_mean_squared_error").scores
        for runs in (A, B)
    ]
    test = ClusteredTTest()(apart[1] - apart[0])
    assert spread_of_test(test) is None


@pytest.mark.calibration
def test_twice_the_rows_or_the_runs_shorten_the_interval_as_is_said():
    rng = np.random.default_rng(1)

    def errors(n_rows, n_runs, n_sets=800):
        squares = []
        spreads = []
        for _ in range(n_sets):
            level = rng.normal(size=n_rows)
            a, b = (level * w + 1.5 * rng.normal(size=(n_runs, n_rows)) for w in (1.0, 0.2))
            test = s.compare_losses({"a": a, "b": b}, metric="x").tests[0]
            squares.append(test.standard_error**2)
            spreads.append(spread_of_test(test))
        return np.mean(squares), spreads

    today, spreads = errors(200, 3)
    twice_rows, _ = errors(400, 3)
    twice_runs, _ = errors(200, 6)
    assert twice_rows / today == pytest.approx(0.5, rel=0.02)
    # sigma_a^2 = 0.64, sigma_e^2 = 4.5 and no effect of runs: rows bring 0.64 of 0.64 + 1.5.
    said = np.mean([spread.relative_variance(6) for spread in spreads])
    assert said == pytest.approx(1.39 / 2.14, rel=0.02)
    assert twice_runs / today == pytest.approx(1.39 / 2.14, rel=0.02)
    of_rows = np.mean([spread.units - spread.rest for spread in spreads])
    of_runs = np.mean([spread.runs - spread.rest for spread in spreads])
    assert of_rows == pytest.approx(0.64 / 200, abs=1e-4)
    assert of_runs == pytest.approx(0, abs=5e-4)
