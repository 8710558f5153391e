"""
Tuned models: the search is part of the algorithm
=================================================

If a model is tuned on all rows, its score on the same rows is too good. A search that is passed as
an estimator is run again inside each split, on the training rows only. So the comparison is about
"tune, then fit".
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from skcvstats import compare_estimators
from skcvstats.plotting import ComparisonDisplay

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
# Twenty splits of 178 rows do not show that tuning helps. This does not prove that the models are
# equal: the intervals say which differences are still possible.

# %%
ComparisonDisplay.from_result(result).plot()
plt.show()
