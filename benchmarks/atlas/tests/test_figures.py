"""The figures of cells, and the rule, on answers whose figures are known."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats as laws

from benchmarks.atlas import figures, populations, procedures, rule


def normal_answers(rng, n_data_sets, scale, errors, truth=3.0):
    """Return answers with normal estimates and given standard errors; again with the same."""
    first, second = truth + scale * rng.normal(size=(2, n_data_sets, 1))
    error = np.full((n_data_sets, 1), errors)
    halves = [error * laws.norm.isf(a / 2) for a in (0.05, 0.1)]
    return np.stack([first, error, *halves, second, halves[0]], axis=1)


def test_figures_of_normal_estimates():
    """With errors k times too small the size is 2 Phi(-1.96/k), and so on."""
    rng, n, truth = np.random.default_rng(0), 40_000, np.array([3.0])
    comparator = normal_answers(rng, n, 1.0, 1.0)
    answers = normal_answers(rng, n, 1.0, 0.5)
    found = figures.figures(answers, comparator, truth, truth, 1.0)
    for name, level in (("missed_95", 0.05), ("missed_90", 0.1)):
        size = 2 * laws.norm.sf(laws.norm.isf(level / 2) / 2)
        assert found[name][0] / n == pytest.approx(size, abs=0.01)
    assert found["variance_ratio"][0] == pytest.approx(4, abs=5 * found["variance_ratio_error"][0])
    assert found["variance_ratio_error"][0] == pytest.approx(4 * np.sqrt(2 / n), rel=0.05)
    assert found["length"][0] == pytest.approx(0.5)
    assert found["mean_length"][0] == pytest.approx(1.96, abs=0.001)
    for k in (2, 3):
        power = laws.norm.sf(0.98 - k)
        assert found[f"power_{k}"][0] / n == pytest.approx(power, abs=0.01)
    power = laws.norm.sf(0.98 - 2)
    assert found["flips"][0] / n == pytest.approx(2 * power * (1 - power), abs=0.01)


def test_a_finite_pool_has_less_variance():
    rng, n, truth = np.random.default_rng(0), 40_000, np.array([3.0])
    answers = normal_answers(rng, n, 0.9, 1.0)
    found = figures.figures(answers, answers, truth, truth, 0.81)
    assert found["missed_95"][0] / n == pytest.approx(0.05, abs=0.006)
    assert found["variance_ratio"][0] == pytest.approx(1, abs=0.04)
    assert populations.ALL["plane"].finite_factor(1000) == 1


def test_undetermined_data_sets_claim_nothing():
    truth = np.array([0.1])
    answers = np.zeros((4, 6, 1))
    answers[:2, 0] = 1.0
    answers[:2, 1:4] = 0.3
    found = figures.figures(answers, answers, truth, truth, 1.0)
    assert found["undetermined"][0] == 2
    assert found["missed_95"][0] == 2
    answers[3] = np.nan
    assert figures.figures(answers, answers, truth, truth, 1.0)["data_sets"][0] == 3


def test_the_truth_is_the_best_mixture():
    """Two independent means of variances 1 and 4 make one of variance .8."""
    rng, n = np.random.default_rng(0), 100_000
    own, fresh = 5 + rng.normal(size=(n, 2)), 5 + 2 * rng.normal(size=(n, 2))
    truth, error = figures.true_values(own, fresh, np.array([False, True]))
    assert error[0] == pytest.approx(np.sqrt(0.8 / n), rel=0.02)
    assert abs(truth[0] - 5) < 5 * error[0]
    assert truth[1] == error[1] == 0


def table(row_missed, other_missed, length=0.9, kept=False, a="10-NN", b="tree", n=1000):
    """Return a table of one pair in six populations, with the given misses of both procedures."""
    rows = [
        {
            "tier": 1,
            "population": f"{kept} {population}",
            "n_rows": 100,
            "metric": "accuracy",
            "a": a,
            "b": b,
            "kind": "different" if b else "single",
            "kept_apart": kept,
            "procedure": procedure,
            "missed_95": missed,
            "data_sets": n,
            "mean_length": size,
        }
        for population in range(6)
        for procedure, missed, size in (
            (rule.ROW_T, row_missed, length),
            (rule.COMPARATOR, other_missed, 1.0),
        )
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("row_missed", "other_missed", "length", "wanted"),
    [
        (50, 50, 0.9, (True, True, True)),
        (54, 50, 0.9, (True, True, True)),
        (56, 50, 0.9, (False, True, True)),  # .006 too often
        (110, 95, 0.9, (False, True, True)),  # too high, but the comparator nearly as much
        (110, 85, 0.9, (False, False, True)),
        (110, 110, 0.9, (True, True, True)),  # as bad as the comparator
        (50, 50, 0.96, (True, True, False)),
    ],
)
def test_the_rule(row_missed, other_missed, length, wanted):
    found = rule.judge(table(row_missed, other_missed, length))["differences", "main"]
    assert (found["(i)"], found["(ii)"], found["(iii)"]) == wanted
    assert found["holds"] == all(wanted)
    assert found["bad_classes"] == ([] if wanted[1] else ["neighbours, 100 rows", "tree, 100 rows"])


def test_the_rule_judges_single_scores_and_what_is_kept_apart_alone():
    frame = pd.concat([table(50, 50), table(90, 50, kept=True), table(50, 50, 0.99, b="")])
    found = rule.judge(frame)
    assert found["differences", "main"]["holds"]
    assert not found["differences", "kept apart"]["holds"]
    assert found["single scores", "main"]["holds"]


def test_the_share_of_bad_cells():
    """Of six cells one is far too liberal: the share's limit lets that not pass."""
    frame = table(50, 50)
    frame.loc[0, "missed_95"] = 115
    found = rule.judge(frame)["differences", "main"]
    assert found["share"] == pytest.approx(1 / 6)
    assert not found["(i)"]
    assert procedures.SAME_FOLDS in procedures.BY_DESIGN["slow"]


def of_groups(row_missed, n_groups=10):
    """Return single scores and differences in groups of tier 6."""
    both = pd.concat([table(row_missed, 50), table(row_missed, 50, b="")])
    return both.assign(tier=6, population=f"{n_groups} equal groups, " + both["population"])


def test_what_follows_needs_all_parts():
    main = pd.concat([table(50, 50), table(50, 50, b="")])
    assert rule.verdicts(main)["differences"]["row t"] is None
    every = pd.concat([main, table(50, 50, kept=True), table(50, 50, b="", kept=True)])
    found = rule.verdicts(every)
    assert found["differences"]["row t"] is True
    assert found["single scores"]["row t"] is True
    assert found["differences"]["row t with groups"] is None
    assert found["differences"]["folds"] is None
    every = pd.concat([main, table(90, 50, kept=True), table(50, 50, 1.01, b="", kept=True)])
    found = rule.verdicts(every)
    assert found["differences"]["row t"] is False
    assert found["single scores"]["row t"] is False
    assert found["single scores"]["row t with groups"] is False


def test_groups_have_classes_of_their_own():
    good, bad = of_groups(60, 20), of_groups(80, 10)
    found = rule.judge_groups(pd.concat([good, bad, table(200, 50)]))
    assert found["differences"]["(ii)"] is False
    assert found["differences"]["bad_classes"] == ["neighbours, 10 groups", "tree, 10 groups"]
    assert found["single scores"]["bad_classes"] == ["neighbours, 10 groups"]
    assert rule.judge_groups(good)["differences"]["(ii)"] is True
    every = [table(50, 50, b=b, kept=kept) for b in ("tree", "") for kept in (False, True)]
    found = rule.verdicts(pd.concat([*every, good, bad]))["differences"]
    assert (found["row t"], found["row t with groups"]) == (True, False)


def test_the_other_folds_are_judged_by_the_same_rule():
    every = pd.concat([table(50, 50, kept=kept) for kept in (False, True)])
    every["procedure"] = every["procedure"].replace(rule.ROW_T, rule.SAME_FOLDS)
    assert rule.verdicts(every)["differences"]["folds"] is True
    assert rule.judge(every, rule.SAME_FOLDS)["differences", "main"]["size"] == pytest.approx(0.05)


def test_areas_and_other_tiers_do_not_count():
    area, other = table(500, 50).assign(metric="AUC"), table(500, 50).assign(tier=7)
    found = rule.judge(pd.concat([table(50, 50), area, other]))["differences", "main"]
    assert found["n_cells"] == 6
    assert found["holds"]
