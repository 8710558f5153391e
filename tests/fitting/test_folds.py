"""Procedures that request repeated folds, and refuse test rows before the first fit."""

import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import model_selection as ms
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcvstats as s
from tests.data import iris
from tests.simulation.studies import classes, line

X, Y = iris()
GROUPS = np.array([f"plant {k % 31}" for k in range(150)])
TREE = DecisionTreeRegressor(random_state=0, max_depth=2)
PAIR = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


def infer(estimator=PAIR["bayes"], X=X, y=Y, **options):
    return s.cross_val_inference(estimator, X, y, method=s.RowTTest(), **options)


@pytest.mark.parametrize("seed", [0, 7])
def test_classifiers_get_stratified_folds_without_a_note(seed):
    with warnings.catch_warnings(action="error"):
        result = s.compare_estimators(PAIR, X, Y, method=s.RowTTest(), random_state=seed)
    design = result.scores.design
    assert (design.levels, design.shape) == (("repeat", "fold"), (4, 5))
    assert design.source == f"RepeatedStratifiedKFold(n_repeats=4, n_splits=5, random_state={seed})"
    assert design.notes == ()
    cv = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=seed)
    given = s.compare_estimators(PAIR, X, Y, method=s.RowTTest(), cv=cv)
    assert given.scores.design == design
    # Stratified folds are the default, and no weakness for other procedures either.
    inference = s.CorrectedResampledTTest().run(given.scores["bayes"])
    assert "stratified" not in [note.code for note in inference.notes]


def test_tenths_for_classifiers_are_stratified_without_a_note():
    with warnings.catch_warnings(action="error"):
        result = s.compare_estimators(PAIR, X, Y, method="corrected_resampled_t")
    design = result.scores.design
    assert design.notes == result.notes == ()
    cv = s.RepeatedSubsampleSplit(15, stratify=True, random_state=0)
    assert design == s.SplitDesign.from_splitter(cv, X, Y)
    grouped = s.compare_estimators(PAIR, X, Y, groups=GROUPS, method="corrected_resampled_t")
    assert "stratify=False" in grouped.scores.design.source
    for method in ("resampled_t", "holdout_t"):  # only these two methods ask for it
        with pytest.warns(s.AnticonservativeWarning):
            other = s.cross_val_inference(PAIR["bayes"], X, Y, method=method)
        assert "stratify=False" in other.scores.design.source


@pytest.mark.parametrize("n_groups", [2, 3, 9])
@pytest.mark.parametrize("scoring", ["accuracy", "r2"])
def test_fewer_than_ten_groups_are_left_out_one_by_one(n_groups, scoring):
    """The formula, and scikit-learn's scores on its own splits."""
    groups = [f"g{k % n_groups}" for k in range(150)]
    models = PAIR if scoring == "accuracy" else {"line": LinearRegression(), "tree": TREE}
    with warnings.catch_warnings(record=True, action="always") as caught:
        result = s.compare_estimators(models, X, Y, groups=groups, scoring=scoring)
    assert [str(w.message)[:10] for w in caught] == ["Two groups"] * (n_groups == 2)
    cv, other = ms.LeaveOneGroupOut(), {"groups": np.array(groups), "scoring": scoring}
    a, b = (ms.cross_val_score(model, X, Y, cv=cv, **other) for model in models.values())
    test = result.tests[0]
    assert abs(test.estimate) == pytest.approx(abs(np.mean(a - b)))
    factor = 1 / n_groups + 1 / (n_groups - 1)
    assert test.standard_error == pytest.approx(np.sqrt(factor * np.var(a - b, ddof=1)))
    assert (test.df, test.n_test, test.unit) == (n_groups - 1, 1, "groups")
    said = f"the data have {n_groups}, so LeaveOneGroupOut() tests on each of them once"
    (chosen,) = (note.text for note in result.notes if note.code == "method")
    assert chosen.endswith(said)
    with warnings.catch_warnings(action="ignore", category=s.SplitDesignWarning):  # of two groups
        given = s.compare_estimators(models, X, Y, cv=cv, method="corrected_resampled_t", **other)
    assert given.scores.design == result.scores.design
    assert given.tests[0].pvalue == test.pvalue


def test_fewer_than_ten_rows_are_left_out_one_by_one():
    part = slice(47, 53)
    with pytest.warns(s.SplitDesignWarning, match="on a single row"):
        test = s.compare_estimators(PAIR, X[part], Y[part]).tests[0]
    a, b = (ms.cross_val_score(it, X[part], Y[part], cv=ms.LeaveOneOut()) for it in PAIR.values())
    assert np.abs(test.estimate) == pytest.approx(np.abs(np.mean(a - b)))
    assert test.standard_error == pytest.approx(np.sqrt((1 / 6 + 1 / 5) * np.var(a - b, ddof=1)))
    assert test.df == 5


@pytest.mark.parametrize(("n_positive", "of_groups"), [(9, False), (10, False), (9, True)])
def test_few_rows_or_groups_of_a_class_are_noted_for_its_metrics(n_positive, of_groups):
    y = (np.arange(150) % 15 == 0).astype(int)
    y[: 15 * (10 - n_positive)] = 0
    groups = {"groups": np.arange(150) // 3, "cv": ms.StratifiedGroupKFold(3)} if of_groups else {}
    with warnings.catch_warnings(action="ignore", category=s.SplitDesignWarning):
        result = s.compare_estimators(PAIR, X, y, scoring=["roc_auc", "accuracy"], **groups)
    for metric in result.metrics:
        notes = [note.text for note in result[metric].notes if note.code == "few of a class"]
        said = [text.partition(":")[0] for text in notes]
        few = metric == "roc_auc" and n_positive < 10
        assert said == ([f"only 9 {'groups' if of_groups else 'rows'} of class 1"] if few else [])


def test_folds_that_divide_groups_are_not_told_to_repeat_rows():
    groups = np.arange(150) // 3
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        torn = s.compare_estimators(PAIR, X, Y, groups=groups, cv=ms.StratifiedKFold(5))
    (said,) = (note.text for note in torn.notes if note.code == "one repeat")
    assert "leave cv out, which draws 4 repeats of 5 folds of groups" in said
    folds = np.arange(150) % 5
    given = s.compare_out_of_fold(Y, {"a": Y, "b": np.roll(Y, 1)}, scoring="accuracy", folds=folds)
    (said,) = (note.text for note in given.notes if note.code == "one repeat")
    assert "cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4), for regression RepeatedK" in said


def test_few_groups_by_name_keep_random_splits_and_their_warning_names_the_others():
    few = {"groups": np.arange(150) % 5, "method": "corrected_resampled_t"}
    with pytest.warns(s.AnticonservativeWarning, match=r"cv=LeaveOneGroupOut\(\)"):
        result = s.compare_estimators(PAIR, X, Y, **few)
    assert result.scores.design.n_splits == 15
    with (
        pytest.warns(s.SplitDesignWarning, match="single row.* pass more data"),
        pytest.warns(s.AnticonservativeWarning, match=r"of 5, .*on each row once, cv=LeaveOneO"),
    ):
        s.compare_estimators(PAIR, X[47:53], Y[47:53], method="corrected_resampled_t")
    with pytest.raises(s.SplitDesignError, match="n=1 groups"):
        s.compare_estimators(PAIR, X, Y, groups=np.zeros(150))


@pytest.mark.parametrize(
    ("method", "n_rare", "text"),
    [
        ("row_t", 1, "class 9 has 1 row for 5 folds, so each repeat has 4 test sets without it"),
        ("row_t", 4, "class 9 has 4 rows for 5 folds, so each repeat has 1 test set without it"),
        ("row_t", 5, None),
        ("corrected_resampled_t", 1, "the splits are not stratified: class 9 has 1 row, and"),
        ("corrected_resampled_t", 2, None),
    ],
)
def test_a_rare_class_is_noted_by_its_name(method, n_rare, text):
    y = np.where(np.arange(150) < n_rare, 9, Y)
    with warnings.catch_warnings(action="error"):
        result = s.compare_estimators(PAIR, X, y, method=method)
    source = result.scores.design.source
    noted = [note.text for note in result.notes if note.code == "rare class"]
    assert len(noted) == (text is not None)
    assert all(note.startswith(text) for note in noted)
    is_stratified = method == "row_t" or text is None
    assert ("Stratified" in source or "stratify=True" in source) == is_stratified


def test_not_all_classifiers_no_folds_by_classes():
    y = np.arange(150) % 3
    models = {"class": DummyClassifier(), "number": DummyRegressor()}
    how = {"method": s.RowTTest(), "scoring": "neg_mean_squared_error"}
    result = s.compare_estimators(models, X, y, **how)
    assert result.scores.design.source.startswith("RepeatedKFold(")


def test_whole_groups_however_they_are_given():
    frame = pd.DataFrame(X).set_index(np.arange(150)[::-1])
    y, groups = (pd.Series(values, frame.index) for values in (Y, GROUPS))
    designs = [infer(groups=GROUPS).scores.design, infer(X=frame, y=y, groups=groups).scores.design]
    with sklearn.config_context(enable_metadata_routing=True):
        designs.append(infer(groups=GROUPS).scores.design)
        designs.append(infer(params={"groups": GROUPS}).scores.design)
        pairs = list(ms.GroupKFold(5).split(X, Y, GROUPS))  # which request no groups
        assert infer(groups=GROUPS, cv=pairs).scores.design.unit == "groups"
    for design in designs:
        assert design == designs[0]
        assert (design.unit, design.n_samples, design.shape) == ("groups", 31, (4, 5))
        assert design.source == "RepeatedGroupKFold(n_repeats=4, n_splits=5, random_state=0)"
        assert set(design.n_test) == {6, 7}
        assert not design.notes


def test_the_number_of_folds_is_the_instances():
    result = s.compare_estimators(PAIR, X, Y, method=s.RowTTest(n_repeats=2, n_folds=10))
    assert result.scores.design.shape == (2, 10)
    one = s.compare_estimators(PAIR, X, Y, method=s.RowTTest(n_repeats=1))
    assert (one.scores.design.levels, one.scores.design.shape) == (("fold",), (5,))


def test_a_study_draws_the_same_kind_of_folds():
    kinds = (classes, GaussianNB(), "RepeatedStrat"), (line, LinearRegression(), "RepeatedKFold(")
    for generator, estimator, source in kinds:
        study = s.simulate(generator, {"one": estimator}, [s.RowTTest()], n_data_sets=3)
        design = study.procedures[0].design
        assert design.source.startswith(source)
        assert design.shape == (4, 5)
