"""Turn estimators and splits into scores; models are fitted only here."""

from ._doubts import NUMBERS_AS_CLASSES as NUMBERS_AS_CLASSES
from ._doubts import check_refitted as check_refitted
from ._doubts import kept_parts as kept_parts
from ._doubts import nested_estimators as nested_estimators
from ._doubts import too_many_classes as too_many_classes
from ._fit import FitOptions as FitOptions
from ._fit import FitRecord as FitRecord
from ._fit import Workload as Workload
from ._gather import Measured as Measured
from ._hints import hint_for as hint_for
from ._labels import sortable as sortable
from ._metrics import Metric as Metric
from ._metrics import read_metrics as read_metrics
from ._plan import plan_fits as plan_fits
from ._plan import plan_folds as plan_folds
from ._plan import plan_scores as plan_scores
from ._plan import undefined_metrics as undefined_metrics
from ._row_scores import without_each as without_each
from ._run import run_data_sets as run_data_sets
from ._splits import Splits as Splits
from ._splits import plan_splits as plan_splits
from ._store import FitStore as FitStore
from ._train_on import TrainOn as TrainOn
from ._train_on import part_size as part_size
