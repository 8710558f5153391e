"""Scores on auxiliary splits: whether they belong to those of the estimate."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from sklearn.model_selection import cross_validate

import skcvstats as s
from skcvstats.stats import conservative_ztest
from tests.cheap import NearestMean

RNG = np.random.RandomState(0)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] + RNG.normal(size=120) > 0).astype(int)
MODELS = {"one column": NearestMean(), "two columns": NearestMean(2)}


@cache
def results(cv, n=120):
    how = {"cv": cv, "return_indices": True}
    return [cross_validate(model, X[:n], Y[:n], **how) for model in MODELS.values()]


def done(cv, n=120, **known):
    return [s.CVScores.from_cv_results(result, **known) for result in results(cv, n)]


MAIN = s.RepeatedSubsampleSplit(4, random_state=0)
HALVES = s.HalfSplitPairs(6, 4, test_size=12, random_state=0)


def test_one_estimators_results_are_no_difference():
    (a, b), (half_a, half_b) = results(MAIN), results(HALVES)
    paired = s.ConservativeZTest()(a, b, auxiliary=(half_a, half_b))
    with pytest.raises(TypeError, match="the pair of theirs"):
        s.ConservativeZTest()(a, b, auxiliary=half_a)
    alone = s.ConservativeZTest()(a, auxiliary=half_a)
    assert alone.estimate == pytest.approx(np.mean(a["test_score"]))
    assert paired.estimate == pytest.approx(np.mean(a["test_score"] - b["test_score"]))


def test_what_is_not_verified_is_noted():
    a, b = done(MAIN)
    halves = done(HALVES)
    result = s.ConservativeZTest()(a, b, auxiliary=halves)
    assert any("not verified that the auxiliary scores" in str(note) for note in result.notes)
    known = [done(cv, y=Y) for cv in (MAIN, HALVES)]
    verified = s.ConservativeZTest()(*known[0], auxiliary=known[1])
    assert not any("not verified" in str(note) for note in verified.notes)
    assert verified.pvalue == result.pvalue
    with pytest.raises(s.PairingError, match="another target y"):
        s.ConservativeZTest()(*known[0], auxiliary=done(HALVES, y=1 - Y))
    fewer = done(s.RepeatedSubsampleSplit(4, test_size=12, random_state=0), n=100)
    result = s.ConservativeZTest()(*fewer, auxiliary=halves)
    (said,) = {str(note) for note in result.notes if "drawn" in str(note)}
    assert "drawn from 120 rows, those of the estimate from 100" in said
    drawn = s.compare_estimators(MODELS, X, Y, cv=MAIN, method=s.ConservativeZTest(n_pairs=6))
    assert not any("not verified" in str(note) for one in drawn for note in one.notes)


def test_dropped_pairs_are_noted():
    result = s.compare_estimators(MODELS, X, Y, cv=MAIN, method=s.ConservativeZTest(n_pairs=6))
    main, further = result.scores, result.auxiliary_by_metric["accuracy"]
    values = np.array(further.values)
    values[1, 3] = np.nan
    holed = replace(further, values=values)
    with pytest.raises(s.FitError, match="On the auxiliary splits") as caught:
        s.compare_scores(main, method=s.ConservativeZTest(n_pairs=6), auxiliary=holed)
    rest = caught.value.auxiliary["accuracy"].dropna()
    again = s.compare_scores(main, method=s.ConservativeZTest(n_pairs=6), auxiliary=rest)
    assert "8 of 48 splits dropped for missing scores" in map(str, again.comparisons[0].notes)


NARROW = "nearly equal training sizes"


def notes(n_train, n_test=10, n_samples=100, half_test=10, pool=100):
    design = s.SplitDesign.from_sizes(n_train, n_test, n_splits=15, n_samples=n_samples)
    halves = s.SplitDesign.from_sizes(
        pool // 2 - half_test,
        half_test,
        n_splits=300,
        n_samples=pool,
        levels=("pair", "half", "split"),
        shape=(10, 2, 15),
    )
    return s.ConservativeZTest().notes(design, halves)


@pytest.mark.parametrize(
    ("sizes", "found", "category", "said"),
    [
        ({"n_train": 90}, [], None, ""),  # the default: 40 against 90
        ({"n_train": 54}, [], None, ""),
        # 40/53 is above three quarters. Splits of all rows are a matter of design.
        ({"n_train": 53}, [NARROW], s.SplitDesignWarning, "train on 40 rows, 0.755 of the 53"),
        ({"n_train": 50}, [NARROW], s.SplitDesignWarning, "train on 40 rows, 0.8 of the 50"),
        ({"n_train": 41}, [NARROW], s.SplitDesignWarning, "train on 40 rows"),
        # No fewer rows: said more strongly, and once.
        ({"n_train": 40}, ["liberal procedure"], s.AnticonservativeWarning, ""),
        # The report's (n/2, n/10) of section 5.1, within .6 of the rows: liberal in half of the
        # panels; and its (n/2, n/2), half-samples at (2n/5, n/10): conservative in all panels.
        (
            {"n_train": 50, "n_samples": 60},
            [NARROW],
            s.AnticonservativeWarning,
            "drawn from 60 of 100",
        ),
        ({"n_train": 50, "n_test": 50}, [], None, ""),
    ],
)
def test_half_samples_that_train_on_nearly_as_many_rows(sizes, found, category, said):
    given = notes(**sizes)
    assert [note.code for note in given] == found
    assert all(note.category is category and said in str(note) for note in given)


def test_arrays_have_the_same_note():
    x, halves = np.arange(15.0), np.random.default_rng(0).normal(size=(10, 2, 15))
    close = conservative_ztest(x, halves, n_train=50, n_test=10, n_samples=100)
    assert [note.code for note in close.notes] == [NARROW]
    assert conservative_ztest(x, halves, n_train=90, n_test=10).notes == ()
