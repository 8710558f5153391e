"""Fixtures and helpers that several test modules share."""

import json
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"


def golden_cases(name):
    """Read the cases of a golden file."""
    return json.loads((GOLDEN / f"{name}.json").read_text())["cases"]
