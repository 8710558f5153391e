"""Scores and the splits they were measured on; uses only NumPy."""

from ._cv_results import metrics_of
from ._design import DesignRequest, SplitDesign, check_design
from ._folds import check_folds, read_folds, repeats_and_folds, require_all_others
from ._notes import Note, as_notes, codes, in_brief, note_on_some, union, warn_of
from ._pairing import UNVERIFIED_PAIRING, check_same_metric, stack_scores
from ._parts import at_rows, check_splits, holes_of, part_of
from ._range import are_cut, shown_ends, with_shown_ends
from ._reading import ENDLESS, SplitReader, drawn_splits, lazy_split_of, split_digest, target_digest
from ._rows import Components, RowScores
from ._scores import CVScores
from ._shared_rows import SharedRows
from ._split_notes import STRATIFIED
from ._structure import MOST_SPLITS
from ._value_notes import means_of_folds, refuse_losses, reversed_notes

__all__ = [
    "ENDLESS",
    "MOST_SPLITS",
    "STRATIFIED",
    "UNVERIFIED_PAIRING",
    "CVScores",
    "Components",
    "DesignRequest",
    "Note",
    "RowScores",
    "SharedRows",
    "SplitDesign",
    "SplitReader",
    "are_cut",
    "as_notes",
    "at_rows",
    "check_design",
    "check_folds",
    "check_same_metric",
    "check_splits",
    "codes",
    "drawn_splits",
    "holes_of",
    "in_brief",
    "lazy_split_of",
    "means_of_folds",
    "metrics_of",
    "note_on_some",
    "part_of",
    "read_folds",
    "refuse_losses",
    "repeats_and_folds",
    "require_all_others",
    "reversed_notes",
    "shown_ends",
    "split_digest",
    "stack_scores",
    "target_digest",
    "union",
    "warn_of",
    "with_shown_ends",
]
