"""Studies of size, power and coverage: any procedure, on any data generator."""

from ._result import SimulatedProcedure, SimulationResult
from ._spec import StudiedProcedure
from ._study import simulate

__all__ = ["SimulatedProcedure", "SimulationResult", "StudiedProcedure", "simulate"]
