"""The report's estimators: moments, variance components, political ratio, sensitivity."""

from .stats.theory._conservative_variance import conservative_variance, half_sample_differences
from .stats.theory._correlation_sensitivity import CorrelationSensitivity, correlation_sensitivity
from .stats.theory._cv_variance import cv_variance
from .stats.theory._exchangeable import ExchangeableMoments, exchangeable_moments
from .stats.theory._implied_correlation import ImpliedCorrelation, implied_correlation
from .stats.theory._political_ratio import political_ratio
from .stats.theory._variance_components import VarianceComponents, variance_components

__all__ = [
    "CorrelationSensitivity",
    "ExchangeableMoments",
    "ImpliedCorrelation",
    "VarianceComponents",
    "conservative_variance",
    "correlation_sensitivity",
    "cv_variance",
    "exchangeable_moments",
    "half_sample_differences",
    "implied_correlation",
    "political_ratio",
    "variance_components",
]
