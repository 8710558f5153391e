"""Choose the picture for a result: what ``result.plot()`` draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._utils._checks import check_option
from ..comparison import ComparisonResult, ScoreEstimates
from ..stats import CVTestResult
from ._axes import as_file, in_style, unseen_figures
from ._comparison import ComparisonDisplay
from ._correlation_sensitivity import CorrelationSensitivityDisplay
from ._page import PAGE_STYLE, in_colours_of_the_page
from ._paired_scores import PairedScoresDisplay
from ._posterior import PosteriorDisplay
from ._ranking import RankingDisplay

# The displays by name, for each type of result.
KINDS: dict[type, dict[str, Any]] = {
    ComparisonResult: {
        "ranking": RankingDisplay,
        "differences": ComparisonDisplay,
        "scores": PairedScoresDisplay,
    },
    ScoreEstimates: {"ranking": RankingDisplay},
    CVTestResult: {"posterior": PosteriorDisplay, "correlation": CorrelationSensitivityDisplay},
}


def draw(result: Any, kind: str | None = None, ax: Any = None, **options: Any) -> Any:
    """Draw a result, and return its display."""
    usual: Callable[[Any], str]
    if isinstance(result, ComparisonResult):
        kinds, usual = KINDS[ComparisonResult], _usual_of_comparison
    elif isinstance(result, ScoreEstimates):
        kinds, usual = KINDS[ScoreEstimates], lambda _: "ranking"
    else:
        kinds, usual = KINDS[CVTestResult], _usual_of_test
    display = kinds[check_option("kind", usual(result) if kind is None else kind, kinds)]
    looks = {name: value for name, value in options.items() if name.endswith("_kwargs")}
    others = {name: value for name, value in options.items() if name not in looks}
    return display.from_result(result, **others).plot(ax, **looks)


def picture_file(result: Any, kind: str, file_format: str) -> bytes:
    """Draw a result into a file, the same in every run, and close the figure."""
    if file_format == "html":
        with unseen_figures(), in_style(PAGE_STYLE):
            return in_colours_of_the_page(as_file(draw(result, kind).figure_, "svg"))
    with unseen_figures():
        return as_file(draw(result, kind).figure_, file_format)


def _usual_of_comparison(result: ComparisonResult) -> str:
    several = result.reference is None and len(result.names) > 2
    return "ranking" if several else "differences"


def _usual_of_test(result: CVTestResult) -> str:
    if result.fixed and not result.has_posterior:
        raise ValueError(
            f"There is no picture of a single {result.title} on one test set: it has neither a "
            "posterior nor splits. Draw the whole comparison: result.plot()."
        )
    return "posterior" if result.has_posterior else "correlation"
