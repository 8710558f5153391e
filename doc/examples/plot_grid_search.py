"""
After a grid search: which candidates are as good
=================================================

A search names one winner. Which candidates are really worse, and which may be behind only by
chance? Nothing is fitted again to answer this.
"""

import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from skcvstats import (
    AnticonservativeWarning,
    RepeatedSubsampleSplit,
    SignificanceRefit,
    compare_candidates,
)

X, y = load_breast_cancer(return_X_y=True)
cv = RepeatedSubsampleSplit(15, random_state=0)
depths = [1, 2, 3, 4, 5, 6, 8, 10]
search = GridSearchCV(
    DecisionTreeClassifier(random_state=0), {"max_depth": depths}, scoring="roc_auc", cv=cv
).fit(X, y)
search.best_params_

# %%
# No pairs are compared: the result has the scores of all candidates, and says which could be the
# best. The answer is valid although you looked at the scores: the set contains the truly best
# candidate with 95 % confidence.

result = compare_candidates(search, X, y)
print(result)

# %%
# The parameters of those that could be the best:

[result.params(name) for name in result.best_set()]

# %%
# ``pvalue_best`` is the p-value of "this is the best".

result.ranking()[["estimator", "score", "pvalue_best", "could_be_best"]].round(3)

# %%
# In the picture these are the filled marks. The intervals are those of single scores; they may
# overlap even if a difference is significant.

result.plot("ranking")
plt.show()

# %%
# A candidate in the set may be worse than the winner. And the score of the winner is
# optimistic, because the winner was chosen for it; the result notes that. Score it on new rows, or
# nest the search.
#
# A search can also take the cheapest candidate that is good enough. You define the cost: here it is
# the depth. There are two rules for "good enough":
#
# - By default, the mean is at most one standard error below the best.
# - With ``margin=0.05``, the candidate is shown to be within the margin of every other one, and
#   so of the truly best: the margin is what you would give up for a shallower tree.


def depth_chosen(**options):
    refit = SignificanceRefit(cv=cv, cost="max_depth", **options)
    thrifty = GridSearchCV(
        DecisionTreeClassifier(random_state=0),
        {"max_depth": depths},
        scoring="roc_auc",
        cv=cv,
        refit=refit,
    ).fit(X, y)
    return thrifty.best_params_["max_depth"]


chosen = {
    "highest mean": search.best_params_["max_depth"],
    "within one standard error": depth_chosen(),
    "shown to be within .05": depth_chosen(margin=0.05),
}
chosen

# %%
# Pairs are compared when you ask for them, here those of the four best. A warning says that the
# four were chosen on these scores.

with warnings.catch_warnings():
    warnings.simplefilter("ignore", AnticonservativeWarning)
    pairs = result.pairs(top=4)
pairs.to_frame()[["estimator", "versus", "difference", "low", "high", "pvalue_adjusted"]].round(3)

# %%
means = search.cv_results_["mean_test_score"]
figure, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
ax.plot(depths, means, color="grey", zorder=1)
ax.scatter(depths, means, color="grey")
for (label, depth), colour, size in zip(
    chosen.items(),
    ["tab:red", "tab:orange", "tab:blue"],
    [220, 90, 220],
    strict=True,
):
    ax.scatter(depth, means[depths.index(depth)], color=colour, s=size, label=label)
ax.axhline(means.max() - 0.05, color="grey", linestyle=":", label="highest mean - .05")
ax.set_xticks(depths)
ax.set(xlabel="max_depth", ylabel="AUC")
ax.legend()
plt.show()
