"""
After a grid search: which candidates are as good
=================================================

A search names one winner. Which candidates are worse than it, and which are only behind by chance?
Nothing is fitted again for the answer.
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
# The comparison with the winner warns that the winner was chosen on these very scores: part of its
# lead is luck, and no adjustment for the number of candidates takes that out.

with warnings.catch_warnings():
    warnings.simplefilter("ignore", AnticonservativeWarning)
    result = compare_candidates(search, X, y)
columns = ["estimator", "score", "difference", "low", "high", "pvalue", "pvalue_adjusted"]
result.to_frame()[columns].round(3)

# %%
# These tests are two-sided, and their p-values adjusted by Holm's method for seven comparisons. The
# intervals are not adjusted: each is that of its own comparison. So an interval can leave out zero
# where the adjusted p is above .05, as those of the deep trees do.
#
# A search can also take the cheapest candidate that is not significantly worse than the best. The
# cost is yours to give: here the depth. Its rule is another one: a one-sided test of each,
# *not* adjusted, since an adjustment would call more of them as good.

thrifty = GridSearchCV(
    DecisionTreeClassifier(random_state=0),
    {"max_depth": depths},
    scoring="roc_auc",
    cv=cv,
    refit=SignificanceRefit(cv=cv, cost="max_depth"),
).fit(X, y)
thrifty.best_params_

# %%
# The same rule as a table, to mark the candidates that it finds worse:

with warnings.catch_warnings():
    warnings.simplefilter("ignore", AnticonservativeWarning)
    by_the_rule = compare_candidates(search, X, y, alternative="less", adjustment="none")
by_the_rule.to_frame()[["estimator", "difference", "pvalue"]].round(4)

# %%
means = search.cv_results_["mean_test_score"]
figure, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
ax.plot(depths, means, color="grey", zorder=1)
ax.scatter(depths, means, color="grey")
for one, colour, label in [
    (search, "tab:red", "highest mean"),
    (thrifty, "tab:blue", "shallowest that is not significantly worse"),
]:
    depth = one.best_params_["max_depth"]
    ax.scatter(depth, means[depths.index(depth)], color=colour, s=90, label=label)
worse = {one.estimator for one in by_the_rule if one.pvalue_adjusted < 0.05}
ax.set_xticks(depths, [f"{k}*" if f"max_depth={k}" in worse else str(k) for k in depths])
ax.set(xlabel="max_depth (* significantly worse than the best, by the refit's rule)", ylabel="AUC")
ax.legend()
plt.show()
