"""Scores and the splits they were measured on; uses only NumPy. All names are for other rooms."""

from .._utils._shared_docs import share_docstrings
from ._design import DesignRequest, SplitDesign, check_design
from ._losses import are_losses, refuse_divided_by_zero, refuse_losses
from ._notes import (
    Note,
    NoteOnTests,
    NotesOnEach,
    as_notes,
    codes_of,
    note_on_tests,
    notes_about,
    union,
    warn_of,
    with_new,
)
from ._noting import (
    Facts,
    FinishedLevel,
    FinishedScores,
    ListedSplits,
    MissingEvidenceError,
    RepeatedScores,
    ScoresOfMetric,
    find_notes,
)
from ._pairing import UNVERIFIED_PAIRING, stack_scores
from ._provenance import Baseline, baseline_of
from ._range import shown_ends, with_shown_ends
from ._reading import SplitReader, target_digest
from ._rows import Components, RowScores, check_range, largest_of
from ._scores import CLASSES_OF_SCORES, CVScores
from ._sources import metrics_of
from ._split_facts import (
    DRAWN_FROM_ALL,
    FEW_DISTINCT,
    FIXED_SUBSET,
    GROUPS_TORN,
    OVERLAP,
    REPEATED,
    SAME_TEST_ROWS,
    STRATIFIED,
    TIME_ORDER,
    TRAINED_ON,
    notes_without,
)

share_docstrings(globals())
