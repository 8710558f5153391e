"""Reports in HTML and LaTeX, from templates; only this file imports jinja2."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from math import isnan
from typing import Any

from .._utils._markup import escape_latex
from .._utils._text import visible
from ._document import NO_PICTURE, Citation, Document, Picture, parts_of
from ._latex import Latex, breakable, longtable


def render(
    document: Document, pictures: Mapping[Picture, str], format_name: str, *, standalone: bool
) -> str:
    """Write a report in HTML or LaTeX."""
    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f"Reports in {format_name} need jinja2, which is not installed: pip install "
            '"skcvstats[reports]". As text and markdown they need nothing.'
        ) from error
    render_template = _TEMPLATES[format_name]()
    return render_template(
        document=document,
        pictures=pictures,
        no_picture=NO_PICTURE,
        standalone=standalone,
        parts_of=parts_of,
    )


@cache
def _html() -> Callable[..., str]:
    """Return what fills the template of a page, compiled once."""
    import jinja2

    loader = jinja2.PackageLoader("skcvstats.words")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, finalize=_visible
    )
    script = files("skcvstats.words").joinpath("templates/page.js").read_text("utf-8")
    # the browser then runs this script and no other
    script_hash = f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"
    environment.globals |= {"in_full": _in_full, "script": script, "script_hash": script_hash}
    return environment.get_template("report.html.jinja").render


@cache
def _latex() -> Callable[..., str]:
    """Return what fills the template of a LaTeX document, compiled once."""
    import jinja2

    environment = jinja2.Environment(  # escaped by finalize  # nosec B701
        loader=jinja2.PackageLoader("skcvstats.words"),
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
        finalize=_finished,  # applied to every value, so that none is forgotten
    )
    environment.filters |= {
        "breakable": breakable,
        "cite": _cite,
        "done": lambda text: Latex(text.strip()),
        "longtable": longtable,
    }
    return environment.get_template("report.tex.jinja").render


# The functions that return what fills a template, by the format.
_TEMPLATES = {"HTML": _html, "LaTeX": _latex}


def _visible(value: Any) -> Any:
    """Return text that is not yet HTML in visible characters."""
    return visible(value) if type(value) is str else value


def _in_full(numbers: tuple[float, ...]) -> str:
    """Write the numbers of a cell with all digits; empty if one is missing."""
    return "" if any(map(isnan, numbers)) else " ".join(repr(float(x)) for x in numbers)


def _finished(text: Any) -> Any:
    """Escape text that is not LaTeX yet."""
    return text if isinstance(text, Latex) else escape_latex(str(text))


def _cite(citation: Citation) -> Latex:
    return Latex(rf"~\cite{{{','.join(citation.keys)}}}")
