"""Studies of size, power and coverage: any procedure, on any data generator."""

from ._result import SimulationResult
from ._spec import StudiedProcedure
from ._study import simulate
from ._tables import SimulatedProcedure

__all__ = [
    "SimulatedProcedure",
    "SimulationResult",
    "StudiedProcedure",
    "simulate",
]
