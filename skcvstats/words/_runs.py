"""What is said of repeated runs on a test set: what rows and runs bring to the variance."""

from .._utils._text import format_percent
from ..stats import Inference, estimated_by, spread_of_runs, spread_of_test, units_on_test_set


def averaged_runs(test: Inference) -> str:
    """Say that runs were averaged; empty where no model was run repeatedly."""
    if spread_of_runs(test.scores) is None:
        return ""
    return ", averaged over the runs of each model"


def said_of_runs(test: Inference, which: str = "") -> list[str]:
    """Say what rows and runs bring to the variance; nothing where no model was run repeatedly."""
    spread = spread_of_test(test)
    if spread is None:
        return []
    unit = units_on_test_set(test)
    share = round(spread.share_of_runs, 2)
    by_units = format_percent(round(1 - 0.5**0.5, 2))
    by_runs = format_percent(round(1 - spread.relative_variance(2 * spread.n_runs) ** 0.5, 2))
    return [
        f"{unit.capitalize()} bring {format_percent(1 - share)} of the variance of the "
        f"{estimated_by(test)}{which}, runs {format_percent(share)}: twice the {unit} would "
        f"shorten the interval by {by_units}, twice the runs by {by_runs}."
    ]
