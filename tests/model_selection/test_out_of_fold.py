"""compare_out_of_fold: what compare_estimators says on the same folds, from predictions alone."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context, model_selection
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.linear_model import LinearRegression
from sklearn.metrics import brier_score_loss, get_scorer, roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcvstats as s
from skcvstats.stats import row_ttest
from tests.conftest import every

REPEATS, FOLDS = 3, 5
X, Y = (part[::3] for part in load_breast_cancer(return_X_y=True))
WORDS = np.where(Y == 1, "no", "yes").astype(object)
TREE = DecisionTreeClassifier(min_samples_leaf=10, random_state=0)
CLASSIFIERS = {"bayes": GaussianNB(), "tree": TREE}
REGRESSORS = {"ols": LinearRegression(), "tree": DecisionTreeRegressor(max_depth=3, random_state=0)}
ONCE = model_selection.StratifiedKFold(FOLDS, shuffle=True, random_state=0)
CV = model_selection.RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=1)
RESPONSES = {
    "accuracy": "predict", "neg_log_loss": "predict_proba", "roc_auc": "predict_proba",
    "neg_mean_squared_error": "predict", "r2": "predict", "f1": "predict",
}  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore::skcvstats.SplitDesignWarning")


def out_of_fold(models, X, y, splits, response, n_repeats=REPEATS):
    """Return what each model says of the rows of its fold, by a loop."""
    found = {}
    for name, model in models.items():
        runs = []
        for fold, (train, test) in enumerate(splits):
            if fold % (len(splits) // n_repeats) == 0:
                runs.append([None] * len(y))
            fitted = clone(model).fit(X[train], y[train])
            for row, value in zip(test, getattr(fitted, response)(X[test]), strict=True):
                runs[-1][row] = value
        found[name] = np.array(runs)
    return found


def predicted(cv, y=Y, **options):
    """Return what scikit-learn predicts out of fold."""
    predict = partial(model_selection.cross_val_predict, X=X, y=y, cv=cv, **options)
    return {name: predict(model) for name, model in CLASSIFIERS.items()}


def numbers(result):
    """Return the table without the notes, as out-of-fold predictions have one more."""
    return result.to_frame().drop(columns="note")


def assert_same(one, other, rtol=1e-12):
    """Assert that two results have the same numbers, verdicts, sizes and scores."""
    assert one.metrics == other.metrics
    pd.testing.assert_frame_equal(numbers(one), numbers(other), rtol=rtol, atol=1e-15)
    assert one.scores.design.digests == other.scores.design.digests
    assert one.scores.design.y_digest == other.scores.design.y_digest
    np.testing.assert_allclose(one.scores.values, other.scores.values, rtol=rtol)
    for name in ("values", "rows", "offsets", "groups", "weights"):
        of_rows = [getattr(result.scores.row_scores, name, None) for result in (one, other)]
        if of_rows[0] is not None or of_rows[1] is not None:
            np.testing.assert_allclose(*of_rows, rtol=rtol)


FLAGS = Y.astype(bool)
DIABETES, WINE = load_diabetes(return_X_y=True), load_wine(return_X_y=True)
ROW_T, WHOLE = {"method": "row_t"}, {"method": "corrected_resampled_t", "margin": 0.01}
VALUES = model_selection.RepeatedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=0)
CASES = {
    "numbers": (CLASSIFIERS, (X, Y), CV, "accuracy", ROW_T),
    "text": (CLASSIFIERS, (X, WORDS), CV, "accuracy", ROW_T),
    "flags": (CLASSIFIERS, (X, FLAGS), CV, "accuracy", ROW_T),
    "losses": (CLASSIFIERS, (X, WORDS), CV, "neg_log_loss", ROW_T),
    "areas": (CLASSIFIERS, (X, FLAGS), CV, "roc_auc", ROW_T),
    "three classes": (CLASSIFIERS, WINE, CV, "neg_log_loss", ROW_T),
    "values": (REGRESSORS, DIABETES, VALUES, "neg_mean_squared_error", ROW_T),
    "values of folds": (REGRESSORS, DIABETES, VALUES, "r2", ROW_T),
    "whole folds": (REGRESSORS, DIABETES, VALUES, "r2", WHOLE),
}


@pytest.mark.parametrize("name", every(2, CASES))
def test_it_says_what_compare_estimators_says(name):
    models, data, cv, metric, options = CASES[name]
    splits = list(cv.split(*data))
    wanted = s.compare_estimators(models, *data, scoring=metric, cv=cv, **options)
    made = out_of_fold(models, *data, splits, RESPONSES[metric])
    for folds in (cv, splits, iter(splits)):
        found = s.compare_out_of_fold(data[1], made, folds=folds, scoring=metric, **options)
        assert_same(found, wanted)


@pytest.mark.parametrize("method", ["row_t", s.RowTTest(inflation=0.3), "corrected_resampled_t"])
def test_groups_are_units(method):
    groups = np.repeat(np.arange(48), 4)[: len(Y)]
    cv = model_selection.GroupKFold(FOLDS)
    options = {"groups": groups, "scoring": "accuracy", "method": method}
    made = predicted(cv, groups=groups)
    wanted = s.compare_estimators(CLASSIFIERS, X, Y, cv=cv, **options)
    found = s.compare_out_of_fold(Y, made, folds=cv, **options)
    assert found[0].test.unit == "groups"
    assert numbers(found).equals(numbers(wanted))
    labels = np.empty(len(Y), dtype="U1")
    for name, (_, test) in zip("uvwxy", cv.split(X, Y, groups), strict=True):
        labels[test] = name
    by_labels = s.compare_out_of_fold(Y, made, folds=labels, **options)
    assert numbers(by_labels).equals(numbers(wanted))


@pytest.mark.parametrize("metric", ["accuracy", "neg_log_loss", "f1"])
def test_weights_of_rows_as_routed_to_a_scorer(metric):
    weights = np.random.RandomState(0).uniform(0.5, 2, len(Y))
    weights[::7] = 0  # such rows count for nothing, but models are trained on them
    made = out_of_fold(CLASSIFIERS, X, Y, list(CV.split(X, Y)), RESPONSES[metric])
    with config_context(enable_metadata_routing=True):
        scorer = get_scorer(metric).set_score_request(sample_weight=True)
        models = {k: m.set_fit_request(sample_weight=False) for k, m in CLASSIFIERS.items()}
        options = {"cv": CV, "params": {"sample_weight": weights}, "method": "row_t"}
        wanted = s.compare_estimators(models, X, Y, scoring={metric: scorer}, **options)
    found = s.compare_out_of_fold(Y, made, folds=CV, scoring=metric, sample_weight=weights)
    for name in ("estimate", "standard_error", "df", "n_train", "pvalue"):
        ours, theirs = (getattr(result[0].test, name) for result in (found, wanted))
        assert ours == pytest.approx(theirs, rel=1e-12)


def test_pandas_input_is_aligned_by_its_index():
    rows = pd.Index([f"row {k}" for k in range(len(Y))])
    labels = np.empty(len(Y), dtype=int)
    for k, (_, test) in enumerate(ONCE.split(X, Y)):
        labels[test] = k
    made = predicted(ONCE)
    order = np.random.RandomState(0).permutation(len(Y))
    series = {name: pd.Series(part, rows).iloc[order] for name, part in made.items()}
    y, folds = pd.Series(Y, rows), pd.Series(labels, rows).iloc[order[::-1]]
    options = {"scoring": "accuracy", "cv": ONCE, "method": "row_t"}
    wanted = s.compare_estimators(CLASSIFIERS, pd.DataFrame(X, rows), y, **options)
    for given in (series, pd.DataFrame(series)):
        found = s.compare_out_of_fold(y, given, folds=folds, scoring="accuracy")
        assert numbers(found).equals(numbers(wanted))


def test_columns_that_are_named_for_classes_are_put_into_their_order():
    made = predicted(ONCE, WORDS, method="predict_proba")
    named = {name: pd.DataFrame(p, columns=["no", "yes"]) for name, p in made.items()}
    turned = {name: p[["yes", "no"]] for name, p in named.items()}
    for door in (s.compare_out_of_fold, s.compare_predictions):
        folds = {"folds": ONCE} if door is s.compare_out_of_fold else {}
        one, other = (door(WORDS, p, scoring="roc_auc", **folds) for p in (made, turned))
        assert one[0].test.estimate == other[0].test.estimate
        assert (one.scores.values > 0.8).all()
    unnamed = {name: pd.DataFrame(p) for name, p in made.items()}
    plain = s.compare_out_of_fold(WORDS, unnamed, folds=ONCE, scoring="roc_auc")
    found = s.compare_out_of_fold(WORDS, made, folds=ONCE, scoring="roc_auc")
    assert numbers(plain).equals(numbers(found))
    # A file's header contains text, the classes are numbers.
    y = (WORDS == "yes").astype(int)
    text = {name: p.set_axis(["1", "0"], axis=1) for name, p in turned.items()}
    read = s.compare_out_of_fold(y, text, folds=ONCE, scoring="roc_auc")
    assert read[0].test.estimate == found[0].test.estimate


def test_the_area_over_all_rows_is_said_where_it_is_far_from_the_mean_of_the_folds():
    made = out_of_fold(CLASSIFIERS, X, WORDS, list(CV.split(X, WORDS)), "predict_proba")
    near = s.compare_out_of_fold(WORDS, made, folds=CV, scoring="roc_auc")
    assert "mean of AUC" in {note.code for note in near.notes}
    assert "all out-of-fold rows" not in " ".join(str(near).split())
    shifts = np.random.default_rng(0).permutation(len(WORDS)) % 5  # of the folds of one repeat
    folds = np.sort(shifts)
    far = {name: runs[0][:, 1] + 0.5 * folds for name, runs in made.items()}
    result = s.compare_out_of_fold(WORDS, far, folds=folds, scoring="roc_auc")
    (said,) = (note.text for note in result.notes if note.code == "scores over all rows")
    assert said.startswith("ROC AUC is the mean of the folds' scores, weighted by their rows; over")
    for name, predicted in far.items():
        assert f"{roc_auc_score(WORDS == 'yes', predicted):.3f} ({name})" in said
    assert "is the mean of the folds" in " ".join(str(result).split())
    labels = {"a": made[next(iter(made))], "b": [(WORDS == "yes") * 1.0] * len(made[name])}
    found = s.compare_out_of_fold(WORDS, labels, folds=CV, scoring="roc_auc")
    (text,) = (n.text for n in found.notes if n.code == "two-valued predictions")
    assert text.startswith("the predictions of 'b' have two values only")
    options = {"scoring": "roc_auc", "method": "corrected_resampled_t"}
    other = s.compare_out_of_fold(WORDS, made, folds=CV, **options)
    assert "scores over all rows" not in {note.code for note in other.notes}


def test_forms_of_folds_and_predictions():
    random = np.random.RandomState(0)
    labels = np.stack([random.permutation(len(Y)) % FOLDS for _ in range(REPEATS)])
    made = {name: np.where(random.uniform(size=labels.shape) < 0.8, Y, 1 - Y) for name in "abc"}
    options = {"scoring": "accuracy", "reference": "a"}
    found = s.compare_out_of_fold(Y, made, folds=labels, **options)
    right = np.stack([made[name] == Y for name in "bc"]) - (made["a"] == Y).astype(float)
    tests = row_ttest(right, n_folds=FOLDS, folds=labels)
    assert [c.test.pvalue for c in found] == pytest.approx(tests.pvalue.tolist(), rel=1e-12)

    lists = {name: list(part) for name, part in made.items()}
    series = {name: [pd.Series(run) for run in part] for name, part in made.items()}
    plain = {name: part.tolist() for name, part in made.items()}
    words = np.array(["u", "v", "w", "x", "y"])[labels]
    for given, folds in [(lists, words), (series, labels + 7), (plain, labels.tolist())]:
        again = s.compare_out_of_fold(Y, given, folds=folds, **options)
        assert numbers(again).equals(numbers(found))

    # one repeat with its axis, and without
    for first in (slice(1), 0):
        one = {name: part[first] for name, part in made.items()}
        result = s.compare_out_of_fold(Y, one, folds=labels[first], **options)
        assert result.scores.design.levels == ("fold",)
        assert result.scores.design.n_splits == FOLDS

    chances = {name: np.where(part == 1, 0.7, 0.2) for name, part in made.items()}
    both = {name: np.stack([1 - p, p], axis=-1) for name, p in chances.items()}
    options = {"folds": labels, "scoring": "neg_log_loss"}
    one, other = (s.compare_out_of_fold(Y, p, **options) for p in (chances, both))
    assert numbers(one).equals(numbers(other))


@pytest.mark.parametrize("method", ["row_t", "corrected_resampled_t"])
def test_losses_in_folds_that_lack_a_class(method):
    y, folds = np.r_[[0] * 4, [1] * 28, [2] * 28], np.arange(60) % 5
    made = {name: np.random.default_rng(k).dirichlet(np.ones(3), 60) for k, name in enumerate("ab")}
    hits = np.eye(3)[y]
    losses = {
        "neg_log_loss": {name: np.log(p[hits == 1]) for name, p in made.items()},
        "neg_brier_score": {name: -((p - hits) ** 2).sum(axis=1) for name, p in made.items()},
    }
    if "scale_by_half" not in str(brier_score_loss.__doc__):  # for two classes only
        del losses["neg_brier_score"]
    assert 0 not in y[folds == 4]
    for metric, rows in losses.items():
        result = s.compare_out_of_fold(y, made, folds=folds, scoring=metric, method=method)
        wanted = [[rows[name][folds == k].mean() for k in range(5)] for name in "ab"]
        np.testing.assert_allclose(result.scores.values, wanted, rtol=1e-12)


def test_probabilities_that_do_not_quite_add_to_one_are_said_once():
    y, p = np.arange(60) % 2, np.random.default_rng(0).random((2, 60))
    made = {name: np.stack([1 - part, part], axis=1) for name, part in zip("ab", p, strict=True)}
    made["b"][7, 0] += 2e-5
    for door in (s.compare_out_of_fold, s.compare_predictions):
        more = {"folds": np.arange(60) % 5} if door is s.compare_out_of_fold else {}
        with warnings.catch_warnings(record=True, action="always") as caught:
            door(y, made, scoring="neg_log_loss", **more)
        (warning,) = caught
        assert "'b' do not quite add to 1 in 1 row (the farthest: 1.00002)" in str(warning.message)


def test_the_result_says_what_was_not_verified_and_is_of_algorithms():
    cv = model_selection.KFold(FOLDS, shuffle=True, random_state=0)
    made = predicted(cv)
    result = s.compare_out_of_fold(Y, made, folds=cv, scoring="accuracy")
    assert "out of fold" in [note.code for note in result.notes]
    assert "early stopping" in "".join(note.text for note in result.notes)
    assert "152 training rows)" in str(result)
    assert result.scores.provenance["scoring"] == "accuracy"
    by_labels = s.compare_out_of_fold(Y, made, folds=np.arange(len(Y)) % 5, scoring="accuracy")
    reports = ["".join(str(s.evaluation_report(found)).split()) for found in (result, by_labels)]
    assert ["drawnby" in report for report in reports] == [True, False]


def test_rows_and_groups_that_were_left_out_alone():
    y = np.arange(60) % 2
    given = {"a": y, "b": np.where(np.arange(60) < 9, 1 - y, y)}
    for folds in (model_selection.LeaveOneOut(), np.arange(60), model_selection.KFold(60)):
        with pytest.raises(s.SplitDesignError, match=r"\(leave-one-out\).*of a holdout"):
            s.compare_out_of_fold(y, given, folds=folds, scoring="accuracy")
    how = {"scoring": "accuracy", "method": "corrected_resampled_t"}  # of labels as of a splitter
    both = np.arange(60), model_selection.LeaveOneOut()
    one, other = (s.compare_out_of_fold(y, given, folds=folds, **how) for folds in both)
    assert one[0].test.pvalue == other[0].test.pvalue
    remedies = {12: "GroupKFold.*holdout", 6: r"10 groups use compare_estimators.*holdout"}
    for n_groups, remedy in remedies.items():
        groups = np.arange(60) % n_groups
        for folds in (model_selection.LeaveOneGroupOut(), groups):
            with pytest.raises(s.SplitDesignError, match=f"leave-one-group-out.*{remedy}"):
                s.compare_out_of_fold(y, given, folds=folds, groups=groups, scoring="accuracy")
        assert s.compare_out_of_fold(y, given, folds=groups, scoring="accuracy").names
