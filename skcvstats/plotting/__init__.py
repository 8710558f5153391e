"""Display classes like scikit-learn's; matplotlib is imported when something is drawn."""

from .._utils._shared_docs import share_docstrings
from ._comparison import ComparisonDisplay
from ._curves import LearningCurveDisplay, PowerCurveDisplay
from ._draw import draw as draw  # this and the next for other rooms
from ._draw import picture_file as picture_file
from ._matrix import MatrixDisplay
from ._paired_scores import PairedScoresDisplay
from ._ranking import RankingDisplay
from ._single import CorrelationSensitivityDisplay, CumulatedDifferenceDisplay, PosteriorDisplay

__all__ = [
    "ComparisonDisplay",
    "CorrelationSensitivityDisplay",
    "CumulatedDifferenceDisplay",
    "LearningCurveDisplay",
    "MatrixDisplay",
    "PairedScoresDisplay",
    "PosteriorDisplay",
    "PowerCurveDisplay",
    "RankingDisplay",
]

share_docstrings(globals())
