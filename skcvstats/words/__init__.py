"""Reports: what a comparison or a test found, ready for a notebook, a page or a paper."""

from ._report import EvaluationReport, evaluation_report

__all__ = ["EvaluationReport", "evaluation_report"]
