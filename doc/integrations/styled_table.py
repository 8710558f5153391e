"""A table for a page or a paper with pandas' Styler, which needs jinja2."""

from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcvstats import compare_estimators

X, y = load_breast_cancer(return_X_y=True)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
}
result = compare_estimators(models, X, y, scoring="accuracy")


def bold_if_shown(row):
    """Set the differences in bold that are shown at the 5 % level."""
    return ["font-weight: bold" if row["pvalue_adjusted"] <= 0.05 else ""] * len(row)


columns = ["estimator", "versus", "difference", "low", "high", "pvalue_adjusted"]
table = (
    result.to_frame()[columns]
    .style.format(precision=3)
    .format("{:.4f}", subset="pvalue_adjusted")
    .apply(bold_if_shown, axis=1)
    .hide(axis="index")
    .set_caption("Differences in accuracy, 95 % intervals, row t-test")
)
Path("table.html").write_text(table.to_html())
Path("table.tex").write_text(table.to_latex(convert_css=True, hrules=True))
