"""Tier 5: families of exchangeable learners, of which none is better than another.

Each learner has a noisy copy of the columns of its own. Counted are data sets with any false claim
among all pairs, and those in which the best set leaves out a given learner.
"""

import warnings

import numpy as np
import pandas as pd

from skcvstats import CVScores, SplitDesign, compare_scores
from skcvstats.scores import RowScores

from . import procedures, simulation

_LEVEL = 0.05
_FITS = 20
_PROCEDURES = {  # the method and its design
    procedures.ROW_T: ("row_t", "folds of 5"),
    procedures.COMPARATOR: ("corrected_resampled_t", "tenths"),
}
COUNTED = ("any claim", "best set")


def answer(setting, number):
    """Return for one data set, by procedure, whether each of what is counted happens."""
    ((targets, rows, _),) = simulation.scores_of(setting, number)
    labels = tuple(target.a for target in targets)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [_claims(rows, labels, *both) for both in _PROCEDURES.values()]
    return np.array(found, dtype=float), np.zeros(0)


def _claims(rows, labels, method, block):
    splits, first = rows.splits, rows.splits.blocks[block][0]
    part = slice(first, first + _FITS)
    tests = splits.tests[part]
    ends = zip(splits.starts[part], splits.starts[1:][part], strict=True)
    of_rows = RowScores.from_splits([rows.values[:, start:end] for start, end in ends], tests)
    trains = [np.flatnonzero(train) for train in splits.train[part]]
    scores = CVScores(
        values=of_rows.means(),
        design=SplitDesign.from_indices(trains, tests),
        labels=labels,
        row_scores=of_rows if method == "row_t" else None,
    )
    result = compare_scores(scores, method=method)
    claims = result.tests_by_metric["score"].pvalues_adjusted < _LEVEL
    return claims.any(), labels[0] not in result.best_set()


def table_of(setting, answers, _):
    """Return the rows of the table: one for each procedure and what is counted, as misses."""
    first, counts = setting.targets[0], answers.sum(axis=0).astype(int)
    common = {
        "setting": setting.name,
        "tier": setting.tier,
        "population": setting.population,
        "n_rows": setting.n_rows,
        "kept_apart": setting.is_kept,
        "metric": first.metric,
        "a": first.a.partition("~")[0],
        "b": "",
        "fits": _FITS,
        "data_sets": len(answers),
    }
    each = [
        {**common, "kind": f"{len(setting.targets)}, {what}", "procedure": name, "missed_95": count}
        for name, of in zip(_PROCEDURES, counts, strict=True)
        for what, count in zip(COUNTED, of, strict=True)
    ]
    return pd.DataFrame(each)
