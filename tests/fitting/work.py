"""Small pieces of work for tests of the pool."""

from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcvstats import RepeatedSubsampleSplit
from skcvstats.fitting import Splits, Workload, read_metrics
from tests.data import iris

X, Y = iris()
PAIR = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


def two(a, b):
    return {"a": a, "b": b}


def workload(models):
    return Workload.of(models, read_metrics("accuracy"), error_score="raise")


def recipes(n_splits):
    return Splits.made_by(RepeatedSubsampleSplit(n_splits, random_state=0).lazy_split(X, Y))
