"""A check for skore: whether a model is significantly better than a baseline."""

import skore
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcvstats import RepeatedSubsampleSplit, compare_scores


class NotBetterThanBaseline(skore.Check):
    """Report a model that is not significantly better than a baseline."""

    code = "CVS001"
    title = "Not significantly better than the baseline"
    report_types = ["cross-validation"]
    severity = "tip"

    def __init__(self, baseline, metric):
        self.baseline = baseline
        self.metric = metric

    def check_function(self, report):
        """Return what was found instead, or None."""
        reports = {"this model": report, "the baseline": self.baseline}
        comparison = compare_scores(reports, metric=self.metric, reference="the baseline")[0]
        return None if comparison.outcome == "higher" else f"{comparison}"


X, y = load_breast_cancer(return_X_y=True)
cv = RepeatedSubsampleSplit(15, random_state=0)
logistic = make_pipeline(StandardScaler(), LogisticRegression())
baseline = skore.evaluate(logistic, X, y, splitter=cv)
report = skore.evaluate(RandomForestClassifier(25, random_state=0), X, y, splitter=cv)
report.checks.add([NotBetterThanBaseline(baseline, "accuracy")])
summary = report.checks.summarize(fast_mode=True)
print(summary)
