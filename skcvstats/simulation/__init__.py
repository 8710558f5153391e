"""Studies of size, power and coverage: any procedure, on any data generator."""

from ._predict import PredictsSplits
from ._result import SimulationResult
from ._spec import StudiedProcedure
from ._study import simulate
from ._tables import SimulatedProcedure

__all__ = [
    "PredictsSplits",
    "SimulatedProcedure",
    "SimulationResult",
    "StudiedProcedure",
    "simulate",
]
