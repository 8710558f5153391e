"""
Fitted models on one test set, with several rows of each patient
================================================================

Five models are fitted, and there is one test set with several rows of each patient. Which of these
models is better on patients like these? The question is not which algorithm is better.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcvstats import compare_predictions, predictions_inference
from skcvstats.test_set import mcnemar_exact_test

X, y = load_breast_cancer(return_X_y=True)
X = X[:, :4] + 0.5 * np.random.default_rng(0).normal(size=(len(X), 4)) * X[:, :4].std(axis=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.6, random_state=0)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(100, random_state=0),
    "bayes": GaussianNB(),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
}
models = {name: model.fit(X_train, y_train) for name, model in models.items()}

# %%
# Each row of the test set is used three times with new noise, as three visits of one patient.
# The visits of a patient are alike, so there are as many independent rows as patients.

n_patients, n_visits = len(y_test), 3
patient = np.repeat(np.arange(n_patients), n_visits)
noise = 0.05 * np.random.default_rng(1).normal(size=(n_patients * n_visits, 4))
X_visits, y_visits = X_test[patient] * (1 + noise), y_test[patient]

result = compare_predictions(y_visits, models, X=X_visits, scoring="roc_auc", groups=patient)
print(result)

# %%
# If the visits are treated as independent rows, the intervals are too short:

by_rows = compare_predictions(y_visits, models, X=X_visits, scoring="roc_auc")
ratio = by_rows[0].test.standard_error / result[0].test.standard_error
print(f"standard error without groups: {ratio:.2f} of that with groups")

# %%
# One model in several metrics, each with the method that suits it:

print(
    predictions_inference(
        y_visits,
        {"logistic": models["logistic"], "tree": models["tree"]},
        X=X_visits,
        scoring=["roc_auc", "accuracy", "f1"],
        groups=patient,
    )
)

# %%
# On independent rows, one visit each, two classifiers can be compared by McNemar's test. The score
# test has Tango's interval:

labels = {name: models[name].predict(X_test) for name in ("logistic", "tree")}
print(compare_predictions(y_test, labels, scoring="accuracy", method="mcnemar"))
print(mcnemar_exact_test(y_test, labels["logistic"], labels["tree"]))

# %%
# Mitchell's textbook has an example of a single classifier with 12 errors on 40 rows. Here is
# Wilson's interval for its accuracy; the textbook's interval for the error is 0.158 to 0.442.

forty = predictions_inference(
    np.ones(40, dtype=int), np.repeat([0, 1], [12, 28]), scoring="accuracy", method="mcnemar"
)
print(forty)

# %%
figure, ax = plt.subplots(figsize=(7, 2.5), layout="constrained")
for height, (found, colour) in enumerate([(by_rows, "tab:red"), (result, "tab:blue")]):
    for k, comparison in enumerate(found):
        ax.hlines(k + 0.2 * height, *comparison.confidence_interval(), color=colour, linewidth=2)
ax.axvline(0, color="black", linewidth=1)
ax.set_yticks(range(len(result)), [f"{c.estimator} - {c.versus}" for c in result], fontsize=7)
ax.set(xlabel="difference of areas; visits as rows (red), as groups (blue)")
plt.show()
