"""What is said of results: printed text, notebooks, and reports for a page or a paper."""

from .._utils._registry import enter
from .._utils._shared_docs import share_docstrings
from ._printed import html_of, text_of
from ._report import EvaluationReport, evaluation_report
from ._sentences import adjusted, sentences_of, verdict_of
from ._slices import said_of_slices as said_of_slices  # for the gate

__all__ = ["EvaluationReport", "evaluation_report"]

enter(
    adjusted=adjusted,
    html_of=html_of,
    sentences_of=sentences_of,
    text_of=text_of,
    verdict_of=verdict_of,
)

share_docstrings(globals())
