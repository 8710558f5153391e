"""A user's script through every door: type checkers accept it in strict mode, and it runs."""

from pathlib import Path
from tempfile import mkdtemp

import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcvstats
from skcvstats import (
    ComparisonResult,
    CorrectedResampledTTest,
    CVScores,
    EvaluationReport,
    RacingSearchCV,
    RepeatedSubsampleSplit,
    SignificanceRefit,
    SplitDesign,
    compare_candidates,
    compare_estimators,
    compare_losses,
    compare_out_of_fold,
    compare_predictions,
    compare_scores,
    cross_val_inference,
    cross_val_score,
    evaluation_report,
    get_procedure,
    get_procedure_names,
    learning_curve_inference,
    predictions_inference,
    simulate,
)
from skcvstats.plotting import RankingDisplay
from skcvstats.stats import corrected_resampled_ttest, error_rate_interval, plan_n_splits
from skcvstats.theory import correlation_sensitivity

folder = Path(mkdtemp())
X, y = load_iris(return_X_y=True)
models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
cv = RepeatedSubsampleSplit(15, test_size=0.1, random_state=0)

result: ComparisonResult = compare_estimators(models, X, y, cv=cv, margin=0.05)
names: tuple[str, ...] = result.best_set()
half_width: float = result.ranking()["high"].iloc[0] - result[0].test.estimate
p: float = result[0].test.pvalue
low, high = result[0].test.confidence_interval()
(folder / "result.json").write_text(result.to_json())
again = ComparisonResult.from_json((folder / "result.json").read_text())
assert again.names == result.names
report: EvaluationReport = evaluation_report(result)
(folder / "report.html").write_text(report.to_html())
RankingDisplay.from_result(result).plot()

finished = {
    name: cross_validate(model, X, y, cv=cv, return_indices=True) for name, model in models.items()
}
print(compare_scores(finished, metric="accuracy"))
folds = KFold(5, shuffle=True, random_state=0)
made = {name: cross_val_predict(model, X, y, cv=folds) for name, model in models.items()}
print(compare_out_of_fold(y, made, folds=folds, scoring="accuracy"))
print(compare_predictions(y, made, scoring="accuracy"))
print(predictions_inference(y, made["bayes"], scoring="accuracy"))
losses = {name: (labels != y).astype(float) for name, labels in made.items()}
print(compare_losses(losses))

rule = SignificanceRefit(cv, "param_max_depth")
search = GridSearchCV(models["tree"], {"max_depth": [1, 2, 3]}, cv=cv, refit=rule).fit(X, y)
print(compare_candidates(search, X, y))
race: RacingSearchCV = RacingSearchCV(models["tree"], {"max_depth": [1, 2]}, rule="evidence")
left: tuple[str, ...] = race.fit(X, y).best_set()
print(race, left, race.predict(X), race.cv_results_["dropped_after"])
print(race.to_frame())

scores: CVScores = cross_val_score(models["bayes"], X, y, cv=cv)
print(cross_val_inference(models["bayes"], X, y, cv=cv))
print(CorrectedResampledTTest(null_value=0.9)(scores))
curve = learning_curve_inference(models, X, y, train_sizes=(0.5, 1.0))
print(curve, curve.gains[0].claim.kind, curve.to_frame(), curve.differences())
print([type(get_procedure(name)).__name__ for name in get_procedure_names()])
print(corrected_resampled_ttest(np.asarray(scores), n_train=135, n_test=15))
print(error_rate_interval(3, 50), SplitDesign.from_splitter(cv, X, y))
print(plan_n_splits(result.tests[0].scores), correlation_sensitivity(scores))


def generator(random_state: np.random.RandomState) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of two classes."""
    target = np.arange(40) % 2
    return random_state.normal(size=(40, 2)) + target[:, None], target


print(simulate(generator, models, ["corrected_resampled_t"], n_data_sets=3).to_frame())
print(skcvstats.__version__)
