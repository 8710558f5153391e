"""Every public object survives pickle, cloudpickle, copy and deepcopy with all that it holds."""

import copy
import inspect
import pickle
import re
import warnings
from dataclasses import fields, is_dataclass
from importlib import import_module

import cloudpickle
import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from skcvstats import plotting, simulation, stats, test_set, theory
from tests.data import breast_cancer
from tests.simulation.studies import classes

pytest.importorskip("matplotlib")

_ROOMS = ("exceptions", "plotting", "simulation", "stats", "test_set", "theory", "words")
NAMES = {name: getattr(s, name) for name in s.__all__}
for room in map(import_module, (f"skcvstats.{name}" for name in _ROOMS)):
    NAMES |= {name: getattr(room, name) for name in room.__all__}
CLASSES = {name: part for name, part in NAMES.items() if inspect.isclass(part)}
ABSTRACT = {"Procedure", "LocationTest", "Inference"}
WAYS = {
    "pickle": lambda it: pickle.loads(pickle.dumps(it)),
    "cloudpickle": lambda it: pickle.loads(cloudpickle.dumps(it)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def what_users_get():
    """Yield results of all kinds; objects of the other public classes are parts of them."""
    X, y = (part[::4] for part in breast_cancer())
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    result = s.compare_estimators(models, X, y, margin=0.1, method="corrected_resampled_t")
    yield from (result, result[0], s.evaluation_report(result))
    yield from (s.cross_val_inference(models, X, y), s.compare_estimators(models, X, y))
    for method in s.get_procedure_names():
        yield from (s.get_procedure(method), s.compare_estimators(models, X, y, method=method)[0])
    test, values = result.tests[0], result.scores.values
    sample = s.Sample(values[0] - values[1], result.scores.design, np.ones(1))
    yield from (sample, s.CorrectedResampledTTest().pivot(sample), test.claim(0.05))
    yield from (test.equivalence(0.1), test.probabilities(0.1), test.confidence_interval())
    difference = test.scores
    yield from (stats.plan_n_splits(difference), theory.correlation_sensitivity(difference))
    rows = s.RowScores(
        values=[-1, -3, -1, -3, -2, -4], rows=[0, 5, 3, 4, 1, 7], offsets=[0, 2, 4, 6]
    )
    design = s.SplitDesign.from_sizes(n_train=8, n_test=2, n_splits=3)
    yield theory.variance_components(
        s.CVScores(values=rows.means(), design=design, row_scores=rows)
    )
    yield theory.exchangeable_moments(np.random.default_rng(0).normal(size=(20, 5)))
    yield theory.implied_correlation(0.1, values[0])
    yield stats.plan_n_splits(difference).power(0.1)
    yield from (stats.error_rate_interval(3, 50), stats.error_rate_difference(3, 50, 5, 50))
    yield from (s.RepeatedSubsampleSplit(3), s.HalfSplitPairs(2, 3), s.RepeatedTwoFold(2))
    yield s.CorrectedResampledTTest().request
    study = simulation.StudiedProcedure(test="corrected_resampled_t")
    yield from (study, s.simulate(classes, models, [study], n_data_sets=3))
    cv = s.RepeatedSubsampleSplit(5, random_state=0)
    rule = s.SignificanceRefit(cv, "param_max_depth")
    yield GridSearchCV(models["tree"], {"max_depth": [1, 2]}, cv=cv, refit=rule).fit(X, y).refit
    race = s.RacingSearchCV(models["tree"], {"max_depth": [1, 2]}, random_state=0).fit(X, y)
    yield from (race, plotting.RaceDisplay.from_result(race))
    yield from figures(result, s.simulate(classes, models, [study], n_data_sets=3))
    yield from on_a_test_set()
    yield from errors()


def figures(result, study):
    """Yield what draws."""
    test, difference = result.tests[0], result.tests[0].scores
    for display in (plotting.ComparisonDisplay, plotting.PairedScoresDisplay):
        yield display.from_result(result)
    yield plotting.RankingDisplay.from_result(result)
    yield plotting.PosteriorDisplay.from_result(test)
    yield plotting.CorrelationSensitivityDisplay.from_scores(difference)
    yield plotting.SplitPlanDisplay.from_plan(stats.plan_n_splits(difference))
    yield plotting.PowerCurveDisplay.from_result(study)


def on_a_test_set():
    """Yield results of fitted models, and their procedures."""
    y, one, other = np.random.default_rng(0).integers(0, 2, size=(3, 60))
    chances = {"one": one * 0.6 + other * 0.1, "other": other * 0.6 + one * 0.2}
    labels, groups = {"one": one, "other": other}, np.arange(60) // 3
    yield test_set.cochran_q_test(np.array([one, other, y]) == y)
    yield test_set.mcnemar_exact_test(y, one, other)
    yield from (test_set.delong_auc(y, one), test_set.clustered_mean(one, groups))
    yield s.compare_predictions(y, chances, scoring="roc_auc")
    found = s.compare_predictions(y, labels, scoring="accuracy", groups=groups)
    yield from (found, stats.plan_n_rows(found.tests[0], difference=0.1))
    yield s.compare_predictions(y, labels, scoring="accuracy", method="mcnemar")
    yield s.compare_predictions(y, labels, scoring="f1", n_resamples=2000)


def errors():
    """Yield an error or warning of each kind."""
    for name in ("AnticonservativeWarning", "DegenerateScoresWarning", "SplitDesignWarning"):
        yield CLASSES[name]("said")
    yield from (s.PairingError("said"), s.SplitDesignError("said"))
    with pytest.raises(s.FitError) as failed:
        s.cross_val_inference(Failing(), np.eye(40), np.arange(40) % 2, cv=3)
    yield failed.value


class Failing(GaussianNB):
    """A model whose fits fail."""

    def fit(self, X, y, sample_weight=None):
        """Fail."""
        raise ValueError("no fit today")


def parts_of(value):
    """Return what an object holds, by name or position."""
    if isinstance(value, (tuple, list)):
        return dict(enumerate(value))
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, np.ndarray) and value.dtype != object:
        return {}
    slots = {name for part in type(value).__mro__ for name in getattr(part, "__slots__", ())}
    if is_dataclass(value):  # some fields are computed when they are read
        slots |= {field.name for field in fields(value)}
    held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return held | dict(getattr(value, "__dict__", {}))


def assert_same(one, other, seen, where=""):
    """Raise AssertionError where two objects differ in anything that they hold."""
    assert type(one) is type(other), where
    if id(one) in seen or one is other:
        return
    seen.append(id(one))
    if isinstance(one, (pd.DataFrame, pd.Series)):
        assert one.equals(other), where
    elif isinstance(one, np.ndarray) and one.dtype != object:
        np.testing.assert_array_equal(one, other, err_msg=where)
        assert one.dtype == other.dtype, where
    elif parts := parts_of(one):
        others = parts_of(other)
        lost = parts.keys() ^ others.keys()
        assert not [name for name in lost if name[:1] != "_"], where  # others are computed again
        for name in parts.keys() & others.keys():
            assert_same(parts[name], others[name], seen, f"{where}.{name}")
    else:
        assert words_of(one) == words_of(other), where


def words_of(value):
    """Return how it is written, without addresses; of functions the name."""
    if inspect.isroutine(value):
        return value.__qualname__
    return re.sub(r" at 0x\w+", "", repr(value))


@pytest.fixture(scope="module")
def found():
    """One object of each public class, by the name of the class."""
    made, seen, kept = {}, set(), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        waiting = list(what_users_get())
    while waiting:
        value = waiting.pop(0)
        if id(value) in seen or inspect.isclass(value) or inspect.ismodule(value):
            continue
        seen.add(id(value))
        made.setdefault(type(value), value)
        waiting += parts_of(value).values()
        kept.append(value)  # so that no id is used twice
    return {name: made[part] for name, part in CLASSES.items() if part in made}


@pytest.mark.parametrize("name", sorted(CLASSES.keys() - ABSTRACT))
def test_copies_are_whole(name, found):
    value = found[name]
    for way, copied in WAYS.items():
        again = copied(value)
        assert_same(value, again, [], f"{way} of {name}")
        assert words_of(again) == words_of(value)
        assert re.sub(r" at 0x\w+", "", str(again)) == re.sub(r" at 0x\w+", "", str(value))


def test_a_comparison_sees_what_a_copy_lost(found):
    again = copy.deepcopy(found["ComparisonResult"])
    object.__setattr__(again.tests[0], "standard_error", 0.5)
    with pytest.raises(AssertionError, match="standard_error"):
        assert_same(found["ComparisonResult"], again, [])
