"""
Tukey's test over repeated folds, and what to draw instead
==========================================================

A common protocol, for example in drug discovery (Polaris), compares models by Tukey's test over the
scores of 5 x 5 folds. It assumes independent folds, although the 25 folds share most of their rows.
Here are its two pictures, and the same two by the corrected resampled t-test, from the same scores.
"""

# %%
# Six classifiers on five repeats of 5-fold cross-validation:

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import studentized_range
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedKFold
from sklearn.naive_bayes import GaussianNB
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
    "lda": LinearDiscriminantAnalysis(),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
}
folds = RepeatedKFold(n_splits=5, n_repeats=5, random_state=0)
result = compare_estimators(
    models, X, y, cv=folds, scoring="accuracy", method="corrected_resampled_t"
)
ours = result.to_frame()

# %%
# Tukey's test after a repeated-measures analysis of variance, with the folds as subjects. Its error
# variance is that of the scores less the means of their fold and model:

names, scores = result.scores.labels, result.scores.values
k, n_splits = scores.shape
residuals = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
df = (n_splits - 1) * (k - 1)
standard_error = np.sqrt((residuals**2).sum() / df / n_splits)

tukey = ours[["estimator", "versus", "difference"]].copy()
half_width = studentized_range.ppf(0.95, k, df) * standard_error
tukey["low"], tukey["high"] = tukey["difference"] - half_width, tukey["difference"] + half_width
tukey["pvalue_adjusted"] = studentized_range.sf(tukey["difference"].abs() / standard_error, k, df)

# %%
# The first picture: the differences of all pairs with simultaneous 95 % intervals.

panels = {"Tukey over folds, uncorrected": tukey, "corrected, max-t": ours}
figure, axes = plt.subplots(1, 2, figsize=(9, 4.6), sharex=True, sharey=True, layout="constrained")
for ax, (title, frame), strong in zip(axes, panels.items(), ["tab:red", "tab:blue"], strict=True):
    for height, (_, pair) in enumerate(frame.iterrows()):
        shown = pair["low"] > 0 or pair["high"] < 0
        ax.hlines(-height, pair["low"], pair["high"], color=strong if shown else "silver", lw=3)
        ax.plot(pair["difference"], -height, "o", color=strong if shown else "grey")
    n_shown = int((frame["pvalue_adjusted"] <= 0.05).sum())
    ax.set_title(f"{title}: {n_shown} of {len(frame)} differ", fontsize="medium")
    ax.axvline(0, color="black", linewidth=1)
    ax.set_xlabel("difference in accuracy, 95 % intervals")
    ax.spines[["top", "right"]].set_visible(False)
pairs = [f"{pair.estimator} - {pair.versus}" for pair in ours.itertuples()]
axes[0].set_yticks(-np.arange(len(pairs)), pairs)
plt.show()

# %%
# The second picture: the table of all pairs. The colour is the difference, row minus column, and
# stars are for adjusted p-values below 0.05, 0.01 and 0.001.

best_first = result.ranking()["estimator"].tolist()
place = {name: position for position, name in enumerate(best_first)}
largest = ours["difference"].abs().max()

figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True, layout="constrained")
for ax, (title, frame) in zip(axes, panels.items(), strict=True):
    table = np.full((k, k), np.nan)
    for pair in frame.itertuples():
        row, column = place[pair.estimator], place[pair.versus]
        stars = "*" * sum(pair.pvalue_adjusted <= level for level in (0.05, 0.01, 0.001))
        for i, j, difference in [(row, column, pair.difference), (column, row, -pair.difference)]:
            table[i, j] = difference
            ax.text(j, i, f"{difference:+.3f}\n{stars}", ha="center", va="center", fontsize=8)
    image = ax.imshow(table, cmap="coolwarm", vmin=-1.5 * largest, vmax=1.5 * largest)
    ax.set_xticks(range(k), best_first, rotation=45)
    ax.set_yticks(range(k), best_first)
    ax.set_title(title, fontsize="medium")
figure.colorbar(image, ax=axes, label="difference in accuracy", shrink=0.8)
plt.show()

# %%
# The estimates are the same, the intervals are not. Tukey's are shorter, because the test treats 25
# folds of one data set as 25 data sets. They have the same length for all pairs, although two
# models that agree on most rows differ less from fold to fold than two that do not. The corrected
# intervals have a length of their own for each pair.
#
# How often does each test claim a difference that does not exist? With equally good models, at a
# nominal 5 %, Tukey's test does in 40 % of data sets for two models and in 80 % for five, and max-t
# in at most 5 %: :doc:`/coming_from` has the table. These could be the best, with 95 % confidence:

result.best_set()
