"""Fitted models on one test set: what their predictions show about the differences."""

from .._utils._shared_docs import share_docstrings
from ..stats import procedures_among
from ._alignment import by_name
from ._bootstrap import BootstrapResult, BootstrapTest
from ._data_sets import DataSetsTTest
from ._delong import DeLongTest, delong_auc
from ._doors import compare_losses, compare_predictions, predictions_inference
from ._held_out import ClusteredTTest, clustered_mean
from ._jackknife import JackknifeTTest
from ._ledger import NOT_SHOWN, SHOWN, LedgerError, Look, LookLedger, level_of_look, read_ledger
from ._long import from_long
from ._mcnemar import McNemarResult, McNemarScoreTest, cochran_q_test, mcnemar_exact_test
from ._measure import OF_GIVEN, score_on, score_runs, two_valued_notes
from ._metadata import check_taken, places_of  # these for other rooms
from ._predictions import TestSet, read_test_set

__all__ = [
    "BootstrapResult",
    "BootstrapTest",
    "ClusteredTTest",
    "DataSetsTTest",
    "DeLongTest",
    "JackknifeTTest",
    "LedgerError",
    "Look",
    "LookLedger",
    "McNemarResult",
    "McNemarScoreTest",
    "clustered_mean",
    "cochran_q_test",
    "compare_losses",
    "compare_predictions",
    "delong_auc",
    "mcnemar_exact_test",
    "predictions_inference",
]

ON_TEST_SETS = procedures_among(globals()[name] for name in __all__)  # for saved results

share_docstrings(globals())
