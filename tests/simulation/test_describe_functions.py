"""Functions that share a name are told apart by what they do."""

from functools import partial

import numpy as np
import pytest

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
