"""Helpers that several modules of this folder share."""

import pytest

# Before it is imported: a helper's failed assertion shows its values, as a test's does.
pytest.register_assert_rewrite("tests.splitters.splitters")
