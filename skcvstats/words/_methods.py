"""How the numbers of tests were made, in words, and how to make them again."""

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from itertools import islice
from typing import Any

import numpy as np

from .._utils._checks import LISTED_SPLITS
from .._utils._text import as_sentence, counted, cut, format_number, format_percent, verb
from ..notes import CHOSEN_METHOD, NOT_AGAIN
from ..scores import CVScores, SplitDesign
from ._document import Citation, Paragraph, Section
from ._parts import Parts
from ._sentences import on_test_set, provenance_of, search_of, some_metrics

METHODS = "Methods: how the numbers were made"
_CHOSEN = 'method="auto" chose'
_INSTEAD = re.compile(r"\. |; (?=\w+ without|use |method=)")  # what could be done instead
_PROPOSITION = "nadeau1999"
Words = tuple[str | Citation, ...]  # of a paragraph


class Methods(Parts):
    """What is said of the tests that a result consists of: how they and their scores were made."""

    test: Any  # the only one, or an example
    auxiliary: CVScores | None

    def at_level(self, level: float | None) -> Any:
        return self.result if level is None else self.result.with_confidence(level)

    def cut_intervals(self) -> list[str]:
        """Say that intervals are cut, if any are."""
        return []

    @property
    def sets(self) -> list[CVScores]:
        """The scores that there are: those of the estimates, and the auxiliary ones."""
        return [scores for scores in (self.scores, self.auxiliary) if scores is not None]

    @property
    def provenances(self) -> list[Mapping[str, Any]]:
        """What is known about the scores of each metric, the first first."""
        return [provenance_of(self.scores)]

    def methods(self) -> list[Section]:
        paragraphs = [self._measured(), *self.tested(), self._why(), self._inferred()]
        paragraphs += [*self.decided(), tuple(self.cut_intervals())]
        made = f"We used skcvstats {version('skcvstats')} and scikit-learn"
        paragraphs.append((made, Citation(("pedregosa2011",)), "."))
        return [Section(METHODS, paragraphs=[each for each in paragraphs if any(each)])]

    def _measured(self) -> Words:
        said = self.test.describe()
        sources = dict.fromkeys(
            scores.design.source.split("(")[0] for scores in self.sets if scores.design.source
        )
        sources.pop(LISTED_SPLITS, None)
        drawn = f", drawn by {' and '.join(sources)}" if sources else ""
        what = some_metrics(self.metrics, "metrics", len(self.metrics))
        come = verb(len(self.metrics), "comes", "come")
        common = search_of(self.scores).get("in common")
        search = f" Candidates had in common: {common}." if common else ""
        same = self.taken_to_be_same()
        scope = as_sentence(said.scope)
        return (f"The {what} {come} from {said.sizes}{drawn}{same}.{search} {scope}",)

    def taken_to_be_same(self) -> str:
        """Say whether the splits of several estimators are the same."""
        return ""

    def _why(self) -> Words:
        """Say why the procedure is not the usual one, without what could be done instead."""
        why = list[str]()
        for note in self.result.notes:
            if note.code == CHOSEN_METHOD:
                said = _INSTEAD.split(note.text)[0]
                why.append(f"{said.replace(_CHOSEN, 'By default this is')}.")
        return tuple(why)

    def tested(self) -> list[Words]:
        """Say how it was tested."""
        return [tested(self.test, "It was tested", str(self.test.describe().reference_law))]

    def _inferred(self) -> Words:
        """Say what the p-values and intervals are, and how they were adjusted."""
        test = self.test
        said = []
        if test.asked and (null := test.describe().hypothesis):
            said.append(f"The p-values are {null}.")
        if test.has_interval:
            ends = "intervals" if test.alternative == "two-sided" else "bounds"
            level = format_percent(self.result.confidence_level)
            said.append(f"The {ends} are {level} confidence {ends}.")
        return (" ".join(said), *self.adjusted())

    def adjusted(self) -> Words:
        """Say how p-values and intervals of several tests were adjusted."""
        return ()

    def decided(self) -> list[Words]:
        """Say how it was decided what differences matter, and which could be the best."""
        return []

    def compared_by(self) -> Iterator[tuple[str, str]]:
        """Yield the procedure, and the options of the comparison."""
        yield "procedure", self.test.procedure

    def reproduction(self) -> list[Section]:
        facts = list(_facts(self))
        known = [(term, text) for term, text in facts if text]
        sections = [Section("How to reproduce this", facts=known)]
        points: list[Paragraph] = [*_unseeded(self)]
        if len(known) < len(facts):
            unknown = (term for term, text in facts if not text)
            points.append(f"Not known: {', '.join(unknown)}.")
        if points:
            sections.append(Section("What cannot be reproduced", points=points))
        return sections


def tested(test: Any, what: str, law: str) -> Words:
    """Say by which procedure it was tested, what that assumes, and how p-values were made."""
    description = test.describe()
    referred = "The statistic was referred to"
    if not test.asked:
        what = "The interval was computed"
        referred = "It is based on"
    how_made = "."
    if description.explanation:
        how_made = f"; its standard error is {description.explanation}."
    if description.assumption:
        how_made += f" {as_sentence(description.assumption)}"
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


# A search may have more candidates.
_MOST_ESTIMATORS = 50


def _facts(said: Methods) -> Iterator[tuple[str, str]]:
    """Yield terms with what is known about each; empty if nothing is."""
    yield from said.compared_by()
    if on_test_set(said.scores):
        yield from _facts_of_test_set(said)
    else:
        yield from _facts_of_fits(said)
    yield "version of this report", f"skcvstats {version('skcvstats')}"


def _scoring(provenances: list[Mapping[str, Any]]) -> str:
    """Return what was measured, as it is known of each metric."""
    return together(str(known.get("scoring", "")) for known in provenances)


def _facts_of_test_set(said: Methods) -> Iterator[tuple[str, str]]:
    """Yield what is known about scores of fitted models."""
    scores: Any = said.scores
    provenances = said.provenances
    yield "scoring", _scoring(provenances)
    drawn = [
        f"{known['n_resamples']}, seed {known['seed_of_resamples']}"
        for known in provenances
        if "seed_of_resamples" in known
    ]
    if drawn:
        yield "bootstrap replicates", together(drawn)
    yield "fingerprint of the target", scores.design.y_digest or ""
    yield "versions at the comparison", _versions(provenances[0])


# What there is to know about fits, where nothing is known.
_FACTS_OF_FITS = (
    *("estimators", "scoring", "splits", "fingerprint of the splits", "fingerprint of the target"),
    *("time spent fitting", "versions at the fits"),
)


def _facts_of_fits(said: Methods) -> Iterator[tuple[str, str]]:
    """Yield what is known about the fits and their splits."""
    scores = said.scores
    auxiliary = said.auxiliary
    if scores is None:
        yield from dict.fromkeys(_FACTS_OF_FITS, "").items()
        return
    design = scores.design
    provenances = said.provenances
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
    yield "fingerprint of the target", scores.design.y_digest or ""
    yield "time spent fitting", _fitting(said.sets)
    yield "versions at the fits", _versions(known)


def _versions(known: Mapping[str, Any]) -> str:
    """Return the versions of packages, as they were recorded."""
    return ", ".join(f"{name} {number}" for name, number in known.get("versions", {}).items())


def together(of_metrics: Iterable[str]) -> str:
    """Join what is known of the metrics, each once."""
    return "; ".join(dict.fromkeys(filter(None, of_metrics)))


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


def _unseeded(said: Methods) -> list[str]:
    """Say what was drawn without a seed: the splits, and random numbers in the fits."""
    found = []
    for part, name in zip(said.sets, ("splits", "auxiliary splits"), strict=False):
        if part.provenance.get("unseeded_splits") or NOT_AGAIN in part.all_notes:
            found.append(f"The {name}, as cv has no integer random_state.")
    known = provenance_of(said.scores).get("unseeded", {})
    for name, parameters in known.items():
        unset = ", ".join(f"{parameter}=None" for parameter in parameters)
        found.append(f"The fits of {cut(name)}, as far as they are random ({unset}).")
    return found


def _fitting(sets: list[CVScores]) -> str:
    times = [scores.fit_times for scores in sets if scores.fit_times is not None]
    if len(times) < len(sets):
        return ""
    seconds = sum(float(np.sum(spent)) for spent in times)
    return f"{format_number(seconds)} s in {counted(sum(map(np.size, times)), 'fit')}"
