"""
Does a procedure hold on data like mine?
========================================

The correction rests on an assumption about the learner and the data. ``simulate`` draws data sets
from your generator and counts what each procedure does with them.
"""

# %%
# A generator makes one data set from a random state. Here: sixty rows of a step in one
# feature, which a tree sees well, and a slope in another, which a straight line sees well.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

from skcvstats import PowerCurveDisplay, simulate


def step_and_slope(random_state):
    """Draw 60 rows of a step and a slope with noise."""
    X = random_state.uniform(-1, 1, size=(60, 2))
    return X, 0.7 * X[:, 0] + np.sign(X[:, 1]) + random_state.normal(size=60)


models = {"line": LinearRegression(), "tree": DecisionTreeRegressor(max_depth=3, random_state=0)}
result = simulate(
    step_and_slope,
    models,
    ["resampled_t", "corrected_resampled_t", "five_by_two_cv_t"],
    n_data_sets=200,
    random_state=0,
)

# %%
# How often each rejects the true value of the expected difference, at a nominal 10 %, with an
# interval for the number of data sets:

sizes = result.size(alpha=0.1)
sizes[sizes["hypothesis"] == "line-tree"].round(3)

# %%
# And how often it rejects other values: the power. A curve that is high everywhere is no good sign
# if it is high at the truth as well.

PowerCurveDisplay.from_result(result, hypothesis="line-tree").plot()
plt.show()

# %%
# How long the intervals are, and how often they hold the truth:

intervals = result.coverage()
intervals[intervals["hypothesis"] == "line-tree"].round(3)
