"""The cheapest candidate of a result at hand, columns of parameters, and the winner's optimism."""

import re

import numpy as np
import pytest
from scipy import stats
from sklearn import model_selection as ms

import skcvstats as s
from skcvstats.comparison import winner_optimism

from ..cheap import NearestMean

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 6))
Y = (X @ [1, 1, 1, 0, 0, 0] + RNG.normal(size=120) > 0).astype(int)
DESIGN = s.SplitDesign.from_sizes(80, 20, n_splits=15)
CV = s.RepeatedSubsampleSplit(15, test_size=0.2, random_state=0)


def compared(values, params, scoring="accuracy", **options):
    """Compare the candidates of a saved search."""
    splits = {f"split{k}_test_score": column for k, column in enumerate(np.transpose(values))}
    saved = {"params": params, **splits}
    return s.compare_candidates(saved, design=DESIGN, scoring=scoring, **options)


@pytest.fixture(scope="module")
def searched():
    return ms.GridSearchCV(NearestMean(), {"n_columns": [6, 3, 1, 2]}, cv=CV).fit(X, Y)


@pytest.fixture(scope="module")
def result(searched):
    return s.compare_candidates(searched, X, Y)


@pytest.mark.parametrize(
    ("cost", "options"),
    [
        ("n_columns", {}),
        (lambda params: -params["n_columns"], {}),
        ("mean_fit_time", {"margin": 0.1}),
        ("n_columns", {"rule": "margin", "margin": 0.02}),
    ],
)
@pytest.mark.filterwarnings("ignore:No candidate is shown to be within")
def test_it_chooses_what_the_refit_chooses(searched, result, cost, options):
    refit = s.SignificanceRefit(CV, cost, **options)
    label = result.cheapest(cost, **options)
    assert result.scores.labels.index(label) == refit(searched.cv_results_)
    assert result.params(label) == searched.cv_results_["params"][refit(searched.cv_results_)]
    again = s.ComparisonResult.from_json(result.to_json())
    assert again.cheapest(cost, **options) == label
    assert s.compare_candidates(searched, X, Y, top=2).cheapest(cost, **options) == label


def test_one_standard_error_by_hand():
    values = 0.8 + RNG.normal(0, 0.02, (30, 15)) - 0.03 * (np.arange(30) % 3)[:, None]
    params = [{"leaves": 30 - k, "kind": "ab"[k % 2]} for k in range(30)]
    result = compared(values, params)
    best = values.mean(axis=1).argmax()
    error = np.sqrt((1 / 15 + 20 / 80) * values[best].var(ddof=1))
    near = np.flatnonzero(values.mean(axis=1) >= values[best].mean() - error)
    assert result.cheapest("leaves") == result.scores.labels[near[-1]]
    assert result.cheapest(lambda p: -p["leaves"]) == result.scores.labels[near[0]]


def test_what_it_does_not_know(result):
    columns = "'n_columns', 'mean_fit_time', 'mean_score_time'"
    with pytest.raises(ValueError, match=f"cost='depth' is not one of {columns}"):
        result.cheapest("depth")
    with pytest.raises(ValueError, match="costs 'a', which is not a number"):
        result.cheapest(lambda params: "a")
    with pytest.raises(ValueError, match="rule='margin' needs a positive, finite number"):
        result.cheapest("n_columns", "margin")
    with pytest.raises(ValueError, match="The other rule takes no margin"):
        result.cheapest("n_columns", "one_standard_error", 0.1)
    values = 0.8 + 0.1 * RNG.random((2, 15))
    accuracies = compared(values, [{"n_columns": 1}, {"n_columns": 2}])
    with pytest.raises(ValueError, match=r"margin=2 covers every difference: accuracy"):
        accuracies.cheapest("n_columns", margin=2)
    others = s.compare_scores({"a": RNG.random(15), "b": RNG.random(15)}, design=DESIGN)
    with pytest.raises(ValueError, match="There are no candidates of a search"):
        others.cheapest("n_columns")


def test_a_ranking_has_a_column_for_each_parameter_that_varies():
    params = [{"score": k, "shared": 1, "depth": None if k else 3} for k in range(3)]
    values = 0.8 + 0.02 * RNG.normal(size=(3, 15))
    frame = compared(values, params).ranking()
    assert list(frame)[-2:] == ["param_score", "depth"]
    for row in frame.to_dict("records"):
        number = int(row["estimator"][1])
        assert row["param_score"] == number
        assert row["depth"] == params[number]["depth"] or np.isnan(row["depth"])


@pytest.mark.parametrize(("gap", "correlation"), [(0, 0), (0.01, 0.5), (0.03, -0.5)])
def test_optimism_of_the_better_of_two_is_clarks(gap, correlation):
    """C. E. Clark, "The Greatest of a Finite Set of Random Variables", 1961."""
    noise = stats.zscore(RNG.normal(size=(15, 2)), ddof=1)
    noise = np.linalg.qr(noise - noise.mean(axis=0))[0] * np.sqrt(14)  # uncorrelated, variance 1
    factor = np.linalg.cholesky([[1, correlation], [correlation, 1]])
    values = 0.8 + 0.02 * (factor @ noise.T) + [[gap], [0]]
    error = 0.02 * np.sqrt((1 / 15 + 20 / 80) * (2 - 2 * correlation))  # of the difference
    expected = error * stats.norm.pdf(gap / error)
    scores = s.CVScores(values=values, design=DESIGN, labels=["a", "b"])
    assert winner_optimism(scores) == pytest.approx(expected, abs=4 * error / np.sqrt(2000))


def test_optimism_is_that_of_drawn_candidates_and_in_the_note():
    """The mean of 30,000 draws from the covariance matrix of 40 candidates, which is not built."""
    values = 0.8 + 0.02 * RNG.normal(size=(40, 15)) + 0.02 * RNG.normal(size=15)
    values[7, 3] = np.nan  # is left out
    whole = np.delete(values, 7, axis=0)
    covariance = np.cov(whole) * (1 / 15 + 20 / 80)
    errors = RNG.multivariate_normal(np.zeros(39), covariance, 30_000, method="svd")
    best = (whole.mean(axis=1) + errors).argmax(axis=1)
    expected = errors[np.arange(30_000), best].mean()
    scores = s.CVScores(values=values, design=DESIGN, labels=[str(k) for k in range(40)])
    found = winner_optimism(scores)
    assert found == pytest.approx(expected, rel=0.05)
    params = [{"C": k} for k in range(39)]
    result = compared(whole, params)
    said = f"roughly {found:.1g} too high, for choosing the best of 39"
    assert said in " ".join(str(result).split())
    assert max(len(str(note)) for note in result.notes if note.code == "optimistic winner") <= 160


def test_a_loss_is_too_low_and_equal_scores_are_not_optimistic():
    values = -0.3 + 0.02 * RNG.normal(size=(3, 15))
    result = compared(values, [{"n_columns": k} for k in (1, 2, 3)], "neg_brier_score")
    (note,) = [note for note in result.notes if note.code == "optimistic winner"]
    assert "too low" in str(note)
    same = s.CVScores(values=np.full((2, 15), 0.8), design=DESIGN, labels=["a", "b"])
    assert winner_optimism(same) == 0


def test_a_print_has_numbers_in_sentences_and_parameters_in_columns():
    params = [{"svc__C": 10.0**k, "svc__kernel": "rbf", "svc__gamma": k % 2} for k in range(5)]
    values = 0.8 + 0.02 * RNG.normal(size=(5, 15))
    result = compared(values, params)
    lines = str(result).splitlines()
    assert "=" not in lines[0]
    assert "any of the 5 candidates could be" in lines[0] or "#" in lines[0]
    (head,) = [line for line in lines if "best?" in line]
    assert head.split()[:3] == ["C", "gamma", "score"]
    best = int(np.argmax(values.mean(axis=1)))
    row = lines[lines.index(head) + 1].split()
    assert row[:3] == [f"#{best}", str(10.0**best), str(best % 2)]
    many = [{f"p{k}": c * k for k in range(1, 6)} for c in range(5)]
    assert "#0 p1=0, p2=0, p3=0, p4=0, p5=0" in str(compared(values, many))
    with_objects = [{"model": NearestMean(k)} for k in range(1, 6)]
    assert "#0" in str(s.ComparisonResult.from_json(compared(values, with_objects).to_json()))


LABELS = [{"C": 10.0**k, "gamma": 0.5, "tol": c} for k in range(3) for c in (1, 2)]
TIED = 0.8 + 0.02 * RNG.normal(size=(6, 15))
TIED[[2, 3]] = TIED[[1]] - [[0], [0.005]]  # of these no difference varies


@pytest.mark.parametrize("more", [{}, {f"p{k}": k for k in range(3)}])
@pytest.mark.parametrize("reference", [None, "#1"])
@pytest.mark.filterwarnings("ignore::skcvstats.DegenerateScoresWarning")
def test_sentences_call_candidates_by_their_numbers(more, reference):
    """Also those on undetermined differences, notes, and where labels stand in the table."""
    params = [{**of_one, **dict.fromkeys(more, k)} for k, of_one in enumerate(LABELS)]
    result = compared(TIED, params, reference=reference)
    result = result.pairs() if reference is None else result
    lines = str(result).splitlines()
    in_table = [line for line in lines if line.startswith("#")]
    assert len(in_table) >= 6
    assert ("," in in_table[0]) == bool(more)
    said = " ".join(" ".join(line for line in lines if line not in in_table).split())
    assert not re.search("#[0-9] C=", said)
    pairs = "#2 - #1 and #3 - #1" if reference else "#1 - #2, #1 - #3 and #2 - #3"
    assert f"does not vary: {pairs}." in said
    (same,) = (str(note) for note in result.notes if note.code == "same scores")
    assert re.search("on every split #[12] and #[12] have", same)


def test_names_of_models_that_look_like_candidates_stay_distinct():
    names = ["#1 alpha=3", "#1 alpha=4", "ridge"]
    values = 0.8 + 0.005 * RNG.normal(size=(3, 15)) - [[0], [0], [0.2]]
    scores = s.CVScores(values=values, design=DESIGN, labels=names)
    first = " ".join(str(s.compare_scores(scores)).split("\n\n")[0].split())
    assert "#1 alpha=3" in first
    assert "#1 alpha=4" in first


def test_an_error_names_three_of_many_candidates():
    many = compared(np.tile(TIED, (7, 1)), [{"C": k} for k in range(42)])
    with pytest.raises(ValueError, match=r"'#2 C=2' and 39 more"):
        many.params("#99")
    with pytest.raises(KeyError, match=r"'#2 C=2' and 39 more"):
        many.scores["#99"]


def test_the_best_of_equal_candidates_is_not_optimistic():
    result = compared(np.tile(TIED[0], (3, 1)), LABELS[:3])
    said = " ".join(str(result).split())
    assert "The accuracy of the best candidate is roughly 0 too high" in said
