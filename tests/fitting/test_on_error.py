"""A failure costs one model: errors before the fits, and what is left out after them."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import f1_score, jaccard_score, make_scorer
from sklearn.model_selection import KFold, cross_validate
from sklearn.naive_bayes import GaussianNB

import skcvstats as s
from tests.bad_input.fitting import NoClone
from tests.processes import JOBS

N = 60
X = np.column_stack([np.arange(N), np.random.RandomState(0).normal(size=N)]).astype(float)
Y = (X[:, 1] + np.random.RandomState(1).normal(size=N) > 0).astype(int)
RARE = (np.arange(N) < 6).astype(int)
IN_WORDS = np.where(Y, "yes", "no")
THREE = np.where(RARE, 2, Y)
CV = KFold(12, shuffle=True, random_state=0)
TEN = s.RepeatedSubsampleSplit(15, random_state=0)

pytestmark = pytest.mark.filterwarnings(
    "ignore::skcvstats.exceptions.SplitDesignWarning",
    "ignore::sklearn.exceptions.FitFailedWarning",
    "ignore::sklearn.exceptions.UndefinedMetricWarning",
)


class Counted(ClassifierMixin, BaseEstimator):
    """Fail without the row `needs`, or always if it is -1; count the fits in a file."""

    def __init__(self, needs=None, log=None):
        self.needs = needs
        self.log = log

    def fit(self, X, y):
        if self.log is not None:
            with open(self.log, "a", encoding="utf-8") as file:
                file.write(".")
        if self.needs is not None and self.needs not in X[:, 0]:
            raise RuntimeError("the disk is full")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return (X[:, 1] > 0.3).astype(int)


def models(**more):
    return {"bayes": GaussianNB(), "cut": Counted(), **more}


def later():
    """Return a row that is tested in one fold, not the first."""
    folds = [test for _, test in CV.split(X)]
    return int(folds[4][0])


def compare(estimators, y=Y, cv=CV, **options):
    return s.compare_estimators(estimators, X, y, cv=cv, **options)


def strictly(estimators, category=Warning, **options):
    """Compare with warnings as errors."""
    with warnings.catch_warnings(action="error", category=category):
        return compare(estimators, **options)


def failure_of(failing, **options):
    """Return the error of a comparison, whose message is one line."""
    with pytest.raises(s.FitError, match="ix the cause and score again") as caught:
        compare(failing, **options)
    assert "\n" not in str(caught.value)
    return caught.value


def n_fits(log):
    return len(log.read_text()) if log.exists() else 0


class TestBeforeTheFirstFit:
    @pytest.mark.parametrize(
        ("more", "y", "scoring", "said"),
        [
            ({"boost": NoClone()}, Y, None, "'boost' cannot be cloned"),
            (
                {},
                np.where(np.arange(N) == 7, None, Y),
                None,
                "1 of 60 rows, where no score can be computed: row 7",
            ),
            ({}, IN_WORDS, ["accuracy", "f1"], "f1_score, pos_label='yes'"),
        ],
    )
    def test_what_cannot_be_fitted_is_refused_before_the_first_fit(
        self, more, y, scoring, said, tmp_path
    ):
        log = tmp_path / "fits"
        pair = {"counted": Counted(log=str(log)), "dummy": DummyClassifier()}
        with pytest.raises((s.FitError, ValueError), match=said):
            compare(pair | more, y, scoring=scoring)
        assert n_fits(log) == 0

    def test_what_cannot_be_cloned_is_left_out(self):
        with pytest.warns(FitFailedWarning, match="'boost': RuntimeError: Cannot clone"):
            result = compare(models(boost=NoClone()), on_error="drop")
        ((name, metric, cause),) = result.dropped
        assert (name, metric) == ("boost", None)
        assert "Cannot clone" in cause
        expected = compare(models())
        assert result.tests[0].pvalue == expected.tests[0].pvalue
        assert "left out" in result.to_frame()["note"][0]
        for text in (str(result), str(s.evaluation_report(result))):
            assert "oost was left out (RuntimeError: Cannot clone" in " ".join(text.split())
        assert "boost was left out" in repr(result)

    def test_missing_targets_and_any_columns_are_the_users_own_matter(self):
        y = np.where(np.arange(N) == 7, np.nan, Y)

        def known(estimator, X, y):
            return float(np.nanmean(estimator.predict(X) == y))

        models = {"a": Counted(), "b": DummyClassifier(strategy="constant", constant=1)}
        assert np.isfinite(compare(models, y, scoring=known).scores).all()
        frame = pd.DataFrame({"text": ["a"] * N, "day": pd.Timestamp(0), "hole": np.nan})
        result = s.compare_estimators(models | {"a": DummyClassifier()}, frame, Y, cv=CV)
        assert np.isfinite(result.scores).all()


class TestUndefinedMetrics:
    @pytest.mark.parametrize(
        ("y", "metric", "options", "said"),
        [
            *(
                (RARE, metric, {"cv": TEN}, "6 of 15 .* only one class, for which .* is undefined")
                for metric in (
                    "balanced_accuracy", "f1_macro", "roc_auc_ovr",
                    make_scorer(jaccard_score, average="macro"),
                )
            ),
            (THREE, "roc_auc_ovr", {"cv": TEN}, r"fewer than 3 classes .the first lacks 2., for"),
            (np.arange(N) % 2, "f1", {"method": "conservative_z"}, "of 300 auxiliary test sets"),
        ],
    )  # fmt: skip
    def test_test_sets_without_a_class(self, y, metric, options, said):
        with pytest.raises(s.SplitDesignError, match=said):
            s.cross_val_inference(GaussianNB(), X, y, scoring=metric, **options)

    def test_what_is_defined_everywhere_or_filled_by_the_user_has_no_note(self):
        strata = s.RepeatedSubsampleSplit(15, test_size=0.2, stratify=True, random_state=0)
        filled = make_scorer(f1_score, zero_division=1.0)
        defined = ("accuracy", "neg_log_loss", "neg_brier_score", "f1_weighted", filled)
        for metric, cv in (*((metric, TEN) for metric in defined), ("f1", strata)):
            result = s.cross_val_inference(GaussianNB(), X, RARE, cv=cv, scoring=metric)
            assert np.isfinite(result.scores).all()
            assert "undefined metric" not in [note.code for note in result.notes]

    @pytest.mark.parametrize(
        ("y", "cause"), [(RARE, "6 of 15 .* contain no 1"), (IN_WORDS, "scoring='f1' takes 1")]
    )
    def test_the_metric_is_left_out(self, y, cause):
        pair = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
        scoring = ["accuracy", "f1", "f1_micro"]
        result = compare(pair, y, TEN, scoring=scoring, on_error="drop")
        assert result.metrics == ("accuracy", "f1_micro")
        for text in (result, s.evaluation_report(result)):
            said = " ".join(str(text).split())
            assert re.search(rf"f1 was left out, for all estimators \({cause}", said)
        with pytest.raises(KeyError, match="it was left out"):
            result["f1"]

    def test_a_model_that_one_of_two_metrics_cannot_score(self):
        three = {"bayes": GaussianNB(), "dummy": DummyClassifier(), "mute": Counted()}
        scoring = ["accuracy", "neg_log_loss"]
        with pytest.raises(TypeError, match="'mute' cannot be scored with 'neg_log_loss'"):
            compare(three, scoring=scoring)
        result = compare(three, scoring=scoring, on_error="drop")
        ((name, metric, cause),) = result.dropped
        assert (name, metric) == ("mute", "neg_log_loss")
        assert "predict_proba" in cause
        assert len(result["accuracy"]) == 3
        assert len(result["neg_log_loss"]) == 1

    def test_a_scorer_is_the_users_own_and_noted(self):
        words = np.where(RARE, "yes", "no")
        scorer = make_scorer(f1_score, pos_label="yes", greater_is_better=True)
        with pytest.warns(s.SplitDesignWarning, match="no 'yes', for which f1 is undefined"):
            result = s.cross_val_inference(Words(), X, words, cv=TEN, scoring=scorer)
        (note,) = [note for note in result.notes if note.code == "undefined metric"]
        assert str(note) not in str(result)
        assert "Warnings: undefined metric" in str(result)

    def test_cross_val_score_notes_and_its_interval_says_it(self):
        scores = s.cross_val_score(Counted(), X, RARE, cv=TEN, scoring="f1")
        theirs = cross_validate(Counted(), X, RARE, cv=TEN, scoring="f1")["test_score"]
        np.testing.assert_array_equal(scores.values, theirs)
        with pytest.warns(s.SplitDesignWarning, match="6 of 15 test sets contain no 1"):
            scores.confidence_interval()
        areas = s.cross_val_score(GaussianNB(), X, RARE, cv=TEN, scoring="roc_auc")
        with pytest.raises(s.FitError, match="6 of 15 test sets contain only one class"):
            areas.confidence_interval()


class Words(Counted):
    def predict(self, X):
        return np.where(X[:, 1] > 0.3, "yes", "no")


@pytest.mark.parametrize("n_jobs", JOBS)
class TestFits:
    def test_the_first_fit_ends_the_call(self, n_jobs, tmp_path):
        log = tmp_path / "fits"
        failing = models(boost=Counted(-1), counted=Counted(log=str(log)))
        with pytest.raises(s.FitError, match=r"first fit of 'boost'.*on_error='drop'") as caught:
            compare(failing, n_jobs=n_jobs)
        assert "of 48 fits were finished" in caught.value.__notes__[0]
        assert n_fits(log) < 12 or n_jobs == 2  # another worker may be quicker than the news

    def test_finished_scores_go_to_compare_scores(self, n_jobs):
        error = failure_of(models(boost=Counted(later()), dummy=DummyClassifier()), n_jobs=n_jobs)
        others = models(dummy=DummyClassifier())
        kept = {name: error.scores["accuracy"][name] for name in others}
        found = s.compare_scores(kept, method="row_t")
        expected = compare(others)
        frames = (result.to_frame(full=True).drop(columns="note") for result in (found, expected))
        pd.testing.assert_frame_equal(*frames)
        error = failure_of({"bayes": GaussianNB(), "boost": Counted(later())}, n_jobs=n_jobs)
        on_eleven = s.compare_scores(error.scores["accuracy"].dropna())
        assert on_eleven.tests[0].n_splits == 11

    def test_so_do_auxiliary_scores(self, n_jobs):
        options = {"cv": None, "method": s.ConservativeZTest(n_pairs=2)}
        failing = models(boost=OnSmall(), dummy=DummyClassifier())
        error = failure_of(failing, n_jobs=n_jobs, **options)
        others = models(dummy=DummyClassifier())
        kept, further = (
            {name: scores["accuracy"][name] for name in others}
            for scores in (error.scores, error.auxiliary)
        )
        found = s.compare_scores(kept, auxiliary=further, method=options["method"])
        pd.testing.assert_frame_equal(
            found.to_frame(full=True), compare(others, **options).to_frame(full=True)
        )

    def test_who_fails_is_left_out(self, n_jobs):
        for row, where in ((later(), "1 of 12 splits"), (-1, "all splits")):
            result = compare(models(boost=Counted(row)), n_jobs=n_jobs, on_error="drop")
            assert result.dropped == (("boost", None, f"RuntimeError: the disk is full; {where}"),)
            assert result.tests[0].pvalue == compare(models()).tests[0].pvalue

    def test_one_metric_of_three_for_one_estimator(self, n_jobs):
        scoring = {"accuracy": "accuracy", "bad": fails_for_boost, "f1": "f1_macro"}
        everyone = models(boost=Boost(), dummy=DummyClassifier())
        result = compare(everyone, scoring=scoring, n_jobs=n_jobs, on_error="drop")
        assert [entry[:2] for entry in result.dropped] == [("boost", "bad")]
        assert [len(result[metric]) for metric in result.metrics] == [6, 3, 6]
        assert len(result) == len(result.to_frame(full=True)) == 15
        of_each = [comparison.metric for comparison in result]
        assert of_each == ["accuracy"] * 6 + ["bad"] * 3 + ["f1"] * 6
        text = " ".join(str(result).split())
        assert "The estimator boost was left out of bad (ZeroDivisionError" in text
        assert "6 comparisons in accuracy, 3 comparisons in bad and 6 comparisons in F1" in text
        assert "3 comparisons in bad" in str(s.evaluation_report(result))
        alone = compare(models(dummy=DummyClassifier()), scoring={"bad": fails_for_boost})
        both = (it.to_frame(full=True)["pvalue_adjusted"] for it in (result["bad"], alone))
        np.testing.assert_array_equal(*both)
        scoring = {"accuracy": "accuracy", "bad": make_scorer(never)}  # which nobody has
        result = compare(models(), scoring=scoring, n_jobs=n_jobs, on_error="drop")
        assert result.metrics == ("accuracy",)
        assert result.dropped[0][:2] == (None, "bad")


class OnSmall(Counted):
    def fit(self, X, y):
        if len(X) < 40:  # on half-samples only
            raise RuntimeError("too few rows")
        return super().fit(X, y)


class Boost(Counted):
    """One for which a metric cannot be computed."""

    def predict(self, X):
        return (X[:, 1] > -0.1).astype(int)


def fails_for_boost(estimator, X, y):
    if isinstance(estimator, Boost):
        raise ZeroDivisionError("no leaves")
    return float(np.mean(estimator.predict(X) == y))


def never(y_true, y_pred):
    raise ZeroDivisionError("this metric never works")


class Raises(Counted):
    """Raises an error with a message."""

    def __init__(self, message=""):
        self.message = message

    def fit(self, X, y):
        raise ValueError(self.message)


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        ("could not convert string to float: 'north'", "OneHotEncoder"),
        ("float() argument must be a real number, not 'Timestamp'", "dates as numbers"),
        ("y should be a 1d array, got an array of shape (60, 2)", "one value for each row"),
        ("For early stopping, at least one dataset is required", "rows that are held out"),
        ("The 'groups' parameter should not be None", r"params={'groups': groups}"),
        ("Pipeline.fit does not accept the sample_weight parameter", "without metadata routing"),
        ("fit() got an unexpected keyword argument 'weight'", "without metadata routing"),
        ("Target is multiclass but average='binary'", "scoring='f1_macro'"),
    ],
)
def test_what_to_do_is_said_after_the_cause(message, hint):
    with pytest.raises(s.FitError) as caught:
        compare(models(boost=Raises(message)))
    cause, _, rest = str(caught.value).partition(f"ValueError: {message}. ")
    assert "The first fit of 'boost'" in cause
    assert hint in rest
    assert rest.endswith("Fix the cause, or pass on_error='drop', which leaves it out.")


def test_columns_of_text_against_scikit_learns_message():
    frame = pd.DataFrame({"region": ["north", "south"] * (N // 2), "x": X[:, 1]})
    with pytest.raises(s.FitError, match=r"to float: '\w+'\. If columns of X are text"):
        s.cross_val_inference(GaussianNB(), frame, Y, cv=CV)
    with pytest.raises(s.FitError, match="If columns of X are text"):
        s.cross_val_inference(GaussianNB(), frame[["region"]].to_numpy(str), Y, cv=CV)
    with pytest.raises(s.FitError, match="if y is text, pass classifiers"):
        s.cross_val_inference(GaussianNB(), X, IN_WORDS, cv=CV, scoring="neg_mean_squared_error")


class TestWarnings:
    @pytest.mark.parametrize(
        ("category", "options"),
        [
            (s.SplitDesignWarning, {"method": "corrected_resampled_t", "cv": KFold(4)}),
            (s.AnticonservativeWarning, {"method": "resampled_t", "cv": TEN}),
            (s.AnticonservativeWarning, {"reference": "best", "cv": TEN}),
        ],
    )
    def test_what_is_known_is_warned_of_before_the_fits(self, category, options, tmp_path):
        log = tmp_path / "fits"
        with pytest.raises(category):
            strictly(models(counted=Counted(log=str(log))), **options)
        assert n_fits(log) == 0

    def test_warnings_after_the_fits_carry_the_scores(self):
        twins = {"a": GaussianNB(), "b": GaussianNB()}
        with pytest.raises(s.DegenerateScoresWarning) as caught:
            strictly(twins, cv=TEN)
        assert caught.value.scores["accuracy"].shape == (2, 15)
        assert ".scores" in caught.value.__notes__[-1]
        with pytest.raises(FitFailedWarning) as caught:
            strictly(models(boost=Counted(later())), cv=CV, category=FitFailedWarning)
        assert np.isfinite(caught.value.scores["accuracy"]["bayes"]).all()

    @pytest.mark.parametrize("method", ["corrected_resampled_t", "resampled_t"])
    def test_no_sentence_is_both_warned_of_and_printed(self, method):
        for call in (
            lambda: compare(models(), cv=KFold(4), method=method, reference="best"),
            lambda: s.cross_val_inference(GaussianNB(), X, Y, cv=KFold(4), method=method),
        ):
            with warnings.catch_warnings(record=True, action="always") as caught:
                result = call()
            said = [str(entry.message).rstrip(".") for entry in caught]
            assert said
            for sentence in said:
                assert sentence[1:] not in str(result)
            codes = {note.code for note in result.notes if note.category is not None}
            assert all(code in str(result) for code in codes)
