"""What to do about a failed fit or its scoring, by words of the error."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, filterfalse
from typing import Any

from .._utils._checks import listed
from .._utils._text import counted

_OF_TEXT = (
    "could not convert string|pandas dtypes|dtypes for data must be|arrays of bytes/strings"
    "|Cannot use .* strategy with non-numeric data"
)
# Patterns of errors whose own message does not say it; the first that is found counts.
_HINTS = {
    "pos_label is not specified": (
        "Number the classes 0 and 1, or pass make_scorer(brier_score_loss, pos_label=..., "
        "greater_is_better=False, response_method='predict_proba')."
    ),
    "pos_label": (
        "For labels other than 0 and 1 use an averaged metric such as scoring='f1_macro', or "
        "make_scorer(f1_score, pos_label=...)."
    ),
    "average='binary'": "For more than two classes use an average, such as scoring='f1_macro'.",
    "multi_class must be in": "For more than two classes use scoring='roc_auc_ovr'.",
    "and continuous targets": (
        "A metric of classes cannot measure predictions that are numbers: pass classifiers, or a "
        "metric of regression such as scoring='neg_mean_absolute_error'."
    ),
    "continuous is not supported": (
        "A metric of classes cannot measure a target that is a quantity: pass a metric of "
        "regression such as scoring='neg_mean_absolute_error'. Finished scores are compared by "
        "compare_losses (on the command line by --values without --target)."
    ),
    "strictly positive y_pred|Logarithmic Error cannot be used": (
        "Some predictions are too low for this metric, as those of linear models are: pass models "
        "whose predictions are positive, such as PoissonRegressor or TransformedTargetRegressor "
        "with a logarithm, or a metric such as scoring='neg_mean_absolute_error'."
    ),
    "y should be a 1d array": "y needs one value for each row.",
    "Expected 2D array, got 1D array|Expected a 2-dimensional container": (
        "X needs rows and columns: for one column pass frame[['name']], or array.reshape(-1, 1)."
    ),
    "(?i)early.?stopping|eval_set": (
        "Early stopping needs rows that are held out of each training set: doc/integrations.rst "
        "has a subclass of eight lines."
    ),
    "'groups' parameter should not be None": (
        "The search inside needs the groups, too: call set_config(enable_metadata_routing=True) "
        "and pass params={'groups': groups}, not groups=."
    ),
    r"(?<!fit)\(\) got an unexpected keyword argument 'sample_weight'": (
        "Weights need a metric that takes them: give the function an argument sample_weight, or "
        "leave out sample_weight=."
    ),
    r"(?<!fit)\(\) takes 2 positional arguments but 3 were given": (
        "A scorer is called with an estimator, X and y: pass make_scorer(function) of a function "
        "of targets and predictions."
    ),
    "unexpected keyword argument|does not accept the .* parameter|^KeyError: '": (
        "If params= names it: without metadata routing every model gets all of params, and after "
        "set_config(enable_metadata_routing=True) only what it requests, as by "
        "set_fit_request(sample_weight=True)."
    ),
    _OF_TEXT: (
        "If columns of X are text, encode them in a pipeline, as by OneHotEncoder; if y is text, "
        "pass classifiers and a metric of classes such as scoring='accuracy'."
    ),
    "Should set group for ranking|Either `group` or `qid` is required": (
        "A ranker needs the query of each training row. Sort the rows by query and pass "
        "groups=query and params={'qid': query}: XGBRanker takes qid. For LGBMRanker write a "
        "subclass: def fit(self, X, y, qid): return super().fit(X, y, group=numpy.unique(qid, "
        "return_counts=True)[1])."
    ),
    "Input X contains NaN": (
        "Fill missing values in a pipeline, as by SimpleImputer, or use a model that takes them, "
        "such as HistGradientBoostingClassifier or HistGradientBoostingRegressor."
    ),
    "Input y contains NaN": (
        "Leave out the rows whose target is missing: y = y.dropna() and X = X.loc[y.index]."
    ),
    "(?i)timestamp|datetime": "Pass dates as numbers, such as days, or leave them out.",
}


# What is a number, or missing, in a column that is read as text because of other cells.
_NUMBER = re.compile(r"\s*([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?|nan|none|<na>)\s*", re.IGNORECASE)
_FEW_TOKENS = 5


def hint_for(error: str, X: Any = None) -> str:
    """Return what to do about an error, in a sentence; empty if nothing is known about it."""
    found = next((words for words in _HINTS if re.search(words, error)), "")
    if found == _OF_TEXT and hasattr(X, "select_dtypes"):
        columns = list(_almost_numbers(X.select_dtypes(exclude="number")))
        if columns:
            said, tokens = zip(*columns, strict=True)
            return (
                f"Columns of X are numbers but for a few cells of text: {', '.join(said)}. If "
                "these are missing values, read them so, pandas.read_csv(..., "
                f"na_values={list(dict.fromkeys(chain(*tokens)))!r})."
            )
    return _HINTS.get(found, "")


def _almost_numbers(frame: Any) -> Iterator[tuple[str, list[str]]]:
    """Yield what to say of each column that is text only because of a few tokens, and these."""
    for name, column in frame.items():
        others = Counter(filterfalse(_NUMBER.fullmatch, map(str, column.tolist())))
        n_cells = others.total()
        if len(others) <= _FEW_TOKENS and 0 < 2 * n_cells < len(column):
            yield f"{name!r} ({listed(others)} in {counted(n_cells, 'row')})", [*others]


def or_drop(left_out: str, can_drop: bool) -> str:
    """Return the end of a remedy: the effect of on_error="drop", if it can be passed."""
    if not can_drop:
        return ""
    return f", or pass on_error='drop', which leaves {left_out} out"
