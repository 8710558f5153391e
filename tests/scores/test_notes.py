"""Notes: objects, on designs and on scores, and in files."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

from skcvstats import (
    AnticonservativeWarning,
    CorrectedResampledTTest,
    CVScores,
    RepeatedSubsampleSplit,
    SplitDesign,
    SplitDesignWarning,
)
from skcvstats._utils._documents import _checksum
from skcvstats.scores import Note, as_notes, stack_scores, union, warn_of
from skcvstats.scores._pairing import pair_designs

Y = np.random.default_rng(0).integers(2, size=60)
NOTE = Note("some code", "some text")


def codes(notes):
    return [note.code for note in notes]


def from_indices(cv, y=Y):
    train, test = zip(*cv.split(y, y), strict=True)
    return SplitDesign.from_indices(train, test, y=y)


class OfTheFamily(StratifiedKFold):
    """A subclass of a splitter that is known."""


class TestNote:
    def test_its_text_and_category(self):
        assert str(NOTE) == f"{NOTE}" == "some text"
        assert NOTE.category is SplitDesignWarning
        for category in (UserWarning, "SplitDesignWarning", ValueError):
            with pytest.raises(TypeError, match=r"must be None or one of .*SplitDesignWarning"):
                as_notes([Note("a", "b", category)])
        with pytest.raises(TypeError, match="a code and a text"):
            as_notes([Note("a", None)])

    def test_strings_are_no_warnings(self):
        assert as_notes(["text", NOTE, "text"]) == (Note("note", "text", None), NOTE)
        for given in ("text", NOTE, None, [3]):
            with pytest.raises(TypeError, match="must be notes, warnings or strings"):
                as_notes(given)

    def test_once_each(self):
        other = Note("other", "text", None)
        assert union([NOTE, other], [NOTE]) == (NOTE, other)
        with pytest.warns(SplitDesignWarning, match=r"^Some text\.$") as caught:
            warn_of([NOTE, other, NOTE])
        assert len(caught) == 1


class TestDesign:
    def test_notes_take_no_part_in_equality_and_pairing(self):
        bare = from_indices(ShuffleSplit(4, random_state=0))
        noted = replace(bare, notes=(NOTE,))
        assert bare == noted
        assert hash(bare) == hash(noted)
        assert repr(bare) == repr(noted)
        assert pair_designs(bare, noted)[0].notes == (NOTE,)

    def test_differences_and_stacks_take_the_union(self):
        other = Note("other", "text", None)
        bare = from_indices(ShuffleSplit(4, random_state=0), y=Y)
        a, b = (
            CVScores(values=np.arange(4.0), design=replace(bare, notes=notes), notes=(f"of {k}",))
            for k, notes in enumerate([(NOTE,), (other, NOTE)])
        )
        for both in (a - b, stack_scores({"a": a, "b": b})):
            assert both.design.notes == (NOTE, other)
            assert set(map(str, both.notes)) >= {"of 0", "of 1"}
            assert both.all_notes[:2] == (NOTE, other)

    def test_some_of_the_splits(self):
        time = from_indices(TimeSeriesSplit(5))
        assert codes(time.notes) == codes(time.take([0, 2]).notes) == ["time order"]
        assert time.take([2]).notes == ()
        assert replace(time, notes=(NOTE,)).take([2]).notes == (NOTE,)

    def test_groups_torn_apart(self):
        groups = np.arange(60) // 3
        train, test = zip(*GroupKFold(5).split(Y, Y, groups), strict=True)
        assert SplitDesign.from_indices(train, test, groups=groups).notes == ()
        one_torn = [np.arange(30, 60), np.arange(31)], [np.arange(30), np.arange(31, 60)]
        first, *_ = SplitDesign.from_indices(*one_torn, groups=groups).notes
        assert first.code == "groups split across training and test"

    def test_time_order_whatever_made_it(self):
        walk = [np.arange(k) for k in (20, 30, 40)], [np.arange(k, k + 10) for k in (20, 30, 40)]
        (note,) = SplitDesign.from_indices(*walk, n_samples=60).notes
        assert (note.code, note.category) == ("time order", AnticonservativeWarning)
        alone = SplitDesign.from_indices(walk[0][:1], walk[1][:1], n_samples=60)
        assert alone.notes == ()  # one holdout
        shuffled = SplitDesign.from_indices(*([*part, part[0]] for part in walk), n_samples=60)
        assert codes(shuffled.notes) == ["repeated splits", "time order"]
        last = [rows[-10:] for rows in walk[0]], walk[1]  # as max_train_size does
        assert codes(SplitDesign.from_indices(*last, n_samples=60).notes) == ["time order"]
        backwards = SplitDesign.from_indices([*walk[0], walk[1][0]], [*walk[1], walk[0][0]])
        assert backwards.notes == ()

    @pytest.mark.parametrize(
        "y", [np.sort(Y), np.arange(60.0), np.repeat(["b", "c", "a"], 20), np.sort(Y)[:, None]]
    )
    def test_unshuffled_folds_of_a_sorted_target(self, y):
        for made in (SplitDesign.from_splitter(KFold(6), y, y), from_indices(KFold(6), y=y)):
            assert codes(made.notes) == ["sorted target"]
        assert from_indices(KFold(6, shuffle=True, random_state=0), y=y).notes == ()
        assert from_indices(LeaveOneOut(), y=y).notes == ()

    def test_a_fixed_subset(self):
        train, test = zip(*ShuffleSplit(5, random_state=0).split(Y[:40]), strict=True)
        assert SplitDesign.from_indices(train, test).notes == ()
        (note,) = SplitDesign.from_indices(train, test, n_samples=60).notes
        assert note.code == "fixed subset"
        assert "same 40 of 60 rows" in str(note)

    @pytest.mark.parametrize(
        ("cv", "y", "expected"),
        [
            (RepeatedSubsampleSplit(5, stratify=True, random_state=0), Y, ["stratified"]),
            (RepeatedSubsampleSplit(1, stratify=True, random_state=0), Y, []),
            (OfTheFamily(3), Y, []),  # folds are the default
            # scikit-learn's own do not look at y, though unshuffled folds are as if stratified
            (KFold(10), np.arange(600) % 2, []),
        ],
    )
    def test_stratified_as_the_splitter_says(self, cv, y, expected):
        assert codes(SplitDesign.from_splitter(cv, y, y).notes) == expected


class TestFiles:
    design = replace(SplitDesign.from_sizes(9, 3, n_splits=4), notes=(NOTE,))
    scores = CVScores(values=np.arange(4.0), design=design, notes=("of my own",))

    def test_round_trip(self):
        scores = self.scores
        again = CVScores.from_json(scores.to_json())
        assert again.design.notes == scores.design.notes == (NOTE,)
        assert again.notes == scores.notes == (Note("note", "of my own", None),)
        written = json.loads(scores.to_json())["content"]["design"]["notes"]
        expected = {"code": "some code", "text": "some text", "category": "SplitDesignWarning"}
        assert written == [expected]

    def test_a_category_of_the_future_is_refused(self):
        document = json.loads(self.scores.to_json())
        document["content"]["design"]["notes"][0]["category"] = "FitError"
        document["checksum"] = _checksum(document["content"])
        with pytest.raises(ValueError, match=r"'FitError', .* does not know; it knows Ant"):
            CVScores.from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("cv", "noted"),
    [
        (LeaveOneOut(), True),
        (ShuffleSplit(30, test_size=2, random_state=0), False),
        (LeaveOneGroupOut(), False),  # a group is tested on as a whole
    ],
)
def test_single_test_rows_are_noted(cv, noted):
    groups = np.arange(60) % 20 if isinstance(cv, LeaveOneGroupOut) else None
    design = SplitDesign.from_splitter(cv, Y, None, groups)
    assert ("single test rows" in codes(CorrectedResampledTTest().notes(design))) == noted
