"""Formulas as MathML, written when the site is built: a browser needs no script for them."""

from latex2mathml.converter import convert
from sphinx.errors import ExtensionError
from sphinx.util.docutils import nodes


def mathml(latex: str, display: str = "inline") -> str:
    r"""Return a formula as MathML; `display` is ``"inline"`` or ``"block"``.

    Lines that end in ``\\`` are aligned at their ``&``, as in Sphinx's own renderers.
    """
    if r"\\" in latex:
        latex = rf"\begin{{split}}{latex}\end{{split}}"
    # Browsers stretch the modifier letter above what it covers, but not the ASCII character.
    found = convert(latex, display=display).replace("&#x0005E;", "&#x002C6;")
    if "\\" in found:  # the converter passes on what it does not know
        raise ExtensionError(f"A command of this formula is not known to latex2mathml: {latex}")
    return found


def _visit_inline(translator, node):
    translator.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def _visit_block(translator, node):
    formula = mathml(node.astext(), display="block")
    # A long formula scrolls by itself on a narrow screen, also by keyboard.
    translator.body.append(f'<div class="formula" tabindex="0">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app):
    """Add the renderer of the name ``mathml``."""
    app.add_html_math_renderer("mathml", (_visit_inline, None), (_visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
