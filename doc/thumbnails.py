"""Thumbnails of the gallery: an example's figure drawn again at the size of a thumbnail.

Shrunk, a figure's words could not be read. Drawn small they have the size of a page's words, and
what does not fit is left out: legends, notes, long lists of names, panels with their own scale.
"""

import re
import textwrap
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator
from sphinx_gallery.scrapers import matplotlib_scraper

SIZE = (3.6, 2.5)  # inches
DPI = 160  # a thumbnail is shown at about half of its pixels
FONT_SIZE = 10
MOST_NAMES = 12  # at the side
WIDEST_NAME = 24  # letters
CHOICE = re.compile(r"^# sphinx_gallery_thumbnail_number = (\d+)$", flags=re.MULTILINE)


def scrape(block, block_vars, gallery_conf):
    """Save the open figures, and the example's thumbnail if its figure is one of them.

    What sphinx-gallery calls after each block of an example (``image_scrapers``).
    """
    source = Path(block_vars["src_file"])
    number = len(block_vars["image_path_iterator"])
    figures = [plt.figure(k) for k in plt.get_fignums()]
    shown = matplotlib_scraper(block, block_vars, gallery_conf)  # closes the figures
    chosen = CHOICE.search(source.read_text())
    place = (int(chosen[1]) if chosen else 1) - number - 1
    if 0 <= place < len(figures):
        _make_small(figures[place])
        path = _drawn(source, gallery_conf)
        path.parent.mkdir(parents=True, exist_ok=True)
        figures[place].savefig(path, dpi=DPI)
    return shown


def put_in_place(app):
    """Replace the shrunk pictures by the small ones, after sphinx-gallery has made its own."""
    gallery_conf = app.config.sphinx_gallery_conf
    for source in (Path(app.srcdir) / gallery_conf["examples_dirs"]).glob("plot_*.py"):
        drawn = _drawn(source, gallery_conf)
        if drawn.exists():
            shrunk = drawn.parents[1] / "thumb" / f"sphx_glr_{source.stem}_thumb.png"
            shrunk.write_bytes(drawn.read_bytes())


def _drawn(source, gallery_conf):
    gallery = Path(gallery_conf["src_dir"]) / gallery_conf["gallery_dirs"]
    return gallery / "images" / "small" / f"{source.stem}.png"


def _make_small(figure):
    figure.set_size_inches(SIZE)
    first = figure.axes[0]
    for note in [*figure.legends, *figure.texts]:
        note.remove()
    for axes in figure.axes:
        if axes is not first and not axes.get_shared_x_axes().joined(first, axes):
            axes.remove()
            continue
        if axes.get_legend():
            axes.get_legend().remove()
        for numbers_beside_rows in list(axes.child_axes):
            numbers_beside_rows.remove()
        lines = [line for name in axes.get_yticklabels() for line in name.get_text().split("\n")]
        if len(axes.get_yticks()) > MOST_NAMES or max(map(len, lines), default=0) > WIDEST_NAME:
            axes.set_yticklabels([])
        axes.tick_params(labelsize=FONT_SIZE)
        if isinstance(axes.xaxis.get_major_locator(), MaxNLocator):
            axes.locator_params(axis="x", nbins=3)
    if len(figure.axes) == 1:
        first.set_subplotspec(figure.add_gridspec()[0])  # the whole width
    figure.draw_without_rendering()  # lays it out, so that the axes know their sizes
    for axes in figure.axes:
        width, height = axes.get_window_extent().size
        _wrap(axes.xaxis.label, width)
        _wrap(axes.yaxis.label, height)
        for location in ("left", "center"):
            _wrap(axes.set_title(axes.get_title(location), loc=location), width)


def _wrap(text, room):
    """Break a text into lines, each about as long as `room`, in pixels."""
    letter = 0.52 * FONT_SIZE * text.figure.dpi / 72
    words, width = text.get_text(), max(int(room / letter), 1)
    sides = words.split("   ") if len(words) > width else [words]  # a word for each direction
    lines = [textwrap.fill(side, width, break_long_words=False) for side in sides]
    text.set_text("\n".join(lines))
    text.set_fontsize(FONT_SIZE)
