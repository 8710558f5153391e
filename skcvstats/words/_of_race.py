"""What is said of a race: who was followed to the end, what that shows, and how others left."""

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import numpy as np

from .._utils._checks import one_line
from .._utils._metrics import shown_as
from .._utils._text import as_sentence, counted, cut, format_number, format_percent, verb
from ..comparison import CandidatesEvidence
from ..model_selection import RacingSearchCV
from ..scores import Note, find_notes, union
from ..stats import CorrectedResampledTTest
from ._document import Citation, Paragraph, Section
from ._methods import METHODS
from ._parts import Parts, parts
from ._sentences import and_more, as_read, in_full, score_table, some

_OF_RACES = ("nadeau1999", "nadeau2003", "dunn1961")


class PartsOfRace(Parts):
    """What is said of a fitted race."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """None: `fit` gave them as warnings."""
        return ()

    def at_level(self, level: float | None) -> RacingSearchCV:
        if level is not None or not hasattr(self.result, "cv_results_"):
            raise ValueError(
                "A race is reported once it is fitted, and at the level at which candidates left: "
                "call fit, and leave confidence_level out."
            )
        race: RacingSearchCV = self.result
        return race

    def printed(self) -> list[Section]:
        answer = " ".join(_said_of_race(self.result))
        return [Section(paragraphs=[answer, *in_full(self._notes_on_winner())])]

    def _notes_on_winner(self) -> tuple[Note, ...]:
        """Return the note on how optimistic the best score of those at the end is."""
        return find_notes(CandidatesEvidence(scores=self.result.scores_))

    def subject(self) -> str:
        return f"a race of {counted(len(self.result.to_frame()), 'candidate')}"

    def found(self, most_rows: int) -> list[Section]:
        race = self.result
        ranked = race.to_frame().assign(low=np.nan, high=np.nan)
        table, left = score_table(
            as_read(ranked, race.scores_.metric),
            race.confidence_level,
            head="candidate",
            most_rows=most_rows,
        )
        own = "A score is the mean over the splits on which the candidate was fitted."
        below: list[Any] = [*map(as_sentence, and_more(left, "see to_frame()")), own]
        answer = " ".join(_said_of_race(race))
        return [
            Section("Answer", paragraphs=[answer], leads=True),
            Section("Ranking", table=table, paragraphs=below),
        ]

    def limitations(self) -> list[Paragraph]:
        scores = self.result.scores_
        notes = union(self._notes_on_winner(), scores.all_notes, _TEST.notes(scores.design))
        return in_full(notes)

    def methods(self) -> list[Section]:
        race = self.result
        if not race.rule:
            return []
        level = "alpha/(2 L (C - 1))" if race.rule == "evidence" else "alpha/L"
        assumption = _TEST.describe(race.scores_.design).assumption
        tested = (
            f"After each split from {race.min_splits} on but the last, candidates were compared "
            f"with the highest mean so far by the one-sided {_TEST.title}",
            Citation(_OF_RACES),
            f". They left if p < {level}, with alpha = {1 - race.confidence_level:.3g}, L = "
            f"{race.n_splits_ - race.min_splits} looks and C = "
            f"{counted(len(race.to_frame()), 'candidate')}. {as_sentence(assumption)}",
        )
        return [Section(METHODS, paragraphs=[tested])]

    def reproduction(self) -> list[Section]:
        race = self.result
        made = ("skcvstats", version("skcvstats"))
        facts = [("search", one_line(race)), ("splits", str(race.scores_.design.source)), made]
        return [Section("How to reproduce this", facts=facts)]


parts.register(RacingSearchCV, PartsOfRace)
_TEST = CorrectedResampledTTest(alternative="less")


def _said_of_race(race: RacingSearchCV) -> Iterator[str]:
    """Say how many were followed and what that saved, what is shown, and the highest mean."""
    frame = race.to_frame()
    claims = race.rule == "evidence"
    left = frame["dropped_after"].gt(0)
    whole = np.isfinite(frame["score"])
    n_all = len(frame)
    n_gone = int(left.sum())
    n_missing = int((~whole).sum())
    n_fits = n_all * race.n_splits_
    n_done = frame["n_splits_done"].sum()
    level = f"({format_percent(race.confidence_level)} confidence)"
    best = frame["estimator"][0]
    were = verb(n_all - n_gone, "was", "were")
    yield (
        f"{n_all - n_gone} of {counted(n_all, 'candidate')} {were} followed to the end; "
        f"{n_fits - n_done} of {n_fits} fits were saved."
    )
    if found := race.best_set() if claims else ():
        named = some(found, "best_set()")
        could = f"could be the best of all {level}"
        yield f"Only {named} {could}." if len(found) == 1 else f"{len(found)} {could}: {named}."
    if race.stopped_after_ is not None:
        shown = f"It is shown {level}" if claims else "The scores suggest, without a test,"
        yield (
            f"{shown} that no candidate is better than {cut(best)} by more than {race.margin:g}, "
            f"so the race ended after {race.stopped_after_} of {race.n_splits_} splits."
        )
    if whole[0]:
        read = shown_as(race.scores_.metric)
        score = format_number(read.number(frame["score"][0]))
        most = "highest"
        most = "lowest" if read.is_loss else most
        yield f"The {most} mean {read.name} at the end is {score}, of {cut(best)}."
    if (left & whole).any():
        yield f"No {'other ' if claims else ''}conclusion about eliminated candidates."
    if n_missing:
        yield f"Nothing is known about {counted(n_missing, 'candidate')} with missing scores."
