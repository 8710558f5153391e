"""The benchmarks still run; their measurements are not asserted, because machines are shared."""

import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import (
    bench_comparison,
    bench_execution,
    bench_import,
    bench_predictions,
    bench_stats,
)
from skcvstats.fitting import _gather


@pytest.mark.filterwarnings("ignore:Only 3 splits")
@pytest.mark.parametrize("fits", ["tiny classifiers", "tiny regressors", "20 ms"])
def test_all_ways_that_are_timed_give_the_same_scores(fits):
    comparison = bench_execution.comparison(fits, n_splits=10 if "tiny" in fits else 3)
    expected = comparison.cross_validate()
    np.testing.assert_array_equal(comparison.ours().scores.values, expected)
    np.testing.assert_array_equal(comparison.bare(), expected)


@pytest.mark.filterwarnings("ignore:Only 3 splits")
def test_both_ways_to_the_conservative_z_give_the_same_scores():
    benchmark = bench_execution.ConservativeZ()
    benchmark.n_splits = 3
    benchmark.setup()
    result, expected = benchmark.ours(), benchmark.cross_validate()
    np.testing.assert_array_equal(result.scores.values, expected[0])
    np.testing.assert_array_equal(result.auxiliary.values, expected[1])


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
@pytest.mark.parametrize("name", ["AreasUnderROCCurves", "ClusteredStandardErrors", "PeakMemory"])
def test_ratios_of_predictions_are_measured(name):
    benchmark = getattr(bench_predictions, name)()
    benchmark.repeat = 1
    for case, _ in itertools.product(*benchmark.params):
        benchmark.setup(case, 2000)
        assert benchmark.track_ratio(case, 2000) > 0


def test_the_bootstrap_is_timed():
    benchmark = bench_predictions.BootstrapOfMedianErrors()
    benchmark.setup(100)
    assert benchmark.track_seconds(100) > 0


@pytest.mark.parametrize("case", bench_predictions.JACKKNIFE_CASES)
def test_the_jackknife_that_is_timed_is_of_the_metric(case, monkeypatch):
    function, scoring, _ = bench_predictions.JACKKNIFE_CASES[case]
    monkeypatch.setitem(bench_predictions.JACKKNIFE_CASES, case, (function, scoring, 100))
    benchmark = bench_predictions.Jackknife()
    benchmark.repeat = 1
    benchmark.setup(case)
    (pair,) = benchmark.compare()
    assert pair.test.method == "jackknife_t"
    given = benchmark.given
    scores = [function(benchmark.y, given[name]) for name in (pair.estimator, pair.versus)]
    assert pair.test.estimate == pytest.approx(scores[0] - scores[1])
    assert benchmark.track_ratio(case) > 0


def test_ratios_are_measured():
    benchmark = bench_stats.ArrayFunctions()
    for function, n_rows in itertools.product(*benchmark.params):
        benchmark.setup(function, n_rows // 1000)
        assert benchmark.track_ratio(function, n_rows // 1000) > 0
    benchmark = bench_execution.OursOverBareLoop()
    benchmark.comparison = bench_execution.comparison("tiny regressors", n_splits=10)
    benchmark.repeat = 1
    assert benchmark.track_one_job("tiny regressors") > 0
    assert bench_execution.SplitsAlone().track_split(100) > 0
    benchmark = bench_execution.RowScoresOverFits()
    benchmark.n_rows = 200
    benchmark.setup("f1")
    assert [len(rows) for rows in benchmark.score_rows()] == [40] * 40
    assert benchmark.track_row_scores("f1") > 0
    benchmark = bench_execution.OutsideFits()
    run_fits = _gather.run_fits
    benchmark.setup("tiny regressors")
    assert benchmark.records
    assert benchmark.track_call("tiny regressors") > 0
    benchmark.teardown("tiny regressors")
    assert _gather.run_fits is run_fits


@pytest.mark.parametrize("kind", [bench_comparison.AllPairs, bench_comparison.MaxT])
def test_all_pairs_that_are_timed_are_compared(kind):
    benchmark = kind()
    benchmark.setup(10)
    assert len(benchmark.result) == 45
    assert benchmark.result.adjustment == kind.adjustment
    assert benchmark.track_peak_mb(10) > 0


def test_the_text_that_is_timed_is_that_of_the_result():
    benchmark = bench_comparison.Text()
    benchmark.setup(10)
    assert benchmark.text() == str(benchmark.result)


def test_imports_are_timed():
    assert min(bench_import.import_seconds(repeat=1)) > 0


PEAK = """
import time
from benchmarks import bench_memory

read, readings = bench_memory.tree_mb, []

def wait_for_readings():
    until = len(readings) + 3
    while len(readings) < until:
        time.sleep(0.01)

def work():
    block = bytearray(400 * 2**20)
    wait_for_readings()
    del block
    wait_for_readings()

bench_memory.tree_mb = lambda: readings.append(read()) or readings[-1]
print(bench_memory.peak_mb(work) - read())
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="reads Linux's /proc")
def test_peak_is_that_of_the_whole_while():
    # In a session of its own: memory is that of a process group, and other tests run in ours.
    command, options = [sys.executable, "-c", PEAK], {"capture_output": True, "text": True}
    out = subprocess.run(command, check=True, start_new_session=True, **options).stdout
    # 400, and what the interpreter takes or gives back meanwhile. Its libraries count by how many
    # processes use them, of which others may begin or end at any moment: up to 30.
    assert 360 < float(out) < 450
