"""Data in frames and arrays of other libraries give the scores that NumPy's arrays give."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from skcvstats.stats import adjust_pvalues, corrected_resampled_ttest, error_rate_interval
from skcvstats.test_set import clustered_mean, delong_auc, mcnemar_exact_test
from tests.data import iris
from tests.processes import JOBS

pl = pytest.importorskip("polars")

RNG = np.random.default_rng(0)
ORDER = RNG.permutation(150)
X, Y = (part[ORDER] for part in iris())
WORDS = np.array(["u", "v", "w"])[Y]
GROUPS, WEIGHTS, FOLDS = np.arange(150) // 5, RNG.random(150), np.arange(150) % 5
COLUMNS = list("abcd")
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
CV = s.RepeatedSubsampleSplit(10, test_size=0.2, random_state=0)


def frame(values, names):
    """Return columns as a polars frame."""
    return pl.DataFrame(np.asarray(values), schema=list(names))


def predicted(method="predict"):
    models = MODELS.items()
    return {k: cross_val_predict(m, X, WORDS, cv=KFold(5), method=method) for k, m in models}


DOORS = {
    "compare_estimators": lambda X, y, **more: s.compare_estimators(MODELS, X, y, cv=CV, **more),
    "compare_estimators, on rows in groups": lambda X, y, **more: s.compare_estimators(
        MODELS, X, y, groups=pl.Series(GROUPS) if more else GROUPS, method="row_t"
    ),
    "cross_val_inference": lambda X, y, **more: s.cross_val_inference(
        MODELS["bayes"], X, y, cv=CV, scoring="neg_log_loss", **more
    ),
    "cross_val_score": lambda X, y, **more: s.cross_val_score(MODELS["bayes"], X, y, cv=CV, **more),
    "compare_candidates": lambda X, y, **more: s.compare_candidates(
        GridSearchCV(MODELS["tree"], {"max_depth": [1, 2, 3]}, cv=CV).fit(X, y), X, y
    ),
    "compare_predictions": lambda X, y, **more: s.compare_predictions(
        y, {name: model.fit(X, y) for name, model in MODELS.items()}, X=X, scoring="accuracy"
    ),
    "from_splitter": lambda X, y, **more: s.SplitDesign.from_splitter(CV, X, y),
}


@pytest.mark.parametrize("door", DOORS)
def test_data_of_polars(door):
    DOORS[door](X, WORDS)  # what is slow the first time could be noted
    wanted = str(DOORS[door](pd.DataFrame(X, columns=COLUMNS), WORDS))
    assert str(DOORS[door](frame(X, COLUMNS), pl.Series("y", WORDS), n_jobs=1)) == wanted


def test_predictions_of_polars():
    made, y, (groups, weights) = predicted(), pl.Series(WORDS), map(pl.Series, (GROUPS, WEIGHTS))
    options = {"scoring": "accuracy", "groups": GROUPS, "sample_weight": WEIGHTS}
    theirs = options | {"groups": groups, "sample_weight": weights}
    series, table = {k: pl.Series(v) for k, v in made.items()}, pl.DataFrame(made)
    wanted = str(s.compare_predictions(WORDS, made, **options))
    assert str(s.compare_predictions(y, series, **theirs)) == wanted
    assert str(s.compare_predictions(y, table, **theirs)) == wanted
    wanted = str(s.predictions_inference(WORDS, made["tree"], **options))
    assert str(s.predictions_inference(y, series["tree"], **theirs)) == wanted
    wanted = str(s.compare_out_of_fold(WORDS, made, folds=FOLDS, scoring="accuracy"))
    found = s.compare_out_of_fold(y, table, folds=pl.Series(FOLDS), scoring="accuracy")
    assert str(found) == wanted

    losses = {name: (labels != WORDS).astype(float) for name, labels in made.items()}
    wanted = str(s.compare_losses(losses, groups=GROUPS))
    assert str(s.compare_losses(pl.DataFrame(losses), groups=groups)) == wanted


def test_probabilities_of_polars_are_read_by_their_columns():
    made = predicted("predict_proba")
    turned = {name: frame(p, "uvw").select("w", "u", "v") for name, p in made.items()}
    wanted = str(s.compare_predictions(WORDS, made, scoring="neg_log_loss"))
    assert str(s.compare_predictions(pl.Series(WORDS), turned, scoring="neg_log_loss")) == wanted


def test_numbers_of_polars():
    table = pd.DataFrame(RNG.random((15, 3)), columns=list("abc"))
    design = s.SplitDesign.from_sizes(90, 10, n_splits=15)
    wanted = str(s.compare_scores(table, design=design))
    assert str(s.compare_scores(frame(table, "abc"), design=design)) == wanted
    one, other, score = MODELS["bayes"].fit(X, Y).predict(X), Y, X[:, 0]
    functions = [
        (lambda x: corrected_resampled_ttest(x, n_train=90, n_test=10), table["a"]),
        (lambda *x: mcnemar_exact_test(other, *x), one, Y),
        (delong_auc, other > 0, score, GROUPS),
        (lambda x, g, w: clustered_mean(x, g, sample_weight=w), score, GROUPS, WEIGHTS),
        (error_rate_interval, np.array([1, 2]), np.array([10, 20])),
        (adjust_pvalues, np.array([0.01, 0.02])),
    ]
    for function, *given in functions:
        theirs = [pl.Series(np.asarray(part)) for part in given]
        assert str(function(*theirs)) == str(function(*given))


class Needs(ClassifierMixin, BaseEstimator):
    """A model that takes frames only."""

    def __init__(self, kind):
        self.kind = kind

    def fit(self, X, y):
        assert type(X).__module__.startswith(self.kind), type(X)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        assert type(X).__module__.startswith(self.kind), type(X)
        return np.full(len(X), self.classes_[0])


@pytest.mark.parametrize("n_jobs", JOBS)
@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_workers_know_the_containers_that_were_asked_for(kind, n_jobs):
    models = {"needs": make_pipeline(StandardScaler(), Needs(kind)), "bayes": GaussianNB()}
    data = (pd.DataFrame if kind == "pandas" else pl.DataFrame)(dict(zip("abcd", X.T, strict=True)))
    with sklearn.config_context(transform_output=kind):
        result = s.compare_estimators(models, data, Y, cv=CV, n_jobs=n_jobs)
    assert result.scores.failures == ()


class Elsewhere:
    """An array of another library, whose rows only its own arrays can choose."""

    def __init__(self, values):
        self.values, self.shape, self.ndim = values, values.shape, values.ndim

    def __len__(self):
        return len(self.values)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)

    def __array_namespace__(self, api_version=None):
        return np

    def __getitem__(self, rows):
        raise IndexError("only arrays from elsewhere")


def test_arrays_of_the_array_api_are_converted():
    wanted = str(s.compare_estimators(MODELS, X, Y, cv=CV))
    assert str(s.compare_estimators(MODELS, Elsewhere(X), Elsewhere(Y), cv=CV)) == wanted
