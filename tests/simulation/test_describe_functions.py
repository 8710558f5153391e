"""Functions that share a name are told apart by what they do."""

from functools import partial

import numpy as np
import pytest

from skcvstats import RepeatedSubsampleSplit
from skcvstats.simulation import _store
from skcvstats.simulation._describe import describe, fingerprint


def power(exponent):
    return lambda a, b: np.abs(a - b) ** exponent


def of(value):
    return fingerprint(describe(value))


def test_closures_differ_by_what_they_hold():
    assert of(power(1)) == of(power(1))
    assert of(power(1)) != of(power(2))


def test_lambdas_differ_by_what_they_do():
    first, second, third = (lambda a, b: a - b), (lambda a, b: a + b), (lambda a, b: a - b - 1)
    assert len({of(first), of(second), of(third)}) == 3
    assert of(lambda a, b=1: a - b) != of(lambda a, b=2: a - b)


def test_functions_of_a_module_are_known_by_name():
    assert describe(power) == {"name": f"{__name__}.power"}
    assert of(partial(power, 1)) != of(partial(power, 2))


def reordered(step):
    """A splitter whose own way to split calls that of its class."""
    cv = RepeatedSubsampleSplit(4)
    draw = cv.split
    cv.split = lambda X, y=None, groups=None: list(draw(X, y, groups))[::step]
    return cv


def test_what_is_a_part_of_itself_is_described_once():
    assert of(reordered(-1)) == of(reordered(-1))
    assert len({of(reordered(-1)), of(reordered(1)), of(RepeatedSubsampleSplit(4))}) == 3


@pytest.mark.parametrize(("error", "raised"), [(MemoryError, MemoryError), (OSError, ValueError)])
def test_a_fault_of_the_machine_condemns_no_file(monkeypatch, tmp_path, error, raised):
    from skcvstats.simulation import simulate

    from .test_simulate import PAIR, line

    options = {"n_data_sets": 2, "loss": "squared_error", "path": tmp_path}
    simulate(line, PAIR, ["corrected_resampled_t"], **options)
    before = sorted(one.name for one in tmp_path.iterdir())

    def fail(*args, **kwargs):
        raise error("out of something")

    monkeypatch.setattr(_store.np, "load", fail)
    with pytest.raises(raised, match="out of something"):
        simulate(line, PAIR, ["corrected_resampled_t"], **options)
    assert sorted(one.name for one in tmp_path.iterdir()) == before
