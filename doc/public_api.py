"""The API reference, written from what the package exports: nothing to add by hand.

Every name of ``skcvstats.__all__`` is listed once, in the first section that takes it; what only
a public subpackage exports (``skcvstats.simulation``, say) is listed in a section of its own. The
first page lists all; a page for each section is what the navigation at the side is made of.
"""

import inspect
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import skcvstats

PAGE = """.. Written by doc/public_api.py at every build.

.. _api:

API reference
=============

.. currentmodule:: skcvstats

Everything is imported from ``skcvstats`` itself, unless a section names a subpackage. Greater
scores are better throughout.
"""

CONTENTS = """
.. toctree::
   :hidden:

{pages}
"""

SECTION = """
{title}
{underline}

{about}

.. autosummary::
   :nosignatures:

{names}
"""

SECTION_PAGE = """.. Written by doc/public_api.py at every build.

{title}
{underline}

.. currentmodule:: skcvstats

{about}

.. autosummary::
   :toctree: generated
   :nosignatures:

{names}
"""


def _is_error(one: object) -> bool:
    return inspect.isclass(one) and issubclass(one, Exception)


def _is_test(one: object) -> bool:
    return inspect.isclass(one) and issubclass(one, skcvstats.LocationTest)


def _is_split(one: object) -> bool:
    return inspect.isclass(one) and one.__module__.startswith("skcvstats.splitters")


def _is_of(*modules: str) -> Callable[[object], bool]:
    return lambda one: getattr(one, "__module__", "").startswith(modules)


# A name goes to the first section that takes it, so the order matters.
SECTIONS = [
    (
        "Errors and warnings",
        "Named for what went wrong; the messages say what was given, what is wanted, what to do.",
        _is_error,
    ),
    (
        "Procedures",
        "Callable on `CVScores` and on what ``cross_validate(..., return_indices=True)`` returns; "
        "each is a ``method=`` of the functions above.",
        lambda one: (
            (_is_test(one) and one is not skcvstats.LocationTest)
            or one
            in (skcvstats.FiveByTwoCVFTest, skcvstats.get_procedure, skcvstats.get_procedure_names)
        ),
    ),
    (
        "Writing a procedure",
        "The base classes, and what they hand to each other: :doc:`/adding_a_procedure`.",
        lambda one: (
            one in (skcvstats.LocationTest, skcvstats.Procedure, skcvstats.Pivot, skcvstats.Sample)
        ),
    ),
    ("Splitters", "For use as ``cv=`` anywhere in scikit-learn.", _is_split),
    (
        "Reports and studies",
        "Everything a reader needs, in one document; what a procedure does on generated data.",
        _is_of("skcvstats.words", "skcvstats.simulation"),
    ),
    (
        "Comparing and scoring",
        "From estimators and data, from finished scores or from a finished search to a verdict.",
        _is_of("skcvstats.model_selection", "skcvstats.test_set"),
    ),
    (
        "Results, scores and splits",
        "What goes in and what comes out: scores that know their splits, and tests that know "
        "their scores.",
        lambda one: True,
    ),
]
ORDER = [
    "Comparing and scoring",
    "Results, scores and splits",
    "Procedures",
    "Splitters",
    "Reports and studies",
    "Writing a procedure",
    "Errors and warnings",
]
ABOUT_ROOMS = {
    "skcvstats.plotting": "Displays as scikit-learn has them; they need matplotlib.",
    "skcvstats.simulation": "What `simulate` takes and returns.",
    "skcvstats.stats": "Procedures on arrays as in SciPy, error rates of one or two classifiers, "
    "planning, and the results of all procedures.",
    "skcvstats.test_set": "For fitted models as they are, on a test set that they were not "
    "trained on.",
    "skcvstats.theory": "What the scores of splits tell about their variance, and what they "
    "cannot.",
}
# These come first in their sections, in this order; the others follow in that of the alphabet.
FIRST = [
    "compare_estimators",
    "compare_scores",
    "compare_candidates",
    "compare_out_of_fold",
    "compare_predictions",
    "cross_val_inference",
    "predictions_inference",
    "cross_val_score",
    "ComparisonResult",
    "Comparison",
    "CVTestResult",
    "ScoreEstimates",
    "ConfidenceInterval",
    "CVScores",
    "SplitDesign",
    "CorrectedResampledTTest",
    "RowTTest",
    "ConservativeZTest",
    "CorrectedBootstrapTTest",
    "FiveByTwoCVTTest",
    "FiveByTwoCVFTest",
    "HoldoutTTest",
    "get_procedure",
    "get_procedure_names",
    "RepeatedSubsampleSplit",
    "evaluation_report",
    "EvaluationReport",
    "simulate",
]
# The rooms whose names are for users; the others may change from one version to the next.
API = (
    "exceptions",
    "model_selection",
    "plotting",
    "simulation",
    "stats",
    "test_set",
    "theory",
    "words",
)


def sections() -> dict[str, list[str]]:
    """Return the names of each section, without ``skcvstats.`` in front."""
    found: dict[str, list[str]] = {title: [] for title in ORDER}
    for name in sorted(skcvstats.__all__, key=_place):
        found[_title_of(getattr(skcvstats, name))].append(name)
    for package, names in _subpackages():
        found[package] = names
    return {title: names for title, names in found.items() if names}


def _place(name: str) -> tuple[int, str]:
    return FIRST.index(name) if name in FIRST else len(FIRST), name.lower()


def _title_of(one: object) -> str:
    return next(title for title, _, takes in SECTIONS if takes(one))


def _subpackages() -> list[tuple[str, list[str]]]:
    """Return what the public subpackages export beyond the top level."""
    exported = {id(getattr(skcvstats, name)) for name in skcvstats.__all__}
    found = []
    for room in API:
        package = import_module(f"skcvstats.{room}")
        names = [name for name in package.__all__ if id(getattr(package, name)) not in exported]
        if names:
            found.append((f"skcvstats.{room}", [f"{room}.{name}" for name in names]))
    return found


def pages() -> dict[str, str]:
    """Return the reference's first page, ``index``, and one for each section."""
    about = ABOUT_ROOMS | {title: text for title, text, _ in SECTIONS}
    found = sections()
    names_of_pages = {title: re.sub(r"[^\w.]+", "_", title.lower()) for title in found}
    lines = "\n".join(f"   {name}" for name in names_of_pages.values())
    index, written = PAGE + CONTENTS.format(pages=lines), {}
    for title, names in found.items():
        shown = f"``{title}``" if title.startswith("skcvstats.") else title
        lines = "\n".join(f"   {name}" for name in names)
        text = {"title": shown, "about": about.get(title, ""), "names": lines}
        index += SECTION.format(**text, underline="-" * len(shown))
        written[names_of_pages[title]] = SECTION_PAGE.format(**text, underline="=" * len(shown))
    return {"index": index, **written}


def write(folder: Path) -> None:
    """Write the pages, unless they are there already: an unchanged page is not read again."""
    folder.mkdir(exist_ok=True)
    wanted = pages()
    for path in folder.glob("*.rst"):
        if path.stem not in wanted:
            path.unlink()
    for name, text in wanted.items():
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
