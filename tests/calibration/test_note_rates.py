"""How often each note of the list is found on sound data, for doc/notes.

SKCVSTATS_NOTE_RATES=write rewrites doc/data/note_rates.json instead of comparing with it.
"""

import json
import os
import warnings
from collections import Counter
from pathlib import Path

import pytest
from scipy.stats import fisher_exact
from sklearn.model_selection import (
    RepeatedKFold,
    RepeatedStratifiedKFold,
    cross_validate,
    train_test_split,
)

import skcvstats as s
from skcvstats.notes import NOTES
from skcvstats.notes._evidence import MissingEvidenceError
from skcvstats.notes._registry import RegisteredNote

from .sound_data import METRICS, SLOW_METRICS, SoundData, sound_data_sets

pytestmark = pytest.mark.calibration

RATES = Path(__file__).parents[2] / "doc" / "data" / "note_rates.json"
BY_CHANCE = 0.001

# When the situation occurs that a note is about, where it does not in every call that has the
# evidence of the note.
SITUATIONS = {
    "best reference": lambda evidence: False,  # as no reference is passed
    "chosen reference": lambda evidence: False,
    "constant target": lambda evidence: evidence.y is not None,
    "dates": lambda evidence: evidence.columns_of_dates and not evidence.design.in_time_order,
    "dates do not ascend": lambda evidence: (
        evidence.columns_of_dates and evidence.design.in_time_order
    ),
    "few distinct splits": lambda evidence: evidence.design.levels == ("split",),
    "fixed seeds": lambda evidence: "forest" in evidence.estimators,
    "fresh seeds": lambda evidence: evidence.seed_of_fits is not None,
    "frozen transformer": lambda evidence: False,
    "groups of one row": lambda evidence: evidence.groups is not None,
    "groups split across training and test": lambda evidence: (
        evidence.watch.shared_rows is not None and evidence.watch.shared_rows.are_grouped
    ),
    "largest error": lambda evidence: "max_error" in evidence.measured,
    "left out": lambda evidence: evidence.dropped,
    "margin afterwards": lambda evidence: False,
    "metric not measured": lambda evidence: evidence.procedure.needs_rows,
    "other order": lambda evidence: evidence.moved,
    "overlapping test sets": lambda evidence: evidence.design.n_splits > 1,
    "repeated splits": lambda evidence: evidence.design.n_splits > 1,
    "repeated subjects": lambda evidence: any(
        column.may_name_subjects and not column.are_dates for column in evidence.columns
    ),
    "same test rows": lambda evidence: evidence.design.n_splits > 1,
    "small test sets": lambda evidence: not evidence.procedure.needs_rows,
    "sorted target": lambda evidence: evidence.design.levels == ("fold",),
    "stratified": lambda evidence: (
        evidence.design.levels == ("split",) and evidence.design.n_splits > 1
    ),
    "time order": lambda evidence: evidence.design.in_time_order,
    "unseeded fits in a store": lambda evidence: False,
    "unweighted scores": lambda evidence: evidence.fit_params,
}
# Notes that are looked for only where something is odd, with one that is looked for in all cases.
IN_ALL_CASES = {
    "few test rows": "few of a class",
    "loss as score": "no errors",
    "scores of two scales": "no errors",
    "scores out of range": "no errors",
    "undefined metric": "few of a class",
}


def find_on(data: SoundData) -> None:
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
            occurs = SITUATIONS.get(note.code, lambda evidence: True)(evidence)
        except MissingEvidenceError:
            return ()
        looked_for[note.code] += bool(occurs or notes)
        found[note.code] += bool(notes)
        return notes

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setattr(RegisteredNote, "find", find)
        n_data_sets, metrics = 0, set()
        for data in sound_data_sets():
            find_on(data)
            n_data_sets += 1
            metrics.update(data.metrics)
    assert n_data_sets >= 20
    assert len(metrics) >= 5
    for code, other in IN_ALL_CASES.items():
        looked_for[code] = looked_for[other]
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
