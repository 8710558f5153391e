"""The row t-test from estimators to the result: what is said of means of rows and of folds."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
    cross_validate,
)
from sklearn.tree import DecisionTreeClassifier

from skcvstats import (
    CorrectedResampledTTest,
    CVScores,
    SplitDesign,
    compare_estimators,
    compare_scores,
    cross_val_inference,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(103, 4))
Y = (X[:, 0] + RNG.normal(size=103) > 0).astype(int)


class TestOtherMeans:
    """The mean over rows and that over folds, where a reader can see that they differ."""

    folds = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    unequal = PredefinedSplit(np.repeat([0, 1, 2], [60, 30, 13]))

    def notes(self, *models, n_rows=103, scoring="accuracy", name=None, cv=folds):
        options = {"scoring": {name: scoring} if name else scoring, "cv": cv}
        data = X[:n_rows], Y[:n_rows]
        if len(models) == 1:
            result = cross_val_inference(*models, *data, **options, method="row_t")
        else:
            labelled = {f"model {k}": model for k, model in enumerate(models)}
            result = compare_estimators(labelled, *data, **options, method="row_t")
        found = [note for note in result.notes if note.code.startswith("mean o")]
        assert all(note.category is None for note in found)
        return [note.text for note in found]

    def test_both_are_said(self):
        model = LogisticRegression()
        scores = cross_val_score(model, X, Y, cv=self.unequal)
        n_test = [len(test) for _, test in self.unequal.split()]
        over_rows, over_folds = np.average(scores, weights=n_test), scores.mean()
        (text,) = self.notes(model, cv=self.unequal)
        said = f"the estimate is the mean over rows, {over_rows:.3g}; the mean over folds is "
        assert text == f"{said}{over_folds:.3g}"

    def test_once_for_several(self):
        tree, weak = DecisionTreeClassifier(random_state=0), LogisticRegression(C=0.01)
        (text,) = self.notes(LogisticRegression(), tree, weak, cv=self.unequal)
        assert "of 3 tests, the estimate is the mean over rows" in text
        assert text.endswith("where they differ most")

    @pytest.mark.parametrize("n_rows", [100, 103])
    def test_silent_where_folds_are_about_equal(self, n_rows):
        assert self.notes(LogisticRegression(), n_rows=n_rows) == []

    @pytest.mark.parametrize("name", [None, "mine"])
    def test_areas_are_those_of_folds(self, name):
        (text,) = self.notes(LogisticRegression(), scoring="roc_auc", name=name)
        said = "roc_auc is the mean AUC of the folds, weighted by their rows, and not the AUC "
        assert text == f"{said}over all out-of-fold rows"


MODELS = {"a": LogisticRegression(), "b": DecisionTreeClassifier(max_depth=1)}
FIVE = KFold(5, shuffle=True, random_state=0)
METRICS = ("accuracy", "r2", "roc_auc")


def finished(cv=FIVE, scoring="accuracy", groups=None, names="ab"):
    """Return results of `cross_validate` by model."""
    options = {"cv": cv, "scoring": [scoring], "groups": groups, "return_indices": True}
    return {name: cross_validate(MODELS[name], X, Y, **options) for name in names}


def said(result):
    """Return what is said of means of folds."""
    found = [note for note in result.notes if note.code == "means of folds"]
    assert all(note.category is None for note in found)
    return [note.text for note in found]


@pytest.mark.filterwarnings("ignore::skcvstats.SplitDesignWarning")
class TestFinishedFolds:
    """What the scores of rows would give is said of finished scores of folds only."""

    def test_each_road(self):
        done = finished()
        values = {name: results["test_accuracy"] for name, results in done.items()}
        rows = np.array(list(values.values()))
        design = SplitDesign.from_splitter(FIVE, X, Y)
        (text,) = said(compare_scores(done))
        assert text == (
            "only the means of folds are known; the scores of the rows would give shorter "
            "intervals, which vary less from one data set to another: compare_estimators and "
            "cross_val_inference keep them"
        )
        read = {name: CVScores.from_cv_results(results) for name, results in done.items()}
        procedure = CorrectedResampledTTest()
        for result in (
            compare_scores(values, metric="accuracy", design=design),
            compare_scores(rows, metric="accuracy", design=design),
            compare_scores(read),
            procedure(done["a"]),
            procedure(done["a"], done["b"]),
        ):
            assert said(result) == [text]
            test = getattr(result, "tests", [result])[0]
            assert test.method == "corrected_resampled_t"

    def test_of_every_metric_and_of_many_folds(self):
        told = {name: said(compare_scores(finished(scoring=name))) for name in METRICS}
        assert [bool(of_metric) for of_metric in told.values()] == [True] * len(METRICS)
        cv = RepeatedKFold(n_splits=10, n_repeats=2, random_state=0)
        (text,) = said(compare_scores(finished(cv)))
        assert "would give intervals that vary less" in text
        done = finished()["a"]
        for metric in ("score", "mine"):  # of an unknown one under a condition
            renamed = {"test_" + metric: done["test_accuracy"], "indices": done["indices"]}
            (text,) = said(CorrectedResampledTTest()(renamed))
            assert "; if the metric is a mean over rows, the scores of the rows would give" in text

    @pytest.mark.filterwarnings("ignore::skcvstats.AnticonservativeWarning")
    @pytest.mark.parametrize(
        "options",
        [
            *({"cv": KFold(2)}, {"cv": LeaveOneOut()}),  # without a row t-test
            *({"cv": ShuffleSplit(15)}, {"cv": TimeSeriesSplit(12)}),
            *(
                {"scoring": "rand_score"},
                {"scoring": "fowlkes_mallows_score"},
            ),  # not means over rows
        ],
        ids=str,
    )
    def test_silent_where_the_row_t_test_cannot_be_had(self, options):
        assert said(CorrectedResampledTTest()(finished(**options, names="b")["b"])) == []

    @pytest.mark.parametrize(("scoring", "n_notes"), [("rand_score", 0), ("roc_auc", 1)])
    def test_silent_without_scores_of_rows_and_for_folds_of_a_part(self, scoring, n_notes):
        groups = np.arange(103) // 4
        done = finished(GroupKFold(5), scoring, groups, names="a")["a"]
        scores = CVScores.from_cv_results(done, groups=groups)
        assert len(said(CorrectedResampledTTest()(scores))) == n_notes
        of_a_part = CVScores.from_cv_results(finished()["a"], n_samples=200)
        assert said(CorrectedResampledTTest()(of_a_part)) == []

    def test_silent_where_estimators_are_fitted_and_for_scores_of_rows(self):
        options = {"cv": FIVE, "method": "corrected_resampled_t"}
        result = compare_estimators(MODELS, X, Y, scoring="accuracy", **options)
        assert said(result) == said(compare_scores(result.scores_by_metric)) == []
        assert said(cross_val_inference(MODELS["a"], X, Y, **options)) == []
        of_rows = cross_val_inference(MODELS["a"], X, Y, cv=FIVE, method="row_t")
        assert said(CorrectedResampledTTest()(of_rows.scores)) == []
