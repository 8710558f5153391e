"""Settings of the tests of the closed forms."""

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("benchmarks.closed_forms.tests.refits")

# The same examples every time, so that a failure is the change's and can be reproduced.
options = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("closed forms", derandomize=True, **options)
settings.load_profile("closed forms")
