"""Ordinary data in five metrics have no note of those that are for data which mislead."""

import warnings
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets
from sklearn.base import is_classifier
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold, train_test_split

import skcvstats as s

from .sound_data import CLASSIFIERS, REGRESSORS, SLOW_METRICS, SoundData, sound_data_sets

pytestmark = pytest.mark.calibration

MISLEADING = {
    *("synthetic rows", "near-copies", "dates", "times in a column", "numbers of times"),
    *("few refits", "effects of the month", "few rows carry all", "unseen labels"),
}


def ordinary_data_sets():
    """Yield sound data, and those that are near to what the notes look for."""
    yield from sound_data_sets()
    generator = np.random.default_rng(2)
    n = 300
    noise = generator.normal(size=n)
    people = pd.DataFrame(
        {
            "age": generator.integers(18, 90, n),
            "income": generator.lognormal(10, 0.5, n).round(),
            "day": generator.integers(1, 32, n),
            "month": generator.integers(1, 13, n),
            "year": generator.integers(2000, 2021, n),
            "time_in_hospital": generator.integers(1, 15, n),
        }
    )
    is_ill = (people["age"] / 20 + noise > 3).astype(int)
    yield SoundData(people, is_ill, CLASSIFIERS)
    yield SoundData(people, people["age"] + 10 * noise, REGRESSORS)
    small = generator.integers(0, 10, size=(n, 6))
    yield SoundData(small, (small[:, 0] + small[:, 1] + 4 * noise > 9).astype(int), CLASSIFIERS)
    yield SoundData(small, 3 * small[:, 0] + noise, REGRESSORS)
    rare = np.where(generator.random((n, 6)) < 0.45, 0, generator.exponential(size=(n, 6)))
    yield SoundData(rare, (rare[:, 0] + 0.5 * noise > 0.5).astype(int), CLASSIFIERS)
    rounded = generator.normal(170, 8, size=(n, 3)).round()
    yield SoundData(rounded, (rounded[:, 0] + 5 * noise > 170).astype(int), CLASSIFIERS)
    yield SoundData(*datasets.make_blobs(n, 3, random_state=1), CLASSIFIERS)
    yield SoundData(*datasets.make_swiss_roll(n, noise=0.1, random_state=0), REGRESSORS)


@pytest.fixture(scope="module")
def found():
    """Return the codes of notes on each data set, and how many data sets there are."""
    counts, n_data_sets = Counter(), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for data in ordinary_data_sets():
            n_data_sets += 1
            counts.update(codes_on(data))
    return counts, n_data_sets


def codes_on(data):
    models, options = data.models, dict(data.options)
    folds = RepeatedKFold
    if is_classifier(next(iter(models.values()))):
        folds = RepeatedStratifiedKFold
    if not options:
        options["cv"] = folds(n_splits=5, n_repeats=2, random_state=0)
    result = s.compare_estimators(models, data.X, data.y, scoring=data.metrics, **options)
    codes = {note.code for note in result.notes}
    if "groups" in options or "TimeSeries" in type(options["cv"]).__name__:
        return codes
    X_train, X_test, y_train, y_test = train_test_split(data.X, data.y, random_state=0)
    fitted = {name: model.fit(X_train, y_train) for name, model in models.items()}
    quick = [metric for metric in data.metrics if metric not in SLOW_METRICS]
    result = s.compare_predictions(y_test, fitted, X=X_test, scoring=quick)
    return codes | {note.code for note in result.notes}


def test_no_note_on_what_misleads(found):
    counts, n_data_sets = found
    assert n_data_sets >= 40
    assert {code: counts[code] for code in MISLEADING if counts[code]} == {}
