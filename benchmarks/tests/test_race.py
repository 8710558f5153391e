"""What searches fit and choose: looked up fits against searches that make them; the tables."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB

import benchmarks.race
from benchmarks.race import measuring, tables
from benchmarks.race.searches import Search, description
from skcvstats import RacingSearchCV, RepeatedSubsampleSplit

FOLDER = Path(benchmarks.race.__file__).parent
GRID = {"var_smoothing": [1e-9, 1e-6, 1e-3, 0.1, 1.0, 100.0]}
SEARCH = Search(GaussianNB(), GRID, lambda: load_breast_cancer(return_X_y=True), 150)


def test_looked_up_fits_are_those_that_searches_make():
    found = {name: rest for name, *rest in measuring.measure(SEARCH, 3)}
    X, y, *fresh = SEARCH.draw(3)
    grid = GridSearchCV(GaussianNB(), GRID, cv=RepeatedSubsampleSplit(15, random_state=3))
    fits, seconds, chosen, score = found[measuring.GRID]
    assert (fits, chosen) == (90, grid.fit(X, y).best_index_)
    assert score == grid.score(*fresh)
    for rule in ("screen", "evidence"):
        race = RacingSearchCV(GaussianNB(), GRID, rule=rule, cv=grid.cv).fit(X, y)
        fits, less, chosen, _ = found[f"race, {rule}"]
        assert (fits, chosen) == (race.cv_results_["n_splits_done"].sum(), race.best_index_)
        assert fits < 90
        assert 0 < less < seconds


@pytest.mark.filterwarnings("ignore:.*experimental")
def test_optuna_prunes():
    optuna = pytest.importorskip("optuna")
    values = np.random.default_rng(0).normal(size=(12, 15)) + np.repeat([0, 9], 6)[:, np.newaxis]
    for pruner in (optuna.pruners.MedianPruner(), optuna.pruners.WilcoxonPruner()):
        done, best = measuring.pruned(values, pruner, np.arange(12)[::-1])
        assert (done[:6] < 15).all() or type(pruner).__name__ == "MedianPruner"
        assert done.sum() < 180
        assert best >= 6


@pytest.mark.parametrize("n", [3, 6, 9, 14])
def test_the_quick_test_is_that_of_scipy(n):
    rng = np.random.default_rng(n)
    options = {"alternative": "less", "zero_method": "zsplit"}
    for d in (rng.integers(-3, 3, n), rng.integers(1, 3, n) - 0.5, rng.normal(size=n)):
        assert measuring.p_worse(d) == pytest.approx(stats.wilcoxon(d, **options).pvalue, rel=1e-12)


def test_descriptions_do_not_name_their_package():
    text = "As `numpy.sort` of NumPy, np and scikit-learn.\n\nParameters\n----------\na : array"
    assert description(text).split() == ["As", "`", ".sort`", "of", ",", "and", "-", "."]


def test_the_readme_has_the_tables():
    assert tables.text(FOLDER / "results") in (FOLDER / "README.rst").read_text()
