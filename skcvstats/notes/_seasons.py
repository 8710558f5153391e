"""The note on effects of the month or the quarter, which last longer than a test over time sees."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, combinations
from typing import Any

import numpy as np

from .._utils._arrays import OF_DATES
from .._utils._text import format_number
from ..scores import Note
from ..stats import series_of
from ._evidence import ScoresEvidence
from ._registry import note

# Of stamps so many days apart, the lag of a year.
_YEARS = ((27, 32, 12, "month"), (88, 93, 4, "quarter"))
_STRONG, _ERRORS = 0.4, 3
_MOST_MODELS = 10


@note(
    "effects of the month",
    title="Effects of the month",
    looks_for="Monthly or quarterly times, and scores or differences of models that are like those "
    "of the year before: an autocorrelation above 0.4, and above three standard errors.",
    why="Where such effects change slowly over the years, the Diebold-Mariano test rejects true "
    "null hypotheses in 26 to 51 % at the 5 % level. Those that are the same each year do no harm.",
    remedy="Compare means of whole years, or forecast the season too.",
    looks_in=ScoresEvidence,
    on_sound_data="Not applicable: no times are monthly there. Of 2,000 series each of 60, 120 and "
    "240 months it was found in none, be they noise or autocorrelated by 0.6 from month to month; "
    "with 0.8 from year to year it was found in 99 to 100 %.",
)
def effects_of_the_month(evidence: ScoresEvidence) -> Iterator[Note]:
    rows = evidence.scores.row_scores
    if rows is None or rows.times is None:
        return
    stamps = evidence.stamps
    if stamps is None and evidence.time_column is not None:
        stamps = as_stamps(evidence.time_column.dates)
    lag, unit = _year_of(stamps, rows.rows)
    series = series_of(rows, np.atleast_2d(rows.block())[:_MOST_MODELS])
    n_times = series.shape[1]
    if not 0 < lag < n_times:
        return
    differences = (first - second for first, second in combinations(series, 2))
    strongest = max(_autocorrelation(part, lag) for part in chain(series, differences))
    if strongest > max(_STRONG, _ERRORS / np.sqrt(n_times)):
        text = (
            f"p-values may be too small: scores, or differences, are like those of the same {unit} "
            f"a year before (correlation {format_number(strongest)} at lag {lag}); these are "
            f"{n_times} times: where such effects change slowly over the years, this test rejects "
            "true null hypotheses in 26 to 51 % at the 5 % level. Compare means of whole years, or "
            "forecast the season too"
        )
        yield Note("effects of the month", text, None)


def _year_of(stamps: np.ndarray | None, rows: np.ndarray) -> tuple[int, str]:
    """Return the lag of a year and the unit of the times of some rows; 0 of other times."""
    if stamps is None:
        return 0, ""
    steps = np.diff(np.unique(stamps[rows])) / np.timedelta64(1, "D")
    middle = np.median(steps) if len(steps) else 0.0
    for least, most, lag, unit in _YEARS:
        if least <= middle <= most:
            return lag, unit
    return 0, ""


def _autocorrelation(values: np.ndarray, lag: int) -> float:
    """Return the autocorrelation at a lag, 0 of values that do not vary."""
    deviations = values - values.mean()
    total = float(deviations @ deviations)
    return float(deviations[lag:] @ deviations[:-lag]) / total if total else 0.0


def as_stamps(times: Any) -> np.ndarray | None:
    """Return times as dates, None unless they are."""
    stamps = None
    with suppress(TypeError, ValueError, AttributeError, IndexError):  # none, or no dates
        if hasattr(times, "to_timestamp"):  # periods
            times = times.to_timestamp()
        first = np.asarray(times)[0]
        if hasattr(first, "year") or isinstance(first, np.datetime64):
            stamps = np.array([str(time)[:10] for time in np.asarray(times)], dtype="M8[D]")
    return stamps


def stamps_of(X: Any) -> np.ndarray | None:
    """Return the dates in the index of a table, None if it has none."""
    index = getattr(X, "index", None)
    return as_stamps(index) if type(index).__name__ in OF_DATES else None
