"""The data sets, and the learners' errors on them."""

import os

import numpy as np
import pytest

from benchmarks.nadeau_bengio import analytic, learner_errors, problems
from benchmarks.nadeau_bengio.designs import EVEN, USUAL
from benchmarks.nadeau_bengio.problems import GAUSSIANS, LETTERS, PROBLEMS, REGRESSION, Letters
from benchmarks.nadeau_bengio.tables import printed_intervals

needs_letters = pytest.mark.skipif(
    not os.environ.get("SKCVSTATS_LETTER_DATA"),
    reason="needs the letter data: set SKCVSTATS_LETTER_DATA to the path of the file",
)


def within(values, expected, n_errors=4):
    """Say whether the mean of independent values is near what is expected."""
    return abs(np.mean(values) - expected) < n_errors * np.std(values) / np.sqrt(len(values))


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_regression(number):
    problem = REGRESSION[number]
    rng = np.random.default_rng(number)
    x, y = (np.concatenate(parts) for parts in zip(*(problem(rng) for _ in range(50)), strict=True))
    x = x[:, 0]
    # Table 2: n, mean and variance of X, alpha, beta, variance of Y given X.
    n, mean, alpha, beta, variance, noise = {
        1: (200, 10, 100, 1, 1, 97),
        2: (200, 10, 100, 2, 2, 64),
        3: (2000, 10, 100, 0.1, 1, 9.97),
        4: (2000, 10, 100, 0.1, 5, 9),
    }[number]
    assert len(x) == 50 * n
    residual = y - alpha - beta * x
    assert within(x, mean)
    assert within((x - mean) ** 2, variance)
    assert within(residual, 0)
    assert within(residual**2, noise)
    assert within(residual * (x - mean), 0)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_gaussians(number):
    problem = GAUSSIANS[number]
    rng = np.random.default_rng(number)
    X, y = (np.concatenate(parts) for parts in zip(*(problem(rng) for _ in range(50)), strict=True))
    assert len(X) == 50 * {1: 200, 2: 200, 3: 2000, 4: 2000}[number]
    assert within(y, 1 / 2)
    variance = {1: 1 / 2, 2: 1 / 6, 3: 1 / 2, 4: 0.173}[number]
    for label, spread in ((0, 1.0), (1, variance)):
        Z = X[y == label] - label
        assert all(within(column, 0) for column in Z.T)
        assert all(within(column**2, spread) for column in Z.T)
        assert within(Z[:, 0] * Z[:, 1], 0)


def test_number_of_ones_is_random():
    counts = [GAUSSIANS[1](seed)[1].sum() for seed in range(500)]
    assert within((np.array(counts) - 100.0) ** 2, 50)


@pytest.mark.parametrize("make", [int, np.random.RandomState, np.random.default_rng])
@pytest.mark.parametrize("name", ["regression", "gaussians"])
def test_same_random_state_same_data(name, make):
    problem = PROBLEMS[name][1]
    for one, two in zip(problem(make(5)), problem(make(5)), strict=True):
        np.testing.assert_array_equal(one, two)


def test_losses():
    np.testing.assert_array_equal(
        REGRESSION[1].loss(np.array([1.0, 3]), np.array([2.0, 1])), [1, 4]
    )
    np.testing.assert_array_equal(GAUSSIANS[1].loss(np.array([0, 1]), np.array([0, 0])), [0, 1])


@pytest.mark.parametrize("sizes", [EVEN, USUAL])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_errors_of_the_regressions_against_theory(number, sizes):
    problem = REGRESSION[number]
    means = learner_errors.mean_losses(problem, sizes, n_data_sets=60, seed=number)
    expected = analytic.expected_errors(problem, sizes.of(problem.n_samples)[0])
    for name, values in means.items():
        assert within(values, expected[name]), name


def printed_mean(table, simulation, sizes, hypothesis):
    (interval,) = [
        interval
        for interval in printed_intervals()
        if (interval.table, interval.simulation) == (table, simulation)
        and interval.quantity.kind == "mean"
        and (interval.quantity.sizes, interval.quantity.hypothesis) == (sizes, hypothesis)
    ]
    return interval


def agrees(values, interval, n_errors=3):
    error = n_errors * np.std(values) / np.sqrt(len(values))
    return interval.overlaps(np.mean(values) - error, np.mean(values) + error)


@pytest.mark.parametrize(("simulation", "n_data_sets"), [(1, 20), (2, 20), (4, 4)])
def test_errors_of_the_gaussians_against_the_report(simulation, n_data_sets):
    for sizes in (EVEN, USUAL):
        means = learner_errors.mean_losses(GAUSSIANS[simulation], sizes, n_data_sets, seed=0)
        for name, values in means.items():
            assert agrees(values, printed_mean(3, simulation, sizes, name)), (sizes, name)


@needs_letters
@pytest.mark.parametrize(("simulation", "n_data_sets"), [(1, 40), (5, 10)])
def test_errors_of_the_letters_against_the_report(simulation, n_data_sets):
    for sizes in (EVEN, USUAL):
        means = learner_errors.mean_losses(LETTERS[simulation], sizes, n_data_sets, seed=0)
        for name, values in means.items():
            assert agrees(values, printed_mean(4, simulation, sizes, name)), (sizes, name)


@needs_letters
def test_letters_are_drawn_without_replacement():
    X, y = problems.load_letters()
    assert X.shape == (20000, 16)
    assert X.min() == 0
    assert X.max() == 15
    assert len(np.unique(y)) == 26
    many = Letters(1, n_samples=20000)(0)
    np.testing.assert_array_equal(np.sort(many[1]), np.sort(y))


@pytest.fixture
def letter_file(tmp_path):
    path = tmp_path / "letters.data"
    rows = [f"{'TIDN'[i % 4]}," + ",".join(str(i % 16) for _ in range(16)) for i in range(40)]
    path.write_text("\n".join(rows) + "\n")
    return path


def test_letters_of_a_file(letter_file, monkeypatch):
    problem = Letters(5, path=letter_file, n_samples=30)
    X, y = problem(np.random.default_rng(0))
    assert X.shape == (30, 16)
    np.testing.assert_array_equal(np.array(list("TIDN"))[X[:, 0].astype(int) % 4], y)
    other = Letters(25, path=letter_file, n_samples=30)(np.random.default_rng(0))
    np.testing.assert_array_equal(other[0], X)
    monkeypatch.setenv("SKCVSTATS_LETTER_DATA", str(letter_file))
    np.testing.assert_array_equal(Letters(5, n_samples=30)(np.random.default_rng(0))[0], X)


def test_letter_files_that_are_none(tmp_path):
    with pytest.raises(FileNotFoundError, match="set SKCVSTATS_LETTER_DATA"):
        problems.load_letters(tmp_path / "nowhere.data")
    path = tmp_path / "iris.data"
    path.write_text("5.1,3.5,setosa\n")
    with pytest.raises(ValueError, match="3 columns: expected the letter and its 16 features"):
        problems.load_letters(path)


def test_more_letters_than_there_are(letter_file):
    with pytest.raises(ValueError, match="n_samples=41 is more than the 40 rows"):
        Letters(1, path=letter_file, n_samples=41)(0)


def test_letters_of_openml(monkeypatch):
    monkeypatch.delenv("SKCVSTATS_LETTER_DATA", raising=False)

    class Data:
        data, target = np.ones((3, 16)), np.array(["A", "B", "C"], dtype=object)

    def fetch(name, version, **options):
        assert (name, version, options["as_frame"]) == ("letter", 1, False)
        return Data

    assert problems.load_letters(fetch=fetch)[1].tolist() == ["A", "B", "C"]


def test_no_letters_at_all(monkeypatch):
    monkeypatch.delenv("SKCVSTATS_LETTER_DATA", raising=False)

    def fetch(*args, **options):
        raise OSError("no network")

    with pytest.raises(OSError, match="set SKCVSTATS_LETTER_DATA to the path"):
        problems.load_letters(fetch=fetch)


@needs_letters
def test_script(capsys):
    learner_errors.main(2)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 24 + 24 + 6 + 5 * 4  # A of the letters once
