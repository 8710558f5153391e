"""What may mislead: one small function for each note, in one list; nothing below knows of it."""

from . import _before_fits as _before_fits  # which puts its notes into the list
from . import _seeds as _seeds
from ._evidence import Evidence as Evidence
from ._registry import NOTES as NOTES
from ._registry import before_fits as before_fits
from ._registry import find_notes as find_notes
