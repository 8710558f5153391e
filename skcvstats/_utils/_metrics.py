"""The one table of what is known about scikit-learn's metrics, by their names there."""

import re
from dataclasses import dataclass
from functools import lru_cache, partial
from math import inf
from typing import Any, NamedTuple

RESPONSES = ("predict", "predict_proba", "decision_function")
_ANY = ""
_PROBA = ("predict_proba",)
_DECISION = ("decision_function", "predict_proba")


@dataclass(frozen=True)
class MetricFacts:
    """What is known about a metric, whose scores are greater for better predictions."""

    function: str  # in `sklearn.metrics`
    # What the target of a test set must contain, or the metric is not defined on it: a row labelled
    # 1 ("positive", of a metric for two classes), rows of "every class", or of "two classes", or
    # "two values" that differ. Most metrics are defined on any test set.
    needs: str
    responses: tuple[str, ...] = ("predict",)  # that it is computed from, the first that there is
    low: float = 0.0  # of the scores
    high: float = 1.0
    is_loss: bool = False  # the score is minus the function
    is_row_mean: bool = False  # the score is the mean of scores of single rows
    of_values: bool = False  # for regression, whose target has no classes
    also: str = ""  # what people type for it


_of_probabilities = partial(MetricFacts, responses=_PROBA)
_loss = partial(MetricFacts, low=-inf, high=0.0, is_loss=True)
_error = partial(_loss, needs=_ANY, of_values=True)
_row_error = partial(_error, is_row_mean=True)
_share = partial(MetricFacts, needs="two values", low=-inf, of_values=True)  # of variation

METRICS: dict[str, MetricFacts] = {
    # A weighted average is the same without a class that a test set lacks.
    "f1": MetricFacts("f1_score", "positive"),
    "f1_macro": MetricFacts("f1_score", "every class"),
    "f1_micro": MetricFacts("f1_score", _ANY),
    "f1_samples": MetricFacts("f1_score", _ANY, is_row_mean=True),
    "f1_weighted": MetricFacts("f1_score", _ANY),
    "jaccard": MetricFacts("jaccard_score", "positive"),
    "jaccard_macro": MetricFacts("jaccard_score", "every class"),
    "jaccard_micro": MetricFacts("jaccard_score", _ANY),
    "jaccard_samples": MetricFacts("jaccard_score", _ANY, is_row_mean=True),
    "jaccard_weighted": MetricFacts("jaccard_score", _ANY),
    "precision": MetricFacts("precision_score", "positive"),
    "precision_macro": MetricFacts("precision_score", "every class"),
    "precision_micro": MetricFacts("precision_score", _ANY),
    "precision_samples": MetricFacts("precision_score", _ANY, is_row_mean=True),
    "precision_weighted": MetricFacts("precision_score", _ANY),
    "recall": MetricFacts("recall_score", "positive"),
    "recall_macro": MetricFacts("recall_score", "every class"),
    "recall_micro": MetricFacts("recall_score", _ANY),
    "recall_samples": MetricFacts("recall_score", _ANY, is_row_mean=True),
    "recall_weighted": MetricFacts("recall_score", _ANY),
    "accuracy": MetricFacts("accuracy_score", _ANY, is_row_mean=True, also="acc"),
    "adjusted_mutual_info_score": MetricFacts("adjusted_mutual_info_score", _ANY, low=-inf),
    "adjusted_rand_score": MetricFacts("adjusted_rand_score", _ANY, low=-0.5),
    "average_precision": MetricFacts("average_precision_score", "positive", responses=_DECISION),
    "balanced_accuracy": MetricFacts("balanced_accuracy_score", "every class"),
    "completeness_score": MetricFacts("completeness_score", _ANY),
    "d2_absolute_error_score": _share("d2_absolute_error_score"),
    "d2_brier_score": _of_probabilities("d2_brier_score", "every class", low=-inf),
    "d2_log_loss_score": _of_probabilities("d2_log_loss_score", "every class", low=-inf),
    "explained_variance": _share("explained_variance_score"),
    "fowlkes_mallows_score": MetricFacts("fowlkes_mallows_score", _ANY),
    "homogeneity_score": MetricFacts("homogeneity_score", _ANY),
    "matthews_corrcoef": MetricFacts("matthews_corrcoef", "two classes", low=-1.0),
    "mutual_info_score": MetricFacts("mutual_info_score", _ANY, high=inf),
    "neg_brier_score": _loss(
        "brier_score_loss", _ANY, responses=_PROBA, low=-2.0, is_row_mean=True
    ),
    "neg_log_loss": _loss("log_loss", _ANY, responses=_PROBA, is_row_mean=True),
    "neg_max_error": _error("max_error"),
    "neg_mean_absolute_error": _row_error("mean_absolute_error", also="mae"),
    "neg_mean_absolute_percentage_error": _row_error("mean_absolute_percentage_error", also="mape"),
    "neg_mean_gamma_deviance": _row_error("mean_gamma_deviance"),
    "neg_mean_poisson_deviance": _row_error("mean_poisson_deviance"),
    "neg_mean_squared_error": _row_error("mean_squared_error", also="mse"),
    "neg_mean_squared_log_error": _row_error("mean_squared_log_error", also="msle"),
    "neg_median_absolute_error": _error("median_absolute_error"),
    "neg_negative_likelihood_ratio": _loss("negative_likelihood_ratio", "every class"),
    "neg_root_mean_squared_error": _error("root_mean_squared_error", also="rmse"),
    "neg_root_mean_squared_log_error": _error("root_mean_squared_log_error", also="rmsle"),
    "normalized_mutual_info_score": MetricFacts("normalized_mutual_info_score", _ANY),
    "positive_likelihood_ratio": MetricFacts("positive_likelihood_ratio", "every class", high=inf),
    "r2": _share("r2_score"),
    "rand_score": MetricFacts("rand_score", _ANY),
    "roc_auc": MetricFacts("roc_auc_score", "every class", responses=_DECISION, also="auc"),
    "roc_auc_ovo": _of_probabilities("roc_auc_score", "every class"),
    "roc_auc_ovo_weighted": _of_probabilities("roc_auc_score", "every class"),
    "roc_auc_ovr": _of_probabilities("roc_auc_score", "every class"),
    "roc_auc_ovr_weighted": _of_probabilities("roc_auc_score", "every class"),
    "top_k_accuracy": MetricFacts(
        "top_k_accuracy_score", _ANY, responses=_DECISION, is_row_mean=True
    ),
    "v_measure_score": MetricFacts("v_measure_score", _ANY),
}
# By its function in scikit-learn, and by what people type for it; the first of several.
CALLED = {
    word: name
    for name, facts in reversed(METRICS.items())
    for word in (facts.function, facts.also)
    if word
}
# Functions of sklearn.metrics that are means over rows, also those that no name stands for.
ROW_MEANS = {facts.function for facts in METRICS.values() if facts.is_row_mean} | {
    *("fbeta_score", "hamming_loss", "mean_pinball_loss", "mean_tweedie_deviance", "zero_one_loss"),
}
# Those of them that depend on the probability of each class; a test set may lack some classes.
OF_CLASSES = {"brier_score_loss", "log_loss", "top_k_accuracy_score"}
# Those of folds that have scores of rows by leaving out each row, and were measured so; the row
# t-test takes other functions too, but is not chosen for them.
OF_FOLDS = {
    *("average_precision_score", "balanced_accuracy_score", "cohen_kappa_score", "f1_score"),
    *("d2_absolute_error_score", "d2_log_loss_score", "d2_pinball_score", "d2_tweedie_score"),
    *("explained_variance_score", "fbeta_score", "jaccard_score", "matthews_corrcoef"),
    *("precision_score", "r2_score", "recall_score", "roc_auc_score"),
    *("root_mean_squared_error", "root_mean_squared_log_error"),
}
# The share of the variation of y that is explained; on fewer rows it measures nothing.
FEWEST_ROWS = 8
OF_VARIATION = {
    *("d2_absolute_error_score", "d2_pinball_score", "d2_tweedie_score"),
    *("explained_variance_score", "r2_score"),
}
# Of two partitions, whatever the names of their parts.
OF_CLUSTERINGS = {
    *("adjusted_mutual_info_score", "adjusted_rand_score", "completeness_score"),
    *("fowlkes_mallows_score", "homogeneity_score", "mutual_info_score"),
    *("normalized_mutual_info_score", "rand_score", "v_measure_score"),
}
# Leaving out a row changes them by nothing or by a jump, which says nothing of their variance.
NOT_SMOOTH = {"median_absolute_error"}
# Its value depends on the size of the test set, so leaving out rows does not show its variance.
WITHOUT_ROWS = {"max_error"}


# Ends of names of losses; losses whose names end in the first group are never negative.
_LOSS = re.compile(
    r"(?!neg|minus_|one_minus_|inv|explained_|(.*_)?d2_)(.+?_)??((?P<positive>[rn]*mse|r?msle"
    r"|s?mape|mae|(error|misclassification)_rate|zero_one|logloss|brier(_score)?(_loss)?|(squared?"
    r"|absolute|percentage|max|log|zero_one|hinge|hamming|pinball|quantile|huber|coverage|ranking"
    r"|poisson|gamma|tweedie)(_log|_percentage)?_(errors?|loss(es)?|deviance))"
    r"|errors?|loss(es)?|deviance|nll|misclassification|((binary|categorical)_)?cross_?entropy"
    r"|perplexity|wer|crps|regret)"
)
# Their best value does not take that all is right, or 0 is an ordinary one.
BEST_OF_SOME = re.compile("precision|recall|top_k|homogeneity|completeness|likelihood")
AT_TIMES_0 = re.compile("precision|recall|f1|fbeta|jaccard|matthews|kappa|mcc|rand|info")
# Ranges of functions of scikit-learn that no name stands for.
_RANGES = {
    **dict.fromkeys(("fbeta_score", "ndcg_score"), (0.0, 1.0)),
    "cohen_kappa_score": (-1.0, 1.0),
    **dict.fromkeys(("d2_pinball_score", "d2_tweedie_score"), (-inf, 1.0)),
}
_HIGHEST = dict.fromkeys(
    ("error_rate", "hamming_loss", "misclassification_rate", "zero_one", "zero_one_loss"), 1.0
)
_METRIC_NAMES = CALLED | dict(zip(METRICS, METRICS, strict=True))


class Known(NamedTuple):
    """What the name of a metric says: 1 if greater is better, -1 for a loss; and the range."""

    sign: int
    low: float
    high: float

    @property
    def negated(self) -> "Known":
        """What is known of scores with the other sign."""
        return Known(-self.sign, 0.0 - self.high, 0.0 - self.low)


@lru_cache(maxsize=1024)  # a call asks for the same few
def known_of(name: str) -> Known:
    """Return what a name says, also as "LogLoss" or "log loss (class 1)"."""
    words = re.findall(r"[A-Z]+(?![a-z0-9])|[A-Z]?[a-z0-9]+", name.partition(" (")[0])
    name = "_".join(words).lower()
    metric = _METRIC_NAMES.get(name)
    if metric is not None:
        facts = METRICS[metric]
        known = Known(1, facts.low, facts.high)
        if facts.is_loss and metric != name:
            return known.negated
        return known
    if name in _RANGES:
        return Known(1, *_RANGES[name])
    if name.startswith("neg_"):
        return known_of(name.removeprefix("neg_")).negated
    high = _HIGHEST.get(name, inf)
    loss = _LOSS.fullmatch(re.sub("_(scorer?|metric|func(tion)?|fn)$", "", name))
    if loss is None:
        return Known(0, -inf, high)
    if loss["positive"]:
        return Known(-1, 0.0, high)
    return Known(-1, -inf, high)


# By the range of a metric, the scale on which the interval of a single score is computed.
_SCALES = {
    (0.0, 1.0): "logit",
    (-1.0, 1.0): "Fisher's z",
    (0.0, inf): "log",
    (-inf, 0.0): "log",
}


def scale_of(name: str) -> str:
    """Return the scale for the range of a metric; nothing where that is its own."""
    _, low, high = known_of(name)
    return _SCALES.get((low, high), "")


_OTHER_SIDES = {"above": "below", "below": "above", "greater": "less", "less": "greater"}


class Shown(NamedTuple):
    """A metric as people read it: scores of losses without their minus sign, lower is better."""

    name: str
    is_loss: bool

    def number(self, score: Any) -> Any:
        """Return a score, or scores, as they are read."""
        if self.is_loss:
            return 0.0 - score
        return score

    def ends(self, low: Any, high: Any) -> tuple[Any, Any]:
        """Return the ends of an interval of a score, the lower one first."""
        if self.is_loss:
            return 0.0 - high, 0.0 - low
        return low, high

    def side(self, word: str) -> str:
        """Return the side of a number on which a statement about a score is, such as "above"."""
        if self.is_loss:
            return _OTHER_SIDES.get(word, word)
        return word

    def difference(self, first: str, second: str) -> str:
        """Name the difference of two estimators that is positive if the first is better."""
        if self.is_loss:
            return f"{second} - {first}"
        return f"{first} - {second}"


# Words in the names of metrics that are not written in small letters.
_WITH_CAPITALS = re.compile(
    r"\b(roc auc|[fdr][12]|brier|poisson|fowlkes mallows|matthews corrcoef|ov[ro]|v measure|top k)"
    r"\b"
)
_IN_WORDS = {
    "brier": "Brier",
    "poisson": "Poisson",
    "fowlkes mallows": "Fowlkes-Mallows",
    "matthews corrcoef": "Matthews correlation",
    "ovr": "one-vs-rest",
    "ovo": "one-vs-one",
    "v measure": "V-measure",
    "top k": "top-k",
}


def _in_words(metric: str) -> str:
    """Return the name of a known metric as people write it."""
    if metric.startswith("neg_") and METRICS[metric].also:
        return METRICS[metric].also.upper()
    name = metric.removeprefix("neg_").replace("_", " ")
    return _WITH_CAPITALS.sub(lambda word: _IN_WORDS.get(word[0], word[0].upper()), name)


_SHOWN_NAMES = {metric: _in_words(metric) for metric in METRICS} | {"correct": "accuracy"}


@lru_cache
def shown_as(metric: str, is_difference: bool = False) -> Shown:
    """Return how people read a metric: "RMSE"; differences keep their sign, greater is better."""
    name = _SHOWN_NAMES.get(metric, metric.removeprefix("neg_"))
    is_loss = metric.startswith("neg_") or known_of(metric).sign < 0
    return Shown(name, is_loss and not is_difference)


# What to do about a value under test, by the highest score of the metric.
_REMEDY_BY_HIGHEST = {1.0: "divide percentages by 100", inf: "greater is better"}


def check_null_in_range(null_value: float, metric: str, low: float, high: float) -> None:
    """Raise ValueError for a value under test that the scores in a metric cannot have."""
    if not low <= null_value <= high:
        remedy = _REMEDY_BY_HIGHEST.get(high, "the score is minus the loss")
        raise ValueError(
            f"null_value={null_value!r} is not a possible value of {metric}, which ranges from "
            f"{low:g} to {high:g}. Give one in this range; {remedy}."
        )
