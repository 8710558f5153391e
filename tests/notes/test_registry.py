"""The list of notes, and what is asked of a call for them."""

import warnings

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor

import skcvstats as s
from skcvstats import notes
from skcvstats.exceptions import SplitDesignWarning
from skcvstats.notes import NOTES, Evidence, MetricEvidence, ScoresEvidence, _registry, before_fits
from skcvstats.scores import Note, find_notes
from tests.data import iris

X, Y = iris()
MODELS = {"a": DummyClassifier(), "b": DummyClassifier(strategy="stratified", random_state=0)}


@pytest.fixture
def made_up(monkeypatch):
    """Put notes that a test makes into the list, and take them out again."""
    with_others = NOTES.copy()
    for module in (notes, _registry):
        monkeypatch.setattr(module, "NOTES", with_others)

    def add(search, **options):
        about = dict.fromkeys(("title", "looks_for", "why", "remedy"), "Made up")
        return _registry.note("made up", **about, **options)(search)

    return add


def test_codes_are_distinct_and_all_that_is_said_about_notes_is_there():
    codes = [entry.code for entry in NOTES]
    assert len(set(codes)) == len(codes)
    for entry in NOTES:
        assert entry.title[0].isupper()
        assert not entry.title.endswith(".")
        assert entry.looks_for.endswith(".")
        assert entry.remedy.endswith(".")


def test_a_note_without_its_evidence_is_skipped():
    assert find_notes(Evidence()) == ()
    assert before_fits(Evidence(metrics=[])) == {None: ()}


def test_a_fact_that_no_call_has_is_an_error(made_up):
    made_up(lambda evidence: iter([evidence.no_such_fact]))
    with pytest.raises(AttributeError, match="'no_such_fact'"):
        find_notes(Evidence())


def test_what_follows_from_evidence_is_computed_once():
    class Table:
        n_reads = 0

        @property
        def dtype(self):
            Table.n_reads += 1
            return np.dtype("M8[s]")

    evidence = Evidence(groups=None, has_later_training_rows=True, tables={"X": Table()})
    columns = evidence.columns
    n_reads = Table.n_reads
    assert evidence.columns is columns
    assert Table.n_reads == n_reads > 0


class TestMadeUpNotes:
    """A note is one function: it arrives at all doors that have the evidence for it."""

    def fits(self):
        cv = s.RepeatedSubsampleSplit(15, random_state=0)
        yield s.compare_estimators(MODELS, X, Y)
        yield s.compare_estimators(MODELS, X, Y, scoring=["accuracy", "neg_log_loss"], cv=cv)
        yield s.cross_val_inference(MODELS["a"], X, Y)
        yield s.cross_val_inference(MODELS, X, Y)
        yield s.learning_curve_inference(MODELS, X, Y)

    @pytest.mark.filterwarnings("ignore")
    def test_on_a_design(self, made_up):
        def search(evidence):
            yield Note("made up", f"{evidence.design.n_samples} rows")

        made_up(search)
        for result in self.fits():
            assert [str(n) for n in result.notes if n.code == "made up"] == ["150 rows"]

    @pytest.mark.filterwarnings("ignore")
    def test_on_a_metric(self, made_up):
        def search(evidence):
            if evidence.metric.name == "neg_log_loss":
                yield Note("made up", evidence.metric.name)

        made_up(search, looks_in=MetricEvidence)
        result = s.compare_estimators(MODELS, X, Y, scoring=["accuracy", "neg_log_loss"])
        noted = {name: "made up" in [n.code for n in result[name].notes] for name in result.metrics}
        assert noted == {"accuracy": False, "neg_log_loss": True}

    @pytest.mark.filterwarnings("ignore")
    def test_on_metrics_that_only_a_callable_names(self, made_up):
        def score(model, X, y):
            return {"one": (model.predict(X) == y).mean(), "two": -(model.predict(X) != y).mean()}

        made_up(lambda evidence: iter([Note("made up", evidence.design.unit)]))
        result = s.compare_estimators(MODELS, X, Y, scoring=score)
        for name in ("one", "two"):
            assert "made up" in [note.code for note in result[name].notes]

    @pytest.mark.filterwarnings("ignore:.*:skcvstats.DegenerateScoresWarning")
    def test_it_is_given_before_the_first_fit(self, made_up):
        given = []

        class Watching(DummyRegressor):
            def fit(self, X, y):
                given.append(any("Made up" in str(each.message) for each in caught))
                return super().fit(X, y)

        made_up(lambda evidence: iter([Note("made up", f"made up of {evidence.design.unit}")]))
        with warnings.catch_warnings(record=True, action="always") as caught:
            s.cross_val_inference(Watching(), X, np.arange(150.0))
        assert given
        assert all(given)
        assert SplitDesignWarning in [each.category for each in caught]

    @pytest.mark.filterwarnings("ignore")
    def test_on_scores(self, made_up):
        """It is on the scores, and saved with them."""

        def search(evidence):
            yield Note("made up", f"made up of {evidence.scores.metric}")

        made_up(search, looks_in=ScoresEvidence)
        scores = s.cross_val_score(MODELS["a"], X, Y, cv=3)
        result = s.compare_estimators(MODELS, X, Y)
        again = s.CVScores.from_json(result.scores.to_json())
        for found in (*self.fits(), scores, again):
            assert "made up of accuracy" in map(str, found.notes)
