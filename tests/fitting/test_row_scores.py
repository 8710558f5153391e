"""The scores of single rows: against the metric of each row alone, or without each."""

import inspect

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.metrics
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer, get_scorer_names, make_scorer

from skcvstats.fitting import read_metrics, without_each
from skcvstats.fitting._row_scores import rows_in_fold
from tests.conftest import every

N = 60
RNG = np.random.default_rng(0)
X = np.arange(N)
VALUES = RNG.gamma(2.0, size=N) + 0.1
GUESSES = RNG.gamma(2.0, size=N) + 0.1
SEVERAL = RNG.gamma(2.0, size=(2, N, 3)) + 0.1
LABELS = np.arange(N) % 2
CLASSES = np.arange(N) % 4
LABEL_SETS = RNG.integers(2, size=(2, N, 5)) * (np.arange(N) > 3)[:, np.newaxis]


class Stored(BaseEstimator):
    """A model that answers what it was given."""

    def __init__(self, answers, classes=None):
        self.answers, self.classes = answers, classes

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.answers[X]


class StoredValues(RegressorMixin, Stored):
    pass


class StoredChances(ClassifierMixin, Stored):
    @property
    def classes_(self):
        return np.asarray(self.classes)

    def predict_proba(self, X):
        return self.answers[X]

    def predict(self, X):
        return self.classes_[self.answers[X].argmax(axis=1)]


class StoredDecisions(ClassifierMixin, Stored):
    classes_ = StoredChances.classes_

    def decision_function(self, X):
        return self.answers[X]


def chances(n_classes, dtype=float, seed=0):
    draws = np.random.default_rng(seed).dirichlet(np.full(n_classes, 0.5), size=N)
    return draws.astype(dtype)


def rows_of(metric, model, y):
    (metric,) = read_metrics(metric)
    return metric.rows.score(metric.function.reader(model, X, y))


def assert_each_is_that_of_its_row(metric, model, y, alone=None):
    """Check them against a scorer of one row, which is the metric's own if there is none."""
    scorer = get_scorer(metric)
    found = rows_of(metric, model, y)
    expected = [(alone or scorer)(model, X[[i]], y[[i]]) for i in range(N)]
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-14)
    assert found.mean() == pytest.approx(scorer(model, X, y), rel=1e-13)


def loss(function, **options):
    return make_scorer(function, greater_is_better=False, **options)


ERRORS = {
    "squared": "neg_mean_squared_error", "absolute": "neg_mean_absolute_error",
    "percentage": "neg_mean_absolute_percentage_error", "squared log": "neg_mean_squared_log_error",
    "pinball": loss(metrics.mean_pinball_loss, alpha=0.1),
}  # fmt: skip
DEVIANCES = {"Poisson": "neg_mean_poisson_deviance", "gamma": "neg_mean_gamma_deviance"}
for p in (-1.5, 0, 1, 1.5, 2, 3):
    DEVIANCES[f"Tweedie {p}"] = loss(metrics.mean_tweedie_deviance, power=p)


@pytest.mark.parametrize("name", [*ERRORS, *DEVIANCES, "Poisson of no events"])
def test_errors_against_the_metric_of_each_row(name):
    y = np.where(np.arange(N) % 3, 0, VALUES) if name == "Poisson of no events" else VALUES
    metric = {**ERRORS, **DEVIANCES}[name.removesuffix(" of no events")]
    assert_each_is_that_of_its_row(metric, StoredValues(GUESSES), y)


@pytest.mark.parametrize("multioutput", ["uniform_average", [0.2, 0.5, 0.3], None])
@pytest.mark.parametrize("name", ERRORS)
def test_errors_of_several_outputs_are_those_of_each_row(name, multioutput):
    metric = get_scorer(ERRORS[name])
    if multioutput is not None:
        kept = {} if metric._kwargs == {} else metric._kwargs
        metric = loss(metric._score_func, **kept, multioutput=multioutput)
    assert_each_is_that_of_its_row(metric, StoredValues(SEVERAL[1]), SEVERAL[0])


@pytest.mark.parametrize("names", [list(range(4)), list("abcd"), [0.5, 1.5, 2.5, 7.0]])
@pytest.mark.parametrize("convert", [np.asarray, lambda y: pd.Series(list(y))])
def test_labels_of_any_type_are_scored_row_by_row(names, convert):
    model, y = StoredChances(chances(4), names), convert(np.asarray(names)[CLASSES])
    right = (chances(4).argmax(axis=1) == CLASSES).astype(float)
    np.testing.assert_array_equal(rows_of("accuracy", model, y), right)
    wrong = loss(metrics.zero_one_loss)
    np.testing.assert_array_equal(rows_of(wrong, model, y), right - 1)
    if isinstance(names[0], float):
        return
    some = 1 + CLASSES % 3  # lacks the first
    few, own = np.asarray(names)[some], chances(4)[np.arange(N), some]
    metric = loss(metrics.log_loss, response_method="predict_proba", labels=names)
    np.testing.assert_allclose(rows_of(metric, model, few), np.log(own), rtol=1e-13)
    found = rows_of("neg_log_loss", model, y)
    np.testing.assert_allclose(found, np.log(chances(4)[np.arange(N), CLASSES]), rtol=1e-13)
    assert found.mean() == pytest.approx(get_scorer("neg_log_loss")(model, X, y), rel=1e-13)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_top_k_accuracy_is_that_of_each_row_with_all_labels(k):
    model = StoredChances(chances(4), range(4))
    options = {"response_method": "predict_proba", "k": k}
    metric = make_scorer(metrics.top_k_accuracy_score, **options)
    labelled = make_scorer(metrics.top_k_accuracy_score, **options, labels=range(4))
    for each in (metric, labelled):
        assert_each_is_that_of_its_row(each, model, CLASSES, labelled)


@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.filterwarnings("ignore:'k'")
def test_top_k_of_two_classes(k):
    response = ("decision_function", "predict_proba")
    metric = make_scorer(metrics.top_k_accuracy_score, response_method=response, k=k)
    for model in (StoredChances(chances(2), [0, 1]), StoredDecisions(RNG.normal(size=N), [0, 1])):
        mean = rows_of(metric, model, LABELS).mean()
        assert mean == pytest.approx(metric(model, X, LABELS))


@pytest.mark.parametrize(
    ("names", "positive"),
    [([0, 1], None), ([-1, 1], None), (["no", "yes"], "no"), (["no", "yes"], "yes")],
)
def test_brier_of_two_classes(names, positive):
    model, y = StoredChances(chances(2), names), np.asarray(names)[LABELS]
    metric = get_scorer("neg_brier_score")
    if positive is not None:
        options = {"response_method": "predict_proba", "pos_label": positive}
        metric = loss(metrics.brier_score_loss, **options)
    found = rows_of(metric, model, y)
    np.testing.assert_allclose(found, -((LABELS - chances(2)[:, 1]) ** 2), rtol=1e-13, atol=1e-15)
    assert found.mean() == pytest.approx(metric(model, X, y))


OF_SEVERAL = "scale_by_half" in str(metrics.brier_score_loss.__doc__)


@pytest.mark.skipif(not OF_SEVERAL, reason="for two classes only")
@pytest.mark.parametrize("options", [{}, {"scale_by_half": True}])
def test_brier_of_several_classes(options):
    model = StoredChances(chances(4), range(4))
    metric = loss(metrics.brier_score_loss, response_method="predict_proba", **options)
    found = rows_of(metric, model, CLASSES)
    expected = -((np.eye(4)[CLASSES] - chances(4)) ** 2).sum(axis=1) / (2 if options else 1)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    assert found.mean() == pytest.approx(metric(model, X, CLASSES))


@pytest.mark.parametrize("n_classes", [2, 4])
def test_log_loss_of_certainty(n_classes):
    """Probabilities of 0 are clipped at the precision that they were given in."""
    certain = np.eye(n_classes)[(CLASSES + (np.arange(N) < 8)) % n_classes]
    y = CLASSES % n_classes
    for dtype in (np.float64, np.float32):
        model = StoredChances(certain.astype(dtype), range(n_classes))
        mean = rows_of("neg_log_loss", model, y).mean()
        assert mean == pytest.approx(get_scorer("neg_log_loss")(model, X, y), rel=1e-5)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array, sp.csr_matrix])
def test_a_row_of_a_label_set_is_right_only_as_a_whole(make):
    truth, predicted = LABEL_SETS

    class Sets(Stored):
        def predict(self, X):
            return make(super().predict(X))

    right = (truth == predicted).all(axis=1)
    np.testing.assert_array_equal(rows_of("accuracy", Sets(predicted), make(truth)), right)
    shares = -(truth != predicted).mean(axis=1)
    found = rows_of(loss(metrics.hamming_loss), Sets(predicted), make(truth))
    np.testing.assert_allclose(found, shares, rtol=1e-14)


SAMPLES = {
    **{name: get_scorer(name) for name in get_scorer_names() if name.endswith("_samples")},
    "fbeta": make_scorer(metrics.fbeta_score, beta=2, average="samples"),
    "filled": make_scorer(metrics.f1_score, average="samples", zero_division=1.0),
    "some": make_scorer(metrics.recall_score, average="samples", labels=[0, 2, 3], zero_division=0),
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_averages_over_samples_are_those_of_each_row(name):
    truth, predicted = LABEL_SETS
    assert_each_is_that_of_its_row(SAMPLES[name], Stored(predicted), truth)
    assert 0 < rows_of(SAMPLES[name], Stored(predicted), truth).mean() < 1


def pseudo_values(y, p):
    """The area, and what leaving out each row of a class tells, by all pairs of rows."""
    positive, negative = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    wins = (1 + np.sign(p[positive][:, np.newaxis] - p[negative])) / 2
    found = np.empty(len(y))
    for own, table in ((positive, wins), (negative, wins.T)):
        placement = table.mean(axis=1)
        found[own] = wins.mean() + (len(y) - 1) / (len(own) - 1) * (placement - wins.mean())
    return found


@pytest.mark.parametrize("ties", [False, True])
def test_row_scores_of_an_area_are_pseudo_values_with_its_mean(ties):
    y = (np.arange(N) % 3 == 0).astype(int)
    p = np.round(chances(2)[:, 1], 1) if ties else chances(2)[:, 1]
    names = np.array(["no", "yes"])
    for model in (StoredChances(np.column_stack([1 - p, p]), names), StoredDecisions(p, names)):
        found = rows_of("roc_auc", model, names[y])
        np.testing.assert_allclose(found, pseudo_values(y, p), rtol=1e-12)
        assert found.mean() == pytest.approx(metrics.roc_auc_score(y, p), rel=1e-12)
    # Their variance is about that of DeLong's area.
    placements = (pseudo_values(y, p) - found.mean()) / (N - 1)
    parts = [((y == c).sum() - 1) * placements[y == c] for c in (0, 1)]
    delong = sum(part.var(ddof=1) / len(part) for part in parts)
    assert found.var(ddof=1) / N == pytest.approx(delong, rel=0.1)


def test_an_area_of_one_class_has_no_row_scores():
    for y in ([1, 1, 1], [0, 1, 1]):
        model = StoredDecisions(np.array([0.1, 0.3, 0.2]), [0, 1])
        (metric,) = read_metrics("roc_auc")
        found = metric.rows.score(metric.function.reader(model, np.arange(3), np.array(y)))
        assert np.isnan(found).all() if 0 not in y else found.mean() == 1.0


class TestWhichMetrics:
    @pytest.mark.parametrize("name", get_scorer_names())
    def test_the_table_says_which_metrics_are_means_over_rows(self, name):
        (metric,) = read_metrics(name)
        assert (metric.of_rows == "mean") == metric.facts.is_row_mean

    def test_other_metrics_have_scores_of_rows_where_these_were_measured(self):
        measured = set()
        for name in get_scorer_names():
            (metric,) = read_metrics(name)
            if metric.of_rows == "fold":
                measured.add(metric.facts.function)
        assert measured - {"d2_log_loss_score"} == {
            *("average_precision_score", "balanced_accuracy_score", "d2_absolute_error_score"),
            *("explained_variance_score", "f1_score", "jaccard_score", "matthews_corrcoef"),
            *("precision_score", "r2_score", "recall_score", "roc_auc_score"),
            *("root_mean_squared_error", "root_mean_squared_log_error"),
        }

    @pytest.mark.parametrize(
        "metric",
        [
            lambda estimator, X, y: 1.0,
            make_scorer(lambda y, p: 1.0),
            make_scorer(metrics.f1_score, average="macro"),
            make_scorer(metrics.f1_score, average="samples", zero_division=np.nan),
            make_scorer(metrics.accuracy_score, normalize=False),
            make_scorer(metrics.roc_auc_score, response_method="predict_proba", max_fpr=0.1),
            loss(metrics.max_error),
        ],
    )
    def test_other_metrics_are_no_means_over_rows(self, metric):
        assert read_metrics(metric)[0].of_rows != "mean"

    @pytest.mark.parametrize(
        "scorer",
        [
            loss(metrics.hamming_loss),
            loss(metrics.mean_pinball_loss),
            loss(metrics.mean_tweedie_deviance),
            loss(metrics.zero_one_loss),
            make_scorer(metrics.fbeta_score, beta=2, average="samples"),
        ],
    )
    def test_functions_without_a_name_are_means_over_rows_too(self, scorer):
        assert read_metrics(scorer)[0].of_rows == "mean"

    def test_a_function_of_the_users_is_not_known_by_the_name_of_one(self):
        def zero_one_loss(y_true, y_pred):
            return np.max(y_true != y_pred)

        assert read_metrics(loss(zero_one_loss))[0].of_rows == "not measured"

    def test_all_options_of_the_functions_are_known(self):
        """A new option in a later scikit-learn needs a look at what it does to rows."""
        known = {
            *("y_true", "y_pred", "y_proba", "y_prob", "y_score", "sample_weight", "normalize"),
            *("multioutput", "alpha", "power", "labels", "pos_label", "scale_by_half", "k"),
            *("average", "zero_division", "beta", "max_fpr", "multi_class"),
        }
        for function in (
            *("accuracy_score", "zero_one_loss", "hamming_loss", "log_loss", "brier_score_loss"),
            *("top_k_accuracy_score", "mean_squared_error", "mean_pinball_loss", "roc_auc_score"),
            *("mean_tweedie_deviance", "f1_score", "fbeta_score", "jaccard_score"),
        ):
            assert set(inspect.signature(getattr(metrics, function)).parameters) <= known


WAYS = ("rows", "groups and weights", "weights", "groups")
SLOW_WAYS = [pytest.param(way, marks=pytest.mark.slow) for way in WAYS[2:]]
F_SCORES = ("f1_score", "precision_score", "recall_score", "jaccard_score")


def draw(kind, seed, n_rows=29):
    """Return targets and predictions of a kind, with ties."""
    rng = np.random.default_rng(seed)
    n_classes = 2 if kind in ("labels", "scores") else 4
    y = rng.integers(n_classes, size=n_rows)
    y[: 2 * n_classes] = np.arange(2 * n_classes) % n_classes
    if kind in ("labels", "classes"):
        return y, np.where(rng.random(n_rows) < 0.6, y, rng.integers(n_classes, size=n_rows))
    if kind == "scores":
        return y, np.round(rng.normal(size=n_rows) + y, 1)
    if kind == "chances":
        p = np.round(rng.random((n_rows, n_classes)), 1) + 0.05 + np.eye(n_classes)[y]
        return y, p / p.sum(axis=1, keepdims=True)
    if kind == "indicators":
        y = (rng.random((n_rows, 3)) < 0.5).astype(int)
        return y, np.where(rng.random(y.shape) < 0.7, y, 1 - y)
    shape = (n_rows, 2) if kind == "outputs" else n_rows
    y = np.round(5 + rng.gamma(2, size=shape), 1)
    return y, np.abs(y + rng.normal(size=shape))


def units_and_weights(way, n_rows, seed):
    rng = np.random.default_rng([seed, 1])
    units = np.arange(n_rows) // 3 if "groups" in way else None
    weights = rng.integers(1, 4, n_rows) * 0.7 if "weights" in way else None
    return units, weights


def by_force(function, y, p, units, weights, options):
    """Call scikit-learn once with all rows, and once without each unit."""
    numbers = np.arange(len(y)) if units is None else units
    kept = [np.ones(len(y), bool), *(numbers != unit for unit in range(numbers.max() + 1))]
    measure = getattr(sklearn.metrics, function)
    values = []
    for rows in kept:
        weighing = {} if weights is None else {"sample_weight": weights[rows]}
        values.append(measure(y[rows], p[rows], **weighing, **options))
    return np.array(values)


AVERAGES = [
    (kind, name, {"average": average} | known)
    for name in F_SCORES
    for kind, averages in (("classes", ("macro", "micro", "weighted")), ("indicators", ("macro",)))
    for average in averages
    for known in ([{"labels": [0, 1, 2, 3]}, {"labels": [1, 3]}] if kind == "classes" else [{}])
]
CASES = [
    *(("labels", name, {}) for name in F_SCORES),
    ("labels", "f1_score", {"pos_label": 0}),
    *(("labels", "fbeta_score", {"beta": beta}) for beta in (0, 0.5, 3)),
    ("classes", "fbeta_score", {"beta": 2, "average": "macro", "labels": [0, 1, 2, 3]}),
    *AVERAGES,
    *(
        (kind, name, {})
        for kind in ("labels", "classes")
        for name in ("balanced_accuracy_score", "matthews_corrcoef", "cohen_kappa_score")
    ),
    ("classes", "balanced_accuracy_score", {"adjusted": True}),
    ("scores", "roc_auc_score", {}),
    *(
        ("chances", "roc_auc_score", {"multi_class": "ovr", "average": average})
        for average in ("macro", "weighted", "micro")
    ),
    *(
        (kind, name, {})
        for kind in ("numbers", "outputs")
        for name in (
            *("r2_score", "explained_variance_score", "root_mean_squared_error"),
            "root_mean_squared_log_error",
        )
    ),
    *(
        ("outputs", name, {"multioutput": how})
        for name in ("r2_score", "explained_variance_score")
        for how in ("variance_weighted", [0.3, 0.7])
    ),
]
OF_ROWS = [  # not with groups or weights
    *(
        (kind, "d2_absolute_error_score", {"multioutput": how})
        for kind in ("numbers", "outputs")
        for how in ("uniform_average", [0.3, 0.7])[: 1 + (kind == "outputs")]
    ),
]
WITHOUT_WEIGHTS = [
    ("scores", "average_precision_score", {}),
    *(
        ("chances", "roc_auc_score", {"multi_class": "ovo", "average": average})
        for average in ("macro", "weighted")
    ),
]
ALL = [
    *every(2, [(*case, "rows") for case in CASES]),
    *(pytest.param(*case, way, marks=pytest.mark.slow) for case in CASES for way in WAYS[1:]),
    *((*case, way) for case in WITHOUT_WEIGHTS for way in ("rows", "groups")),
    *((*case, "rows") for case in OF_ROWS),
]


@pytest.mark.parametrize(("kind", "function", "options", "way"), ALL)
def test_is_what_scikit_learn_says_of_the_rows_that_are_left(kind, function, options, way):
    y, p = draw(kind, 0, n_rows=20)
    units, weights = units_and_weights(way, len(y), 0)
    found = without_each(function, options, y, p, units=units, weights=weights)
    wanted = by_force(function, y, p, units, weights, options)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)


def weighted_hits(y_true, y_pred, sample_weight=None, power=1):
    """Return a metric that nobody knows, of labels or numbers."""
    return np.average(np.ravel(y_true) == np.ravel(y_pred), weights=sample_weight) ** power


def scores_by_force(function, y, p, units, weights, options):
    """Return T + d - c of each row."""
    numbers = np.arange(len(y)) if units is None else units
    sizes = np.ones(len(y)) if weights is None else weights
    found = np.empty(len(y))
    everything = np.full(len(y), True)

    def measure(rows):
        more = {} if weights is None else {"sample_weight": weights[rows]}
        return function(y[rows], p[rows], **options, **more)

    for unit in np.unique(numbers):
        own = numbers == unit
        found[own] = 0.0
        if sizes[own].any():
            factor = sizes.sum() / sizes[own].sum() - 1
            found[own] = factor * (measure(everything) - measure(~own))
    return measure(everything) + found - np.average(found, weights=sizes)


@pytest.mark.parametrize("way", [*WAYS[:2], *SLOW_WAYS])
@pytest.mark.parametrize(
    ("kind", "function", "options"),
    [
        ("labels", weighted_hits, {"power": 2}),
        ("classes", sklearn.metrics.f1_score, {"average": "macro"}),
        ("words", sklearn.metrics.cohen_kappa_score, {"weights": "linear", "labels": list("abcd")}),
        ("numbers", sklearn.metrics.median_absolute_error, {}),
        ("outputs", sklearn.metrics.d2_pinball_score, {"alpha": 0.3}),
        ("numbers", sklearn.metrics.d2_absolute_error_score, {}),
        ("scores", sklearn.metrics.average_precision_score, {}),
        ("scores", sklearn.metrics.roc_auc_score, {"max_fpr": 0.4}),
        ("scores", sklearn.metrics.roc_auc_score, {}),
    ],
)
def test_row_scores_are_what_the_metric_gains_by_each_unit(kind, function, options, way):
    y, p = draw("classes" if kind == "words" else kind, 3)
    if kind == "words":
        y, p = (np.array(list("abcd"), dtype=object)[labels] for labels in (y, p))
    units, weights = units_and_weights(way, len(y), 3)
    if weights is not None:
        weights[6:9] = 0.0
    wanted = scores_by_force(function, y, p, units, weights, options)
    for sign in (1, -1):
        score = sign * function(y, p, sample_weight=weights, **options)
        how = {"units": units, "weights": weights, "sign": sign}
        found = rows_in_fold(function, options, score, y, p, **how)
        counts = slice(None) if weights is None else weights > 0
        np.testing.assert_allclose(found[counts], sign * wanted[counts], rtol=0, atol=1e-11)
        assert np.average(found, weights=weights) == pytest.approx(score, rel=1e-12)


def test_rows_that_are_alike_are_left_out_once():
    calls = []

    def counted(y_true, y_pred):
        calls.append(len(y_true))
        return float(np.mean(y_true == y_pred)) ** 2

    y, p = draw("labels", 0, 500)
    rows_in_fold(counted, {}, counted(y, p), y, p)
    assert calls == [500, 500, *[499] * len(set(zip(y, p, strict=True)))]


def test_what_is_not_defined_without_a_row_is_an_error():
    y, p = np.array([0, 0, 0, 1]), np.array([0.1, 0.4, 0.2, 0.3])
    with pytest.raises(ValueError, match="without one of its rows or groups is not defined"):
        rows_in_fold(sklearn.metrics.roc_auc_score, {}, 2 / 3, y, p, units=np.arange(4))
