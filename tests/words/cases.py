"""Results to be reported, and how to read a report."""

import warnings

import numpy as np

from skcvstats import CVScores, SplitDesign

HOSTILE = "a_b & 100% <x> | $`"
DESIGN = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=15)


def models():
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=0)
    return {"bayes": GaussianNB(), "tree": tree, "dummy": DummyClassifier()}


def scores_of(labels, metric="accuracy", gap=0.05, seed=0):
    """Each estimator worse than the one before, by `gap`."""
    rng = np.random.default_rng(seed)
    means = 0.9 - gap * np.arange(len(labels))
    values = means[:, None] + rng.normal(0, 0.02, (len(labels), 15))
    return CVScores(values=values, design=DESIGN, labels=tuple(labels), metric=metric)


def quietly(function, *args, **options):
    with warnings.catch_warnings(action="ignore"):
        return function(*args, **options)


def formats(report):
    return {
        "text": str(report), "markdown": report.to_markdown(), "html": report.to_html(),
        "latex": report.to_latex(),
    }  # fmt: skip


def section(report, title):
    """Return a section of the text of a report, its lines joined."""
    lines = str(report).splitlines()
    (start,) = (k for k, line in enumerate(lines) if line == title and _is_rule(lines[k + 1]))
    ends = [k - 1 for k in range(start + 2, len(lines)) if _is_rule(lines[k])]
    return joined("\n".join(lines[start + 2 : (ends or [len(lines)])[0]]))


def joined(text):
    """Return a text without its line breaks and alignment."""
    return " ".join(str(text).split())


def before_references(report):
    return str(report).split("\nReferences\n")[0]


def _is_rule(line):
    return bool(line) and not line.strip("-~")
