"""The notes on comparisons, candidates and what was passed: found from facts, skipped without."""

from types import SimpleNamespace

import numpy as np
import pytest

import skcvstats as s
from skcvstats.comparison import (
    CandidatesEvidence,
    ComparedEvidence,
    ComparisonEvidence,
    Dropped,
    SlicesEvidence,
)
from skcvstats.exceptions import AnticonservativeWarning, SplitDesignWarning
from skcvstats.notes import NOTES, OverRowsEvidence, PassedEvidence
from skcvstats.scores import find_notes
from tests.comparison.made import scores_of
from tests.conftest import ignoring

pytestmark = ignoring("DegenerateScores")
RNG = np.random.default_rng(0)
BASE = RNG.uniform(0.6, 0.9, 15)
OTHER = BASE + RNG.normal(0.02, 0.01, 15)
TEST = s.CorrectedResampledTTest()


def codes(notes):
    return [note.code for note in notes]


def compared(*rows, **options):
    return s.compare_scores(scores_of(rows, "abcde"[: len(rows)]), **options)


@pytest.mark.parametrize(
    "kind",
    [ComparedEvidence, CandidatesEvidence, PassedEvidence, OverRowsEvidence, SlicesEvidence],
)
class TestWithoutFacts:
    def test_every_note_is_skipped(self, kind):
        assert any(note.looks_in is kind for note in NOTES)
        assert find_notes(kind()) == ()

    def test_what_is_no_fact_is_an_error(self, kind):
        with pytest.raises(AttributeError, match="'no_such_fact'"):
            _ = kind().no_such_fact


class TestReference:
    def test_the_best_is_known_before_the_scores(self):
        known = {"procedure": TEST, "labels": "abc"}
        (note,) = find_notes(ComparedEvidence(**known, reference="best"))
        assert (note.code, note.category) == ("chosen reference", AnticonservativeWarning)
        assert find_notes(ComparedEvidence(**known, reference="a")) == ()
        assert find_notes(ComparedEvidence(**known, reference=None)) == ()

    @pytest.mark.parametrize(("of_search", "category"), [(False, None), (True, "warns")])
    def test_that_is_named_needs_the_scores(self, of_search, category):
        scores = scores_of([BASE, OTHER, BASE - 0.1], "abc")
        known = {"procedure": TEST, "labels": scores.labels, "of_search": of_search}
        (note,) = find_notes(ComparedEvidence(**known, reference="b", scores=scores))
        assert note.code == "best reference"
        assert note.category is (AnticonservativeWarning if category else None)
        assert find_notes(ComparedEvidence(**known, reference="a", scores=scores)) == ()

    def test_of_two_is_no_matter(self):
        known = {"procedure": TEST, "labels": "ab", "reference": "best"}
        assert find_notes(ComparedEvidence(**known)) == ()

    def test_comes_before_what_was_left_out(self):
        dropped = [Dropped("d", None, "it failed"), Dropped(None, "f1", "no rows of a class")]
        known = {"procedure": TEST, "labels": "abc", "reference": "best"}
        notes = find_notes(ComparedEvidence(**known, dropped=dropped))
        assert codes(notes) == ["chosen reference", "left out", "left out"]
        assert [str(note) for note in notes[1:]] == [
            "the estimator d was left out (it failed)",
            "the metric f1 was left out, for all estimators (no rows of a class)",
        ]


class TestComparisons:
    def test_of_a_pair_are_about_it(self):
        result = compared(BASE, BASE, OTHER)
        tests = result.tests_by_metric["accuracy"]
        on_all, on_pair = find_notes(ComparisonEvidence(tests))
        assert (on_all.about, set(on_pair.about)) == ((), {"a", "b"})
        assert codes(result.notes).count("same scores") == 1
        for comparison in result:
            is_same = {comparison.estimator, comparison.versus} == {"a", "b"}
            assert ("same scores" in codes(comparison.notes)) == is_same

    def test_of_one_pair_only_are_on_all(self):
        tests = compared(BASE, BASE).tests_by_metric["accuracy"]
        (note,) = find_notes(ComparisonEvidence(tests))
        assert (note.code, note.about) == ("same scores", ())

    def test_each_pair_has_its_own_text(self):
        result = compared(BASE, BASE, BASE)
        (whole,) = [str(note) for note in result.notes if note.code == "same scores"]
        assert ", and 2 more pairs: the same model?" in whole
        for comparison in result:
            (own,) = [str(note) for note in comparison.notes if note.code == "same scores"]
            assert (
                f"every split {comparison.estimator} and {comparison.versus} have the same" in own
            )
            assert "more pair" not in own

    def test_of_a_margin_are_skipped_without_one(self):
        margins = {"margin afterwards", "wide margin", "small margin"}
        result = compared(BASE, RNG.permutation(BASE), OTHER)
        assert margins.isdisjoint(codes(result.notes))
        found = codes(result.with_margin(0.0001).notes)
        assert [code for code in found if code in margins] == ["margin afterwards", "small margin"]
        found = codes(compared(BASE, OTHER, BASE + 0.1 * OTHER, margin=0.9).notes)
        assert [code for code in found if code in margins] == ["wide margin"]

    def test_are_found_again_in_a_file(self):
        result = compared(BASE, BASE, OTHER).with_margin(0.0001)
        again = s.ComparisonResult.from_json(result.to_json())
        assert again.notes == result.notes
        pairs = zip(again, result, strict=True)
        assert all(one.notes == other.notes for one, other in pairs)


WINNER = s.CVScores(
    values=np.random.default_rng(0).normal(size=(2, 10)),
    design=s.SplitDesign.from_sizes(90, 10, n_splits=10),
    labels=("#0", "#1"),
)


class TestCandidates:
    def test_the_winner_is_optimistic(self):
        assert codes(find_notes(CandidatesEvidence(scores=WINNER))) == ["optimistic winner"]

    @pytest.mark.parametrize(
        ("is_race", "n_left", "found"),
        [
            (True, 3, ["left a race"]),
            (False, 3, ["surviving candidates"]),
            (True, 0, []),
            (False, 0, []),
        ],
    )
    def test_that_left_are_named_by_how(self, is_race, n_left, found):
        evidence = CandidatesEvidence(is_race=is_race, n_left=n_left)
        assert codes(find_notes(evidence)) == found

    def test_that_repeat_are_listed(self):
        assert find_notes(CandidatesEvidence(repeated=[])) == ()
        (note,) = find_notes(CandidatesEvidence(repeated=["#1", "#2"]))
        assert str(note).startswith("'#1', '#2': the same parameters")

    def test_that_were_chosen_are_counted(self):
        assert find_notes(CandidatesEvidence(n_candidates=3, n_best=3)) == ()
        known = {"n_candidates": 9, "n_best": 3, "has_another_reference": True}
        (note,) = find_notes(CandidatesEvidence(**known))
        assert str(note).count("choice of the 3 best of 9 candidates and the reference on ") == 1

    def test_come_in_this_order(self):
        known = {"scores": WINNER, "is_race": True, "n_left": 1, "repeated": ["#1"]}
        evidence = CandidatesEvidence(**known, n_candidates=3, n_best=2)
        wanted = ["optimistic winner", "left a race", "repeated candidates", "chosen candidates"]
        assert codes(find_notes(evidence)) == wanted


class TestPassed:
    def test_losses_were_negated(self):
        (note,) = find_notes(PassedEvidence(negated_metric="cost"))
        assert str(note) == "the scores are minus cost, so that greater is better"

    def test_rows_were_moved(self):
        assert find_notes(PassedEvidence(moved=[], in_order_of="")) == ()
        (note,) = find_notes(PassedEvidence(moved=["b", "c"], in_order_of="y_true"))
        text = "rows were put into the order of y_true by their index: b, c"
        assert (note.code, str(note)) == ("other order", text)

    @pytest.mark.parametrize(
        ("share", "category"), [(1.0, "none"), (0.95, None), (0.8, SplitDesignWarning)]
    )
    def test_a_low_coverage_is_a_warning(self, share, category):
        n_kept = round(100 * share)
        lacking = {"a": np.zeros(100, dtype=bool), "b": np.arange(100) >= n_kept}
        known = {"lacking": lacking, "n_kept": n_kept, "score_on": lambda model, rows: ""}
        notes = find_notes(PassedEvidence(**known))
        assert [note.category for note in notes] == ([] if share == 1 else [category])

    def test_slices_are_small(self):
        assert find_notes(SlicesEvidence(small=[])) == ()
        (note,) = find_notes(SlicesEvidence(small=["u (3 rows)"]))
        assert str(note) == "slices too small to say anything: u (3 rows)"

    def test_predictions_are_out_of_fold(self):
        assert codes(find_notes(PassedEvidence(n_folds=5))) == ["out of fold"]


@pytest.mark.parametrize(("distance", "is_noted"), [(0.4, False), (0.6, True)])
def test_scores_over_rows_are_noted_where_they_are_far(distance, is_noted):
    inference = SimpleNamespace(estimate=np.array([0.8, 0.7]), standard_error=0.01)
    evidence = OverRowsEvidence(
        metric_name="f1",
        labels=("a", "b"),
        over_rows=np.array([0.8 + 0.01 * distance, 0.7]),
        inference=inference,
    )
    assert (find_notes(evidence) != ()) == is_noted


@pytest.mark.parametrize(("alternative", "noted"), [("greater", False), ("less", True)])
def test_p_is_not_called_too_small_where_a_favoured_reference_makes_it_large(alternative, noted):
    noise = np.random.default_rng(0).normal(0, 0.01, (3, 10))
    scores = scores_of(np.array([[0.9], [0.8], [0.8]]) + noise, "abc")
    result = s.compare_scores(scores, alternative=alternative, reference="a")
    assert ("best reference" in [note.code for note in result.notes]) == noted
