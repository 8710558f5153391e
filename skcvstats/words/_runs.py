"""What is said of repeated runs on a test set: what rows and runs bring to the variance."""

from .._utils._text import cut, format_percent
from ..comparison import ComparisonResult
from ..stats import Inference, estimated_by, spread_of_test


def said_of_runs(test: Inference, who: str = "") -> list[str]:
    """Say what rows and runs bring to the variance; nothing where no model was run repeatedly."""
    spread = spread_of_test(test)
    if spread is None:
        return []
    unit = "groups" if test.scores.components.facts["grouped"] else test.unit
    share = round(spread.share_of_runs, 2)
    by_units = format_percent(round(1 - 0.5**0.5, 2))
    by_runs = format_percent(round(1 - spread.relative_variance(2 * spread.n_runs) ** 0.5, 2))
    starts = f"{who}: {unit}" if who else unit.capitalize()
    return [
        f"{starts} bring {format_percent(1 - share)} of the variance of the "
        f"{estimated_by(test)}, runs {format_percent(share)}: twice the {unit} would shorten the "
        f"interval by {by_units}, twice the runs by {by_runs}."
    ]


def said_of_first_runs(result: ComparisonResult) -> list[str]:
    """Say it of the first of several comparisons, that of the two best."""
    if not len(result):
        return []
    pair = result.comparisons[0]
    return said_of_runs(pair.test, f"{cut(pair.estimator)} - {cut(pair.versus)}")
