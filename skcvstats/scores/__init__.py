"""Scores and the splits they were measured on: who was where, and what came out. NumPy only."""

from ._cv_results import SPLIT_KEY
from ._design import DesignRequest, SplitDesign
from ._diagnostics import kind_notes
from ._fingerprint import split_digest, target_digest
from ._losses import RowLosses
from ._methods import METHODS
from ._notes import Note, as_notes, footnotes, union, warn_of
from ._pairing import (
    UNVERIFIED_PAIRING,
    UNVERIFIED_TARGET,
    check_same_metric,
    merged_provenance,
    pair_designs,
    provenance_of,
)
from ._reader import SplitReader
from ._scores import CVScores
from ._structure import spread_holes

__all__ = [
    "METHODS",
    "SPLIT_KEY",
    "UNVERIFIED_PAIRING",
    "UNVERIFIED_TARGET",
    "CVScores",
    "DesignRequest",
    "Note",
    "RowLosses",
    "SplitDesign",
    "SplitReader",
    "as_notes",
    "check_same_metric",
    "footnotes",
    "kind_notes",
    "merged_provenance",
    "pair_designs",
    "provenance_of",
    "split_digest",
    "spread_holes",
    "target_digest",
    "union",
    "warn_of",
]
