"""What is said of a race: who was followed to the end, and what that shows."""

from collections.abc import Iterator
from importlib.metadata import version

import numpy as np

from .._utils._checks import one_line
from .._utils._text import counted, cut, format_number, format_percent, sentence
from ..model_selection import RacingSearchCV
from ..scores import union
from ..stats import CorrectedResampledTTest
from ._document import Citation, Document, Section
from ._references import bibliography
from ._sentences import some
from ._tables import score_table

_SOURCES = ("nadeau1999", "nadeau2003", "dunn1961")


def sentences_of_race(race: RacingSearchCV) -> Iterator[str]:
    """Say how many were followed and what that saved, what is shown, and the highest mean."""
    frame, claims = race.to_frame(), race.rule == "evidence"
    left, whole = frame["dropped_after"].gt(0), np.isfinite(frame["score"])
    n_all, n_gone, n_missing = len(frame), int(left.sum()), int((~whole).sum())
    n_fits, n_done = n_all * race.n_splits_, frame["n_splits_done"].sum()
    level, best = f"({format_percent(race.confidence_level)} confidence)", frame["estimator"][0]
    were = "was" if n_all - n_gone == 1 else "were"
    yield (
        f"{n_all - n_gone} of {counted(n_all, 'candidate')} {were} followed to the end; "
        f"{n_fits - n_done} of {n_fits} fits were saved."
    )
    if found := race.best_set() if claims else ():
        named, could = some(found, "best_set()"), f"could be the best of all {level}"
        yield f"Only {named} {could}." if len(found) == 1 else f"{len(found)} {could}: {named}."
    if race.stopped_after_ is not None:
        shown = f"It is shown {level}" if claims else "The scores suggest, without a claim,"
        yield (
            f"{shown} that no candidate is better than {cut(best)} by more than {race.margin:g}, "
            f"so the race ended after {race.stopped_after_} of {race.n_splits_} splits."
        )
    if whole[0]:
        score = format_number(frame["score"][0])
        yield f"The highest mean {race.scores_.metric} at the end is {score}, of {cut(best)}."
    if (left & whole).any():
        yield f"Nothing{' else' if claims else ''} is claimed about those that fell behind."
    if n_missing:
        yield f"Nothing is known about {counted(n_missing, 'candidate')} with missing scores."


def document_of_race(race: RacingSearchCV, most_rows: int) -> Document:
    """Return the report of a race."""
    frame, design = race.to_frame(), race.scores_.design
    ranked = frame.assign(low=np.nan, high=np.nan)
    table, left = score_table(ranked, race.confidence_level, head="candidate", most_rows=most_rows)
    more = (f"And {left} more, see to_frame().",) if left else ()
    test = CorrectedResampledTTest(alternative="less")
    notes = union(race.scores_.all_notes, test.notes(design))
    own = "A score is the mean over the splits on which the candidate was fitted."
    best = "The score of the best is optimistic, as it was chosen for it."
    level = "alpha/(2 L (C - 1))" if race.rule == "evidence" else "alpha/L"
    tested = (
        f"After each split from {race.min_splits} on but the last, candidates were compared with "
        f"the highest mean so far by the one-sided {test.title}",
        Citation(_SOURCES),
        f". They left if p < {level}, with alpha = {1 - race.confidence_level:.3g}, L = "
        f"{race.n_splits_ - race.min_splits} looks and C = {counted(len(frame), 'candidate')}. "
        f"{sentence(test.describe(design).assumption)}",
    )
    methods = Section(title="Methods: how the numbers were made", paragraphs=(tested,))
    said = " ".join(sentences_of_race(race))
    sections = (
        Section(title="Answer", paragraphs=(said,), leads=True),
        Section(title="Ranking", table=table, paragraphs=(*more, own)),
        Section(title="Limitations", points=(best, *(sentence(str(note)) for note in notes))),
        *([methods] if race.rule else []),
    )
    made = ("skcvstats", version("skcvstats"))
    facts = (("search", one_line(race)), ("splits", str(design.source)), made)
    again = Section(title="How to reproduce this", facts=facts)
    title = f"Evaluation report: a race of {counted(len(frame), 'candidate')}"
    return Document(title, sections, (again,), bibliography(_SOURCES))
