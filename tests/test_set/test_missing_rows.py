"""Rows that a model lacks: an error, or left out for all models, with the coverage of each."""

import numpy as np
import pandas as pd
import pytest

import skcvstats as s

RNG = np.random.default_rng(5)
N = 100
Y = RNG.integers(0, 2, N)
SHARES = {"a": 0.7, "b": 0.8}
MODELS = {name: np.where(RNG.random(N) < share, Y, 1 - Y) for name, share in SHARES.items()}
GROUPS = np.arange(N) % 25
LACKING = {"a": [3, 50], "b": [3, 4, 5, 60, 61]}
KEPT = np.setdiff1d(np.arange(N), [3, 4, 5, 50, 60, 61])


def as_series(name):
    """Predictions without the rows that the model lacks, in another order."""
    own = RNG.permutation(np.setdiff1d(np.arange(N), LACKING[name]))
    return pd.Series(MODELS[name], index=np.arange(N) + 1000).iloc[own]


def as_missing(name, kind=float):
    """Predictions of all rows, some of them missing."""
    values = MODELS[name].astype(kind)
    values[LACKING[name]] = np.nan if kind is float else None
    return values


INDEX = np.arange(N) + 1000
OF_INDEX = {name: as_series(name) for name in MODELS}
WAYS = {
    "index": (pd.Series(Y, INDEX), OF_INDEX, pd.Series(GROUPS, INDEX)),
    "missing": (Y, {name: as_missing(name) for name in MODELS}, GROUPS),
    "None": (Y, {name: as_missing(name, object) for name in MODELS}, GROUPS),
    "frame": (Y, pd.DataFrame({name: as_missing(name) for name in MODELS}), GROUPS),
    "lists": (Y.tolist(), {name: as_missing(name).tolist() for name in MODELS}, GROUPS.tolist()),
}


def same(found, expected):
    assert found.to_frame().drop(columns="note").equals(expected.to_frame().drop(columns="note"))


@pytest.mark.parametrize(("way", "with_groups"), [*((way, True) for way in WAYS), ("None", False)])
def test_as_if_the_others_had_not_been_given(way, with_groups):
    y, models, groups = WAYS[way]
    options = {"scoring": "accuracy", "reference": "a"}
    with pytest.raises((s.PairingError, ValueError), match=r"rows|missing"):
        s.compare_predictions(y, models, **options)
    kept = {name: values[KEPT] for name, values in MODELS.items()}
    more, own = ({"groups": g} if with_groups else {} for g in (groups, GROUPS[KEPT]))
    expected = s.compare_predictions(Y[KEPT], kept, **options, **own)
    found = s.compare_predictions(y, models, **options, **more, missing_rows="drop")
    same(found, expected)
    (note,) = (note for note in found.notes if note.code == "missing rows")
    assert "94 of 100 rows are compared" in note.text
    assert "Coverage: b 95 %, a 98 %. b lacks 5 rows (there a has accuracy" in note.text
    # Each lacks row 3, so it is not among the rows where the other one is scored.
    right = {name: values == Y for name, values in MODELS.items()}
    there = right["a"][[4, 5, 60, 61]].mean()
    assert f"a has accuracy {there:.3g}, and accuracy {right['a'][KEPT].mean():.3g}" in note.text
    assert f"a lacks 2 rows (there b has accuracy {float(right['b'][50]):g}, " in note.text
    assert "Coverage: b 95 %" in str(found)
    assert "Coverage: b 95 %" in str(s.evaluation_report(found))


@pytest.mark.parametrize("indexed", [True, False])
def test_losses_of_missing_rows_are_dropped_for_all_models(indexed):
    losses = {name: RNG.random(N) for name in MODELS}
    table = {}
    for name, values in losses.items():
        whole, lacking = pd.Series(values), LACKING[name]
        table[name] = whole.drop(lacking) if indexed else whole.where(~whole.index.isin(lacking))
    found = s.compare_losses(table, reference="a", missing_rows="drop")
    same(found, s.compare_losses({name: of[KEPT] for name, of in losses.items()}, reference="a"))
    array = np.array(list(pd.DataFrame(losses).where(pd.DataFrame(table).notna()).T.to_numpy()))
    assert s.compare_losses(array, missing_rows="drop")[0].test.n_test == len(KEPT)
    # row 3 is of no model where rows are named, and so not counted
    (note,) = (note for note in found.notes if note.code == "missing rows")
    assert f"{len(KEPT)} of {99 if indexed else 100} rows" in note.text
    there = losses["a"][[4, 5, 60, 61]].mean()
    assert f"(there a has loss {there:.3g}, and loss {losses['a'][KEPT].mean():.3g} on" in note.text


def test_no_score_is_told_of_rows_on_which_there_is_none():
    chances = {name: RNG.random(N) for name in MODELS}
    chances["a"][np.flatnonzero(Y == 1)[:4]] = np.nan
    found = s.compare_predictions(Y, chances, scoring="roc_auc", missing_rows="drop")
    (note,) = (note for note in found.notes if note.code == "missing rows")
    assert note.text.endswith("Coverage: a 96 %, b 100 %. a lacks 4 rows")


def test_a_low_coverage_is_a_warning_and_a_whole_one_not_even_a_note():
    few = {"a": MODELS["a"], "b": np.where(np.arange(N) < 11, np.nan, MODELS["b"])}
    with pytest.warns(s.SplitDesignWarning, match=r"89 of 100 rows.*b 89 %, a 100 %"):
        s.compare_predictions(Y, few, scoring="accuracy", missing_rows="drop")
    found = s.compare_predictions(Y, MODELS, scoring="accuracy", missing_rows="drop")
    assert not any(note.code == "missing rows" for note in found.notes)
    same(found, s.compare_predictions(Y, MODELS, scoring="accuracy"))


def test_probabilities_runs_and_estimators():
    class Fitted:
        classes_ = np.array([0, 1])

        def predict_proba(self, X):
            return np.column_stack([1 - X[:, 0], X[:, 0]])

        def predict(self, X):
            return (X[:, 0] > 0.5).astype(int)

    X = RNG.random((N, 1))
    one = np.column_stack([RNG.random(N) / 2 + 0.2, np.zeros(N)])
    one[:, 1] = 1 - one[:, 0]
    one[7] = np.nan
    runs = [RNG.random(N), np.where(np.arange(N) == 9, np.nan, RNG.random(N))]
    models = {"fitted": Fitted(), "runs": runs, "one": one}
    found = s.compare_predictions(Y, models, scoring="neg_brier_score", X=X, missing_rows="drop")
    assert found[0].test.n_test == N - 2
    (note,) = (note for note in found.notes if note.code == "missing rows")
    assert "Coverage: runs 99 %, one 99 %" in note.text
    models = {"fitted": Fitted(), "other": Fitted()}
    models["other"].predict = lambda X: (X[:, 0] > 0.3).astype(int)
    found = s.compare_predictions(Y, models, scoring="accuracy", X=X, missing_rows="drop")
    assert found[0].test.n_test == N


def test_by_and_weights_lose_the_same_rows():
    by, weights = np.repeat(["one", "two"], N // 2), RNG.random(N) + 0.5
    models = {name: as_missing(name) for name in MODELS}
    options = {"scoring": "accuracy", "reference": "a"}
    how = {"by": by, "sample_weight": weights, "missing_rows": "drop", **options}
    found = s.compare_predictions(Y, models, **how)
    kept = {name: values[KEPT] for name, values in MODELS.items()}
    how = {"by": by[KEPT], "sample_weight": weights[KEPT], **options}
    expected = s.compare_predictions(Y[KEPT], kept, **how)
    assert found.by_slice().equals(expected.by_slice())
