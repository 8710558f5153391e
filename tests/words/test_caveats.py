"""What decides the reading is said in the header or the answer, and what is no caveat is not."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import (
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    RepeatedStratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB

from skcvstats import (
    CVScores,
    SplitDesign,
    compare_candidates,
    compare_estimators,
    compare_losses,
    compare_predictions,
    compare_scores,
    cross_val_inference,
    evaluation_report,
)
from skcvstats.model_selection import RacingSearchCV
from skcvstats.stats import row_ttest
from tests.cheap import NearestMean
from tests.data import breast_cancer, classification, diabetes, iris

from .cases import quietly

X, Y = breast_cancer()
MODELS = {"bayes": GaussianNB(), "bayes 2": GaussianNB(var_smoothing=1e-8)}
REPEATED = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
DESIGN = SplitDesign.from_sizes(90, 10, n_splits=15)


def squeezed(result):
    return " ".join(str(result).split())


def codes(result):
    return {note.code for note in result.notes}


class TestFewRowsTell:
    def rows(self, n_apart, size=1.0, n_rows=100):
        scores = np.zeros((4, n_rows))
        scores[:, np.arange(n_apart) * 9 % n_rows] = size
        return row_ttest(scores, n_folds=5)

    @pytest.mark.parametrize(("n_apart", "size", "is_noted"), [(4, 1.7, True), (40, 1.7, False)])
    def test_of_losses(self, n_apart, size, is_noted):
        (*texts,) = (note.text for note in self.rows(n_apart, size).notes)
        said = "a few rows dominate the variance"
        assert any(text.startswith(said) for text in texts) == is_noted
        assert not any("a fifth" in text for text in texts)

    @pytest.mark.parametrize("size", [1, -1])
    def test_nothing_where_rows_are_right_or_wrong(self, size):
        assert "few rows tell" not in codes(self.rows(4, size))

    def test_of_metrics(self):
        """The answer counts the rows on which accuracies differ; log loss has no bound."""
        models = {"bayes": GaussianNB(), "linear": LinearDiscriminantAnalysis()}
        result = compare_estimators(
            models, *iris(), scoring=["accuracy", "neg_log_loss"], cv=REPEATED
        )
        rows = result.scores_by_metric["accuracy"].row_scores
        n_apart = len(np.unique(rows.rows[rows.values[0] != rows.values[1]]))
        assert 0 < n_apart <= 20
        assert f"; the models disagree on {n_apart} of 150 rows." in squeezed(result)
        assert squeezed(result).count("disagree") == 1
        assert "few rows tell" not in codes(result["accuracy"])
        assert "few rows tell" in codes(result["neg_log_loss"])
        said = f"the models disagree on {n_apart} of 150 rows."
        assert said in squeezed(evaluation_report(result["accuracy"]))
        assert "few rows tell" not in codes(cross_val_inference(GaussianNB(), X, Y, cv=5))
        brier = compare_estimators(MODELS, X, Y, scoring="neg_brier_score", cv=5)
        assert "few rows tell" not in codes(brier)  # at most 1

    def test_of_test_sets(self):
        """Also of losses that are 0 or 1; not where rows are weighted, or count by groups."""
        y = np.arange(200) % 2
        numbers = np.arange(200)
        made = {"a": np.where(numbers < 4, 1 - y, y), "b": np.where(numbers > 197, 1 - y, y)}
        losses = {name: (of != y) * 1.0 for name, of in made.items()}
        said = "; the models disagree on 6 of 200 rows."
        for method in ("auto", "mcnemar"):
            assert said in squeezed(compare_predictions(y, made, scoring="accuracy", method=method))
        assert said in squeezed(compare_losses(losses))
        more = {"groups": np.arange(200) // 4}, {"sample_weight": 1.0 + y}
        for how in more:
            assert "disagree" not in str(compare_losses(losses, **how))
        assert "disagree" not in str(compare_losses({name: 2 * of for name, of in losses.items()}))

    def test_many_rows_apart_are_not_counted(self):
        pair = {"mean": NearestMean(1), "bayes": GaussianNB()}
        assert "disagree" not in str(compare_estimators(pair, X, Y, cv=5))


def two_metrics(first, second):
    """Return scores of two models, the second metric as if measured on other rows."""
    noise = np.random.default_rng(0).normal(0, 0.02, size=(4, 15))
    rows = zip("fs", (first, second), strict=True)
    return {
        name: CVScores(
            values=np.stack([0.8 + gap + noise[2 * k], 0.8 + noise[2 * k + 1]]),
            design=DESIGN,
            labels=("logistic", "forest"),
            metric=name,
        )
        for k, (name, gap) in enumerate(rows)
    }


class TestOneDirection:
    def test_a_column_says_who_is_higher_where_rows_differ(self):
        result = compare_scores(two_metrics(0.05, -0.05))
        lines = str(result).split("\n\n")[1].splitlines()
        (head,) = (line.split() for line in lines if line.startswith("metric"))
        rows = {line.split()[0]: line.split() for line in lines if line[:2] in ("f ", "s ")}
        at = head.index("higher")
        assert (rows["f"][at], rows["s"][at]) == ("logistic", "forest")
        for name, row in rows.items():
            first, second = map(float, row[1:3])
            assert float(row[3]) == pytest.approx(abs(first - second), abs=2e-3), name

    def test_not_where_they_have_one_direction(self):
        assert "higher  " not in str(compare_scores(two_metrics(0.05, 0.05))).split("\n\n")[1]
        reference = compare_scores(two_metrics(0.05, -0.05), reference="forest")
        table = str(reference).split("\n\n")[1]
        assert "higher" not in table
        assert "  -0.0" in table


class TestHeader:
    def header(self, result):
        """Return the lines before the first answer."""
        return squeezed(str(result).split("\n\n")[0])

    def test_survivors_of_a_halving_search(self):
        data, target = classification(300)
        search = HalvingGridSearchCV(
            NearestMean(),
            {"n_columns": [1, 2, 3, 4]},
            cv=KFold(5),
            min_resources=60,
            max_resources=120,
            factor=2,
            random_state=0,
        ).fit(data, target)
        result = quietly(compare_candidates, search, data, target)
        n = len(result.names)
        assert n < 4
        said = self.header(result)
        assert f"of {n} of 4 candidates" in said
        assert "Candidates that the search dropped earlier are not considered." in said
        if all(result.ranking()["could_be_best"]):
            assert f"any of the {n} candidates of the last iteration could be the best" in said
        assert "surviving candidates" not in str(result)
        assert "surviving candidates" in codes(result)

    def test_those_that_left_a_race(self):
        data, target = classification(300)
        grid = {"n_columns": [1, 2, 3, 4, 5]}
        race = RacingSearchCV(NearestMean(), grid, random_state=0, min_splits=5, rule="screen")
        race.fit(data, target)
        n_left = int((race.cv_results_["dropped_after"] == 0).sum())
        assert 1 < n_left < 5
        result = quietly(compare_candidates, race)
        said = self.header(result)
        assert f"of {n_left} of 5 candidates" in said
        assert "Candidates that left the race are not considered." in said

    def test_groups_that_are_torn_or_few(self):
        groups = np.arange(569) // 40
        folds = KFold(5, shuffle=True, random_state=0)
        torn = quietly(compare_estimators, MODELS, X, Y, groups=groups, cv=folds)
        assert (
            "Groups are split across training and test, so the scores are too good."
            in self.header(torn)
        )
        assert "groups split across training and test" not in str(torn)
        few = quietly(compare_estimators, MODELS, X, Y, groups=groups)
        said = "Only 15 groups: the variance between them is poorly estimated."
        assert said in self.header(few)
        assert "few groups" not in str(few)
        one = quietly(cross_val_inference, GaussianNB(), X, Y, groups=groups)
        assert squeezed(one).count(said) == 1
        labels = {"a": Y, "b": np.roll(Y, 1)}
        few = quietly(compare_predictions, Y, labels, scoring="accuracy", groups=np.arange(569) % 6)
        assert "Only 6 groups: the variance" in self.header(few)
        many = compare_estimators(MODELS, X, Y, groups=np.arange(569) // 5, cv=GroupKFold(5))
        assert "variance between" not in self.header(many)


def test_who_could_be_best_is_explained_where_it_is_not_in_the_order_of_scores():
    rng = np.random.default_rng(0)
    base = rng.normal(0, 0.02, 15)
    steady, shaky = rng.normal(0, 0.002, 15), rng.normal(0, 0.03, 15)
    shaky -= shaky.mean()
    scores = {"a": 0.97 + base, "b": 0.96 + base + steady, "c": 0.951 + base.mean() + shaky}
    result = compare_scores(scores, design=DESIGN, metric="accuracy")
    assert result.ranking()["estimator"].tolist() == ["a", "b", "c"]
    assert set(result.best_set()) == {"a", "c"}
    said = "b could not be the best, though c with a lower score could: it also depends on how"
    assert squeezed(result).count(said) == 1
    assert squeezed(evaluation_report(result)).count(said) == 1
    usual = compare_scores(scores | {"c": 0.9 + base + steady[::-1]}, design=DESIGN, metric="x")
    assert "with a lower score could" not in str(usual)


def test_a_refusal_chooses_nothing():
    """Where no procedure is valid, the print does not say that one was chosen."""
    data, target = diabetes()
    lines = {"line": LinearRegression(), "ridge": Ridge()}
    splits = {"cv": TimeSeriesSplit(4)}
    for result in (
        quietly(compare_estimators, lines, data, target, scoring="neg_max_error", **splits),
        quietly(compare_estimators, MODELS, X, Y, method="corrected_resampled_t", **splits),
        quietly(cross_val_inference, Ridge(), data, target, scoring="neg_max_error", **splits),
    ):
        assert "is not valid for splits in time order" in squeezed(result)
        assert "chose the" not in str(result)
    valid = quietly(compare_estimators, MODELS, X, Y, **splits)
    assert "chose the Diebold-Mariano test" in squeezed(valid)
