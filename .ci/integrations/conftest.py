"""Recipes are run as a user would: as scripts, in an empty directory."""

import runpy
from pathlib import Path

import pytest

RECIPES = Path(__file__).parents[2] / "doc" / "integrations"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs a recipe and returns its names."""
    monkeypatch.chdir(tmp_path)
    return lambda name: runpy.run_path(str(RECIPES / name), run_name="__main__")
