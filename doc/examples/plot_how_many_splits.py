"""
How many splits are enough
==========================

More splits make an interval shorter, but never shorter than what the rows themselves allow.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, Ridge

from skcvstats import RepeatedSubsampleSplit, cross_val_score
from skcvstats.stats import plan_n_splits

X, y = load_diabetes(return_X_y=True)
scores = cross_val_score(Ridge(), X, y, cv=RepeatedSubsampleSplit(15, random_state=0))
plan = plan_n_splits(scores, n_splits=[5, 10, 25, 50, 100, 200, 500])
print(plan)

# %%
# A rule of thumb: fifteen splits, or fifty if a fit costs nothing, but never thousands.

ax = plan.to_frame().plot(
    x="n_splits", y="standard_error", logx=True, marker="o", ylim=(0, None), legend=False
)
ax.axhline(plan.smallest_standard_error, linestyle="--")  # no number of splits goes below it
ax.set_ylabel("standard error of R²")
ax.set_xticks(plan.n_splits, plan.n_splits)
ax.minorticks_off()
plt.show()

# %%
# The limit depends on the correlation of two splits, which cannot be estimated from one data set.
# These are the limits for three correlations:

for rho in (0.05, 0.1, 0.2):
    print(rho, round(plan_n_splits(scores, rho=rho).smallest_half_width, 3))

# %%
# Would more splits show a difference? A difference of 0.05 between ridge regression and a linear
# model without a penalty is shown by fifteen splits with power 0.64, and by a hundred with 0.84.
# The band is wide, because the variance is estimated from fifteen splits.

others = cross_val_score(LinearRegression(), X, y, cv=RepeatedSubsampleSplit(15, random_state=0))
plan = plan_n_splits(scores - others, n_splits=[15, 25, 50, 100, 200])
power = plan.power(0.05)
frame = plan.to_frame().assign(power=power.estimate)
ax = frame.plot(x="n_splits", y="power", logx=True, marker="o", ylim=(0, 1), legend=False)
ax.fill_between(plan.n_splits, power.low, power.high, alpha=0.2)
ax.set_ylabel("power for a difference of 0.05")
ax.set_xticks(plan.n_splits, plan.n_splits)
ax.minorticks_off()
plt.show()
