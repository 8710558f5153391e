"""What may mislead: one small function for each note, in one list; nothing below knows of it."""

from . import _before_fits as _before_fits  # these put notes into the list, in this order
from . import _choice as _choice
from . import _copies as _copies
from . import _fits as _fits
from . import _labels as _labels
from . import _order as _order
from . import _seeds as _seeds
from . import _undefined as _undefined
from . import _values as _values
from . import _worse_than_constant as _worse_than_constant
from ._choice import CHOSEN_METHOD as CHOSEN_METHOD
from ._choice import notes_on_choices as notes_on_choices
from ._evidence import Evidence as Evidence
from ._evidence import LabelsEvidence as LabelsEvidence
from ._evidence import MetricEvidence as MetricEvidence
from ._evidence import ScoresEvidence as ScoresEvidence
from ._measure import fit_in_rounds as fit_in_rounds
from ._measure import measure as measure
from ._measure import measure_unwarned as measure_unwarned
from ._page import address_of as address_of
from ._page import anchor_of as anchor_of
from ._page import explained_notes as explained_notes
from ._registry import NOTES as NOTES
from ._registry import before_fits as before_fits
from ._registry import find_notes as find_notes
from ._registry import on_scores as on_scores
from ._registry import with_notes as with_notes
from ._values import on_losses as on_losses
from ._values import on_values as on_values
from ._values_of_folds import on_finished as on_finished
from ._values_of_folds import on_repeats as on_repeats
