"""Names in errors: few are listed, of many three and a count; long ones are shortened."""

import numpy as np
import pytest

import skcvstats as s

DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=10)
VALUES = np.random.default_rng(0).normal(size=(40, 10))


@pytest.mark.parametrize(
    ("n_names", "listed"),
    [
        (2, "'m0', 'm1'"),
        (6, "'m0', 'm1', 'm2', 'm3', 'm4', 'm5'"),
        (7, "'m0', 'm1', 'm2' and 4 more"),
        (40, "'m0', 'm1', 'm2' and 37 more"),
    ],
)
def test_of_many_names_three_are_listed(n_names, listed):
    models = {f"m{k}": row for k, row in enumerate(VALUES[:n_names])}
    with pytest.raises(ValueError, match=f"{listed};"):
        s.compare_scores(models, design=DESIGN, reference="another")


def test_forty_models_in_an_error():
    models = {f"model {k}": row for k, row in enumerate(VALUES)}
    with pytest.raises(ValueError, match="'model 0', 'model 1', 'model 2' and 37 more; it may"):
        s.compare_scores(models, design=DESIGN, reference="model 99")


def test_a_long_name_loses_its_middle():
    name = "a" * 300 + "b" * 300
    with pytest.raises(ValueError, match=r"a{20,100}\.\.\.b{20,100}") as caught:
        s.compare_scores({name: VALUES[0], "short": VALUES[1]}, design=DESIGN, reference="none")
    assert len(str(caught.value)) < 400


def test_names_of_a_table_to_paste_stay_distinct():
    names = [f"KNeighborsClassifier with k={k} neighbours and Euclidean distance" for k in (1, 15)]
    result = s.compare_scores(dict(zip(names, VALUES, strict=False)), design=DESIGN)
    for text in (result.to_latex(), result.to_markdown()):
        assert len(max(text.splitlines(), key=len)) < 200
        assert "k=1 " in text
        assert "k=15 " in text
