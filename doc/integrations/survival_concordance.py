"""Compare two survival models of scikit-survival by Harrell's concordance."""

from sksurv.datasets import load_whas500
from sksurv.ensemble import RandomSurvivalForest
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import concordance_index_censored

from skcvstats import compare_estimators


def concordance(model, X, y):
    """Return the share of comparable pairs in which the higher risk has the earlier event."""
    return concordance_index_censored(y["fstat"], y["lenfol"], model.predict(X))[0]


X, y = load_whas500()
X = X.astype(float)
models = {
    "Cox": CoxPHSurvivalAnalysis(alpha=0.1),
    "forest": RandomSurvivalForest(50, min_samples_leaf=15, random_state=0),
}
result = compare_estimators(models, X, y, scoring=concordance)
print(result)
