"""
Rows that belong together: patients, sites, sessions
====================================================

The data have several rows of each patient. A split that puts some of a patient's rows on each side
tests on patients that it trained on. Draw whole groups instead; sizes then count groups.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier

from skcvstats import RepeatedSubsampleSplit, SplitDesignWarning, compare_estimators

rng = np.random.default_rng(0)
n_patients, n_visits = 60, 5
patient = np.repeat(np.arange(n_patients), n_visits)
diagnosis = rng.integers(2, size=n_patients)
fingerprint = rng.normal(size=(n_patients, 6))  # says who a patient is, not what they have
X = fingerprint[patient] + 0.1 * rng.normal(size=(n_patients * n_visits, 6))
y = diagnosis[patient]
models = {"1-NN": KNeighborsClassifier(1), "majority": DummyClassifier()}

# %%
# Nothing in X tells the diagnosis, so no model can beat guessing for new patients. With splits of
# rows, the model recognises patients, and the test finds a difference that does not exist:

cv = RepeatedSubsampleSplit(15, random_state=0)
by_rows = compare_estimators(models, X, y, cv=cv)
print(by_rows)

# %%
# With ``groups=`` whole patients are drawn. The sizes, and the test, count patients.

by_patients = compare_estimators(models, X, y, groups=patient, cv=cv)
print(by_patients)

# %%
figure, ax = plt.subplots(figsize=(7, 2), layout="constrained")
for height, result, colour in [(1, by_rows, "tab:red"), (0, by_patients, "tab:blue")]:
    ax.hlines(height, *result.tests[0].confidence_interval(0.95), color=colour, linewidth=3)
    ax.plot(result.tests[0].estimate, height, "o", color=colour)
ax.axvline(0, color="black", linewidth=1)
ax.set_yticks([1, 0], ["rows are split", "patients are split"])
ax.set(xlabel="accuracy of 1-NN minus majority, 95 % intervals", ylim=(-0.6, 1.6))
plt.show()

# %%
# Real data do the same. Grunfeld's data (in the public domain) are the investment, market value and
# capital of 11 firms in 20 years. With splits of rows the forest predicts the investment of firms
# that it has seen in other years, and is significantly better than a linear regression:

firms = pd.read_csv("../data/grunfeld.csv")
X, y = firms[["value", "capital", "year"]], firms["invest"]
models = {"forest": RandomForestRegressor(50, random_state=0), "linear": LinearRegression()}
by_rows = compare_estimators(models, X, y, scoring="neg_mean_absolute_error")
print(by_rows)

# %%
# For firms that it has not seen, the forest's error is twice as large, and nothing says that it is
# better. With 11 firms little can be shown either way, and a warning says so, as the result does.

warnings.simplefilter("ignore", SplitDesignWarning)
by_firms = compare_estimators(models, X, y, groups=firms["firm"], scoring="neg_mean_absolute_error")
print(by_firms)
