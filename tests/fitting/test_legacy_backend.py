"""joblib's legacy multiprocessing backend: loky in its place, with one warning."""

import warnings
from functools import partial

import numpy as np
import pytest
from joblib import Parallel, delayed, parallel_backend, parallel_config
from joblib.parallel import MultiprocessingBackend, get_active_backend

from skcvstats import (
    FitError,
    RepeatedSubsampleSplit,
    compare_estimators,
    simulate,
)
from skcvstats.fitting._run import find_workers, run_fits
from tests.fitting.estimators import outside_pools
from tests.fitting.work import PAIR, X, Y, recipes, workload
from tests.simulation.studies import Mean, line

CV = RepeatedSubsampleSplit(10, random_state=0)
OPTIONS = {"scoring": outside_pools}


def compare(**options):
    return compare_estimators(PAIR, X, Y, cv=CV, **OPTIONS | options).scores.values


def study(**options):
    options |= OPTIONS
    return simulate(line, {"A": Mean()}, ["resampled_t"], n_data_sets=6, **options).estimates


@pytest.mark.parametrize("call", [compare, study])
class TestRedirected:
    """The results are the same, and there is one warning, at the user's line."""

    @pytest.mark.processes
    @pytest.mark.parametrize(
        ("context", "options"),
        [
            (partial(parallel_config, n_jobs=2), {}),
            (partial(parallel_backend, n_jobs=2), {}),
            (parallel_config, {"n_jobs": 2, "verbose": 1}),
        ],
        ids=["config", "backend", "jobs of the call"],
    )
    def test_by_the_context(self, call, context, options, capsys):
        expected = call()
        said = "loky backend is used instead"
        with context("multiprocessing"), pytest.warns(UserWarning, match=said) as caught:
            values = call(**options)
        assert [warning.filename for warning in caught] == [__file__]
        np.testing.assert_array_equal(values, expected)
        assert (capsys.readouterr().err != "") == ("verbose" in options)

    def test_nothing_is_said_where_there_is_one_job(self, call):
        with parallel_config("multiprocessing"), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert [warning for warning in caught if "backend" in str(warning.message)] == []


@pytest.mark.filterwarnings("ignore:.*loky backend is used instead")
class TestSettings:
    """Whatever else is set stays, for the call and after it."""

    @pytest.mark.parametrize("context", [parallel_config, parallel_backend])
    def test_jobs_are_kept(self, context):
        with context("multiprocessing", n_jobs=3):
            assert find_workers(None) == (3, False, None)
            assert find_workers(2) == (2, False, 2)

    def test_the_innermost_context_counts(self):
        with parallel_config("multiprocessing", n_jobs=3):
            with parallel_config("threading", n_jobs=2):
                assert find_workers(None) == (2, True, None)
            with parallel_config(n_jobs=4):
                assert find_workers(None).n == 4
        with parallel_config("threading", n_jobs=2), parallel_config("multiprocessing", n_jobs=3):
            assert find_workers(None) == (3, False, None)

    @pytest.mark.processes
    def test_the_caller_keeps_the_backend_also_between_records(self):
        with parallel_config("multiprocessing", n_jobs=2):
            fits = run_fits(workload(PAIR), X, Y, recipes(4), workers=find_workers(None))
            for _ in fits:
                assert type(get_active_backend()[0]) is MultiprocessingBackend
            assert type(get_active_backend()[0]) is MultiprocessingBackend

    @pytest.mark.processes
    def test_inside_the_threads_of_others(self):
        with parallel_config("threading", n_jobs=2):
            values = Parallel()(delayed(compare_in_legacy)() for _ in range(2))
        np.testing.assert_array_equal(values, [compare()] * 2)


def compare_in_legacy():
    with warnings.catch_warnings(), parallel_config("multiprocessing", n_jobs=2):
        warnings.simplefilter("ignore")
        return compare()


@pytest.mark.processes
def test_a_backend_that_builds_on_multiprocessing_keeps_its_own():
    with parallel_config(backend=Own(nesting_level=0), n_jobs=2):
        values = compare(scoring="accuracy")
        with pytest.raises(FitError, match=r"scored in .*PoolWorker"):
            compare()
    np.testing.assert_array_equal(values, compare(scoring="accuracy"))


class Own(MultiprocessingBackend):
    """Joblib's backend under another name."""
