"""The note on metrics of labels, which a threshold moves with the share of the classes."""

from collections.abc import Iterator

import numpy as np

from .._utils._arrays import one_output
from .._utils._text import cut, format_number, format_percent
from ..scores import FinishedLevel, MissingEvidenceError, Note
from ._evidence import ScoresEvidence
from ._registry import FURTHER_SEARCHES, note

# Functions of labels that miss most where the rarer of two classes has a smaller share of the rows,
# and those where the signal is weak.
_OF_A_RARE_CLASS = ("balanced_accuracy_score", "f1_score", "fbeta_score", "recall_score")
_OF_A_WEAK_SIGNAL = ("f1_score", "fbeta_score", "recall_score")
# Those that tell whether a model is better than chance.
_OF_ANY_SIGNAL = ("accuracy_score", "balanced_accuracy_score", "matthews_corrcoef")
_OF_LABELS = {*_OF_A_RARE_CLASS, *_OF_ANY_SIGNAL}
_RARE = 0.35
_WEAK = 0.35
_LEAST = _RARE + _WEAK * (1 - _RARE)  # below it a score of one class is of one of the two
_QUANTILE = 1.96
_GIVEN = "the interval takes the share of the classes as it is in these data"
_INSTEAD = "roc_auc, average_precision and neg_log_loss need no threshold"
# Names of finished scores that are of one class.
_OF_ONE_CLASS = ("f1", "f1_score", "recall", "recall_score")


@note(
    "threshold",
    title="Threshold",
    looks_for="F1, recall and the like where the rarer of two classes has less than 35 % of the "
    "rows, or the Matthews correlation (MCC) of the out-of-fold predictions is below 0.35; "
    "accuracy, balanced accuracy and MCC where the interval of the MCC contains 0. Where no "
    "predictions are kept, the MCC is that of a model with this score which predicts each class as "
    "often as it occurs; of finished scores, F1 and recall below 0.58 show one of the two.",
    why="A threshold varies between fits and with the share of the classes, which stratified folds "
    "keep as it is. One data set cannot show this: where the signal is weak, intervals of F1 and "
    "recall miss in 13 to 48 % of data sets whose share varies, and in 4 to 5 % where it is fixed.",
    remedy="Use roc_auc, average_precision or neg_log_loss, which need no threshold.",
    looks_in=ScoresEvidence,
    on_sound_data="Found in 8 of 23 metrics of labels of two classes, where intervals may miss. "
    "Of data sets of 200 rows with 50 % positives whose 95 % interval of F1 contains the score it "
    "is found in 7 % at an MCC of 0.43 and in none at 0.57 and 0.71; with 40 % in 19, 9 and 5 %, "
    "as the rarer class has less than 35 % of the rows by chance. Intervals miss in 49, 13, 5, 4 "
    "and 3 % at an MCC of 0.06, 0.28, 0.43, 0.54 and 0.70.",
)
def threshold(evidence: ScoresEvidence) -> Iterator[Note]:
    metric = evidence.judged
    name = metric.function_name
    if name not in _OF_LABELS:
        return
    labels = one_output(evidence.y)
    if labels is None or metric.options.get("average", "binary") not in ("binary", "macro"):
        return
    classes, counts = np.unique(labels, return_counts=True)
    if len(classes) != 2:
        return
    called = cut(metric.name)
    if name in _OF_A_RARE_CLASS and counts.min() < _RARE * counts.sum():
        share = format_percent(round(counts.min() / counts.sum(), 3))
        text = (
            f"intervals of {called} undercover where the rarer class has {share} of the rows: it "
            "depends on a decision threshold that varies between fits; one data set cannot show "
            f"this, and {_GIVEN}. {_INSTEAD}"
        )
        yield Note("threshold", text, None)
        return
    try:
        correlations = _correlations(evidence, labels, classes)
        shown = "MCC"
    except MissingEvidenceError:
        correlations = _by_level(evidence, labels, counts / counts.sum())
        shown = "MCC about"
    lowest = f"{shown} {format_number(np.nanmin(correlations, initial=np.inf))}"
    is_weak = correlations < _WEAK
    if name in _OF_A_WEAK_SIGNAL and is_weak.any():
        about, models = evidence.name(is_weak)
        text = (
            f"{called} depends on a threshold, and where the signal is weak, as that of "
            f"{models} ({lowest}), it moves with the share of the "
            f"classes: {_GIVEN}. {_INSTEAD}"
        )
        yield Note("threshold", text, None, about=about)
        return
    end = np.tanh(_QUANTILE / np.sqrt(max(len(labels) - 3, 1)))  # of the interval around 0
    is_chance = np.abs(correlations) < end
    if name in _OF_ANY_SIGNAL and is_chance.any():
        about, models = evidence.name(is_chance)
        text = (
            f"the predictions of {models} may be no better than chance "
            f"({lowest}); {_GIVEN}, and to show that a model is better than chance, test AUC "
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


def _by_level(evidence: ScoresEvidence, labels: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the correlation of each model, if it predicts each class as often as it occurs.

    Of a class with the share s, the true positives of such a model, divided by s, are its recall,
    its precision and its F1.
    """
    metric = evidence.judged
    level = np.atleast_2d(evidence.scores.values).mean(axis=-1)
    if metric.function_name == "matthews_corrcoef":
        return np.asarray(level)
    if metric.function_name == "accuracy_score":
        return np.asarray(1 - (1 - level) / (2 * shares.prod()))
    is_mean = metric.function_name == "balanced_accuracy_score"
    if is_mean or metric.options.get("average") == "macro":
        return np.asarray(2 * level - 1)
    share = np.mean(labels == metric.positive)
    return np.asarray((level - share) / (1 - share))


def _on_level(found: FinishedLevel) -> tuple[Note, ...]:
    """Return the note on finished scores of one class, whose target is not known."""
    scores = found.scores
    if scores.metric not in _OF_ONE_CLASS or "estimators" in scores.provenance:
        return ()
    if scores.values.mean(axis=-1).min(initial=np.inf) >= _LEAST:
        return ()
    text = (
        f"{scores.metric} depends on a threshold, and scores below {_LEAST:.2g} are mostly of a "
        f"rare class or a weak signal (MCC below {_WEAK}): then they move with the share of the "
        f"classes, and {_GIVEN}. {_INSTEAD}"
    )
    return (Note("threshold", text, None),)


FURTHER_SEARCHES[FinishedLevel] = _on_level
