"""Random states of fits: fresh ones, and which models may depend on a fixed one."""

import inspect

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.cluster import KMeans
from sklearn.covariance import EllipticEnvelope
from sklearn.decomposition import NMF, PCA, KernelPCA, TruncatedSVD
from sklearn.ensemble import (
    AdaBoostRegressor,
    BaggingClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.experimental import enable_halving_search_cv, enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer
from sklearn.linear_model import (
    LassoLars,
    LogisticRegression,
    Perceptron,
    SGDClassifier,
    TheilSenRegressor,
)
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, RepeatedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
from sklearn.utils import all_estimators

import skcvstats as s
from skcvstats.notes import Evidence
from skcvstats.notes._seeds import RANDOM_MODELS
from skcvstats.scores import find_notes
from tests.cheap import NearestMean
from tests.conftest import ignoring
from tests.fitting.traced import TracedTree, counts

pytestmark = ignoring("SplitDesign", "Anticonservative", "DegenerateScores")
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
Y = (X[:, 0] + RNG.normal(size=60) > 0).astype(int)
CV = s.RepeatedSubsampleSplit(4, random_state=0)
TREES = {"a": DecisionTreeClassifier(random_state=0), "b": DecisionTreeClassifier(random_state=1)}


class Stateful(ClassifierMixin, BaseEstimator):
    """Guesses, and shows its random_state to the scorer."""

    def __init__(self, random_state=None, part=None, fails=False):
        self.random_state = random_state
        self.part = part
        self.fails = fails

    def fit(self, X, y):
        if self.fails:
            raise RuntimeError(f"state {self.random_state}")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.random.RandomState(self.random_state).choice(self.classes_, len(X))


class Unsettable(Stateful):
    def set_params(self, **params):
        raise ValueError("no other state")


def states(estimator, X, y):
    """Score an estimator by its random states."""
    found = {name: v for name, v in estimator.get_params().items() if "random_state" in name}
    return {"own": found["random_state"], "of the part": found.get("part__random_state", 0)}


MODELS = {"one": Stateful(0, part=Stateful(0)), "two": Stateful(0, part=Stateful())}


def drawn(models=MODELS, cv=CV, **options):
    """Return the random states in each metric, of estimators and splits."""
    result = s.compare_estimators(models, X, Y, cv=cv, scoring=states, fresh_seeds=True, **options)
    return {metric: scores.values for metric, scores in result.scores_by_metric.items()}


def compare(**options):
    return s.compare_estimators(TREES, X, Y, **{"cv": CV, "fresh_seeds": True, **options}).scores


def test_all_states_differ_and_suit_every_package():
    found = np.stack(list(drawn().values()))
    assert found.shape == (2, 2, 4)
    assert len(np.unique(found)) == found.size
    assert (found >= 0).all()
    assert (found < 2**31).all()
    other = np.stack(list(drawn(random_state=1).values()))
    assert not np.intersect1d(found, other).size


def test_they_depend_on_the_seed_the_rows_and_the_name_only():
    expected = drawn()["own"]
    turned = drawn(dict(reversed(MODELS.items())))["own"]
    np.testing.assert_array_equal(turned[::-1], expected)
    six = s.RepeatedSubsampleSplit(6, random_state=0)
    more = drawn({**MODELS, "three": Stateful()}, six)["own"]
    np.testing.assert_array_equal(more[:2, :4], expected)
    how = {"cv": CV, "scoring": lambda e, X, y: e.random_state, "fresh_seeds": True}
    alone = s.cross_val_inference({"two": Stateful(7)}, X, Y, **how)
    (inference,) = alone.inferences.values()
    np.testing.assert_array_equal(np.ravel(inference.scores.values), expected[1])


def test_scores_are_those_of_fits_with_these_states():
    """Against a loop of fits, for a part of an ensemble and one of a pipeline."""
    models = {
        "bag": BaggingClassifier(DecisionTreeClassifier(), 3, random_state=0),
        "pipe": make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0)),
    }

    def state(estimator, X, y):
        names = {"bag": "estimator__random_state", "pipe": "decisiontreeclassifier__random_state"}
        name = names["bag" if isinstance(estimator, BaggingClassifier) else "pipe"]
        own = estimator.get_params().get("random_state", 0)
        return {"part": estimator.get_params()[name], "own": own}

    options = {"cv": CV, "fresh_seeds": True}
    result = s.compare_estimators(models, X, Y, **options)
    known = s.compare_estimators(models, X, Y, scoring=state, **options).scores_by_metric
    for k, (train, test) in enumerate(CV.split(X)):
        bag, pipe = (clone(model) for model in models.values())
        (of_tree, own), (in_pipe, _) = (
            [int(known[metric].values[e, k]) for metric in ("part", "own")] for e in (0, 1)
        )
        bag.set_params(random_state=own, estimator__random_state=of_tree)
        pipe.set_params(decisiontreeclassifier__random_state=in_pipe)
        for e, model in enumerate((bag, pipe)):
            expected = model.fit(X[train], Y[train]).score(X[test], Y[test])
            assert result.scores.values[e, k] == expected


def test_auxiliary_splits_have_states_of_their_own():
    seen = []

    def noted(estimator, X, y):
        seen.append(estimator.random_state)
        return float(len(seen))

    options = {"scoring": noted, "method": "conservative_z", "cv": CV, "fresh_seeds": True}
    s.compare_estimators({name: Stateful() for name in "ab"}, X, Y, **options)
    assert len(set(seen)) == len(seen) == 2 * (4 + 10 * 2 * 4)


def test_scores_of_rows_are_of_the_same_fits():
    folds = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    rows = compare(cv=folds, method="row_t")
    assert rows.row_scores is not None
    assert rows.values.tobytes() == compare(cv=folds).values.tobytes()


@pytest.mark.parametrize("method", ["auto", "corrected_resampled_t"])
@pytest.mark.parametrize("random_state", [None, np.random.RandomState(3)])
def test_a_seed_is_drawn_and_stated(random_state, method):
    first = compare(cv=None, random_state=random_state, method=method)
    seed = first.provenance["seed_of_fits"]
    assert isinstance(seed, int)
    again = compare(cv=None, random_state=seed, method=method)
    assert again.values.tobytes() == first.values.tobytes()
    assert f"random_state={seed}" in first.design.source
    if method != "auto":
        assert first.design.seed == seed
    assert first.provenance["unseeded"] == {}


def test_without_random_states_nothing_changes(tmp_path, capsys):
    models = {"one": NearestMean(), "bayes": GaussianNB()}
    options = {"cv": CV, "store": tmp_path / "fits.db", "verbose": 1}
    plain = s.compare_estimators(models, X, Y, **options)
    found = s.compare_estimators(models, X, Y, **options, fresh_seeds=True)
    assert "8 of 8 fits found" in capsys.readouterr().err
    assert found.scores.values.tobytes() == plain.scores.values.tobytes()
    assert "seed_of_fits" not in plain.scores.provenance
    (note,) = set(found.scores.notes) - set(plain.scores.notes)
    said = "no estimator has a parameter random_state, so fresh_seeds=True changed nothing"
    assert note.text == said


def test_results_and_reports_name_the_fresh_seeds():
    models = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB()}
    result = s.compare_estimators(models, X, Y, cv=CV, fresh_seeds=True, random_state=5)
    said = "fresh seeds in every fit of 'tree', from random_state=5"
    assert f"{said[1:]}" in str(result)
    report = str(s.evaluation_report(result))
    assert said[1:] in " ".join(report.split())
    assert "fresh_seeds=True, random_state=5" in report
    restored = s.CVScores.from_json(result.scores.to_json())
    assert restored.notes == result.scores.notes
    assert restored.provenance["seed_of_fits"] == 5
    alone = s.cross_val_inference(models["tree"], X, Y, cv=CV, fresh_seeds=True)
    assert "Fresh seeds in every fit" in str(alone)
    single = s.compare_estimators(models, X, Y, method="holdout_t", fresh_seeds=True)
    for found, said in (
        (alone, "the standard error includes seed-to-seed variability"),
        (single, "no seed-to-seed variability, so the standard error does not include it"),
    ):
        assert said in next(note.text for note in found.notes if note.code == "fresh seeds")


def test_another_seed_is_another_fit_in_the_store(tmp_path, capsys):
    def found(**options):
        compare(store=tmp_path / "fits.db", verbose=1, **options)
        line = next(line for line in capsys.readouterr().err.splitlines() if "found" in line)
        return int(line.split(": ")[1].split(" of ")[0])

    assert found() == 0
    assert found() == 8
    assert found(random_state=1) == 0
    assert found(fresh_seeds=False) == 0
    assert found(random_state=1) == 8
    store = tmp_path / "fits.db"
    kept, fixed = (compare(store=store, fresh_seeds=fresh) for fresh in (True, False))
    plain = s.compare_estimators(TREES, X, Y, cv=CV).scores
    assert kept.values.tobytes() == compare().values.tobytes() != plain.values.tobytes()
    assert fixed.values.tobytes() == plain.values.tobytes()
    # nor is an unset state an unseeded fit
    models = {"one": DecisionTreeClassifier(), "two": DecisionTreeClassifier(max_depth=1)}
    for _ in range(2):
        result = s.compare_estimators(models, X, Y, cv=CV, fresh_seeds=True, store=store)
    codes = [note.code for note in result.scores.notes]
    assert [code for code in codes if "seed" in code] == ["fresh seeds"]
    assert "None" not in str(s.evaluation_report(result)).partition("cannot be reproduced")[2]


def test_failures_are_those_of_fits():
    models = {"good": Stateful(0), "bad": Stateful(0, fails=True)}
    with pytest.raises(s.FitError, match=r"The first fit of 'bad' .* state \d+") as first:
        s.compare_estimators(models, X, Y, cv=CV, fresh_seeds=True)
    with pytest.raises(s.FitError) as again:
        s.compare_estimators(models, X, Y, cv=CV, fresh_seeds=True)
    assert str(first.value) == str(again.value)
    with pytest.raises(s.FitError, match="no other state"):
        s.compare_estimators({**models, "bad": Unsettable(0)}, X, Y, cv=CV, fresh_seeds=True)


HALVES = s.RepeatedSubsampleSplit(4, test_size=0.5, random_state=0)
RANDOM_TREES = [DecisionTreeClassifier(max_features=1, random_state=k) for k in range(3)]


def texts(notes):
    return [note.text for note in notes if note.code == "fixed seeds"]


def noted(*models, **options):
    """Return the texts of a comparison with a model that has no state."""
    named = {**dict(zip("abcd", models, strict=False)), "bayes": GaussianNB()}
    return texts(s.compare_estimators(named, X, Y, **{"cv": HALVES, **options}).notes)


def test_those_that_may_depend_are_named():
    names, may_be = ("'a'", "'b'", "'c'"), "may depend on random_state: the difference may be due"
    for n in (1, 2, 3):
        (text,) = noted(*RANDOM_TREES[:n])
        assert f"predictions of {', '.join(names[:n])} {may_be} to the seed" in text


def test_each_pair_has_its_own_names():
    models = dict(zip("abcd", RANDOM_TREES[:2], strict=False))
    models |= {"bayes": GaussianNB(), "logistic": LogisticRegression()}
    result = s.compare_estimators(models, X, Y, cv=HALVES)
    (both,) = texts(result.notes)
    again = s.ComparisonResult.from_json(result.to_json())  # as the gate reads them
    for found in (result, again):
        scores = {name: found.scores.row(k) for k, name in enumerate(found.scores.labels)}
        for names in (("bayes", "logistic"), ("bayes", "a"), ("b", "a"), ("b", "logistic")):
            depend = [name for name in "ab" if name in names]
            (pair,) = [each for each in found if {each.estimator, each.versus} == set(names)]
            own = [both.replace("'a', 'b'", ", ".join(map(repr, depend)))] if depend else []
            assert texts(pair.notes) == own
            rows = texts(s.compare_scores({name: scores[name] for name in names}).notes)
            assert [("'a'" in text, "'b'" in text) for text in rows] == [
                (name == "a", name == "b") for name in names if name in depend
            ]
    by_pair = result.to_frame(full=True).set_index(["estimator", "versus"])["note"]
    (note,) = [note for pair, note in by_pair.items() if {*pair} == {"bayes", "logistic"}]
    assert "fixed seeds" not in note


def test_it_is_in_reports_and_not_printed():
    models = {"tree": RANDOM_TREES[0], "bayes": GaussianNB()}
    result = s.compare_estimators(models, X, Y, cv=HALVES)
    assert "random_state" not in str(result)
    report = " ".join(str(s.evaluation_report(result)).split())
    assert "redictions of 'tree' may depend on random_state" in report
    several = s.cross_val_inference(models, X, Y, cv=HALVES)
    assert len(texts(several.notes)) == 1
    assert "random_state" not in str(several)


def test_a_curve_names_models_as_the_user_does():
    models = {"my tree": RANDOM_TREES[0], "bayes": GaussianNB()}
    curve = s.learning_curve_inference(models, X, Y)
    (text,) = texts(curve.notes)
    assert "predictions of 'my tree' may depend on" in text
    assert "random_state" not in str(curve)


class Foreign(Stateful):
    """One from outside scikit-learn."""

    def __init__(self, random_state=None):
        super().__init__(random_state)


FOREST = RandomForestClassifier(5, random_state=0)
IN_A_GRID = GridSearchCV(Pipeline([("model", GaussianNB())]), {"model": [GaussianNB(), FOREST]})
RIGID = HistGradientBoostingClassifier(max_iter=2, early_stopping=False, random_state=0)


@pytest.mark.parametrize(
    "model",
    [
        FOREST,
        BaggingClassifier(DecisionTreeClassifier(), 3, random_state=0),
        ExtraTreeClassifier(random_state=np.random.RandomState(0)),
        DecisionTreeClassifier(max_features=1, random_state=0),
        GradientBoostingClassifier(n_estimators=2, subsample=0.5, random_state=0),
        clone(RIGID).set_params(early_stopping=True),
        SGDClassifier(random_state=0),
        make_pipeline(StandardScaler(), KMeans(2, random_state=0), GaussianNB()),
        make_pipeline(StandardScaler(), FOREST),
        GridSearchCV(FOREST, {"max_depth": [1]}, cv=2),
        RandomizedSearchCV(GaussianNB(), {"var_smoothing": [0.1, 1]}, n_iter=1, random_state=0),
        IN_A_GRID.set_params(cv=2),
        Foreign(0),
        make_pipeline(StandardScaler(), Foreign(0)),
    ],
    ids=lambda model: " ".join(repr(model).split())[:50],
)
def test_models_that_are_noted(model):
    (text,) = noted(model)
    assert "predictions of 'a' may" in text


@pytest.mark.parametrize(
    "model",
    [
        clone(FOREST).set_params(random_state=None),
        DecisionTreeClassifier(random_state=0),
        GradientBoostingClassifier(n_estimators=2, random_state=0),
        RIGID,
        LogisticRegression(random_state=0),
        SVC(random_state=0),
        Foreign(),
        NearestMean(),
    ],
    ids=lambda model: " ".join(repr(model).split())[:50],
)
def test_models_that_are_not_noted(model):
    assert noted(model) == []


def test_not_with_fresh_seeds_nor_for_a_single_estimator_nor_for_fitted_models():
    assert not noted(*RANDOM_TREES, fresh_seeds=True)
    assert not texts(s.cross_val_inference(RANDOM_TREES[0], X, Y, cv=HALVES).notes)
    half = {"cv": s.RepeatedSubsampleSplit(1, test_size=0.5, random_state=0)}
    (text,) = noted(RANDOM_TREES[0], **half, method=s.HoldoutTTest())
    said = "one split shows no seed-to-seed variability, so the standard error does not include it"
    assert text.endswith(said)
    assert not noted(RANDOM_TREES[0], **half, method=s.HoldoutTTest(hypotheses="fixed"))


def test_each_model_is_fitted_once_on_each_split(tmp_path):
    trace = tmp_path / "trace"
    models = {name: TracedTree(str(trace), random_state=k) for k, name in enumerate("ab")}
    result = s.compare_estimators(models, X, Y, cv=HALVES)
    assert len(texts(result.notes)) == 1
    assert counts(trace) == (8, 8)


SOLUTION = "the order of rows, or of columns, on the way to the only solution"
NEW_ROWS = "it has no answer for new rows"
MUCH_DATA = "it draws only from more rows than subsample"
INHERITED = "it draws only with order='random'"
# Why classes with a random_state are not in the table: what they answer does not depend on it.
EXEMPT = {
    **dict.fromkeys(("ElasticNet", "ElasticNetCV", "Lasso", "LassoCV", "Ridge"), SOLUTION),
    **dict.fromkeys(("MultiTaskElasticNet", "MultiTaskElasticNetCV"), SOLUTION),
    **dict.fromkeys(("MultiTaskLasso", "MultiTaskLassoCV", "RidgeClassifier"), SOLUTION),
    **dict.fromkeys(("LinearSVC", "LinearSVR"), SOLUTION),
    **dict.fromkeys(("LogisticRegression", "LogisticRegressionCV"), SOLUTION),
    **dict.fromkeys(("MDS", "TSNE", "SpectralBiclustering", "SpectralClustering"), NEW_ROWS),
    **dict.fromkeys(("SpectralCoclustering", "SpectralEmbedding"), NEW_ROWS),
    **dict.fromkeys(("KBinsDiscretizer", "QuantileTransformer"), MUCH_DATA),
    **dict.fromkeys(("ClassifierChain", "RegressorChain"), INHERITED),
    "AffinityPropagation": "noise far below the similarities",
    "FactorAnalysis": "all components are exact; its seed is 0 where none is given",
    "LocallyLinearEmbedding": "the start of ARPACK, on the way to the only solution",
    "NeighborhoodComponentsAnalysis": "it draws only with init='random'",
    "SparsePCA": "it starts from an exact decomposition",
    "TunedThresholdClassifierCV": "it draws only where cv is a share",
}


def test_every_class_of_scikit_learn_with_a_seed_is_in_the_table_or_exempt():
    found = {name: inspect.signature(kind).parameters for name, kind in all_estimators()}
    seeded = {name for name, parameters in found.items() if "random_state" in parameters}
    assert not RANDOM_MODELS.keys() & EXEMPT.keys()
    assert seeded <= RANDOM_MODELS.keys() | EXEMPT.keys()
    assert RANDOM_MODELS.keys() <= found.keys()
    for name, quiet_values in RANDOM_MODELS.items():
        assert {"random_state", *quiet_values} <= found[name].keys()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name",
    [name for name, why in EXEMPT.items() if why != NEW_ROWS and "Chain" not in name],
)
def test_those_that_are_exempt_answer_alike_from_two_seeds(name):
    kind = dict(all_estimators())[name]
    needed = {"TunedThresholdClassifierCV": {"estimator": GaussianNB()}}.get(name, {})
    y = np.column_stack([Y, X[:, 1]]) if "MultiTask" in name else Y
    one, other = (kind(**needed).set_params(random_state=seed).fit(X, y) for seed in (0, 1))
    way = next(way for way in ("transform", "decision_function", "predict") if hasattr(one, way))
    answers = [getattr(model, way)(X) for model in (one, other)]
    if hasattr(answers[0], "toarray"):
        answers = [answer.toarray() for answer in answers]
    np.testing.assert_allclose(*answers, atol=1e-3)


WIDE = np.abs(np.random.default_rng(0).normal(size=(60, 40)))
HOLES = np.where(np.random.default_rng(1).random((60, 6)) < 0.1, np.nan, WIDE[:, :6])


@pytest.mark.parametrize(
    ("model", "draws"),
    [
        (PCA(2), False),
        (PCA(2, svd_solver="full"), False),
        (PCA(2, svd_solver="arpack"), False),
        (PCA(2, svd_solver="randomized"), True),
        (KernelPCA(2), False),
        (KernelPCA(2, eigen_solver="randomized", iterated_power=1), True),
        (TruncatedSVD(2), True),
        (TruncatedSVD(2, algorithm="arpack"), False),
        (NMF(5), True),
        (IterativeImputer(max_iter=1), False),
        (IterativeImputer(max_iter=1, n_nearest_features=3), True),
        (LassoLars(0.01), False),
        (LassoLars(0.01, jitter=0.1), True),
        (EllipticEnvelope(), True),
    ],
    ids=lambda value: " ".join(repr(value).split())[:50],
)
@pytest.mark.filterwarnings("ignore")
def test_steps_are_noted_if_their_answers_depend_on_the_seed(model, draws):
    data = HOLES if isinstance(model, IterativeImputer) else WIDE
    one, other = (clone(model).set_params(random_state=seed).fit(data, Y) for seed in (0, 1))
    way = next(way for way in ("transform", "decision_function", "predict") if hasattr(one, way))
    answers = [np.abs(getattr(fitted, way)(data)) for fitted in (one, other)]  # of either sign
    assert np.allclose(*answers, atol=1e-3) != draws
    models = {"a": make_pipeline(one, GaussianNB()), "b": GaussianNB()}
    evidence = Evidence(estimators=models, procedures={}, seed_of_fits=None, n_splits=4)
    assert len(texts(find_notes(evidence))) == draws


@pytest.mark.parametrize(
    "model",
    [
        FOREST,
        RIGID,
        AdaBoostRegressor(n_estimators=5),
        BaggingClassifier(DecisionTreeClassifier(), 3),
        DecisionTreeClassifier(max_depth=1),
        DecisionTreeClassifier(max_depth=1, max_features=1),
        GradientBoostingClassifier(n_estimators=2, max_depth=1),
        GradientBoostingClassifier(n_estimators=2, max_depth=1, subsample=0.5),
        clone(RIGID).set_params(early_stopping=True),
        LinearSVC(),
        LogisticRegression(solver="saga", tol=1e-6, max_iter=1000),
        MLPClassifier((2,), solver="lbfgs", max_iter=1000),
        Perceptron(),
        Perceptron(shuffle=False),
        SGDClassifier(),
        SGDClassifier(shuffle=False),
        SVC(),
        TheilSenRegressor(max_subpopulation=50),
    ],
    ids=lambda model: " ".join(repr(model).split())[:50],
)
def test_those_are_noted_whose_predictions_differ(model):
    one, other = (clone(model).set_params(random_state=seed).fit(X, Y) for seed in (0, 1))
    way = next(
        way for way in ("predict_proba", "decision_function", "predict") if hasattr(one, way)
    )
    differ = not np.allclose(getattr(one, way)(X), getattr(other, way)(X), atol=1e-3)
    models = {"a": one, "b": GaussianNB()}
    evidence = Evidence(estimators=models, procedures={}, seed_of_fits=None, n_splits=4)
    assert len(texts(find_notes(evidence))) == differ
