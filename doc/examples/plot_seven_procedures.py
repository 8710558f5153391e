"""
The seven procedures on one comparison
======================================

Seven procedures give an interval for the difference of two models. They differ in their cost, in
the training size that the interval is about, and in whether they take into account that splits
overlap.
"""

import warnings

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcvstats import compare_estimators

X, y = load_wine(return_X_y=True)
models = {
    "linear": LinearDiscriminantAnalysis(),
    "nearest": make_pipeline(StandardScaler(), KNeighborsClassifier(1)),
}
methods = [
    "corrected_resampled_t",
    "corrected_bootstrap_t",
    "conservative_z",
    "five_by_two_cv_t",
    "holdout_t",
    "resampled_t",
    "bootstrap_t",
]
rows = {}
for method in methods:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # three of them warn that they are liberal
        result = compare_estimators(models, X, y, scoring="accuracy", method=method)
    test = result.tests[0]
    low, high = test.confidence_interval(0.95)
    fits = sum(part.design.n_splits for part in (test.scores, test.auxiliary) if part is not None)
    rows[method] = {
        "fits": fits,
        "n_train": test.n_train,
        "difference": test.estimate,
        "low": low,
        "high": high,
        "pvalue": test.pvalue,
    }
table = pd.DataFrame(rows).T
table.round(4)

# %%
# The score is minus the zero-one loss, which is the accuracy up to a constant. The red intervals
# are too short for the algorithms, even where they are long. The holdout t-test is about the two
# models that were fitted on one split, and it has few test rows. The other two treat overlapping
# splits as independent.
#
# The interval of the conservative Z is the shortest of the first three here. It is called
# conservative because its variance is too large on average if models vary less with more training
# rows. For one data set, the variance is estimated from ten pairs of half-samples, and the normal
# distribution does not allow for that: :doc:`/theory` has its size. One data set does not show
# which of the intervals is right.

figure, ax = plt.subplots(figsize=(7, 3.4), layout="constrained")
colours = ["tab:blue"] * 4 + ["tab:red"] * 3
heights = -pd.Series(range(len(methods)))
ax.hlines(heights, table["low"], table["high"], color=colours, linewidth=3)
ax.scatter(table["difference"], heights, color=colours)
ax.axvline(0, color="black", linewidth=1)
ax.set_yticks(heights, [f"{name} ({row['fits']:.0f} fits)" for name, row in table.iterrows()])
ax.set_xlabel("difference in accuracy, 95 % intervals")
plt.show()
