"""A procedure that asks for the scores of rows, on splits of any kind."""

from dataclasses import dataclass
from typing import ClassVar

from skcvstats import CorrectedResampledTTest


@dataclass(frozen=True, kw_only=True)
class OnRows(CorrectedResampledTTest):
    """Works on splits, but has the scores of rows collected; of areas too."""

    name: ClassVar[str] = "on_rows"
    title: ClassVar[str] = "test on rows"
    needs_rows: ClassVar[bool] = True

    def unsuitable(self, metric=None, *args, of_rows=None, **known):
        """Accept other metrics like means."""
        kind = "mean" if of_rows in ("fold", "not measured") else of_rows
        return super().unsuitable(metric, *args, of_rows=kind, **known)

    def require(self, design):
        """Accept all splits."""
