"""The footer of a report: what somebody needs to repeat the experiment."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import numpy as np

from .._utils import counted, format_seconds
from ..comparison import ADJUSTMENTS, ComparisonResult
from ..scores import NOT_AGAIN, TEST_SET, CVScores, SplitDesign
from ..stats import within
from ._document import Section
from ._evidence import Evidence

_UNKNOWN = "not known"


def to_repeat(evidence: Evidence) -> Section:
    """Gather what somebody needs to repeat the experiment.

    Parameters
    ----------
    evidence : Evidence
        What is reported.
    """
    scores, auxiliary = evidence.scores, evidence.auxiliary
    known = {} if scores is None else scores.provenance
    facts = [("procedure", evidence.test.procedure or evidence.test.method)]
    if evidence.comparison is not None:
        facts += [("comparisons", _comparisons(evidence.comparison))]
    design = None if scores is None else scores.design
    on_test_set = design is not None and design.levels == TEST_SET
    if known.get("data"):
        facts += [("data", "; ".join(known["data"]))]
    if not on_test_set:
        facts += _estimators(known.get("estimators", {}))
    facts += [("scoring", str(known.get("scoring", _UNKNOWN)))]
    facts += [] if on_test_set else _splits("splits", design)
    if auxiliary is not None:
        facts += _splits("auxiliary splits", auxiliary.design)
        if design is not None and None not in (design.seed, auxiliary.design.seed):
            facts += [("to draw both again", _both_again(design, auxiliary.design))]
    if unseeded := _unseeded(scores, auxiliary):
        facts += [("cannot be reproduced", unseeded)]
    if "seed_of_resamples" in known:
        drawn = f"{known['n_resamples']}, seed {known['seed_of_resamples']}"
        facts += [("bootstrap replicates", drawn)]
    measured = "comparison" if on_test_set else "fits"
    facts += [
        ("fingerprint of the target", (design and design.y_digest) or _UNKNOWN),
        *([] if on_test_set else [("time spent fitting", _fitting(scores, auxiliary))]),
        (f"versions at the {measured}", _versions(known.get("versions", {}))),
        ("version of this report", f"skcvstats {version('skcvstats')}"),
    ]
    return Section(title="To repeat this", facts=tuple(facts))


def _comparisons(result: ComparisonResult) -> str:
    pairs = "all pairs" if result.reference is None else f"with reference={result.reference!r}"
    if result.margin is not None:
        pairs += f"; margin {within(result.margin).removeprefix('within ')}"
    if result.n_adjusted == 1:
        return pairs
    how = "p-values not adjusted"
    if result.adjustment != "none":
        adjustment = ADJUSTMENTS[result.adjustment]
        what = "p-values and intervals" if adjustment.has_intervals else "p-values"
        how = f"{what} adjusted by {adjustment.words}"
    return f"{pairs}; {how}"


def _estimators(known: dict[str, str]) -> Iterator[tuple[str, str]]:
    if not known:
        yield "estimators", _UNKNOWN
    for name, written in known.items():
        yield f"estimator {name}", written


def _splits(name: str, design: SplitDesign | None) -> Iterator[tuple[str, str]]:
    yield name, (design and design.source) or _UNKNOWN
    if design is not None and design.seed is not None:
        yield f"random_state of the {name}", str(design.seed)
    yield f"fingerprint of the {name}", (design and design.digest) or _UNKNOWN


def _unseeded(*sets: CVScores | None) -> str:
    """Say what was drawn without a seed: the splits, and what the estimators draw in a fit."""
    found = []
    for part, name in zip(sets, ("splits", "auxiliary splits"), strict=True):
        if part is None:
            continue
        codes = {note.code for note in part.all_notes}
        if part.provenance.get("unseeded_splits") or NOT_AGAIN.code in codes:
            found.append(f"the {name}, as cv has no integer random_state")
    known = {} if not sets or sets[0] is None else sets[0].provenance.get("unseeded", {})
    for name, parameters in known.items():
        unset = ", ".join(f"{parameter}=None" for parameter in parameters)
        found.append(f"the fits of {name} as far as they are random ({unset})")
    return "; ".join(found)


def _both_again(design: SplitDesign, auxiliary: SplitDesign) -> str:
    if design.seed == auxiliary.seed:
        return f"random_state={design.seed}"
    return f"cv= the splits above, and random_state={auxiliary.seed}"


def _fitting(*sets: CVScores | None) -> str:
    parts = [scores for scores in sets if scores is not None]
    times = [scores.fit_times for scores in parts if scores.fit_times is not None]
    if not times or len(times) < len(parts):
        return _UNKNOWN
    seconds = sum(float(np.sum(spent)) for spent in times)
    n_fits = sum(spent.size for spent in times)
    fast = sum(sum(scores.provenance.get("fast_paths", {}).values()) for scores in parts)
    closed = f", {fast} of them by closed forms instead of refitting" if fast else ""
    return f"{format_seconds(seconds)} in {counted(n_fits, 'fit')}{closed}"


def _versions(known: dict[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in known.items()) or _UNKNOWN
