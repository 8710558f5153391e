"""Notes before the first fit on what is often a mistake: dates, few test rows, odd classes."""

from collections.abc import Iterator, Mapping
from math import comb
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from .._utils._arrays import one_output
from .._utils._text import counted
from ..exceptions import AnticonservativeWarning
from ..scores import FEW_DISTINCT, Note
from ..stats import Procedure

_FEWEST_TESTED = {"rows": 10, "groups": 3}
_OF_DATES = ("DatetimeIndex", "PeriodIndex")
# With more distinct numbers, and more than a tenth of the rows, a target is hardly one of classes.
_MOST_CLASSES = 20


def hints(
    procedure: Procedure, estimators: Mapping[str, Any], X: Any, y: Any, facts: Mapping[str, Any]
) -> Iterator[Note]:
    """Yield a note with a remedy for each, given the facts of the splits."""
    unit, smallest = facts.get("unit", "rows"), min(facts["n_test"])
    in_order = any(note.code == "time order" for note in facts.get("notes", ()))
    if type(getattr(X, "index", None)).__name__ in _OF_DATES and unit == "rows" and not in_order:
        text = (
            "X has an index of dates, and models are trained on rows from after their test rows: "
            "if rows near in time are alike, scores are too high. Pass groups, such as the week of "
            "each row. In time order, cv=TimeSeriesSplit(), scores are those of forecasts, but no "
            "test here is valid for them"
        )
        yield Note("dates", text, None)
    of_one_row = smallest == 1 and unit == "rows"  # which has a note of its own
    if smallest < _FEWEST_TESTED[unit] and not procedure.needs_rows and not of_one_row:
        text = (
            f"test sets of {counted(smallest, unit[:-1])}: scores of so few are far from normal, "
            f"which the test assumes; test on at least {_FEWEST_TESTED[unit]} {unit}, by fewer "
            "folds or a larger test_size"
        )
        yield Note("small test sets", text, None)
    n_splits, most = len(facts["n_test"]), comb(facts["n_samples"], smallest)
    is_known = any(note.code == FEW_DISTINCT for note in facts.get("notes", ()))
    if facts["levels"] == ("split",) and 1 < most < n_splits and not (is_known or of_one_row):
        text = (
            f"there are only {most} test sets of {counted(smallest, unit[:-1])}, which random "
            f"splits repeat: the test counts {n_splits - 1} degrees of freedom for {most - 1}, and "
            "rejects true null hypotheses too often"
        )
        yield Note(FEW_DISTINCT, text, AnticonservativeWarning)
    labels = one_output(y)
    if labels is None or labels.dtype.kind not in "iuf":
        return
    names = [name for name, estimator in estimators.items() if is_classifier(estimator)]
    n_values = len(np.unique(labels))
    if not names or n_values <= max(_MOST_CLASSES, len(labels) / 10):
        return
    text = (
        f"the target has {n_values} different numbers in {counted(len(labels), 'row')}, and to a "
        f"classifier, as {names[0]} is, each is a class: compare regressors if it is a quantity"
    )
    if (labels % 1 != 0).any():  # scikit-learn's classifiers would refuse it, in the first fit
        raise ValueError(f"{text[0].upper()}{text[1:]}, or make classes of it with pandas.cut.")
    yield Note("numbers as classes", text, None)
