"""Data, models and calls for the tests against scikit-learn's cross_validate."""

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcvstats import cross_val_score
from skcvstats.fitting import FitOptions, plan_scores, read_metrics
from skcvstats.model_selection import RepeatedSubsampleSplit
from skcvstats.notes import Evidence, SplitsWatch, measure_unwarned

N = 60
RNG = np.random.RandomState(0)
X = RNG.normal(size=(N, 4)) * [1, 5, 20, 0.1]
SIGNAL = X[:, 0] + X[:, 1] / 5 + RNG.normal(size=N)
Y = (SIGNAL > 0).astype(int)
WORDS = np.where(Y == 1, "yes", "no")
OUTPUTS = np.column_stack([SIGNAL, X[:, 2] + RNG.normal(size=N)])
GROUPS = np.arange(N) % 7
WEIGHTS = RNG.uniform(0.1, 3, size=N)
INDEX = RNG.permutation(1000)[:N]

CV = StratifiedKFold(3, shuffle=True, random_state=0)
# Enough splits for compare_estimators to raise no SplitDesignWarning.
CV12 = RepeatedSubsampleSplit(12, test_size=0.25, random_state=6)


def hits(estimator, X, y):
    return np.mean(estimator.predict(X) == np.asarray(y))


def hits_and_size(estimator, X, y):
    return {"hits": hits(estimator, X, y), "size": len(y)}


def scaled(model):
    return make_pipeline(StandardScaler(copy=False), model)


CLASSIFIERS = {
    "logistic": LogisticRegression(max_iter=1000),
    "scaled": scaled(LogisticRegression()),
    "tree": DecisionTreeClassifier(random_state=0),
    "forest": RandomForestClassifier(3, random_state=np.random.RandomState(3)),
    "knn": KNeighborsClassifier(3),
    "sgd": scaled(SGDClassifier(loss="log_loss", random_state=np.random.RandomState(1))),
    "grid": GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=2),
    "dummy": DummyClassifier(strategy="stratified", random_state=np.random.RandomState(2)),
}


def fit_all(estimators, X, y, scoring, cv, *, groups=None, **changes):
    """Measure without any procedure, with the public functions' defaults except for `changes`."""
    how = {"params": None, "n_jobs": None, "verbose": 0, "on_error": "drop"}
    plan = plan_scores(
        estimators,
        X,
        y,
        read_metrics(scoring),
        groups=groups,
        cv=cv,
        options=FitOptions(**how | changes),
        observe=SplitsWatch,
    )
    measured = measure_unwarned(plan, Evidence.of_fits(plan))
    assert measured.auxiliary == {}
    return measured.scores


def sklearn_scores(estimator, X, y, scoring, cv, **options):
    """Return the scores of scikit-learn's cross_validate, by metric."""
    results = cross_validate(estimator, X, y, scoring=scoring, cv=cv, **options)
    of_tests = [name for name in results if name.startswith("test_")]
    return {name.removeprefix("test_"): results[name] for name in of_tests}


def assert_like_sklearn(estimator, X, y, scoring, cv, **options):
    """Check one metric through the public function, to the last bit."""
    expected = sklearn_scores(estimator, X, y, scoring, cv, **options)["score"]
    scores = cross_val_score(estimator, X, y, scoring=scoring, cv=cv, **options)
    np.testing.assert_array_equal(scores.values, expected, strict=True)
    assert np.isfinite(expected).all()
