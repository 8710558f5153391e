"""The comparison that is killed, and models that leave a trace of each fit."""

import os

from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from skcvstats import RepeatedSubsampleSplit, compare_estimators


class TracedTree(DecisionTreeClassifier):
    """A tree that writes a letter to a file when a fit begins, and one when it is done."""

    def __init__(self, trace=None, max_depth=None, random_state=None):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.trace = trace

    def fit(self, X, y):
        write(self.trace, b"b")
        super().fit(X, y)
        write(self.trace, b"d")
        return self


class FixedTree(TracedTree):
    """One that is the same in every fit on the same rows."""

    def __init__(self, trace=None, max_depth=None):
        super().__init__(trace, max_depth, random_state=0)


def write(path, letter):
    """Append to a file that several processes write to."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, letter)
    os.close(file)


def counts(path):
    """Return how many fits were begun and how many were done."""
    content = path.read_bytes() if path.exists() else b""
    return content.count(b"b"), content.count(b"d")


def scores(trace, n_splits, n_rows, n_jobs=1, store=None):
    """Return the bytes of all scores of two trees."""
    X, y = make_classification(n_rows, 20, n_informative=10, random_state=0)
    models = {f"depth {depth}": FixedTree(str(trace), max_depth=depth) for depth in (3, 12)}
    cv = RepeatedSubsampleSplit(n_splits, random_state=0)
    result = compare_estimators(models, X, y, cv=cv, n_jobs=n_jobs, store=store)
    return result.scores.values.tobytes()
