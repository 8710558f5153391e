"""Any number of workers: scores as in one process, progress, and what is said of dead ones."""

import re
import sys
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pickle import PicklingError

import joblib
import numpy as np
import pytest
from sklearn import config_context
from sklearn.dummy import DummyClassifier
from sklearn.metrics import f1_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from skcvstats import (
    FitError,
    RepeatedSubsampleSplit,
    compare_estimators,
    compare_out_of_fold,
    compare_predictions,
    cross_val_score,
    simulate,
)
from skcvstats.fitting import FitStore
from skcvstats.fitting._workers import explained
from tests.fitting.against_sklearn import CLASSIFIERS, CV, CV12, X, Y, fit_all, sklearn_scores
from tests.fitting.estimators import Busy, Locked, NeedsConfig
from tests.fitting.test_against_cross_validate import CASES
from tests.fitting.work import X as IRIS
from tests.fitting.work import Y as OF_IRIS
from tests.fitting.work import two
from tests.processes import BACKENDS, JOBS
from tests.simulation.studies import Mean, line

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


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("fresh_seeds", [False, True])
def test_random_states_do_not_depend_on_workers(backend, fresh_seeds):
    trees = {f"tree{k}": ExtraTreeClassifier(random_state=k) for k in range(2)}
    call = partial(compare_estimators, trees, X, Y, cv=CV12, fresh_seeds=fresh_seeds)
    expected = call()
    with joblib.parallel_config(backend=backend, n_jobs=2):
        found = call()
    assert found.scores.values.tobytes() == expected.scores.values.tobytes()
    assert found.notes == expected.notes
    assert any("seeds" in note.code for note in found.notes)


@pytest.mark.parametrize("n_jobs", JOBS)
def test_times_of_fits_and_scores_are_positive_for_each_split(n_jobs):
    scores = fit_all(PARALLEL, X, Y, "accuracy", CV, n_jobs=n_jobs)["accuracy"]
    for times in (scores.fit_times, scores.score_times):
        assert times.shape == (4, 3)
        assert (times > 0).all()
        assert (times < 60).all()
    assert scores["knn"].score_times.shape == (3,)


PROGRESS = [("loky", 1), pytest.param("loky", 2, marks=pytest.mark.processes), ("threading", 2)]


def compare_aloud(verbose):
    models = {"tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    return fit_all(models, X, Y, "accuracy", CV12, verbose=verbose)


@pytest.mark.parametrize(("backend", "n_jobs"), PROGRESS)
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


@pytest.mark.parametrize("scoring", ["roc_auc", "f1", make_scorer(f1_score, average="macro")])
def test_progress_of_out_of_fold_predictions(scoring, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    predictions = {"a": Y, "b": np.where(np.arange(len(Y)) % 4, Y, 1 - Y)}
    how = {"folds": np.arange(len(Y)) // 2 % 3, "scoring": scoring}
    silent = compare_out_of_fold(Y, predictions, **how)
    assert capsys.readouterr().err == ""
    aloud = compare_out_of_fold(Y, predictions, verbose=1, **how)
    counts = [line.split()[3] for line in capsys.readouterr().err.splitlines()]
    assert counts == ["1/3", "2/3", "3/3"]
    assert aloud[0].test.pvalue == silent[0].test.pvalue


def interrupt(*arguments):
    raise KeyboardInterrupt


def bootstrap_aloud():
    """Interrupt a bootstrap while it draws: the metric is computed without each row first."""
    calls = []

    def interrupted(y_true, y_pred):
        calls.append(1)
        if len(calls) == 10 * len(Y):
            raise KeyboardInterrupt
        return float(np.mean(y_true == y_pred)) ** 2

    how = {"scoring": make_scorer(interrupted), "method": "bootstrap", "n_resamples": 2000}
    compare_predictions(Y, {"a": Y, "b": 1 - Y}, verbose=1, **how)


def study_aloud():
    kept = {"n_data_sets": 3, "store": "fits.db", "verbose": 1}
    simulate(line, {"A": Mean()}, ["resampled_t"], **kept)


@pytest.mark.parametrize("call", [
    lambda: cross_val_score(DummyClassifier(), X, Y, cv=CV, store="fits.db", verbose=1),
    study_aloud, bootstrap_aloud,
], ids=["fits", "study", "bootstrap"])  # fmt: skip
def test_an_interrupt_ends_the_line_of_the_progress(call, monkeypatch, tmp_path, capsys):
    """Also where it comes while a record is kept, or while the parts of a bootstrap are drawn."""
    pytest.importorskip("tqdm")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(FitStore, "add", interrupt)
    with pytest.raises(KeyboardInterrupt) as caught:
        call()
    printed = capsys.readouterr().err  # while `caught` holds what a traceback shows
    assert caught.value is not None
    assert "0/" in printed
    assert printed.endswith("\n")


KINDS = [
    *("fortran, accuracy", "float32, neg_log_loss", "csr, neg_log_loss", "csc, accuracy"),
    *("strings in a frame", "texts", "precomputed kernel", "three dimensions"),
    "outputs in a frame",
]


@pytest.mark.processes
@pytest.mark.usefixtures("no_warning_is_an_error")
@pytest.mark.parametrize(
    ("kind", "backend"),
    [*((kind, "loky") for kind in KINDS), *((kind, "threading") for kind in KINDS[::3])],
)
def test_data_of_every_kind_reach_the_workers_unchanged(kind, backend):
    model, data, target, metric, cv = CASES[kind]
    with joblib.parallel_config(backend=backend, n_jobs=2):
        scores = cross_val_score(model, data, target, scoring=metric, cv=cv)
    expected = sklearn_scores(model, data, target, metric, cv)["score"]
    np.testing.assert_array_equal(scores.values, expected)


@pytest.mark.processes
@pytest.mark.filterwarnings("ignore:Only 4 splits", "ignore:.* equal a training row")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_mapped_from_a_file_and_too_large_to_send(tmp_path, n_jobs):
    rows = np.tile(IRIS, (230, 1))  # 1.1 MB, past joblib's limit for sending
    np.save(tmp_path / "X.npy", rows)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    target = np.tile(OF_IRIS, 230)
    # The first writes into its rows: workers must not share them.
    models = two(make_pipeline(StandardScaler(copy=False), GaussianNB()), NearestCentroid())
    cv = RepeatedSubsampleSplit(4, random_state=0)
    options = {"cv": cv, "n_jobs": n_jobs}
    found = [compare_estimators(models, it, target, **options).scores for it in (rows, mapped)]
    for name, model in models.items():
        expected = sklearn_scores(model, rows.copy(), target, "accuracy", cv)["score"]
        for scores in found:
            np.testing.assert_array_equal(scores[name].values, expected)
    np.testing.assert_array_equal(rows, np.tile(IRIS, (230, 1)))


@pytest.mark.processes
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_under_the_configuration_of_the_caller(backend):
    models, cv = two(NeedsConfig(), GaussianNB()), RepeatedSubsampleSplit(10, random_state=0)
    with config_context(assume_finite=True), joblib.parallel_config(backend=backend, n_jobs=2):
        assert compare_estimators(models, IRIS, OF_IRIS, cv=cv).tests[0].n_splits == 10
    with pytest.raises(FitError, match="did not arrive"):
        compare_estimators(models, IRIS, OF_IRIS, cv=cv)


TERMINATED = "A worker process was unexpectedly terminated.\n\nThe exit codes of workers are {%s}"
SENT = {"busy": Busy(), "locked": Locked(), "lambda": lambda x: x}


@pytest.mark.parametrize(
    ("said", "cause", "wanted"),
    [
        ("SIGKILL(-9)", "", r"died, as it was killed \(SIGKILL\), most often .* lack of memory"),
        ("SIGSEGV(-11)", "", r"died, by a crash in compiled code \(SIGSEGV\)"),
        ("SIGTERM(-15), SIGABRT(-6)", "", r"died, by a crash in compiled code \(SIGABRT\)"),
        ("SIGBUS(-7)", "", r"died, as data .* from a file were no longer there \(SIGBUS\)"),
        ("EXIT(1), SIGTERM(-15)", "", r"died, as its own code ended it \(exit code 1\)"),
        ("SIGTERM(-15)", "", r"died, as another program ended it \(SIGTERM\)"),
        ("UNKNOWN(255)", "", "died, most often for lack of memory or by a crash in compiled code"),
        ("un-serialize", "No module named 'mine'", "not load what it was sent: .*'mine'"),
        ("", "OSError: [Errno 28] No space left",
         r"not be written .*: OSError: \[Errno 28\] No sp"),
        ("", "PermissionError: denied: '/x'", "not be written .*: PermissionError: denied"),
        ("", "ValueError: mmap length is greater than file size", "not be written .*: ValueError"),
        ("", "TypeError: cannot pickle this estimator", "'locked' cannot be pickled, .*: Type"),
        ("", "TypeError: cannot pickle a lock", "What the fits need cannot be pickled, .* a lock"),
    ],
)  # fmt: skip
def test_errors_of_workers_name_their_cause(said, cause, wanted):
    error = BrokenProcessPool(TERMINATED % said) if said else PicklingError("Could not pickle it")
    if cause:
        traceback = f"Traceback (most recent call last):\n  ...\n{cause}"
        error.__cause__ = Exception(f'\n"""\n{traceback}\n"""')
    found = explained(error, SENT)
    assert isinstance(found, FitError)
    assert re.search(wanted, str(found))
