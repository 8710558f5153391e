"""The end of a report: how to reproduce the result, and what cannot be reproduced."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from itertools import islice
from typing import Any

import numpy as np

from .._utils._text import counted, cut, format_seconds
from ..comparison import ComparisonResult
from ..scores import CVScores, SplitDesign
from ._document import Section
from ._evidence import Evidence

# A search may have more candidates.
_MOST_ESTIMATORS = 50


def how_to_reproduce(evidence: Evidence) -> Section:
    """Gather what is known and needed to reproduce the result."""
    facts = tuple((term, text) for term, text in _facts(evidence) if text)
    return Section(title="How to reproduce this", facts=facts)


def not_reproducible(evidence: Evidence) -> tuple[Section, ...]:
    """Say what cannot be reproduced: what was drawn without a seed, and what is not known."""
    points = _unseeded(evidence.scores, evidence.auxiliary)
    unknown = [term for term, text in _facts(evidence) if not text]
    if unknown:
        points.append(f"Not known: {', '.join(unknown)}.")
    return (Section(title="What cannot be reproduced", points=tuple(points)),) if points else ()


def _facts(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield terms with what is known about each; empty if nothing is."""
    scores, auxiliary = evidence.scores, evidence.auxiliary
    known = {} if scores is None else scores.provenance
    yield "procedure", evidence.test.procedure or evidence.test.method
    if evidence.comparison is not None:
        yield "comparisons", _comparisons(evidence.comparison)
    design = None if scores is None else scores.design
    on_test_set = design is not None and design.on_test_set
    if not on_test_set:
        yield from _estimators(known.get("estimators", {}))
    yield "scoring", str(known.get("scoring", ""))
    if not on_test_set:
        yield from _splits("splits", design)
    if auxiliary is not None:
        yield from _splits("auxiliary splits", auxiliary.design)
        if design is not None and None not in (design.seed, auxiliary.design.seed):
            yield "to draw both again", _both_again(design, auxiliary.design)
    if "seed_of_resamples" in known:
        yield "bootstrap replicates", f"{known['n_resamples']}, seed {known['seed_of_resamples']}"
    yield "fingerprint of the target", (design and design.y_digest) or ""
    if not on_test_set:
        yield "time spent fitting", _fitting(scores, auxiliary)
    yield (
        f"versions at the {'comparison' if on_test_set else 'fits'}",
        _versions(known.get("versions", {})),
    )
    yield "version of this report", f"skcvstats {version('skcvstats')}"


def _comparisons(result: ComparisonResult) -> str:
    """Return the options of the comparison, as they are written in a call."""
    options: dict[str, Any] = {
        "reference": result.reference,
        "adjustment": result.adjustment,
        "margin": result.margin,
        "confidence_level": result.confidence_level,
    }
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def _estimators(known: dict[str, str]) -> Iterator[tuple[str, str]]:
    if not known:
        yield "estimators", ""
    for name, written in islice(known.items(), _MOST_ESTIMATORS):
        yield f"estimator {cut(name)}", written
    if len(known) > _MOST_ESTIMATORS:
        yield "further estimators", f"{len(known) - _MOST_ESTIMATORS}, in the provenance of scores"


def _splits(name: str, design: SplitDesign | None) -> Iterator[tuple[str, str]]:
    source = (design and design.source) or ""
    yield name, source
    if design is not None and design.seed is not None:
        seed = str(design.seed)
        if f"random_state={seed}" not in source:
            yield f"random_state of the {name}", seed
    yield f"fingerprint of the {name}", (design and design.digest) or ""


def _unseeded(*sets: CVScores | None) -> list[str]:
    """Say what was drawn without a seed: the splits, and random numbers in the fits."""
    found = []
    for part, name in zip(sets, ("splits", "auxiliary splits"), strict=True):
        if part is None:
            continue
        codes = {note.code for note in part.all_notes}
        if part.provenance.get("unseeded_splits") or "unseeded splits" in codes:
            found.append(f"The {name}, as cv has no integer random_state.")
    known = {} if not sets or sets[0] is None else sets[0].provenance.get("unseeded", {})
    for name, parameters in known.items():
        unset = ", ".join(f"{parameter}=None" for parameter in parameters)
        found.append(f"The fits of {cut(name)} as far as they are random ({unset}).")
    return found


def _both_again(design: SplitDesign, auxiliary: SplitDesign) -> str:
    if design.seed == auxiliary.seed:
        return f"random_state={design.seed}"
    return f"cv= the splits above, and random_state={auxiliary.seed}"


def _fitting(*sets: CVScores | None) -> str:
    parts = [scores for scores in sets if scores is not None]
    times = [scores.fit_times for scores in parts if scores.fit_times is not None]
    if not times or len(times) < len(parts):
        return ""
    seconds = sum(float(np.sum(spent)) for spent in times)
    n_fits = sum(spent.size for spent in times)
    return f"{format_seconds(seconds)} in {counted(n_fits, 'fit')}"


def _versions(known: dict[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in known.items())
