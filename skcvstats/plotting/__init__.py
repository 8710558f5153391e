"""Display classes, as scikit-learn has them: matplotlib is imported when something is drawn."""

from ._power_curve import PowerCurveDisplay

__all__ = ["PowerCurveDisplay"]
