"""
A figure for one column of a paper
==================================

Journals print figures 3.3 to 3.5 inches wide. Draw them at that size, with the font size of the
caption: then nothing is shrunk later, and what you see is what is printed.
"""

# %%
# Four classifiers, compared on the same twenty splits, 5 folds drawn 4 times:

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from skcvstats import compare_estimators

X, y = load_breast_cancer(return_X_y=True)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "svm": make_pipeline(StandardScaler(), SVC()),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "tree": DecisionTreeClassifier(random_state=0),
}
result = compare_estimators(models, X, y, scoring="accuracy")

# %%
# Axes of your own decide about the size, and ``layout="constrained"`` makes room for names. The
# legend stands below the axes, in two lines; ``legend="full"`` says more, for the caption. Where it
# has no room it is left out, with a warning.

COLUMN = {"font.size": 8, "savefig.dpi": 300}

with plt.rc_context(COLUMN):
    figure, ax = plt.subplots(figsize=(3.4, 1.8), layout="constrained")
    result.plot("ranking", ax)  # letters=True adds letters
    plt.show()  # figure.savefig("ranking.pdf") for the paper

# %%
# The differences from one of them, without a legend: the caption says what the marks are.

with plt.rc_context(COLUMN):
    against_best = compare_estimators(models, X, y, scoring="accuracy", reference="logistic")
    figure, ax = plt.subplots(figsize=(3.4, 1.5), layout="constrained")
    against_best.plot("differences", ax, legend=False)
    ax.set_title("", loc="left")
    ax.set_xlabel("difference in accuracy")
    plt.show()

# %%
# A caption for it: "Differences in accuracy from logistic regression with 95 % confidence intervals
# (row t-test, 4 times 5 folds, adjusted for three comparisons). Filled: significant at the 5 %
# level; thin lines: not adjusted."
