"""Rows that were made between others or beside one: what is a sign of them, and what is none."""

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.model_selection import GroupKFold, KFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

import skcvstats as s
from skcvstats.command_line import main
from skcvstats.notes import NearRows
from skcvstats.scores import find_notes
from tests.calibration.sound_data import sound_data_sets
from tests.cheap import NearestMean
from tests.conftest import ignoring
from tests.data import breast_cancer, interpolated, iris, wine

rng = np.random.default_rng(0)
NOISE = rng.normal(size=(240, 6))
OF_FEW = NOISE[180:]  # the rows of the rare class
LABELS = np.arange(360) // 180
BALANCED = np.concatenate([NOISE, interpolated(OF_FEW, 120)])
TWICE = np.concatenate([NOISE, NOISE]) + rng.normal(scale=0.05, size=(480, 6))
OF_TWICE = rng.integers(0, 2, 480)


def codes(X, y):
    return [note.code for note in find_notes(NearRows(X, y))]


@pytest.mark.parametrize("n_made", [30, 60, 120])
def test_the_share_of_rows_between_two_others_is_that_of_brute_force(n_made):
    X = np.concatenate([NOISE, interpolated(OF_FEW, n_made)])
    y = (np.arange(len(X)) >= 180).astype(int)
    rows = X[180:] / X[180:].std(axis=0)
    n_between = 0
    for row in rows:
        others = rows - row
        lengths = np.linalg.norm(others, axis=1)
        near = others[np.argsort(lengths)[1:11]]
        near = near / np.linalg.norm(near, axis=1)[:, None]
        n_between += (near @ near.T).min() < -1 + 1e-6
    (note,) = find_notes(NearRows(X, y))
    share = float(note.text.partition(": ")[2].partition(" %")[0]) / 100
    assert share == pytest.approx(n_between / len(rows), abs=1e-4)
    assert n_between / len(rows) > 0.15


@pytest.mark.parametrize(
    "change",
    [
        pd.DataFrame,
        lambda X: pd.DataFrame(X).convert_dtypes(),
        lambda X: pd.DataFrame(X).assign(site="a", size=np.arange(len(X)) % 7),
        lambda X: X.astype(np.float32),
        lambda X: X.round(6),
        lambda X: 1000 + 1e-3 * X,
        StandardScaler().fit_transform,
        PCA().fit_transform,
        lambda X: X.tolist(),
        lambda X: np.hstack([X, rng.integers(2, size=(len(X), 2))]),
    ],
)
def test_synthetic_rows_in_any_table_and_order(change):
    X = change(BALANCED)
    order = rng.permutation(360)
    taken = X.iloc[order] if hasattr(X, "iloc") else [X[k] for k in order]
    if not hasattr(X, "iloc"):
        taken = np.array(taken) if isinstance(X, np.ndarray) else taken
    for labels in (LABELS, np.where(LABELS, "sick", "well"), LABELS.astype(bool)):
        assert codes(taken, labels[order]) == ["synthetic rows"]
    assert codes(change(np.concatenate([NOISE, rng.normal(size=(120, 6))])), LABELS) == []


def test_classes_that_were_cleaned_afterwards_are_not_equal():
    kept = np.r_[0:150, 180:360]  # as by Tomek links, after which the class is the largest
    assert codes(BALANCED[kept], LABELS[kept]) == ["synthetic rows"]


def test_one_of_three_classes():
    X = np.concatenate([BALANCED, rng.normal(size=(180, 6))])
    y = np.concatenate([LABELS, np.full(180, 2)])
    (note,) = find_notes(NearRows(X, y))
    assert "of the rows looked at in class 1 lie" in note.text


@ignoring("SplitDesign")
def test_noise_looks_learnt_with_synthetic_rows_only():
    models = {"near": KNeighborsClassifier(1), "bayes": GaussianNB()}
    result = s.compare_estimators(models, BALANCED, LABELS, scoring="roc_auc", cv=5)
    assert result.scores.values[0].mean() > 0.75  # of labels without any relation to X
    assert "synthetic rows" in str(result)
    (text,) = [note.text for note in result.notes if note.code == "synthetic rows"]
    assert text.endswith("oversample inside the pipeline")


def test_what_lies_on_lines_in_all_classes_is_no_sign():
    hours = np.cumsum(rng.integers(1, 3, 300))
    machines = np.outer(hours, rng.normal(size=5)) + rng.normal(size=5)
    y = rng.integers(0, 2, 300)
    counters = np.repeat(rng.normal(size=(6, 5)), 50, axis=0) + np.outer(hours, np.arange(1, 6))
    known = np.arange(0, 301, 6)
    filled = np.stack(
        [np.interp(np.arange(300), known, rng.normal(size=known.size)) for _ in range(5)], axis=1
    )
    for X in (machines, counters, filled):
        assert codes(X, y) == []


def test_no_classes_few_columns_and_grids_are_no_sign():
    assert codes(BALANCED, BALANCED[:, 0]) == []
    assert codes(BALANCED[:, :2], LABELS) == []
    assert codes(BALANCED.round(0), LABELS) == []
    assert codes(None, LABELS) == []
    assert codes(["a text", "another"], [0, 1]) == []
    grid = np.stack(np.meshgrid(*[np.arange(7.0)] * 3), axis=-1).reshape(-1, 3)
    assert codes(grid, rng.integers(0, 2, 343)) == []


def test_small_integers_and_columns_that_are_mostly_0_are_no_sign():
    generator = np.random.default_rng(3)
    for _ in range(20):
        y = generator.integers(0, 2, 80)
        counts = generator.normal(50, 9, size=(80, 3)).round()
        assert codes(np.column_stack([counts, generator.normal(size=(80, 1))]), y) == []
        rare = np.where(generator.random((300, 3)) < 0.45, 0, generator.exponential(size=(300, 3)))
        assert codes(rare, generator.integers(0, 2, 300)) == []


def test_rows_twice_with_a_little_noise():
    (note,) = find_notes(NearRows(TWICE, OF_TWICE))
    distances = np.sqrt(np.square(TWICE[:, None] - TWICE).sum(axis=2))
    first, second = np.sort(distances, axis=1)[:, 1:3].T
    share = np.mean(4 * first < second)  # without standardization, of columns that are alike
    n_near = int(note.text.removeprefix("intervals are too short: ").split()[0])
    assert n_near / 480 == pytest.approx(share, abs=0.05)
    assert share > 0.75


@pytest.mark.parametrize("n_lacking", [1, 30, 100])
def test_missing_numbers_make_no_rows_alike(n_lacking):
    X = np.column_stack([NOISE[:, 0].round(2), NOISE[:, 1:3]])
    X[:n_lacking, 1] = np.nan
    X[-n_lacking:, 2] = np.nan
    assert not codes(X, LABELS[:240])


def test_near_copies_of_several_numbers_of_rows():
    members = rng.integers(1, 5, 120)
    X = np.repeat(rng.normal(size=(120, 5)), members, axis=0)
    X += rng.normal(scale=0.01, size=X.shape)
    assert codes(X, np.arange(len(X))) == ["near-copies"]
    for n_copies in (2, 3, 4, 5):
        X = np.repeat(rng.normal(size=(60, 5)), n_copies, axis=0)
        X += rng.normal(scale=0.01, size=X.shape)
        assert codes(pd.DataFrame(X).assign(site="a"), np.arange(len(X))) == ["near-copies"]


def test_near_copies_count_where_splits_tear_them():
    groups = np.arange(480) % 240
    apart = s.SplitDesign.from_splitter(KFold(4, shuffle=True, random_state=0), TWICE, OF_TWICE)
    assert "near-copies" in [note.code for note in apart.notes]
    together = s.SplitDesign.from_splitter(GroupKFold(4), TWICE, OF_TWICE, groups)
    order = np.argsort(groups, kind="stable")
    in_blocks = s.SplitDesign.from_splitter(KFold(4), TWICE[order], OF_TWICE)
    for design in (together, in_blocks):
        assert "near-copies" not in [note.code for note in design.notes]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "code"),
    [((BALANCED, LABELS), "synthetic rows"), ((TWICE, OF_TWICE), "near-copies")],
)
@ignoring("SplitDesign")
def test_doors_that_fit_in_other_ways(data, code, tmp_path, capsys):
    models = {"a": NearestMean(1), "b": NearestMean(2)}
    curve = s.learning_curve_inference(models, *data, train_sizes=(0.5, 1.0))
    assert code in [note.code for note in curve.notes]
    grid = {"n_columns": [1, 2]}
    race = s.RacingSearchCV(NearestMean(), grid, random_state=0, min_splits=5).fit(*data)
    assert code in [note.code for note in s.compare_candidates(race, *data).notes]
    with pytest.warns(s.SplitDesignWarning, match=code.replace(" ", ".*").replace("ies", "")):
        s.RacingSearchCV(NearestMean(), grid, random_state=0, min_splits=5).fit(*data)
    frame = pd.DataFrame(data[0]).add_prefix("column").assign(label=data[1])
    frame.to_csv(tmp_path / "rows.csv", index=False)
    command = ["compare", "--data", str(tmp_path / "rows.csv"), "--target", "label"]
    main([*command, "--estimators", "knn", "tree", "--n-splits", "2"])
    assert f"[{code}]" in capsys.readouterr().out


@ignoring("SplitDesign")
def test_a_test_set():
    rows, labels = BALANCED, LABELS
    train, test = train_test_split(np.arange(360), test_size=0.6, random_state=0)
    models = {"a": GaussianNB().fit(rows[train], labels[train])}
    models["b"] = GaussianNB(var_smoothing=1.0).fit(rows[train], labels[train])
    result = s.compare_predictions(labels[test], models, X=rows[test], scoring="accuracy")
    assert "synthetic rows" in [note.code for note in result.notes]
    predicted = {"a": OF_TWICE, "b": rng.permutation(OF_TWICE)}
    for groups, found in ((None, True), (np.arange(480) % 240, False)):
        more = {"X": TWICE, "groups": groups, "scoring": "accuracy"}
        result = s.compare_predictions(OF_TWICE, predicted, **more)
        assert ("near-copies" in [note.code for note in result.notes]) is found


def test_ordinary_data_have_neither():
    for load in (iris, wine, breast_cancer):
        assert codes(*load()) == []
    for n_columns in (1, 2, 3):
        for make in (rng.normal, rng.standard_cauchy, rng.exponential, rng.random):
            X = make(size=(400, n_columns))
            assert codes(X, rng.integers(0, 2, 400)) == []


def test_sound_data_have_neither():
    n_data_sets = 0
    for data in sound_data_sets():
        assert codes(data.X, data.y) == []
        n_data_sets += 1
    assert n_data_sets > 30
