"""Candidates without a reference: no pairs until they are asked for; parameters; saved results."""

import io
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import skcvstats as s
from tests.cheap import NearestMean, QuicklyScored

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 5))
Y = (X[:, 0] + X[:, 1] + RNG.normal(size=150) > 0).astype(int)
CV = s.RepeatedSubsampleSplit(12, random_state=0)
DESIGN = s.SplitDesign.from_sizes(135, 15, n_splits=12)


class Search:
    """A finished search with scores of its own."""

    scoring = "accuracy"
    estimator = SVC()

    def __init__(self, values, params=None):
        self.cv_results_ = {
            "params": params or [{"C": k} for k in range(len(values))],
            **{f"split{k}_test_score": column for k, column in enumerate(values.T)},
        }


def drawn(n_candidates, n_splits=12, best=0.9):
    """Return scores of candidates whose expected scores differ."""
    shared = RNG.normal(0, 0.02, n_splits)
    expected = np.linspace(best, 0.8, n_candidates)
    return expected[:, None] + shared + RNG.normal(0, 0.01, (n_candidates, n_splits))


@pytest.fixture(scope="module")
def few():
    return s.compare_candidates(Search(drawn(6)), design=DESIGN)


def test_it_is_quiet_and_compares_no_pairs():
    search = ms.GridSearchCV(QuicklyScored(), {"n_columns": [1, 2, 4]}, cv=CV).fit(X, Y)
    with warnings.catch_warnings(action="error"):
        result = s.compare_candidates(search, X, Y)
    assert result.reference is None
    assert len(result) == len(result.to_frame()) == len(result.tests) == 0
    assert list(result) == result.sentences() == []
    assert repr(result.comparisons) == "<0 Comparisons>"
    for asked in (lambda: result[0], lambda: result.tests[0], lambda: result.plot("differences")):
        with pytest.raises(IndexError, match=r"no pairs were compared, result\.pairs\(\)"):
            asked()


def test_the_means_and_the_best_set_are_those_of_all_pairs(few):
    stated = s.compare_scores(few.scores, reference=None)
    assert few.best_set() == stated.best_set()
    columns = ["estimator", "score", "low", "high", "pvalue_best", "could_be_best"]
    pd.testing.assert_frame_equal(few.ranking()[columns], stated.ranking()[columns])
    with_margin = few.with_margin(0.01).pairs(), s.compare_scores(few.scores, margin=0.01)
    for both in ((few.pairs(), stated), with_margin):
        found, expected = (it.to_frame().drop(columns="note") for it in both)
        pd.testing.assert_frame_equal(found, expected, check_exact=True)
    assert few.pairs().adjustment == stated.adjustment


def test_what_is_printed_reported_and_saved(few):
    text = " ".join(str(few).split())
    assert "; no pairs were compared, see pairs()." in text
    assert "could be the best" in text
    assert "difference is" not in text
    assert "p-value" not in text
    text = " ".join(str(few.with_margin(0.01)).split())
    assert "no pairs were compared (not used: margin), see pairs()" in text
    with pytest.raises(ValueError, match=r"of all pairs.*use result\.pairs\(\)\.letters"):
        few.letters()
    page = s.evaluation_report(few.with_margin(0.01)).to_html()
    for written in (str(s.evaluation_report(few)), page):
        assert "Ranking" in written
        assert "Differences" not in written
        assert "p-values" not in written
    assert few.to_dict()["accuracy/#0 C=0/could_be_best"] is True
    assert few.plot().ranking.shape[0] == 6
    read = s.ComparisonResult.from_json(few.to_json())
    assert str(read) == str(few)
    assert len(read) == 0
    pd.testing.assert_frame_equal(read.pairs().to_frame(), few.pairs().to_frame())


def test_a_procedure_without_a_best_set():
    shape = {"n_splits": 10, "shape": (5, 2), "levels": ("repeat", "fold")}
    design = s.SplitDesign.from_sizes(75, 75, n_samples=150, **shape)
    search = Search(drawn(3, 10))
    result = s.compare_candidates(search, design=design, method=s.FiveByTwoCVFTest())
    assert "accuracy: no pairs were compared" in str(result)
    assert len(result.pairs()) == 3


def test_more_than_fifty_candidates_need_top():
    assert len(s.compare_candidates(Search(drawn(50)), design=DESIGN).pairs()) == 50 * 49 // 2
    many = s.compare_candidates(Search(drawn(51)), design=DESIGN)
    with pytest.raises(ValueError, match=r"51 candidates have 1275 pairs\. Pass top=10"):
        many.pairs()
    with pytest.warns(s.AnticonservativeWarning, match="choice of the 10 best of 51 candidates"):
        pairs = many.pairs(top=10)
    said = "45 comparisons, adjusted (max-t); 10 of 51 candidates are compared."
    assert said in str(pairs)
    assert str(s.evaluation_report(pairs)).startswith("Evaluation report: accuracy of 10 of 51")
    assert len(pairs) == 45
    assert pairs.params("#50") == {"C": 50}  # also of those that are not compared


class TestParams:
    def test_are_those_of_the_search(self):
        grid = [{"C": [0.5, 2.0], "gamma": ["scale"]}]
        grid += [{"kernel": ["linear"], "class_weight": [None, {0: 2}]}]
        search = ms.GridSearchCV(SVC(), grid, cv=CV, refit=False).fit(X, Y)
        result = s.compare_candidates(search, X, Y)
        for label, params in zip(result.scores.labels, search.cv_results_["params"], strict=True):
            assert result.params(label) == result.params(label.split()[0]) == params
        found = [result.params(name) for name in result.best_set()]
        assert all(clone(SVC()).set_params(**params) for params in found)
        found[0].clear()  # a copy
        assert result.params(result.best_set()[0])

    def test_objects(self):
        grid = {"svc": [SVC(C=0.5), SVC(C=2.0)]}
        search = ms.GridSearchCV(make_pipeline(SVC()), grid, cv=CV, refit=False).fit(X, Y)
        result = s.compare_candidates(search, X, Y)
        assert result.params("#1")["svc"] is search.cv_results_["params"][1]["svc"]
        read = s.ComparisonResult.from_json(result.to_json())
        with pytest.raises(ValueError, match=r"of '#1'.*JSON does not contain objects"):
            read.params("#1")
        many = s.compare_candidates(Search(drawn(40)), design=DESIGN)
        with pytest.raises(ValueError, match=r"of 'no' among those of \['#0 C=0', .* and 37 more"):
            many.params("no")

    def test_saved(self):
        grid = {"hidden_layer_sizes": [(5,), (5, 5)], "alpha": np.array([0.1, 1e-300])}
        params = list(ms.ParameterGrid({**grid, "max_iter": [np.int64(9)], "solver": [None]}))
        search = Search(drawn(4), params)
        search.estimator = MLPClassifier()
        read = s.ComparisonResult.from_json(s.compare_candidates(search, design=DESIGN).to_json())
        assert [read.params(f"#{k}") for k in range(4)] == params


ADVICE = "cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4), for regression RepeatedKFold"
MODELS = {"a": QuicklyScored(1), "b": QuicklyScored(2)}


class TestUsualFolds:
    @pytest.mark.parametrize("cv", [5, ms.StratifiedKFold(5), ms.KFold(5)], ids=str)
    def test_are_not_called_weak_and_the_advice_is_given_once(self, cv):
        """A warning would be an error."""
        search = ms.GridSearchCV(NearestMean(), {"n_columns": [1, 2]}, cv=cv).fit(X, Y)
        options = {"cv": cv, "return_indices": True}
        done = {name: ms.cross_validate(model, X, Y, **options) for name, model in MODELS.items()}
        options = {"cv": cv, "method": "corrected_resampled_t"}
        s.SignificanceRefit(cv, "n_columns")(search.cv_results_)
        for result in (
            s.compare_estimators(MODELS, X, Y, **options),
            s.compare_estimators(MODELS, X, Y, cv=cv),
            s.cross_val_inference(MODELS["a"], X, Y, **options),
            s.compare_candidates(search, X, Y),
            s.compare_scores(done),
        ):
            codes = [note.code for note in result.notes]
            assert codes.count("one repeat") == 1
            assert not {"stratified", "few splits"} & set(codes)
            assert "; ".join(note.text for note in result.notes).count(ADVICE) == 1
            assert str(result).count("[one repeat]") == 1

    def test_one_alone_says_all(self):
        cv = ms.ShuffleSplit(5, test_size=0.2, random_state=0)
        said = r"^Only 5 splits: .*; use at least 10"
        with pytest.warns(s.SplitDesignWarning, match=said) as caught:
            s.compare_estimators(MODELS, X, Y, cv=cv)
        assert len(caught) == 1


RULES = [{}, {"margin": 0.5}]


@pytest.mark.parametrize("options", [*RULES, {"scoring": "f1"}], ids=str)
@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_best_score_of_the_refit_is_the_mean_of_the_chosen_one(options):
    refit = s.SignificanceRefit(CV, "n_columns", **options)
    scoring = ["accuracy", "f1"] if "scoring" in options else None
    how = {"cv": CV, "refit": refit, "scoring": scoring}
    search = ms.GridSearchCV(NearestMean(), {"n_columns": [1, 2, 4]}, **how).fit(X, Y)
    assert not hasattr(search, "best_score_")  # of scikit-learn, for any callable
    means = search.cv_results_["mean_test_f1" if scoring else "mean_test_score"]
    assert search.refit.best_score_ == means[search.best_index_]
    assert not hasattr(clone(search).refit, "best_score_")


DATA = {
    "other columns": (X[:, :2], Y, "n_features_in_ of the search is 5, and of the data 2"),
    "other classes": (X, Y + 1, "classes_ of the search is 0, 1, and of the data 1, 2"),
    "other rows": (X[:-9], Y[:-9], "accuracies of the search are not k/n_test"),
}


@pytest.mark.parametrize("name", DATA)
def test_other_data_than_those_of_the_search_are_refused(name):
    other, y, said = DATA[name]
    search = ms.GridSearchCV(SVC(), {"C": [0.1, 1]}, cv=ms.KFold(5)).fit(X, Y)
    with pytest.raises(ValueError, match=f"{said}.*Pass the data that"):
        s.compare_candidates(search, other, y)
    folds = list(ms.KFold(5).split(X))
    drawn = s.RepeatedSubsampleSplit(10, random_state=0)
    race = s.RacingSearchCV(SVC(), {"C": [0.1, 1]}, cv=drawn, rule=None)
    for search in (ms.GridSearchCV(SVC(), {"C": [0.1, 1]}, cv=folds, refit=False), race):
        with pytest.raises(s.SplitDesignError, match="The splits of the search are of 150 rows"):
            s.compare_candidates(search.fit(X, Y), np.vstack([X, X[:3]]), np.append(Y, Y[:3]))


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_columns_are_known_by_their_names():
    frame = pd.DataFrame(X, columns=list("abcde"))
    search = ms.GridSearchCV(SVC(), {"C": [0.1, 1]}, cv=5).fit(frame, Y)
    for other in (frame.rename(columns={"a": "z"}), frame[list("bacde")]):
        said = "feature_names_in_ of the search is 'a', 'b', 'c', 'd"
        with pytest.raises(ValueError, match=said):
            s.compare_candidates(search, other, Y)
    assert len(s.compare_candidates(search, frame, Y).candidates) == 2
    assert len(s.compare_candidates(search, X, Y).candidates) == 2


def test_a_candidate_that_is_in_the_grid_twice_counts_once():
    grid = [{"C": [0.1, 1], "kernel": ["linear"]}, {"C": [1, 9], "kernel": ["linear"]}]
    search = ms.GridSearchCV(SVC(), grid, cv=CV).fit(X, Y)
    result = s.compare_candidates(search, X, Y)
    assert list(result.candidates) == ["#0 C=0.1", "#1 C=1", "#3 C=9"]
    (text,) = (note.text for note in result.notes if note.code == "repeated candidates")
    assert text == "'#2': the same parameters as another candidate, which counts once"
    assert "#2 C=1" in s.compare_candidates(search, X, Y, reference="#2").candidates
    search = ms.GridSearchCV(SVC(), {"C": [1, 1.0, np.int64(1)]}, cv=CV).fit(X, Y)
    with pytest.raises(ValueError, match="Each counted once, the search had one candidate only"):
        s.compare_candidates(search, X, Y)


class Tagged(NearestMean):
    """With a parameter that is text, and that some candidates do not have."""

    def __init__(self, n_columns=1, tag="y"):
        super().__init__(n_columns)
        self.tag = tag


def saved_as_csv(results):
    return pd.read_csv(io.StringIO(pd.DataFrame(results).to_csv(index=False)))


@pytest.mark.parametrize("save", [dict, pd.DataFrame, saved_as_csv])
def test_saved_results_of_a_search_are_those_of_the_search(save):
    grids = [{"n_columns": [1, 2]}, {"n_columns": [3], "tag": ["x"]}]
    search = ms.GridSearchCV(Tagged(), grids, cv=CV).fit(X, Y)
    whole = s.compare_candidates(search, X, Y).scores
    again = s.compare_candidates(save(search.cv_results_), X, Y, cv=CV, scoring="accuracy")
    assert again.scores.labels == whole.labels
    np.testing.assert_allclose(again.scores.values, whole.values, rtol=1e-15)  # pandas' reader
    assert again.metrics == ("accuracy",)
    assert [again.params(label) for label in whole.labels] == search.cv_results_["params"]


@pytest.mark.parametrize(("options", "message"), [
    ({}, "not keep their splits"), ({"cv": 5}, r"the splitter that was used.*StratifiedKFold\(k\)"),
    ({"cv": ms.KFold(5)}, "has 5 splits, but the results are of 12"),
    ({"cv": CV, "dropped": True}, "Pass the search itself"),
    ({"cv": [1, 2]}, r"cv item 0 is 1, not a \(train, test\) pair; pass"),
    ({"cv": ms.KFold}, r"cv=KFold is a class: pass KFold"),
    ({"cv": ms.ShuffleSplit(12)}, "other splits each time.*seed"),
    ({"design": DESIGN}, r"Pass either the data \(X, y, groups, cv\) or design=, not both"),
    ({"cv": CV, "method": "conservative_z"}, "compare_candidates has the scores of a search only"),
])  # fmt: skip
def test_what_saved_results_do_not_have(options, message):
    saved = Search(drawn(3)).cv_results_
    if options.pop("dropped", False):
        saved = saved | {"iter": [0, 0, 1]}
    with pytest.raises((ValueError, s.SplitDesignError), match=message):
        s.compare_candidates(saved, X, Y, **options)
