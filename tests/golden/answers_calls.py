"""Calls whose answers are compared bit for bit: all doors and procedures, with many options.

``CALLS`` maps a name, ``group/what``, to a function without arguments. `answer` runs one and
returns plain data: numbers, codes and names, but no sentences. What the doors call things stands
only in the first two sections, so that a new name changes one place.
"""

import hashlib
import io
import itertools
import json
import tempfile
import warnings
from contextlib import redirect_stderr, redirect_stdout
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
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcvstats as s
from skcvstats import CVScores, RepeatedSubsampleSplit, SplitDesign, stats
from skcvstats.command_line import main
from skcvstats.splitters import make_splitter
from tests.fitting.on_rows import OnRows

# The doors, with what is the same in all calls, and arguments whose names may change.


def compare(estimators, *data, **options):
    return s.compare_estimators(estimators, *(data or (X, Y)), n_jobs=1, **options)


def infer(estimator, *data, **options):
    return s.cross_val_inference(estimator, *(data or (X, Y)), n_jobs=1, **options)


def score(estimator, *data, **options):
    return s.cross_val_score(estimator, *(data or (X, Y)), n_jobs=1, **options)


def of_candidates(search, *args, **options):
    """Compare candidates, all pairs where options but no reference are given."""
    result = s.compare_candidates(search, *args, **options)
    return result if len(result) or not options else result.pairs()


def predicted(predictions, scoring, y=None, **options):
    y = Y_TEST if y is None else y
    return s.compare_predictions(y, predictions, scoring=scoring, n_jobs=1, **options)


def estimated(predictions, scoring, **options):
    return s.predictions_inference(Y_TEST, predictions, scoring=scoring, n_jobs=1, **options)


def made_scores(values, design, *, metric="accuracy", **options):
    return CVScores(values=values, design=design, metric=metric, **options)


def again(result):
    """Return what is read of what is written."""
    return type(result).from_json(result.to_json())


# What is recorded of each kind of result.

_INFERENCE = (
    "estimate pvalue statistic standard_error df n_train n_test n_samples n_splits metric label "
    "method null_value alternative correction n01 n10 mid_p bias acceleration undetermined"
)
_PARTS = {
    stats.EquivalenceResult: "margin pvalue pvalues",
    SplitDesign: "n_samples n_train n_test levels shape unit n_splits train_size test_size",
    stats.Inference: _INFERENCE,
}
_NOT_RECORDED = {"note", "adjusted_over"}  # sentences and words
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
    if isinstance(x, stats.Claim):
        return x.kind
    for kind, names in _PARTS.items():
        if isinstance(x, kind):
            found = {name: getattr(x, name, "missing") for name in names.split()}
            there = {k: v for k, v in found.items() if not isinstance(v, str) or v != "missing"}
            found = {name: plain(v() if callable(v) else v) for name, v in there.items()}
            return {**found, **(_more(x) if kind is stats.Inference else {})}
    if isinstance(x, s.ComparisonResult):
        return _comparison(x)
    if isinstance(x, s.ScoreEstimates):
        return {"frame": plain(x.to_frame()), "notes": codes(x)}
    if isinstance(x, list | tuple):
        return [plain(item) for item in x]
    raise TypeError(f"nothing says how to record {type(x)}")


def codes(x):
    return sorted({note.code for note in x.notes})


def _frame(x):
    """Return each column; of a longer table all numbers as one array."""
    x = x[[name for name in x.columns if name not in _NOT_RECORDED]]
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
        **{"values": plain(np.asarray(x.values)), "labels": list(x.labels), "metric": x.metric},
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


def _all_columns(x, level=None):
    """Return the full table; without a margin its outcomes are recorded as claims only."""
    frame = x.to_frame(level, full=True)
    return frame if x.margin is not None else frame.drop(columns="outcome")


_RANKING = "estimator score standard_error low high pvalue_best could_be_best rank_low rank_high"


def _comparison(x):
    found = {"frame": plain(_all_columns(x)), "claims": [one.claim.kind for one in x]}
    if len(x.metrics) == 1:
        ranked = x.ranking()
        found["ranking"] = plain(ranked[[name for name in ranked if name in _RANKING.split()]])
        if not ranked["could_be_best"].isna().any():
            found["best"] = plain([x.best_set(), x.best_set(0.7)])
    found["scores"] = plain([part.values for part in x.scores_by_metric.values()])
    found["dropped"] = plain([part[:2] for part in x.dropped])
    found["notes"] = codes(x)
    return found


def answer(call):
    """Run a call; return what it gave, or the name of its error, and those of its warnings."""
    with warnings.catch_warnings(record=True, action="always") as caught:
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
        with warnings.catch_warnings(action="ignore"):
            return function(*args)

    return quiet


def text(option):
    """Return options in a few words, for a name."""
    if isinstance(option, dict):
        return " ".join(f"{key}={text(value)}" for key, value in option.items()) or "default"
    return getattr(option, "__name__", None) or str(option).replace("/", "_")


def by_turns(each, turns):
    """Yield each thing with the next of the turns, so that all occur, and few calls are made."""
    return zip(each, itertools.cycle(turns), strict=False)


# Data and estimators.

ADJUSTMENTS = ("auto", "max_t", "bonferroni", "holm", "hochberg", "bh", "by", "none")
IRIS = load_iris(return_X_y=True)
IRIS = IRIS[0][::2, :2], IRIS[1][::2]
CANCER = load_breast_cancer(return_X_y=True)
CANCER = CANCER[0][:160, :4], CANCER[1][:160]
X, Y = make_classification(120, 5, flip_y=0.2, random_state=0)
XR, YR = make_regression(100, 4, noise=30, random_state=0)
GROUPS = np.arange(120) % 24
WEIGHTS = {"params": {"sample_weight": 0.5 + np.arange(120) % 3}}
STUMP, TREE = (DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (1, 3))
PAIR = {"stump": STUMP, "bayes": GaussianNB()}
THREE = {**PAIR, "tree": TREE}
MODELS = {**THREE, "dummy": DummyClassifier(), "lbfgs": LogisticRegression(max_iter=1000)}
MODELS["liblinear"] = LogisticRegression(solver="liblinear", random_state=0)
MODELS["knn"] = KNeighborsClassifier(3)
REGRESSORS = {"linear": LinearRegression(), "ridge": Ridge(10.0), "knn": KNeighborsRegressor(4)}
REGRESSORS |= {"mean": DummyRegressor(), "tree": DecisionTreeRegressor(max_depth=2, random_state=0)}
CV = RepeatedSubsampleSplit(8, random_state=1)
TWO = {"scoring": ["accuracy", "roc_auc"], "cv": CV}
PROCEDURES = {
    "corrected greater": stats.CorrectedResampledTTest(null_value=0.02, alternative="greater"),
    "t4": stats.FiveByTwoCVTTest(variant="t4"),
    "t5": stats.FiveByTwoCVTTest(variant="t5", null_value=0.01),
    "F null": stats.FiveByTwoCVFTest(null_value=0.05),
    "holdout t fixed": stats.HoldoutTTest(law="t", hypotheses="fixed"),
    "holdout t": stats.HoldoutTTest(law="t", alternative="greater"),
    "conservative less": stats.ConservativeZTest(n_pairs=2, alternative="less", null_value=0.01),
    "corrected bootstrap": stats.CorrectedBootstrapTTest(alternative="greater"),
}
METHODS = s.get_procedure_names()
# procedures that fit on many splits
SLOW = {
    m: {"cv": make_splitter(s.get_procedure(m).request.with_sizes("It", n_splits=4), 0)}
    for m in ("conservative_z", "bootstrap_t", "corrected_bootstrap_t")
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


# Functions on arrays of scores.

POOL = {"n_train": 70, "n_test": 20, "n_samples": 100}
HALVES = {"n_train": 50, "n_test": 50}
FIXED = {"n_train": 300, "n_test": 30, "n_samples": 660, "hypotheses": "fixed"}
ON_ARRAYS = {
    "corrected": (stats.corrected_resampled_ttest, (15,), (), POOL),
    "resampled": (stats.resampled_ttest, (15,), (), POOL),
    "fixed": (stats.resampled_ttest, (12,), (), FIXED),
    "dietterich": (stats.five_by_two_cv_ttest, (10,), (), HALVES),
    "t4": (stats.five_by_two_cv_ttest, (10,), (), {**HALVES, "variant": "t4"}),
    "t5": (stats.five_by_two_cv_ttest, (10,), (), {**HALVES, "variant": "t5"}),
    "holdout": (stats.holdout_ttest, (25,), (), {"n_train": 50}),
    "holdout t": (
        stats.holdout_ttest, (25,), (), {"n_train": 50, "law": "t", "hypotheses": "fixed"}
    ),
    "conservative": (stats.conservative_ztest, (15,), (6, 2, 4), POOL),
    "bootstrap": (stats.bootstrap_ttest, (9, 6), (), POOL),
    "corrected bootstrap": (stats.corrected_bootstrap_ttest, (9, 6), (), POOL),
    "F": (stats.five_by_two_cv_ftest, (10,), (), {}),
}  # fmt: skip
KINDS_OF_ARRAYS = {
    "plain": lambda x: 0.05 + 0.1 * x,
    "leading": lambda x: 0.05 + 0.1 * np.stack([x, x[..., ::-1], x**2]),
    "zero": lambda x: 0 * x,
    "constant": lambda x: 0 * x + 0.1,
    "small": lambda x: 1e-90 * x,
    "large": lambda x: 1e90 * x,
    "nearly constant": lambda x: 1e6 + 1e-9 * x,
    "single": lambda x: (0.3 + 0.1 * x).astype(np.float32),
}


def drawn(shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def on_arrays(name, kind="plain", **options):
    function, *shapes, sizes = ON_ARRAYS[name]
    arrays = [KINDS_OF_ARRAYS[kind](drawn(size, 1 + k)) for k, size in enumerate(shapes) if size]
    return function(*arrays, **sizes, **options)


for name, kind in by_turns(ON_ARRAYS, list(KINDS_OF_ARRAYS)[1:]):
    for each in ("plain", kind):
        add(f"arrays/{name}/{each}", on_arrays, name, each)
MORE = {
    "equivalence": lambda x: [x.equivalence(m) for m in (0.01, 0.2, (-0.3, 0.1))],
    "equivalent": lambda x: [
        [x.equivalence(m).claim(0.1), x.equivalence(m).confidence_interval()] for m in (0.001, 0.5)
    ],
    "probabilities": lambda x: [x.probabilities(0), x.probabilities(0.05)],
    "posterior": lambda x: [x.posterior().ppf([0.1, 0.5]), x.posterior().cdf(0.02)],
    "confidence": lambda x: [
        x.with_confidence(0.99).confidence_interval(), x.describe().smallest_pvalue
    ],
    "against": lambda x: x.against(0.1, "less"),
    "frame": lambda x: x.to_frame(0.9),
    "dict": lambda x: {k: v for k, v in x.to_dict().items() if not isinstance(v, str)},
}  # fmt: skip
for what, more in MORE.items():
    for name in ("corrected", *(["F"] if what in ("frame", "dict") else [])):
        add(f"asked/{name}/{what}", lambda name, more: more(on_arrays(name)), name, more)

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


FOUR = four()
ROWS = np.stack(list(FOUR.values()))
DESIGN = SplitDesign.from_sizes(90, 10, n_splits=15)
SCORED = {
    "default": {},
    "less": {"alternative": "less", "reference": "a"},
    "greater": {"alternative": "greater", "reference": "b"},
    "best": {"reference": "best"},
    "margin": {"margin": 0.02},
    "margins best": {"margin": (-0.01, 0.03), "reference": "best"},
    "margin less": {"margin": 0.02, "alternative": "greater", "reference": "d"},
}
for (name, options), adjustment in by_turns(SCORED.items(), ADJUSTMENTS):
    options = {"design": DESIGN, "metric": "accuracy", **options, "adjustment": adjustment}
    add(f"scores/{name}/{adjustment}", s.compare_scores, FOUR, **options)
for kind, level in by_turns(("plain", "constant", "rounded", "infinite"), (0.7, 0.99)):
    name = f"{'bad' if kind == 'infinite' else 'scores'}/{kind}/{level}"
    add(name, s.compare_scores, four(kind), design=DESIGN, confidence_level=level)
THEN = {
    "confidence": lambda r: r.with_confidence(0.5),
    "margin": lambda r: r.with_margin(0.02),
    "margin interval": lambda r: [c.margin_interval(0.8) for c in r.with_margin(0.03)],
    "detectable": lambda r: [c.detectable_difference(p) for c in r for p in (0.8, 0.95)],
    "dict": lambda r: r.to_dict(),
    "dict margin": lambda r: r.with_margin((-0.01, 0.02)).to_dict(0.8),
    "frame": lambda r: _all_columns(r, 0.8),
    "ranking": lambda r: [r.ranking(level) for level in (0.6, 0.999)],
    "json": again,
    "json margin": lambda r: again(r.with_margin(0.01)),
    "tests": lambda r: list(r.tests),
    "comparison intervals": lambda r: [c.confidence_interval() for c in r],
}
for name, other in THEN.items():
    add(f"scores/then/{name}", lambda other: other(s.compare_scores(FOUR, design=DESIGN)), other)


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
    base, named = np.array([[0.7], [0.76], [0.72]]), {"labels": tuple("abc")}
    if method == "conservative_z":
        halves = {"levels": ("pair", "half", "split"), "shape": (6, 2, 4)}
        half = SplitDesign.from_sizes(30, 20, n_splits=48, n_samples=100, **halves)
        further = made_scores(base + 0.03 * drawn((3, 48), 5), half, **named)
    if method == "row_t":
        folds = split.RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
        tests = [test for _, test in folds.split(np.zeros((40, 1)))]
        x = 0.2 * drawn((3, 2, 40), 6) + base[:, :, np.newaxis]
        rows = s.RowScores.from_splits([x[:, k // 5, test] for k, test in enumerate(tests)], tests)
        design = SplitDesign.from_sizes(32, 8, n_splits=10, n_samples=40)
        return made_scores(rows.means(), design, row_scores=rows, **named), None
    if method in ("holdout_t", "diebold_mariano"):
        design = SplitDesign.from_sizes(60, 40, n_splits=1)
        x = -np.abs(0.3 + 0.2 * drawn((3, 40), 6))
        named |= {"row_scores": s.RowScores(x, np.arange(40), np.array([0, 40]))}
        return made_scores(x.mean(1, keepdims=True), design, metric="neg_loss", **named), None
    return made_scores(base + 0.03 * drawn((3, n), 4), design, **named), further


def of_structured(method, options):
    scores, further = structured(method)
    return s.compare_scores(scores, method=method, auxiliary=further, **options)


def run_procedure(procedure):
    scores, further = structured(procedure.name)
    halves = None if further is None else further["a"] - further["b"]
    return [procedure.run(scores, further), procedure.run(scores["a"] - scores["b"], halves)]


STRUCTURED = (
    *({}, {"margin": 0.05}, {"reference": "best", "adjustment": "holm"}),
    *({"adjustment": "none"}, {"alternative": "greater", "reference": "b"}),
)
add("bad/scores/five_by_two_cv_f/margin=0.05", of_structured, "five_by_two_cv_f", {"margin": 0.05})
for method, options in by_turns(METHODS, STRUCTURED):
    wrong = method.endswith("_f") and options.keys() & {"margin", "alternative"}
    place = "bad" if wrong else "procedures"
    add(f"{place}/scores/{method}/{text(options)}", of_structured, method, options)
for name, procedure in PROCEDURES.items():
    add(f"procedures/run/{name}", run_procedure, procedure)


@shared
def validated(name, scoring=None):
    return split.cross_validate(MODELS[name], X, Y, cv=CV, return_indices=True, scoring=scoring)


HALVED, read_results = (range(4), range(4, 8)), CVScores.from_cv_results
OTHERS = {
    "sub json": lambda: [again(structured(method)[0]) for method in METHODS],
    "interval": lambda: [
        made_scores(row, DESIGN).confidence_interval(level, method=method)
        for row in ROWS
        for level in (0.5, 0.95)
        for method in ("corrected_resampled_t", "resampled_t")
    ],
    "array": lambda: s.compare_scores(ROWS, design=DESIGN),
    "frame": lambda: s.compare_scores(pd.DataFrame(FOUR), design=DESIGN, metric="auc"),
    "two metrics": lambda: s.compare_scores(compare(PAIR, **TWO).scores_by_metric),
    "one of two": lambda: s.compare_scores(compare(PAIR, **TWO).scores_by_metric, metric="roc_auc"),
    "cross_validate": lambda: s.compare_scores({name: validated(name) for name in THREE}),
    "from results": lambda: read_results(validated("tree"), metric="accuracy", label="t"),
    "parts": lambda: CVScores.concatenate([score(TREE, cv=CV, splits=part) for part in HALVED]),
}
for name, call in OTHERS.items():
    add(f"scores/{name}", call)

# Estimators on splits.

for method in METHODS:
    options = {"method": method, **SLOW.get(method, {})}
    add(f"compare/{method}", compare, PAIR if method in SLOW else THREE, **options)
    if not method.endswith("_f"):  # for differences only
        options |= {"null_value": 0.6, "alternative": "greater"}
        add(f"infer/{method}/null", infer, STUMP, *IRIS, **options)
for name, data, adjustment in (("iris", IRIS, "auto"), ("cancer", CANCER, "holm")):
    # liblinear is for two classes
    left_out = "stump", "liblinear" if name == "iris" else "lbfgs"
    some = {k: MODELS[k] for k in MODELS if k not in left_out}
    options = {"cv": RepeatedSubsampleSplit(5, random_state=0), "adjustment": adjustment}
    add(f"compare/{name}/{adjustment}", compare, some, *data, **options)
add("compare/regressors/margin", compare, REGRESSORS, XR, YR, cv=CV, margin=0.1, reference="best")
SCORINGS = (
    *("accuracy", "roc_auc", "neg_log_loss", "f1_macro"),
    *("average_precision", "neg_brier_score", f_two, ["accuracy", "roc_auc", "f1"]),
)
for scoring in SCORINGS:
    made = make_scorer(scoring) if callable(scoring) else scoring
    add(f"compare/scoring {text(scoring)}", compare, THREE, scoring=made, cv=CV)
add("infer/scoring f1_macro", infer, TREE, scoring="f1_macro", cv=CV)
add("score/roc_auc", score, MODELS, scoring="roc_auc", cv=3)
for scoring in ("r2", "neg_mean_squared_error", "neg_max_error"):
    add(f"compare/scoring {scoring}", compare, REGRESSORS, XR, YR, scoring=scoring, cv=CV)
on_rows = {"scoring": "neg_mean_squared_error", "method": OnRows(), "cv": CV}
add("infer/rows neg_mean_squared_error", infer, REGRESSORS["ridge"], XR, YR, **on_rows)
for scoring in ("neg_log_loss", "roc_auc"):
    add(f"compare/rows {scoring}", compare, THREE, scoring=scoring, method=OnRows(), cv=CV)
MIXED = split.KFold(6, shuffle=True, random_state=0)
SPLITTERS = {
    "int": 4,
    "repeated": split.RepeatedKFold(n_splits=5, n_repeats=2, random_state=0),
    "group": split.GroupKFold(6),
    "subsample train": RepeatedSubsampleSplit(6, test_size=0.2, train_size=0.5, random_state=5),
    "list": list(split.ShuffleSplit(5, test_size=24, random_state=3).split(X)),
    "time": split.TimeSeriesSplit(4),
}
for name, cv in [*SPLITTERS.items(), ("kfold grouped", MIXED)]:
    given = {"groups": GROUPS} if "group" in name else {}
    label = name if not given or name.endswith("grouped") else f"{name} grouped"
    add(f"compare/cv {label}", compare, PAIR, cv=cv, **given)
OPTIONS = (
    *({"random_state": 5}, {"confidence_level": 0.8}, {"groups": GROUPS}, {"reference": "bayes"}),
    *({"margin": 0.05}, {"margin": (-0.02, 0.1), "adjustment": "holm"}),
    {"alternative": "less", "reference": "tree"},
)
for options in OPTIONS:
    named = {key: value for key, value in options.items() if key != "groups"} or "groups"
    add(f"compare/{text(named)}", compare, THREE, **options)
add("infer/groups", infer, GaussianNB(), groups=GROUPS)
add("infer/alternative=less", infer, GaussianNB(), alternative="less")
add("compare/weights", compare, PAIR, cv=CV, **WEIGHTS)
add("infer/several", infer, THREE, **TWO)
add("infer/several null", infer, THREE, cv=CV, null_value=0.5)
drop = {"on_error": "drop", "cv": CV}
add("compare/dropped", compare, {**PAIR, "fails": Fails()}, **drop)
add("compare/dropped sometimes", compare, {**PAIR, "fails": SOMETIMES}, **drop)
add("compare/dropped margin", compare, {**THREE, "fails": Fails()}, **drop | TWO, margin=0.05)
add("compare/json", lambda: again(compare(THREE, **TWO)))
add("compare/metric of two", lambda: compare(THREE, **TWO)["roc_auc"])
add("score/failed", score, SOMETIMES, cv=CV)
add("bad/error score", score, Fails(), cv=3, error_score=-1.0)
add("score/dropna", lambda: score(SOMETIMES, cv=CV).dropna())

# Searches and studies.

GRID = {"max_depth": [1, 2, 3, 5]}
FOR_BOTH = ("grid", ("accuracy", "roc_auc"), "roc_auc")  # a search with two metrics


@shared
def search(kind="grid", scoring="accuracy", refit=True):
    model = DecisionTreeClassifier(random_state=0)
    options = {"cv": split.KFold(5, shuffle=True, random_state=0)}
    options |= {"scoring": scoring, "refit": refit}
    if kind == "grid":
        return split.GridSearchCV(model, GRID, **options).fit(X, Y)
    grid = {"max_depth": [1, 2, 3, 4, 5, 6], "min_samples_leaf": [1, 5]}
    return split.RandomizedSearchCV(model, grid, n_iter=5, random_state=0, **options).fit(X, Y)


def refitted(cost="max_depth", searched=(), **options):
    return s.SignificanceRefit(5, cost, **options)(search(*searched).cv_results_)


TOLD = (
    *({}, {"top": 2}, {"margin": 0.05}, {"alternative": "less", "reference": "#1"}),
    *({"method": "resampled_t"}, {"reference": None, "top": 3, "adjustment": "bonferroni"}),
)
for kind, options in [("grid", told) for told in TOLD] + [("random", {})]:
    ask = partial(lambda kind, options: of_candidates(search(kind), X, Y, **options), kind)
    add(f"candidates/{kind}/{text(options)}", ask, options)
OF_FOLDS = SplitDesign.from_splitter(split.KFold(5), X, Y)
add("candidates/two metrics", lambda: of_candidates(search(*FOR_BOTH), X, Y))
add("candidates/design", lambda: s.compare_candidates(search(), design=OF_FOLDS))
RULES = [("one_standard_error", 0.95, "corrected_resampled_t"), ("margin", 0.6, "resampled_t")]
for rule, level, method in (*RULES, ("margin", 0.95, "corrected_resampled_t")):
    options = {"rule": rule, "method": method, **({"margin": 0.08} if rule == "margin" else {})}
    add(f"refit/{rule}/{level}/{method}", refitted, confidence_level=level, **options)
add("refit/one_standard_error/callable", refitted, lambda params: -params["max_depth"])
add("refit/one_standard_error/two metrics", refitted, searched=FOR_BOTH, scoring="roc_auc")

# Fitted models on one test set.

Y_TEST = np.tile([0, 1, 1, 0, 1], 18)
SITES, HEAVY = np.arange(90) % 18, 1.0 + np.arange(90) % 4
VALUES = {name: Y_TEST + (0.5 + 0.3 * k) * drawn(90, k) for k, name in enumerate("abc")}
PROBABILITIES = {name: 1 / (1 + np.exp(1 - 2 * x)) for name, x in VALUES.items()}
LABELS = {name: (x > 0.5).astype(int) for name, x in VALUES.items()}
METRICS = {
    **dict.fromkeys(("accuracy", "f1", "balanced_accuracy"), LABELS),
    **dict.fromkeys(("roc_auc", "neg_log_loss", "neg_brier_score"), PROBABILITIES),
    **dict.fromkeys(("neg_mean_squared_error", "r2", "neg_mean_absolute_error"), VALUES),
}
GROUPED, WEIGHTED = {"groups": SITES}, {"sample_weight": HEAVY}
TURNS = (GROUPED, {}, WEIGHTED, {**GROUPED, "margin": 0.1})
for (scoring, given), options in by_turns(METRICS.items(), TURNS):
    name = f"{scoring}/{' '.join(options) or 'default'}"
    add(f"predictions/{name}", predicted, given, scoring, **options)
    if "margin" not in options:
        add(f"estimates/{name}", estimated, given, scoring, **options)
BOOTSTRAP = {"method": "bootstrap"}
OPTIONS = (
    *({"method": "mcnemar"}, BOOTSTRAP, {"method": "clustered_t"}),
    *({"variance": "sandwich", **GROUPED}, {"reference": "best"}, {"reference": "c"}),
    *({"alternative": "less", "reference": "a"}, {"adjustment": "holm"}, {"adjustment": "none"}),
    *({"confidence_level": 0.8}, {**BOOTSTRAP, "stratify": True}, {**BOOTSTRAP, "random_state": 4}),
    {"method": "mcnemar", "margin": 0.2},
    {"method": "mcnemar", "alternative": "greater", "reference": "a", "adjustment": "by"},
)
for options in OPTIONS:
    named = {key: value for key, value in options.items() if key != "groups"}
    add(f"predictions/{text(named)}", predicted, LABELS, "accuracy", **options)
for method, null in by_turns(("mcnemar", "clustered_t", "bootstrap"), (0.5, 0.9)):
    options = {"method": method, "null_value": null, "alternative": "greater"}
    add(f"estimates/{method}/{null}", estimated, LABELS["a"], "accuracy", **options)
add("estimates/delong null", estimated, PROBABILITIES["b"], "roc_auc", null_value=0.5)
RUNS = {"runs": [LABELS["a"], LABELS["b"]], "c": LABELS["c"]}
add("predictions/runs", predicted, RUNS, "accuracy", groups=SITES)


def of_estimators():
    fitted = {name: model.fit(X[:60], Y[:60]) for name, model in THREE.items()}
    return predicted(fitted, "roc_auc", Y[60:], X=X[60:])


add("predictions/estimators", of_estimators)
OPTIONS = (
    *({}, GROUPED, WEIGHTED, {**GROUPED, **WEIGHTED}, {**GROUPED, "variance": "sandwich"}),
    *({"reference": "best"}, {"margin": 0.2}, {"alternative": "greater", "reference": "b"}),
    *({"confidence_level": 0.7}, {"adjustment": "by"}),
)
LOSSES = {name: (x - Y_TEST) ** 2 for name, x in VALUES.items()}
for options in OPTIONS:
    named = {key: "given" if np.ndim(value) else value for key, value in options.items()}
    add(f"losses/{text(named)}", s.compare_losses, LOSSES, metric="loss", **options)
# Learning curves.


def curve(estimators, *data, **options):
    """Return the frames of a curve, and the codes of its notes."""
    result = s.learning_curve_inference(estimators, *(data or (X, Y)), n_jobs=1, **options)
    frames = [result.to_frame()]
    if len(result.names) > 1:
        frames.append(result.differences())
    return [plain(frames), codes(result)]


add("curves/default", curve, PAIR)
add("curves/corrected", curve, TREE, method="corrected_resampled_t", cv=CV, random_state=3)
add("curves/groups", curve, PAIR, groups=GROUPS, scoring="roc_auc", train_sizes=(0.4, 0.8))
add("curves/numbers", curve, REGRESSORS["ridge"], XR, YR, train_sizes=[20, 50])
# The command line: exit status, and the numbers of what it prints as JSON.

_SENTENCES = {"verdict", "note", "notes", "data", "columns", "why", "text", "adjusted_over"}


def _without_sentences(x):
    if isinstance(x, dict):
        return {k: _without_sentences(v) for k, v in x.items() if k not in _SENTENCES}
    return [_without_sentences(item) for item in x] if isinstance(x, list) else x


def command(*words):
    """Run the command line in a folder with files; return the exit status and numbers."""
    words = [*words, "--json"]
    with tempfile.TemporaryDirectory() as folder:
        pd.DataFrame(X).assign(y=Y, site=GROUPS).to_csv(f"{folder}/data.csv", index=False)
        table = pd.DataFrame(LABELS).assign(y=Y_TEST, site=SITES)
        table.to_csv(f"{folder}/test.csv", index=False)
        Path(folder, "scores.json").write_text(s.compare_scores(FOUR, design=DESIGN).to_json())
        printed = io.StringIO()
        with redirect_stdout(printed), redirect_stderr(io.StringIO()):
            status = main([word.replace("@", f"{folder}/") for word in words])
        return 2 if status == 2 else [status, _without_sentences(json.loads(printed.getvalue()))]


STUMP_HERE = "stump=sklearn.tree.DecisionTreeClassifier(max_depth=1)"
HERE = "compare --data @data.csv --target y --estimators tree logistic"
TEST = "predictions @test.csv --target y --scoring"
COMMANDS = {
    "compare": f"{HERE} {STUMP_HERE} --n-splits 6",
    "compare groups": f"{HERE} --groups site",
    "compare margin": f"{HERE} --margin 0.05 --confidence-level 0.8 --seed 3",
    "compare metrics": f"{HERE} --scoring accuracy roc_auc --n-splits 5 --reference tree",
    "report margin": "report @scores.json --margin 0.02 --confidence-level 0.9",
    "predictions groups": f"{TEST} f1 --groups site --models a b --margin 0.1",
    "gate data": "gate --data @data.csv --target y --champion tree --challenger logistic "
    "--rule not-worse --margin 0.1",
    "gate predictions": "gate --predictions @test.csv --target y --scoring accuracy --champion c "
    "--challenger a --rule better",
}
for name, words in COMMANDS.items():
    add(f"command/{name}", command, *words.split())
