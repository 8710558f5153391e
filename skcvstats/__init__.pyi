from . import comparison as comparison
from . import exceptions as exceptions
from . import model_selection as model_selection
from . import plotting as plotting
from . import scores as scores
from . import simulation as simulation
from . import stats as stats
from . import test_set as test_set
from . import theory as theory
from . import words as words
from ._utils._checks import ConfidenceInterval
from .comparison import Comparison, ComparisonResult, ScoreEstimates, compare_scores
from .exceptions import (
    AnticonservativeWarning,
    DegenerateScoresWarning,
    FitError,
    PairingError,
    SplitDesignError,
    SplitDesignWarning,
)
from .model_selection import (
    HalfSplitPairs,
    RepeatedSubsampleSplit,
    RepeatedTwoFold,
    SignificanceRefit,
    compare_candidates,
    compare_estimators,
    cross_val_inference,
    cross_val_score,
)
from .scores import CVScores, DesignRequest, RowLosses, SplitDesign
from .simulation import simulate
from .stats import (
    BootstrapTTest,
    ConservativeZTest,
    CorrectedBootstrapTTest,
    CorrectedResampledTTest,
    CVTestResult,
    FiveByTwoCVFTest,
    FiveByTwoCVTTest,
    HoldoutTTest,
    LocationTest,
    Pivot,
    Procedure,
    ResampledTTest,
    Sample,
    get_procedure,
    get_procedure_names,
)
from .test_set import compare_losses, compare_predictions, predictions_inference
from .words import EvaluationReport, evaluation_report

__version__: str
__all__ = [
    "AnticonservativeWarning",
    "BootstrapTTest",
    "CVScores",
    "CVTestResult",
    "Comparison",
    "ComparisonResult",
    "ConfidenceInterval",
    "ConservativeZTest",
    "CorrectedBootstrapTTest",
    "CorrectedResampledTTest",
    "DegenerateScoresWarning",
    "DesignRequest",
    "EvaluationReport",
    "FitError",
    "FiveByTwoCVFTest",
    "FiveByTwoCVTTest",
    "HalfSplitPairs",
    "HoldoutTTest",
    "LocationTest",
    "PairingError",
    "Pivot",
    "Procedure",
    "RepeatedSubsampleSplit",
    "RepeatedTwoFold",
    "ResampledTTest",
    "RowLosses",
    "Sample",
    "ScoreEstimates",
    "SignificanceRefit",
    "SplitDesign",
    "SplitDesignError",
    "SplitDesignWarning",
    "compare_candidates",
    "compare_estimators",
    "compare_losses",
    "compare_predictions",
    "compare_scores",
    "cross_val_inference",
    "cross_val_score",
    "evaluation_report",
    "get_procedure",
    "get_procedure_names",
    "predictions_inference",
    "simulate",
]
