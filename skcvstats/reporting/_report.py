"""EvaluationReport: a result told to a reader, in the format that he needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

from ..comparison import ComparisonResult
from ..stats import Inference
from ._document import Citation, Document, parts_of
from ._evidence import Evidence, gather
from ._explanation import how_made, warnings
from ._footer import to_repeat
from ._markdown import to_markdown
from ._methods import methods
from ._references import bibliography
from ._templates import render_html, render_latex
from ._text import to_text
from ._verdict import opening

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationReport:
    """What a comparison or a test found, told to a reader.

    It opens with the verdict in a sentence; then come the table, how each number was made, what
    weakens the result, a paragraph for the methods section of a paper with its citations, and what
    is needed to repeat it. Make one with `evaluation_report`.

    Parameters
    ----------
    result : ComparisonResult or Inference
        What is reported.
    confidence_level : float or None, default=None
        Of the intervals; verdicts are at the level 1 minus it. None is that of the result.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import compare_estimators, evaluation_report
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> report = evaluation_report(compare_estimators(models, X, y))
    >>> print(report.to_markdown().splitlines()[0])
    # Evaluation report: accuracy of bayes and tree
    """

    result: ComparisonResult | Inference
    confidence_level: float | None = None

    @cached_property
    def _evidence(self) -> Evidence:
        return gather(self.result, self.confidence_level)

    @cached_property
    def _document(self) -> Document:
        evidence = self._evidence
        sections = (*opening(evidence), how_made(evidence), warnings(evidence), methods(evidence))
        cited = dict.fromkeys(
            source
            for section in sections
            for paragraph in section.paragraphs
            for part in parts_of(paragraph)
            if isinstance(part, Citation)
            for source in part.sources
        )
        return Document(
            title=_title(evidence),
            sections=sections,
            footer=to_repeat(evidence),
            references=bibliography(cited),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the table with all its numbers, that of the result.

        Returns
        -------
        DataFrame
            One row for each comparison, or for the one test.
        """
        return self.result.to_frame(self._evidence.confidence_level)

    def to_markdown(self) -> str:
        """Write the report in GitHub's markdown.

        Returns
        -------
        str
            Names are escaped, so that they cannot be taken for markup.
        """
        return to_markdown(self._document)

    def to_html(self, *, standalone: bool = True) -> str:
        """Write the report in HTML.

        Parameters
        ----------
        standalone : bool, default=True
            A page of its own; else the part of a page.

        Returns
        -------
        str
            Names are escaped.

        Raises
        ------
        ImportError
            If jinja2 is not installed.
        """
        return render_html(self._document, standalone=standalone)

    def to_latex(self, *, standalone: bool = True) -> str:
        r"""Write the report in LaTeX; it needs the packages booktabs and longtable.

        Parameters
        ----------
        standalone : bool, default=True
            A document of its own, with its bibliography; else what is put into one by
            ``\input``, whose citations are the keys of `to_bibtex`.

        Returns
        -------
        str
            Names are escaped. For names in other than Latin letters compile with lualatex, and set
            a font that has them (``\setmainfont``): LaTeX leaves out what its font has not.

        Raises
        ------
        ImportError
            If jinja2 is not installed.
        """
        return render_latex(self._document, standalone=standalone)

    def to_bibtex(self) -> str:
        """Write the publications that the report cites as a BibTeX file.

        Returns
        -------
        str
            An entry for each.
        """
        return "\n".join(
            reference.bibtex(key) for key, reference in self._document.references.items()
        )

    def __str__(self) -> str:
        return to_text(self._document)

    def __repr__(self) -> str:
        return f"EvaluationReport({self._document.title!r})"

    def _repr_html_(self) -> str:
        try:
            return self.to_html(standalone=False)
        except ImportError:  # a notebook without jinja2 shows the text
            return f"<pre>{escape(str(self))}</pre>"


def evaluation_report(
    result: ComparisonResult | Inference, *, confidence_level: float | None = None
) -> EvaluationReport:
    """Report what a comparison or a test found: verdict, table, methods paragraph, footer.

    Parameters
    ----------
    result : ComparisonResult or Inference
        What `compare_estimators`, `compare_scores`, `compare_candidates` or `cross_val_inference`
        returned, or a test of scores.
    confidence_level : float, default=None
        Of the intervals; verdicts are at the level 1 minus it. None is that of the result, 0.95 if
        it is not told otherwise.

    Returns
    -------
    EvaluationReport
        ``print`` it, or write it with `to_markdown`, `to_html` or `to_latex`.

    Raises
    ------
    TypeError
        If it is another result.
    ValueError
        If it holds several tests in an array.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcvstats import cross_val_inference, evaluation_report
    >>> X, y = load_iris(return_X_y=True)
    >>> report = evaluation_report(cross_val_inference(GaussianNB(), X, y))
    >>> str(report).splitlines()[5].split(" (")[0]
    'The expected accuracy of GaussianNB is estimated as 0.9333'
    """
    gather(result, confidence_level)  # says now what is wrong
    return EvaluationReport(result, confidence_level)


def _title(evidence: Evidence) -> str:
    names = evidence.names
    who = " and ".join(names) if len(names) <= 2 else f"{len(names)} estimators"
    return f"Evaluation report: {', '.join(evidence.metrics)}{f' of {who}' if who else ''}"
