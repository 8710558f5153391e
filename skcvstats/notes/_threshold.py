"""The note on metrics of labels, which a threshold moves with the share of the classes."""

from collections.abc import Iterator
from itertools import compress

import numpy as np

from .._utils._arrays import one_output
from .._utils._checks import listed
from .._utils._text import cut, format_number
from ..scores import Note
from ._evidence import ScoresEvidence
from ._registry import note

# Functions of labels that miss most where the rarer of two classes has a smaller share of the rows,
# and those where the signal is weak.
_OF_A_RARE_CLASS = ("balanced_accuracy_score", "f1_score", "fbeta_score", "recall_score")
_OF_A_WEAK_SIGNAL = ("f1_score", "fbeta_score", "recall_score")
# Those that tell whether a model is better than chance.
_OF_ANY_SIGNAL = ("accuracy_score", "balanced_accuracy_score", "matthews_corrcoef")
_RARE = 0.35
_WEAK = 0.35
_QUANTILE = 1.96
_GIVEN = "the interval takes the share of the classes as it is in these data"
_INSTEAD = "roc_auc, average_precision and neg_log_loss need no threshold"


@note(
    "threshold",
    title="Threshold",
    looks_for="F1, recall and the like where the rarer of two classes has less than 35 % of the "
    "rows, or the Matthews correlation (MCC) of the out-of-fold predictions is below 0.35; "
    "accuracy, balanced accuracy and MCC where the interval of the MCC contains 0.",
    why="A threshold varies between fits and with the share of the classes, which stratified folds "
    "keep as it is. One data set cannot show this: where the signal is weak, intervals of F1 and "
    "recall miss in 13 to 48 % of data sets whose share varies, and in 4 to 5 % where it is fixed.",
    remedy="Use roc_auc, average_precision or neg_log_loss, which need no threshold.",
    looks_in=ScoresEvidence,
)
def threshold(evidence: ScoresEvidence) -> Iterator[Note]:
    metric = evidence.judged
    name = metric.function_name
    if name not in _OF_A_RARE_CLASS and name not in _OF_ANY_SIGNAL:
        return
    labels = one_output(evidence.y)
    if labels is None or metric.options.get("average", "binary") not in ("binary", "macro"):
        return
    classes, counts = np.unique(labels, return_counts=True)
    if len(classes) != 2:
        return
    called = cut(metric.name)
    if name in _OF_A_RARE_CLASS and counts.min() < _RARE * counts.sum():
        text = (
            f"{called} depends on a threshold, which a fit moves for all rows together and no "
            "procedure sees from one data set: with so rare a class its intervals and tests miss "
            f"more often than they should, and {_GIVEN}. {_INSTEAD}"
        )
        yield Note("threshold", text, None)
        return
    correlations = _correlations(evidence, labels, classes)
    lowest = format_number(np.nanmin(correlations, initial=np.inf))
    is_weak = correlations < _WEAK
    if name in _OF_A_WEAK_SIGNAL and is_weak.any():
        about = tuple(compress(evidence.scores.labels, is_weak))
        text = (
            f"{called} depends on a threshold, and where the signal is weak, as that of "
            f"{listed(about or ('the model',))} (MCC {lowest}), it moves with the share of the "
            f"classes: {_GIVEN}. {_INSTEAD}"
        )
        yield Note("threshold", text, None, about=about)
        return
    end = np.tanh(_QUANTILE / np.sqrt(max(len(labels) - 3, 1)))  # of the interval around 0
    is_chance = np.abs(correlations) < end
    if name in _OF_ANY_SIGNAL and is_chance.any():
        about = tuple(compress(evidence.scores.labels, is_chance))
        text = (
            f"the predictions of {listed(about or ('the model',))} may be no better than chance "
            f"(MCC {lowest}), and {_GIVEN}: to show that a model is better than chance, test AUC "
            "or log loss"
        )
        yield Note("threshold", text, None, about=about)


def _correlations(evidence: ScoresEvidence, labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the Matthews correlation of each model out of fold, nan of constant predictions."""
    codes = np.searchsorted(classes, labels)
    rows, predicted = evidence.predicted_of(evidence.judged, evidence.scores, codes)
    is_first = codes[rows] == 0
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = [
            (part[is_first].mean(), part[~is_first].mean(), part.mean()) for part in predicted
        ]
        first, second, all_rows = np.transpose(shares)
        spread = is_first.mean() * (1 - is_first.mean()) / (all_rows * (1 - all_rows))
        return np.asarray((second - first) * np.sqrt(spread))
