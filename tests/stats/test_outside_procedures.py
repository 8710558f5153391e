"""Procedures from outside the package: every function accepts them, and words their results."""

import sys
from dataclasses import dataclass, field, fields
from functools import partial
from importlib import import_module
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from skcvstats.plotting import ComparisonDisplay
from skcvstats.stats import Claim, CVTestResult, Inference, corrected_resampled_ttest

mpl.use("Agg")
FOLDER = str(Path(__file__).parents[2] / "doc" / "procedures")
X, Y = load_iris(return_X_y=True)
TREE = DecisionTreeClassifier(random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": TREE, "knn": KNeighborsClassifier()}
N_SPLITS = 14
DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=N_SPLITS)
RNG = np.random.default_rng(0)
VALUES = 0.8 + RNG.normal(0, 0.02, size=(4, N_SPLITS)) + np.array([[0.0], [0.002], [0.1], [0.1]])
SCORES = s.CVScores(values=VALUES, design=DESIGN, labels=tuple("abcd"), metric="accuracy")


@pytest.fixture(scope="module", autouse=True)
def on_the_path():
    sys.path.insert(0, FOLDER)
    yield
    sys.path.remove(FOLDER)


# Of doc/procedures: the module, the class and its options.
PROCEDURES = {
    "equivalence": ("equivalence", "EquivalenceTest", {"margin": 0.05}),
    "signs": ("signs", "SignTest", {}),
    "stated_correlation_t": ("stated_correlation", "StatedCorrelationTTest", {"correlation": 0.2}),
    "two_batches_t": ("two_batches", "TwoBatchesTest", {}),
}
every = pytest.mark.parametrize("name", PROCEDURES)
pytestmark = pytest.mark.filterwarnings("ignore:The sign test assumes independent splits")


def make(name):
    module, procedure, options = PROCEDURES[name]
    return getattr(import_module(module), procedure)(**options)


def compared(procedure):
    procedure = make(procedure) if isinstance(procedure, str) else procedure
    return s.compare_scores(SCORES, method=procedure, adjustment="holm")


class TestEveryRoad:
    @every
    def test_compare_scores_and_a_picture(self, name):
        """One answer for all pairs is that of each alone."""
        result = compared(name)
        frame = result.to_frame()
        assert len(frame) == 6
        for comparison, row in zip(result, frame.to_dict("records"), strict=True):
            a, b = SCORES[comparison.estimator], SCORES[comparison.versus]
            alone = make(name).run(a - b)
            assert comparison.test.pvalue == alone.pvalue == row["pvalue"]
            assert comparison.test.estimate == alone.estimate == row["difference"]
        if name in ("stated_correlation_t", "two_batches_t"):
            assert comparison.detectable_difference() > 0
        else:
            with pytest.raises(TypeError, match="has no detectable difference"):
                comparison.detectable_difference()
        display = ComparisonDisplay.from_result(result).plot()
        assert display.frame()["outcome"].tolist() == [one.outcome for one in result]
        legend = [text.get_text() for text in display.legend_.get_texts()]
        assert {one.claim.brief for one in result} <= set(legend)

    @every
    def test_compare_estimators_and_the_report_in_all_formats(self, name):
        result = s.compare_estimators(MODELS, X, Y, method=make(name))
        report = s.evaluation_report(result)
        shown = [comparison for comparison in result if comparison.outcome != "not significant"]
        own_words = [one.claim.words for one in shown if not isinstance(one.test, CVTestResult)]
        assert bool(own_words) == (name == "equivalence")
        for written in (str(report), report.to_markdown(), report.to_html()):
            text = " ".join(written.replace("\\", "").split())
            assert all(words in text for words in own_words)
            assert f"by the {result.tests[0].title}" in text
        printed = " ".join(str(result).split())
        assert all(str(comparison.estimator) in printed for comparison in shown)
        assert "\\begin{document}" in report.to_latex()

    def test_studies_test_each_hypothesis_that_a_procedure_has(self):
        """The first two test hypotheses of their own, the others a difference."""

        def line(random_state):
            x = random_state.normal(size=(40, 1))
            return x, x[:, 0] + random_state.normal(size=40)

        pair = {"mean": DummyRegressor(), "line": LinearRegression()}
        study = s.simulate(line, pair, [make(name) for name in PROCEDURES], n_data_sets=10)
        frame = study.to_frame(0.1)
        rows = frame[frame["hypothesis"] == "mean-line"].set_index("procedure")
        for k, name in enumerate(PROCEDURES):
            difference, own = rows.loc[name], k < 2
            assert 0 <= difference["size"] <= 1
            assert (difference["source"] == "its own hypothesis") == own
            assert np.isnan(difference["truth"]) == own
            assert np.isnan(difference["mean_length"]) == own
            if own:
                assert difference["liberal"] is None
                assert difference["size"] == np.mean(study.pvalues[:, k, 2] < 0.1)
        assert study.coverage(0.9)["procedure"].unique().tolist() == [*PROCEDURES][2:]
        alone = s.simulate(line, pair, [make("signs")], n_data_sets=2)
        with pytest.raises(ValueError, match=r"p-values of their own hypotheses only"):
            alone.rejection_rates([0.0])


class TestWhatTheyMean:
    def test_equivalence_is_claimed_where_the_inner_interval_is_within_the_margin(self):
        for comparison in compared("equivalence"):
            test = comparison.test
            x = (SCORES[comparison.estimator] - SCORES[comparison.versus]).values
            ordinary = corrected_resampled_ttest(x, n_train=90, n_test=10)
            assert test.standard_error == pytest.approx(ordinary.standard_error, rel=1e-12)
            low, high = ordinary.confidence_interval(0.9)
            within = low > -0.05 and high < 0.05
            assert (test.claim(0.05).kind == "equivalent") == within
            upper = stats.t.sf((0.05 - test.estimate) / test.standard_error, N_SPLITS - 1)
            lower = stats.t.sf((test.estimate + 0.05) / test.standard_error, N_SPLITS - 1)
            assert test.pvalue == pytest.approx(max(upper, lower), rel=1e-12)
        kinds = {(one.estimator, one.versus): one.claim.kind for one in compared("equivalence")}
        assert kinds["a", "c"] == "not shown"
        assert "equivalent" in kinds.values()
        decided = [compared("equivalence").tests[0].claim(0.05, p).kind for p in (0.04, 0.06)]
        assert decided == ["equivalent", "not shown"]  # the adjusted p-value decides

    def test_equivalence_gives_no_letters(self):
        result = compared("equivalence")
        with pytest.raises(ValueError, match="There are no letters"):
            result.letters()
        assert "D. J. Schuirmann" in s.evaluation_report(result).to_bibtex()
        report = s.evaluation_report(result).to_markdown()
        assert "D. J. Schuirmann" in report
        assert "2 of 6 pairs shown to be within 0.05 (95 % confidence)." in report
        said = "4 of 6 pairs are not significantly different; that is not evidence of equality."
        assert said in report
        assert "letter" not in report
        assert compared("signs").letters()["letters"].tolist() == ["a", "a", "b", "b"]

    def test_welch_has_its_own_df_for_each_row(self):
        result = compared("two_batches_t")
        for comparison in result:
            x = (SCORES[comparison.estimator] - SCORES[comparison.versus]).values
            odds = 10 / 90
            parts = [(1 / 28 + odds / 2) * half.var(ddof=1) for half in (x[:7], x[7:])]
            df = sum(parts) ** 2 / (parts[0] ** 2 / 6 + parts[1] ** 2 / 6)
            test = comparison.test
            assert test.df == pytest.approx(df, rel=1e-12)
            t = x.mean() / np.sqrt(sum(parts))
            assert test.statistic == pytest.approx(t, rel=1e-12)
            assert test.pvalue == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-9)
            half_width = stats.t.ppf(0.975, df) * np.sqrt(sum(parts))
            assert test.confidence_interval()[1] == pytest.approx(x.mean() + half_width, rel=1e-9)
        assert len(set(result.to_frame(full=True)["df"])) == 6
        said = "Student's t distribution with degrees of freedom of its own."
        assert said in s.evaluation_report(result).to_markdown()
        one = s.cross_val_inference(GaussianNB(), X, Y, method=make("two_batches_t"))
        assert "Welch test of two batches" in str(one)

    def test_a_procedure_without_an_interval_is_compared_and_reported(self):
        with pytest.warns(s.AnticonservativeWarning, match="assumes independent splits"):
            result = compared("signs")
        assert [note.category for note in result.notes] == [s.AnticonservativeWarning]
        report = s.evaluation_report(result)
        assert "[]" not in str(report)  # nobody is cited
        assert "nadeau" not in report.to_bibtex()
        with pytest.raises(ValueError, match="difference of two estimators"):
            s.cross_val_inference(GaussianNB(), X, Y, method=make("signs"))
        for comparison in result:
            a, b = SCORES[comparison.estimator].values, SCORES[comparison.versus].values
            expected = stats.binomtest(int(np.sum(a > b)), int(np.sum(a != b))).pvalue
            assert comparison.test.pvalue == pytest.approx(expected, rel=1e-12)
            assert comparison.claim.kind in ("different", "not shown")
            with pytest.raises(TypeError, match="has a p-value only and no confidence interval"):
                comparison.test.confidence_interval()
        assert result.to_frame(full=True)[["low", "high", "standard_error"]].isna().all(axis=None)
        assert "low" not in str(result)
        assert "interval" not in result.comparisons[0].verdict()


@dataclass(frozen=True, eq=False, kw_only=True)
class Answer(Inference):
    """What `Careless` answers, with an array that is not one for each test and one that is."""

    thresholds: np.ndarray | None = None
    ranks: np.ndarray | None = field(default=None, metadata={"per_test": True})

    def claim(self, alpha, pvalue=None):
        return Claim("not shown", "Not shown")


class Careless(s.Procedure):
    """A procedure whose `infer` returns what it is given."""

    name = "careless"
    title = "careless test"

    def __init__(self, answer):
        self._answer = answer

    def require(self, design):
        design.require(who="The careless test")

    def infer(self, sample, auxiliary=None):
        return self._answer(self, sample)


def right(test, sample, **changes):
    means = sample.values.mean(axis=-1)
    return Answer(**{"estimate": means, "pvalue": np.full(means.shape, 0.5), **changes})


class TestSlips:
    """A mistake in a procedure is an error that names it, never a wrong number in a table."""

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"estimate": 0.8}, r"estimate has shape \(\) for scores of shape \(6, 'n_splits'\)"),
            ({"pvalue": np.full(5, 0.5)}, r"pvalue has shape \(5,\)"),
            ({"pvalue": np.full(6, 1.5)}, r"pvalue is 1\.5; it must be a number from 0 to 1"),
            ({"pvalue": np.full(6, np.nan)}, r"pvalue is nan; it must be a number from 0 to 1"),
            ({"pvalue": np.full(6, True)}, r"pvalue is .*of dtype bool; it must be a number"),
            ({"standard_error": -1.0}, r"standard_error is -1\.0; it must be a number from 0"),
            ({"notes": (3,)}, "notes must be notes, warnings or strings"),
        ],
    )
    def test_slips_in_an_answer_are_refused_with_their_name(self, changes, message):
        with pytest.raises((TypeError, ValueError), match=message):
            compared(Careless(partial(right, **changes)))

    def test_what_is_no_answer_is_refused(self):
        with pytest.raises(TypeError, match=r"Careless\.infer returned NoneType; it must return"):
            compared(Careless(lambda test, sample: None))

        class Wants(Careless):
            def auxiliary_request(self, design):
                return s.DesignRequest(kind="subsample")

        with pytest.raises(s.SplitDesignError, match="needs auxiliary splits too"):
            compared(Wants(right))

    @pytest.mark.parametrize("name", ["name", "title"])
    def test_of_a_class_without_its_name(self, name):
        unnamed = type("Unnamed", (s.CorrectedResampledTTest,), {name: None})
        for call in (unnamed(), partial(s.compare_scores, method=unnamed())):
            with pytest.raises(TypeError, match=f"Unnamed has no {name}: give the class one"):
                call(SCORES)

    @pytest.mark.parametrize(
        ("pivot", "message"),
        [
            (lambda mean, sd: (mean, sd, 3), r"returned tuple; it must return a Pivot"),
            (lambda mean, sd: s.Pivot(0.5, 0.1, 3), r"estimate has shape \(\)"),
            (lambda mean, sd: s.Pivot(mean[:, None], sd, 3), r"estimate has shape \(4, 1\)"),
            (
                lambda mean, sd: s.Pivot(mean, -sd, 3),
                r"standard_error is -.*; it must be",
            ),
            (lambda mean, sd: s.Pivot(mean, sd * np.nan, 3), r"standard_error is nan; it must be"),
            (lambda mean, sd: s.Pivot(mean, sd, 0), r"df is 0\.0; it must be a number from 1e-09"),
        ],
    )
    def test_slips_in_a_pivot_are_refused_with_their_name(self, pivot, message):
        class Slip(s.CorrectedResampledTTest):
            def pivot(self, sample, auxiliary=None):
                return pivot(sample.values.mean(-1), sample.values.std(-1))

        with pytest.raises((TypeError, ValueError), match=message):
            compared(Slip())

    def test_arrays_for_each_test_alone_are_taken_apart_and_lists_are_numbers(self):
        thresholds, changes = np.array([0.1, 0.05]), {"ranks": np.arange(6), "pvalue": [0.5] * 6}
        answer = partial(right, thresholds=thresholds, **changes)
        tests = compared(Careless(answer)).tests
        assert [test.ranks for test in tests] == list(range(6))
        assert all(test.thresholds is thresholds for test in tests)
        assert tests[0].pvalue == 0.5

    def test_the_best_as_the_reference_is_noted_unless_that_is_harmless(self):
        pair = s.CVScores(values=VALUES[:2], design=DESIGN, labels=("a", "b"), metric="accuracy")
        with pytest.warns(s.AnticonservativeWarning, match="chosen as the best"):
            s.compare_scores(pair, method=Careless(right), reference="best", adjustment="holm")
        assert not s.compare_scores(pair, reference="best").notes


class TestSizes:
    """What somebody who writes a procedure, or reads a result, has to hold in mind."""

    def test_a_procedure_has_16_names_besides_its_options(self):
        names = {name for name in dir(s.LocationTest) if not name.startswith("_")}
        assert len((names | {"name", "title"}) - {"null_value", "alternative"}) <= 16

    def test_results_have_at_most_14_fields(self):
        def below(cls):
            return [cls, *(part for sub in cls.__subclasses__() for part in below(sub))]

        own = [cls for cls in below(Inference) if cls.__module__.startswith("skcvstats.")]
        assert len(own) > 8
        assert max(len(fields(cls)) for cls in own) <= 14
