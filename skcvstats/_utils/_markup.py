"""Text in LaTeX and in markdown, in which nothing of it is taken for a command."""

import re

from ._text import visible

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "`": r"\textasciigrave{}",
        "\N{MINUS SIGN}": "$-$",
    }
)
# A minus sign: before a number, or between two names.
_MINUS = re.compile(r"(?<![\w}-])-(?=\.?\d)|(?<= )-(?= )")
# LaTeX makes another character of two of these.
_LIGATURE = re.compile(r"([-,'])(?=\1)")
# Whatever could begin emphasis, code, links, HTML, entities, mathematics, cells, or a mention.
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~$&@])")
# What GitHub would make a link of.
_LINK = re.compile(r"(?<=\w)(:)(?=//)|(?<=\bwww)(\.)")
# What would begin a list at the start of a line.
_LIST = re.compile(r"^([-+]|\d+[.)])(?=\s|$)")


def escape_latex(text: str) -> str:
    """Escape text so that LaTeX sets it as it is."""
    escaped = visible(text).translate(_LATEX)
    unligated = _LIGATURE.sub(r"\1{}", re.sub(r"\s+", " ", escaped))
    return _MINUS.sub("$-$", unligated)


def escape_markdown(text: str) -> str:
    """Escape text so that markdown shows it as it is, on one line."""
    line = _SPECIAL.sub(r"\\\1", " ".join(visible(text).split()))
    line = _LINK.sub(lambda found: f"\\{found[0]}", line)
    return _LIST.sub(lambda found: f"{found[1][:-1]}\\{found[1][-1]}", line)
