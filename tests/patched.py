"""What each patch in ``doc/patches`` gives its users; its name is the argument of this script.

``test_patches.py`` runs it with a patched copy of the package.
"""

import sys
import warnings

import numpy as np
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import hinge_loss, make_scorer
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

import skcvstats as s

X, Y = (rows[:120] for rows in load_breast_cancer(return_X_y=True))
X = (X - X.mean(axis=0)) / X.std(axis=0)
PAIR = {"bayes": GaussianNB(), "dummy": DummyClassifier()}


def metric():
    """The hinge loss is compared by the row t-test, which takes means over rows."""
    loss = make_scorer(hinge_loss, response_method="decision_function", greater_is_better=False)
    models = {"logistic": LogisticRegression(), "svm": LinearSVC(random_state=0)}
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    result = s.compare_estimators(models, X, Y, scoring=loss, cv=folds)
    (comparison,) = result
    assert comparison.test.method == "row_t"
    means = [
        cross_val_score(models[name], X, Y, scoring=loss, cv=folds).mean()
        for name in (comparison.estimator, comparison.versus)
    ]
    np.testing.assert_allclose([comparison.score, comparison.score_versus], means, rtol=1e-12)


def procedure():
    """The k-fold t-test is taken by its name, and is SciPy's paired t-test over the folds."""
    folds = KFold(10, shuffle=True, random_state=0)
    result = s.compare_estimators(PAIR, X, Y, cv=folds, method="kfold_t")
    bayes, dummy = (cross_val_score(model, X, Y, cv=folds) for model in PAIR.values())
    expected = stats.ttest_rel(bayes, dummy)
    found = result.comparisons[0].test
    np.testing.assert_allclose(
        [found.statistic, found.pvalue, found.df],
        [expected.statistic, expected.pvalue, expected.df],
        rtol=1e-12,
    )
    assert "kfold_t" in s.get_procedure_names()
    assert "10 splits (k-fold t-test, " in str(result)


def note():
    """The note has its code, and is printed, where there are more columns than rows only."""
    code = "more columns than rows"
    result = s.compare_estimators(PAIR, X[:40, :30], Y[:40])
    assert code not in {note.code for note in result.notes}
    wide = s.compare_estimators(PAIR, np.hstack([X[:40]] * 2), Y[:40])
    assert code in {note.code for note in wide.notes}
    printed = " ".join(str(wide).split())
    assert f"There are 60 columns and 32 training rows. [{code}]" in printed


def column():
    """The ratio of the scores is a column of the frame and of the print."""
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    result = s.compare_estimators(PAIR, X, Y, cv=folds)
    frame = result.to_frame(full=True)
    bayes, dummy = (cross_val_score(model, X, Y, cv=folds).mean() for model in PAIR.values())
    np.testing.assert_allclose(frame["ratio"], bayes / dummy, rtol=1e-12)
    head, row = str(result).split("\n\n")[1].splitlines()
    assert "ratio" in head.split()
    assert f"{bayes / dummy:.2f}" in row.split()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    {"metric": metric, "procedure": procedure, "note": note, "column": column}[sys.argv[1]]()
    print(s.__file__)
