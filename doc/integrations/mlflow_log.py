"""Log a comparison to MLflow: numbers, facts and the report."""

import re

import mlflow
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcvstats import compare_estimators, evaluation_report


def log_result(result):
    """Log the numbers and facts of a result to the active run."""
    numbers, facts = {}, {}
    for key, value in result.to_dict().items():
        name = re.sub(r"[^\w/.:\- ]", "_", key)  # what MLflow allows
        if name in numbers or name in facts:
            raise ValueError(f"{key!r} has the same name in MLflow as another")
        if isinstance(value, str):
            facts[name] = value
        elif value is not None:
            numbers[name] = value
    mlflow.log_metrics(numbers)
    mlflow.log_params(facts)


X, y = load_breast_cancer(return_X_y=True)
tree = DecisionTreeClassifier(random_state=0)
models = {"naive Bayes": GaussianNB(), "tree": tree}
result = compare_estimators(models, X, y, scoring="accuracy")

with mlflow.start_run() as run:
    log_result(result)
    evaluation_report(result).save("report.html")
    mlflow.log_artifact("report.html")
