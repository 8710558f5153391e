"""Any number of workers: scores as cross_validate's in one process, times and progress."""

import sys
from functools import partial

import joblib
import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from skcvstats import compare_estimators, cross_val_score
from tests.fitting.against_sklearn import CLASSIFIERS, CV, CV12, X, Y, fit_all, sklearn_scores

PARALLEL = {name: CLASSIFIERS[name] for name in ("scaled", "knn", "forest", "grid")}


@pytest.fixture(scope="module")
def sequential():
    """Scores of cross_validate with one worker."""
    given = X, Y, "neg_log_loss", CV12
    return {name: sklearn_scores(model, *given)["score"] for name, model in PARALLEL.items()}


@pytest.mark.usefixtures("no_warning_is_an_error")
@pytest.mark.parametrize(
    ("backend", "n_jobs"),
    [
        *(("loky", 1), ("threading", 2)),
        *(pytest.param("loky", n, marks=pytest.mark.processes) for n in (2, -1)),
    ],
)
def test_any_workers_against_cross_validate(backend, n_jobs, sequential):
    with joblib.parallel_config(backend=backend, n_jobs=n_jobs):
        result = compare_estimators(PARALLEL, X, Y, scoring="neg_log_loss", cv=CV12)
    for name, expected in sequential.items():
        np.testing.assert_array_equal(result.scores[name].values, expected)


@pytest.mark.parametrize(
    "backend", ["threading", pytest.param("loky", marks=pytest.mark.processes)]
)
@pytest.mark.parametrize("fresh_seeds", [False, True])
def test_random_states_do_not_depend_on_workers(backend, fresh_seeds):
    trees = {f"tree{k}": DecisionTreeClassifier(random_state=k) for k in range(2)}
    call = partial(compare_estimators, trees, X, Y, cv=CV12, fresh_seeds=fresh_seeds)
    expected = call()
    with joblib.parallel_config(backend=backend, n_jobs=2):
        found = call()
    assert found.scores.values.tobytes() == expected.scores.values.tobytes()
    # whose text depends on how fast a fit is, if seeds are fixed
    codes = [[note.code for note in result.notes] for result in (found, expected)]
    assert codes[0] == codes[1]
    assert any("seeds" in code for code in codes[0])


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_times(n_jobs):
    scores = fit_all(PARALLEL, X, Y, "accuracy", CV, n_jobs=n_jobs)["accuracy"]
    for times in (scores.fit_times, scores.score_times):
        assert times.shape == (4, 3)
        assert (times > 0).all()
        assert (times < 60).all()
    slow, fast = scores["grid"].fit_times, scores["knn"].fit_times
    assert slow.min() > fast.min()  # four fits against none; a busy machine only adds
    assert scores["knn"].score_times.shape == (3,)


def compare_aloud(verbose):
    models = {"tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    return fit_all(models, X, Y, "accuracy", CV12, verbose=verbose)


@pytest.mark.parametrize(("backend", "n_jobs"), [("loky", 1), ("loky", 2), ("threading", 2)])
@pytest.mark.parametrize("has_tqdm", [True, False])
def test_progress_counts_all_fits(backend, n_jobs, has_tqdm, capsys, monkeypatch):
    if has_tqdm:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setitem(sys.modules, "tqdm", None)
    with joblib.parallel_config(backend=backend, n_jobs=n_jobs):
        compare_aloud(1)
    printed = capsys.readouterr()
    assert printed.out == ""
    if has_tqdm:
        assert [f"{k}/24" in printed.err for k in (0, 24, 25)] == [True, True, False]
        return
    counts = [line.split()[1] for line in printed.err.splitlines()]
    # The first fit, then each second one: a tenth of 24.
    assert counts == [f"{k}/24" for k in (1, *range(2, 25, 2))]


def test_progress_of_cross_val_score_and_none_by_default(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    compare_aloud(0)
    cross_val_score(DummyClassifier(), X, Y, cv=CV)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")
    cross_val_score(DummyClassifier(), X, Y, cv=CV, verbose=1)
    counts = [line.split()[1] for line in capsys.readouterr().err.splitlines()]
    assert counts == ["1/3", "2/3", "3/3"]
