"""Calls whose answers are recorded bit for bit: all doors and procedures, with many options.

``CALLS`` maps a name, ``group/what``, to a function without arguments. `answer` runs one and
returns plain data: numbers, codes and names, but no sentences. What the package calls things
stands only in the imports and in the first two sections, so that a new name changes one place.
"""

import hashlib
import io
import itertools
import json
import tempfile
import warnings
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, partial, wraps
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import model_selection as split
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris, make_classification, make_regression
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import fbeta_score, make_scorer, zero_one_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcvstats import (
    ComparisonResult,
    CVScores,
    HalfSplitPairs,
    RepeatedSubsampleSplit,
    RepeatedTwoFold,
    RowScores,
    ScoreEstimates,
    SignificanceRefit,
    SplitDesign,
    compare_candidates,
    compare_estimators,
    compare_losses,
    compare_predictions,
    compare_scores,
    cross_val_inference,
    cross_val_score,
    get_procedure,
    get_procedure_names,
    predictions_inference,
)
from skcvstats.__main__ import main
from skcvstats.simulation import StudiedProcedure, simulate
from skcvstats.splitters import make_splitter
from skcvstats.stats import (
    BootstrapTTest,
    Claim,
    ConservativeZTest,
    CorrectedBootstrapTTest,
    CorrectedResampledTTest,
    EquivalenceResult,
    ErrorRateDifference,
    ErrorRateInterval,
    FiveByTwoCVFTest,
    FiveByTwoCVTTest,
    HoldoutTTest,
    Inference,
    ResampledTTest,
    SplitPlan,
    adjust_pvalues,
    bootstrap_ttest,
    conservative_ztest,
    corrected_bootstrap_ttest,
    corrected_resampled_ttest,
    error_rate_difference,
    error_rate_interval,
    five_by_two_cv_ftest,
    five_by_two_cv_ttest,
    holdout_ttest,
    plan_n_splits,
    resampled_ttest,
)
from skcvstats.test_set import (
    ClusteredMean,
    CochranQResult,
    McNemarResult,
    ROCAreas,
    clustered_mean,
    cochran_q_test,
    delong_auc,
    mcnemar_exact_test,
)
from skcvstats.test_set import mcnemar_exact_test_from_table as mcnemar_exact_table
from skcvstats.theory import (
    CorrelationSensitivity,
    ExchangeableMoments,
    ImpliedCorrelation,
    VarianceComponents,
    conservative_variance,
    correlation_sensitivity,
    cv_variance,
    exchangeable_moments,
    half_sample_differences,
    implied_correlation,
    political_ratio,
    variance_components,
)
from tests.cheap import NearestMean
from tests.fitting.on_rows import OnRows

# ---------------------------------------------------------------------------------------------
# The doors, with what is the same in all calls, and arguments whose names may change.

_FITS = {"n_jobs": 1}


def compare(estimators, X, y=None, **options):
    return compare_estimators(estimators, X, y, **_FITS, **_with_splitter(**options))


def infer(estimator, X, y=None, **options):
    return cross_val_inference(estimator, X, y, **_FITS, **_with_splitter(**options))


def _with_splitter(n_splits=None, test_size=None, **options):
    """Replace sizes by the splitter of the method that has them."""
    if n_splits is None and test_size is None:
        return options
    request = get_procedure(options.get("method", "corrected_resampled_t")).request
    sized = request.with_sizes("The method", n_splits=n_splits, test_size=test_size)
    return options | {"cv": make_splitter(sized, 0)}


def score(estimator, X, y=None, **options):
    return cross_val_score(estimator, X, y, n_jobs=1, **options)


def of_scores(scores, *, scoring=None, **options):
    return compare_scores(scores, scoring=scoring, **options)


def of_candidates(search, *args, **options):
    """Compare candidates, all pairs where options but no reference are given."""
    result = compare_candidates(search, *args, **options)
    return result if len(result) or not options else result.pairs()


def of_trials(study, *args, scoring="score", **options):
    return of_candidates(study, *args, scoring=scoring, **options)


def of_losses(losses, *, scoring="loss", **options):
    return compare_losses(losses, loss=scoring, **options)


def predicted(y, predictions, *, scoring, **options):
    return compare_predictions(y, predictions, scoring=scoring, n_jobs=1, **options)


def estimated(y, predictions, *, scoring, **options):
    return predictions_inference(y, predictions, scoring=scoring, n_jobs=1, **options)


def refit_rule(cv, cost, *, confidence_level=0.95, scoring=None, **options):
    return SignificanceRefit(
        cv, cost, confidence_level=confidence_level, scoring=scoring, **options
    )


def made_scores(values, design, *, scoring="accuracy", **options):
    return CVScores(values=values, design=design, metric=scoring, **options)


def from_results(results, *, scoring=None, **options):
    return CVScores.from_cv_results(results, metric=scoring, **options)


# ---------------------------------------------------------------------------------------------
# What is recorded of each kind of result.

_INFERENCE = (
    "estimate pvalue statistic standard_error df n_train n_test n_samples n_splits metric label "
    "method null_value alternative correction n01 n10 mid_p bias acceleration undetermined"
)
_PARTS = {
    ErrorRateInterval: "estimate low high n_errors n",
    ErrorRateDifference: "statistic pvalue estimate standard_error error_rate_1 error_rate_2 "
    "undetermined",
    McNemarResult: "statistic pvalue estimate n01 n10 n undetermined",
    ImpliedCorrelation: "correlation s1 s2",
    VarianceComponents: "s0_minus_s3 s1_minus_s2 s3_minus_s2 n_train n_test n_splits",
    CorrelationSensitivity: "correlation standard_error low high pvalue assumed tipping estimate",
    SplitPlan: "n_splits standard_error half_width n_fits current variance correlation "
    "smallest_half_width smallest_standard_error variance_interval",
    ClusteredMean: "estimate standard_error df n_rows n_groups",
    CochranQResult: "statistic pvalue df n n_informative",
    ROCAreas: "estimate standard_error covariance n_positive n_negative n_squares",
    ExchangeableMoments: "mean variance correlation covariance n_vectors n_entries",
    EquivalenceResult: "margin pvalue pvalues",
    SplitDesign: "n_samples n_train n_test levels shape unit n_splits train_size test_size",
    Inference: _INFERENCE,
}
# Names of columns that changed since the answers were recorded: the new name, then the old one.
COLUMNS = {}
_NOT_RECORDED = {"note"}  # sentences
_LONG = 15


def plain(x):
    """Return numbers, strings, lists and dicts; what is long as a digest."""
    if x is None or isinstance(x, str | bool | int):
        return x.value if isinstance(x, Enum) else x
    if isinstance(x, float | np.floating):
        x = float(x)
        odd = x != x or x in (np.inf, -np.inf) or (x == 0 and str(x) == "-0.0")
        return str(x) if odd else x
    if isinstance(x, np.bool_ | np.integer):
        return x.item()
    if isinstance(x, np.ndarray):
        return _array(x)
    if isinstance(x, pd.DataFrame):
        return _frame(x)
    if isinstance(x, dict):
        return {str(key): plain(value) for key, value in x.items()}
    if isinstance(x, CVScores):
        return _scores(x)
    if isinstance(x, Claim):
        return x.kind
    for kind, names in _PARTS.items():
        if isinstance(x, kind):
            found = {name: getattr(x, name, "missing") for name in names.split()}
            found = {
                name: plain(part() if callable(part) else part)
                for name, part in found.items()
                if not isinstance(part, str) or part != "missing"
            }
            return {**found, **(_more(x) if kind is Inference else {})}
    if isinstance(x, ComparisonResult):
        return _comparison(x)
    if isinstance(x, ScoreEstimates):
        return {"frame": plain(x.to_frame()), "notes": codes(x)}
    if isinstance(x, list | tuple):
        return [plain(item) for item in x]
    raise TypeError(f"nothing says how to record {type(x)}")


def codes(x):
    return sorted({note.code for note in x.notes})


def _frame(x):
    """Return each column; of a longer table all numbers as one array."""
    x = x[[name for name in x.columns if name not in _NOT_RECORDED]].rename(columns=COLUMNS)
    numbers = list(x.select_dtypes("number").columns) if len(x) > 1 else []
    found = {name: plain(x[name].to_numpy()) for name in x.columns if name not in numbers}
    if numbers:
        found["numbers"] = _digest(x[numbers].to_numpy(float))
        found["first row"] = plain(x[numbers].iloc[0].tolist())
    return found


def _array(x):
    if x.size <= _LONG or x.dtype == object or x.dtype.kind in "US":
        return plain(x.tolist())
    return {"sha256": _digest(x), "shape": list(x.shape), "first": plain(x.ravel()[:2].tolist())}


def _digest(x):
    x = np.ascontiguousarray(x, dtype="<f8")
    x = np.where(np.isnan(x), np.nan, x)
    return hashlib.sha256(x.tobytes()).hexdigest()[:24]


def _scores(x):
    sizes = [x.design.n_train, x.design.n_test]
    return {
        "values": plain(np.asarray(x.values)),
        "labels": list(x.labels),
        "metric": x.metric,
        "levels": [list(x.design.levels), list(x.design.shape)],
        "sizes": plain(np.array(sizes)),
        "losses": None if x.row_scores is None else plain(-x.row_scores.block()),
        "failures": plain([failure[:2] for failure in x.failures]),
        "notes": sorted({note.code for note in x.all_notes}),
    }


def _more(x):
    """Return intervals, what is shown, and what else a test tells."""
    found = {"notes": codes(x)}
    if x.has_interval:
        found["interval"] = plain(x.confidence_interval())
        found["interval 80"] = plain(x.confidence_interval(0.8))
    if np.ndim(x.estimate) == 0 and not np.isnan(x.pvalue):
        found["claims"] = [x.claim(alpha).kind for alpha in (0.05, 0.3)]
    return found


def _comparison(x):
    refused = "time order" in codes(x)  # there are no comparisons then
    claims = None if refused else [one.claim.kind for one in x]
    found = {"frame": plain(x.to_frame()), "claims": claims}
    if len(x.metrics) == 1:
        ranked = x.ranking()
        found["ranking"] = plain(ranked)
        if not ranked["could_be_best"].isna().any():
            found["best"] = plain([x.best_set(), x.best_set(0.7)])
    found["scores"] = plain([part.values for part in x.scores_by_metric.values()])
    found["dropped"] = plain([part[:2] for part in x.dropped])
    found["notes"] = codes(x)
    return found


def answer(call):
    """Run a call; return what it gave, or the name of its error, and those of its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = {"gives": plain(call())}
        except Exception as error:
            found = {"raises": type(error).__name__}
    if caught:
        found["warns"] = sorted({warning.category.__name__ for warning in caught})
    return found


CALLS = {}


def add(name, function, /, *args, **options):
    assert name not in CALLS, name
    CALLS[name] = partial(function, *args, **options)


def shared(function):
    """Make something once; its warnings would be those of whoever asks first."""

    @cache
    @wraps(function)
    def quiet(*args):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*args)

    return quiet


def text(option):
    """Return options in a few words, for a name."""
    if isinstance(option, dict):
        return " ".join(f"{key}={text(value)}" for key, value in option.items()) or "default"
    return getattr(option, "__name__", None) or str(option).replace("/", "_")


def products(**options):
    """Yield dicts of all combinations."""
    for values in itertools.product(*options.values()):
        yield dict(zip(options, values, strict=True))


# ---------------------------------------------------------------------------------------------
# Data and estimators.

SIDES = ("two-sided", "less", "greater")
ADJUSTMENTS = ("auto", "max_t", "bonferroni", "holm", "hochberg", "bh", "by", "none")
IRIS = load_iris(return_X_y=True)
IRIS = IRIS[0][::2, :2], IRIS[1][::2]
CANCER = load_breast_cancer(return_X_y=True)
CANCER = CANCER[0][:160, :4], CANCER[1][:160]
X, Y = make_classification(120, 5, flip_y=0.2, random_state=0)
XR, YR = make_regression(100, 4, noise=30, random_state=0)
GROUPS = np.arange(120) % 24
WEIGHTS = 0.5 + np.arange(120) % 3
STUMP, TREE = (
    DecisionTreeClassifier(max_depth=1, random_state=0),
    DecisionTreeClassifier(max_depth=3, random_state=0),
)
PAIR = {"stump": STUMP, "bayes": GaussianNB()}
THREE = {**PAIR, "tree": TREE}
MODELS = {
    **THREE,
    "dummy": DummyClassifier(),
    "lbfgs": LogisticRegression(max_iter=1000),
    "liblinear": LogisticRegression(solver="liblinear", random_state=0),
    "knn": KNeighborsClassifier(3),
}
REGRESSORS = {
    "linear": LinearRegression(),
    "ridge": Ridge(10.0),
    "knn": KNeighborsRegressor(4),
    "mean": DummyRegressor(),
    "tree": DecisionTreeRegressor(max_depth=2, random_state=0),
}
CV = RepeatedSubsampleSplit(8, random_state=1)
PROCEDURES = {
    "corrected": CorrectedResampledTTest(),
    "corrected greater": CorrectedResampledTTest(null_value=-0.02, alternative="greater"),
    "resampled": ResampledTTest(),
    "fixed": ResampledTTest(hypotheses="fixed", alternative="less"),
    "dietterich": FiveByTwoCVTTest(),
    "t4": FiveByTwoCVTTest(variant="t4"),
    "t5": FiveByTwoCVTTest(variant="t5", null_value=0.01),
    "F": FiveByTwoCVFTest(),
    "F null": FiveByTwoCVFTest(null_value=0.05),
    "holdout": HoldoutTTest(),
    "holdout t fixed": HoldoutTTest(law="t", hypotheses="fixed"),
    "holdout t": HoldoutTTest(law="t", alternative="greater"),
    "conservative": ConservativeZTest(n_pairs=3),
    "conservative less": ConservativeZTest(n_pairs=2, alternative="less", null_value=0.01),
    "bootstrap": BootstrapTTest(),
    "corrected bootstrap": CorrectedBootstrapTTest(alternative="greater"),
}
SLOW = {  # procedures that fit on many splits
    "conservative_z": {"n_splits": 4},
    "bootstrap_t": {"n_splits": 4},
    "corrected_bootstrap_t": {"n_splits": 4},
}


class Fails(ClassifierMixin, BaseEstimator):
    """Fails unless one row is there to train on; always fails if it is None."""

    def __init__(self, needs=None):
        self.needs = needs

    def fit(self, rows, y):
        if self.needs is None or X[self.needs, 0] not in rows[:, 0]:
            raise RuntimeError("the disk is full")
        self.classes_ = np.unique(y)
        return self

    def predict(self, rows):
        return np.zeros(len(rows), dtype=int)


# Fails on some splits, not on the first.
FIRST, *_, LAST = [test for _, test in CV.split(X)]
SOMETIMES = Fails(int(np.setdiff1d(LAST, FIRST)[0]))


def f_two(y_true, y_pred):
    return fbeta_score(y_true, y_pred, beta=2)


# ---------------------------------------------------------------------------------------------
# Functions on arrays of scores.

POOL = {"n_train": 70, "n_test": 20, "n_samples": 100}
HALVES = {"n_train": 50, "n_test": 50}
ON_ARRAYS = {
    "corrected": (corrected_resampled_ttest, (15,), (), POOL),
    "resampled": (resampled_ttest, (15,), (), POOL),
    "fixed": (
        resampled_ttest,
        (12,),
        (),
        {"n_train": 300, "n_test": 30, "n_samples": 660, "hypotheses": "fixed"},
    ),
    "dietterich": (five_by_two_cv_ttest, (10,), (), HALVES),
    "t4": (five_by_two_cv_ttest, (10,), (), {**HALVES, "variant": "t4"}),
    "t5": (five_by_two_cv_ttest, (10,), (), {**HALVES, "variant": "t5"}),
    "holdout": (holdout_ttest, (25,), (), {"n_train": 50}),
    "holdout t": (holdout_ttest, (25,), (), {"n_train": 50, "law": "t", "hypotheses": "fixed"}),
    "conservative": (conservative_ztest, (15,), (6, 2, 4), POOL),
    "bootstrap": (bootstrap_ttest, (9, 6), (), POOL),
    "corrected bootstrap": (corrected_bootstrap_ttest, (9, 6), (), POOL),
    "F": (five_by_two_cv_ftest, (10,), (), {}),
}
KINDS_OF_ARRAYS = {
    "plain": lambda x: 0.05 + 0.1 * x,
    "leading": lambda x: 0.05 + 0.1 * np.stack([x, x[..., ::-1], x**2]),
    "zero": lambda x: 0 * x,
    "constant": lambda x: 0 * x + 0.1,
    "tiny": lambda x: 1e-160 * x,
    "huge": lambda x: 1e150 * x,
    "nearly constant": lambda x: 1e6 + 1e-9 * x,
    "single": lambda x: (0.3 + 0.1 * x).astype(np.float32),
}


def drawn(shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def on_arrays(name, kind, **options):
    function, shape, further, sizes = ON_ARRAYS[name]
    arrays = [
        KINDS_OF_ARRAYS[kind](drawn(size, 1 + k)) for k, size in enumerate((shape, further)) if size
    ]
    return function(*arrays, **sizes, **options)


for name, kind in itertools.product(ON_ARRAYS, KINDS_OF_ARRAYS):
    add(f"arrays/{name}/{kind}", on_arrays, name, kind)
for name, options in itertools.product(
    ON_ARRAYS, [*products(alternative=SIDES[1:]), *products(null_value=[0.04], alternative=SIDES)]
):
    if name == "F":
        options = {"null_value": 0.01 * len(options) + 0.001 * len(str(options))}
    if f"arrays/{name}/{text(options)}" not in CALLS:
        add(f"arrays/{name}/{text(options)}", on_arrays, name, "plain", **options)
for name in ("corrected", "resampled", "dietterich", "holdout", "conservative"):
    add(f"arrays/{name}/nulls", on_arrays, name, "leading", null_value=[0.0, 0.1, -0.1])
for name in ("corrected", "resampled", "dietterich", "holdout"):
    function, shape, _, sizes = ON_ARRAYS[name]
    add(f"arrays/{name}/axis", function, drawn((*shape, 2)), axis=0, **sizes)
for k, n_test in enumerate(([20] * 7 + [25] * 8, [10, 20, 30] * 5)):
    sizes = {"n_train": 60, "n_test": n_test, "n_samples": 100}
    add(f"arrays/corrected/sizes {k}", corrected_resampled_ttest, drawn(15), **sizes)
    add(f"arrays/resampled/sizes {k}", resampled_ttest, drawn(15), **sizes)

add("arrays/F/axis", five_by_two_cv_ftest, drawn((10, 3)), axis=0)
add(
    "arrays/conservative/n_test",
    conservative_ztest,
    drawn(5),
    drawn((4, 2, 5), 3),
    auxiliary_n_test=15,
    **POOL,
)


def asked_more(name, what):
    x = on_arrays(name, "plain")
    return what(x)


MORE = {
    "equivalence": lambda x: [x.equivalence(m) for m in (0.01, 0.2, (-0.3, 0.1))],
    "equivalent": lambda x: [
        [x.equivalence(m).claim(0.1), x.equivalence(m).confidence_interval()] for m in (0.001, 0.5)
    ],
    "probabilities": lambda x: [x.probabilities(0), x.probabilities(0.05)],
    "posterior": lambda x: [x.posterior().ppf([0.1, 0.5]), x.posterior().cdf(0.02)],
    "confidence": lambda x: [
        x.with_confidence(0.99).confidence_interval(),
        x.describe().smallest_pvalue,
    ],
    "against": lambda x: x.against(0.1, "less"),
    "frame": lambda x: x.to_frame(0.9),
    "dict": lambda x: {k: v for k, v in x.to_dict().items() if not isinstance(v, str)},
}
for name, what in itertools.product(ON_ARRAYS, MORE):
    has_none = what in ("probabilities", "posterior") and name not in ("corrected", "holdout t")
    if not has_none and (name != "F" or what in ("frame", "dict")):
        add(f"asked/{name}/{what}", asked_more, name, MORE[what])


# ---------------------------------------------------------------------------------------------
# Scores that exist.


@shared
def four(kind="plain"):
    x = drawn((4, 15), 7) * 0.02 + np.array([[0.8], [0.815], [0.83], [0.8]])
    if kind == "constant":
        x[3] = x[2]
        x[1] = x[0] + 0.01
    if kind == "rounded":
        x = x.round(2)
    if kind == "infinite":
        x[0, 3] = np.inf
    return dict(zip("abcd", x, strict=True))


DESIGN = SplitDesign.from_sizes(90, 10, n_splits=15)
SCORED = {
    "default": {},
    "less": {"alternative": "less", "reference": "a"},
    "greater": {"alternative": "greater"},
    "best": {"reference": "best"},
    "margin": {"margin": 0.02},
    "margins best": {"margin": (-0.01, 0.03), "reference": "best"},
    "margin less": {"margin": 0.02, "alternative": "greater", "reference": "d"},
}
for (name, options), adjustment in itertools.product(SCORED.items(), ADJUSTMENTS[::2]):
    add(
        f"scores/{name}/{adjustment}",
        lambda options: of_scores(four(), design=DESIGN, scoring="accuracy", **options),
        {**options, "adjustment": adjustment},
    )
for kind, level in itertools.product(("plain", "constant", "rounded", "infinite"), (0.7, 0.99)):
    add(
        f"{'bad' if kind == 'infinite' else 'scores'}/{kind}/{level}",
        lambda kind, level: of_scores(four(kind), design=DESIGN, confidence_level=level),
        kind,
        level,
    )
for name, other in {
    "confidence": lambda r: r.with_confidence(0.5),
    "margin": lambda r: r.with_margin(0.02),
    "margin interval": lambda r: [c.margin_interval(0.8) for c in r.with_margin(0.03)],
    "detectable": lambda r: [c.detectable_difference(p) for c in r for p in (0.8, 0.95)],
    "dict": lambda r: r.to_dict(),
    "dict margin": lambda r: r.with_margin((-0.01, 0.02)).to_dict(0.8),
    "frame": lambda r: r.to_frame(0.8),
    "ranking": lambda r: [r.ranking(level) for level in (0.6, 0.999)],
    "json": lambda r: ComparisonResult.from_json(r.to_json()),
    "json margin": lambda r: ComparisonResult.from_json(r.with_margin(0.01).to_json()),
    "tests": lambda r: list(r.tests),
    "comparison intervals": lambda r: [c.confidence_interval() for c in r],
}.items():
    add(f"scores/then/{name}", lambda other: other(of_scores(four(), design=DESIGN)), other)


@shared
def structured(method):
    """Return scores of three estimators on splits as a procedure needs them."""
    levels, shape, sizes = ("split",), (15,), POOL
    further = None
    if "five_by_two" in method:
        levels, shape, sizes = ("repeat", "fold"), (5, 2), HALVES
    if "bootstrap" in method:
        levels, shape = ("replicate", "split"), (6, 5)
    n = int(np.prod(shape))
    design = SplitDesign.from_sizes(**sizes, n_splits=n, levels=levels, shape=shape)
    base = np.array([[0.7], [0.76], [0.72]])
    if method == "conservative_z":
        half = SplitDesign.from_sizes(
            30, 20, n_splits=48, n_samples=100, levels=("pair", "half", "split"), shape=(6, 2, 4)
        )
        further = made_scores(base + 0.03 * drawn((3, 48), 5), half, labels=tuple("abc"))
    if method == "row_t":
        folds = split.RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
        tests = [test for _, test in folds.split(np.zeros((40, 1)))]
        x = 0.2 * drawn((3, 2, 40), 6) + base[:, :, np.newaxis]
        rows = RowScores.from_splits([x[:, k // 5, test] for k, test in enumerate(tests)], tests)
        design = SplitDesign.from_sizes(32, 8, n_splits=10, n_samples=40)
        return made_scores(rows.means(), design, labels=tuple("abc"), row_scores=rows), None
    if method == "holdout_t":
        design = SplitDesign.from_sizes(60, 40, n_splits=1)
        x = np.abs(0.3 + 0.2 * drawn((3, 40), 6))
        rows = RowScores(-x, np.arange(40), np.array([0, 40]))
        return made_scores(
            -x.mean(1, keepdims=True),
            design,
            labels=tuple("abc"),
            row_scores=rows,
            scoring="neg_loss",
        ), None
    return made_scores(base + 0.03 * drawn((3, n), 4), design, labels=tuple("abc")), further


for method, options in itertools.product(
    get_procedure_names(),
    (
        {},
        {"margin": 0.05},
        {"reference": "best", "adjustment": "holm"},
        {"adjustment": "none"},
        {"alternative": "greater"},
    ),
):
    wrong = method.endswith("_f") and options.keys() & {"margin", "alternative"}
    place = "bad" if wrong else "procedures"

    def of_structured(method, options):
        scores, further = structured(method)
        return of_scores(scores, method=method, auxiliary=further, **options)

    add(f"{place}/scores/{method}/{text(options)}", of_structured, method, options)
for name, procedure in PROCEDURES.items():

    def run_procedure(procedure, name):
        scores, further = structured(_METHOD_OF[name])
        return [
            procedure.run(scores, further),
            procedure.run(
                scores["a"] - scores["b"], None if further is None else further["a"] - further["b"]
            ),
        ]

    if name != "fixed":  # needs disjoint splits
        add(f"procedures/run/{name}", run_procedure, procedure, name)
_METHOD_OF = {
    name: next(
        method for method in get_procedure_names() if type(get_procedure(method)) is type(procedure)
    )
    for name, procedure in PROCEDURES.items()
}
add("procedures/names", get_procedure_names)
add(
    "procedures/options",
    lambda: [
        str(get_procedure(name, alternative="less").alternative)
        for name in get_procedure_names()
        if not name.endswith("_f")
    ],
)
add(
    "scores/sub json",
    lambda: [CVScores.from_json(structured(m)[0].to_json()) for m in get_procedure_names()],
)
add(
    "scores/interval",
    lambda: [
        made_scores(row, DESIGN).confidence_interval(level, method=method)
        for row in four().values()
        for level in (0.5, 0.95)
        for method in ("corrected_resampled_t", "resampled_t")
    ],
)
add("scores/array", lambda: of_scores(np.stack(list(four().values())), design=DESIGN))
add("scores/frame", lambda: of_scores(pd.DataFrame(four()), design=DESIGN, scoring="auc"))
add(
    "scores/two metrics",
    lambda: of_scores(compare(PAIR, X, Y, cv=CV, scoring=["accuracy", "roc_auc"]).scores_by_metric),
)
add(
    "scores/one of two",
    lambda: of_scores(
        compare(PAIR, X, Y, cv=CV, scoring=["accuracy", "roc_auc"]).scores_by_metric,
        scoring="roc_auc",
    ),
)


@shared
def validated(name, scoring=None):
    return split.cross_validate(MODELS[name], X, Y, cv=CV, return_indices=True, scoring=scoring)


add("scores/cross_validate", lambda: of_scores({name: validated(name) for name in THREE}))
add("scores/from results", lambda: from_results(validated("tree"), scoring="accuracy", label="t"))
add(
    "scores/parts",
    lambda: CVScores.concatenate(
        [score(TREE, X, Y, cv=CV, splits=range(k, k + 4)) for k in (0, 4)]
    ),
)

# ---------------------------------------------------------------------------------------------
# Estimators on splits.

for method in get_procedure_names():
    options = SLOW.get(method, {})
    few = {"stump": REGRESSORS["tree"], "mean": REGRESSORS["mean"]}
    add(f"compare/{method}", compare, PAIR if options else THREE, X, Y, method=method, **options)
    add(
        f"compare/{method}/regression",
        compare,
        few,
        XR[:60],
        YR[:60],
        method=method,
        reference="mean",
        **options,
    )
    if method.endswith("_f"):  # for differences only
        continue
    add(f"infer/{method}", infer, STUMP, *IRIS, method=method, **options)
    add(
        f"infer/{method}/null",
        lambda method, options: infer(
            STUMP, *IRIS, method=method, null_value=0.6, alternative="greater", **options
        ),
        method,
        options,
    )
for name, procedure in PROCEDURES.items():
    if name == "fixed":
        continue
    options = {"n_splits": 3} if _METHOD_OF[name] in SLOW else {}
    reference = "stump" if procedure.null_value else None
    add(
        f"compare/instance {name}",
        compare,
        PAIR,
        *CANCER,
        method=procedure,
        reference=reference,
        **options,
    )
    if "bootstrap" not in name and "F" not in name:
        add(f"infer/instance {name}", infer, TREE, *CANCER, method=procedure, **options)
for adjustment, data in itertools.product(("auto", "holm"), ("iris", "cancer")):
    # liblinear is for two classes
    some = {
        k: MODELS[k]
        for k in MODELS
        if k not in ("stump", "liblinear" if data == "iris" else "lbfgs")
    }
    add(
        f"compare/{data}/{adjustment}",
        compare,
        some,
        *(IRIS if data == "iris" else CANCER),
        cv=RepeatedSubsampleSplit(5, random_state=0),
        adjustment=adjustment,
    )
add("compare/regressors", compare, REGRESSORS, XR, YR)
add("compare/regressors/margin", compare, REGRESSORS, XR, YR, cv=CV, margin=0.1, reference="best")
for scoring in (
    "accuracy",
    "roc_auc",
    "neg_log_loss",
    "f1_macro",
    "balanced_accuracy",
    "average_precision",
    "neg_brier_score",
    f_two,
    ["accuracy", "roc_auc", "f1"],
):
    made = make_scorer(scoring) if callable(scoring) else scoring
    add(f"compare/scoring {text(scoring)}", compare, THREE, X, Y, scoring=made, cv=CV)
    add(f"infer/scoring {text(scoring)}", infer, TREE, X, Y, scoring=made, cv=CV)
    if not isinstance(scoring, list):
        add(f"score/{text(scoring)}", score, MODELS, X, Y, scoring=made, cv=3)
for scoring in ("r2", "neg_mean_squared_error", "neg_mean_absolute_error", "neg_max_error"):
    add(f"compare/scoring {scoring}", compare, REGRESSORS, XR, YR, scoring=scoring, cv=CV)
    add(f"score/{scoring}", score, REGRESSORS, XR, YR, scoring=scoring, cv=4)
on_rows = {"method": OnRows(), "cv": CV}
for scoring in ("neg_mean_squared_error", "neg_mean_absolute_error"):
    add(f"compare/rows {scoring}", compare, REGRESSORS, XR, YR, scoring=scoring, **on_rows)
    add(f"infer/rows {scoring}", infer, REGRESSORS["ridge"], XR, YR, scoring=scoring, **on_rows)
for scoring in ("accuracy", "neg_log_loss", "roc_auc"):
    add(f"compare/rows {scoring}", compare, THREE, X, Y, scoring=scoring, **on_rows)
SPLITTERS = {
    "int": 4,
    "kfold": split.KFold(6, shuffle=True, random_state=0),
    "unshuffled": split.KFold(5),
    "stratified": split.StratifiedKFold(5, shuffle=True, random_state=2),
    "repeated": split.RepeatedKFold(n_splits=5, n_repeats=2, random_state=0),
    "repeated stratified": split.RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0),
    "shuffle": split.ShuffleSplit(7, test_size=0.2, random_state=0),
    "stratified shuffle": split.StratifiedShuffleSplit(7, test_size=0.25, random_state=0),
    "group": split.GroupKFold(6),
    "group shuffle": split.GroupShuffleSplit(6, test_size=0.2, random_state=0),
    "leave groups out": split.LeavePGroupsOut(1),
    "subsample": RepeatedSubsampleSplit(9, test_size=0.3, random_state=5),
    "subsample stratified": RepeatedSubsampleSplit(9, stratify=True, random_state=5),
    "subsample train": RepeatedSubsampleSplit(6, test_size=0.2, train_size=0.5, random_state=5),
    "list": list(split.ShuffleSplit(5, test_size=24, random_state=3).split(X)),
    "time": split.TimeSeriesSplit(4),
}
for (name, cv), grouped in itertools.product(SPLITTERS.items(), (False, True)):
    if (not grouped and "group" in name) or (grouped and name == "subsample stratified"):
        continue
    given = {"groups": GROUPS} if grouped else {}
    label = f"{name}{' grouped' if grouped else ''}"
    if not grouped or "group" in name or name in ("kfold", "subsample", "repeated"):
        add(f"compare/cv {label}", compare, PAIR, X, Y, cv=cv, **given)
    add(f"infer/cv {label}", infer, TREE, X, Y, cv=cv, scoring="accuracy", **given)
    if not grouped or "group" in name:
        add(f"score/cv {label}", score, GaussianNB(), X, Y, cv=cv, **given)
    add(
        f"designs/{label}",
        lambda cv, given: (
            SplitDesign.from_splitter
            if hasattr(cv, "split")
            else lambda cv, *a, **k: SplitDesign.from_any_draw(split.check_cv(cv, Y), *a, **k)
        )(cv, X, Y, **given),
        cv,
        given,
    )
for options in (
    {"n_splits": 10},
    {"test_size": 0.3},
    {"n_splits": 6, "test_size": 0.2},
    {"random_state": 5},
    {"confidence_level": 0.8},
    {"groups": GROUPS},
    {"reference": "bayes"},
    {"alternative": "less"},
    {"margin": 0.05},
    {"margin": (-0.02, 0.1), "adjustment": "holm"},
):
    named = {key: value for key, value in options.items() if key != "groups"} or "groups"
    add(f"compare/{text(named)}", compare, THREE, X, Y, **options)
    if not options.keys() & {"reference", "margin"}:
        add(f"infer/{text(named)}", infer, GaussianNB(), X, Y, **options)
add("compare/weights", compare, PAIR, X, Y, params={"sample_weight": WEIGHTS}, cv=CV)
add("infer/weights", infer, TREE, X, Y, params={"sample_weight": WEIGHTS}, cv=CV)
add("score/weights", score, TREE, X, Y, params={"sample_weight": WEIGHTS}, cv=CV)
add("infer/several", infer, THREE, X, Y, scoring=["accuracy", "roc_auc"], cv=CV)
add("infer/several null", infer, THREE, X, Y, cv=CV, null_value=0.5)
add("infer/several level", lambda: infer(THREE, X, Y, cv=CV).with_confidence(0.6))
add("compare/dropped", compare, {**PAIR, "fails": Fails()}, X, Y, on_error="drop", cv=CV)
add(
    "compare/dropped sometimes", compare, {**PAIR, "fails": SOMETIMES}, X, Y, on_error="drop", cv=CV
)
add(
    "compare/dropped margin",
    compare,
    {**THREE, "fails": Fails()},
    X,
    Y,
    on_error="drop",
    cv=CV,
    margin=0.05,
    scoring=["accuracy", "roc_auc"],
)
add("compare/pool of pairs", compare, [("one", STUMP), ("two", TREE)], *CANCER, cv=CV)
add("compare/frame", compare, PAIR, pd.DataFrame(CANCER[0]), pd.Series(CANCER[1]), cv=CV)
add(
    "compare/json",
    lambda: ComparisonResult.from_json(
        compare(THREE, X, Y, cv=CV, scoring=["accuracy", "roc_auc"]).to_json()
    ),
)
add(
    "compare/metric of two",
    lambda: compare(THREE, X, Y, cv=CV, scoring=["accuracy", "roc_auc"])["roc_auc"],
)
add("score/failed", score, SOMETIMES, X, Y, cv=CV)
add("bad/error score", score, Fails(), X, Y, cv=3, error_score=-1.0)
add("score/dropna", lambda: score(SOMETIMES, X, Y, cv=CV).dropna())
add("score/splits", score, TREE, X, Y, cv=CV, splits=[1, 5])
add("score/json", lambda: CVScores.from_json(score(MODELS, X, Y, cv=CV).to_json()))

# ---------------------------------------------------------------------------------------------
# Searches and studies.

GRID = {"max_depth": [1, 2, 3, 5]}


@shared
def search(kind="grid", scoring="accuracy", refit=True):
    model, cv = DecisionTreeClassifier(random_state=0), split.KFold(5, shuffle=True, random_state=0)
    made = (
        split.GridSearchCV(model, GRID, cv=cv, scoring=scoring, refit=refit)
        if kind == "grid"
        else split.RandomizedSearchCV(
            model,
            {"max_depth": [1, 2, 3, 4, 5, 6], "min_samples_leaf": [1, 5]},
            n_iter=5,
            cv=cv,
            random_state=0,
            scoring=scoring,
            refit=refit,
        )
    )
    return made.fit(X, Y)


TOLD = (
    {},
    {"reference": None},
    {"top": 2},
    {"margin": 0.05},
    {"adjustment": "holm"},
    {"reference": "#1"},
    {"alternative": "less"},
    {"confidence_level": 0.8},
    {"method": "resampled_t"},
    {"reference": None, "top": 3, "adjustment": "bonferroni"},
)
for kind, options in [("grid", told) for told in TOLD] + [("random", told) for told in TOLD[:4]]:
    add(
        f"candidates/{kind}/{text(options)}",
        lambda kind, options: of_candidates(search(kind), X, Y, **options),
        kind,
        options,
    )
add(
    "candidates/two metrics",
    lambda: compare_candidates(search("grid", ("accuracy", "roc_auc"), "roc_auc"), X, Y),
)
add(
    "candidates/design",
    lambda: compare_candidates(search(), design=SplitDesign.from_splitter(split.KFold(5), X, Y)),
)

State = Enum("State", "COMPLETE FAIL PRUNED RUNNING WAITING")
Direction = Enum("Direction", "MINIMIZE MAXIMIZE")


@dataclass
class Trial:
    number: int
    params: dict
    value: float | None = None
    state: State = State.COMPLETE
    user_attrs: dict = field(default_factory=dict)


@dataclass
class Study:
    trials: list
    directions: list


def study(sign=1, states=()):
    trials = [
        Trial(k, {"C": 10.0**k}, sign * float(row.mean()), user_attrs={"scores": list(sign * row)})
        for k, row in enumerate(four().values())
    ]
    for trial, state in zip(trials, states, strict=False):
        trial.state = state
    return Study(trials, [Direction.MAXIMIZE if sign > 0 else Direction.MINIMIZE])


for sign, options in [(1, told) for told in TOLD] + [(-1, told) for told in TOLD[:3]]:
    add(
        f"trials/{sign}/{text(options)}",
        lambda sign, options: of_trials(
            study(sign), X, Y, cv=RepeatedSubsampleSplit(15, random_state=0), **options
        ),
        sign,
        options,
    )
for state in ("PRUNED", "RUNNING", "WAITING", "FAIL"):
    add(
        f"trials/{state}",
        lambda state: of_trials(study(states=[State[state]]), design=DESIGN, scoring="accuracy"),
        state,
    )


def refitted(cost="max_depth", **options):
    return refit_rule(5, cost, **options)(search().cv_results_)


for rule, level, method in itertools.product(
    ("one_standard_error", "margin", "test", "best_set"),
    (0.95, 0.6),
    ("corrected_resampled_t", "resampled_t"),
):
    options = {"margin": 0.08} if rule == "margin" else {}
    add(
        f"refit/{rule}/{level}/{method}",
        refitted,
        rule=rule,
        confidence_level=level,
        method=method,
        **options,
    )
for rule in ("one_standard_error", "test", "best_set"):
    add(f"refit/{rule}/callable", refitted, lambda params: -params["max_depth"], rule=rule)
    add(
        f"refit/{rule}/two metrics",
        lambda rule: refit_rule(5, "max_depth", rule=rule, scoring="roc_auc")(
            search("grid", ("accuracy", "roc_auc"), "roc_auc").cv_results_
        ),
        rule,
    )
add("refit/test/null", refitted, rule="test", method=CorrectedResampledTTest(null_value=-0.02))

# ---------------------------------------------------------------------------------------------
# Fitted models on one test set.

Y_TEST = np.tile([0, 1, 1, 0, 1], 18)
SITES, HEAVY = np.arange(90) % 18, 1.0 + np.arange(90) % 4


@shared
def predictions(kind):
    noise = {name: drawn(90, seed) for seed, name in enumerate("abc")}
    values = {name: Y_TEST + (0.5 + 0.3 * k) * noise[name] for k, name in enumerate(noise)}
    if kind == "values":
        return values
    if kind == "probabilities":
        return {name: 1 / (1 + np.exp(1 - 2 * x)) for name, x in values.items()}
    return {name: (x > 0.5).astype(int) for name, x in values.items()}


METRICS = {
    "accuracy": "labels",
    "f1": "labels",
    "balanced_accuracy": "labels",
    "roc_auc": "probabilities",
    "neg_log_loss": "probabilities",
    "neg_brier_score": "probabilities",
    "neg_mean_squared_error": "values",
    "r2": "values",
    "neg_mean_absolute_error": "values",
}
for (scoring, kind), options in itertools.product(
    METRICS.items(),
    ({}, {"groups": SITES}, {"sample_weight": HEAVY}, {"groups": SITES, "margin": 0.1}),
):
    if scoring == "roc_auc" and "sample_weight" in options:
        continue  # a slow bootstrap

    def on_test_set(door, scoring, kind, options):
        given = predictions(kind)
        return door(Y_TEST, given, scoring=scoring, **options)

    name = f"{scoring}/{' '.join(options) or 'default'}"
    add(f"predictions/{name}", on_test_set, predicted, scoring, kind, options)
    if "margin" not in options:
        add(f"estimates/{name}", on_test_set, estimated, scoring, kind, options)
for options in (
    {"method": "mcnemar"},
    {"method": "cluster_bootstrap"},
    {"method": "clustered_t"},
    {"variance": "sandwich", "groups": SITES},
    {"reference": "best"},
    {"reference": "c"},
    {"alternative": "less"},
    {"adjustment": "holm"},
    {"adjustment": "none"},
    {"confidence_level": 0.8},
    {"method": "cluster_bootstrap", "stratify": True},
    {"method": "cluster_bootstrap", "random_state": 4},
    {"method": "mcnemar", "margin": 0.2},
    {"method": "mcnemar", "alternative": "greater", "adjustment": "by"},
):
    named = {key: value for key, value in options.items() if key != "groups"}
    add(f"predictions/{text(named)}", on_test_set, predicted, "accuracy", "labels", options)
for method, null in itertools.product(("mcnemar", "clustered_t", "cluster_bootstrap"), (0.5, 0.9)):
    add(
        f"estimates/{method}/{null}",
        lambda method, null: estimated(
            Y_TEST,
            predictions("labels")["a"],
            scoring="accuracy",
            method=method,
            null_value=null,
            alternative="greater",
        ),
        method,
        null,
    )
add(
    "estimates/delong null",
    lambda: estimated(Y_TEST, predictions("probabilities")["b"], scoring="roc_auc", null_value=0.5),
)
add(
    "estimates/two metrics",
    lambda: estimated(Y_TEST, predictions("labels"), scoring=["accuracy", "f1"]),
)
add(
    "predictions/runs",
    lambda: predicted(
        Y_TEST,
        {"runs": [predictions("labels")[name] for name in "ab"], "c": predictions("labels")["c"]},
        scoring="accuracy",
        groups=SITES,
    ),
)
add(
    "predictions/estimators",
    lambda: predicted(
        Y[60:],
        {name: model.fit(X[:60], Y[:60]) for name, model in THREE.items()},
        scoring="roc_auc",
        X=X[60:],
    ),
)
add(
    "predictions/json",
    lambda: ComparisonResult.from_json(
        predicted(Y_TEST, predictions("labels"), scoring="f1").to_json()
    ),
)
for options in (
    {},
    {"groups": SITES},
    {"sample_weight": HEAVY},
    {"groups": SITES, "sample_weight": HEAVY},
    {"groups": SITES, "variance": "sandwich"},
    {"reference": "best"},
    {"margin": 0.2},
    {"alternative": "greater"},
    {"confidence_level": 0.7},
    {"scoring": "cost"},
    *products(adjustment=ADJUSTMENTS[1:]),
):
    named = {key: "given" if np.ndim(value) else value for key, value in options.items()}
    add(
        f"losses/{text(named)}",
        lambda options: of_losses(
            {name: (x - Y_TEST) ** 2 for name, x in predictions("values").items()}, **options
        ),
        options,
    )
for number, options in enumerate(
    (
        {},
        {"groups": SITES},
        {"sample_weight": HEAVY},
        {"groups": np.repeat([1, 2, 3], 30)},
        {"groups": SITES, "sample_weight": HEAVY},
        {"groups": np.minimum(np.arange(90), 30)},
    )
):
    for variance in ("jackknife", "sandwich"):
        add(
            f"arrays/clustered_mean/{variance}/{number}",
            clustered_mean,
            drawn((2, 90)),
            variance=variance,
            **options,
        )
    if "sample_weight" not in options:
        add(
            f"arrays/delong/{number}",
            delong_auc,
            Y_TEST,
            drawn((3, 90)).round(1),
            *options.values(),
        )

# ---------------------------------------------------------------------------------------------
# Counts, adjustments, moments, plans.

for method, level in itertools.product(("wilson", "exact", "normal"), (0.95, 0.5)):
    for errors in (0, 1, 12, 40):
        add(
            f"tables/rate/{method}/{level}/{errors}",
            error_rate_interval,
            errors,
            40,
            method,
            confidence_level=level,
        )
    add(
        f"tables/rate/{method}/{level}/arrays",
        error_rate_interval,
        [[3, 0], [9, 200]],
        200,
        method,
        confidence_level=level,
    )
for side, null in itertools.product(SIDES, (0.0, 0.1)):

    def rates(side, null):
        found = error_rate_difference(
            [12, 0, 5], [40, 30, 5], [5, 0, 9], 30, null_value=null, alternative=side
        )
        return [found, found.confidence_interval(0.9)]

    add(f"tables/difference/{side}/{null}", rates, side, null)
TABLES = {
    "plain": [[50, 12], [5, 23]],
    "same": [[5, 0], [0, 5]],
    "one": [[30, 1], [0, 9]],
    "large": [[5000, 900], [1000, 100]],
}
for (name, table), method, side in itertools.product(
    TABLES.items(), ("mid-p", "exact", "asymptotic", "continuity"), SIDES
):

    def mcnemar(table, method, side):
        found = mcnemar_exact_table(table, method=method, alternative=side)
        return [found, found.confidence_interval(0.9)]

    if name == "plain" or side == "two-sided":
        add(f"tables/mcnemar/{name}/{method}/{side}", mcnemar, table, method, side)
add(
    "tables/mcnemar/labels",
    lambda: mcnemar_exact_test(Y_TEST, predictions("labels")["a"], predictions("labels")["b"]),
)
add("tables/cochran", lambda: cochran_q_test([x == Y_TEST for x in predictions("labels").values()]))
add("tables/cochran same", lambda: cochran_q_test(np.ones((3, 5), dtype=bool)))
P_VALUES = {
    "plain": [0.01, 0.04, 0.03, 0.5, 0.001, 0.04],
    "ends": [0.0, 1.0, 0.2],
    "one": [0.03],
    "none": [],
}
for (name, pvalues), method in itertools.product(P_VALUES.items(), ADJUSTMENTS[2:]):
    add(f"adjust/{name}/{method}", adjust_pvalues, pvalues, method)
SIZES = {"n_splits": 15, "n_train": 180, "n_test": 20, "n_samples": 200}
MOMENTS = {
    "s0": 0.2,
    "s1": 0.02,
    "s2": 0.008,
    "s3": 0.01,
    "s4": 0.006,
    "s1_half": 0.03,
    "s2_half": 0.01,
}
for method in get_procedure_names():
    if method in ("five_by_two_cv_f", "row_t"):  # the report has no formula
        continue
    for variant in ("dietterich", "t4", "t5") if method == "five_by_two_cv_t" else ("dietterich",):
        add(
            f"moments/political_ratio/{method}/{variant}",
            political_ratio,
            method,
            variant=variant,
            **MOMENTS,
            **SIZES,
        )
add(
    "moments/political_ratio/arrays",
    political_ratio,
    "resampled_t",
    s1=1.0,
    s2=[[0.1], [0.5]],
    n_splits=[5, 15, 50],
)
add(
    "moments/cv_variance", lambda: [cv_variance(0.02, s2, n) for s2 in (0.0, 0.01) for n in (1, 25)]
)
add("moments/cv_variance drawn", cv_variance, 0.02, 0.01, [5, 10], s0=0.2, n_draws=30)
for seed in range(3):
    vectors = drawn((40, 6), seed) + drawn((40, 1), seed + 10)
    add(
        f"moments/exchangeable/{seed}",
        lambda vectors: [
            exchangeable_moments(vectors),
            exchangeable_moments(vectors).variance_of_mean(9),
            [
                exchangeable_moments(vectors).confidence_interval(part, level)
                for part in ("mean", "variance", "correlation")
                for level in (0.5, 0.95)
            ],
        ],
        vectors,
    )
    add(f"moments/implied/{seed}", implied_correlation, [0.1, 0.5, 2.0][seed], vectors)
    add(f"moments/conservative/{seed}", conservative_variance, vectors)
add("moments/implied arrays", implied_correlation, np.arange(1.0, 5), drawn((4, 9)))


@shared
def with_rows(cv=CV):
    return score(PAIR, X, Y, cv=cv), infer(TREE, X, Y, method=OnRows(), cv=cv).scores


add("moments/components", lambda: variance_components(with_rows()[1]))
add("moments/halves", lambda: half_sample_differences(structured("conservative_z")[1]))
add("moments/halves variance", lambda: conservative_variance(structured("conservative_z")[1]))
add("moments/with_rows", lambda: [with_rows()[0], with_rows()[1]])


def one_score(which):
    made = made_scores(np.stack(list(four().values())), DESIGN, labels=tuple("abcd"))
    return made["a"] if which == "score" else made["c"] - made["a"]


PLANS = {
    "plan": plan_n_splits,
    "frame": lambda x, rho: plan_n_splits(x, rho, n_splits=(20, 40), fits_per_split=2).to_frame(),
    "power": lambda x, rho: [plan_n_splits(x, rho).power(0.02, alternative=s) for s in SIDES],
    "detectable": lambda x, rho: plan_n_splits(x, rho).detectable_difference(0.9),
    "sensitivity": lambda x, rho: correlation_sensitivity(x, None if rho is None else [rho, 0.8]),
    "n_splits": lambda x, rho: plan_n_splits(x, rho).n_splits_for(difference=0.02, power=0.3),
    "equivalence": lambda x, rho: plan_n_splits(x, rho).power(0.0, margin=0.05),
}
for what, rho, (name, plan) in itertools.product(
    ("score", "difference"), (None, 0.0, 0.3), PLANS.items()
):
    add(f"plans/{name}/{what}/{rho}", lambda f, w, rho: f(one_score(w), rho), plan, what, rho)

# ---------------------------------------------------------------------------------------------
# Splits.


def indices(cv, groups=None):
    return [np.concatenate([np.asarray(part) for part in pair]) for pair in cv.split(X, Y, groups)]


OWN = {
    "subsample": RepeatedSubsampleSplit(6, random_state=0),
    "subsample half": RepeatedSubsampleSplit(6, test_size=0.5, random_state=1),
    "subsample stratified": RepeatedSubsampleSplit(6, stratify=True, random_state=0),
    "subsample train": RepeatedSubsampleSplit(3, train_size=0.4, random_state=2),
    "replicates": RepeatedSubsampleSplit(2, n_replicates=4, random_state=0),
    "replicates fixed": RepeatedSubsampleSplit(2, n_replicates=4, pool="fixed", random_state=0),
    "half": HalfSplitPairs(3, 2, random_state=0),
    "half stratified": HalfSplitPairs(3, 2, test_size=0.2, stratify=True, random_state=0),
    "two-fold": RepeatedTwoFold(5, random_state=0),
    "two-fold stratified": RepeatedTwoFold(3, stratify=True, random_state=1),
}
for (name, cv), grouped in itertools.product(OWN.items(), (False, True)):
    if grouped and "stratified" in name:
        continue
    given = GROUPS if grouped else None
    add(f"splits/{name}{' grouped' if grouped else ''}", indices, cv, given)
    add(
        f"designs/own {name}{' grouped' if grouped else ''}",
        lambda cv, given: (
            design := SplitDesign.from_splitter(cv, X, Y, given),
            [note.code for note in design.notes],
            design.take([0, 1]),
        ),
        cv,
        given,
    )
for name, cv in {**OWN, **SPLITTERS}.items():
    if hasattr(cv, "split"):
        add(
            f"designs/indices {name}",
            lambda cv: SplitDesign.from_indices(
                *zip(
                    *cv.split(X, Y, GROUPS if "Group" in type(cv).__name__ else None), strict=True
                ),
                n_samples=len(X),
                y=Y,
            ),
            cv,
        )
for sizes in ((90, 10), ([90, 80], [10, 20]), (50, 50)):
    add(
        f"designs/sizes {sizes}",
        lambda sizes: SplitDesign.from_sizes(*sizes, n_splits=None if np.ndim(sizes[0]) else 4),
        sizes,
    )
add("designs/test set", lambda: SplitDesign.of_test_set(30))

# ---------------------------------------------------------------------------------------------
# Simulation studies.


def line(random_state):
    X = random_state.normal(size=(40, 2))
    return X, X[:, 0] + random_state.normal(size=40)


def classes(random_state):
    y = np.arange(40) % 2
    return random_state.normal(size=(40, 2)) + y[:, None], y


STUDIES = {
    "regression": (
        line,
        {
            "stump": DecisionTreeRegressor(max_depth=1, random_state=0),
            "tree": DecisionTreeRegressor(max_depth=3, random_state=0),
        },
    ),
    "classes": (classes, {"stump": STUMP, "tree": TREE}),
}


ZERO_ONE = make_scorer(zero_one_loss, greater_is_better=False)


@shared
def studied(name):
    return simulate(
        *STUDIES[name],
        [
            "corrected_resampled_t",
            "resampled_t",
            "five_by_two_cv_t",
            "holdout_t",
            "five_by_two_cv_f",
            StudiedProcedure(
                test="conservative_z",
                cv=RepeatedSubsampleSplit(3, test_size=0.2),
                auxiliary=HalfSplitPairs(2, 3, test_size=0.2),
                label="Z",
            ),
            StudiedProcedure(test=FiveByTwoCVTTest(variant="t5"), label="t5"),
        ],
        designs=[RepeatedSubsampleSplit(5), HalfSplitPairs(3)],
        scoring=ZERO_ONE if name == "classes" else None,
        n_data_sets=5,
        n_jobs=1,
    )


TRUTH = {
    "regression": {"stump": -1.5, "tree": -1.6, "stump-tree": 0.1},
    "classes": {"stump": -0.3, "tree": -0.35, "stump-tree": 0.05},
}
TABLES_OF_STUDIES = {
    "estimates": lambda r, truth: [r.estimates, r.standard_errors, r.dfs, r.pvalues],
    "names": lambda r, truth: [r.labels, r.hypotheses, r.metric],
    "size": lambda r, truth: r.size(truth=truth),
    "size estimated": lambda r, truth: r.size(0.2),
    "coverage": lambda r, truth: r.coverage(truth=truth),
    "length": lambda r, truth: r.mean_length(),
    "rates": lambda r, truth: r.rejection_rates([-0.1, 0.0, 0.1]),
    "frame": lambda r, truth: r.to_frame(truth=truth),
    "true": lambda r, truth: r.true_values(truth),
    "grid": lambda r, truth: r.null_value_grid("tree", 5),
    "losses": lambda r, truth: r.as_losses().estimates,
}
for name, (what, table) in itertools.product(STUDIES, TABLES_OF_STUDIES.items()):
    add(
        f"simulate/{name}/{what}",
        lambda name, table: table(studied(name), TRUTH[name]),
        name,
        table,
    )


@shared
def studied_long():
    """30 data sets, as intervals of moments need."""
    return simulate(
        classes,
        {"one": NearestMean(1), "two": NearestMean(2)},
        ["corrected_resampled_t", "five_by_two_cv_t"],
        designs=[HalfSplitPairs(2, 2)],
        scoring=ZERO_ONE,
        n_data_sets=30,
        n_jobs=1,
    )


add("simulate/long/ratio", lambda: studied_long().political_ratio())
add("simulate/long/moments", lambda: studied_long().moments())
add("simulate/long/size", lambda: studied_long().size())
add(
    "simulate/bootstrap",
    lambda: (
        simulate(
            *STUDIES["classes"],
            [
                StudiedProcedure(test=method, cv=RepeatedSubsampleSplit(2, n_replicates=4))
                for method in ("bootstrap_t", "corrected_bootstrap_t")
            ],
            scoring=ZERO_ONE,
            n_data_sets=2,
            n_jobs=1,
        ).estimates
    ),
)

# ---------------------------------------------------------------------------------------------
# The command line: exit status, and the numbers of what it prints as JSON.

_SENTENCES = {"verdict", "note", "notes", "data", "why", "text"}


def _without_sentences(x):
    if isinstance(x, dict):
        return {k: _without_sentences(v) for k, v in x.items() if k not in _SENTENCES}
    return [_without_sentences(item) for item in x] if isinstance(x, list) else x


def command(*words):
    """Run the command line in a folder with files; return the exit status and numbers."""
    with tempfile.TemporaryDirectory() as folder:
        pd.DataFrame(X).assign(y=Y, site=GROUPS).to_csv(f"{folder}/data.csv", index=False)
        pd.DataFrame(predictions("labels")).assign(y=Y_TEST, site=SITES).to_csv(
            f"{folder}/test.csv", index=False
        )
        Path(folder, "scores.json").write_text(of_scores(four(), design=DESIGN).to_json())
        printed = io.StringIO()
        with redirect_stdout(printed), redirect_stderr(io.StringIO()):
            status = main([str(word).replace("@", f"{folder}/") for word in words])
        if status == 2 or "--json" not in words:
            return status
        return [status, _without_sentences(json.loads(printed.getvalue()))]


STUMP_HERE = "stump=sklearn.tree.DecisionTreeClassifier(max_depth=1)"
HERE = "compare --data @data.csv --target y --estimators tree logistic"
TEST = "predictions @test.csv --target y --scoring"
COMMANDS = {
    "compare": f"{HERE} {STUMP_HERE} --n-splits 6",
    "compare groups": f"{HERE} --groups site",
    "compare margin": f"{HERE} --margin 0.05 --confidence-level 0.8 --seed 3",
    "compare metrics": f"{HERE} --scoring accuracy roc_auc --n-splits 5 --reference tree",
    "compare two-fold": f"{HERE} --method five_by_two_cv_t",
    "compare iris": "compare --data iris --estimators tree logistic",
    "report": "report @scores.json",
    "report margin": "report @scores.json --margin 0.02 --confidence-level 0.9",
    "predictions": f"{TEST} accuracy --drop site",
    "predictions groups": f"{TEST} f1 --groups site --models a b --margin 0.1",
    "predictions site": f"{TEST} accuracy --groups site --reference a",
    "gate data": "gate --data @data.csv --target y --champion tree --challenger logistic "
    "--rule not-worse --margin 0.1",
    "gate predictions": "gate --predictions @test.csv --target y --scoring accuracy --champion c "
    "--challenger a --rule better",
    "no file": "report @missing.json",
    "no rule": "gate --scores @scores.json --champion a",
    "no method": "compare --data @data.csv --target y --method unknown",
}
for name, words in COMMANDS.items():
    add(f"command/{name}", command, *words.split(), "--json")
RULES = ("better", "not-worse --margin 0.02", "equivalent --margin 0.05", "not-worse")
for champion, challenger, rule in itertools.product("ac", "bcd", RULES):
    if champion != challenger:
        words = f"gate --scores @scores.json --champion {champion} --challenger {challenger}"
        name = f"command/gate/{champion}{challenger}/{rule.replace(' ', '_')}"
        add(name, command, *words.split(), "--rule", *rule.split(), "--json")
