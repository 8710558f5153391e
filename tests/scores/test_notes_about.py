"""Of notes on several estimators or tests, those on some of them."""

import numpy as np
import pytest

from skcvstats.scores import Note, note_on_tests, notes_about, union

GENERAL = Note("general", "it is general", None)
LISTING = Note("listing", "'a', 'b', 'c': they are listed", None, ("a", "b", "c"))


@pytest.mark.parametrize(
    ("names", "texts"),
    [
        (["b"], ["it is general", "'b': they are listed"]),
        (["c", "a"], ["it is general", "'a', 'c': they are listed"]),
        (["d"], ["it is general"]),
        (None, ["it is general", "'a', 'b', 'c': they are listed"]),
    ],
)
def test_others_are_not_listed(names, texts):
    assert list(map(str, notes_about([GENERAL, LISTING], names))) == texts


def test_a_note_on_one_test_stands_in_the_place_of_that_on_all():
    (found,) = note_on_tests("some", np.array([True, False, True]), "test {}".format, "2 of 3")
    notes = [GENERAL, found.together, LISTING]
    on_each = {"some": found.on_each}
    texts = [list(map(str, notes_about(notes, ["a"], on_each, k))) for k in range(3)]
    listed = "'a': they are listed"
    assert texts[0] == ["it is general", "test 0", listed]
    assert texts[1] == ["it is general", listed]
    assert texts[2] == ["it is general", "test 2", listed]
    assert found.together == Note("some", "2 of 3", None)


def test_of_one_test_only_there_is_its_own_text():
    (found,) = note_on_tests("some", np.array([True]), "test {}".format, "1 of 1")
    assert found.together.text == "test 0"


def test_of_no_test_there_is_none():
    assert note_on_tests("some", np.array([False, False]), "test {}".format, "0 of 2") == ()


def test_notes_of_one_text_about_others_are_not_the_same():
    pair = Note("general", "it is general", None, ("a", "b"))
    assert union([GENERAL, pair], [GENERAL]) == (GENERAL, pair)
