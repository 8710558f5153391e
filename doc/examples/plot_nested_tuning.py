"""
Tuned models: the search is part of the algorithm
=================================================

The score of a model tuned on all rows is too good on the same rows. A search passed as an
estimator is run again inside each split, on the training rows only, so that what is compared is
"tune, then fit".
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from skcvstats import ComparisonDisplay, compare_estimators

X, y = load_wine(return_X_y=True)
svm = make_pipeline(StandardScaler(), SVC())
models = {
    "svm, tuned": GridSearchCV(svm, {"svc__C": [0.1, 1, 10], "svc__gamma": [0.01, 0.1]}, cv=3),
    "svm, defaults": svm,
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
}
result = compare_estimators(models, X, y, scoring="accuracy")
print(result)

# %%
# Here tuning brings nothing that fifteen splits of 178 rows could show. That is a finding about
# this much data, and no proof that the models are equal: the intervals say which differences are
# left.

# %%
ComparisonDisplay.from_result(result).plot()
plt.show()
