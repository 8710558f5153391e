"""What is said of results: printed text, notebooks, and reports for a page or a paper."""

from .._utils._shared_docs import share_docstrings

# Names that are imported "as" themselves are for other rooms; the others are public.
from . import _of_comparison, _of_curve, _of_estimates, _of_inference, _of_race
from ._report import EvaluationReport, evaluation_report
from ._sentences import as_table as as_table
from ._slices import said_of_slices as said_of_slices
from ._text import html_of as html_of
from ._text import latex_of as latex_of
from ._text import markdown_of as markdown_of
from ._text import table_lines as table_lines
from ._text import text_of as text_of
from ._verdict import sentence as sentence
from ._verdict import sentence_of_equivalence as sentence_of_equivalence

__all__ = ["EvaluationReport", "evaluation_report"]

share_docstrings(globals())
