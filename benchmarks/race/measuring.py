"""One repetition: what each search fits, how long that takes, and how good its choice is."""

import time
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy import stats
from sklearn.base import clone
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, ParameterGrid

from skcvstats import RacingSearchCV, RepeatedSubsampleSplit

from .searches import Search

try:
    import optuna
except ImportError:
    optuna = None

N_SPLITS, N_FIRST = 15, 5
MARGIN = 0.05
GRID = f"GridSearchCV, {N_SPLITS} splits"
LOOKED_UP = "race, screen, fits looked up"
RULES = {"screen": {}, "evidence": {"rule": "evidence"}}
RACES: dict[str, dict[str, Any]] = {
    f"race, {rule}{end}": {**options, **margin}
    for rule, options in RULES.items()
    for end, margin in (("", {}), (f", margin {MARGIN}", {"margin": MARGIN}))
}
Found = tuple[int, float, int]  # fits, their seconds, the position of the candidate chosen


def measure(search: Search, repetition: int) -> Iterator[tuple[str, int, float, int, float]]:
    """Yield for each way to search its name, fits, seconds, choice and the choice's fresh score."""
    X, y, *fresh = search.draw(repetition)
    candidates = list(ParameterGrid(search.grid))

    @cache
    def score(candidate: int) -> float:
        model = clone(search.estimator).set_params(**clone(candidates[candidate], safe=False))
        return float(model.fit(X, y).score(*fresh))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, found in ways(search, X, y, repetition):
            yield name, *found, score(found[-1])


def ways(search: Search, X: Any, y: Any, seed: int) -> Iterator[tuple[str, Found]]:
    """Yield what each way to search fits and chooses.

    Races, the search over the first splits and Optuna's pruners look up their fits in the table of
    all candidates and splits; halving, which fits on fewer rows, makes its own.
    """
    options: dict[str, Any] = {"cv": RepeatedSubsampleSplit(N_SPLITS, random_state=seed)}
    options["refit"] = False
    with TemporaryDirectory() as folder:
        options["store"] = Path(folder) / "fits"
        whole = RacingSearchCV(search.estimator, search.grid, rule=None, **options).fit(X, y)
        yield GRID, raced(whole)
        for name, rule in RACES.items():
            race = RacingSearchCV(search.estimator, search.grid, **rule, **options)
            yield name, raced(race.fit(X, y))
    seconds, values = seconds_of(whole.cv_results_), scores_of(whole.cv_results_)
    first = int(values[:, :N_FIRST].mean(axis=1).argmax())
    yield (
        f"GridSearchCV, first {N_FIRST}",
        (N_FIRST * len(values), N_FIRST * seconds.sum(), first),
    )
    halving = HalvingGridSearchCV(search.estimator, search.grid, refit=False, random_state=seed)
    yield "HalvingGridSearchCV", halved(halving.fit(X, y))
    if optuna is not None:
        order = np.random.RandomState(seed).permutation(len(values))
        for pruner in (optuna.pruners.MedianPruner(), WilcoxonPruner()):
            done, best = pruned(values, pruner, order)
            yield f"Optuna, {type(pruner).__name__}", (int(done.sum()), seconds @ done, best)


def seconds_of(results: dict[str, Any]) -> np.ndarray:
    """Return the mean seconds of a fit and its score, by candidate."""
    return np.asarray(results["mean_fit_time"] + results["mean_score_time"])


def scores_of(results: dict[str, Any]) -> np.ndarray:
    """Return scores by candidate and split."""
    return np.stack([results[f"split{k}_test_score"] for k in range(N_SPLITS)], axis=1)


def raced(race: RacingSearchCV) -> Found:
    """Return what a race fitted and chose."""
    done = race.cv_results_["n_splits_done"]
    return int(done.sum()), float(seconds_of(race.cv_results_) @ done), int(race.best_index_)


def halved(halving: HalvingGridSearchCV) -> Found:
    """Return what a search by halving fitted, on fewer rows, and chose."""
    results, candidates = halving.cv_results_, list(ParameterGrid(halving.param_grid))
    n_fits = len(results["params"]) * halving.n_splits_
    seconds = float(seconds_of(results).sum() * halving.n_splits_)
    return n_fits, seconds, candidates.index(halving.best_params_)


def pruned(values: np.ndarray, pruner: Any, order: np.ndarray) -> tuple[np.ndarray, int]:
    """Return how many splits of each candidate Optuna lets be fitted, and which it finds best.

    As its documentation advises, the Wilcoxon pruner is told the score of each split and the median
    pruner the mean so far.
    """
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(direction="maximize", pruner=pruner)
    done = np.zeros(len(values), dtype=int)
    is_wilcoxon = isinstance(pruner, WilcoxonPruner)
    for candidate in order:
        trial, scores = study.ask(), values[candidate]
        for k, score in enumerate(scores):
            done[candidate] += 1
            trial.report(score if is_wilcoxon else scores[: k + 1].mean(), k)
            if trial.should_prune():
                study.tell(trial, state=optuna.trial.TrialState.PRUNED)
                break
        else:
            study.tell(trial, scores.mean())
    return done, int(order[study.best_trial.number])


class WilcoxonPruner(optuna.pruners.BasePruner if optuna else object):  # type: ignore[misc]
    """Optuna's pruner of this name with its defaults, for trials that report the same steps.

    Its own takes tenths of a second where differences are tied or zero, as SciPy then tries all
    signs of up to 13: for a whole search longer than its fits.
    """

    def prune(self, study: Any, trial: Any) -> bool:
        """Tell whether a trial's scores are worse than those of the best one, its mean too."""
        try:
            best = study.best_trial.intermediate_values
        except ValueError:  # there is none yet
            return False
        values = trial.intermediate_values
        means = [sum(scores.values()) / len(scores) for scores in (best, values)]
        if len(values) < 2 or means[0] <= means[1]:
            return False
        return p_worse(np.array([value - best[step] for step, value in values.items()])) < 0.1


def p_worse(differences: np.ndarray) -> float:
    """Return the p-value of SciPy's `wilcoxon` for "less" and "zsplit", but quickly."""
    ranks, n, is_zero = stats.rankdata(np.abs(differences)), len(differences), differences == 0
    if n > 13 or not (is_zero.any() or len(np.unique(ranks)) < n):
        return float(stats.wilcoxon(differences, zero_method="zsplit", alternative="less").pvalue)
    sums = _signs(n) @ np.where(is_zero, 0, ranks)
    return float((sums <= ranks[differences > 0].sum() + 1e-9).mean())


@cache
def _signs(n: int) -> np.ndarray:
    return (np.arange(2**n)[:, np.newaxis] >> np.arange(n)) & 1


def elapsed(search: Search, repetition: int) -> Iterator[tuple[str, int, float, float, float]]:
    """Yield a search's name, fits, their seconds, its elapsed and its processor seconds.

    All make their fits but the last, which finds them in a store: it takes the looks and the rest.
    """
    X, y, *_ = search.draw(repetition)
    options = {"cv": RepeatedSubsampleSplit(N_SPLITS, random_state=repetition), "refit": False}
    given = search.estimator, search.grid
    models = {f"race, {rule}": RacingSearchCV(*given, rule=rule, **options) for rule in RULES}
    models |= {GRID: GridSearchCV(*given, **options)}
    names = np.roll(list(models), repetition)  # by turns the first, as machines are not steady
    with warnings.catch_warnings(), TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        stored = RacingSearchCV(*given, store=Path(folder) / "fits", **options).fit(X, y)
        models[LOOKED_UP] = stored
        for name in (*names, LOOKED_UP):
            clocks = (time.perf_counter, time.process_time)
            started = [clock() for clock in clocks]
            results = models[name].fit(X, y).cv_results_
            passed = [clock() - start for clock, start in zip(clocks, started, strict=True)]
            done = results.get("n_splits_done", np.full(len(results["params"]), N_SPLITS))
            yield str(name), int(done.sum()), float(seconds_of(results) @ done), *passed
