"""Scores and the splits they were measured on; uses only NumPy."""

from ._alignment import align_rows, has_index, missing_in
from ._components import Components
from ._cv_results import SPLIT_KEY, metrics_of
from ._design import SplitDesign
from ._diagnostics import NOT_AGAIN, TIME_ORDER, kind_notes
from ._document import (
    MAX_BYTES,
    DocumentError,
    as_damage,
    read_document,
    read_file,
    write_document,
)
from ._fingerprint import split_digest, target_digest
from ._losses import RowLosses
from ._notes import Note, as_notes, codes, union, warn_of
from ._pairing import (
    UNVERIFIED_PAIRING,
    UNVERIFIED_TARGET,
    check_same_metric,
    merged_provenance,
    pair_designs,
    provenance_of,
)
from ._parts import PART, check_splits, part_of
from ._reader import SplitReader
from ._request import DesignRequest
from ._scores import CVScores
from ._splitter import ENDLESS, drawn_splits, lazy_split_of
from ._structure import MOST_SPLITS, TEST_SET, spread_holes

__all__ = [
    "ENDLESS",
    "MAX_BYTES",
    "MOST_SPLITS",
    "NOT_AGAIN",
    "PART",
    "SPLIT_KEY",
    "TEST_SET",
    "TIME_ORDER",
    "UNVERIFIED_PAIRING",
    "UNVERIFIED_TARGET",
    "CVScores",
    "Components",
    "DesignRequest",
    "DocumentError",
    "Note",
    "RowLosses",
    "SplitDesign",
    "SplitReader",
    "align_rows",
    "as_damage",
    "as_notes",
    "check_same_metric",
    "check_splits",
    "codes",
    "drawn_splits",
    "has_index",
    "kind_notes",
    "lazy_split_of",
    "merged_provenance",
    "metrics_of",
    "missing_in",
    "pair_designs",
    "part_of",
    "provenance_of",
    "read_document",
    "read_file",
    "split_digest",
    "spread_holes",
    "target_digest",
    "union",
    "warn_of",
    "write_document",
]
