"""Studies of size, power and coverage: any procedure, on any data generator."""

from .._utils._shared_docs import share_docstrings
from ._plan import StudiedProcedure
from ._result import SimulationResult
from ._study import simulate

__all__ = ["SimulationResult", "StudiedProcedure", "simulate"]

share_docstrings(globals())
