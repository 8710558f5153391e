"""Columns that are text only because of a few cells: the error of a failed fit names them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from skcvstats import compare_estimators, cross_val_inference
from skcvstats.exceptions import FitError

N = 60
DRAWN = np.random.default_rng(0)
Y = DRAWN.integers(0, 2, N)
NUMBERS = DRAWN.permutation(N) + 0.25
LOGISTIC = LogisticRegression()


def with_tokens(tokens):
    """Return numbers as they are read where some cells contain a token."""
    cells = list(map(str, NUMBERS))
    for k, token in enumerate(tokens):
        cells[5 * k] = token
    return cells


@pytest.mark.parametrize(
    ("tokens", "said", "option"),
    [
        ("?", "'spend' ('?' in 1 row)", "na_values=['?']"),
        (["-", "-", "n/a"], "'spend' ('-', 'n/a' in 3 rows)", "na_values=['-', 'n/a']"),
        (["unknown", None], "'spend' ('unknown' in 1 row)", "na_values=['unknown']"),
    ],
)
@pytest.mark.parametrize("dtype", [object, "string", "category"])
def test_the_column_the_token_and_the_option(tokens, said, option, dtype):
    X = pd.DataFrame({"age": NUMBERS, "spend": pd.Series(with_tokens(tokens), dtype=dtype)})
    imputed = make_pipeline(SimpleImputer(), LOGISTIC)
    with pytest.raises(FitError) as raised:
        compare_estimators({"a": imputed, "b": LOGISTIC}, X, Y)
    message = str(raised.value)
    assert "Columns of X are numbers but for a few cells of text" in message
    assert said in message
    assert f"pandas.read_csv(..., {option})" in message
    assert "'age'" not in message


def test_two_columns_at_every_door():
    X = pd.DataFrame({"spend": with_tokens("?"), "calls": with_tokens(["--"])})
    for call in (
        lambda: cross_val_inference(LOGISTIC, X, Y),
        lambda: compare_estimators({"a": LOGISTIC, "b": LOGISTIC}, X, Y, on_error="drop"),
    ):
        with pytest.raises(FitError, match=r"'spend' \('\?' in 1 row\), 'calls' \('--' in 1 row\)"):
            call()


@pytest.mark.parametrize("kind", ["texts", "decimal commas", "array"])
def test_other_texts_have_the_usual_advice(kind):
    cells = with_tokens("?")
    if kind == "texts":
        cells = [f"town {k}" for k in range(N)]
    elif kind == "decimal commas":
        cells = [cell.replace(".", ",") for cell in cells]
    X = pd.DataFrame({"region": cells})
    if kind == "array":
        X = X.to_numpy()
    with pytest.raises(FitError, match="encode them in a pipeline"):
        compare_estimators({"a": LOGISTIC, "b": LOGISTIC}, X, Y)
