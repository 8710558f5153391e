"""The bits of every split: the same seed gives the same rows in the same order in every version.

The digests were recorded at commit 7273a08, before splits were drawn several at a time. A change
here breaks whoever published a seed.
"""

import hashlib

import numpy as np
import pytest

from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit, RepeatedTwoFold
from tests.splitters.splitters import GROUPS, X, Y

PINNED = {
    "subsample": (RepeatedSubsampleSplit(25, random_state=0), "af54c951ffbc9b83"),
    "large seed": (RepeatedSubsampleSplit(5, random_state=2**32 - 1), "daf632c54529de24"),
    "train_size": (
        RepeatedSubsampleSplit(6, train_size=0.5, random_state=3),
        "d7ea30e4a7ff0a1a",
    ),
    "fixed pool": (
        RepeatedSubsampleSplit(6, train_size=0.5, pool="fixed", random_state=4),
        "96550087543a17ed",
    ),
    "replicates": (RepeatedSubsampleSplit(4, n_replicates=3, random_state=5), "9a49a9a7720c844f"),
    "stratified": (RepeatedSubsampleSplit(6, stratify=True, random_state=6), "f52c6e7060ca5705"),
    "half pairs": (HalfSplitPairs(3, 4, random_state=7), "4cc39fc88ebca7ef"),
    "half pairs, stratified": (
        HalfSplitPairs(3, 4, test_size=10, stratify=True, random_state=8),
        "0021f74c05cd7bb6",
    ),
    "two-fold": (RepeatedTwoFold(3, random_state=9), "610e0dc2ec2163a6"),
    "stratified folds": (
        RepeatedTwoFold(3, stratify=True, random_state=10),
        "8bbe64df119d42c5",
    ),
    "subsample of groups": (RepeatedSubsampleSplit(6, random_state=11), "c5c8b38074ce37cc"),
    "half pairs of groups": (HalfSplitPairs(3, 4, random_state=12), "50514c4ba8e24a36"),
    "two-fold of groups": (RepeatedTwoFold(3, random_state=13), "f6b984b4f11610da"),
}


def digest_of(splits):
    """Fingerprint the rows of all splits in their order, which split_digest leaves out."""
    digest = hashlib.blake2b(digest_size=8)
    for split in splits:
        for rows in split:
            assert rows.dtype == np.intp
            digest.update(len(rows).to_bytes(8, "little") + rows.astype("<i8").tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("name", PINNED)
def test_splits_are_those_of_the_first_version(name):
    cv, expected = PINNED[name]
    groups = GROUPS if name.endswith("of groups") else None
    assert digest_of(cv.split(X, Y, groups)) == expected
