"""Compute the figures at the top of README.rst, and its picture: ``python doc/draw_readme.py``.

It writes both; with ``--check`` it only compares the text. A minute on one core.
"""

import re
import sys
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from scipy.stats import ttest_1samp
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from skcvstats import compare_estimators
from skcvstats.stats import five_by_two_cv_ttest

HERE = Path(__file__).parent
README, PICTURE = HERE.parent / "README.rst", HERE / "_static" / "two_equal.svg"
START, END = ".. Written by python doc/draw_readme.py\n", "In a fresh clone, "
N_DATA_SETS, N_ROWS, SEEDS = 60, 200, range(5)
REAL = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
}
# Each has one half of columns that are equally informative, so the two are equally good.
EQUAL = {
    "first": make_pipeline(FunctionTransformer(lambda X: X[:, :4]), GaussianNB()),
    "second": make_pipeline(FunctionTransformer(lambda X: X[:, 4:]), GaussianNB()),
}
TEXT = """
Is logistic regression more accurate than nearest neighbours on scikit-learn's breast cancer data? On 10 x 10 folds the usual paired
t-test says yes, p < 0.001. On 20 fits its answer depends on the seed, as does that of mlxtend's 5x2cv test; that of skcvstats does not:

{table}

In the picture the two are equally good: a 5 % test should err in {wanted:.0f} of {n} data sets. Splits share rows, which only skcvstats allows for.

"""  # noqa: E501


def folds_of(models, X, y, seed=0):
    """Return the differences of two models on 10 x 10 folds, for the usual t-test."""
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=seed)
    first, second = (cross_val_score(model, X, y, cv=cv) for model in models.values())
    return first - second


def five_by_two(X, y, seed):
    """Return p of the 5x2cv t-test on the halves that mlxtend draws with this seed."""
    random, rows, halves = np.random.RandomState(seed), np.arange(len(y)), []
    for _ in range(5):
        halves.append(train_test_split(rows, test_size=0.5, random_state=random.randint(32767)))
    cv = [pair for first, second in halves for pair in ((first, second), (second, first))]
    first, second = (cross_val_score(model, X, y, cv=cv) for model in REAL.values())
    n_train, n_test = ([len(rows) for rows in side] for side in zip(*cv, strict=True))
    return five_by_two_cv_ttest(first - second, n_train=n_train, n_test=n_test).pvalue


def on_real_data():
    """Return p on 10 x 10 folds, p of each test and seed, and where ours should mostly lie."""
    X, y = load_breast_cancer(return_X_y=True)
    tests = [compare_estimators(REAL, X, y, random_state=seed).tests[0] for seed in SEEDS]
    return (
        ttest_1samp(folds_of(REAL, X, y), 0).pvalue,
        {
            "usual t-test": [ttest_1samp(test.scores.values, 0).pvalue for test in tests],
            "mlxtend's 5x2cv": [five_by_two(X, y, seed) for seed in SEEDS],
            "skcvstats": [test.pvalue for test in tests],
        },
        [test.pvalue_over_folds for test in tests],
    )


def on_equal_models():
    """Return 95 % intervals of the difference of two equal models: usual ones, and ours."""
    usual, ours = [], []
    for seed in range(N_DATA_SETS):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(N_ROWS, 8))
        y = rng.random(N_ROWS) < 1 / (1 + np.exp(-0.7 * X.sum(axis=1)))
        found = ttest_1samp(folds_of(EQUAL, X, y, seed), 0).confidence_interval(0.95)
        usual.append((found.low, found.high))
        ours.append(compare_estimators(EQUAL, X, y).tests[0].confidence_interval(0.95))
    return np.array(usual), np.array(ours)


def is_miss(intervals):
    """Whether intervals exclude the true difference, 0."""
    return (intervals[:, 0] > 0) | (intervals[:, 1] < 0)


def written(on_folds, tests, over_folds):
    """Return the text of the figures."""
    head = ["p, splits of", *(f"seed {seed}" for seed in SEEDS)]
    rows = [[name, *map("{:.3f}".format, pvalues)] for name, pvalues in tests.items()]
    rows.append(["other folds, 80 %", *("{:.2f}-{:.2f}".format(*ends) for ends in over_folds)])
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    line = "  ".join("=" * width for width in widths)
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in (head, *rows)]
    table = "\n".join([line, lines[0], line, *lines[1:], line])
    if on_folds >= 0.001:
        raise SystemExit(f"The text says p < 0.001, and it is {on_folds}.")
    return START + TEXT.format(table=table, wanted=0.05 * N_DATA_SETS, n=N_DATA_SETS) + END


def draw(usual, ours):
    """Draw all intervals, ordered by their middles; those that miss 0 are red."""
    figure = Figure(figsize=(7.6, 3.4), layout="constrained")
    panels = figure.subplots(1, 2, sharex=True)
    for ax, intervals, name in zip(
        panels, (usual, ours), ("usual t-test", "skcvstats"), strict=True
    ):
        ordered = intervals[np.argsort(intervals.mean(axis=1))]
        colours = np.where(is_miss(ordered), "tab:red", "0.7")
        ax.hlines(range(len(ordered)), *ordered.T, color=colours, linewidth=2)
        ax.axvline(0, color="black", linewidth=1)
        ax.set_title(f"{name}: finds a difference in {is_miss(ordered).sum()} of {len(ordered)}")
        ax.set(yticks=[], xticks=[-0.1, 0, 0.1, 0.2], xlabel="difference in accuracy")
        ax.spines[["top", "right", "left"]].set_visible(False)
    figure.suptitle(
        f"Two equal models, {N_DATA_SETS} data sets: 95 % intervals of their difference"
    )
    figure.savefig(PICTURE, metadata={"Date": None, "Creator": None}, facecolor="white")


if __name__ == "__main__":
    text, found = README.read_text(), written(*on_real_data())
    now = re.sub(f"{re.escape(START)}.*{re.escape(END)}", lambda _: found, text, flags=re.S)
    if "--check" in sys.argv:
        sys.exit(None if now == text else "The figures of README.rst are not those of this run.")
    README.write_text(now)
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "skcvstats"  # the same bytes at every run
    draw(*on_equal_models())
