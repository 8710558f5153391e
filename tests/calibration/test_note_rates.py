"""How often each note of the list is found on sound data, for doc/notes.

SKCVSTATS_NOTE_RATES=write rewrites doc/data/note_rates.json instead of comparing with it.
"""

import json
import os
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import fisher_exact
from sklearn.base import is_classifier
from sklearn.model_selection import (
    RepeatedKFold,
    RepeatedStratifiedKFold,
    cross_validate,
    train_test_split,
)

import skcvstats as s
from skcvstats.notes import NOTES
from skcvstats.scores import DRAWN_FROM_ALL, MissingEvidenceError

from .sound_data import METRICS, SLOW_METRICS, SoundData, sound_data_sets

pytestmark = pytest.mark.calibration

RATES = Path(__file__).parents[2] / "doc" / "data" / "note_rates.json"
BY_CHANCE = 0.001

# Notes that say no more than what is seen: their situation occurs where they are found.
SEEN = {
    "best reference",
    "chosen reference",
    "constant target",
    "few distinct splits",
    "few of a class",
    "few test rows",
    "fixed subset",
    "frozen transformer",
    "groups of one row",
    "groups split across training and test",
    "largest error",
    "left out",
    "margin afterwards",
    "metric not measured",
    "minus a loss",
    "no better than a constant",
    "no predicted positive",
    "other order",
    "rare class",
    "repeated rows",
    "repeated splits",
    "same test rows",
    "scores of two scales",
    "scores out of range",
    "test rows trained on",
    "undefined metric",
    "unseeded fits in a store",
    "unseeded splits",
    "unweighted scores",
    "warnings of fits",
}
# When the situation occurs of the other notes, where it does not in every call that has the
# evidence of the note.
SITUATIONS = {
    "dates": lambda evidence: evidence.columns_of_dates and not evidence.design.in_time_order,
    "dates do not ascend": lambda evidence: (
        evidence.columns_of_dates and evidence.design.in_time_order
    ),
    "fixed seeds": lambda evidence: "forest" in evidence.estimators,
    "fresh seeds": lambda evidence: evidence.seed_of_fits is not None,
    "no errors": lambda evidence: sum(evidence.design.n_test) >= 50,
    "no shares": lambda evidence: (
        evidence.measured in ("accuracy", "accuracy_score")
        and evidence.design.unit == "rows"
        and evidence.design.n_splits > 1
    ),
    "normal tails": lambda evidence: (
        len(evidence.tests) > 1 and np.isinf(evidence.tests.inference.df).all()
    ),
    "numbers as classes": lambda evidence: (
        np.asarray(evidence.y).dtype.kind in "if"
        and all(map(is_classifier, evidence.estimators.values()))
    ),
    "order of rows": lambda evidence: evidence.of_rows is not None,
    "overlapping test sets": lambda evidence: (
        evidence.design.n_splits > 1 and evidence.design.levels in DRAWN_FROM_ALL
    ),
    "repeated subjects": lambda evidence: any(
        column.may_name_subjects and not column.are_dates for column in evidence.columns
    ),
    "rows in training and test": lambda evidence: (
        evidence.watch.shared_rows is not None
        and any(n_equal for n_equal, _ in evidence.watch.shared_rows.counts)
    ),
    "same scores": lambda evidence: evidence.tests.scores.design.n_splits > 1,
    "scores of 0": lambda evidence: (evidence.values == 0).any(),
    "scores of two signs": lambda evidence: np.isinf(evidence.known[1:]).all(),
    "small test sets": lambda evidence: not evidence.procedure.needs_rows,
    "sorted target": lambda evidence: evidence.design.levels == ("fold",),
    "stratified": lambda evidence: (
        evidence.design.levels == ("split",)
        and evidence.design.n_splits > 1
        and not evidence.design.in_time_order
    ),
    "threshold": lambda evidence: (
        evidence.judged.name in ("balanced_accuracy", "f1") and len(np.unique(evidence.y)) == 2
    ),
    "time order": lambda evidence: evidence.design.in_time_order,
    "worse than a constant": lambda evidence: not np.isnan(evidence.best_constant),
}


def ask_all(data: SoundData) -> None:
    """Ask every door about the data."""
    models, options = data.models, data.options
    s.compare_estimators(models, data.X, data.y, scoring=data.metrics, n_jobs=1, **options)
    if options:
        return
    folds = RepeatedKFold if data.metrics == METRICS["numbers"] else RepeatedStratifiedKFold
    splits = list(folds(n_splits=5, n_repeats=2, random_state=0).split(data.X, data.y))
    results = {
        name: cross_validate(
            model, data.X, data.y, scoring=data.metrics, cv=splits, return_indices=True
        )
        for name, model in models.items()
    }
    for metric in data.metrics:
        s.compare_scores(results, metric=metric)
    parts = train_test_split(data.X, data.y, test_size=0.4, random_state=0)
    X_train, X_test, y_train, y_test = parts
    fitted = {name: model.fit(X_train, y_train) for name, model in models.items()}
    quick = [metric for metric in data.metrics if metric not in SLOW_METRICS]
    s.compare_predictions(y_test, fitted, X=X_test, scoring=quick, n_jobs=1)


@pytest.fixture(scope="module")
def counts():
    """Return how often each note was looked for where its situation occurs, and was found."""
    looked_for, found = Counter(), Counter()

    def find(note, evidence):
        try:
            notes = tuple(note.search(evidence))
            occurs = bool(notes)
            if note.code not in SEEN and not occurs:
                occurs = bool(SITUATIONS.get(note.code, lambda evidence: True)(evidence))
        except MissingEvidenceError:
            return ()
        looked_for[note.code] += occurs
        found[note.code] += bool(notes)
        if note.code == "no errors":  # as which it is looked for, where no scale is in doubt
            looked_for["loss as score"] += evidence.measured.startswith("neg_")
        return notes

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setattr(type(NOTES[0]), "find", find)
        n_data_sets, metrics = 0, set()
        for data in sound_data_sets():
            ask_all(data)
            n_data_sets += 1
            metrics.update(data.metrics)
    assert n_data_sets >= 20
    assert len(metrics) >= 5
    codes = sorted(note.code for note in NOTES)
    return {code: {"looked for": looked_for[code], "found": found[code]} for code in codes}


def test_rates_are_those_of_the_page(counts):
    if os.environ.get("SKCVSTATS_NOTE_RATES") == "write":
        lines = [f"{json.dumps(code)}: {json.dumps(count)}" for code, count in counts.items()]
        RATES.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    written = json.loads(RATES.read_text("utf-8"))
    assert written.keys() == counts.keys(), "write them again"
    for code, now in counts.items():
        before = written[code]
        assert (now["looked for"] == 0) == (before["looked for"] == 0), code
        table = [[n["found"], n["looked for"] - n["found"]] for n in (now, before)]
        assert fisher_exact(table).pvalue > BY_CHANCE, (code, now, before)
