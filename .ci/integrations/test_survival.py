"""The recipe for survival models: scores are scikit-survival's own, fold by fold."""

import pytest
from sklearn.base import clone
from sklearn.model_selection import RepeatedKFold


def test_concordance(run):
    pytest.importorskip("sksurv")
    names = run("survival_concordance.py")
    X, y, scores = names["X"], names["y"], names["result"].scores
    assert scores.metric == "concordance"
    ((train, test), *_) = RepeatedKFold(n_splits=5, n_repeats=4, random_state=0).split(X)
    model = clone(names["models"]["Cox"]).fit(X.iloc[train], y[train])
    assert scores["Cox"].values[0] == pytest.approx(model.score(X.iloc[test], y[test]))
