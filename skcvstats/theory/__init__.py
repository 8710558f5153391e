"""The report's estimators: moments, variance components, political ratio, sensitivity."""

from .._utils._shared_docs import share_docstrings
from ._correlation_sensitivity import CorrelationSensitivity, correlation_sensitivity
from ._estimates import (
    ExchangeableMoments,
    VarianceComponents,
    conservative_variance,
    exchangeable_moments,
    half_sample_differences,
    variance_components,
)
from ._moments import cv_variance, implied_correlation, variance_ratio

__all__ = [
    "CorrelationSensitivity",
    "ExchangeableMoments",
    "VarianceComponents",
    "conservative_variance",
    "correlation_sensitivity",
    "cv_variance",
    "exchangeable_moments",
    "half_sample_differences",
    "implied_correlation",
    "variance_components",
    "variance_ratio",
]

share_docstrings(globals())
