"""The directive ``.. atlas:: part``: a part of the atlas's page, from its table of results."""

import sys
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive

ROOT = Path(__file__).parent.parent


class Atlas(Directive):
    """Put what ``benchmarks.atlas.page`` makes of the table here."""

    required_arguments = 1

    def run(self):
        """Return the part as HTML; the page is read again when the table has changed."""
        if str(ROOT) not in sys.path:
            sys.path.append(str(ROOT))
        from benchmarks.atlas import page, running

        self.state.document.settings.env.note_dependency(str(running.TABLE))
        return [nodes.raw("", page.part(self.arguments[0]), format="html")]


def setup(app):
    """Add the directive."""
    app.add_directive("atlas", Atlas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
