"""Scores on auxiliary splits: whether they belong to those of the estimate."""

from functools import cache

import numpy as np
import pytest
from sklearn.model_selection import cross_validate

from skcvstats import (
    ConservativeZTest,
    CVScores,
    FitError,
    HalfSplitPairs,
    PairingError,
    RepeatedSubsampleSplit,
    compare_estimators,
    compare_scores,
)
from tests.cheap import NearestMean

RNG = np.random.RandomState(0)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] + RNG.normal(size=120) > 0).astype(int)
MODELS = {"one column": NearestMean(), "two columns": NearestMean(2)}


@cache
def results(cv, n=120):
    return [
        cross_validate(model, X[:n], Y[:n], cv=cv, return_indices=True) for model in MODELS.values()
    ]


def done(cv, n=120, **known):
    return [CVScores.from_cv_results(result, **known) for result in results(cv, n)]


MAIN = RepeatedSubsampleSplit(4, random_state=0)
HALVES = HalfSplitPairs(6, 4, test_size=12, random_state=0)


def test_one_estimators_results_are_no_difference():
    (a, b), (half_a, half_b) = results(MAIN), results(HALVES)
    paired = ConservativeZTest()(a, b, auxiliary=(half_a, half_b))
    with pytest.raises(TypeError, match="the pair of theirs"):
        ConservativeZTest()(a, b, auxiliary=half_a)
    alone = ConservativeZTest()(a, auxiliary=half_a)
    assert alone.estimate == pytest.approx(np.mean(a["test_score"]))
    assert paired.estimate == pytest.approx(np.mean(a["test_score"] - b["test_score"]))


def test_what_is_not_verified_is_noted():
    a, b = done(MAIN)
    halves = done(HALVES)
    result = ConservativeZTest()(a, b, auxiliary=halves)
    assert any("not verified that the auxiliary scores" in str(note) for note in result.notes)
    known = [done(cv, y=Y) for cv in (MAIN, HALVES)]
    verified = ConservativeZTest()(*known[0], auxiliary=known[1])
    assert not any("not verified" in str(note) for note in verified.notes)
    assert verified.pvalue == result.pvalue
    with pytest.raises(PairingError, match="another target y"):
        ConservativeZTest()(*known[0], auxiliary=done(HALVES, y=1 - Y))
    fewer = done(RepeatedSubsampleSplit(4, test_size=12, random_state=0), n=100)
    (said,) = {
        str(n) for n in ConservativeZTest()(*fewer, auxiliary=halves).notes if "drawn" in str(n)
    }
    assert "drawn from 120 rows, those of the estimate from 100" in said
    drawn = compare_estimators(MODELS, X, Y, cv=MAIN, method=ConservativeZTest(n_pairs=6))
    assert not any("not verified" in str(note) for one in drawn for note in one.notes)


def test_dropped_pairs_are_noted():
    result = compare_estimators(MODELS, X, Y, cv=MAIN, method=ConservativeZTest(n_pairs=6))
    main, further = result.scores, result.auxiliary_by_metric["accuracy"]
    values = np.array(further.values)
    values[1, 3] = np.nan
    holed = CVScores(values=values, design=further.design, labels=further.labels, metric="accuracy")
    with pytest.raises(FitError, match="On the auxiliary splits") as caught:
        compare_scores(main, method=ConservativeZTest(n_pairs=6), auxiliary=holed)
    rest = caught.value.auxiliary["accuracy"].dropna()
    again = compare_scores(main, method=ConservativeZTest(n_pairs=6), auxiliary=rest)
    assert "8 of 48 splits dropped for missing scores" in map(str, again.comparisons[0].notes)
