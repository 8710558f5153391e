"""The bootstrap of groups, from replicates given by hand."""

import numpy as np
import pytest

from skcvstats import AnticonservativeWarning
from skcvstats.comparison._family import Unadjusted
from skcvstats.test_set import ClusterBootstrapTest
from skcvstats.test_set._cluster_bootstrap import bootstrap_scores


def scores_of(estimates, replicates, *, n_groups=40, n_rarer=None, grouped=True):
    replicates = np.array(replicates, dtype=float)
    return bootstrap_scores(
        np.array(estimates, dtype=float),
        replicates,
        np.array(len(estimates) * [[0.4, 0.5, 0.7]]),
        labels=tuple("ab"[: len(estimates)]),
        metric="f1",
        n_rows=80,
        n_groups=n_groups,
        grouped=grouped,
        n_rarer=n_rarer,
    )


def test_the_standard_error_is_the_standard_deviation_of_a_sample():
    """Deviations -2, -1, 0, 3 of mean 0: a sum of squares of 14 over 3."""
    result = ClusterBootstrapTest()(scores_of([0.5], [[0.3, 0.4, 0.5, 0.8]]))
    assert result.standard_error == pytest.approx(0.1 * np.sqrt(14 / 3), rel=1e-12)


def test_the_magnitude_is_the_largest_of_estimate_and_replicates():
    scores = scores_of([0.5, -9.0], [[0.4, -3.0, 2.0], [1.0, 2.0, 3.0]])
    assert scores.magnitude.tolist() == [3, 9]


@pytest.mark.parametrize(
    ("n_groups", "n_rarer", "told"),
    [
        (20, None, []),
        (20, 10, []),
        (20, 9, ["only 9 groups with rows of the rarer class"]),
        (9, 9, ["only 9 groups"]),
        (9, 8, ["only 8 groups with rows of the rarer class", "only 9 groups"]),
    ],
)
def test_fewer_than_ten_are_few(n_groups, n_rarer, told):
    scores = scores_of([0.5], [[0.3, 0.4, 0.6]], n_groups=n_groups, n_rarer=n_rarer)
    notes = [note for note in scores.notes if note.code == "small bootstrap"]
    assert [note.text.split(":")[0] for note in notes] == told
    assert all(note.category is AnticonservativeWarning for note in notes)


def test_nothing_is_beyond_a_bound_at_the_estimate():
    """Whatever the share of replicates on either side of it, which p is read from."""
    replicates = np.r_[np.linspace(0.1, 0.49, 10), np.linspace(0.51, 0.9, 989)]
    result = ClusterBootstrapTest()(scores_of([0.5], [replicates]))
    assert result.against(0.5, "two-sided").pvalue < 0.9
    told = Unadjusted(1).margin_pvalues(result, (-0.5, 0.5))
    assert told.better_by_more == told.worse_by_more == 1
    told = Unadjusted(1).margin_pvalues(result, (0.5, 0.6))
    assert told.worse_by_more == 1
