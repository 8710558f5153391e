"""Ray through joblib, where it is installed: the same bits, a clear error when a worker dies."""

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.naive_bayes import GaussianNB

from skcvstats import FitError, cross_val_score
from tests.fitting.estimators import Killer
from tests.fitting.work import PAIR, X, Y, two

ray = pytest.importorskip("ray")
joblib_of_ray = pytest.importorskip("ray.util.joblib")


@pytest.fixture(scope="module")
def on_ray():
    ray.init(num_cpus=2, include_dashboard=False)
    joblib_of_ray.register_ray()
    yield {"backend": "ray", "n_jobs": 2}
    ray.shutdown()


@pytest.mark.processes
@pytest.mark.faults
class TestRay:
    def test_same_bits(self, on_ray):
        expected = cross_val_score(PAIR, X, Y, cv=10).values
        with parallel_config(**on_ray):
            values = cross_val_score(PAIR, X, Y, cv=10).values
        np.testing.assert_array_equal(values, expected)

    def test_worker_that_dies(self, on_ray):
        with parallel_config(**on_ray), pytest.raises(FitError, match="worker process died") as end:
            cross_val_score(two(Killer(), GaussianNB()), X, Y, cv=10)
        assert "lack of memory or by a crash" in str(end.value)
        assert isinstance(end.value.__cause__, ray.exceptions.RayActorError)
        assert "of 20 fits were finished (a 0" in end.value.__notes__[-1]
        assert "the workers were at" in end.value.__notes__[0]
