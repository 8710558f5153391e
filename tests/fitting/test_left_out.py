"""Closed forms of metrics without each unit, against scikit-learn on the rows that are left."""

import numpy as np
import pytest
import sklearn.metrics

from skcvstats.fitting._row_scores import rows_in_fold, without_each
from tests.conftest import every

WAYS = ("rows", "groups and weights", "weights", "groups")
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
    ("numbers", "d2_tweedie_score", {}),
]
OF_ROWS = [  # not with groups or weights
    ("scores", "average_precision_score", {}),
    *(
        (kind, "d2_absolute_error_score", {"multioutput": how})
        for kind in ("numbers", "outputs")
        for how in ("uniform_average", [0.3, 0.7])[: 1 + (kind == "outputs")]
    ),
]
WITHOUT_WEIGHTS = [
    ("chances", "roc_auc_score", {"multi_class": "ovo", "average": average})
    for average in ("macro", "weighted")
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


@pytest.mark.parametrize(
    "way", [*WAYS[:2], *(pytest.param(way, marks=pytest.mark.slow) for way in WAYS[2:])]
)
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
def test_scores_of_rows(kind, function, options, way):
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
    with pytest.raises(ValueError, match="without one of its groups is not defined"):
        rows_in_fold(sklearn.metrics.roc_auc_score, {}, 2 / 3, y, p, units=np.arange(4))
