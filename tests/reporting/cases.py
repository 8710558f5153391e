"""Results to be reported, and how to read a report."""

import re
import warnings

import numpy as np

from skcvstats import CVScores, SplitDesign

HOSTILE = "a_b & 100% <x> | $`"
DESIGN = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=15)


def models():
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    return {
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
        "dummy": DummyClassifier(),
    }


def scores_of(labels, metric="accuracy", gap=0.05):
    rng = np.random.default_rng(0)
    means = 0.9 - gap * np.arange(len(labels))
    values = means[:, None] + rng.normal(0, 0.02, (len(labels), 15))
    return CVScores(values=values, design=DESIGN, labels=tuple(labels), metric=metric)


def quietly(function, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **options)


def formats(report):
    return {
        "text": str(report),
        "markdown": report.to_markdown(),
        "html": report.to_html(),
        "latex": report.to_latex(),
    }


def section(report, title):
    """Return a section of the text of a report."""
    return re.search(rf"^{title}\n-+\n(.*?)(?:\n\n|\Z)", str(report), re.S | re.M)[1]
