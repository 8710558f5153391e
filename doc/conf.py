"""Settings of the documentation: ``sphinx-build -W --keep-going -b html doc doc/_build/html``."""

import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import public_api
import thumbnails

import skcvstats

project = "skcvstats"
author = "skcvstats developers"
copyright = "the skcvstats developers"
version = release = skcvstats.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "atlas_page",
    "formulas",
    "notes_page",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_templates", "examples"]
# `name` in a docstring is a piece of code, and a link where it names something that is ours.
default_role = "py:obj"
rst_prolog = ".. currentmodule:: skcvstats\n"

html_math_renderer = "mathml"
html_theme = "pydata_sphinx_theme"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["custom.css"]
html_js_files = [("focus.js", {"defer": "defer"})]
html_title = f"skcvstats {version}"
html_context = {"default_mode": "auto"}  # light or dark, as the reader's system is
html_show_sourcelink = False
toc_object_entries_show_parents = "hide"
html_theme_options = {
    "show_prev_next": False,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
}
html_sidebars = {"index": [], "atlas": [], "changelog": [], "reproduction": []}

# Other projects' names are links only where they are asked for, so that the build needs no network.
if os.environ.get("SKCVSTATS_DOC_LINKS"):
    extensions.append("sphinx.ext.intersphinx")
    intersphinx_mapping = {
        "python": ("https://docs.python.org/3", None),
        "numpy": ("https://numpy.org/doc/stable", None),
        "sklearn": ("https://scikit-learn.org/stable", None),
    }

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

autosummary_generate = True
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False


sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "auto_examples",
    "filename_pattern": r"plot_",
    "abort_on_example_error": True,
    "image_scrapers": "thumbnails.scrape",
    "within_subsection_order": "gallery_order.ReadingOrder",
    "reset_modules": ("matplotlib", "gallery_warnings.warnings_are_errors"),
    "backreferences_dir": "api/examples",
    "doc_module": ("skcvstats",),
    "inspect_global_variables": False,
    "show_memory": False,
    "remove_config_comments": True,
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 5,
}


def skip_what_others_document(app, what, name, obj, skip, options):
    """Leave out what a class has from NumPy, scikit-learn or Python, documented there."""
    function = getattr(obj, "fget", None) or getattr(obj, "__func__", obj)
    module = getattr(function, "__module__", None) or ""
    return skip or (callable(function) and not module.startswith("skcvstats"))


def keep_initials(app, what, name, obj, options, lines):
    """Escape a reference's "C. Nadeau", which would be item C of a list."""
    lines[:] = [re.sub(r"^(\.\. \[\d+\] )(?=[A-Z]\. )", r"\1\\", line) for line in lines]


def setup(app):
    """Write the API reference from what the package exports."""
    public_api.write(Path(app.srcdir) / "api")
    app.connect("builder-inited", thumbnails.put_in_place, priority=900)  # after sphinx-gallery
    app.connect("autodoc-process-docstring", keep_initials, priority=100)  # before numpydoc
    app.connect("autodoc-skip-member", skip_what_others_document)
