"""
Does a procedure hold on data like mine?
========================================

Every procedure makes an assumption about the learner and the data. ``simulate`` draws data sets
from your generator and counts how often each procedure is right.
"""

# %%
# A generator makes one data set from a random state. Here it makes sixty rows with a step in one
# feature, which suits a tree, and a slope in another, which suits a straight line.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

from skcvstats import simulate
from skcvstats.plotting import PowerCurveDisplay


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
# The power is how often each rejects other values. A high curve is no advantage if it is also high
# at the true value.

PowerCurveDisplay.from_result(result, hypothesis="line-tree").plot()
plt.show()

# %%
# How long the intervals are, and how often they contain the true value:

intervals = result.coverage()
intervals[intervals["hypothesis"] == "line-tree"].round(3)
