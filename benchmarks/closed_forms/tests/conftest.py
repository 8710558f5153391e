"""Settings of the tests of the closed forms."""

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("benchmarks.closed_forms.tests.refits")

# The same examples every time, so that a failure is the change's and can be reproduced.
settings.register_profile("closed forms", derandomize=True, deadline=None)
settings.load_profile("closed forms")
