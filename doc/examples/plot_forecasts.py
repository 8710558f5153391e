"""
Which model forecasts better: a time series
===========================================

The errors of forecasts depend on each other over time. The Diebold-Mariano test allows for that.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import TimeSeriesSplit
from sklearn.neighbors import KNeighborsRegressor

from skcvstats import compare_estimators

# A series of 400 weeks with a season, whose noise is correlated over time, and which changes after
# three quarters: the trend ends.
generator = np.random.default_rng(1)
weeks = pd.date_range("2016-01-03", periods=400, freq="W")
noise = np.zeros(400)
for t in range(1, 400):
    noise[t] = 0.6 * noise[t - 1] + generator.normal()
trend = np.minimum(np.arange(400), 300) / 15
demand = pd.Series(trend + 4 * np.sin(np.arange(400) * 2 * np.pi / 52) + noise, index=weeks)

# Four weeks ahead, from what was known then: the last six weeks, and the same week a year before.
horizon = 4
known = [*range(horizon, horizon + 6), 52]
past = pd.DataFrame({f"{k} weeks ago": demand.shift(k) for k in known}).dropna()
y = demand[past.index]
models = {"linear": LinearRegression(), "nearest": KNeighborsRegressor(10)}
cv = TimeSeriesSplit(n_splits=12, gap=horizon - 1)
result = compare_estimators(models, past, y, scoring="neg_mean_absolute_error", cv=cv)
print(result)

# %%
# The cumulated difference shows when the first model was better: where the line rises. Nearest
# neighbours cannot follow a trend, so linear regression wins while there is one. After its end, in
# 2021, the line is flat. The answer is one about this period, and would be another in one without a
# trend.

tested = past.index[-result.tests[0].n_times :]
result.plot(times=tested)
plt.show()
