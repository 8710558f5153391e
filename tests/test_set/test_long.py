"""Long frames, with a line for each model, row and run; columns of frames that are no models."""

import numpy as np
import pandas as pd
import pytest

from skcvstats import (
    SplitDesign,
    compare_losses,
    compare_out_of_fold,
    compare_predictions,
    compare_scores,
    predictions_inference,
)

N = 90
DRAWN = np.random.default_rng(0)
Y = DRAWN.integers(0, 2, N)
SITE = np.arange(N) // 3
COLUMNS = {"rows": "question", "models": "model", "values": "correct"}
# The answers of each model in two runs, as columns.
WIDE = pd.DataFrame(
    {
        (model, run): (DRAWN.random(N) < share).astype(int)
        for model, share in (("b", 0.8), ("a", 0.6))
        for run in (1, 2)
    },
    index=pd.Index([f"q{k}" for k in DRAWN.permutation(N)], name="question"),
)


def melted(wide, **of_rows):
    """Return a line for each answer; `of_rows` are further columns with an entry for each row."""
    parts = [
        pd.DataFrame({"question": wide.index, "model": key[0], "sample": key[1], **of_rows})
        for key in wide
    ]
    long = pd.concat(parts, ignore_index=True)
    long["correct"] = np.concatenate([wide[key] for key in wide])
    return long


LONG = melted(WIDE, site=SITE, y=Y)
FIRST = LONG[LONG["sample"] == 1]


def of_runs(wide):
    return {
        model: [wide[(model, run)].to_numpy() for run in wide[model]]
        for model in dict.fromkeys(wide.columns.get_level_values(0))
    }


def same(found, wanted):
    pd.testing.assert_frame_equal(found.to_frame(), wanted.to_frame(), check_exact=True)
    pd.testing.assert_frame_equal(found.ranking(), wanted.ranking(), check_exact=True)


class TestTheAnswerIsThatOfTheWideTable:
    def test_scores_of_one_run(self):
        options = {"metric": "passed", "greater_is_better": True}
        wanted = compare_losses(WIDE.xs(1, axis=1, level=1), **options)
        same(compare_losses(FIRST, **COLUMNS, **options), wanted)
        same(compare_losses(FIRST.astype({"correct": bool}), **COLUMNS, **options), wanted)
        kinds = {"model": "category", "question": "category"}
        same(compare_losses(FIRST.astype(kinds), **COLUMNS, **options), wanted)

    def test_losses_of_several_runs_in_groups(self):
        wanted = compare_losses(of_runs(WIDE), groups=SITE, metric="cost")
        options = {**COLUMNS, "runs": "sample", "metric": "cost"}
        same(compare_losses(LONG, **options, groups="site"), wanted)
        fewer = LONG[(LONG["model"] != "a") | (LONG["sample"] == 1)]  # a was run once
        by_model = of_runs(WIDE)
        wanted = compare_losses({**by_model, "a": by_model["a"][:1]}, groups=SITE, metric="cost")
        same(compare_losses(fewer, **options, groups="site"), wanted)

    @pytest.mark.parametrize("scoring", ["accuracy", pytest.param("f1", marks=pytest.mark.slow)])
    def test_predictions(self, scoring):
        more = {"scoring": scoring, "reference": "a"}
        wanted = compare_predictions(Y, of_runs(WIDE), groups=SITE, by=SITE % 2, **more)
        names = {"groups": "site", "by": "half", "runs": "sample"}
        long = melted(WIDE, site=SITE, y=Y, half=SITE % 2)
        found = compare_predictions("y", long, **COLUMNS, **names, **more)
        same(found, wanted)
        pd.testing.assert_frame_equal(found.by_slice(), wanted.by_slice(), check_exact=True)

    def test_labels_that_are_texts_and_weights(self):
        words = np.array(["no", "yes"])
        weights = 1.0 + SITE
        wide = {name: words[runs[0]] for name, runs in of_runs(WIDE).items()}
        wanted = compare_predictions(words[Y], wide, scoring="accuracy", sample_weight=weights)
        long = FIRST.assign(
            correct=words[FIRST["correct"]], y=words[FIRST["y"]], w=1.0 + FIRST.site
        )
        found = compare_predictions("y", long, **COLUMNS, scoring="accuracy", sample_weight="w")
        same(found, wanted)

    def test_lines_in_any_order_of_models(self):
        order = np.argsort(
            FIRST["question"].map({q: k for k, q in enumerate(WIDE.index)}), kind="stable"
        )
        found = compare_losses(FIRST.iloc[order], **COLUMNS, metric="cost")
        same(found, compare_losses(WIDE.xs(1, axis=1, level=1), metric="cost"))

    def test_gaps_are_those_of_a_wide_table(self):
        wide = WIDE.xs(1, axis=1, level=1).astype(float)
        wide.iloc[[3, 50], 1] = np.nan
        gone = FIRST["model"].eq("a") & FIRST["question"].isin(wide.index[[3, 50]])
        options = {**COLUMNS, "metric": "cost"}
        with pytest.raises(
            ValueError, match=r"2 values of the losses of 'a' are missing"
        ) as of_long:
            compare_losses(FIRST[~gone], **options)
        with pytest.raises(ValueError, match="missing") as of_wide:
            compare_losses(wide, metric="cost")
        assert str(of_long.value) == str(of_wide.value)
        found = compare_losses(FIRST[~gone], **options, missing_rows="drop")
        wanted = compare_losses(wide, metric="cost", missing_rows="drop")
        same(found, wanted)
        assert "88 of 90 rows are compared" in str(found)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rows": "quest"}, "'quest'.* must be four columns.*its columns are 'question'"),
        ({"values": None}, "None.* must be four columns"),
        ({"rows": "model"}, "must be four columns"),
        ({"runs": "model"}, "must be four columns"),
        ({"runs": None}, "180 lines repeat an earlier one.*model 'b' and row 'q.*runs="),
        ({"rows": "site", "runs": "sample"}, "240 lines repeat an earlier one of the same model"),
        ({"groups": SITE}, "groups=.* must name a column"),
        ({"groups": "sight"}, "groups='sight' must name a column"),
        ({"groups": "correct"}, "'correct' has [01], [01] in lines of the one row 'q"),
        ({"runs": "own"}, "no run in common: the column 'own'.*Number the runs"),
        ({"rows": "gap"}, "'gap' is missing in 5 of 360 lines"),
    ],
)
def test_long_frames_that_cannot_be_read(given, message):
    long = LONG.assign(own=LONG["model"] + LONG["sample"].astype(str), gap=LONG["question"])
    long.loc[long.index[7:12], "gap"] = None
    with pytest.raises(ValueError, match=message):
        compare_losses(long, **{**COLUMNS, "runs": "sample", "metric": "cost", **given})


def test_other_columns_may_not_be_of_folds_or_of_training_rows():
    of_fold = FIRST.assign(fold=np.arange(2 * N) % 5)
    with pytest.raises(ValueError, match=r"'fold' of the long frame.* compare_out_of_fold"):
        compare_predictions("y", of_fold, **COLUMNS, scoring="accuracy")
    split = FIRST.assign(split=np.resize(["train", "test"], 2 * N))
    with pytest.raises(ValueError, match="Pass the test rows only"):
        compare_losses(split, **COLUMNS)
    how = COLUMNS | {"greater_is_better": True}
    seed = FIRST.assign(seed=1, fold=SITE[0], remark="fold")  # of one value
    same(compare_losses(seed.drop(columns="fold"), **how), compare_losses(FIRST, **how))


def test_two_columns_of_one_name():
    with pytest.raises(ValueError, match=r"'correct'.* must be four columns"):
        compare_losses(pd.concat([FIRST, FIRST["correct"]], axis=1), **COLUMNS)


def test_times_are_a_column_too():
    days = pd.date_range("2024-01-01", periods=N)
    wide = WIDE.xs(1, axis=1, level=1)
    found = compare_losses(FIRST.assign(day=np.tile(days, 2)), **COLUMNS, metric="cost", time="day")
    same(found, compare_losses(wide, metric="cost", time=days))
    assert found[0].test.method == "diebold_mariano"


def test_what_is_no_long_frame():
    with pytest.raises(TypeError, match=r"of a long frame of pandas, got dict"):
        compare_losses({"a": [1, 2], "b": [2, 3]}, **COLUMNS)
    with pytest.raises(ValueError, match=r"y_true=array.* must name a column of the long frame"):
        compare_predictions(Y, FIRST, **COLUMNS, scoring="accuracy")
    with pytest.raises(ValueError, match=r"y_true=0 .* must name .* which are [^.]*'\.$") as error:
        compare_predictions(pd.Series(Y), FIRST, **COLUMNS, scoring="accuracy")
    assert "only run" not in str(error.value)


FOLDS_OF_B = [0.1, 0.2, 0.1, 0.3, 0.4, 0.2, 0.3, 0.1, 0.5, 0.4]
LABELS = pd.DataFrame({"a": Y, "b": 1 - Y})
FOLD = np.arange(N) % 5


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("fold", FOLD),
        ("Fold_ID", FOLD + 1.0),
        ("cv_fold", pd.Categorical(FOLD)),
        ("kfold", pd.array(FOLD, dtype="Int64")),
        ("folds", FOLD.astype(str)),
        ("outer_fold", np.array([f"Fold {k}" for k in FOLD])),
        ("Random Seed", FOLD),
        ("repeat", FOLD),
        ("seed", 41 + FOLD),
        ("sample", FOLD),
        ("split", FOLD),
        ("cv", np.arange(N)),
        ("Iteration", np.arange(N, 0, -1)),
    ],
)
def test_a_column_of_folds_or_repeats_is_no_model(name, column):
    table = LABELS.assign(**{name: column})
    calls = [
        lambda: compare_predictions(Y, table, scoring="accuracy"),
        lambda: predictions_inference(Y, table, scoring="accuracy"),
        lambda: compare_losses(table),
        lambda: compare_out_of_fold(Y, table, folds=FOLD, scoring="accuracy"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=rf"{name}' has few integers.*_out_of_fold.*drop"):
            call()


@pytest.mark.parametrize("name", ["fold", "Split", "repeats", "iteration", "cv_fold"])
def test_a_column_that_numbers_splits_is_no_estimator(name):
    scores = pd.DataFrame({name: np.arange(1, 11), "a": np.arange(10) / 20, "b": FOLDS_OF_B})
    design = SplitDesign.from_sizes(n_train=90, n_test=10, n_splits=10, n_samples=100)
    with pytest.raises(ValueError, match=rf"{name}' has few integers.*no estimator.*drop"):
        compare_scores(scores, metric="accuracy", design=design)
    with pytest.raises(ValueError, match=rf"{name}' has few integers.*compare_scores\(.*design="):
        compare_losses(scores)
    named = compare_scores({**scores}, metric="accuracy", design=design)  # a mapping names models
    assert named.names == (name, "a", "b")


@pytest.mark.parametrize(("name", "names"), [("split", "train test"), ("Set", "Test VALID test")])
def test_rows_of_a_training_set_are_no_test_rows(name, names):
    table = LABELS.assign(**{name: np.resize(names.split(), N)})
    with pytest.raises(ValueError, match=r"training rows, .* Pass the test rows only"):
        compare_predictions(Y, table, scoring="accuracy")


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("fold", Y / 2 + 0.1),
        ("ridge_cv", SITE % 2),
        ("sample_mean", SITE % 3),
        ("fold", np.arange(N) * 1000.5),
    ],
)
def test_models_with_such_names_or_integers_are_models(name, column):
    found = compare_predictions(
        Y, LABELS.assign(**{name: column}), scoring="neg_mean_squared_error"
    )
    assert name in found.names


def test_a_mapping_may_have_a_model_of_such_a_name():
    found = compare_predictions(Y, {"a": Y, "cv": 1 - Y}, scoring="accuracy")
    assert found.names == ("a", "cv")


@pytest.mark.parametrize("runs", [{}, {"runs": "sample"}])
def test_a_metric_is_called_as_the_column_of_its_values(runs):
    frame = LONG if runs else FIRST
    result = compare_losses(frame, **COLUMNS, **runs, greater_is_better=True)
    assert result.metrics == ("correct",)
    said = " ".join(str(result).split())
    assert "in accuracy at" in said
    assert ("averaged over the runs of each model" in said) == bool(runs)
    with pytest.raises(ValueError, match="metric='correct' is not a name of losses"):
        compare_losses(frame, **COLUMNS, **runs)
    timed = frame.rename(columns={"correct": "seconds"})
    columns = COLUMNS | {"values": "seconds"}
    assert compare_losses(timed, **columns, **runs).metrics == ("neg_seconds",)
    assert compare_losses(timed, **columns, **runs, metric="cost").metrics == ("neg_cost",)
