"""Statistical inference about the generalization error, for scikit-learn."""

from importlib import import_module as _import_module
from importlib.metadata import version as _version
from typing import TYPE_CHECKING, Any

from ._utils import enter_drawer as _enter_drawer
from ._utils import enter_importer as _enter_importer

# Nothing slow is imported until a name is first used (PEP 562), so that `import skcvstats` and the
# command line's help are quick. Type checkers read the imports below instead.
# These rooms are imported together, when one of their names is first used.
_CORE_ROOMS = ("_utils", "comparison", "exceptions", "model_selection", "scores", "stats")
# Each of these rooms is imported when one of its own names is first used.
_LAZY_ROOMS = {
    "plotting": (
        "ComparisonDisplay",
        "CorrelationSensitivityDisplay",
        "PairedScoresDisplay",
        "PosteriorDisplay",
        "PowerCurveDisplay",
        "RankingDisplay",
        "SplitPlanDisplay",
    ),
    "reporting": ("EvaluationReport", "evaluation_report"),
    "simulation": ("SimulatedProcedure", "SimulationResult", "StudiedProcedure", "simulate"),
}
_ROOMS = {*_CORE_ROOMS, "fitting", "splitters"}
_ROOM_OF = {name: room for room, names in _LAZY_ROOMS.items() for name in names}


def _draw(result: Any, *arguments: Any, **options: Any) -> Any:
    """Draw a result, for ``result.plot()``; imports plotting."""
    return _import_module(".plotting", __name__).draw(result, *arguments, **options)


def _picture(result: Any, kind: str, file_format: str) -> bytes:
    """Draw a result into a file, for reports; imports plotting."""
    return _import_module(".plotting", __name__).picture_file(result, kind, file_format)


def _import_core() -> None:
    """Import the rooms that most users need, and their names; this registers the procedures."""
    rooms = [vars(_import_module(f".{room}", __name__)) for room in _CORE_ROOMS]
    globals().update({name: room[name] for room in rooms for name in __all__ if name in room})


_enter_drawer(_draw, _picture)
_enter_importer(_import_core)

if TYPE_CHECKING:
    from ._utils import ConfidenceInterval
    from .comparison import (
        Comparison,
        ComparisonResult,
        ScoreEstimates,
        adjust_pvalues,
        compare_losses,
        compare_scores,
    )
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
        compare_predictions,
        compare_trials,
        cross_val_inference,
        cross_val_score,
        predictions_inference,
    )
    from .plotting import (
        ComparisonDisplay,
        CorrelationSensitivityDisplay,
        PairedScoresDisplay,
        PosteriorDisplay,
        PowerCurveDisplay,
        RankingDisplay,
        SplitPlanDisplay,
    )
    from .reporting import EvaluationReport, evaluation_report
    from .scores import CVScores, DesignRequest, RowLosses, SplitDesign
    from .simulation import SimulatedProcedure, SimulationResult, StudiedProcedure, simulate
    from .stats import (
        BootstrapTTest,
        ClusterBootstrapTest,
        ClusteredTTest,
        ConservativeZTest,
        CorrectedBootstrapTTest,
        CorrectedResampledTTest,
        CorrelationSensitivity,
        CVTestResult,
        DeLongTest,
        ErrorRateDifference,
        ErrorRateInterval,
        ExchangeableMoments,
        FiveByTwoCVFTest,
        FiveByTwoCVFTestResult,
        FiveByTwoCVTTest,
        HoldoutTTest,
        ImpliedCorrelation,
        LocationTest,
        McNemarResult,
        McNemarScoreTest,
        Pivot,
        PlanEstimate,
        PosteriorProbabilities,
        Procedure,
        ResampledTTest,
        Sample,
        SplitPlan,
        VarianceComponents,
        bootstrap_ttest,
        conservative_variance,
        conservative_ztest,
        corrected_bootstrap_ttest,
        corrected_resampled_ttest,
        correlation_sensitivity,
        cv_variance,
        error_rate_difference,
        error_rate_interval,
        exchangeable_moments,
        five_by_two_cv_ftest,
        five_by_two_cv_ttest,
        get_procedure,
        get_procedure_names,
        half_sample_differences,
        holdout_ttest,
        implied_correlation,
        mcnemar_exact_test,
        mcnemar_exact_test_from_table,
        plan_n_splits,
        political_ratio,
        resampled_ttest,
        variance_components,
    )
else:

    def __getattr__(name: str) -> Any:
        if name in _LAZY_ROOMS or name in _ROOMS:
            return _import_module(f".{name}", __name__)
        if name in _ROOM_OF:
            room = _import_module(f".{_ROOM_OF[name]}", __name__)
            globals()[name] = getattr(room, name)  # next time Python finds it without this function
        elif name in __all__:
            _import_core()
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_LAZY_ROOMS})


__version__ = _version("skcvstats")

__all__ = [
    "AnticonservativeWarning",
    "BootstrapTTest",
    "CVScores",
    "CVTestResult",
    "ClusterBootstrapTest",
    "ClusteredTTest",
    "Comparison",
    "ComparisonDisplay",
    "ComparisonResult",
    "ConfidenceInterval",
    "ConservativeZTest",
    "CorrectedBootstrapTTest",
    "CorrectedResampledTTest",
    "CorrelationSensitivity",
    "CorrelationSensitivityDisplay",
    "DeLongTest",
    "DegenerateScoresWarning",
    "DesignRequest",
    "ErrorRateDifference",
    "ErrorRateInterval",
    "EvaluationReport",
    "ExchangeableMoments",
    "FitError",
    "FiveByTwoCVFTest",
    "FiveByTwoCVFTestResult",
    "FiveByTwoCVTTest",
    "HalfSplitPairs",
    "HoldoutTTest",
    "ImpliedCorrelation",
    "LocationTest",
    "McNemarResult",
    "McNemarScoreTest",
    "PairedScoresDisplay",
    "PairingError",
    "Pivot",
    "PlanEstimate",
    "PosteriorDisplay",
    "PosteriorProbabilities",
    "PowerCurveDisplay",
    "Procedure",
    "RankingDisplay",
    "RepeatedSubsampleSplit",
    "RepeatedTwoFold",
    "ResampledTTest",
    "RowLosses",
    "Sample",
    "ScoreEstimates",
    "SignificanceRefit",
    "SimulatedProcedure",
    "SimulationResult",
    "SplitDesign",
    "SplitDesignError",
    "SplitDesignWarning",
    "SplitPlan",
    "SplitPlanDisplay",
    "StudiedProcedure",
    "VarianceComponents",
    "adjust_pvalues",
    "bootstrap_ttest",
    "compare_candidates",
    "compare_estimators",
    "compare_losses",
    "compare_predictions",
    "compare_scores",
    "compare_trials",
    "conservative_variance",
    "conservative_ztest",
    "corrected_bootstrap_ttest",
    "corrected_resampled_ttest",
    "correlation_sensitivity",
    "cross_val_inference",
    "cross_val_score",
    "cv_variance",
    "error_rate_difference",
    "error_rate_interval",
    "evaluation_report",
    "exchangeable_moments",
    "five_by_two_cv_ftest",
    "five_by_two_cv_ttest",
    "get_procedure",
    "get_procedure_names",
    "half_sample_differences",
    "holdout_ttest",
    "implied_correlation",
    "mcnemar_exact_test",
    "mcnemar_exact_test_from_table",
    "plan_n_splits",
    "political_ratio",
    "predictions_inference",
    "resampled_ttest",
    "simulate",
    "variance_components",
]
