"""Rows copied before the splits are said, once by every method."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

from skcvstats import ConservativeZTest, RepeatedSubsampleSplit, SplitDesign, compare_estimators
from skcvstats.stats import get_procedure_names

CODE = "rows in training and test"
WORDS = "test rows equal a training row in X and y"
RNG = np.random.default_rng(0)
NOISE = RNG.normal(size=(100, 5)), np.arange(100) % 2  # in which nothing can be learnt
X, Y = (np.tile(part, (2, 1)[: part.ndim]) for part in NOISE)
MODELS = {"1-NN": KNeighborsClassifier(1), "majority": DummyClassifier()}
REPLICATES = RepeatedSubsampleSplit(2, n_replicates=11, random_state=0)
FEW = dict.fromkeys(("bootstrap_t", "corrected_bootstrap_t"), REPLICATES)
METHODS = {*get_procedure_names()} - {"conservative_z"}


@pytest.mark.parametrize("method", [*sorted(METHODS), ConservativeZTest(n_pairs=3)], ids=str)
def test_auxiliary_splits_do_not_say_it_again(method):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = compare_estimators(MODELS, X, Y, method=method, cv=FEW.get(method))
    assert sum(WORDS in str(warning.message) for warning in caught) == 1
    assert [note.code for note in result[0].notes].count(CODE) == 1
    if method == "row_t":  # what the note is about: noise looks learnt
        assert result[0].test.pvalue < 0.01
        assert result[0].test.estimate > 0.1


def test_a_frame_whose_index_numbers_the_rows():
    frame = pd.DataFrame(X, index=np.arange(200) + 1000).assign(text=np.where(Y, "a", None))
    assert CODE in [note.code for note in SplitDesign.from_splitter(KFold(5), frame, Y).notes]
