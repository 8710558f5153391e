"""Small pieces of work for tests of the pool."""

from sklearn.metrics import get_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcvstats import RepeatedSubsampleSplit
from skcvstats.fitting._execution import Workload
from skcvstats.fitting._scoring import Scoring
from skcvstats.fitting._splits import Recipes
from tests.data import iris

X, Y = iris()
PAIR = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


def two(a, b):
    return {"a": a, "b": b}


def workload(models):
    return Workload(
        names=tuple(models),
        estimators=tuple(models.values()),
        scoring=Scoring(get_scorer("accuracy"), "accuracy", "'accuracy'"),
        fit_params=({},) * len(models),
        score_params={},
        error_score="raise",
    )


def recipes(n_splits):
    return Recipes(RepeatedSubsampleSplit(n_splits, random_state=0).lazy_split(X, Y))
