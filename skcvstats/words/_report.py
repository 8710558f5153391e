"""EvaluationReport: a result for a reader, in the format that is needed."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._utils._arrays import check_path
from .._utils._checks import check_flag, explain_arguments
from .._utils._documents import write_whole
from .._utils._shared_arguments import check_optional_level
from .._utils._text import visible
from ..comparison import ComparisonResult
from ..model_selection import LearningCurveResult, RacingSearchCV
from ..stats import Inference
from ._content import content
from ._document import Document, Picture
from ._parts import parts
from ._sentences import MOST_ROWS
from ._templates import render
from ._text import to_markdown, to_text

if TYPE_CHECKING:
    import pandas as pd


_UNSEEN = re.compile(r"(?:<metadata>.*?</metadata>|<!--.*?-->)\s*", re.S)
_ID = re.compile(r' id="([^"]*)"')
_REFERENCE = re.compile(r'(?:url\(#|href="#)([^)"]*)')


def drawn_as(result: Any, picture: Picture, file_format: str) -> bytes:
    """Return a picture of a comparison; empty without matplotlib."""
    from ..plotting import picture_file

    try:
        return picture_file(result[picture.metric], picture.kind, file_format)
    except ImportError:
        return b""


def inline_svg(result: Any, picture: Picture) -> str:
    """Return a picture as an SVG element that a page may contain more than once."""
    drawn = drawn_as(result, picture, "html").decode()
    if not drawn:
        return ""
    drawn = _UNSEEN.sub("", drawn[drawn.index("<svg") :])
    used = set(_REFERENCE.findall(drawn))
    drawn = _ID.sub(lambda found: found[0] if found[1] in used else "", drawn)
    label = escape(visible(picture.words))
    return drawn.replace("<svg", f'<svg role="img" aria-label="{label}"', 1).strip()


MOST_ROWS_OF_A_PAGE = 500


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationReport:
    """A report of what a comparison or a test found.

    It begins with the answer in one sentence. Then come the ranking with its picture, the
    differences, what could not be shown, the limitations, the methods with citations, as a paper
    needs them, and how to reproduce the result. Make one with `evaluation_report`.

    Parameters
    ----------
    result : ComparisonResult, Inference, LearningCurveResult or RacingSearchCV
        What is reported.
    confidence_level : float or None, default=None
        Of the intervals; verdicts are at the level 1 minus it. None is that of the result.
    decision : str, default=""
        What was decided, and by which rule: the first sentence of the report.
    reword : callable, default=str
        Returns each text of a sentence in the words that readers know, such as options for calls.

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

    result: Any
    confidence_level: float | None = None
    decision: str = ""
    reword: Callable[[str], str] = str

    @cached_property
    def _reported(self) -> Any:
        return parts(self.result).at_level(self.confidence_level)

    @cached_property
    def _document(self) -> Document:
        return self._content(MOST_ROWS)

    def _content(self, most_rows: int) -> Document:
        return content(
            self._reported,
            most_rows=most_rows,
            decision=self.decision,
            reword=self.reword,
        )

    def to_frame(self, *, full: bool = False) -> "pd.DataFrame":
        """Return the table of the result.

        {Parameters: full}

        Returns
        -------
        DataFrame
            One row for each comparison, or for the one test.
        """
        frame: pd.DataFrame = self._reported.to_frame(full=full)
        return frame

    def to_markdown(self) -> str:
        """Write the report in GitHub's markdown.

        Returns
        -------
        str
            Names are escaped, so that they cannot be taken for markup. It has no picture; `save`
            writes one beside the file.
        """
        return to_markdown(self._document, {})

    def to_html(self, *, standalone: bool = True) -> str:
        """Write the report in HTML.

        Parameters
        ----------
        standalone : bool, default=True
            Whether to write a complete page; else a fragment to embed in one.

        Returns
        -------
        str
            Names are escaped. Pictures are in it, if matplotlib is installed. A complete page loads
            no other file. It follows the reader's light or dark setting, and its tables, of up to
            500 rows, can be sorted and copied with all digits. A fragment has the colours of the
            page around it and no script.

        {Raises: no jinja2}
        """
        check_flag("standalone", standalone)
        document = self._document
        if standalone:
            document = self._content(MOST_ROWS_OF_A_PAGE)
        drawn = {picture: inline_svg(self._reported, picture) for picture in document.pictures}
        return render(document, drawn, "HTML", standalone=standalone)

    def to_latex(self, *, standalone: bool = True) -> str:
        r"""Write the report in LaTeX; it needs the packages booktabs and longtable.

        Parameters
        ----------
        standalone : bool, default=True
            Whether to write a complete document with its bibliography; else a part to include by
            ``\input``, whose citations are the keys of `to_bibtex`.

        Returns
        -------
        str
            Names are escaped. For names in other than Latin letters compile with lualatex, and set
            a font that has them (``\setmainfont``): LaTeX omits characters that its font lacks. It
            has no picture; `save` writes one beside the file.

        {Raises: no jinja2}
        """
        check_flag("standalone", standalone)
        return render(self._document, {}, "LaTeX", standalone=standalone)

    def save(self, path: str | PathLike[str], *, standalone: bool = True) -> None:
        """Write the report to a file, with its pictures next to it.

        Parameters
        ----------
        path : str or path
            The ending determines the format: ``.html``, ``.md``, ``.tex`` or ``.txt``. Pictures
            stand beside a ``.md`` as SVG and beside a ``.tex`` as PDF, with names that begin as the
            report's does; a ``.html`` has them within.
        standalone : bool, default=True
            For ``.html`` and ``.tex``: a complete page or document; else a part of one.

        Raises
        ------
        ValueError
            If the ending is another one.
        ImportError
            If ``.html`` or ``.tex`` is asked for, and jinja2 is not installed. Without matplotlib
            a report has no pictures, and says so.
        """
        check_path("path", path)
        check_flag("standalone", standalone)
        path = Path(path)
        if path.suffix == ".txt":
            text = f"{self}\n"
        elif path.suffix == ".html":
            text = self.to_html(standalone=standalone)
        elif path.suffix == ".md":
            text = to_markdown(self._document, self._beside(path, "svg"))
        elif path.suffix == ".tex":
            files = self._beside(path, "pdf")
            text = render(self._document, files, "LaTeX", standalone=standalone)
        else:
            raise ValueError(
                f"save({str(path)!r}): the ending {path.suffix!r} is not known; choose .html, .md, "
                ".tex or .txt."
            )
        write_whole(path, text.encode())

    def _beside(self, path: Path, file_format: str) -> dict[Picture, str]:
        """Write the pictures beside the file of the report; without matplotlib they are empty."""
        result = self._reported
        pictures = self._document.pictures
        stem = re.sub(r"[^\w.-]+", "-", path.stem, flags=re.A)
        names = dict.fromkeys(pictures, "")
        for k, picture in enumerate(pictures):
            number = "" if len(pictures) == 1 else f"-{k + 1}"
            drawn = drawn_as(result, picture, file_format)
            if drawn:
                names[picture] = f"{stem}-{picture.kind}{number}.{file_format}"
                write_whole(path.with_name(names[picture]), drawn)
        return names

    def to_bibtex(self) -> str:
        """Write the publications that the report cites as a BibTeX file.

        Returns
        -------
        str
            An entry for each.
        """
        return "\n".join(reference.bibtex for reference in self._document.references.values())

    def __str__(self) -> str:
        return to_text(self._document)

    def __repr__(self) -> str:
        return f"EvaluationReport({visible(self._document.title)!r})"

    def _repr_html_(self) -> str:
        try:
            return self.to_html(standalone=False)
        except ImportError:  # a notebook without jinja2 shows the text
            return f"<pre>{escape(str(self))}</pre>"


@explain_arguments()
def evaluation_report(
    result: ComparisonResult | Inference | LearningCurveResult | RacingSearchCV,
    *,
    confidence_level: float | None = None,
) -> EvaluationReport:
    """Report what a comparison or a test found: the answer, the numbers, how they were made.

    Parameters
    ----------
    result : ComparisonResult, Inference, LearningCurveResult or RacingSearchCV
        What `compare_estimators`, `compare_scores`, `compare_candidates`, `cross_val_inference` or
        `learning_curve_inference` returned, a test of scores, or a fitted race.
    confidence_level : float, default=None
        Of the intervals; verdicts are at the level 1 minus it. None is that of the result, by
        default 0.95.

    Returns
    -------
    EvaluationReport
        ``print`` it, ``save`` it as a file, or write it with `to_markdown`, `to_html` or
        `to_latex`.

    Raises
    ------
    TypeError
        If it is another result.
    ValueError
        If it contains several tests in an array, or is a race that is not fitted, or a race or a
        curve for which another level is asked for.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcvstats import cross_val_inference, evaluation_report
    >>> X, y = load_iris(return_X_y=True)
    >>> report = evaluation_report(cross_val_inference(GaussianNB(), X, y))
    >>> str(report).splitlines()[5].split(" (")[0]
    'The expected accuracy of GaussianNB is estimated as 0.953'
    """
    check_optional_level(confidence_level)
    parts(result).at_level(confidence_level)  # raises errors now, not when the report is written
    return EvaluationReport(result, confidence_level)
