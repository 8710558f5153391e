"""Read names that users give: whether greater is better, and the metric of a column."""

import re
from collections.abc import Iterable
from itertools import pairwise

from ._checks import listed
from ._metrics import CALLED, METRICS, known_of

# Words of names of scores, for which greater is better, of answers of language models above all.
_SCORE = re.compile(
    r"exact_?match|em|correct(ness|ly)?|right|pass(ed|es|_?rate)?(_?(at|hat)?_?[\dk]+)?|solved"
    r"|resolved|match(es|ed)?|valid|ok|helpful|success(es|ful)?|hits?|wins?|win_?rate|hit_?rate|mrr|map|n?dcg|rewards?|returns?|utility"
    r"|profit|gain|(sacre)?bleu\d?|rouge(\d|l|lsum)?|meteor|chr_?f|comet|bert_?score|iou|dice|ssim"
    r"|psnr|similarity|cosine|acc|accuracy|auc|auroc|auprc|f1|fbeta|recall|r2|mcc|kappa|score"
    r"|sensitivity|specificity|ratings?|preference|faithfulness|helpfulness|quality|agreement"
)
# Words that turn such a name into that of a loss, or leave it open; also scores that are losses.
_NO_SCORE = re.compile(
    r"neg|negative|minus|inv(erse|erted)?|not?|non|un|loss(es)?|errors?|regret|distance|miss(es|ed)?"
    r"|fail(s|ed|ures?)?|wrong|cost|drop|gap|risk|deviance|brier|interval|energy|winkler|ignorance"
    r"|variogram|quantile|crps|anomaly|outlier"
)
_SEPARATORS = ("~", "__", "|", ":", "/", ".", "-", "_", " ")
# Names of metrics in the tables of caret and its like, besides ours and those of scikit-learn.
_OF_TABLES = {
    *("roc", "sens", "spec", "kappa", "accuracy", "rmse", "rsquared", "mae", "sensitivity"),
    *("specificity", "logloss", "auc", "prauc", "f1", "fbeta", "mcc", "mse", "mape", "r2", "rsq"),
}
_METRICS = METRICS.keys() | _OF_TABLES


def _words_of(name: str) -> list[str]:
    """Return the words of a name in small letters: "passAt1" is "pass", "at", "1"."""
    words = re.findall(r"(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)\d*|\d+", name.partition(" (")[0])
    return list(map(str.lower, words))


def sounds_like_score(name: str) -> bool:
    """Return whether the name of a metric that scikit-learn has not is that of a score."""
    if known_of(name).sign:
        return False
    words = _words_of(name)
    if words[:1] == ["1"] or any(map(_NO_SCORE.fullmatch, words)):  # the first is "1 - accuracy"
        return False
    pairs = map("_".join, pairwise(words))  # such as "exact match"
    return any(map(_SCORE.fullmatch, [*words, *pairs]))


def _metric_of(name: str) -> str:
    """Return the metric whose name something is, an empty text if there is none."""
    words = re.sub(r"[\W_]+", "_", name.strip().lower()).removeprefix("test_").removeprefix("mean_")
    candidates = (CALLED.get(words, words), f"neg_{words}", CALLED.get(f"mean_{words}", words))
    return next(filter(_METRICS.__contains__, candidates), "")


def refuse_several_metrics(names: Iterable[str]) -> None:
    """Raise ValueError for columns of several metrics, such as "rf~ROC" and "glm~Sens"."""
    columns = list(map(str, names))
    for separator in _SEPARATORS:
        ends = [_metric_at_end(name, separator) for name in columns]
        metrics = dict.fromkeys(map(_metric_of, ends))
        if "" not in metrics and len(metrics) > 1:
            raise ValueError(
                f"The names {listed(columns, 4)} are of different metrics, "
                f"{listed(dict.fromkeys(ends), 4)}, and scores in different metrics cannot be "
                f"compared. Pass the columns of one metric, such as those of {ends[0]!r}; if these "
                "are names of models, rename them."
            )


def _metric_at_end(name: str, separator: str) -> str:
    """Return the part behind a separator that names a metric, or nothing."""
    parts = name.split(separator)
    ends = (separator.join(parts[k:]) for k in range(len(parts)))
    return next(filter(_metric_of, ends), "")
