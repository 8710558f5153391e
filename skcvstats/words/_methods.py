"""The methods section of a report, and how to reproduce the result."""

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from .._utils._checks import LISTED_SPLITS
from .._utils._text import as_sentence, counted, cut, format_percent, verb
from ..comparison import ComparisonResult, parts_of_adjusted
from ..model_selection import LearningCurveResult
from ..notes import CHOSEN_METHOD, NOT_AGAIN
from ..scores import UNVERIFIED_PAIRING, CVScores, SplitDesign
from ..stats import ADJUSTMENTS, UNNAMED_ESTIMATE, CVTestResult, within
from ._document import Citation, Paragraph, Section
from ._sentences import by_title, cut_said, on_test_set, provenance_of, search_of, some_metrics

_PROPOSITION = "nadeau1999"


class Evidence(NamedTuple):
    """A result with what its report needs, in the same form for a comparison and a single test."""

    result: Any
    test: Any
    names: tuple[str, ...]
    metrics: tuple[str, ...]
    scores: CVScores | None
    auxiliary: CVScores | None
    rankings: dict[str, Any]  # None of a metric with two estimators only

    @property
    def sets(self) -> list[CVScores]:
        """The scores that there are: those of the estimates, and the auxiliary ones."""
        return [scores for scores in (self.scores, self.auxiliary) if scores is not None]

    @property
    def comparison(self) -> ComparisonResult | None:
        """The result, if it is a comparison."""
        return self.result if isinstance(self.result, ComparisonResult) else None


def evidence_of(result: Any, rankings: dict[str, Any]) -> Evidence:
    """Gather what a report needs from a result and the rankings that were made of it."""
    if isinstance(result, ComparisonResult):
        tests = result.tests_by_metric[result.metrics[0]]
        auxiliary = next(iter(result.auxiliary_by_metric.values()), None)
        test = tests.example
        names = result.names
        metrics = result.metrics
        scores = tests.scores
    elif isinstance(result, LearningCurveResult):
        test = result.of_gains.example
        names = result.names
        metrics = (result.metric,)
        scores = result.scores
        auxiliary = None
    else:
        test = result
        metrics = (result.metric,)
        scores = result.scores
        auxiliary = result.auxiliary
        names = () if result.label == UNNAMED_ESTIMATE else (result.label,)
    return Evidence(result, test, names, metrics, scores, auxiliary, rankings)


def methods(evidence: Evidence) -> Section:
    """Say how the numbers were made, as a paper needs it, in the past tense."""
    paragraphs: list[tuple[Any, ...]] = [_measured(evidence)]
    chosen = (str(note) for note in evidence.result.notes if note.code == CHOSEN_METHOD)
    # without what could be done instead
    why = [re.split(r"\. |; (?=\w+ without|use |method=)", said)[0] for said in chosen]
    why = [said.replace('method="auto" chose', "By default this is") + "." for said in why]
    paragraphs += [*_each_tested(evidence), tuple(why), _inferred(evidence)]
    paragraphs += [_margin(evidence), _ranked(evidence), tuple(cut_said(evidence.result))]
    made = f"We used skcvstats {version('skcvstats')} and scikit-learn"
    paragraphs.append((made, Citation(("pedregosa2011",)), "."))
    return Section(
        title="Methods: how the numbers were made",
        paragraphs=[parts for parts in paragraphs if any(parts)],
    )


def _measured(evidence: Evidence) -> tuple[str]:
    test = evidence.test
    n_names = len(evidence.names)
    said = test.describe()
    sources = dict.fromkeys(
        scores.design.source.split("(")[0] for scores in evidence.sets if scores.design.source
    )
    sources.pop(LISTED_SPLITS, None)
    drawn = f", drawn by {' and '.join(sources)}" if sources else ""
    verified = test.scores is None or UNVERIFIED_PAIRING not in test.scores.notes
    same = f", {'' if verified else 'taken to be '}the same for all" if n_names > 1 else ""
    what = some_metrics(evidence.metrics, "metrics", len(evidence.metrics))
    come = verb(len(evidence.metrics), "comes", "come")
    common = search_of(evidence.scores).get("in common")
    search = f" Candidates had in common: {common}." if common else ""
    return (f"The {what} {come} from {said.sizes}{drawn}{same}.{search} {as_sentence(said.scope)}",)


def _each_tested(evidence: Evidence) -> list[tuple[str | Citation, ...]]:
    """Say how it was tested, for each metric if these have procedures of their own."""
    result = evidence.comparison
    if result is None or len(metrics := by_title(result)) == 1:
        return [_tested(evidence.test, result)]
    return [
        (
            f"For {some_metrics(of, 'metrics', len(of))}: ",
            *_tested(result.tests_by_metric[of[0]].example, result[of[0]]),
        )
        for of in metrics.values()
    ]


def _tested(test: Any, result: ComparisonResult | None) -> tuple[str | Citation, ...]:
    """Say by which procedure it was tested, what that assumes, and how p-values were made."""
    description = test.describe()
    if not test.asked:
        what = "The interval was computed"
        referred = "It is based on"
    else:
        what = "It was tested" if result is None else _compared(result)
        referred = "The statistic was referred to"
    how_made = "."
    if description.explanation:
        how_made = f"; its standard error is {description.explanation}."
    if description.assumption:
        how_made += f" {as_sentence(description.assumption)}"
    law = _reference_law(test, result)
    if law:
        how_made += f" {referred} {law}."
    by = f"{what} by the {test.title}"
    if not description.sources:  # the author of a procedure without sources cites nothing
        return (by, how_made)
    cited = Citation(description.sources)
    if test.fixed or description.varies_over == "test rows":
        return (by, cited, how_made)
    return (
        *(by, cited, how_made),
        " The variance of a mean over splits has no unbiased estimate",
        Citation((_PROPOSITION,)),
        ", so every test rests on an assumption.",
    )


def _reference_law(test: Any, result: ComparisonResult | None) -> str:
    """Name the distribution that statistics were referred to; empty if there is none."""
    law = str(test.describe().reference_law)
    if result is None:
        return law
    dfs = [tests.inference.df for tests in result.tests_by_metric.values()]
    if isinstance(test, CVTestResult) and any(np.unique(df).size > 1 for df in dfs):
        return "Student's t distribution with degrees of freedom of its own"
    is_together = result.n_adjusted > 1 and result.adjustment == "max_t"
    if is_together and law == "the normal distribution":
        law += " for each alone, and to a simulated one with tails as of Student's t for all"
    return law


def _compared(result: ComparisonResult) -> str:
    test = result.tests[0]
    of_units = {"test rows": "row by row", test.unit: f"on the same {test.unit}"}
    by = of_units.get(test.varies_over, "split by split")
    if test.method in ("jackknife_t", "bootstrap"):  # of a metric without scores of rows
        by = "on the same rows"
    if len(result) == len(result.metrics):
        return f"The difference, {by}, was tested"
    if result.reference is None:
        return f"The differences of all pairs, {by}, were tested"
    versus = {str(name) for tests in result.tests_by_metric.values() for name in tests.names[:, 1]}
    if len(versus) > 1:
        name = "the one with the highest score in each metric"
    else:
        best = ", which has the highest score," if result.reference == "best" else ""
        name = f"{versus.pop()}{best}"
    return f"The differences, {by}, from {name} were tested"


def _inferred(evidence: Evidence) -> tuple[str | Citation, ...]:
    """Say what the p-values and intervals are, and how they were adjusted."""
    result = evidence.comparison
    test = evidence.test
    said = []
    if test.asked and (null := test.describe().hypothesis):
        said.append(f"The p-values are {null}.")
    if test.has_interval:
        one_sided = test.alternative != "two-sided"
        ends = "bounds" if one_sided else "intervals"
        level = format_percent(evidence.result.confidence_level)
        said.append(f"The {ends} are {level} confidence {ends}.")
    if result is None or result.n_adjusted <= 1:
        return (" ".join(said),)
    adjustment = ADJUSTMENTS[result.adjustment]
    together = ""
    cited = (Citation((adjustment.source,)),) if result.adjustment != "none" else ()
    if adjustment.has_intervals and test.has_interval:
        of_one = " of a metric" if len(result.metrics) > 1 else ""
        together = f", so that all intervals{of_one} cover at once"
    how, not_intervals, _ = parts_of_adjusted(result)
    how = as_sentence(how).removesuffix(".").replace(" are adjusted", " were adjusted")
    return (" ".join([*said, how]), *cited, f"{not_intervals}{together}.")


def _margin(evidence: Evidence) -> tuple[str | Citation, ...]:
    """Say how it was decided whether differences matter."""
    result = evidence.comparison
    if result is None or result.margin is None or not len(result):
        return ()
    bounds = (tests.each_bounds for tests in result.tests_by_metric.values())
    turned = any(np.any(each != result.margin) for each in bounds)
    order = ", of an earlier estimator minus a later one," if turned else ""
    start = f"Differences {within(result.margin)}{order} do not matter. "
    alternative = evidence.test.alternative
    read = ", with p-values adjusted as a family of their own"
    if result.n_adjusted == 1 or result.adjustment == "none":
        level = format_percent(1 - 2 * result.comparisons[0].alpha)
        read = f", read from {level} intervals" if alternative == "two-sided" else ""
    elif ADJUSTMENTS[result.adjustment].has_intervals:
        read = ", read from the same intervals"
    goeman = Citation(("goeman2010",))
    if alternative != "two-sided":
        what = "Non-inferiority" if alternative == "greater" else "Non-superiority"
        return (f"{start}{what} was tested at the bound", goeman, f"{read}.")
    return (
        f"{start}Equivalence was tested by two one-sided tests",
        Citation(("schuirmann1987",)),
        f"{read}, together with superiority and inferiority",
        goeman,
        ".",
    )


def _ranked(evidence: Evidence) -> tuple[str | Citation, ...]:
    """Say how the columns of the rankings were made."""
    rankings = [rows for rows in evidence.rankings.values() if rows is not None]
    best = any(rows["could_be_best"].notna().any() for rows in rankings)
    said = ""
    if any(rows["low"].notna().any() for rows in rankings):
        said = f"The intervals of scores were not adjusted.{' ' if best else ''}"
    if not best:
        return (said,)
    return (
        f"{said}An estimator could be the best unless another is shown to be better, in one-sided "
        "comparisons adjusted for their number",
        Citation(("gupta1965", "hsu1984")),
        ".",
    )


# A search may have more candidates.
_MOST_ESTIMATORS = 50


def reproduction(evidence: Evidence) -> list[Section]:
    """Say what is needed to reproduce the result, and what cannot be: not seeded or not known."""
    facts = list(_facts(evidence))
    known = [(term, text) for term, text in facts if text]
    sections = [Section("How to reproduce this", facts=known)]
    points: list[Paragraph] = [*_unseeded(evidence)]
    if len(known) < len(facts):
        unknown = (term for term, text in facts if not text)
        points.append(f"Not known: {', '.join(unknown)}.")
    return [*sections, Section("What cannot be reproduced", points=points)] if points else sections


def _facts(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield terms with what is known about each; empty if nothing is."""
    comparison = evidence.comparison
    if comparison is None:
        yield "procedure", evidence.test.procedure
    else:
        tests = comparison.tests_by_metric.values()
        yield "procedure", _together(of_metric.inference.procedure for of_metric in tests)
        yield "comparisons", _comparisons(comparison)
    if on_test_set(evidence.scores):
        yield from _facts_of_test_set(evidence)
    else:
        yield from _facts_of_fits(evidence)
    yield "version of this report", f"skcvstats {version('skcvstats')}"


def _provenances(evidence: Evidence) -> list[Mapping[str, Any]]:
    """Return what is known about the scores of each metric, the first first."""
    if evidence.comparison is not None:
        tests = evidence.comparison.tests_by_metric.values()
        return [of_metric.scores.provenance for of_metric in tests]
    return [provenance_of(evidence.scores)]


def _scoring(provenances: list[Mapping[str, Any]]) -> str:
    """Return what was measured, as it is known of each metric."""
    return _together(str(known.get("scoring", "")) for known in provenances)


def _facts_of_test_set(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield what is known about scores of fitted models."""
    provenances = _provenances(evidence)
    yield "scoring", _scoring(provenances)
    drawn = [
        f"{known['n_resamples']}, seed {known['seed_of_resamples']}"
        for known in provenances
        if "seed_of_resamples" in known
    ]
    if drawn:
        yield "bootstrap replicates", _together(drawn)
    yield "fingerprint of the target", _digest_of_target(evidence.scores)
    yield "versions at the comparison", _versions(provenances[0])


# What there is to know about fits, where nothing is known.
_FACTS_OF_FITS = (
    *("estimators", "scoring", "splits", "fingerprint of the splits", "fingerprint of the target"),
    *("time spent fitting", "versions at the fits"),
)


def _facts_of_fits(evidence: Evidence) -> Iterator[tuple[str, str]]:
    """Yield what is known about the fits and their splits."""
    scores = evidence.scores
    auxiliary = evidence.auxiliary
    if scores is None:
        yield from dict.fromkeys(_FACTS_OF_FITS, "").items()
        return
    design = scores.design
    provenances = _provenances(evidence)
    known = scores.provenance
    yield from _estimators(known.get("estimators", {}))
    if "seed_of_fits" in known:
        yield "seeds of the fits", f"fresh_seeds=True, random_state={known['seed_of_fits']}"
    if "params" in known:
        yield "params", known["params"]
    yield "scoring", _scoring(provenances)
    yield from _splits("splits", design)
    if auxiliary is not None:
        yield from _splits("auxiliary splits", auxiliary.design)
        if None not in (design.seed, auxiliary.design.seed):
            splits = "" if design.seed == auxiliary.design.seed else "cv= the splits above, and "
            yield "to draw both again", f"{splits}random_state={auxiliary.design.seed}"
    yield "fingerprint of the target", _digest_of_target(scores)
    yield "time spent fitting", _fitting(evidence.sets)
    yield "versions at the fits", _versions(known)


def _digest_of_target(scores: CVScores | None) -> str:
    """Return the fingerprint of the target; empty if it is not known."""
    return "" if scores is None else scores.design.y_digest or ""


def _versions(known: Mapping[str, Any]) -> str:
    """Return the versions of packages, as they were recorded."""
    return ", ".join(f"{name} {number}" for name, number in known.get("versions", {}).items())


def _together(of_metrics: Iterable[str]) -> str:
    """Join what is known of the metrics, each once."""
    return "; ".join(dict.fromkeys(filter(None, of_metrics)))


def _comparisons(result: ComparisonResult) -> str:
    """Return the options of the comparison, as they are written in a call."""
    adjusted = ["adjustment"] * (result.n_adjusted > 1)
    options = ("reference", *adjusted, "margin", "confidence_level")
    return ", ".join(f"{name}={getattr(result, name)!r}" for name in options)


def _estimators(known: dict[str, str]) -> Iterator[tuple[str, str]]:
    if not known:
        yield "estimators", ""
    for name, written in islice(known.items(), _MOST_ESTIMATORS):
        yield f"estimator {cut(name)}", written
    if len(known) > _MOST_ESTIMATORS:
        yield "further estimators", f"{len(known) - _MOST_ESTIMATORS}, in the provenance of scores"


def _splits(name: str, design: SplitDesign) -> Iterator[tuple[str, str]]:
    source = design.source or ""
    yield name, source
    if design.seed is not None:
        seed = str(design.seed)
        if f"random_state={seed}" not in source:
            yield f"random_state of the {name}", seed
    yield f"fingerprint of the {name}", design.digest or ""


def _unseeded(evidence: Evidence) -> list[str]:
    """Say what was drawn without a seed: the splits, and random numbers in the fits."""
    found = []
    for part, name in zip(evidence.sets, ("splits", "auxiliary splits"), strict=False):
        if part.provenance.get("unseeded_splits") or NOT_AGAIN in part.all_notes:
            found.append(f"The {name}, as cv has no integer random_state.")
    known = provenance_of(evidence.scores).get("unseeded", {})
    for name, parameters in known.items():
        unset = ", ".join(f"{parameter}=None" for parameter in parameters)
        found.append(f"The fits of {cut(name)}, as far as they are random ({unset}).")
    return found


def _fitting(sets: list[CVScores]) -> str:
    times = [scores.fit_times for scores in sets if scores.fit_times is not None]
    if len(times) < len(sets):
        return ""
    seconds = sum(float(np.sum(spent)) for spent in times)
    fits = counted(sum(spent.size for spent in times), "fit")
    for unit, size, end in (("s", 1, 120), ("min", 60, 7200)):
        if seconds < end:
            return f"{seconds / size:.3g} {unit} in {fits}"
    return f"{seconds / 3600:.1f} h in {fits}"
