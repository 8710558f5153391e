"""One table of marks: every kind of claim has one, and they can be told apart."""

from skcvstats.plotting._style import MARKS
from skcvstats.stats import KINDS


class TestMarks:
    def test_there_is_one_for_every_kind_of_claim(self):
        assert list(MARKS) == list(KINDS)

    def test_they_can_be_told_apart_without_colour(self):
        assert len({(mark.marker, mark.filled) for mark in MARKS.values()}) == len(MARKS)

    def test_they_are_not_mistaken_for_the_arrows_of_intervals_or_the_reference(self):
        assert not {"<", ">", "D"} & {mark.marker for mark in MARKS.values()}
