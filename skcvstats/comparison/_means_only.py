"""Refuse what ``cv`` of LightGBM, XGBoost and CatBoost returns: only means over folds.

Such results are recognised by their keys; nothing is imported.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .._utils._checks import listed

_MEAN = re.compile(r"(train|valid|test)[ -].+-mean")


def refuse_means(given: Any, what: str) -> None:
    """Raise ValueError for means and standard deviations over the folds."""
    keys = given if isinstance(given, Mapping) else getattr(given, "columns", ())
    means = [key for key in keys if isinstance(key, str) and _MEAN.fullmatch(key)]
    if means:
        raise ValueError(
            f"{what} are means and standard deviations over the folds, for each number of rounds: "
            f"{listed(means)}. Neither tells how the scores of two models vary together, so "
            "nothing follows from them. Score the booster of each fold on its test rows: "
            "lightgbm.cv(..., folds=..., return_cvbooster=True), xgboost.cv(..., folds=..., "
            "callbacks=[...]) with a callback that keeps the boosters. Then pass one score per "
            "fold, and design=SplitDesign.from_splitter(cv, X, y). Or use LGBMClassifier, "
            "XGBClassifier and the like with compare_estimators, which fits and scores them."
        )
