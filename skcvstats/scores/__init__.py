"""Scores and the splits they were measured on; uses only NumPy. All names are for other rooms."""

from .._utils._shared_docs import share_docstrings
from ._data_notes import EQUAL_ROWS as EQUAL_ROWS
from ._data_notes import copy_notes as copy_notes
from ._data_notes import order_notes as order_notes
from ._data_notes import repeat_notes_of as repeat_notes_of
from ._data_notes import table_notes as table_notes
from ._design import DesignRequest as DesignRequest
from ._design import SplitDesign as SplitDesign
from ._design import check_design as check_design
from ._notes import CONSTANT as CONSTANT
from ._notes import Note as Note
from ._notes import are_shares as are_shares
from ._notes import as_notes as as_notes
from ._notes import note_on_some as note_on_some
from ._notes import refuse_losses as refuse_losses
from ._notes import shown_ends as shown_ends
from ._notes import union as union
from ._notes import warn_of as warn_of
from ._notes import with_shown_ends as with_shown_ends
from ._pairing import UNVERIFIED_PAIRING as UNVERIFIED_PAIRING
from ._pairing import check_same_metric as check_same_metric
from ._pairing import stack_scores as stack_scores
from ._reading import MOST_SPLITS as MOST_SPLITS
from ._reading import SplitReader as SplitReader
from ._reading import draw_splits as draw_splits
from ._reading import split_digest as split_digest
from ._reading import target_digest as target_digest
from ._rows import Components as Components
from ._rows import RowScores as RowScores
from ._scores import CVScores as CVScores
from ._sources import metrics_of as metrics_of
from ._split_notes import FEW_DISTINCT as FEW_DISTINCT
from ._split_notes import NOT_AGAIN as NOT_AGAIN
from ._split_notes import STRATIFIED as STRATIFIED
from ._split_notes import TIME_ORDER as TIME_ORDER
from ._split_notes import SharedRows as SharedRows

share_docstrings(globals())
