"""Display classes like scikit-learn's; matplotlib is imported when something is drawn."""

from .._utils._shared_docs import share_docstrings
from ._comparison import ComparisonDisplay
from ._correlation_sensitivity import CorrelationSensitivityDisplay
from ._draw import draw as draw  # this and the next for other rooms
from ._draw import picture_file as picture_file
from ._learning_curve import LearningCurveDisplay
from ._over_time import CumulatedDifferenceDisplay
from ._paired_scores import PairedScoresDisplay
from ._posterior import PosteriorDisplay
from ._power_curve import PowerCurveDisplay
from ._power_curve import SplitPlanDisplay as SplitPlanDisplay  # what from_plan returns
from ._race import RaceDisplay
from ._ranking import RankingDisplay

__all__ = [
    "ComparisonDisplay",
    "CorrelationSensitivityDisplay",
    "CumulatedDifferenceDisplay",
    "LearningCurveDisplay",
    "PairedScoresDisplay",
    "PosteriorDisplay",
    "PowerCurveDisplay",
    "RaceDisplay",
    "RankingDisplay",
]

share_docstrings(globals())
