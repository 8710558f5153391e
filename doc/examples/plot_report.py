"""
A report for a paper, and how much of it rests on an assumption
===============================================================

The answer, the ranking with its picture, the differences, the limitations, the methods with their
citations, and how to reproduce the numbers: one call.
"""

# %%
# First, a comparison: ridge regression against a plain least squares fit and a forest, by the mean
# absolute error, with the corrected resampled t-test.

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, Ridge

from skcvstats import compare_estimators, evaluation_report
from skcvstats.plotting import CorrelationSensitivityDisplay

X, y = load_diabetes(return_X_y=True, as_frame=True)
models = {
    "ridge": Ridge(alpha=0.1),
    "least squares": LinearRegression(),
    "forest": RandomForestRegressor(50, random_state=0),
}
result = compare_estimators(
    models,
    X,
    y,
    scoring="neg_mean_absolute_error",
    method="corrected_resampled_t",
    reference="ridge",
    random_state=0,
)

# %%
# A notebook shows the report as below. ``print(report)`` gives text, and
# ``report.save("report.tex")`` writes a file with its pictures next to it. The other formats are
# ``.html``, ``.md`` and ``.txt``.

report = evaluation_report(result)
report

# %%
# ``report.to_latex(standalone=False)`` is included in a paper by ``\input``. This is its
# bibliography:

print(report.to_bibtex())

# %%
# This test assumes a correlation of the splits' scores, which cannot be estimated from one
# data set. How large could it be before the verdict on the forest changes? To the right of the
# dashed line the interval contains the null value.

against_forest = next(one for one in result if one.estimator == "forest")
CorrelationSensitivityDisplay.from_result(against_forest.test).plot()
plt.show()
