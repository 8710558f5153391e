"""
Three models, and what the usual interval would have said
=========================================================

Three classifiers on the breast cancer data: the same fifteen splits for all, and for each pair the
interval that knows that the splits overlap, next to the one that does not.
"""

# %%
# From estimators and data to the verdict.

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

# sphinx_gallery_thumbnail_number = 5
from skcvstats import (
    ComparisonDisplay,
    PairedScoresDisplay,
    ResampledTTest,
    compare_estimators,
)

X, y = load_breast_cancer(return_X_y=True)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "tree": DecisionTreeClassifier(random_state=0),
}
result = compare_estimators(models, X, y, scoring="accuracy")
print(result)

# %%
# The table holds everything, for a paper or for further work.

result.to_frame().drop(columns="note").round(4)

# %%
# The ranking as a picture: filled marks could be the best, and models with a letter in common are
# not shown to differ. The intervals are those of single scores, which decide nothing about
# differences.

result.plot()
plt.show()

# %%
# What decides are the intervals of the differences. The names of two models face each other, and
# the mark lies on the side of the one that scores higher; it is filled where the difference is
# shown at the 5 % level.

ComparisonDisplay.from_result(result).plot()
plt.show()

# %%
# Behind each difference are the scores of every split, a line each. All models score low on the
# same hard splits: that is why differences are tested, and not the scores side by side.

PairedScoresDisplay.from_result(result).plot()
plt.show()

# %%
# How likely is it, given these scores, that logistic regression is better than k nearest neighbours
# by more than half a percentage point, which is taken here for the least that matters?

result.tests[0].plot(margin=0.005)
plt.show()

# %%
# What would the usual paired t-test have said of the same scores? ``run`` computes it without its
# warning. Its intervals are too short by the factor :math:`\sqrt{1 + 15/9} = 1.63`: the fifteen
# test sets of a tenth of the rows are counted as if they were fifteen new data sets.

naive = [ResampledTTest().run(test.scores) for test in result.tests]
pairs = [f"{one.estimator} - {one.versus}" for one in result]

figure, ax = plt.subplots(figsize=(7.2, 2.9), layout="constrained")
for tests, shift, colour, label in [
    (naive, 0.13, "tab:red", "usual t-test: assumes independent splits"),
    (result.tests, -0.13, "tab:blue", "corrected resampled t-test"),
]:
    low, high = zip(*(test.confidence_interval(0.95) for test in tests), strict=True)
    heights = [shift - k for k in range(len(pairs))]
    ax.hlines(heights, low, high, color=colour, linewidth=3, label=label)
    ax.plot([test.estimate for test in tests], heights, "o", color=colour)
ax.axvline(0, color="black", linewidth=1)
ax.set_yticks([-k for k in range(len(pairs))], pairs)
ax.set_ylim(0.5 - len(pairs), 0.85)
ax.set_xlabel("difference in accuracy, 95 % intervals")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(loc="upper right", frameon=False, fontsize="small")
plt.show()

# %%
# The usual test finds logistic regression better than k nearest neighbours; the right one does not
# exclude that they are equally good. The two comparisons with the tree survive this correction; in
# the result printed above, which is adjusted for all three comparisons, that of k nearest
# neighbours with the tree is not shown any more (adjusted p = .051).
#
# These are the splits of ``random_state=0``, the default. Others would have given other numbers:
# fifteen splits are a small sample of all that could be drawn. The first comparison with the splits
# of thirty seeds, in the order of their differences:

pair = {name: models[name] for name in ("logistic", "knn")}
drawn = [compare_estimators(pair, X, y, random_state=seed).tests[0] for seed in range(30)]
drawn.sort(key=lambda test: test.estimate)
usual = [ResampledTTest().run(test.scores) for test in drawn]

_, (left, right) = plt.subplots(1, 2, figsize=(7.2, 3.8), sharex=True, layout="constrained")
for axis, tests, title, strong, pale in [
    (left, usual, "usual t-test", "tab:red", "#f5b7b1"),
    (right, drawn, "corrected", "tab:blue", "lightsteelblue"),
]:
    for height, test in enumerate(tests):
        colour = strong if test.pvalue < 0.05 else pale
        axis.hlines(height, *test.confidence_interval(0.95), color=colour, linewidth=2)
        axis.plot(test.estimate, height, "o", color=colour, markersize=3)
    rejected = sum(test.pvalue < 0.05 for test in tests)
    axis.set_title(f"{title}: {rejected} of {len(tests)} below .05", fontsize="medium")
    axis.axvline(0, color="black", linewidth=1)
    axis.set(xlabel="logistic - knn, 95 % intervals", xticks=[-0.02, 0, 0.02, 0.04], yticks=[])
    axis.spines[["top", "right", "left"]].set_visible(False)
plt.show()

# %%
# Each of these is a fair test if its seed was fixed beforehand. To try seeds until p is small is
# not: :doc:`/pitfalls` says what that costs. More splits make the seed matter less.
