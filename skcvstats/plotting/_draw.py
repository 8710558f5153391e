"""The picture of a result: what ``result.plot()`` and reports draw."""

from functools import singledispatch
from io import BytesIO
from typing import Any

from .._utils._checks import check_option
from ..comparison import SIZES_OF_MATRICES, ComparisonResult
from ..model_selection import LearningCurveResult
from ..stats import CVTestResult, DieboldMarianoResult
from ._comparison import ComparisonDisplay
from ._curves import LearningCurveDisplay
from ._display import BLUE, GREEN, GREY, PURPLE, VERMILION
from ._matrix import MatrixDisplay
from ._paired_scores import PairedScoresDisplay
from ._ranking import RankingDisplay
from ._single import CorrelationSensitivityDisplay, CumulatedDifferenceDisplay, PosteriorDisplay

# Stand-ins for black and white in pictures for a page; no other colour is the same as these.
_INK = "#010101"
_GROUND = "#fefefe"
_COLOURS = {"blue": BLUE, "vermilion": VERMILION, "green": GREEN, "purple": PURPLE, "grey": GREY}
_OF_THE_PAGE = {
    _INK: "currentColor",
    _GROUND: "var(--ground, Canvas)",
    **{colour.lower(): f"var(--{name}, {colour})" for name, colour in _COLOURS.items()},
}
# Matplotlib's parameters, whatever the style of the user.
_PAGE_STYLE = {
    **dict.fromkeys(("axes.edgecolor", "axes.labelcolor", "legend.labelcolor", "text.color"), _INK),
    **dict.fromkeys(("xtick.color", "ytick.color"), _INK),
    **dict.fromkeys(("xtick.labelcolor", "ytick.labelcolor"), "inherit"),
    "axes.facecolor": _GROUND,
    "axes.titlecolor": "auto",
    "figure.facecolor": "none",
    "grid.color": "#b0b0b0",  # half transparent, so that it is visible on light and dark
    "savefig.facecolor": "auto",
    "savefig.transparent": False,
    "svg.fonttype": "path",
}


def draw(result: Any, kind: str | None = None, ax: Any = None, **options: Any) -> Any:
    """Draw a result, and return its display."""
    kinds = displays_of(result)
    if kind is None and "margin" in options and "posterior" in kinds:
        kind = "posterior"  # which says why there is none
    if kind is None:
        kind = usual_kind(result)
    looks = {name: options.pop(name) for name in list(options) if name.endswith("_kwargs")}
    display = kinds[check_option("kind", kind, kinds)].from_result(result, **options)
    return display.plot(ax, **looks)


@singledispatch
def displays_of(result: Any) -> dict[str, Any]:
    """Return the displays that can draw a result, by their kind."""
    return {"ranking": RankingDisplay}


@singledispatch
def usual_kind(result: Any) -> str:
    """Return the kind of picture that suits a result."""
    return "ranking"


@displays_of.register
def _of_curves(result: LearningCurveResult) -> dict[str, Any]:
    return {"curve": LearningCurveDisplay}


@usual_kind.register
def _usual_of_curves(result: LearningCurveResult) -> str:
    return "curve"


@displays_of.register
def _of_test(result: CVTestResult) -> dict[str, Any]:
    return {
        "posterior": PosteriorDisplay,
        "correlation": CorrelationSensitivityDisplay,
        "time": CumulatedDifferenceDisplay,
    }


@usual_kind.register
def _usual_of_test(result: CVTestResult) -> str:
    if result.has_posterior:
        return "posterior"
    return "time" if isinstance(result, DieboldMarianoResult) else "correlation"


@displays_of.register
def _of_comparison(result: ComparisonResult) -> dict[str, Any]:
    return {
        "ranking": RankingDisplay,
        "matrix": MatrixDisplay,
        "differences": ComparisonDisplay,
        "scores": PairedScoresDisplay,
        "time": CumulatedDifferenceDisplay,
    }


@usual_kind.register
def _usual_of_comparison(result: ComparisonResult) -> str:
    if len(result) == 1 and isinstance(result.tests[0], DieboldMarianoResult):
        return "time"
    if result.reference is not None or len(result.names) == 2:
        return "differences"
    return "matrix" if len(result.names) in SIZES_OF_MATRICES else "ranking"


def picture_file(result: Any, kind: str | None, file_format: str) -> bytes:
    """Draw a result into a file, the same in every run, and close what was drawn."""
    import matplotlib.pyplot as plt

    written = file_format
    colours = dict[str, str]()
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    style: dict[Any, Any] = {"svg.hashsalt": "skcvstats"}
    if file_format == "html":
        written = "svg"
        style |= _PAGE_STYLE
        colours = _OF_THE_PAGE
    before = set(plt.get_fignums())
    with plt.ioff(), plt.rc_context(style), BytesIO() as file:
        try:
            figure = draw(result, kind).figure_
            figure.savefig(file, format=written, metadata=undated.get(written))
        finally:
            for number in set(plt.get_fignums()) - before:
                plt.close(number)
        drawn = file.getvalue()
    for drawn_colour, colour in colours.items():
        drawn = drawn.replace(drawn_colour.encode(), colour.encode())
    return drawn
