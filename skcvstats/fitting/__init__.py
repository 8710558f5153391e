"""Turn estimators and splits into scores; models are fitted only here."""

from ._content import fingerprint as fingerprint
from ._fit import OF_TRAINING as OF_TRAINING
from ._fit import FitOptions as FitOptions
from ._fit import FitRecord as FitRecord
from ._fit import Workload as Workload
from ._gather import fit_in_rounds as fit_in_rounds
from ._gather import measure as measure
from ._metrics import Metric as Metric
from ._metrics import default_scoring as default_scoring
from ._metrics import is_routing as is_routing
from ._metrics import names_of as names_of
from ._metrics import read_metrics as read_metrics
from ._plan import check_folds as check_folds
from ._plan import plan_fits as plan_fits
from ._plan import plan_folds as plan_folds
from ._plan import plan_scores as plan_scores
from ._plan import plan_study as plan_study
from ._plan import undefined_metrics as undefined_metrics
from ._run import run_all as run_all
from ._splits import Splits as Splits
from ._splits import plan_splits as plan_splits
from ._store import FitStore as FitStore
from ._store import KeptArrays as KeptArrays
