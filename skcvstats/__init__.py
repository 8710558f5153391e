"""Statistical inference about the generalization error, for scikit-learn."""

import sys as _sys
from importlib import import_module as _import_module
from importlib.metadata import version as _version

# Nothing slow is imported until a name is first used (PEP 562), so that `import skcvstats` and the
# command line's help are quick. Type checkers read __init__.pyi instead.
_NAMES = {
    "_utils._checks": ("ConfidenceInterval",),
    "comparison": ("Comparison", "ComparisonResult", "ScoreEstimates"),
    "exceptions": (
        *("AnticonservativeWarning", "DegenerateScoresWarning", "FitError", "PairingError"),
        *("SplitDesignError", "SplitDesignWarning"),
    ),
    "model_selection": (
        *("HalfSplitPairs", "RacingSearchCV", "RepeatedSubsampleSplit", "RepeatedTwoFold"),
        *("SignificanceRefit",),
        *("compare_candidates", "compare_estimators", "compare_out_of_fold"),
        *("compare_scores", "cross_val_inference", "cross_val_score", "learning_curve_inference"),
    ),
    "plotting": (),
    "scores": ("CVScores", "DesignRequest", "RowScores", "SplitDesign"),
    "simulation": ("simulate",),
    "stats": (
        *("BootstrapTTest", "CVTestResult", "ConservativeZTest", "CorrectedBootstrapTTest"),
        *("CorrectedResampledTTest", "DieboldMarianoTest", "FiveByTwoCVFTest"),
        *("FiveByTwoCVTTest", "HoldoutTTest", "LocationTest", "Pivot", "Procedure"),
        *("ResampledTTest", "RowTTest", "Sample"),
        *("get_procedure", "get_procedure_names"),
    ),
    "test_set": ("compare_losses", "compare_predictions", "predictions_inference"),
    "theory": (),
    "words": ("EvaluationReport", "evaluation_report"),
}
__version__ = _version("skcvstats")
__all__ = sorted(name for names in _NAMES.values() for name in names)


def __getattr__(name: str) -> object:
    """Import the room that a name is in, or a room itself."""
    if name in _NAMES and name.isidentifier():
        return _import_module(f".{name}", __name__)
    for room, names in _NAMES.items():
        if name in names:
            # The next time Python finds it without this function.
            return globals().setdefault(name, getattr(_import_module(f".{room}", __name__), name))
    text = f"module {__name__!r} has no attribute {name!r}"
    for room in filter(str.isidentifier, _NAMES):
        # Python itself asks for names with an underscore, and need not wait for the rooms.
        if not name.startswith("_") and name in getattr(__getattr__(room), "__all__", ()):
            text += f"; it is in skcvstats.{room}: from skcvstats.{room} import {name}"
            if _sys._getframe(1).f_code.co_name == "_handle_fromlist":
                # `from skcvstats import` replaces an AttributeError by one without the room.
                raise ImportError(text, name=name, path=__file__)
    raise AttributeError(text)


def __dir__() -> list[str]:
    return sorted(filter(str.isidentifier, {*globals(), *__all__, *_NAMES}))
